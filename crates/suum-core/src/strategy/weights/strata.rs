//! Weights that keep the share of every stratum.

use super::Weights;
use crate::arithmetic::least::least_at;
use crate::{Epsilon, Profile, Setting, Target};

/// Number of golden sections for the logarithm of the noise level, to less than 10^-12 of it.
const SECTIONS: usize = 75;

/// Returns the best weights that keep the shares of the setting's strata, for values of this
/// variance, as a share of the squared width of the bounds.
///
/// # Formula
///
/// w minimises σ²·Σ_d f_d·Σ_{i∈d} w_i² + N·t² with w_i ≤ t·ε_i and Σ_{i∈d} w_i = D_d; f_d is 1 for
/// the target `population` and n_d/(n_d − 1) for `dataset` (for `dataset-correlated` the first term
/// is ¼·(Σ|w_i − D_d/n_d|)²). For a given t every stratum is filled up to a level: w_i = min(λ_d,
/// t·ε_i). The remaining problem is convex in t.
pub(crate) fn stratified(setting: &Setting, variance: f64) -> Weights {
    let strata = FilledStrata::new(&setting.profile, &setting.strata);
    let risk = |t: f64| {
        let weights = strata.weights(t);
        let sampling = match setting.target {
            Target::DatasetCorrelated => (weights.distance(&setting.profile) / 2.0).powi(2),
            _ => variance * crate::strategy::risk::spread(setting, &weights),
        };
        sampling + setting.noise_factor * t * t
    };
    let Some((low, most)) = strata.noise_levels() else { return strata.weights(0.0) };
    let best = least_at(low.ln(), most.ln(), SECTIONS, |log| risk(log.exp())).exp();
    let candidates = [best.clamp(low, most), strata.least_noise(), most];
    strata.weights(candidates[crate::arithmetic::least::first_least(candidates.map(risk))])
}

/// Share of a stratum, and its usable levels, as pairs (ε, count) in ascending order.
struct Stratum {
    share: f64,
    levels: Vec<(f64, f64)>,
}

/// Weights that fill strata up to their shares, at any noise level t.
pub(crate) struct FilledStrata<'a> {
    profile: &'a Profile,
    shares: &'a [f64],
    strata: Vec<Stratum>,
}

impl<'a> FilledStrata<'a> {
    pub(crate) fn new(profile: &'a Profile, shares: &'a [f64]) -> Self {
        let each = shares.iter();
        let mut strata: Vec<Stratum> =
            each.map(|share| Stratum { share: *share, levels: Vec::new() }).collect();
        for (position, level) in profile.levels().iter().enumerate() {
            if let Some(stratum) = strata.get_mut(profile.stratum(position))
                && !level.epsilon.is_unused()
            {
                stratum.levels.push((level.epsilon.get(), level.count as f64));
            }
        }
        Self { profile, shares, strata }
    }

    /// Returns the weights at this noise level, which is at least
    /// [`least_noise`](Self::least_noise).
    pub(crate) fn weights(&self, t: f64) -> Weights {
        let levels: Vec<f64> = self.strata.iter().map(|stratum| stratum.level_at(t)).collect();
        Weights::for_strata(self.profile, self.shares, self.per_level(t, &levels))
    }

    /// Returns the least noise level t at which every stratum can have its share; 0 if all strata
    /// have public records.
    pub(crate) fn least_noise(&self) -> f64 {
        let least = |stratum: &Stratum| {
            stratum.share
                / stratum.levels.iter().map(|(epsilon, count)| epsilon * count).sum::<f64>()
        };
        self.largest(&least)
    }

    /// Returns the range of noise levels to search: from the least one, or a tiny one, up to the
    /// level beyond which nothing changes. `None` if all records that count are public.
    pub(crate) fn noise_levels(&self) -> Option<(f64, f64)> {
        let most = |stratum: &Stratum| {
            let records: f64 = stratum.levels.iter().map(|(_, count)| count).sum();
            stratum.levels.first().map_or(0.0, |(epsilon, _)| stratum.share / records / epsilon)
        };
        let (least, most) = (self.least_noise(), self.largest(&most));
        // If all strata have public records, the noise can be arbitrarily small.
        let low = if least > 0.0 { least } else { most * 1e-15 };
        // If all records of a stratum have the same budget, both ends are equal except for
        // rounding.
        (most > 0.0).then_some((low, most.max(low)))
    }

    fn largest(&self, each: &dyn Fn(&Stratum) -> f64) -> f64 {
        self.strata.iter().map(each).fold(0.0, f64::max)
    }

    /// Returns the weights for these levels λ_d.
    fn per_level(&self, t: f64, levels: &[f64]) -> Vec<f64> {
        let profile = self.profile;
        let weight = |(position, epsilon): (usize, Epsilon)| {
            let level = levels.get(profile.stratum(position)).copied().unwrap_or(0.0);
            if epsilon.is_unused() { 0.0 } else { level.min(most(t, epsilon.get())) }
        };
        let epsilons = profile.levels().iter().map(|level| level.epsilon);
        let weights: Vec<f64> = epsilons.enumerate().map(weight).collect();
        // Corrects the effect of rounding on the shares.
        let mut sums = vec![0.0; self.strata.len()];
        for (position, (weight, level)) in weights.iter().zip(profile.levels()).enumerate() {
            sums[profile.stratum(position)] += weight * level.count as f64;
        }
        let shares = |position: usize| {
            let stratum = profile.stratum(position);
            self.strata[stratum].share / sums[stratum]
        };
        weights.iter().enumerate().map(|(at, weight)| weight * shares(at)).collect()
    }
}

impl Stratum {
    /// Returns λ with Σ min(λ, t·ε) = share; ∞ if t is too small for that.
    fn level_at(&self, t: f64) -> f64 {
        let mut records: f64 = self.levels.iter().map(|(_, count)| count).sum();
        let mut left = self.share;
        for (epsilon, count) in &self.levels {
            let level = left / records;
            if most(t, *epsilon) >= level {
                return level;
            }
            left -= count * most(t, *epsilon);
            records -= count;
        }
        f64::INFINITY
    }
}

/// Returns the largest weight of a record of this budget at this noise level.
fn most(t: f64, epsilon: f64) -> f64 {
    if epsilon.is_infinite() { f64::INFINITY } else { t * epsilon }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Bounds, Level, Risk};

    fn setting(strata: &[&str], shares: &[f64], target: Target) -> Setting {
        let strata: Vec<Profile> = strata.iter().map(|one| one.parse().unwrap()).collect();
        let profile = Profile::in_strata(&strata).unwrap();
        Setting { strata: shares.to_vec(), ..Setting::new(profile, Bounds::UNIT, target) }
    }

    /// The only noise level there is, however it is rounded.
    #[test]
    fn strata_of_one_level_each_have_weights() {
        for count in 1..200 {
            let levels = format!("{}:{count}", 1.0 / 12.0);
            let setting = setting(&[&levels, &levels], &[0.5, 0.5], Target::Population);
            let weights = stratified(&setting, 0.25);
            let equal = 0.5 / f64::from(count);
            assert!(weights.per_level().iter().all(|weight| (weight / equal - 1.0).abs() < 1e-12));
        }
    }

    /// Every stratum has its share, and another noise level does no better.
    #[test]
    fn two_strata_by_hand() {
        let setting = setting(&["0.1:20,1:10", "0.5:10,2:5"], &[0.3, 0.7], Target::Population);
        let weights = stratified(&setting, 0.25);
        let risk = Risk::for_weights(&setting, &weights).total();
        // In order of ε: 0.1, 0.5, 1, 2.
        let sums: Vec<f64> = weights
            .per_level()
            .iter()
            .zip(setting.profile.levels())
            .map(|(weight, level)| weight * level.count as f64)
            .collect();
        assert!((sums[0] + sums[2] - 0.3).abs() < 1e-12 && (sums[1] + sums[3] - 0.7).abs() < 1e-12);
        // Nothing near does better.
        let t = weights.noise(&setting.profile);
        let strata = FilledStrata::new(&setting.profile, &setting.strata);
        for factor in [0.9, 0.99, 1.01, 1.1] {
            let t = t * factor;
            if t < strata.least_noise() {
                continue;
            }
            let other = strata.weights(t);
            assert!(
                Risk::for_weights(&setting, &other).total() >= risk * (1.0 - 1e-12),
                "{factor}"
            );
        }
    }

    /// For one stratum the weights are those of `affine`.
    #[test]
    fn one_stratum_has_clipped_weights() {
        for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
            let one = setting(&["0.01:68,0.1:87,1:40,inf:5"], &[1.0], target);
            let clipped = {
                let designs = crate::strategy::estimator::Designs::new(&one.profile);
                crate::strategy::estimator::affine::clip_level(&one, &designs, 0.25)
            };
            let clipped = Weights::clipped(&one.profile, clipped);
            let weights = stratified(&one, 0.25);
            let pairs = weights.per_level().iter().zip(clipped.per_level());
            for (weight, clipped) in pairs {
                assert!((weight - clipped).abs() < 1e-5 * clipped, "{target:?} {weight} {clipped}");
            }
        }
    }

    proptest! {
        /// Every stratum has its share, and no weights of that kind are better.
        #[test]
        fn shares_are_kept_at_least_risk(
            levels in prop::collection::vec((0u32..3, 1u8..60, 1u64..500), 1..12),
            parts in prop::collection::vec(1u32..100, 3),
            target in prop::sample::select(
                &[Target::Population, Target::Dataset, Target::DatasetCorrelated][..],
            ),
            factor in 0.5f64..2.0,
        ) {
            // All three strata have somebody.
            let all = [(0, 3, 1), (1, 9, 2), (2, 60, 1)].into_iter().chain(levels);
            let levels = all.map(|(stratum, tenths, count)| {
                let epsilon = if tenths == 60 { f64::INFINITY } else { f64::from(tenths) / 10.0 };
                (Level { epsilon: Epsilon::new(epsilon).unwrap(), count }, stratum)
            });
            let profile = Profile::with_strata(levels.collect()).unwrap();
            let whole: f64 = parts.iter().map(|part| f64::from(*part)).sum();
            let shares = parts.iter().map(|part| f64::from(*part) / whole).collect();
            let setting = Setting { strata: shares, ..Setting::new(profile, Bounds::UNIT, target) };
            let weights = stratified(&setting, 0.25);

            let mut sums = [0.0; 3];
            for (position, level) in setting.profile.levels().iter().enumerate() {
                let weight = weights.per_level()[position];
                sums[setting.profile.stratum(position)] += weight * level.count as f64;
            }
            for (sum, share) in sums.iter().zip(&setting.strata) {
                prop_assert!((sum - share).abs() < 1e-12);
            }
            let risk = Risk::for_weights(&setting, &weights).total();
            let t = weights.noise(&setting.profile) * factor;
            let strata = FilledStrata::new(&setting.profile, &setting.strata);
            if t >= strata.least_noise() {
                let other = strata.weights(t);
                let other = Risk::for_weights(&setting, &other).total();
                prop_assert!(other >= risk * (1.0 - 1e-9), "{other} {risk}");
            }
        }
    }
}
