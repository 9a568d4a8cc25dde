//! Accounts of people by tier: the allowance, the most that was used, and the least that is left.

use serde::Serialize;
use suum_core::Delta;
use suum_ledger::{
    Accounts, Amount, Balance, Cost, Dataset, Holder, Lifetime, PersonsGroup, TierBalance,
};

use super::costs::{guess, hides_persons};
use crate::ledgers::forecast::level;

/// The accounts of people of a tier; of those who allow the same, or say themselves what they
/// allow, the accounts of all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct AccountRecord {
    pub(super) level: String,
    /// None where persons say themselves what they allow.
    #[serde(skip)]
    pub(super) holder: Option<Holder>,
    /// None where persons say themselves what they allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) allowed: Option<Amount>,
    /// The number of persons who were charged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) persons: Option<u64>,
    /// The most that one of them has used; reserved amounts are in it. None where the accounts are
    /// secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) used: Option<Amount>,
    /// The ε of that as (ε, δ), where people allow (ε, δ): the smaller of both accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) total: Option<Amount>,
    /// The least that one of them has left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) left: Option<Amount>,
    /// True if one of them has lost more than they allow, because of what was lost elsewhere.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) exceeded: bool,
    /// Of 100 guesses with even chances about what the data of one of them say, how many are right
    /// at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) guess: Option<f64>,
}

impl AccountRecord {
    /// All accounts of a dataset, in the order in which tiers were declared.
    pub(super) fn all(dataset: &Dataset, balance: &Balance) -> Vec<Self> {
        let classes = classes(dataset);
        match balance {
            Balance::Tiers(tiers) => {
                tiers.iter().map(|tier| Self::for_tier(dataset, tier)).collect()
            }
            Balance::Persons(_) if hides_persons(dataset) => classes,
            Balance::Persons(persons) => {
                let ended = Self::new(
                    level(&Holder::NoConsent),
                    Some(Holder::NoConsent),
                    Some(Amount::ZERO),
                );
                let unknown = Self::new(UNKNOWN.to_owned(), Some(Holder::Unknown), None);
                let with_persons = |class: Self| {
                    let is_of = |group: &&PersonsGroup| match &class.holder {
                        Some(holder) => *holder == group.holder,
                        None => matches!(group.holder, Holder::Own(_)),
                    };
                    let groups: Vec<&PersonsGroup> = persons.groups.iter().filter(is_of).collect();
                    let is_rare = matches!(class.holder, Some(Holder::Unknown | Holder::NoConsent));
                    let is_shown = !is_rare || !groups.is_empty();
                    is_shown.then(|| class.with_groups(dataset, &groups, persons.is_raised))
                };
                classes.into_iter().chain([ended, unknown]).filter_map(with_persons).collect()
            }
        }
    }

    fn new(level: String, holder: Option<Holder>, allowed: Option<Amount>) -> Self {
        Self {
            level,
            holder,
            allowed,
            persons: None,
            used: None,
            total: None,
            left: None,
            exceeded: false,
            guess: None,
        }
    }

    fn for_label(label: &str, allowed: Amount) -> Self {
        let holder = Holder::Tier(label.to_owned());
        Self::new(label.to_owned(), Some(holder), Some(allowed))
    }

    fn for_tier(dataset: &Dataset, tier: &TierBalance) -> Self {
        let cost = tier.cost();
        Self {
            left: Some(tier.left),
            exceeded: dataset.allowance(tier.allowed).is_exceeded_by(cost),
            ..Self::for_label(&tier.label, tier.allowed).with_cost(dataset, cost)
        }
    }

    fn with_cost(self, dataset: &Dataset, cost: Cost) -> Self {
        let total = |delta: Delta| cost.smaller_total(delta);
        Self {
            used: Some(cost.epsilon),
            total: dataset.delta_of_rho().map(total),
            guess: Some(guess(dataset.neighbors, cost.epsilon)),
            ..self
        }
    }

    /// Adds persons, who were charged together or not.
    fn with_groups(self, dataset: &Dataset, groups: &[&PersonsGroup], is_raised: bool) -> Self {
        let spent = groups.iter().map(|group| group.spent).fold(Cost::ZERO, Cost::max);
        let exceeded = |group: &&PersonsGroup| {
            let allowance = dataset.allowed(&group.holder).map(|all| dataset.allowance(all));
            allowance.is_some_and(|allowance| allowance.is_exceeded_by(group.spent))
        };
        let all_is_left = self.allowed.filter(|_| groups.is_empty());
        let least = groups.iter().filter_map(|group| group.left).min();
        let of_group = |group: &&PersonsGroup| match is_raised {
            // The sum of ρ bounds (ε, δ) only for what was allowed in advance.
            true => dataset.delta.map(|_| group.spent.epsilon),
            false => dataset.delta_of_rho().map(|delta| group.spent.smaller_total(delta)),
        };
        let total = groups.iter().filter_map(of_group);
        Self {
            persons: Some(groups.iter().map(|group| group.persons).sum()),
            left: all_is_left.or(least),
            exceeded: self.holder != Some(Holder::NoConsent) && groups.iter().any(exceeded),
            total: total.max().or(dataset.delta.map(|_| Amount::ZERO)),
            ..self.with_cost(dataset, spent)
        }
    }
}

/// Persons of whom only a charge from elsewhere is on record, so that it is not known what they
/// allow.
const UNKNOWN: &str = "in no release yet";

/// Persons who say themselves what they allow.
const OWN: &str = "own";

/// All who allow the same.
const EVERYBODY: &str = "everybody";

/// Classes of people with what they allow, without accounts.
fn classes(dataset: &Dataset) -> Vec<AccountRecord> {
    match &dataset.accounts {
        Accounts::Tiers(tiers) | Accounts::Persons(Lifetime::Tiers(tiers)) => {
            let class =
                |(label, allowed): &(String, Amount)| AccountRecord::for_label(label, *allowed);
            tiers.iter().map(class).collect()
        }
        Accounts::Persons(Lifetime::Same(allowed)) => {
            let everybody = EVERYBODY.to_owned();
            vec![AccountRecord::new(everybody, Some(Holder::Everybody), Some(*allowed))]
        }
        Accounts::Persons(Lifetime::Own) => vec![AccountRecord::new(OWN.to_owned(), None, None)],
    }
}
