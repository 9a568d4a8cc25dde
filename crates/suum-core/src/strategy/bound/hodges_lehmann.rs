//! Lower bound that holds even without privacy.

use super::people::{People, pair_width};
use crate::Target;

/// Returns the least worst-case RMSE of the mean of n values, in units of the range, if everything
/// were public: for two values h′ apart it is h′/(2(1 + √n)), n the records that may be used.
///
/// h′ is the range, or 2σ if that is less: a declared variance.
///
/// Source: Hodges and Lehmann, "Some problems in minimax point estimation" (1950), section 6: the
/// estimator that attains it has the same risk under every probability of the two values.
pub(super) fn hodges_lehmann(people: &People, variance: f64, target: Target) -> f64 {
    let width = pair_width(variance);
    let rmse = width / (2.0 * (1.0 + (people.usable() as f64).sqrt()));
    People::for_target(target, rmse, width / (2.0 * (people.records() as f64).sqrt()))
}
