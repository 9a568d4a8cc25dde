//! What a plan may spend of what every level allows.

use crate::{Epsilon, Error, LevelSums, LevelTable, Loss, Profile, Result, Share};

/// The levels of a plan: what they allow in all, and what of it the plan may spend.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    allowed: Profile,
    share: Share,
    // What each level of `allowed` may spend, in the same order.
    spendable: Vec<Epsilon>,
    profile: Profile,
}

impl Part {
    /// This share of what the levels allow.
    ///
    /// # Errors
    ///
    /// Refuses what [`Profile::new`] refuses.
    pub(crate) fn new(allowed: Profile, share: Share) -> Result<Self> {
        let spendable = allowed.levels().iter().map(|level| share.of(level.epsilon)).collect();
        let profile = share.of_profile(&allowed)?;
        Ok(Self { allowed, share, spendable, profile })
    }

    /// So much of what each level allows, in the order of the profile; of one that several
    /// measurements share.
    ///
    /// # Errors
    ///
    /// Refuses what [`Profile::new`] refuses.
    pub(crate) fn of_each(allowed: Profile, spendable: Vec<Epsilon>) -> Result<Self> {
        let profile = allowed
            .with_budgets(|position| spendable.get(position).copied().unwrap_or(Epsilon::UNUSED))?;
        Ok(Self { allowed, share: Share::ALL, spendable, profile })
    }

    /// The levels with all that they allow.
    pub(crate) fn allowed(&self) -> &Profile {
        &self.allowed
    }

    /// The share that may be spent.
    pub(crate) fn share(&self) -> Share {
        self.share
    }

    /// What each level may spend, in the order of the levels with all that they allow.
    pub(crate) fn spendable(&self) -> &[Epsilon] {
        &self.spendable
    }

    /// The levels with what may be spent of them; levels that may spend the same are one.
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The position of the level in which a record that allows this much is counted; in strata
    /// that of the first one.
    pub(crate) fn position(&self, allowed: Epsilon) -> Option<usize> {
        self.positions(allowed).next()
    }

    /// The positions of all levels in which a record that allows this much can be counted: one of
    /// each stratum in which there is one.
    pub(crate) fn positions(&self, allowed: Epsilon) -> impl Iterator<Item = usize> + '_ {
        self.allowed.positions(allowed).filter_map(|level| self.position_of(level))
    }

    fn position_of(&self, level: usize) -> Option<usize> {
        let (spendable, stratum) = (*self.spendable.get(level)?, self.allowed.stratum(level));
        // Unless levels became one, each is where it was.
        self.profile.position_at(level, spendable, stratum)
    }

    /// The levels of a table, each with the position of its level.
    ///
    /// # Errors
    ///
    /// If a level is none of these, which is a bug: the plan is for the table's profile.
    pub(crate) fn by_level<'t>(
        &self,
        table: &'t LevelTable,
    ) -> Result<Vec<(usize, &'t LevelSums)>> {
        let mut next = 0;
        let placed = |(stratum, level_sums): (usize, &'t LevelSums)| {
            // They are in that order: as a rule this is the one behind the last.
            let level = self.allowed.position_at(next, level_sums.epsilon, stratum);
            next = level.map_or(next, |level| level + 1);
            let position = level
                .and_then(|level| self.position_of(level))
                .ok_or_else(|| Error::internal("a level of the table is none of the plan's"))?;
            Ok((position, level_sums))
        };
        table.strata_by_level().zip(table.by_level()).map(placed).collect()
    }

    /// A loss for every level that may spend something else, in order, from the loss at a position.
    pub(crate) fn losses(&self, loss: impl Fn(usize) -> Loss) -> impl Iterator<Item = Loss> {
        (0..self.profile.levels().len()).map(loss)
    }
}
