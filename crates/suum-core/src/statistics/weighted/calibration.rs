//! Calibration: the integer form of a design, with scales that keep every budget.

use crate::private::mechanism::COUNT_STEPS;
use crate::{
    Design, Estimator, Grid, LevelLaplace, LocalLaplace, Mechanism, Method, Rappor, Result,
    Setting, Totals, TotalsQuestion, WeightedCounts, for_study,
};

/// Returns the integer form of a design, where a single sum of numbers is part of the answer to
/// `question`; refuses estimators that are for study.
pub(super) fn mechanism(
    setting: &Setting,
    estimator: Estimator,
    design: &Design,
    (grid, question): (&Grid, TotalsQuestion),
) -> Result<Mechanism> {
    let profile = &setting.profile;
    let components = setting.categories.unwrap_or(1);
    // Most by which one record can move sums with independent noise: one count down and another up,
    // or the whole grid.
    let sensitivity = if setting.categories.is_some() { 2 } else { grid.points() };
    Ok(match &design.method {
        Method::WeightedSum => {
            let weights = design.weights.integers();
            match setting.categories {
                Some(k) => {
                    Mechanism::WeightedCounts(WeightedCounts::calibrated(profile, weights, k))
                }
                None => Mechanism::Totals(Totals::calibrated(profile, weights, question)),
            }
        }
        Method::IndependentNoise | Method::Sample { .. } | Method::Stretch => {
            return Err(for_study(estimator.name()));
        }
        Method::LevelLaplace { .. } => {
            let steps = if setting.categories.is_some() { COUNT_STEPS } else { 1 };
            Mechanism::LevelLaplace(LevelLaplace::calibrated(
                profile,
                sensitivity,
                steps,
                components,
            ))
        }
        Method::Local if setting.categories.is_some() => {
            Mechanism::Rappor(Rappor::calibrated(profile, components))
        }
        Method::Local => Mechanism::LocalLaplace(LocalLaplace::calibrated(profile, sensitivity)),
    })
}
