//! Sampling error of the ranks at which the ends of intervals must lie.
//!
//! The lower end of an interval for the q-quantile x misses if it lies above x. Let F be the share
//! of all weight at or below x, so that every candidate above x has at least that share below it.
//! [`RankSampling`] bounds the probability that F is short of q by more than some amount, without
//! an assumption on the distribution of values: a record lies at or below x with a probability of
//! at least q. The upper end is the mirror image. The effect of noise is added: see
//! [`Slack`](super::slack::Slack) and [`ends`](super::slack::ends).

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::answer::tail::{Sample, Shortfall};
use crate::statistics::weighted::tiers_sd;
use crate::{Rank, Setting, Target, Weights};

/// Sampling error of the weighted share of records at or below a quantile.
#[derive(Debug, Clone)]
pub(crate) struct RankSampling {
    /// Groups of records by weight: the number, not necessarily whole, and the weight of each
    /// record.
    groups: Vec<(f64, f64)>,
    /// Largest possible shortfall; infinite if the records are a sample.
    worst: f64,
    /// Σ w², if records of several strata lie below a quantile with different probabilities.
    square: Option<f64>,
    sample: Sample,
    /// Largest bias, and squared ranges of the independent errors besides, if tiers may differ.
    biased: Option<(f64, f64)>,
}

/// Factor within which weights are counted together, at the larger one.
const ALIKE: f64 = 1.1;
/// Largest number of different weights.
const APART: usize = 256;

impl RankSampling {
    /// Returns the sampling error of records with these weights.
    ///
    /// # Formula
    ///
    /// * Population: the share is Σ w·B with independent B, each 1 with a probability of q or more.
    /// * Dataset, with budgets in random order: Σ w·B with the B permuted. Permuted numbers are
    ///   negatively associated (Joag-Dev and Proschan 1983), so that E exp(−λΣwB) is at most the
    ///   product of its factors, as if they were independent. The least weight, that everybody
    ///   has, adds no error. It is off by no more than the next, either.
    /// * Dataset, correlated: it is off by at most ½·Σ|w − 1/n|.
    ///
    /// # Tiers that differ
    ///
    /// If the shares below a quantile of all tiers lie in an interval of length D, the mean of the
    /// weighted share is off by at most D·TV, and of a sample by what the shares of tiers in it
    /// are off: n independent terms in an interval of length D/n. Hoeffding's inequality needs
    /// nothing else. For the target `dataset` D is about these records, and that is all.
    ///
    /// # Strata
    ///
    /// Let p_d be the share of stratum d at or below x, Σ D_d·p_d = q. (Where it is more, bounds
    /// hold as well: E exp(λ·Σ w·(q − B)) falls with every p_d.) The weighted share is off by
    /// Σ_d Σ_{i in d} w_i·(B_i − p_d), with B_i of mean p_d, and nobody knows the p_d. Two bounds
    /// hold for all of them, of which [`below`](Self::below) takes the smaller one:
    ///
    /// * Hoeffding (1963): exp(−2u²/Σ w²).
    /// * Chernoff, by one stratum that is worse than all. Let ψ(p, u) = ln E exp(u·(p − B)). It is
    ///   concave in p; it is convex in u and 0 at 0, so that ψ(p, u)/u grows with u. Let S_d(v) be
    ///   the part of D_d that records of weight v or more have, and S(v) the largest of them. Then
    ///   Σ_{i in d} ψ(p_d, λw_i) = D_d·Σ_v ψ(p_d, λv)/v·ΔS_d(v) ≤ D_d·Σ_v ψ(p_d, λv)/v·ΔS(v), and
    ///   the sum of that over d, concave in p_d with weights D_d, is at most its value at q. So the
    ///   bound is that of records of which ΔS(v)/v have weight v, all below x with probability q.
    ///
    /// For the target `dataset` the p_d are those of the records, whose budgets are in random order
    /// within each stratum, and the least weight of each stratum is taken off. For
    /// `dataset-correlated` D_d/n_d stands in place of 1/n.
    pub(crate) fn new(weights: &Weights, setting: &Setting) -> Self {
        let profile = &setting.profile;
        if !setting.difference.is_none() && setting.target != Target::DatasetCorrelated {
            return Self::for_tiers(weights, setting);
        }
        let least = match setting.target {
            Target::Population => vec![0.0; profile.records_of_strata().len()],
            Target::Dataset if setting.strata.is_empty() => {
                vec![weights.least(); profile.records_of_strata().len()]
            }
            Target::Dataset => weights.least_of_strata(profile),
            Target::DatasetCorrelated => {
                let worst = weights.distance(profile) / 2.0;
                return Self { worst, ..Self::none() };
            }
        };
        let worst = match setting.target {
            Target::Population => f64::INFINITY,
            Target::Dataset | Target::DatasetCorrelated => weights.distance(profile) / 2.0,
        };
        let levels = weights.per_level().iter().zip(profile.levels()).enumerate();
        let levels = levels.map(|(position, (weight, level))| {
            let stratum = profile.stratum(position);
            (level.count as f64, weight - least[stratum], stratum)
        });
        let levels = levels.filter(|(_, weight, _)| *weight > 0.0);
        let (levels, square) = match setting.strata.is_empty() {
            true => {
                let levels = levels.map(|(count, weight, _)| (count, weight));
                let mut levels: Vec<(f64, f64)> = levels.collect();
                levels.sort_by(|one, other| other.1.total_cmp(&one.1));
                (levels, None)
            }
            false => {
                let mut levels: Vec<(f64, f64, usize)> = levels.collect();
                levels.sort_by(|one, other| other.1.total_cmp(&one.1));
                let square = levels.iter().map(|(count, weight, _)| count * weight * weight);
                (worst_stratum(&levels, &setting.strata), Some(square.sum()))
            }
        };
        let groups = equal(&levels);
        let is_told_apart = setting.target == Target::Population && setting.strata.is_empty();
        match is_told_apart && groups.len() <= APART {
            true => Self { groups, worst, square, sample: Sample::Independent, biased: None },
            false => {
                let (groups, sample) = (alike(levels), Sample::Bounded);
                Self { groups, worst, square, sample, biased: None }
            }
        }
    }

    /// Returns the sampling error of records whose tiers may differ.
    fn for_tiers(weights: &Weights, setting: &Setting) -> Self {
        let (profile, distance) = (&setting.profile, setting.difference.distance);
        let bias = distance * weights.distance(profile) / 2.0;
        let square = match setting.target {
            Target::Population => {
                let of_tiers = 4.0 * tiers_sd(setting).powi(2) * distance * distance;
                weights.squared_norm(profile) + of_tiers
            }
            Target::Dataset | Target::DatasetCorrelated => 0.0,
        };
        Self { biased: Some((bias, square)), ..Self::none() }
    }

    /// Returns the sampling error of independent records, none of which has more than the share
    /// `most` of all weight.
    pub(crate) fn for_independent(most: f64) -> Self {
        Self { groups: vec![(1.0 / most, most)], worst: f64::INFINITY, ..Self::none() }
    }

    /// Returns no sampling error: records have equal weights, and the quantile is that of these
    /// very records.
    pub(crate) fn none() -> Self {
        let sample = Sample::Bounded;
        Self { groups: Vec::new(), worst: 0.0, square: None, sample, biased: None }
    }

    /// Returns the shortfall of the weighted share at or below the q-quantile, for probabilities of
    /// about `miss`.
    pub(crate) fn below(&self, q: f64, miss: f64) -> Shortfall {
        if let Some((bias, square)) = self.biased {
            return Shortfall::from_bias(bias, square, q, miss);
        }
        if self.groups.is_empty() {
            return Shortfall::certain(self.worst);
        }
        let short = Shortfall::from_groups(&self.groups, q, self.sample, miss);
        let short = match self.square {
            Some(square) => short.and_hoeffding(square),
            None => short,
        };
        // The assumption that budgets are unrelated to values cannot increase the error.
        short.and_certain(self.worst)
    }

    /// Returns the shortfalls on both sides of quantiles, for probabilities of about `miss`.
    pub(crate) fn sides(self, miss: f64) -> Sides {
        Sides { sampling: self, miss, below: RefCell::default() }
    }
}

/// Shortfalls of the shares of weight below and above quantiles.
pub(crate) struct Sides {
    sampling: RankSampling,
    miss: f64,
    /// Shortfalls below a quantile; the one above is that of the mirrored rank.
    below: RefCell<BTreeMap<Rank, Shortfall>>,
}

impl Sides {
    /// Returns the shortfalls of the weighted share at or below the q-quantile from q, and of the
    /// share at or above it from 1 − q.
    pub(crate) fn shortfalls(&self, rank: Rank) -> [Shortfall; 2] {
        let mut known = self.below.borrow_mut();
        [rank, rank.mirrored()].map(|rank| {
            let below = || self.sampling.below(rank.get(), self.miss);
            known.entry(rank).or_insert_with(below).clone()
        })
    }
}

/// Returns groups of records by weight that stand for the worst stratum: of its share, records of
/// any given weight or more have at least as much as in each stratum. A group is the number of
/// records and the weight of each. Levels are given as count, weight and stratum, the largest
/// weight first.
fn worst_stratum(levels: &[(f64, f64, usize)], shares: &[f64]) -> Vec<(f64, f64)> {
    let mut parts = vec![0.0; shares.len()];
    let mut largest = 0.0f64;
    let mut worst = Vec::new();
    for (count, weight, stratum) in levels {
        parts[*stratum] += count * weight / shares[*stratum];
        if parts[*stratum] > largest {
            worst.push(((parts[*stratum] - largest) / weight, *weight));
            largest = parts[*stratum];
        }
    }
    worst
}

/// Merges records of equal weight, for levels with the largest weight first.
fn equal(levels: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut groups: Vec<(f64, f64)> = Vec::new();
    for (count, weight) in levels {
        match groups.last_mut() {
            Some((many, own)) if own == weight => *many += count,
            _ => groups.push((*count, *weight)),
        }
    }
    groups
}

/// Merges records of similar weight, the largest weight first.
fn alike(levels: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut groups: Vec<(f64, f64)> = Vec::new();
    for (count, weight) in levels {
        match groups.last_mut() {
            // The bound is convex in the weight and 0 at 0, so fewer records of a larger weight are
            // no better.
            Some((many, largest)) if weight * ALIKE > *largest => {
                *many += count * weight / *largest
            }
            _ => groups.push((count, weight)),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::answer::tail;
    use crate::strategy::weights::FilledStrata;
    use crate::{Bounds, Profile};

    /// ln E exp(λ·Σ w·(p_d − B)) for strata below a quantile with these probabilities.
    fn cumulant(setting: &Setting, weights: &Weights, p: &[f64], lambda: f64) -> f64 {
        let levels = weights.per_level().iter().zip(setting.profile.levels()).enumerate();
        let terms = levels.map(|(position, (weight, level))| {
            let p = p[setting.profile.stratum(position)];
            level.count as f64 * tail::bernoulli(p, lambda * weight)
        });
        terms.sum()
    }

    fn setting(strata: &[&str], shares: &[f64]) -> Setting {
        let strata: Vec<Profile> = strata.iter().map(|one| one.parse().unwrap()).collect();
        let profile = Profile::in_strata(&strata).unwrap();
        let setting = Setting::new(profile, Bounds::UNIT, Target::Population);
        Setting { strata: shares.to_vec(), ..setting }
    }

    proptest! {
        /// However the strata lie about a quantile, one that is worse than all bounds them.
        #[test]
        fn no_strata_are_worse_than_the_bound(
            first in 0.01f64..0.99,
            below in 0.0f64..1.0,
            q in 0.02f64..0.98,
            factor in 1.0f64..20.0,
            log in -3.0f64..6.0,
        ) {
            let setting = setting(&["0.1:40,1:25,5:3", "0.5:300,2:4"], &[first, 1.0 - first]);
            let strata = FilledStrata::new(&setting.profile, &setting.strata);
            let weights = strata.weights(strata.noise_levels().unwrap().0 * factor);
            // D·p + (1 − D)·p' = q.
            let least = ((q - (1.0 - first)) / first).max(0.0);
            let p = least + below * ((q / first).min(1.0) - least);
            let other = ((q - first * p) / (1.0 - first)).clamp(0.0, 1.0);
            let sampling = RankSampling::new(&weights, &setting);
            let lambda = log.exp() / weights.largest();
            let own = cumulant(&setting, &weights, &[p, other], lambda);
            let groups = sampling.groups.iter();
            let bound: f64 =
                groups.map(|(count, weight)| count * tail::bernoulli(q, lambda * weight)).sum();
            prop_assert!(own <= bound * (1.0 + 1e-9) + 1e-9, "{own} {bound}");
            let hoeffding = lambda * lambda * sampling.square.unwrap() / 8.0;
            prop_assert!(own <= hoeffding * (1.0 + 1e-9) + 1e-9, "{own} {hoeffding}");
        }
    }

    /// Without what is known of independent records.
    fn bounded(sampling: RankSampling) -> RankSampling {
        RankSampling { sample: Sample::Bounded, ..sampling }
    }

    /// With equal strata the bound is that of no strata; with one whose records have most weight it
    /// is longer.
    #[test]
    fn strata_cost_what_they_differ_by() {
        let alike = setting(&["1:400", "1:400"], &[0.5, 0.5]);
        let weights = Weights::clipped(&alike.profile, 1.0);
        let without = Setting { strata: Vec::new(), ..alike.clone() };
        for q in [0.1, 0.5, 0.9] {
            let [one, other] =
                [&alike, &without].map(|s| bounded(RankSampling::new(&weights, s)).below(q, 0.01));
            let [one, other] = [one, other].map(|short| short.bound(0.01));
            assert!((one / other - 1.0).abs() < 1e-9, "{q}: {one} {other}");
        }
        let unlike = setting(&["1:20", "1:780"], &[0.5, 0.5]);
        let weights = FilledStrata::new(&unlike.profile, &unlike.strata).weights(0.5);
        let half_width = RankSampling::new(&weights, &unlike).below(0.5, 0.01).bound(0.01);
        // Hoeffding: √(½·ln 100·(¼/20 + ¼/780)).
        let hoeffding = (0.5 * 100f64.ln() * (0.25 / 20.0 + 0.25 / 780.0)).sqrt();
        assert!(half_width <= hoeffding + 0.01 && half_width > 0.1, "{half_width} {hoeffding}");
    }
}
