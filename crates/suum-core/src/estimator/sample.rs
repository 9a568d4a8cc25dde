//! `sample`: one ε for all on a random sample, stricter records kept less often (SM, Jorgensen et
//! al. 2015).
//!
//! Record i is kept with probability p_i = min(1, (e^{ε_i} − 1)/(e^t − 1)); a mechanism that is
//! t-private against replacing a record *and against dropping it* then costs record i at most ε_i.
//! The published form divides by the number of kept records, which is not private against dropping.
//! Here kept values are centred, dropped ones count as the centre, and the divisor is the public
//! Σp.

use super::Design;
use crate::{Method, Risk, SampleThreshold, Setting, Weights};

/// Thresholds above this are taken as this: at t = 50 noise is already 10^-21 of what sampling
/// loses.
const LARGEST: f64 = 50.0;
/// How many levels are tried as the optimal threshold.
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
            let tried = usable.iter().rev().step_by(stride).map(|level| {
                let design = at(level.epsilon.get());
                (Risk::of_design(setting, &design).total(), design)
            });
            let best = tried.min_by(|(a, _), (b, _)| a.total_cmp(b));
            best.map_or_else(|| at(largest), |(_, design)| design)
        }
    }
}

fn at_threshold(setting: &Setting, growth: &[f64], threshold: f64) -> Design {
    let public_alone =
        threshold.is_infinite() && setting.profile.usable().iter().any(|l| l.epsilon.is_public());
    let threshold = if public_alone { threshold } else { threshold.min(LARGEST) };
    let most = threshold.exp_m1();
    let keep: Vec<f64> = setting
        .profile
        .levels()
        .iter()
        .zip(growth)
        .map(|(level, growth)| match level.epsilon.get() {
            epsilon if epsilon >= threshold => 1.0,
            // Not a part of ∞, which e^ε − 1 is for a large ε, too.
            _ if public_alone => 0.0,
            _ => (growth / most).min(1.0),
        })
        .collect();
    let expected: f64 =
        keep.iter().zip(setting.profile.levels()).map(|(p, level)| p * level.count as f64).sum();
    let weights =
        Weights::from_levels(&setting.profile, keep.iter().map(|p| p / expected).collect());
    Design {
        weights,
        method: Method::Sample { threshold, keep },
        tau: Some(threshold),
        objective: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Target};

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
            assert_eq!(Risk::of_design(&setting, &design).total(), 0.25 / 2.0, "{profile}");
        }
    }
}
