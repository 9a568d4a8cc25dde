//! Rows of a certificate.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Serialize, Serializer};

use crate::{Epsilon, LevelName, LevelSums, Loss};

/// Row of a certificate: the budget of the records of a level, and the cost of this release for
/// each of them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spending {
    /// Name of the tier, or its ε if budgets are numbers.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub level: LevelName,
    /// Budget of each record; under add-remove the declared budget.
    pub epsilon: Epsilon,
    /// Number of records, if it is public.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    pub count: Option<u64>,
    /// Exact loss of each record; never above `epsilon`.
    pub spent: Loss,
    /// Share of one record in the estimate (expected share if it is random), if it is public and
    /// all statistics have the same weights.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    pub weight: Option<f64>,
    /// Probability δ, at most, of an event beyond what `spent` promises: that a category shows in
    /// which the record is alone. `None` for a release that has no such event.
    #[cfg_attr(feature = "schema", schemars(skip_serializing_if = "Option::is_none"))]
    pub delta: Option<f64>,
}

impl Spending {
    /// Returns the spending of a record with this budget; zero if the budget is not declared.
    pub(crate) fn loss_for_budget(declared: &[Self], budget: Epsilon) -> Loss {
        let mut rows = declared.iter();
        rows.find(|row| row.epsilon == budget).map_or(Loss::ZERO, |row| row.spent.clone())
    }

    pub(crate) fn new(level_sums: &LevelSums, spent: Loss, weight: Option<f64>) -> Self {
        Self {
            level: level_sums.name(),
            epsilon: level_sums.epsilon,
            count: Some(level_sums.count),
            spent,
            weight,
            delta: None,
        }
    }
}

/// Serializes `weight`, which can be null, if counts are public; otherwise both are left out.
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
            #[serde(skip_serializing_if = "Option::is_none")]
            delta: &'a Option<f64>,
        }
        let Self { level, epsilon, count, spent, weight, delta } = self;
        let (epsilon, weight) = (epsilon.written(), count.map(|_| *weight));
        Row { level, epsilon, count: *count, spent, weight, delta }.serialize(serializer)
    }
}

/// Returns the loss of each level, given the certificates of disjoint groups: nobody is in two of
/// them, so it is the largest in any of them. Counts are added up.
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
///     delta: None,
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
                if row.spent > known.spent {
                    known.spent = row.spent;
                }
                known.weight = None;
                known.delta = [known.delta, row.delta].into_iter().flatten().reduce(f64::max);
            }
            Entry::Vacant(new) => {
                new.insert(row);
            }
        }
    }
    all.into_values().collect()
}
