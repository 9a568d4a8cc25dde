//! Local model: randomised response for every single record.

use dashu_int::{IBig, UBig};

use crate::certificate::verify::Description;
use crate::private::level_mechanism::ExactSums;
use crate::private::weights::fraction;
use crate::{Distribution, Epsilon, LevelEntry, Loss, Profile, Question, Randomness};

/// Mechanism k-RAPPOR: each of the k category indicators of every record is flipped independently
/// with probability 1/(1 + e^{ε/2}).
///
/// # Guarantee
///
/// Replacing a record changes two indicators, each of which changes the probability of any outcome
/// by a factor of at most e^{ε/2}: the record loses exactly ε. The flips are exact (see the noise
/// module); one per record and category makes it slow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rappor {
    budgets: Vec<Epsilon>,
    categories: usize,
}

impl Rappor {
    pub(crate) fn calibrated(profile: &Profile, categories: usize) -> Self {
        Self { budgets: profile.levels().iter().map(|level| level.epsilon).collect(), categories }
    }

    /// Returns the exact loss of one record of the level at this position: ε itself.
    pub fn loss(&self, position: usize) -> Loss {
        match self.budgets.get(position).map(|epsilon| epsilon.exact()) {
            Some(Some(epsilon)) => Loss::Finite(epsilon),
            Some(None) => Loss::Unlimited,
            None => Loss::ZERO,
        }
    }

    /// Returns the description of the measurement in a certificate.
    pub(crate) fn description(&self) -> Description {
        Description {
            question: Question::Indicators { categories: self.categories },
            distribution: Distribution::RandomizedResponse,
            // Replacing a record changes two indicators.
            sensitivity: 2.into(),
            scale: None,
        }
    }

    /// Returns the certificate entry of a record of the level at this position.
    pub(crate) fn level(&self, position: usize) -> LevelEntry {
        match self.budgets.get(position) {
            Some(budget) if !budget.is_unused() => {
                LevelEntry { response: Some(*budget), ..LevelEntry::weighing(UBig::ONE) }
            }
            _ => LevelEntry::unused(),
        }
    }

    pub(super) fn release(
        &self,
        by_level: &[ExactSums<'_>],
        randomness: &mut Randomness,
    ) -> Vec<Vec<IBig>> {
        let mut noisy = vec![vec![IBig::ZERO; self.categories]; self.budgets.len()];
        for level_sums in by_level {
            let Some(budget) = self.budgets.get(level_sums.position) else { continue };
            // Unused records must not be read.
            if budget.is_unused() {
                continue;
            }
            let half = fraction(*budget)
                .map(|(numerator, denominator)| (numerator, denominator * UBig::from(2u8)));
            for (total, sum) in noisy[level_sums.position].iter_mut().zip(level_sums.sums) {
                *total += sum.to_big();
                let Some((numerator, denominator)) = &half else { continue };
                // The first `having` records are taken to have the category, the others not. Every
                // record takes the same time.
                let having = u64::try_from(sum.to_big()).unwrap_or(level_sums.count);
                for record in 0..level_sums.count {
                    if randomness.flips(numerator, denominator) {
                        *total += if record < having { -IBig::ONE } else { IBig::ONE };
                    }
                }
            }
        }
        noisy
    }
}

impl Randomness {
    /// Returns true with probability 1/(1 + exp(numerator/denominator)).
    ///
    /// A fair coin decides between "no" and another trial, which says "yes" with probability
    /// exp(−x) and starts again otherwise: P(yes) = ½e^{−x}/(½ + ½e^{−x}).
    fn flips(&mut self, numerator: &UBig, denominator: &UBig) -> bool {
        if self.is_noiseless() {
            return false;
        }
        loop {
            if self.bit() {
                return false;
            }
            if self.bernoulli_exp(numerator, denominator) {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_with_the_logistic_probability() {
        let mut randomness = Randomness::insecure(8);
        for (numerator, denominator) in [(0u32, 1u32), (1, 4), (1, 1), (5, 2)] {
            let trials = 40_000;
            let hits = (0..trials)
                .filter(|_| randomness.flips(&UBig::from(numerator), &UBig::from(denominator)))
                .count() as f64;
            let p = 1.0 / (1.0 + (f64::from(numerator) / f64::from(denominator)).exp());
            // Five standard deviations: a false alarm in two million runs.
            let sd = (f64::from(trials) * p * (1.0 - p)).sqrt();
            assert!(
                (hits - f64::from(trials) * p).abs() <= 5.0 * sd,
                "{numerator}/{denominator}: {hits}"
            );
        }
    }
}
