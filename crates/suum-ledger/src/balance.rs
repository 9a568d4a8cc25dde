//! What is spent and what is left.

use std::collections::BTreeMap;

use crate::account::{Account, Outcome};
use crate::state::State;
use crate::tally::Tally;
use suum_core::Rho;

use crate::members::{Everybody, newest_parts};
use crate::{Accounts, Amount, Cost, Holder, Lifetime, PersonsSpent};

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
    /// Both together as the ρ of the second account.
    pub rho: Rho,
}

impl TierBalance {
    /// What is gone: spent and reserved, in both accounts.
    pub fn cost(&self) -> Cost {
        Cost { epsilon: self.spent.plus(self.reserved), rho: self.rho }
    }
}

/// The accounts of persons, together. Under add-remove neighbors their numbers are private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonsBalance {
    /// How many persons were ever charged.
    pub persons: u64,
    /// How many have spent how much, reserved amounts included; in ascending order.
    pub spent: Vec<(Amount, u64)>,
    /// The same by whom they were when they were last charged, in the order in which tiers were
    /// declared, and by what they have spent.
    pub groups: Vec<PersonsGroup>,
}

/// Persons who allow the same and have spent the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonsGroup {
    /// What they allow: by the decision on record, or the release that charged them last, whichever
    /// is less.
    pub holder: Holder,
    /// What they have spent, reserved amounts included.
    pub spent: Cost,
    /// What may still be charged to each; none if it is not known what they allow.
    pub left: Option<Amount>,
    /// How many they are.
    pub persons: u64,
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
                Outcome::Open => reserved.add(item.cost),
                _ => spent.add(reserve.counted(index)),
            }
        }
    }
    let balance = |((label, allowed), (spent, reserved)): (&(String, Amount), (Tally, Tally))| {
        let (spent, reserved) = (spent.cost(), reserved.cost());
        let both = spent.plus(reserved);
        let allowance = account.allowed(&Holder::Tier(label.clone()));
        TierBalance {
            label: label.clone(),
            allowed: *allowed,
            spent: spent.epsilon,
            reserved: reserved.epsilon,
            left: allowance.map_or(Amount::ZERO, |allowance| allowance.left(both)),
            rho: both.rho,
        }
    };
    tiers.iter().zip(sums).map(balance).collect()
}

/// In place of the position of a tier.
const NO_CONSENT: usize = usize::MAX - 1;

/// The balances of persons.
pub(crate) fn of_persons(
    state: &State,
    account: &Account,
    spent: &PersonsSpent,
    everybody: &Everybody,
) -> PersonsBalance {
    let mut histogram = BTreeMap::new();
    let mut persons = 0;
    let newest = newest_parts(state, everybody);
    let mut groups: BTreeMap<(usize, Amount, Amount, Rho), u64> = BTreeMap::new();
    // By the place of the tier, and by what they allow themselves.
    let holder = |number: u32| -> (usize, Amount) {
        let last = newest.get(number as usize).copied().flatten().and_then(|(at, part)| {
            let (seq, _) = everybody.charged.get(at as usize)?;
            Some(&state.reserves.get(seq)?.items.get(part as usize)?.holder)
        });
        let decided = spent.decided(number).map(|(holder, ..)| holder);
        let allows = |holder: &Holder| account.allowed(holder).map(|allowed| allowed.epsilon);
        let stricter = match (last, decided) {
            (Some(last), Some(decided)) if allows(last) < allows(decided) => Some(last),
            (last, decided) => decided.or(last),
        };
        match stricter {
            Some(Holder::NoConsent) => (NO_CONSENT, Amount::ZERO),
            Some(Holder::Tier(label)) => (account.tier(label).unwrap_or(usize::MAX), Amount::ZERO),
            Some(Holder::Own(allowed)) => (0, *allowed),
            Some(Holder::Everybody | Holder::Unknown) | None => (usize::MAX, Amount::ZERO),
        }
    };
    for (number, cost) in spent.costs() {
        persons += 1;
        *histogram.entry(cost.epsilon).or_insert(0) += 1;
        let (tier, own) = holder(number);
        *groups.entry((tier, own, cost.epsilon, cost.rho)).or_insert(0) += 1;
    }
    let group = |((tier, own, epsilon, rho), persons): ((usize, Amount, Amount, Rho), u64)| {
        let holder = match (account.dataset.tiers(), &account.dataset.accounts) {
            _ if tier == NO_CONSENT => Holder::NoConsent,
            (Some(tiers), _) => {
                tiers.get(tier).map_or(Holder::Unknown, |(label, _)| Holder::Tier(label.clone()))
            }
            (None, Accounts::Persons(Lifetime::Same(_))) => Holder::Everybody,
            (None, _) if tier == usize::MAX => Holder::Unknown,
            (None, _) => Holder::Own(own),
        };
        let spent = Cost { epsilon, rho };
        let left = account.allowed(&holder).map(|allowed| allowed.left(spent));
        PersonsGroup { holder, spent, left, persons }
    };
    PersonsBalance {
        persons,
        spent: histogram.into_iter().collect(),
        groups: groups.into_iter().map(group).collect(),
    }
}
