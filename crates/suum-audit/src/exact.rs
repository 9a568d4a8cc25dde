//! Exact losses, where the distribution of the output is known.

use dashu_int::ops::UnsignedAbs;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use suum_core::{LevelSums, LevelTable, Loss, Mechanism, WeightedPlan};

/// Exact loss of the noisy sums of this plan between two tables, before post-processing.
///
/// Discrete Laplace noise of scale b distinguishes sums that differ by d by exactly d/b, and
/// independent noises add up. Noise that adds up to zero distinguishes counts by half of the sum of
/// their differences, over its scale. Weights, scales and sums are those of the release; the
/// difference is computed here, from the tables themselves. `None` if noise is not drawn for sums.
pub(crate) fn loss(plan: &WeightedPlan, one: &LevelTable, other: &LevelTable) -> Option<Loss> {
    let position = |level_sums: &LevelSums| plan.position(level_sums.epsilon);
    // For numbers the squares are only read to measure a spread.
    let read = match (plan.request().categories(), plan.measures_spread()) {
        (Some(categories), _) => categories.len(),
        (None, true) => 2,
        (None, false) => 1,
    };
    // Per level and component, by how much the sums differ.
    let mut differences: Vec<(usize, usize, IBig)> = Vec::new();
    for (sign, table) in [(1, one), (-1, other)] {
        for level_sums in table.by_level() {
            let Some(position) = position(level_sums) else { continue };
            for (component, sum) in level_sums.sums.iter().take(read).enumerate() {
                let sum = IBig::from(sum.expose_raw()) * IBig::from(sign);
                match differences.iter_mut().find(|(at, of, _)| (*at, *of) == (position, component))
                {
                    Some((_, _, difference)) => *difference += sum,
                    None => differences.push((position, component, sum)),
                }
            }
        }
    }
    match plan.mechanism() {
        // One noise for all levels: their differences cancel before it is drawn, or add up.
        Mechanism::Totals(totals) => {
            let moved = |component| moved(totals.weights(), &differences, component).unsigned_abs();
            let indices = ratio(moved(0), totals.scale());
            // The products Σg(G − g) = (n·G² − Σ(2g − G)²)/4 have a noise of their own; the numbers
            // of records are alike.
            let product = |scale| ratio(moved(1), &(scale * UBig::from(4u8)));
            let products = totals.scales().nth(1).map_or(Loss::ZERO, product);
            Some(indices.plus(&products))
        }
        Mechanism::WeightedCounts(counts) => {
            let moved = (0..read).map(|category| moved(counts.weights(), &differences, category));
            let (sum, norm) = moved.fold((IBig::ZERO, UBig::ZERO), |(sum, norm), moved| {
                (sum + &moved, norm + moved.unsigned_abs())
            });
            // Noise that adds up to zero hides nothing that does not.
            if sum != IBig::ZERO {
                return Some(Loss::Unlimited);
            }
            Some(ratio(norm, &(counts.scale() * UBig::from(2u8))))
        }
        Mechanism::LevelLaplace(sums) => {
            let losses = differences.iter().map(|(at, _, difference)| {
                let scale = sums.scales().get(*at).cloned().unwrap_or(UBig::ZERO);
                ratio(difference.unsigned_abs() * UBig::from(sums.factor()), &scale)
            });
            Some(losses.fold(Loss::ZERO, |sum, loss| sum.plus(&loss)))
        }
        _ => None,
    }
}

/// Difference of a weighted sum of this component.
fn moved(weights: &[UBig], differences: &[(usize, usize, IBig)], component: usize) -> IBig {
    let of = differences.iter().filter(|(_, of, _)| *of == component);
    let weighted = of.map(|(at, _, difference)| {
        IBig::from(weights.get(*at).cloned().unwrap_or(UBig::ZERO)) * difference
    });
    weighted.fold(IBig::ZERO, |sum, term| sum + term)
}

fn ratio(moved: UBig, scale: &UBig) -> Loss {
    if moved == UBig::ZERO {
        return Loss::ZERO;
    }
    if *scale == UBig::ZERO {
        return Loss::Unlimited;
    }
    Loss::Finite(RBig::from_parts(IBig::from(moved), scale.clone()))
}
