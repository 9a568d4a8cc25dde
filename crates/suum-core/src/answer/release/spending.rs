//! The certificate.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Serialize, Serializer};

use crate::{Epsilon, LevelName, LevelSums, Loss};

/// One line of the certificate: what the records of a level allowed, and what this release cost
/// each of them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spending {
    /// The tier's name, or its ε where budgets are numbers.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub level: LevelName,
    /// What each record allowed; where it is private who takes part, what was declared.
    pub epsilon: Epsilon,
    /// How many records there are, where that is public.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    pub count: Option<u64>,
    /// The exact loss of each record; never above `epsilon`.
    pub spent: Loss,
    /// One record's (expected) share of the estimate, where that is public and there is one weight
    /// for all statistics.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    pub weight: Option<f64>,
}

impl Spending {
    /// What a record that allows this much spends; nothing if that is not declared.
    pub(crate) fn of_budget(declared: &[Self], budget: Epsilon) -> Loss {
        let mut rows = declared.iter();
        rows.find(|row| row.epsilon == budget).map_or(Loss::ZERO, |row| row.spent.clone())
    }

    pub(crate) fn of(level_sums: &LevelSums, spent: Loss, weight: Option<f64>) -> Self {
        Self {
            level: level_sums.name(),
            epsilon: level_sums.epsilon,
            count: Some(level_sums.count),
            spent,
            weight,
        }
    }
}

/// Where counts are public there is a `weight`, which can be null; where they are not, neither is
/// there.
impl Serialize for Spending {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row<'a> {
            level: &'a LevelName,
            epsilon: Epsilon,
            #[serde(skip_serializing_if = "Option::is_none")]
            count: Option<u64>,
            spent: &'a Loss,
            #[serde(skip_serializing_if = "Option::is_none")]
            weight: Option<Option<f64>>,
        }
        let Self { level, epsilon, count, spent, weight } = self;
        let (epsilon, weight) = (epsilon.written(), count.map(|_| *weight));
        Row { level, epsilon, count: *count, spent, weight }.serialize(serializer)
    }
}

/// What each level lost where these are the certificates of disjoint groups: nobody is in two of
/// them, so it is the most that the level lost in any. Counts are added up.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, LevelName, Loss, Spending, largest_losses};
///
/// let lost = |spent: Loss| Spending {
///     level: LevelName::Label("strict".into()),
///     epsilon: Epsilon::new(1.0).unwrap(),
///     count: Some(10),
///     spent,
///     weight: None,
/// };
/// let all = largest_losses([lost(Loss::ratio(1, 2)), lost(Loss::ratio(1, 4))]);
/// assert_eq!(all, [Spending { count: Some(20), ..lost(Loss::ratio(1, 2)) }]);
/// ```
pub fn largest_losses(rows: impl IntoIterator<Item = Spending>) -> Vec<Spending> {
    let mut all: BTreeMap<(Epsilon, LevelName), Spending> = BTreeMap::new();
    for row in rows {
        match all.entry((row.epsilon, row.level.clone())) {
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                known.count =
                    known.count.zip(row.count).map(|(one, other)| one.saturating_add(other));
                known.spent = known.spent.max(&row.spent);
                known.weight = None;
            }
            Entry::Vacant(new) => {
                new.insert(row);
            }
        }
    }
    all.into_values().collect()
}

/// As [`largest_losses`], where a record can leave one group for another: what the two groups cost
/// a level together in which it lost most.
pub(super) fn two_largest_losses(rows: impl IntoIterator<Item = Spending>) -> Vec<Spending> {
    let rows: Vec<Spending> = rows.into_iter().collect();
    let mut all = largest_losses(rows.iter().cloned());
    for row in &mut all {
        let same = |one: &&Spending| one.epsilon == row.epsilon && one.level == row.level;
        let mut others: Vec<&Loss> = rows.iter().filter(same).map(|one| &one.spent).collect();
        // One of those that cost as much as the most.
        if let Some(most) = others.iter().position(|loss| **loss == row.spent) {
            others.swap_remove(most);
        }
        let second = others.into_iter().fold(Loss::ZERO, |most, loss| most.max(loss));
        row.spent = row.spent.plus(&second);
    }
    all
}
