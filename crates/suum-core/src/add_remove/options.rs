//! Which options make no sense where it is hidden who takes part.

use crate::plan::checks::check_probability;
use crate::private::session::Account;
use crate::{Choice, Error, Estimator, Neighbors, Options, PrivacyUnits, Result, Share, Target};

/// The estimator of these options, if it does not depend on the statistic.
pub(crate) fn estimator(options: &Options) -> Estimator {
    match options.estimator {
        Choice::Auto => Estimator::Affine,
        Choice::Named(estimator) => estimator,
    }
}

/// Refuses what has no meaning, whatever the statistic.
pub(crate) fn check(options: &Options) -> Result<()> {
    check_neighbors(options.neighbors)?;
    check_probability("confidence", options.confidence, 0.95)?;
    if options.target == Target::DatasetCorrelated {
        return Err(Error::request(
            "target: dataset-correlated has no meaning where the number of records is private",
        )
        .with_hint("choose the target population or dataset, or --neighbors replace"));
    }
    let private = [
        (options.shrink, "shrink: by how much depends on the number of records, which is private"),
        (
            options.strata.is_some(),
            "strata: weights follow from how many records each has, which is private",
        ),
    ];
    if let Some((_, reason)) = private.into_iter().find(|(given, _)| *given) {
        let option = reason.split(':').next().unwrap_or_default();
        return Err(Error::request(reason)
            .with_hint(format!("leave --{option} out, or use --neighbors replace")));
    }
    let estimator = estimator(options);
    if let Some(reason) = estimator.against_hiding() {
        return Err(refused(estimator.name(), reason));
    }
    if options.clip.is_some() && estimator != Estimator::Affine {
        return Err(Error::request(
            "clip: has no meaning for uniform and proportional, which have their own",
        )
        .with_hint("leave --clip or --estimator out"));
    }
    Ok(())
}

/// Refuses weights that no budget bounds.
pub(crate) fn check_weights(estimator: Estimator, account: &Account) -> Result<()> {
    if estimator != Estimator::Proportional {
        return Ok(());
    }
    if account.most().is_public() {
        return Err(Error::request(
            "estimator: proportional has no finite weights with budgets of inf",
        )
        .with_hint("choose affine, or declare a finite largest budget"));
    }
    PrivacyUnits::new(Share::ALL, account.most()).map(|_| ())
}

fn refused(name: &str, reason: &str) -> Error {
    Error::request(format!("estimator: {name} {reason} with add-remove neighbors"))
        .with_hint("choose auto, affine, typical, uniform or proportional, or --neighbors replace")
}

fn check_neighbors(neighbors: Neighbors) -> Result<()> {
    match neighbors.hides_participation() {
        true => Ok(()),
        false => Err(Error::request("neighbors: this release hides who takes part")
            .with_hint("use --neighbors add-remove, or both")),
    }
}
