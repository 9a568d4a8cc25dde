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

/// What options mean for a sum, where a person counts with the total of their rows.
pub(super) fn of_totals(argument: Arg) -> Arg {
    match argument.get_id().as_str() {
        "person" => argument.help(
            "Column that names persons, who can have many rows: each counts once, with the total \
             of their rows, at the strictest tier of them. --bounds are then those of a person's \
             total. Without it each row is protected alone, and rows of one person add up",
        ),
        "bounds" => argument.help(
            "The range values are clamped to, with --person that of a person's total; declare \
             what is possible, do not look it up in the data. With `auto` a part of every budget \
             finds a range. Of several columns once for each, as in wage=0,50",
        ),
        "variance" => argument.help(
            "Variance of the values, with --person of the totals, if publicly known; without it \
             it is measured beside the sum, which costs nothing, or the worst that the bounds \
             allow",
        ),
        _ => argument,
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
    /// Names, each with what it is in a line.
    fn named(self) -> Vec<(&'static str, &'static str)> {
        let of_both = |frequency: bool| {
            let all = Estimator::ALL.iter().filter(|estimator| !estimator.is_for_study());
            let all = all.filter(|estimator| estimator.serves(frequency));
            all.map(|estimator| (estimator.name(), estimator.describe())).collect()
        };
        match self {
            Offered::Numbers => of_both(false),
            Offered::Shares => of_both(true),
            Offered::Ranges => vec![(RangePlan::NAME, RangePlan::ABOUT)],
            Offered::Quantiles => {
                let all = QuantileEstimator::ALL.iter();
                all.map(|estimator| (estimator.name(), estimator.describe())).collect()
            }
        }
    }
}

/// What `auto` is.
const AUTO: (&str, &str) = ("auto", "what public facts say is best");

fn value((name, about): (&'static str, &'static str)) -> PossibleValue {
    PossibleValue::new(name).help(about)
}

/// The estimators of quantiles.
pub(super) fn quantile_estimators() -> PossibleValuesParser {
    let all = std::iter::once(AUTO).chain(Offered::Quantiles.named());
    PossibleValuesParser::new(all.map(value))
}

/// All estimators, of which these are in the help. The others are taken, too: the command says
/// better why it refuses one.
pub(super) fn offer(offered: &[Offered]) -> PossibleValuesParser {
    let shown: Vec<(&str, &str)> = offered.iter().flat_map(|offered| offered.named()).collect();
    let all = [Offered::Numbers, Offered::Ranges, Offered::Shares, Offered::Quantiles];
    let studied = studied().map(|name| (name, "for study"));
    let mut named: Vec<(&str, &str)> = vec![AUTO];
    // What is shown comes first, with what it is here.
    let others = all.into_iter().flat_map(Offered::named).chain(studied);
    for one in shown.clone().into_iter().chain(others) {
        if named.iter().all(|(name, _)| *name != one.0) {
            named.push(one);
        }
    }
    let is_shown = |name: &str| name == AUTO.0 || shown.iter().any(|(shown, _)| *shown == name);
    PossibleValuesParser::new(named.into_iter().map(|one| value(one).hide(!is_shown(one.0))))
}

/// The option with these in its help.
pub(super) fn offer_of(offered: &[Offered]) -> impl Fn(Arg) -> Arg {
    let parser = offer(offered);
    move |argument| argument.value_parser(parser.clone())
}
