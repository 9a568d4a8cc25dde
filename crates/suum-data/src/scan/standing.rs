//! Decision in force of a key: the one implementation that all sources go through.

use suum_core::Epsilon;

use crate::scan::decisions::Status;
use crate::scan::tiers::Tiers;

/// Decision of a key that has begun at the time looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standing {
    /// Seconds since 1970 from which it holds; minus infinity for a permanent choice.
    from: f64,
    pub(crate) outcome: Outcome,
    /// True if another decision of the same time differs.
    pub(crate) is_tied: bool,
    /// True if something proves it.
    pub(crate) has_reference: bool,
}

/// Result of a decision at the time of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Counts as 0: it was withdrawn.
    Withdrawn,
    /// Counts as 0: it has expired.
    Expired,
    /// Decision without a choice; the replacement for a missing choice has these bits.
    Missing(u64),
    /// Choice with these bits.
    Chosen(u64),
}

/// Times and status of a decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Term {
    /// Beginning, in seconds since 1970.
    pub(crate) from: f64,
    /// End, in seconds since 1970; infinity without an end.
    pub(crate) until: f64,
    pub(crate) status: Status,
}

impl Term {
    /// Validity of a permanent choice.
    pub(crate) const ENDLESS: Self =
        Self { from: f64::NEG_INFINITY, until: f64::INFINITY, status: Status::Active };

    /// Returns true if it has begun at this time.
    pub(crate) fn has_begun(&self, as_of: f64) -> bool {
        self.from <= as_of
    }

    /// Result of an already begun decision with this choice at a time.
    pub(crate) fn outcome(&self, as_of: f64, choice: Outcome) -> Outcome {
        match self.status {
            Status::Withdrawn => Outcome::Withdrawn,
            Status::Expired => Outcome::Expired,
            Status::Active if self.until <= as_of => Outcome::Expired,
            Status::Active => choice,
        }
    }
}

impl Standing {
    pub(crate) fn new(from: f64, outcome: Outcome, has_reference: bool) -> Self {
        Self { from, outcome, is_tied: false, has_reference }
    }

    /// Returns the time from which it holds; `None` of a choice for good.
    pub(crate) fn from(&self) -> Option<f64> {
        self.from.is_finite().then_some(self.from)
    }

    /// Adds a decision of the same key: the later one stays, of two at one time the stricter.
    pub(crate) fn add(&mut self, other: Self, strictness: &Strictness) {
        if other.from > self.from {
            *self = other;
        } else if other.from == self.from && other.outcome != self.outcome {
            if strictness.rank(other.outcome) < strictness.rank(self.outcome) {
                (self.outcome, self.has_reference) = (other.outcome, other.has_reference);
            }
            self.is_tied = true;
        } else if other.from == self.from {
            self.has_reference |= other.has_reference;
        }
    }
}

/// Order of choices from the strictest to the most generous.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Strictness {
    /// The rank of each tier: by its budget, of equal ones in the order declared.
    Tiers(Vec<u64>),
    /// Bits of budgets are in their order.
    Budgets,
}

impl Strictness {
    /// Order of these tiers; without tiers, of budgets.
    pub(crate) fn new(tiers: Option<&Tiers>) -> Self {
        let Some(tiers) = tiers else { return Self::Budgets };
        let mut order: Vec<(Epsilon, usize)> =
            tiers.iter().enumerate().map(|(at, (_, epsilon))| (epsilon, at)).collect();
        order.sort();
        let mut ranks = vec![0; order.len()];
        for (rank, (_, at)) in (0..).zip(order) {
            ranks[at] = rank;
        }
        Self::Tiers(ranks)
    }

    /// Returns true if one outcome is stricter than another.
    pub(crate) fn is_stricter(&self, one: Outcome, other: Outcome) -> bool {
        self.rank(one) < self.rank(other)
    }

    /// Rank of the result of a decision, the strictest first.
    fn rank(&self, outcome: Outcome) -> (u64, u8) {
        let rank = |bits: u64| match self {
            Self::Tiers(ranks) => ranks.get(bits as usize).copied().unwrap_or(u64::MAX),
            Self::Budgets => bits,
        };
        match outcome {
            Outcome::Withdrawn => (0, 0),
            Outcome::Expired => (0, 1),
            Outcome::Missing(bits) => (rank(bits), 2),
            Outcome::Chosen(bits) => (rank(bits), 3),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Decision = (u8, Option<u8>, u8, u8);

    fn status(word: u8) -> Status {
        [Status::Active, Status::Active, Status::Withdrawn, Status::Expired][usize::from(word)]
    }

    fn tiers() -> Tiers {
        "open=1,strict=0.1,never=0,public=inf".parse().unwrap()
    }

    /// Folds the decisions of a key at a time, one after the other.
    fn folded(decisions: &[Decision], as_of: u8, tiers: Option<&Tiers>) -> Option<Standing> {
        let strictness = Strictness::new(tiers);
        let as_of = f64::from(as_of);
        let mut found: Option<Standing> = None;
        for (from, until, word, choice) in decisions {
            let until = until.map_or(f64::INFINITY, f64::from);
            let term = Term { from: f64::from(*from), until, status: status(*word) };
            if !term.has_begun(as_of) {
                continue;
            }
            let choice = Outcome::Chosen(bits(*choice, tiers));
            let standing = Standing::new(term.from, term.outcome(as_of, choice), from % 2 == 0);
            match &mut found {
                Some(found) => found.add(standing, &strictness),
                None => found = Some(standing),
            }
        }
        found
    }

    const BUDGETS: [f64; 4] = [1.0, 0.1, 0.0, f64::INFINITY];

    fn bits(choice: u8, tiers: Option<&Tiers>) -> u64 {
        tiers.map_or(BUDGETS[usize::from(choice)].to_bits(), |_| u64::from(choice))
    }

    /// Budget in force by definition: of the latest decisions the least.
    fn defined(decisions: &[Decision], as_of: u8) -> Option<f64> {
        let begun: Vec<&Decision> = decisions.iter().filter(|one| one.0 <= as_of).collect();
        let latest = begun.iter().map(|one| one.0).max()?;
        let budgets = begun.iter().filter(|one| one.0 == latest).map(|(_, until, word, choice)| {
            let is_over = until.is_some_and(|until| until <= as_of) || *word >= 2;
            if is_over { 0.0 } else { BUDGETS[usize::from(*choice)] }
        });
        budgets.reduce(f64::min)
    }

    fn budget(outcome: Outcome, tiers: Option<&Tiers>) -> f64 {
        match (outcome, tiers) {
            (Outcome::Withdrawn | Outcome::Expired, _) => 0.0,
            (Outcome::Chosen(bits) | Outcome::Missing(bits), None) => f64::from_bits(bits),
            (Outcome::Chosen(at) | Outcome::Missing(at), Some(tiers)) => {
                tiers.iter().nth(at as usize).unwrap().1.get()
            }
        }
    }

    proptest! {
        #[test]
        fn decision_in_force_is_the_strictest_of_the_latest(
            decisions in prop::collection::vec(
                (0u8..6, prop::option::of(0u8..8), 0u8..4, 0u8..4),
                0..8,
            ),
            as_of in 0u8..8,
            turn in 0usize..8,
        ) {
            let declared = tiers();
            for tiers in [Some(&declared), None] {
                let found = folded(&decisions, as_of, tiers);
                let found_budget = found.map(|standing| budget(standing.outcome, tiers));
                prop_assert_eq!(found_budget, defined(&decisions, as_of));
                // No order of the rows changes anything.
                let mut turned = decisions.clone();
                turned.rotate_left(turn.min(decisions.len()));
                prop_assert_eq!(found, folded(&turned, as_of, tiers));
                turned.reverse();
                prop_assert_eq!(found, folded(&turned, as_of, tiers));
            }
        }
    }

    #[test]
    fn withdrawal_is_said_before_expiry_and_zero() {
        let strictness = Strictness::new(Some(&tiers()));
        let mut standing = Standing::new(1.0, Outcome::Chosen(2), false);
        standing.add(Standing::new(1.0, Outcome::Expired, false), &strictness);
        assert_eq!((standing.outcome, standing.is_tied), (Outcome::Expired, true));
        standing.add(Standing::new(1.0, Outcome::Withdrawn, false), &strictness);
        assert_eq!(standing.outcome, Outcome::Withdrawn);
        standing.add(Standing::new(0.5, Outcome::Chosen(0), false), &strictness);
        assert_eq!(standing.outcome, Outcome::Withdrawn);
        standing.add(Standing::new(2.0, Outcome::Chosen(0), false), &strictness);
        assert_eq!((standing.outcome, standing.is_tied), (Outcome::Chosen(0), false));
    }
}
