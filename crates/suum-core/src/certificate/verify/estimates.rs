//! Consistency of the numbers of a release with each other.

use super::numbers::{Ends, ErrorParts, EstimateOrOther, Finite};
use super::record::{ReleaseRecord, Row};

/// Relative difference allowed between numbers that follow from each other by rounded arithmetic.
const ROUNDING: f64 = 1e-6;

/// Estimates of a release, for comparison with its other numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct EstimateList<'a> {
    /// Every estimate with its name and its interval.
    all: Vec<(&'static str, Option<f64>, Option<&'a Ends>)>,
}

impl<'a> EstimateList<'a> {
    /// Returns the estimates of a release.
    fn from_release(release: &'a ReleaseRecord) -> Self {
        let mut all = vec![("estimate", release.estimate, release.interval.as_ref())];
        let named = [
            ("mean", &release.mean),
            ("variance", &release.variance),
            ("deviation", &release.deviation),
        ];
        all.extend(named.into_iter().filter_map(|(name, one)| match one {
            Some(EstimateOrOther::Estimate(one)) => {
                Some((name, one.estimate, one.interval.as_ref()))
            }
            _ => None,
        }));
        let several = [("frequencies", &release.frequencies), ("quantiles", &release.quantiles)];
        for (name, list) in several {
            let list = list.iter().flatten();
            all.extend(list.map(|one| (name, one.estimate, one.interval.as_ref())));
        }
        let others = release.others.iter();
        all.extend(others.map(|one| ("frequencies", one.estimate, one.interval.as_ref())));
        Self { all }
    }

    fn estimates(&self, named: &str) -> impl Iterator<Item = f64> {
        self.all.iter().filter(move |(name, ..)| *name == named).filter_map(|one| one.1)
    }
}

/// Returns the numbers of a release that do not agree with the others.
pub(super) fn faults(release: &ReleaseRecord) -> Vec<String> {
    let published = EstimateList::from_release(release);
    let mut faults = Vec::new();
    for (name, estimate, ends) in &published.all {
        let (Some(estimate), Some(Ends { confidence, lower, upper })) = (estimate, ends) else {
            continue;
        };
        if !(*confidence > 0.0 && *confidence < 1.0) {
            faults.push(format!("{name}: a confidence is not between 0 and 1"));
        }
        if !(lower.0 <= *estimate && *estimate <= upper.0) {
            faults.push(format!("{name}: an estimate lies outside its interval"));
        }
    }
    faults.extend(beyond_bounds(release, &published));
    faults.extend(shares(release, &published));
    faults.extend(deviation(release));
    faults.extend(release.error.as_ref().and_then(error));
    faults.extend(release.privacy.as_deref().and_then(|rows| weights(release, rows)));
    faults
}

/// Returns true if two numbers are equal except for rounding.
fn agree(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDING * one.abs().max(other.abs()).max(f64::MIN_POSITIVE)
}

/// Checks that means and quantiles lie between the bounds of the values.
fn beyond_bounds(release: &ReleaseRecord, published: &EstimateList<'_>) -> Option<String> {
    let [Finite(low), Finite(high)] = release.bounds?;
    let is = |statistic| release.statistic.as_deref() == Some(statistic);
    let room = ROUNDING * (high - low);
    let is_value = |name: &str| match name {
        "estimate" => is("mean"),
        name => name == "mean" || name == "quantiles",
    };
    let values = published.all.iter().filter(|(name, ..)| is_value(name));
    let is_beyond = |value: f64| value < low - room || value > high + room;
    let beyond = values.filter_map(|(name, estimate, _)| Some((name, (*estimate)?)));
    let beyond = beyond.into_iter().find(|(_, estimate)| is_beyond(*estimate));
    beyond.map(|(name, _)| format!("{name}: an estimate lies outside the bounds"))
}

/// Checks that shares lie between 0 and 1, and that they add up to 1 if post-processing ensures
/// that.
fn shares(release: &ReleaseRecord, published: &EstimateList<'_>) -> Option<String> {
    let post = release.post.as_deref()?;
    let shares: Vec<f64> = published.estimates("frequencies").collect();
    if post != "none" && shares.iter().any(|share| !(-ROUNDING..=1.0 + ROUNDING).contains(share)) {
        return Some("frequencies: a share is not between 0 and 1".to_owned());
    }
    let is_whole = shares.is_empty() || agree(shares.iter().sum(), 1.0);
    (post == "simplex" && !is_whole)
        .then(|| "frequencies: the shares do not add up to 1".to_owned())
}

/// Checks that a standard deviation is the root of its variance.
fn deviation(release: &ReleaseRecord) -> Option<String> {
    let Some(EstimateOrOther::Estimate(deviation)) = &release.deviation else { return None };
    let variance = match &release.variance {
        Some(EstimateOrOther::Estimate(variance)) => variance.estimate,
        _ => release.estimate,
    };
    let (deviation, variance) = (deviation.estimate?, variance?);
    (!agree(deviation * deviation, variance))
        .then(|| "deviation: it is not the root of the variance".to_owned())
}

/// Checks that the error is not larger than its parts together.
fn error(error: &ErrorParts) -> Option<String> {
    let ErrorParts { noise_sd: Some(noise), sampling_sd: Some(sampling), rmse: Some(rmse) } = error
    else {
        return None;
    };
    (rmse.0 > noise.0.hypot(sampling.0) * (1.0 + ROUNDING))
        .then(|| "error: it is larger than its parts together".to_owned())
}

/// Checks that the weights of all records add up to 1.
fn weights(release: &ReleaseRecord, rows: &[Row]) -> Option<String> {
    let statistic = release.statistic.as_deref();
    let counts = || rows.iter().filter_map(|row| row.count).map(|count| count as f64);
    if statistic == Some("count") {
        let counted = release.is_exact_count() && counts().count() > 0;
        let differs = release.estimate.is_some_and(|estimate| estimate != counts().sum::<f64>());
        return (counted && differs)
            .then(|| "estimate: it is not the number of records in the certificate".to_owned());
    }
    // With strata, a row has the largest weight of its level in any stratum.
    if release.strata.is_some() {
        return None;
    }
    let weighed = rows.iter().map(|row| Some(row.count? as f64 * row.weight?));
    let whole = weighed.collect::<Option<Vec<f64>>>()?.iter().sum::<f64>();
    (!rows.is_empty() && !agree(whole, 1.0))
        .then(|| "privacy: the weights of all records do not add up to 1".to_owned())
}
