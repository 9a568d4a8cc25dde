//! Estimator `threshold`: one ε for all who allow at least that much, the others discarded (CZ26
//! Definition 6).
//!
//! The ε is the level of least exact risk for the target. With n_e records kept of n, every risk is
//! a closed form of n_e, so all levels are compared in one pass.

use super::Design;
use crate::{Setting, Target, Weights};

pub(super) fn design(setting: &Setting) -> Design {
    let (n, variance) = (setting.records(), setting.relative_variance());
    let noise_factor = setting.noise_factor;
    let usable = setting.profile.usable();
    let mut kept = 0.0;
    let mut best = (f64::INFINITY, f64::INFINITY);
    for level in usable.iter().rev() {
        kept += level.count as f64;
        let epsilon = level.epsilon.get();
        let noise = 1.0 / (kept * epsilon);
        let risk = noise_factor * noise * noise
            + match setting.target {
                Target::Population => variance / kept,
                Target::Dataset if n > 1.0 => variance * (n - kept) / (kept * (n - 1.0)),
                Target::Dataset => 0.0,
                Target::DatasetCorrelated => ((n - kept) / n).powi(2),
            };
        // On a tie the lower threshold wins, because it keeps more people.
        if risk <= best.0 {
            best = (risk, epsilon);
        }
    }
    let threshold = best.1;
    let weights =
        Weights::proportional_to(
            &setting.profile,
            |epsilon| if epsilon >= threshold { 1.0 } else { 0.0 },
        );
    Design { tau: Some(threshold), ..Design::weighted(weights) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Risk};

    #[test]
    fn the_closed_form_is_the_exact_risk() {
        for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
            let setting = Setting::new(
                "0:4,0.02:500,0.5:300,3:20,inf:2".parse().unwrap(),
                Bounds::UNIT,
                target,
            );
            let chosen = Risk::for_weights(&setting, &design(&setting).weights).total();
            let least = setting.profile.usable().iter().map(|level| {
                let kept = |epsilon| if epsilon >= level.epsilon.get() { 1.0 } else { 0.0 };
                Risk::for_weights(&setting, &Weights::proportional_to(&setting.profile, kept))
                    .total()
            });
            assert_eq!(chosen, least.fold(f64::INFINITY, f64::min), "{target:?}");
        }
    }
}
