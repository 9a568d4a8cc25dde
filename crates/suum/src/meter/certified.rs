//! What releases say of what they cost whom.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use suum_core::{
    AddRemovePlan, AddRemoveRelease, Epsilon, FrequencyRelease, Loss, Plan, QuantilePlan,
    QuantileRelease, Release, Spending, SummaryPlan, SummaryRelease, UnboundedMean, VariancePlan,
    VarianceRelease,
};

/// What one record of a level lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelLoss {
    /// The tier's name, or its ε where budgets are numbers.
    pub level: String,
    /// What each record was to spend at most.
    pub epsilon: Epsilon,
    /// How many records there are, where that is public.
    pub count: Option<u64>,
    /// The exact loss of each.
    pub spent: Loss,
}

/// A release with a certificate of what it cost.
pub trait Certified {
    /// What one record of each level lost.
    fn losses(&self) -> Vec<LevelLoss>;
}

fn of_spending(privacy: &[Spending]) -> Vec<LevelLoss> {
    let loss = |row: &Spending| LevelLoss {
        level: row.level.clone(),
        epsilon: row.epsilon,
        count: Some(row.count),
        spent: row.spent.clone(),
    };
    privacy.iter().map(loss).collect()
}

macro_rules! certified {
    ($($release:ty),*) => {
        $(impl Certified for $release {
            fn losses(&self) -> Vec<LevelLoss> {
                of_spending(&self.privacy)
            }
        })*
    };
}

certified!(Release, FrequencyRelease, QuantileRelease, VarianceRelease, SummaryRelease);

impl Certified for AddRemoveRelease {
    fn losses(&self) -> Vec<LevelLoss> {
        let loss = |row: &suum_core::DeclaredSpending| LevelLoss {
            level: row.level.clone(),
            epsilon: row.epsilon,
            count: None,
            spent: row.spent.clone(),
        };
        self.privacy.iter().map(loss).collect()
    }
}

/// Releases of disjoint groups: nobody is in two of them, so each level lost the most that it lost
/// in any.
pub fn losses_of_groups<'a, R: Certified + 'a>(
    groups: impl Iterator<Item = &'a R>,
) -> Vec<LevelLoss> {
    let mut all: BTreeMap<(Epsilon, String), LevelLoss> = BTreeMap::new();
    for loss in groups.flat_map(Certified::losses) {
        match all.entry((loss.epsilon, loss.level.clone())) {
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.count =
                    known.count.zip(loss.count).map(|(one, other)| one.saturating_add(other));
                known.spent = larger(&known.spent, &loss.spent);
            }
            Entry::Vacant(new) => {
                new.insert(loss);
            }
        }
    }
    all.into_values().collect()
}

fn larger(one: &Loss, other: &Loss) -> Loss {
    match (one, other) {
        (Loss::Finite(a), Loss::Finite(b)) => Loss::Finite(a.max(b).clone()),
        _ => Loss::Unlimited,
    }
}

/// A plan that says what one record would lose.
pub trait Costed {
    /// The exact loss of a record that allows this much; none if there is no such level.
    fn cost(&self, allowed: Epsilon) -> Option<Loss>;
}

macro_rules! costed {
    ($($plan:ty),*) => {
        $(impl Costed for $plan {
            fn cost(&self, allowed: Epsilon) -> Option<Loss> {
                self.position(allowed).map(|_| self.loss_of(allowed))
            }
        })*
    };
}

costed!(Plan, QuantilePlan, VariancePlan);

impl Costed for SummaryPlan {
    fn cost(&self, allowed: Epsilon) -> Option<Loss> {
        self.losses().nth(self.allowed().position(allowed)?)
    }
}

impl Costed for AddRemovePlan {
    fn cost(&self, allowed: Epsilon) -> Option<Loss> {
        self.chosen().privacy.iter().find(|row| row.epsilon == allowed).map(|row| row.spent.clone())
    }
}

impl Costed for UnboundedMean {
    fn cost(&self, allowed: Epsilon) -> Option<Loss> {
        Some(self.loss(allowed))
    }
}
