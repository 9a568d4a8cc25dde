//! What the help of a command offers, of all that its options take.

use clap::Arg;
use clap::builder::{PossibleValue, PossibleValuesParser};
use suum::{Estimator, QuantileEstimator, RangePlan, studied};

/// Leaves these out of the help of a command that takes them only to say why it cannot.
pub(super) fn hide(names: &'static [&'static str]) -> impl Fn(Arg) -> Arg {
    move |argument| {
        let hidden = names.contains(&argument.get_id().as_str());
        if hidden { argument.hide(true) } else { argument }
    }
}

/// What estimators are for.
#[derive(Clone, Copy)]
pub(super) enum Offered {
    /// Means and sums.
    Numbers,
    /// Frequencies.
    Shares,
    /// Means without declared bounds.
    Ranges,
    Quantiles,
}

impl Offered {
    fn names(self) -> Vec<&'static str> {
        let of_both = |frequency: bool| {
            let all = Estimator::ALL.iter().filter(|estimator| !estimator.is_for_study());
            let all = all.filter(|estimator| estimator.serves(frequency));
            all.map(|estimator| estimator.name()).collect()
        };
        match self {
            Offered::Numbers => of_both(false),
            Offered::Shares => of_both(true),
            Offered::Ranges => vec![RangePlan::NAME],
            Offered::Quantiles => {
                QuantileEstimator::ALL.iter().map(|estimator| estimator.name()).collect()
            }
        }
    }
}

/// All estimators, of which these are in the help. The others are taken, too: the command says
/// better why it refuses one.
pub(super) fn offer(offered: &[Offered]) -> PossibleValuesParser {
    let shown: Vec<&str> = offered.iter().flat_map(|offered| offered.names()).collect();
    let all = [Offered::Numbers, Offered::Ranges, Offered::Shares, Offered::Quantiles];
    let mut names = vec!["auto"];
    for name in all.into_iter().flat_map(Offered::names).chain(studied()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let value = |name: &'static str| {
        PossibleValue::new(name).hide(name != "auto" && !shown.contains(&name))
    };
    PossibleValuesParser::new(names.into_iter().map(value))
}

/// The option with these in its help.
pub(super) fn offer_of(offered: &[Offered]) -> impl Fn(Arg) -> Arg {
    let parser = offer(offered);
    move |argument| argument.value_parser(parser.clone())
}
