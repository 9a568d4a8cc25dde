//! Noise of the right shape and the wrong scale.

use super::{RUNS, STEPS, Specimen, Version, steps_of};
use crate::{Neighbours, Output, Promise, Side};
use dashu_int::UBig;
use suum_core::{DiscreteLaplace, Epsilon, Result};

/// Share of the noise that is left.
const SHARE: f64 = 0.73;
/// Budgets of two levels, whose records weigh as much as they allow.
const BUDGETS: [f64; 2] = [2.0, 3.0];

/// Specimen that releases a sum weighted by budgets, with noise for a change of one unit of budget,
/// or 0.73 times that. The others are at 0.
pub(super) fn specimen(version: Version) -> Result<Specimen> {
    let share = match version {
        Version::Published => SHARE,
        Version::Corrected => 1.0,
    };
    let noise = DiscreteLaplace::new(UBig::from((share * STEPS).ceil() as u64));
    let promises: Result<Vec<Promise>> =
        BUDGETS.into_iter().map(|budget| Epsilon::new(budget).map(Promise::all_of)).collect();
    let neighbours = (0..BUDGETS.len())
        .map(|promise| Neighbours { promise, difference: "one record at 0 or 1".to_owned() })
        .collect();
    Ok(Specimen {
        name: "noise-too-small",
        mistake: "the noise of a weighted sum is 0.73 times what it should be",
        runs: RUNS,
        promises: promises?,
        neighbours,
        release: Box::new(move |pair, side, randomness| {
            let moved = if side == Side::One { 0.0 } else { BUDGETS[pair] };
            Output::from(moved + steps_of(&noise.sample(randomness)) / STEPS)
        }),
    })
}
