//! Part of every budget that a plan may spend.

use crate::{Epsilon, Error, LevelSums, LevelTable, Loss, Profile, Result, Share};

/// Levels of a plan: their budgets, and the part of each that the plan may spend.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    allowed: Profile,
    share: Share,
    // Budget that each level of `allowed` may spend, in the same order.
    spendable: Vec<Epsilon>,
    profile: Profile,
}

impl Part {
    /// Returns the part that is this share of what the levels allow.
    ///
    /// # Errors
    ///
    /// Refuses what [`Profile::new`] refuses.
    pub(crate) fn new(allowed: Profile, share: Share) -> Result<Self> {
        let spendable =
            allowed.levels().iter().map(|level| share.apply_to(level.epsilon)).collect();
        let profile = share.apply_to_profile(&allowed)?;
        Ok(Self { allowed, share, spendable, profile })
    }

    /// Returns the part with a given budget for each level, in the order of the profile, for a plan
    /// whose budget several measurements divide.
    ///
    /// # Errors
    ///
    /// Refuses what [`Profile::new`] refuses.
    pub(crate) fn with_budgets(allowed: Profile, spendable: Vec<Epsilon>) -> Result<Self> {
        let profile = allowed
            .with_budgets(|position| spendable.get(position).copied().unwrap_or(Epsilon::UNUSED))?;
        Ok(Self { allowed, share: Share::ALL, spendable, profile })
    }

    /// Returns the levels with everything that they allow.
    pub(crate) fn allowed(&self) -> &Profile {
        &self.allowed
    }

    /// Returns the share that may be spent.
    pub(crate) fn share(&self) -> Share {
        self.share
    }

    /// Returns the budget that each level may spend, in the order of [`allowed`](Self::allowed).
    pub(crate) fn spendable(&self) -> &[Epsilon] {
        &self.spendable
    }

    /// Returns the levels with the budgets that may be spent; levels with equal ones are merged.
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the position of the level in which a record with this budget is counted; with
    /// strata, that of the first such level.
    pub(crate) fn position(&self, allowed: Epsilon) -> Option<usize> {
        self.positions(allowed).next()
    }

    /// Returns the positions of all levels in which a record with this budget can be counted: one
    /// for each stratum that has one.
    pub(crate) fn positions(&self, allowed: Epsilon) -> impl Iterator<Item = usize> + '_ {
        self.allowed.positions(allowed).filter_map(|level| self.position_of(level))
    }

    fn position_of(&self, level: usize) -> Option<usize> {
        let (spendable, stratum) = (*self.spendable.get(level)?, self.allowed.stratum(level));
        // Unless levels were merged, each is at its old position.
        self.profile.position_at(level, spendable, stratum)
    }

    /// Returns the levels of a table, each with its position in the profile.
    ///
    /// # Errors
    ///
    /// If a level is not in the profile, which is a bug: the plan is for the table's profile.
    pub(crate) fn by_level<'t>(
        &self,
        table: &'t LevelTable,
    ) -> Result<Vec<(usize, &'t LevelSums)>> {
        let mut next = 0;
        let placed = |(stratum, level_sums): (usize, &'t LevelSums)| {
            // Levels are in the order of the profile, so this is usually the next one.
            let level = self.allowed.position_at(next, level_sums.epsilon, stratum);
            next = level.map_or(next, |level| level + 1);
            let position = level
                .and_then(|level| self.position_of(level))
                .ok_or_else(|| Error::internal("a level of the table is none of the plan's"))?;
            Ok((position, level_sums))
        };
        table.strata_by_level().zip(table.by_level()).map(placed).collect()
    }

    /// Returns a loss for every level of [`profile`](Self::profile), in order, from the loss at a
    /// position.
    pub(crate) fn losses(&self, loss: impl Fn(usize) -> Loss) -> impl Iterator<Item = Loss> {
        (0..self.profile.levels().len()).map(loss)
    }
}
