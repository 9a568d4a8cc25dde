//! Calibration: the integer form of a design, with scales that keep every budget.

use crate::error::{option, say};
use crate::{
    Categories, Design, Error, Estimator, Grid, LevelLaplace, LocalLaplace, Mechanism, Method,
    Rappor, Result, Setting, Totals, TotalsQuestion, WeightedCounts, for_study,
};

/// Returns the integer form of a design, where a single sum of numbers is part of the answer to
/// `question`; refuses estimators that are for study.
pub(super) fn mechanism(
    setting: &Setting,
    estimator: Estimator,
    design: &Design,
    (grid, question): (&Grid, TotalsQuestion),
    categories: Option<&Categories>,
) -> Result<Mechanism> {
    let profile = &setting.profile;
    let counted = categories.map(|categories| (categories.len(), categories.steps()));
    Ok(match (&design.method, counted) {
        (Method::WeightedSum, Some(counted)) => {
            let weights = design.weights.integers();
            Mechanism::WeightedCounts(WeightedCounts::calibrated(profile, weights, counted))
        }
        (Method::WeightedSum, None) => {
            let weights = design.weights.integers();
            Mechanism::Totals(Totals::calibrated(profile, weights, question))
        }
        (Method::IndependentNoise | Method::Sample { .. } | Method::Stretch, _) => {
            return Err(for_study(estimator.name()));
        }
        (Method::LevelLaplace { .. }, Some((categories, steps))) => {
            Mechanism::LevelLaplace(LevelLaplace::for_counts(profile, categories, steps))
        }
        (Method::LevelLaplace { .. }, None) => {
            Mechanism::LevelLaplace(LevelLaplace::for_sums(profile, grid.points()))
        }
        // Everybody answers for one category.
        (Method::Local, Some((_, steps))) if steps > 1 => return Err(local_of_shares()),
        (Method::Local, Some((categories, _))) => {
            Mechanism::Rappor(Rappor::calibrated(profile, categories))
        }
        (Method::Local, None) => {
            Mechanism::LocalLaplace(LocalLaplace::calibrated(profile, grid.points()))
        }
    })
}

/// Returns the refusal of randomised response where a person can be in several categories.
pub(super) fn local_of_shares() -> Error {
    Error::request(
        option::ESTIMATOR,
        "local has an answer for each category of a person, who has shares in several",
    )
    .with_fix(
        say("choose another estimator, or count each person in one category with")
            .set(option::PER_PERSON, "mode"),
    )
}
