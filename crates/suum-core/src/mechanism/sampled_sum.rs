//! A noisy sum over a random sample.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{COUNT_STEPS, CohortSums, Keep, Thinning, least_scale};
use crate::{DiscreteLaplace, Epsilon, Loss, Profile, Randomness};

/// A random sample of the records, and one noise at the sample's own ε for all.
///
/// Kept values are centred and dropped ones count as the centre, so that dropping a record is one
/// more way of replacing it. In integers: a kept record adds 2g − G for a mean (g its grid index, G
/// the number of steps) and F·(k·e_c − 1) for a frequency (e_c its category's indicator, F = 2^20
/// so that noise is fine).
///
/// # Guarantee
///
/// Replacing a value moves the sums by at most M (2G or 2kF), dropping a record by less; noise of
/// scale b = ⌈M/t⌉ makes that t′-private with t′ = M/b ≤ t. A record kept with probability p then
/// loses ln(1 + p(e^{t′} − 1)), which [`Keep`] holds within ε (DG26 Theorem 10). The certificate
/// states ε for it, and t′ for records always kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledSum {
    keep: Vec<(Epsilon, Keep)>,
    points: u64,
    components: usize,
    scale: UBig,
    expected: UBig,
}

impl SampledSum {
    /// A sample at the given threshold; `points` is G for a mean, and 0 for a frequency over
    /// `components` categories.
    pub(crate) fn calibrated(
        profile: &Profile,
        threshold: Epsilon,
        points: u64,
        components: usize,
    ) -> Self {
        let moves = moves(points, components);
        let thinning = threshold.exact().map(Thinning::before);
        let keep: Vec<(Epsilon, Keep)> = profile
            .levels()
            .iter()
            .map(|level| {
                let keep = match &thinning {
                    // t = ∞ keeps public records alone.
                    None if level.epsilon.is_public() => Keep::ALWAYS,
                    None => Keep::NEVER,
                    Some(_) if level.epsilon.is_unused() => Keep::NEVER,
                    Some(thinning) => thinning.keep(level.epsilon),
                };
                (level.epsilon, keep)
            })
            .collect();
        let expected = keep
            .iter()
            .zip(profile.levels())
            .map(|((_, keep), level)| UBig::from(keep.numerator()) * UBig::from(level.count))
            .fold(UBig::ZERO, |sum, term| sum + term);
        Self { keep, points, components, scale: least_scale(moves, threshold), expected }
    }

    /// The probability of keeping a record with this budget.
    pub fn keep(&self, epsilon: Epsilon) -> Keep {
        let found = self.keep.binary_search_by(|(budget, _)| budget.cmp(&epsilon));
        found.map_or(Keep::NEVER, |position| self.keep[position].1)
    }

    /// b: the scale of the noise; zero if only public records are kept.
    pub fn scale(&self) -> &UBig {
        &self.scale
    }

    /// 2^64·Σp: the public divisor.
    pub fn expected(&self) -> &UBig {
        &self.expected
    }

    /// A bound on the loss of one record of the level at this position.
    pub fn loss(&self, position: usize) -> Loss {
        let Some((epsilon, keep)) = self.keep.get(position) else { return Loss::ZERO };
        if *keep == Keep::NEVER {
            return Loss::ZERO;
        }
        if self.scale == UBig::ZERO {
            return Loss::Unlimited;
        }
        match epsilon.exact() {
            Some(epsilon) if !keep.is_always() => Loss::Finite(epsilon),
            _ => Loss::Finite(RBig::from_parts(IBig::from(self.moves()), self.scale.clone())),
        }
    }

    /// M: by how much replacing one record can move the sums.
    pub fn moves(&self) -> UBig {
        moves(self.points, self.components)
    }

    /// By what a kept record's sum is multiplied, and what is taken off for every kept record.
    pub(crate) fn centring(&self) -> (IBig, IBig) {
        if self.points > 0 {
            (IBig::from(2), IBig::from(self.points))
        } else {
            (IBig::from(self.components) * IBig::from(COUNT_STEPS), IBig::from(COUNT_STEPS))
        }
    }

    pub(super) fn release(
        &self,
        cohorts: &[CohortSums<'_>],
        randomness: &mut Randomness,
    ) -> Vec<IBig> {
        let noise = DiscreteLaplace::new(self.scale.clone());
        let (factor, centre) = self.centring();
        (0..self.components)
            .map(|component| {
                let mut noisy = noise.sample(randomness);
                for cohort in cohorts {
                    let Some((_, keep)) = self.keep.get(cohort.position) else { continue };
                    if *keep == Keep::NEVER {
                        continue;
                    }
                    let kept =
                        cohort.kept.map_or_else(|| IBig::from(cohort.count), |kept| kept.to_big());
                    if let Some(sum) = cohort.sums.get(component) {
                        noisy += sum.to_big() * &factor - kept * &centre;
                    }
                }
                noisy
            })
            .collect()
    }
}

fn moves(points: u64, components: usize) -> UBig {
    let once = if points > 0 {
        UBig::from(points)
    } else {
        UBig::from(components) * UBig::from(COUNT_STEPS)
    };
    once * UBig::from(2u8)
}
