//! Estimator `sample`: one ε for all on a random sample, stricter records kept less often (SM,
//! Jorgensen et al. 2015).
//!
//! Record i is kept with probability p_i = min(1, (e^{ε_i} − 1)/(e^t − 1)); a mechanism that is
//! t-private against replacing a record *and against dropping it* then costs record i at most ε_i.
//! The published form divides by the number of kept records, which is not private against dropping.
//! Here kept values are centred, dropped ones count as the centre, and the divisor is the public
//! Σp.

use super::Design;
use crate::strategy::risk::ExpectedSample;
use crate::{Method, Risk, SampleThreshold, Setting, Target, Weights};

/// Largest threshold that is used: at t = 50 the noise is already 10^-21 of the sampling error.
const LARGEST: f64 = 50.0;
/// Number of levels that are tried as the optimal threshold.
const TRIED: usize = 24;

pub(super) fn design(setting: &Setting) -> Design {
    let usable = setting.profile.usable();
    // e^ε − 1 per level, once for all thresholds.
    let growth: Vec<f64> =
        setting.profile.levels().iter().map(|level| level.epsilon.get().exp_m1()).collect();
    let at = |t: f64| at_threshold(setting, &growth, t);
    let largest = usable.last().map_or(LARGEST, |level| level.epsilon.get());
    match setting.sample_threshold {
        SampleThreshold::At(threshold) => at(threshold.get()),
        SampleThreshold::Min => at(usable.first().map_or(LARGEST, |level| level.epsilon.get())),
        SampleThreshold::Max => at(largest),
        SampleThreshold::Mean => {
            let finite = || usable.iter().filter(|level| !level.epsilon.is_public());
            let count: f64 = finite().map(|level| level.count as f64).sum();
            let sum: f64 = finite().map(|level| level.count as f64 * level.epsilon.get()).sum();
            at(if count > 0.0 { sum / count } else { largest })
        }
        SampleThreshold::Optimal => {
            let stride = usable.len().div_ceil(TRIED).max(1);
            let sums = Sums::new(setting, &growth);
            let tried = usable.iter().rev().step_by(stride).map(|level| {
                let threshold = level.epsilon.get();
                (sums.risk(setting, threshold), threshold)
            });
            let best = tried.min_by(|(a, _), (b, _)| a.total_cmp(b));
            at(best.map_or(largest, |(_, threshold)| threshold))
        }
    }
}

/// Sums over levels, in ascending order of ε, from which the risk of any threshold follows.
struct Sums {
    /// ε and e^ε − 1 of each level.
    levels: Vec<(f64, f64)>,
    /// Number, Σ (e^ε − 1) and Σ (e^ε − 1)² of the records before each level, and then of all.
    before: Vec<[f64; 3]>,
}

impl Sums {
    fn new(setting: &Setting, growth: &[f64]) -> Self {
        let mut sums = [0.0; 3];
        let mut before = vec![sums];
        let levels = setting.profile.levels().iter().zip(growth).map(|(level, growth)| {
            let count = level.count as f64;
            for (sum, more) in sums.iter_mut().zip([count, count * growth, count * growth * growth])
            {
                *sum += more;
            }
            before.push(sums);
            (level.epsilon.get(), *growth)
        });
        Self { levels: levels.collect(), before }
    }

    /// Returns the sums over the first levels, for which `holds` is true.
    fn sums_while(&self, holds: impl Fn(&(f64, f64)) -> bool) -> [f64; 3] {
        self.before[self.levels.partition_point(holds)]
    }

    /// Returns the risk of [`at_threshold`], up to rounding.
    fn risk(&self, setting: &Setting, threshold: f64) -> f64 {
        let threshold = limited(setting, threshold);
        let n = setting.records();
        let stricter = self.sums_while(|(epsilon, _)| *epsilon < threshold);
        let kept = n - stricter[0];
        // Avoids multiplying a share by ∞.
        let part = if threshold.is_infinite() { 0.0 } else { 1.0 / threshold.exp_m1() };
        let times = |part: f64, sum: f64| if part == 0.0 { 0.0 } else { part * sum };
        let (some, squares) = (times(part, stricter[1]), times(part * part, stricter[2]));
        let records = some + kept;
        let norm = (squares + kept) / (records * records);
        let unequal = match setting.target {
            Target::Population => norm,
            Target::Dataset if n > 1.0 => n / (n - 1.0) * (norm - 1.0 / n).max(0.0),
            Target::Dataset => 0.0,
            Target::DatasetCorrelated => {
                let is_less = |growth: f64| times(part, growth) / records < 1.0 / n;
                let less =
                    self.sums_while(|(epsilon, growth)| *epsilon < threshold && is_less(*growth));
                2.0 * (less[0] / n - times(part, less[1]) / records)
            }
        };
        let sample = ExpectedSample { records, lost: some - squares, unequal };
        Risk::for_sample(setting, threshold, &sample).total()
    }
}

/// Returns the threshold that is used: infinite if there are public records to be kept alone.
fn limited(setting: &Setting, threshold: f64) -> f64 {
    let public = || setting.profile.usable().last().is_some_and(|level| level.epsilon.is_public());
    match threshold.is_infinite() && public() {
        true => threshold,
        false => threshold.min(LARGEST),
    }
}

fn at_threshold(setting: &Setting, growth: &[f64], threshold: f64) -> Design {
    let threshold = limited(setting, threshold);
    let public_alone = threshold.is_infinite();
    let most = threshold.exp_m1();
    let sampling_probabilities: Vec<f64> = setting
        .profile
        .levels()
        .iter()
        .zip(growth)
        .map(|(level, growth)| match level.epsilon.get() {
            epsilon if epsilon >= threshold => 1.0,
            // e^ε − 1 is infinite for a large ε, too, so there is no share of it.
            _ if public_alone => 0.0,
            _ => (growth / most).min(1.0),
        })
        .collect();
    let expected: f64 = sampling_probabilities
        .iter()
        .zip(setting.profile.levels())
        .map(|(p, level)| p * level.count as f64)
        .sum();
    let weights = Weights::from_levels(
        &setting.profile,
        sampling_probabilities.iter().map(|p| p / expected).collect(),
    );
    Design {
        weights,
        method: Method::Sample { threshold, sampling_probabilities },
        tau: Some(threshold),
        objective: None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Bounds, Epsilon, Level, Profile};

    proptest! {
        /// The risk at a threshold from running sums is that of the design.
        #[test]
        fn sums_tell_the_risk(
            levels in prop::collection::vec((0u8..60, 1u64..100_000), 1..20),
            target in prop::sample::select(
                &[Target::Population, Target::Dataset, Target::DatasetCorrelated][..],
            ),
            categories in prop::sample::select(&[None, Some(3)][..]),
        ) {
            // 0 and 59 stand for those who are not used, and for public ones.
            let epsilon = |e: u8| match e {
                0 => 0.0,
                59 => f64::INFINITY,
                _ => (f64::from(e) / 5.0 - 5.0).exp(),
            };
            let levels = levels.iter().chain(&[(30, 7)]).map(|(e, count)| Level {
                epsilon: Epsilon::new(epsilon(*e)).unwrap(),
                count: *count,
            });
            let profile = Profile::new(levels).unwrap();
            let setting = match categories {
                None => Setting::new(profile, Bounds::new(0.0, 3.0).unwrap(), target),
                Some(k) => Setting::frequency(profile, k, target),
            };
            let all = setting.profile.levels().iter();
            let growth: Vec<f64> = all.map(|level| level.epsilon.get().exp_m1()).collect();
            let sums = Sums::new(&setting, &growth);
            for level in setting.profile.usable() {
                let threshold = level.epsilon.get();
                let design = at_threshold(&setting, &growth, threshold);
                let (one, other) = (sums.risk(&setting, threshold), design.risk(&setting).total());
                prop_assert!((one - other).abs() < 1e-9 * other, "{threshold}: {one} {other}");
            }
        }
    }

    #[test]
    fn a_sample_of_public_records_has_no_others_however_much_they_allow() {
        for profile in ["0:1,0.5:3,inf:2", "709:3,inf:2", "710:3,inf:2", "1e100:3,inf:2"] {
            let mut setting =
                Setting::new(profile.parse().unwrap(), Bounds::UNIT, Target::Population);
            setting.sample_threshold = SampleThreshold::Max;
            let design = design(&setting);
            let per_level = design.weights.per_level();
            assert_eq!(per_level.last(), Some(&0.5), "{profile}");
            assert_eq!(
                per_level.iter().rev().skip(1).copied().fold(0.0, f64::max),
                0.0,
                "{profile}"
            );
            assert_eq!(Risk::for_design(&setting, &design).total(), 0.25 / 2.0, "{profile}");
        }
    }
}
