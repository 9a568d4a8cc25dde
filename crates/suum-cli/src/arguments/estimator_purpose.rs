//! Estimators that the help of a command lists, among all that it accepts.

use clap::builder::{PossibleValue, PossibleValuesParser};
use suum::{Estimator, QuantileEstimator, RangePlan, studied};

/// Purpose of estimators.
#[derive(Clone, Copy)]
enum Purpose {
    /// Means and sums.
    Numbers,
    /// Frequencies.
    Shares,
    /// Means without declared bounds.
    Ranges,
    Quantiles,
}
use Purpose::{Numbers, Quantiles, Ranges, Shares};

impl Purpose {
    /// Names of the estimators, each with a one-line description.
    fn named(self) -> Vec<(&'static str, &'static str)> {
        let of_both = |frequency: bool| {
            let all = Estimator::ALL.iter().filter(|estimator| !estimator.is_for_study());
            let all = all.filter(|estimator| estimator.serves(frequency));
            all.map(|estimator| (estimator.name(), estimator.describe())).collect()
        };
        match self {
            Numbers => of_both(false),
            Shares => of_both(true),
            Ranges => vec![(RangePlan::NAME, RangePlan::ABOUT)],
            Quantiles => {
                let all = QuantileEstimator::ALL.iter();
                all.map(|estimator| (estimator.name(), estimator.describe())).collect()
            }
        }
    }
}

/// Name and description of `auto`.
const AUTO: (&str, &str) = ("auto", "what public facts say is best");

/// Parser of all estimators; those of the command are in its help. The others are accepted, too, so
/// that the query can refuse them with a better message.
pub(super) fn offer(command: &str) -> PossibleValuesParser {
    let all = [Numbers, Ranges, Shares, Quantiles];
    let offered: &[Purpose] = match command {
        "mean" | "difference" => &[Numbers, Ranges],
        "sum" => &[Numbers],
        "frequency" => &[Shares],
        "quantile" | "median" => &[Quantiles],
        _ => &all,
    };
    let shown: Vec<(&str, &str)> = offered.iter().flat_map(|offered| offered.named()).collect();
    let studied = studied().map(|name| (name, "for study"));
    let mut named: Vec<(&str, &str)> = vec![AUTO];
    // Shown estimators come first, with their descriptions for this command.
    let others = all.into_iter().flat_map(Purpose::named).chain(studied);
    for one in shown.clone().into_iter().chain(others) {
        if named.iter().all(|(name, _)| *name != one.0) {
            named.push(one);
        }
    }
    let is_shown = |name: &str| name == AUTO.0 || shown.iter().any(|(shown, _)| *shown == name);
    let value = |(name, about): (&'static str, &'static str)| {
        PossibleValue::new(name).help(about).hide(!is_shown(name))
    };
    PossibleValuesParser::new(named.into_iter().map(value).collect::<Vec<_>>())
}
