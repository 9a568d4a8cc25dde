//! Checks of requests that are common to all statistics.

use crate::error::{OptionName, for_example, leave_out, option, say};
use crate::{Bounds, Error, Neighbors, Options, Result, Target};

/// Refuses options that a statistic does not use, instead of ignoring them.
pub(crate) fn check_used(options: &Options, statistic: &str, used: &[OptionName]) -> Result<()> {
    let given = [
        (options.variance.is_some(), option::VARIANCE),
        (options.shrink, option::SHRINK),
        (options.simultaneous, option::SIMULTANEOUS),
        (options.interval_share.is_some(), option::INTERVAL_SHARE),
        (options.whole || options.step.is_some(), option::STEP),
        (options.method.is_some(), option::ESTIMATOR),
        (options.strata.is_some(), option::STRATA),
        (options.tiers_differ.is_some(), option::TIERS_DIFFER),
        (options.tiers_apart, option::TIERS_APART),
        (options.per_person.is_some(), option::PER_PERSON),
    ];
    match given.into_iter().find(|(given, option)| *given && !used.contains(option)) {
        None => Ok(()),
        Some((_, option)) => Err(unused(option, statistic)),
    }
}

/// Refuses numbers of persons where values are categories, and shares of persons where they are
/// numbers.
pub(crate) fn check_per_person(options: &Options, of_categories: bool) -> Result<()> {
    options.per_person.map_or(Ok(()), |value| value.check(of_categories))
}

/// Returns the refusal of an option that a statistic does not use.
pub(crate) fn unused(option: OptionName, statistic: &str) -> Error {
    if option == option::TIERS_DIFFER {
        let problem = format!("no interval of a {statistic} allows for tiers that differ");
        return Error::request(option, problem).with_fix(
            leave_out(option).say(", or ask for a mean, a sum, shares, quantiles or a difference"),
        );
    }
    Error::request(option, format!("has no meaning for a {statistic}")).with_fix(leave_out(option))
}

/// Refuses a probability outside (0, 1); the hint names `usual`.
pub(crate) fn check_probability(name: OptionName, value: f64, usual: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(Error::parameter(name, "must lie strictly between 0 and 1")
        .with_fix(for_example(name, usual.to_string())))
}

/// Refuses a variance that values inside the bounds cannot have.
pub(crate) fn check_variance(variance: f64, bounds: Bounds) -> Result<()> {
    let largest = bounds.width() * bounds.width() / 4.0;
    // The least ratio keeps 2h²/σ² inside the range of doubles that planning uses.
    if variance <= largest && variance >= largest * 1e-30 {
        return Ok(());
    }
    Err(Error::parameter(
        option::VARIANCE,
        "must be positive and at most a quarter of the squared width of the bounds",
    )
    .with_fix(format!("values inside these bounds have a variance of at most {largest}")))
}

/// Refuses a share for intervals outside [0, 0.9].
pub(crate) fn check_interval_share(share: Option<f64>) -> Result<()> {
    if share.is_some_and(|share| !(0.0..=0.9).contains(&share)) {
        return Err(Error::parameter(option::INTERVAL_SHARE, "must lie between 0 and 0.9")
            .with_fix(
                for_example(option::INTERVAL_SHARE, "0.2").say("; with 0 there are no intervals"),
            ));
    }
    Ok(())
}

/// Refuses `tiers_differ` together with a target that already allows for any difference.
pub(crate) fn check_tiers_differ(options: &Options) -> Result<()> {
    match options.tiers_differ.is_some() && options.target == Target::DatasetCorrelated {
        false => Ok(()),
        true => Err(Error::request(
            option::TIERS_DIFFER,
            "the target dataset-correlated allows for any difference of tiers already",
        )
        .with_fix(leave_out(option::TIERS_DIFFER).say(", or use").set(option::TARGET, "dataset"))),
    }
}

/// Refuses a spare share outside [0, 1].
pub(crate) fn check_spare(spare: f64) -> Result<()> {
    match (0.0..=1.0).contains(&spare) {
        true => Ok(()),
        false => Err(Error::parameter(option::SPARE, "a part must lie between 0 and 1").with_fix(
            for_example(option::SPARE, "0.5").say(", half of what the mean leaves over"),
        )),
    }
}

/// Refuses a distance between neighbouring values that is none.
pub(crate) fn check_step(step: Option<f64>) -> Result<()> {
    match step.is_none_or(|step| step > 0.0 && step.is_finite()) {
        true => Ok(()),
        false => Err(Error::parameter(option::STEP, "must be a positive number")
            .with_fix(for_example(option::STEP, "1").say(", where values are integers"))),
    }
}

/// Refuses neighbours that hide participation, which need another kind of request.
pub(crate) fn check_neighbors(neighbors: Neighbors) -> Result<()> {
    match neighbors {
        Neighbors::ReplaceOne => Ok(()),
        Neighbors::AddRemove | Neighbors::Both => Err(Error::request(
            option::NEIGHBORS,
            format!("{} is not available here", neighbors.name()),
        )
        .with_fix(
            say("use")
                .set(option::NEIGHBORS, "replace")
                .say("; in the library, Request::add_remove hides who takes part"),
        )),
    }
}
