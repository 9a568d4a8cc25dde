//! A variance in words.

use std::fmt::Write;

use suum_core::{ExpectedError, Loss, Protected, Release, VariancePlan};

use crate::figures::{count, significant};
use crate::prose::Text;
use crate::tiers::{self, Tier};
use crate::{guarantee, how, spending};

/// How a variance was made: its error, and what everybody spent.
pub(crate) fn write_how(out: &mut Text, release: &Release) -> std::fmt::Result {
    if let Some(error) = release.error {
        let rows = error_rows(error, release.protects());
        let rows = rows.map(|(figure, meaning)| (significant(figure, 3), meaning));
        how::write_errors(out, how::ERRORS, ERROR_UNIT, error_basis(release), &rows)?;
    }
    spending::write(out, release)?;
    writeln!(out)?;
    how::estimator(
        out,
        "affine",
        "weights min(ε, τ), τ optimal for the variance that is hardest to sample",
    );
    guarantee::write(out, &guarantee::of(release))
}

/// What is released beside the variance.
pub(crate) const NAMES: [&str; 2] = ["Standard deviation", "Mean, measured with it"];

/// The unit of errors.
pub(crate) const ERROR_UNIT: &str = "standard deviation";

/// For which data errors hold that are known before data are seen.
pub(crate) const ERROR_BASIS: &str =
    "at the distribution that is hardest to sample, before seeing the data";

/// For which data the errors of a release hold.
pub(crate) fn error_basis(release: &Release) -> &'static str {
    match release.range() {
        None => ERROR_BASIS,
        Some(_) => "at the distribution hardest to sample, if no value lies beyond the range",
    }
}

/// The parts of the error, and all of it, each with its meaning.
pub(crate) fn error_rows(error: ExpectedError, whom: Protected) -> [(f64, &'static str); 3] {
    [
        (error.noise_sd, how::noise_of(whom)),
        (error.sampling_sd, "sampling: the records are a sample"),
        (error.rmse, "together"),
    ]
}

/// The text of the plan of a variance.
pub(crate) fn write_plan(out: &mut Text, plan: &VariancePlan, tiers: &[Tier]) -> std::fmt::Result {
    let (options, error) = (plan.request().options(), plan.error());
    writeln!(
        out,
        "Plan for the variance of {} records, target {}",
        count(plan.profile().records()),
        options.target.name()
    )?;
    writeln!(
        out,
        "Expected error at the distribution that is hardest to sample: {} (noise {}, sampling {})",
        significant(error.rmse, 4),
        significant(error.noise_sd, 4),
        significant(error.sampling_sd, 4),
    )?;
    out.heading("What each tier allows and what this release would spend");
    let losses: Vec<Loss> = plan.losses().collect();
    let lines = tiers::lines_of(tiers, |tier| {
        let position = plan.position(tier.epsilon)?;
        Some((losses.get(position)?.clone(), plan.weights().per_level().get(position).copied()))
    });
    tiers::write(out, &lines, "would spend", Protected::Record);
    Ok(())
}
