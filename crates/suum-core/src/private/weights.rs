//! Weights of records: a table with one for each level, or a function of a record's budget.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{Epsilon, Level, LevelEntry, Loss, PrivacyUnits};

/// Rule that weighs records.
pub trait Weighting {
    /// Public facts about a record that decide its weight.
    type Key: Copy;

    /// Returns the integer weight of a record.
    fn weight(&self, key: Self::Key) -> UBig;

    /// Returns the exact loss of a record, weight·sensitivity/scale. Without noise it is unlimited.
    fn loss_at(&self, key: Self::Key, sensitivity: &RBig, scale: &UBig) -> Loss {
        let moved = IBig::from(self.weight(key)) * sensitivity.numerator();
        match (moved == IBig::ZERO, *scale == UBig::ZERO) {
            (true, _) => Loss::ZERO,
            (false, true) => Loss::Unlimited,
            (false, false) => {
                Loss::Finite(RBig::from_parts(moved, scale * sensitivity.denominator()))
            }
        }
    }

    /// Returns the certificate entry of a record.
    fn entry(&self, key: Self::Key) -> LevelEntry {
        LevelEntry::weighing(self.weight(key))
    }
}

/// Integer weight of a record of each level of a public profile, by the position of the level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightTable {
    weights: Vec<UBig>,
    total: UBig,
}

impl WeightTable {
    /// Returns the table of these weights, in the order of the levels.
    pub(crate) fn new(levels: &[Level], weights: Vec<UBig>) -> Self {
        let total = levels
            .iter()
            .zip(&weights)
            .fold(UBig::ZERO, |sum, (level, weight)| sum + weight * UBig::from(level.count));
        Self { weights, total }
    }

    /// Returns W_j for each level, in the order of the profile.
    pub fn weights(&self) -> &[UBig] {
        &self.weights
    }

    /// Returns Σ W over all records.
    pub fn total(&self) -> &UBig {
        &self.total
    }

    /// Returns the table with 2^digits times the weights.
    pub(crate) fn finer(self, digits: usize) -> Self {
        let weights = self.weights.into_iter().map(|weight| weight << digits).collect();
        Self { weights, total: self.total << digits }
    }

    /// Returns the least integer b with W_j·sensitivity ≤ b·ε_j for every level of finite budget,
    /// which keeps the [loss](Weighting::loss_at) of each within it; zero if no such level counts.
    pub(crate) fn least_scale(&self, levels: &[Level], sensitivity: &RBig) -> UBig {
        let (_, moved) = sensitivity.numerator().clone().into_parts();
        common_scale(levels, &self.weights, &moved, sensitivity.denominator())
    }
}

impl Weighting for WeightTable {
    type Key = usize;

    fn weight(&self, position: usize) -> UBig {
        self.weights.get(position).cloned().unwrap_or(UBig::ZERO)
    }
}

impl Weighting for PrivacyUnits {
    type Key = Epsilon;

    fn weight(&self, budget: Epsilon) -> UBig {
        PrivacyUnits::weight(*self, budget)
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

/// Returns a finite positive budget as an exact fraction.
pub(crate) fn fraction(epsilon: Epsilon) -> Option<(UBig, UBig)> {
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
