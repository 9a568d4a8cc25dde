//! Samples of tiers whose means differ.

use suum_core::{Bounds, Grid, Profile, Randomness, Release, WeightedPlan, WeightedRequest};

use super::people;
use crate::dice::Dice;

/// Shares of three tiers in a population, and what they allow.
pub(crate) const TIERS: [(f64, f64); 3] = [(0.1, 0.5), (1.0, 0.35), (10.0, 0.15)];
pub(crate) const RECORDS: usize = 600;

/// How the means of tiers differ, as parts of the difference.
pub(crate) const SHAPES: [(&str, [f64; 3]); 3] = [
    // What the bias is largest for: tiers that weigh less than their share against the others.
    ("strict only", [1.0, 0.0, 0.0]),
    ("monotone", [1.0, 0.5, 0.0]),
    ("zigzag", [0.0, 1.0, 0.0]),
];

/// A sample of the tiers with their values.
pub(crate) fn sample(
    shape: [f64; 3],
    difference: f64,
    dice: &mut Dice,
) -> (Profile, Vec<Vec<f64>>) {
    let mut values = vec![Vec::new(); TIERS.len()];
    for _ in 0..RECORDS {
        let roll = dice.roll();
        let at = if roll < 0.5 {
            0
        } else if roll < 0.85 {
            1
        } else {
            2
        };
        values[at].push(0.25 + difference * shape[at] + 0.2 * (dice.roll() - 0.5));
    }
    let levels = TIERS.iter().zip(&values).map(|((e, _), all)| format!("{e}:{}", all.len()));
    (levels.collect::<Vec<_>>().join(",").parse().unwrap(), values)
}

/// The mean of the population from which samples are.
pub(crate) fn mean(shape: [f64; 3], difference: f64) -> f64 {
    let parts = TIERS.iter().zip(shape).map(|((_, share), part)| share * part);
    0.25 + difference * parts.sum::<f64>()
}

/// The release of values that are listed tier by tier, between 0 and 1.
pub(crate) fn released(
    request: &WeightedRequest,
    profile: Profile,
    values: &[Vec<f64>],
    seed: u64,
) -> Release {
    let numbers = request.numbers(Grid::new(Bounds::UNIT));
    let mut next = values.concat().into_iter();
    let table = people::table(&profile, numbers, || next.next().unwrap());
    let plan = WeightedPlan::new(request, profile, numbers).unwrap();
    plan.release(table, &mut Randomness::insecure(seed)).unwrap()
}
