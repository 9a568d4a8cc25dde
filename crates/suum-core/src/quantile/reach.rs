//! How far from q the ranks of an interval's ends must lie, so that it covers whatever the data.
//!
//! The lower end of an interval for the q-quantile x is a candidate that is to have less than q − δ
//! of all weight below it. It misses if it lies above x. Let W be all weight and F the share of it
//! at or below x, so that every candidate above x has a weight of at least F·W below it, which is
//! (F − (q − δ))·W too much. Split δ in two: δ = s + t.
//!
//! * **Sampling.** F is less than q − s with a probability that [`RankSampling`] bounds. It makes
//!   no assumption on the distribution of values: Chernoff's inequality needs only that a record
//!   lies at or below x with a probability of at least q.
//! * **The draw.** Otherwise every end that misses is at a distance of at least t·W. Some choice of
//!   ends has distance zero, and permute-and-flip returns another one only if it comes before that
//!   one in random order, with probability 1/2, and its coin falls right, with probability
//!   exp(−t·W/scale) at most. So one of K others is returned with a probability of at most
//!   ½·K·exp(−t·W/scale), whatever ties and gaps there are ([`draw`]).
//!
//! The upper end is the mirror image. Both are drawn together, around an estimate
//! ([`EndsQuery`](crate::EndsQuery)): a choice that misses on either side is at that distance, and
//! K is the number of widths but one, some 60 whatever the number of candidates is.

use crate::tail;
use crate::{Profile, Target, Weights};

/// t, the part of δ for the draw: `scale`·ln(`others`/(2·`miss`)), as a share of all weight.
///
/// `scale` is that of the exponent: with it a candidate at a distance d, as a share of all weight,
/// is accepted with probability exp(−d/`scale`).
pub(crate) fn draw(scale: f64, others: u32, miss: f64) -> f64 {
    if scale == 0.0 {
        return 0.0;
    }
    scale * (f64::from(others) / (2.0 * miss)).ln().max(0.0)
}

/// Ends are asked for at multiples of 2^-20: nobody gets a nearer one than was meant.
pub(crate) const ROUNDING: f64 = 1.0 / (1u64 << 21) as f64;

/// What sampling does to the weighted share of records at or below a quantile.
#[derive(Debug, Clone)]
pub(crate) struct RankSampling {
    /// Records by their weight: how many (not necessarily whole ones), and the weight of each.
    groups: Vec<(f64, f64)>,
    /// What is added whatever happens.
    worst: f64,
}

/// Weights that differ by less than this factor are counted together, at the larger one.
const ALIKE: f64 = 1.1;

impl RankSampling {
    /// Of records with these weights.
    ///
    /// # Formula
    ///
    /// * Population: the share is Σ w·B with independent B in \[0, 1\] of mean q or more.
    /// * Dataset, with budgets in random order: Σ w·B with the B permuted. Permuted numbers are
    ///   negatively associated (Joag-Dev and Proschan 1983), so that E exp(−λΣwB) is at most the
    ///   product of its factors, as if they were independent. The least weight, that everybody
    ///   has, adds no error.
    /// * Dataset, correlated: it is off by at most ½·Σ|w − 1/n|.
    pub(crate) fn new(weights: &Weights, profile: &Profile, target: Target) -> Self {
        let least = match target {
            Target::Population => 0.0,
            Target::Dataset => weights.least(),
            Target::DatasetCorrelated => {
                return Self { groups: Vec::new(), worst: weights.distance(profile) / 2.0 };
            }
        };
        let levels = weights.per_level().iter().zip(profile.levels());
        let levels = levels.map(|(weight, level)| (level.count as f64, weight - least));
        let mut levels: Vec<(f64, f64)> = levels.filter(|(_, weight)| *weight > 0.0).collect();
        levels.sort_by(|one, other| other.1.total_cmp(&one.1));
        let mut groups: Vec<(f64, f64)> = Vec::new();
        for (count, weight) in levels {
            match groups.last_mut() {
                // The bound is convex in the weight and 0 at 0, so fewer of a larger weight are no
                // better.
                Some((many, largest)) if weight * ALIKE > *largest => {
                    *many += count * weight / *largest
                }
                _ => groups.push((count, weight)),
            }
        }
        Self { groups, worst: 0.0 }
    }

    /// Of independent records of which none has more than the share `most` of all weight.
    pub(crate) fn of_independent(most: f64) -> Self {
        Self { groups: vec![(1.0 / most, most)], worst: 0.0 }
    }

    /// Of records that all weigh the same, where the quantile is that of the very records.
    pub(crate) fn none() -> Self {
        Self { groups: Vec::new(), worst: 0.0 }
    }

    /// Whether there is no chance in it.
    pub(crate) fn is_certain(&self) -> bool {
        self.groups.is_empty()
    }

    /// s, so that the weighted share at or below the q-quantile is less than q − s with a
    /// probability of at most `miss`.
    pub(crate) fn below(&self, q: f64, miss: f64) -> f64 {
        if self.is_certain() {
            return self.worst;
        }
        let square: f64 = self.groups.iter().map(|(count, weight)| count * weight * weight).sum();
        let start = (-2.0 * miss.ln() / (q * (1.0 - q) * square)).sqrt();
        let sum = |lambda: f64| -> f64 {
            let groups = self.groups.iter();
            groups.map(|(count, weight)| count * tail::bernoulli(q, lambda * weight)).sum()
        };
        self.worst + tail::reach(miss, start, sum)
    }

    /// As [`below`](Self::below), for the weighted share below the q-quantile and q + s.
    pub(crate) fn above(&self, q: f64, miss: f64) -> f64 {
        self.below(1.0 - q, miss)
    }
}
