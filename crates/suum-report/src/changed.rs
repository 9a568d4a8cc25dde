//! Plan for changed people beside that for the present ones, to answer what-if questions.

use serde::Serialize;
use suum_core::{Epsilon, Estimator, WeightedPlan};

use crate::figures::{count, significant, spent};

/// Figures of the plan for the present people, for JSON.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Before {
    records: u64,
    chosen: Estimator,
    rmse: f64,
}

impl Before {
    /// Figures of the plan for the present people.
    pub fn from_plan(plan: &WeightedPlan) -> Self {
        Self {
            records: plan.setting().profile.records(),
            chosen: plan.chosen().estimator,
            rmse: plan.chosen().risk.rmse() * plan.unit(),
        }
    }
}

/// Sentences on the changes.
pub(crate) fn what_if(before: &WeightedPlan, after: &WeightedPlan) -> Vec<String> {
    let error = |plan: &WeightedPlan| plan.chosen().risk.rmse() * plan.unit();
    let (old, new) = (error(before), error(after));
    let mut said = vec![format!(
        "If so: {} records instead of {}, expected error {} instead of {} ({})",
        count(after.setting().profile.records()),
        count(before.setting().profile.records()),
        significant(new, 4),
        significant(old, 4),
        change(old, new),
    )];
    if after.chosen().estimator != before.chosen().estimator {
        let (new, old) = (after.chosen().estimator, before.chosen().estimator);
        said.push(format!("The estimator would be {new} instead of {old}."));
    }
    // The spending of a mean that learns first is not known in advance.
    if after.adaptive().is_some() || before.adaptive().is_some() {
        return said;
    }
    said.push(match (largest_loss(after), largest_loss(before)) {
        (new, old) if new == old => format!("Nobody would lose more than ε = {new}, as before."),
        (new, old) => format!("Nobody would lose more than ε = {new} instead of {old}."),
    });
    said
}

/// Change of an error in words.
pub(crate) fn change(old: f64, new: f64) -> String {
    if (new / old - 1.0).abs() < 5e-4 {
        "as good as no change".to_owned()
    } else if new < old {
        format!("{} % less", significant((1.0 - new / old) * 100.0, 2))
    } else {
        format!("{} % more", significant((new / old - 1.0) * 100.0, 2))
    }
}

/// Largest loss of any record, rounded up.
fn largest_loss(plan: &WeightedPlan) -> String {
    let largest = plan.losses().max_by(|a, b| a.rounded_up().total_cmp(&b.rounded_up()));
    largest.map_or_else(|| "0".to_owned(), |loss| spent(&loss, Epsilon::PUBLIC))
}
