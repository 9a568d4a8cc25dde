//! Number of further releases of the same cost that accounts can pay for.

use serde::Serialize;
use suum_ledger::{Allowance, Amount, Cost};

/// How many more releases that cost the same accounts can pay for, and which is empty first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Forecast {
    /// How many; 0 if no account has enough left.
    pub releases: u64,
    /// The tiers that are empty first.
    pub first: Vec<String>,
    /// Tiers that have something left, but not enough for one more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Whether it is how many an account can pay for of which nothing is spent yet: what is spent
    /// is not looked at where participation is hidden.
    pub in_all: bool,
}

/// Account that pays for such releases.
#[derive(Debug, Clone)]
pub(crate) struct ForecastAccount {
    /// Name of the tier, or of another holder.
    pub(crate) label: String,
    /// Amount that is allowed in all.
    pub(crate) allowance: Allowance,
    /// Amount that is spent so far.
    pub(crate) spent: Cost,
    /// Amount that is reserved for a release.
    pub(crate) charge: Amount,
    /// Final cost of a release.
    pub(crate) cost: Cost,
}

impl Forecast {
    /// Finds the account that can pay for the fewest releases; `None` if no release costs anything,
    /// or nobody sets a limit.
    ///
    /// Exhausted accounts do not count; a label can pay for a release as long as one of its
    /// accounts can.
    pub(crate) fn compute(
        accounts: impl IntoIterator<Item = ForecastAccount>,
        in_all: bool,
    ) -> Option<Self> {
        let (mut fewest, mut first): (Option<u64>, Vec<String>) = (None, Vec::new());
        let (mut able, mut without): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for account in accounts {
            let ForecastAccount { label, allowance, spent, charge, cost } = account;
            let spent = if in_all { Cost::ZERO } else { spent };
            if charge.is_zero() || allowance.left(spent).is_zero() {
                continue;
            }
            match allowance.releases_left(spent, charge, cost) {
                None => able.push(label),
                Some(0) => without.push(label),
                Some(count) => {
                    able.push(label.clone());
                    if fewest.is_none_or(|fewest| count < fewest) {
                        (fewest, first) = (Some(count), Vec::new());
                    }
                    if fewest == Some(count) && !first.contains(&label) {
                        first.push(label);
                    }
                }
            }
        }
        without.retain(|label| !able.contains(label));
        without.dedup();
        match fewest {
            Some(releases) => Some(Self { releases, first, without, in_all }),
            None if without.is_empty() || !able.is_empty() => None,
            None => Some(Self { releases: 0, first: without, without: Vec::new(), in_all }),
        }
    }

    /// Writes the forecast as a sentence.
    pub(crate) fn text(&self) -> String {
        let Self { releases, first, without, in_all } = self;
        let (are, have) = match first.len() {
            1 => ("is", "has"),
            _ => ("are", "have"),
        };
        let first = listed(first);
        let more = match (releases, in_all) {
            (0, _) => {
                return format!("No further release like this: {first} {have} too little left.");
            }
            (1, false) => "1 more release like this".to_owned(),
            (count, false) => format!("{count} more releases like this"),
            (1, true) => "1 release like this in all".to_owned(),
            (count, true) => format!("{count} releases like this in all"),
        };
        match without.is_empty() {
            true => format!("{more}; {first} {are} first to be empty."),
            false => {
                let without = listed(without);
                format!("{more} without {without}; then {first} {are} first to be empty.")
            }
        }
    }
}

/// Lists a few labels, and the number of others.
fn listed(labels: &[String]) -> String {
    const SHOWN: usize = 3;
    match labels {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] if labels.len() <= SHOWN => format!("{} and {last}", some.join(", ")),
        _ => format!("{} and {} more", labels[..SHOWN].join(", "), labels.len() - SHOWN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(label: &str, allowed: u64, spent: u64, charge: u64) -> ForecastAccount {
        let (charge, spent) = (Amount::micros(charge), Amount::micros(spent));
        ForecastAccount {
            label: label.to_owned(),
            allowance: Amount::micros(allowed).into(),
            spent: spent.into(),
            charge,
            cost: charge.into(),
        }
    }

    fn describe(accounts: Vec<ForecastAccount>, in_all: bool) -> Option<String> {
        Forecast::compute(accounts, in_all).map(|forecast| forecast.text())
    }

    #[test]
    fn a_forecast_names_who_is_empty_first() {
        let strict = || account("strict", 100, 30, 10);
        let relaxed = || account("relaxed", 1000, 0, 100);
        let is =
            |accounts, text: &str| assert_eq!(describe(accounts, false).as_deref(), Some(text));
        is(vec![strict(), relaxed()], "7 more releases like this; strict is first to be empty.");
        is(
            vec![account("strict", 100, 85, 10), relaxed()],
            "1 more release like this; strict is first to be empty.",
        );
        is(
            vec![account("strict", 100, 0, 10), relaxed()],
            "10 more releases like this; strict and relaxed are first to be empty.",
        );
        is(
            vec![account("strict", 100, 95, 10), relaxed()],
            "10 more releases like this without strict; then relaxed is first to be empty.",
        );
        is(
            vec![account("strict", 100, 95, 10)],
            "No further release like this: strict has too little left.",
        );
        // Accounts that are exhausted, that are not asked, and that are public do not count.
        let public = ForecastAccount {
            allowance: Amount::Unlimited.into(),
            charge: Amount::Unlimited,
            ..account("public", 0, 0, 1)
        };
        let others = vec![account("gone", 100, 100, 10), account("idle", 100, 0, 0), public];
        assert_eq!(describe(others.clone(), false), None);
        is(
            [others, vec![strict()]].concat(),
            "7 more releases like this; strict is first to be empty.",
        );
        // Spending is ignored under hidden participation.
        for spent in [0, 30, 95, 100] {
            let text = describe(vec![account("strict", 100, spent, 10)], true);
            assert_eq!(
                text.as_deref(),
                Some("10 releases like this in all; strict is first to be empty.")
            );
        }
        // Some of the people of a tier have enough left.
        let people = vec![account("strict", 100, 95, 10), account("strict", 100, 80, 10)];
        is(people, "2 more releases like this; strict is first to be empty.");
    }
}
