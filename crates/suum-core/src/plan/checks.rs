//! What requests refuse, whatever the statistic.

use crate::{Bounds, Error, Neighbors, Options, Result};

/// Refuses options that a statistic has no use for: they would be ignored.
pub(crate) fn check_used(options: &Options, statistic: &str, used: &[&str]) -> Result<()> {
    let given = [
        (options.variance.is_some(), "variance"),
        (options.shrink, "shrink"),
        (options.simultaneous, "simultaneous"),
        (options.interval_share.is_some(), "interval-share"),
        (options.whole, "step"),
        (options.method.is_some(), "method"),
        (options.strata.is_some(), "strata"),
    ];
    match given.iter().find(|(given, option)| *given && !used.contains(option)) {
        None => Ok(()),
        Some((_, option)) => Err(unused(option, statistic)),
    }
}

/// The refusal of an option that a statistic has no use for.
pub(crate) fn unused(option: &str, statistic: &str) -> Error {
    Error::request(format!("{option}: has no meaning for a {statistic}"))
        .with_hint(format!("leave --{option} out"))
}

/// Refuses a probability outside (0, 1); `usual` is what the hint names.
pub(crate) fn check_probability(name: &str, value: f64, usual: f64) -> Result<()> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(Error::parameter(format!("{name}: must lie strictly between 0 and 1"))
        .with_hint(format!("for example --{name} {usual}")))
}

/// Refuses a variance that values inside the bounds cannot have.
pub(crate) fn check_variance(variance: f64, bounds: Bounds) -> Result<()> {
    let largest = bounds.width() * bounds.width() / 4.0;
    // The least ratio keeps 2h²/σ² inside the range of doubles that planning works in.
    if variance <= largest && variance >= largest * 1e-30 {
        return Ok(());
    }
    Err(Error::parameter(
        "variance: must be positive and at most a quarter of the squared width of the bounds",
    )
    .with_hint(format!("values inside these bounds have a variance of at most {largest}")))
}

/// Refuses to spend nearly everything on intervals.
pub(crate) fn check_interval_share(share: Option<f64>) -> Result<()> {
    if share.is_some_and(|share| !(0.0..=0.9).contains(&share)) {
        return Err(Error::parameter("interval-share: must lie between 0 and 0.9")
            .with_hint("for example --interval-share 0.2; with 0 there are no intervals"));
    }
    Ok(())
}

/// Refuses what is no part of anything.
pub(crate) fn check_spare(spare: f64) -> Result<()> {
    match (0.0..=1.0).contains(&spare) {
        true => Ok(()),
        false => Err(Error::parameter("spare: a part must lie between 0 and 1")
            .with_hint("for example --spare 0.5, half of what the mean leaves over")),
    }
}

/// Refuses neighbours that are not available.
pub(crate) fn check_neighbors(neighbors: Neighbors) -> Result<()> {
    match neighbors {
        Neighbors::ReplaceOne => Ok(()),
        Neighbors::AddRemove | Neighbors::Both => Err(Error::request(format!(
            "neighbors: {} is not available here",
            neighbors.name()
        ))
        .with_hint(
            "use --neighbors replace; in the library, Request::add_remove hides who takes part",
        )),
    }
}
