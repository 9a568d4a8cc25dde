//! What is spent and what is left.

use std::collections::BTreeMap;

use crate::state::{Account, Outcome, State};
use crate::tally::Tally;
use crate::{Amount, Holder, PersonsSpent};

/// The accounts of a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Balance {
    /// One account a tier, in the order in which they were declared.
    Tiers(Vec<TierBalance>),
    /// One account a person.
    Persons(PersonsBalance),
}

/// The account of a tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierBalance {
    /// The tier.
    pub label: String,
    /// What its people allow in all.
    pub allowed: Amount,
    /// What releases have cost.
    pub spent: Amount,
    /// What is reserved for releases that are not settled, and counts as spent.
    pub reserved: Amount,
    /// What may still be charged.
    pub left: Amount,
}

/// The accounts of persons, together. Under add-remove neighbors their numbers are private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonsBalance {
    /// How many persons were ever charged.
    pub persons: u64,
    /// How many have spent how much, reserved amounts included; in ascending order.
    pub spent: Vec<(Amount, u64)>,
}

/// The balances of tiers.
pub(crate) fn of_tiers(state: &State, account: &Account) -> Vec<TierBalance> {
    let tiers = account.dataset.tiers().unwrap_or_default();
    let mut sums = vec![(Tally::default(), Tally::default()); tiers.len()];
    for reserve in account.reserves.iter().filter_map(|seq| state.reserves.get(seq)) {
        for (index, item) in reserve.items.iter().enumerate() {
            let Holder::Tier(label) = &item.holder else { continue };
            let Some((spent, reserved)) = account.tier(label).and_then(|tier| sums.get_mut(tier))
            else {
                continue;
            };
            match reserve.outcome {
                Outcome::Open => reserved.add(item.charge),
                _ => spent.add(reserve.counted(index)),
            }
        }
    }
    let balance = |((label, allowed), (spent, reserved)): (&(String, Amount), (Tally, Tally))| {
        let (spent, reserved) = (spent.amount(), reserved.amount());
        let left = allowed.saturating_sub(spent.plus(reserved));
        TierBalance { label: label.clone(), allowed: *allowed, spent, reserved, left }
    };
    tiers.iter().zip(sums).map(balance).collect()
}

/// The balances of persons.
pub(crate) fn of_persons(spent: &PersonsSpent) -> PersonsBalance {
    let mut histogram = BTreeMap::new();
    for amount in spent.amounts() {
        *histogram.entry(amount).or_insert(0) += 1;
    }
    PersonsBalance { persons: spent.len() as u64, spent: histogram.into_iter().collect() }
}
