//! Codes of missing values, such as 999, which clipping moves to the bounds.

use suum_core::{Quantity, Release};

use crate::figures::candidate;

/// Part of all weight from which on much of the data lies at a bound.
pub(crate) const MUCH: f64 = 0.1;

/// Question that is asked if released quantiles show a tenth of the weight or more at a bound other
/// than 0, where many people really are.
pub(crate) fn question(release: &Release) -> Option<String> {
    let bounds = release.bounds().filter(|bounds| bounds.scale().is_none())?;
    let unknown = release.uninformative();
    let quantiles = || {
        let known = release.estimates.iter().filter(|one| !unknown.contains(&one.of.to_string()));
        known.filter_map(|one| match one.of {
            Quantity::Quantile(rank) => Some((rank.get(), one.estimate)),
            _ => None,
        })
    };
    let (low, high) = (bounds.lower(), bounds.upper());
    let at_lower = low != 0.0 && quantiles().any(|(q, value)| q >= MUCH && value <= low);
    let at_upper = high != 0.0 && quantiles().any(|(q, value)| q <= 1.0 - MUCH && value >= high);
    let asked = |name: &str, bound: f64, code: &str| {
        format!(
            "Much of the data lies at the {name} bound {}: are there codes such as {code}?",
            candidate(bound)
        )
    };
    match (at_lower, at_upper) {
        (true, _) => Some(asked("lower", low, "-9")),
        (_, true) => Some(asked("upper", high, "999")),
        _ => None,
    }
}
