//! Mechanisms: exact sums plus exact noise, in integers only.
//!
//! A mechanism is the integer form of a design. It turns exact sums into something publishable, and
//! knows the exact loss of every level.

mod float_quantile;
mod level_laplace;
mod local_laplace;
mod moment_sums;
mod quantile;
mod range_check;
mod range_choice;
mod range_search;
mod ranges;
mod rank_choice;
mod rank_ends;
mod rank_questions;
mod rank_tree;
mod ranks;
mod rappor;
mod refined_counts;
mod refinement;
mod spread_sums;
mod unit_cells;
mod unit_question;
mod unit_range;
mod unit_ranks;
mod unit_sums;
mod weighted_counts;
mod weighted_sum;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::certificate::verify::Description;
use crate::{Epsilon, ExactSum, Level, LevelEntry, LevelSums, Loss, Profile, Randomness};

pub use float_quantile::FloatQuantile;
pub use level_laplace::LevelLaplace;
pub use local_laplace::LocalLaplace;
pub use moment_sums::MomentSums;
pub(crate) use moment_sums::NoisyMoments;
pub(crate) use quantile::QuantileAnswers;
pub use quantile::QuantileMechanism;
pub use range_check::{RangeCheck, RangeKeys};
pub use range_choice::RangeChoice;
pub(crate) use range_search::{RangeSearch, UNIT};
pub use ranges::CellRange;
pub(crate) use ranges::Ranges;
pub use rank_choice::RankChoice;
pub use rank_ends::EndsQuery;
pub use rank_questions::RankQuestions;
pub use rank_tree::{RankNode, RankTree};
pub use ranks::RankQuery;
pub use rappor::Rappor;
pub use refined_counts::RefinedCounts;
pub(crate) use refinement::NoisyCells;
pub use refinement::Refinement;
pub use spread_sums::SpreadSums;
pub use unit_cells::UnitCells;
pub(crate) use unit_question::UnitQuestion;
pub(crate) use unit_range::UnitRange;
pub use unit_ranks::UnitRanks;
pub use unit_sums::UnitSums;
pub use weighted_counts::WeightedCounts;
pub use weighted_sum::WeightedSum;

/// Number of steps in one count, for mechanisms whose integer weights do not make the noise fine.
/// Without it a budget of several units would get noise of one or two steps, distorted by rounding.
pub(crate) const COUNT_STEPS: u64 = 1 << 20;

/// Mechanism with scales planned for every level of a public profile.
pub(crate) trait LevelMechanism {
    /// Exact numbers that it reads of a level.
    type Exact<'e>;
    /// Noisy result, which may be published.
    type Out;

    /// Returns the exact loss of one record of the level at this position of the profile.
    fn loss(&self, position: usize) -> Loss;

    /// Returns the description of the measurement in a certificate.
    fn description(&self) -> Description;

    /// Returns the certificate entry of a record of the level at this position.
    fn level(&self, position: usize) -> LevelEntry;

    /// Adds the noise: the only way from exact numbers to something publishable.
    fn release(&self, by_level: &[Self::Exact<'_>], randomness: &mut Randomness) -> Self::Out;
}

/// Integer form of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mechanism {
    /// One weighted sum with one noise.
    WeightedSum(WeightedSum),
    /// One weighted sum, and the spread of its values.
    SpreadSums(SpreadSums),
    /// Weighted counts of categories, with noise that adds up to zero.
    WeightedCounts(WeightedCounts),
    /// Noisy sum for each level.
    LevelLaplace(LevelLaplace),
    /// Laplace noise for every single record.
    LocalLaplace(LocalLaplace),
    /// Randomised response for every single record.
    Rappor(Rappor),
}

/// Exact sums of a level that a mechanism reads, one for each released component.
#[derive(Debug)]
pub(crate) struct ExactSums<'a> {
    /// Position of the level in the profile.
    pub(crate) position: usize,
    /// Number of records (public).
    pub(crate) count: u64,
    /// Sum of grid indices, or one count for each category.
    pub(crate) sums: &'a [ExactSum],
}

impl<'a> ExactSums<'a> {
    /// Returns the exact sums of a level at this position.
    pub(crate) fn of((position, level_sums): (usize, &'a LevelSums)) -> Self {
        Self { position, count: level_sums.count, sums: &level_sums.sums }
    }
}

/// Noisy result of a mechanism, which may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Noisy {
    /// One number for each component; for a spread the sum, and that of the products.
    Total(Vec<IBig>),
    /// One number for each level of the profile and component.
    PerLevel(Vec<Vec<IBig>>),
}

impl Mechanism {
    /// Returns the exact loss of one record of the level at this position of the profile.
    pub fn loss(&self, position: usize) -> Loss {
        match self {
            Mechanism::WeightedSum(mechanism) => mechanism.loss(position),
            Mechanism::SpreadSums(mechanism) => mechanism.loss(position),
            Mechanism::WeightedCounts(mechanism) => mechanism.loss(position),
            Mechanism::LevelLaplace(mechanism) => mechanism.loss(position),
            Mechanism::LocalLaplace(mechanism) => mechanism.loss(position),
            Mechanism::Rappor(mechanism) => mechanism.loss(position),
        }
    }

    /// Returns the integer scale of the estimate's noise, or the largest of several; zero if there
    /// is none.
    pub fn largest_scale(&self) -> UBig {
        match self {
            Mechanism::WeightedSum(mechanism) => mechanism.scale().clone(),
            Mechanism::SpreadSums(mechanism) => mechanism.sum().scale().clone(),
            Mechanism::WeightedCounts(mechanism) => mechanism.scale().clone(),
            Mechanism::LevelLaplace(mechanism) => largest(mechanism.scales()),
            Mechanism::LocalLaplace(mechanism) => largest(mechanism.scales()),
            Mechanism::Rappor(_) => UBig::ZERO,
        }
    }

    /// Returns the name of the noise distribution, as in JSON.
    pub fn distribution(&self) -> &'static str {
        match self {
            Mechanism::Rappor(_) => "randomized-response",
            _ if self.largest_scale() == UBig::ZERO => "none",
            Mechanism::WeightedCounts(_) => "sum-zero-laplace",
            _ => "discrete-laplace",
        }
    }
}

impl LevelMechanism for Mechanism {
    type Exact<'e> = ExactSums<'e>;
    type Out = Noisy;

    fn loss(&self, position: usize) -> Loss {
        self.loss(position)
    }

    fn description(&self) -> Description {
        match self {
            Mechanism::WeightedSum(mechanism) => mechanism.description(),
            Mechanism::SpreadSums(mechanism) => mechanism.description(),
            Mechanism::WeightedCounts(mechanism) => mechanism.description(),
            Mechanism::LevelLaplace(mechanism) => mechanism.description(),
            Mechanism::LocalLaplace(mechanism) => mechanism.description(),
            Mechanism::Rappor(mechanism) => mechanism.description(),
        }
    }

    fn level(&self, position: usize) -> LevelEntry {
        match self {
            Mechanism::WeightedSum(mechanism) => mechanism.level(position),
            Mechanism::SpreadSums(mechanism) => mechanism.sum().level(position),
            Mechanism::WeightedCounts(mechanism) => mechanism.level(position),
            Mechanism::LevelLaplace(mechanism) => mechanism.level(position),
            Mechanism::LocalLaplace(mechanism) => mechanism.level(position),
            Mechanism::Rappor(mechanism) => mechanism.level(position),
        }
    }

    fn release(&self, by_level: &[ExactSums<'_>], randomness: &mut Randomness) -> Noisy {
        match self {
            Mechanism::WeightedSum(mechanism) => {
                Noisy::Total(vec![mechanism.release(by_level, randomness)])
            }
            Mechanism::SpreadSums(mechanism) => {
                Noisy::Total(mechanism.release(by_level, randomness))
            }
            Mechanism::WeightedCounts(mechanism) => {
                Noisy::Total(mechanism.release(by_level, randomness))
            }
            Mechanism::LevelLaplace(mechanism) => {
                Noisy::PerLevel(mechanism.release(by_level, randomness))
            }
            Mechanism::LocalLaplace(mechanism) => {
                Noisy::PerLevel(mechanism.release(by_level, randomness))
            }
            Mechanism::Rappor(mechanism) => {
                Noisy::PerLevel(mechanism.release(by_level, randomness))
            }
        }
    }
}

/// Returns the certificate entry of a record of the level at this position, given the weights of
/// all levels.
fn weighing(weights: &[UBig], position: usize) -> LevelEntry {
    weights
        .get(position)
        .map_or_else(LevelEntry::unused, |weight| LevelEntry::weighing(weight.clone()))
}

fn largest(scales: &[UBig]) -> UBig {
    scales.iter().max().cloned().unwrap_or(UBig::ZERO)
}

/// Returns the least integer b with `sensitivity` ≤ b·ε: the scale of Laplace noise for a sum that
/// one record moves by `sensitivity`. Zero for public records, which need no noise, and for unused
/// ones.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, least_scale};
///
/// // 1000/0.3 = 3333.3…
/// assert_eq!(least_scale(1000u32.into(), Epsilon::new(0.3)?), 3334u32.into());
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn least_scale(sensitivity: UBig, epsilon: Epsilon) -> UBig {
    match fraction(epsilon) {
        // sensitivity/ε = sensitivity·denominator/numerator, rounded up.
        Some((numerator, denominator)) => {
            (sensitivity * denominator + &numerator - UBig::ONE) / numerator
        }
        None => UBig::ZERO,
    }
}

/// Returns the least integer b with W_j·sensitivity ≤ b·parts·ε_j for every level of finite budget;
/// zero if no such level counts.
fn common_scale(levels: &[Level], weights: &[UBig], sensitivity: &UBig, parts: &UBig) -> UBig {
    let (mut scale, mut before) = (UBig::ZERO, &UBig::ZERO);
    // Scale times parts, while it fits 128 bits.
    let mut short = Some(0);
    for (level, weight) in levels.iter().zip(weights) {
        // Budgets are in ascending order, so of levels with the same weight the first needs the
        // largest scale.
        if weight == before {
            continue;
        }
        before = weight;
        let moved = weight * sensitivity;
        // Most levels need a scale no larger than the last one, which 128-bit products can show.
        let is_enough = || Some(u128::try_from(&moved).ok()? <= level.epsilon.times(short?)?);
        if is_enough() == Some(true) {
            continue;
        }
        let Some((numerator, denominator)) = fraction(level.epsilon) else { continue };
        let (needed, numerator) = (moved * denominator, numerator * parts);
        if needed > &scale * &numerator {
            scale = (needed + &numerator - UBig::ONE) / numerator;
            short = u128::try_from(&scale * parts).ok();
        }
    }
    scale
}

/// Returns the exact loss of one record of the level at this position, W·sensitivity/(scale·parts),
/// which a scale of [`common_scale`] keeps within its budget. Without noise it is unlimited.
fn weight_loss(
    weights: &[UBig],
    position: usize,
    scale: &UBig,
    (sensitivity, parts): (&UBig, &UBig),
) -> Loss {
    let moved = weights.get(position).map_or(UBig::ZERO, |weight| weight * sensitivity);
    match (moved == UBig::ZERO, *scale == UBig::ZERO) {
        (true, _) => Loss::ZERO,
        (false, true) => Loss::Unlimited,
        (false, false) => Loss::Finite(RBig::from_parts(IBig::from(moved), scale * parts)),
    }
}

/// Returns Σ W over all records.
fn total_weight(profile: &Profile, weights: &[UBig]) -> UBig {
    let levels = profile.levels().iter().zip(weights);
    levels.fold(UBig::ZERO, |sum, (level, weight)| sum + weight * UBig::from(level.count))
}

/// Returns a finite positive budget as an exact fraction.
fn fraction(epsilon: Epsilon) -> Option<(UBig, UBig)> {
    let (digits, places) = epsilon.binary()?;
    let power = UBig::ONE << places.unsigned_abs() as usize;
    Some(match places > 0 {
        true => (UBig::from(digits), power),
        false => (UBig::from(digits) * power, UBig::ONE),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// However it is found: the least that is enough for every level, in exact rationals.
        #[test]
        fn a_common_scale_is_the_least_that_is_enough(
            levels in prop::collection::vec((-30.0..30.0_f64, 0u64..1 << 55), 1..20),
            clip in 0u64..1 << 55,
            shift in prop::sample::select(vec![0usize, 20, 30, 64, 90]),
            parts in 1u64..20,
            whole: bool,
        ) {
            let budget = |log: f64| if whole { log.exp2().ceil() } else { log.exp() };
            let mut levels: Vec<(Level, UBig)> = levels
                .into_iter()
                .map(|(exponent, weight)| {
                    let epsilon = Epsilon::new(budget(exponent)).unwrap();
                    (Level { epsilon, count: 1 }, UBig::from(weight.min(clip)))
                })
                .collect();
            levels.sort_by_key(|(level, _)| level.epsilon);
            levels.push((Level { epsilon: Epsilon::PUBLIC, count: 1 }, UBig::ONE << 60));
            let (levels, weights): (Vec<Level>, Vec<UBig>) = levels.into_iter().unzip();
            let (sensitivity, parts) = (UBig::ONE << shift, UBig::from(parts));
            let scale = common_scale(&levels, &weights, &sensitivity, &parts);
            let mut least = UBig::ZERO;
            for (level, weight) in levels.iter().zip(&weights) {
                let Some(budget) = level.epsilon.exact() else { continue };
                let (digits, places) = fraction(level.epsilon).unwrap();
                prop_assert_eq!(&RBig::from_parts(digits.into(), places), &budget);
                let needed = RBig::from(weight * &sensitivity)
                    / (budget * RBig::from(parts.clone()));
                least = least.max(needed.ceil().into_parts().1);
            }
            prop_assert_eq!(scale, least);
        }
    }
}
