//! Checks of the options of add-remove requests.

use crate::error::{leave_out, option, say};
use crate::plan::checks::check_probability;
use crate::private::session::Account;
use crate::{Choice, Error, Estimator, Neighbors, Options, PrivacyUnits, Result, Share, Target};

/// Returns the estimator of these options, for statistics that leave the choice to them.
pub(crate) fn estimator(options: &Options) -> Estimator {
    match options.estimator {
        Choice::Auto => Estimator::Affine,
        Choice::Named(estimator) => estimator,
    }
}

/// Refuses options without meaning under add-remove, whatever the statistic.
pub(crate) fn check(options: &Options) -> Result<()> {
    check_neighbors(options.neighbors)?;
    check_probability(option::CONFIDENCE, options.confidence, 0.95)?;
    if options.target == Target::DatasetCorrelated {
        return Err(Error::request(
            option::TARGET,
            "dataset-correlated has no meaning where the number of records is private",
        )
        .with_fix(
            say("choose the target population or dataset, or").set(option::NEIGHBORS, "replace"),
        ));
    }
    let private = [
        (
            options.shrink,
            option::SHRINK,
            "by how much depends on the number of records, which is private",
        ),
        (
            options.strata.is_some(),
            option::STRATA,
            "weights follow from how many records each has, which is private",
        ),
        (
            options.tiers_differ.is_some(),
            option::TIERS_DIFFER,
            "how far an answer can be off depends on how many records each tier has, which is \
             private",
        ),
        (
            options.tiers_apart,
            option::TIERS_APART,
            "the mean of a tier needs the number of its records, which is private",
        ),
    ];
    if let Some((_, option, reason)) = private.into_iter().find(|(given, ..)| *given) {
        return Err(Error::request(option, reason)
            .with_fix(leave_out(option).say(", or use").set(option::NEIGHBORS, "replace")));
    }
    let estimator = estimator(options);
    if let Some(reason) = estimator.against_hiding() {
        return Err(refused(estimator.name(), reason));
    }
    if options.clip.is_some() && estimator != Estimator::Affine {
        return Err(Error::request(
            option::CLIP,
            "has no meaning for uniform and proportional, which have their own",
        )
        .with_fix(
            say("leave").option(option::CLIP).say("or").option(option::ESTIMATOR).say("out"),
        ));
    }
    Ok(())
}

/// Refuses weights that no budget limits.
pub(crate) fn check_weights(estimator: Estimator, account: &Account) -> Result<()> {
    if estimator != Estimator::Proportional {
        return Ok(());
    }
    if account.most().is_public() {
        return Err(Error::request(
            option::ESTIMATOR,
            "proportional has no finite weights with budgets of inf",
        )
        .with_fix("choose affine, or declare a finite largest budget"));
    }
    PrivacyUnits::new(Share::ALL, account.most()).map(|_| ())
}

fn refused(name: &str, reason: &str) -> Error {
    Error::request(option::ESTIMATOR, format!("{name} {reason} with add-remove neighbors"))
        .with_fix(
            say("choose auto, affine, typical, uniform or proportional, or")
                .set(option::NEIGHBORS, "replace"),
        )
}

fn check_neighbors(neighbors: Neighbors) -> Result<()> {
    match neighbors.hides_participation() {
        true => Ok(()),
        false => Err(Error::request(option::NEIGHBORS, "this release hides who takes part")
            .with_fix(say("use").set(option::NEIGHBORS, "add-remove").say(", or both"))),
    }
}
