//! Spent and remaining amounts of accounts.

use std::collections::BTreeMap;

use crate::account::{Account, Outcome};
use crate::state::State;
use crate::tally::Tally;
use suum_core::{Delta, Rho};

use crate::members::{Everybody, newest_items};
use crate::{Accounts, Amount, Cost, Holder, Lifetime, PersonsSpent};

/// Balance of the accounts of a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Balance {
    /// One account per tier, in the order of declaration.
    Tiers(Vec<TierBalance>),
    /// One account per person.
    Persons(PersonsBalance),
}

/// Balance of the account of a tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierBalance {
    /// The tier.
    pub label: String,
    /// Lifetime allowance of each of its people.
    pub allowed: Amount,
    /// Final costs of releases, and charges for losses elsewhere.
    pub spent: Amount,
    /// Reserved for releases that are not settled; counts as spent.
    pub reserved: Amount,
    /// Largest amount that may still be charged.
    pub left: Amount,
    /// Sum of spent and reserved amounts as ρ.
    pub rho: Rho,
}

impl TierBalance {
    /// Returns the sum of spent and reserved amounts, as ε and ρ.
    pub fn cost(&self) -> Cost {
        Cost { epsilon: self.spent.plus(self.reserved), rho: self.rho }
    }
}

/// δ of the releases of a dataset that find categories.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeltaBalance {
    /// Largest sum of their δ.
    pub most: Delta,
    /// Sum of their δ so far; what is reserved counts as spent.
    pub spent: f64,
}

impl DeltaBalance {
    pub(crate) fn of_account(account: &Account) -> Option<Self> {
        let spent = account.delta_of_categories.to_f64().value();
        account.dataset.delta_of_categories().map(|most| Self { most, spent })
    }
}

/// Totals of the accounts of persons. Under add-remove neighbors these numbers are private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonsBalance {
    /// Number of persons with a charge above zero.
    pub persons: u64,
    /// Numbers of persons by spent amount, reserved amounts included; in ascending order.
    pub spent: Vec<(Amount, u64)>,
    /// Numbers of persons by holder, in the order in which tiers were declared, and by spent
    /// amount.
    pub groups: Vec<PersonsGroup>,
    /// True if somebody allowed more later than before, by a decision or by the data of a release:
    /// the sum of ρ bounds (ε, δ) only for what was allowed in advance.
    pub is_raised: bool,
}

/// Persons with the same allowance and the same spent amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonsGroup {
    /// Holder that limits them: that of the decision on record, or of the latest release that
    /// charged them, whichever allows less.
    pub holder: Holder,
    /// Spent by each of them, reserved amounts included.
    pub spent: Cost,
    /// Largest amount that may still be charged to each; none if their allowance is not known.
    pub left: Option<Amount>,
    /// Number of persons.
    pub persons: u64,
}

/// Returns the balances of tiers, in the order of declaration.
pub(crate) fn tier_balances(state: &State, account: &Account) -> Vec<TierBalance> {
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
                _ => spent.add(reserve.counted_cost(index)),
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

/// Placeholder for the position of a tier, for persons without consent.
const NO_CONSENT: usize = usize::MAX - 1;

/// Returns the balances of persons, in total and by group.
pub(crate) fn persons_balance(
    state: &State,
    account: &Account,
    spent: &PersonsSpent,
    everybody: &Everybody,
) -> PersonsBalance {
    let mut histogram = BTreeMap::new();
    let mut persons = 0;
    let newest = newest_items(state, everybody);
    let mut groups: BTreeMap<(usize, Amount, Amount, Rho), u64> = BTreeMap::new();
    // By the place of the tier, and by what they allow themselves.
    let holder = |number: u32| -> (usize, Amount) {
        let last = newest.get(number as usize).copied().flatten().map(|item| &item.holder);
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
        is_raised: is_raised(state, account, everybody),
    }
}

/// Returns true if somebody allowed more later than before.
fn is_raised(state: &State, account: &Account, everybody: &Everybody) -> bool {
    let mut amendments = account.amendments.iter().filter_map(|seq| state.amendments.get(seq));
    if amendments.any(|amendment| amendment.raised > 0) {
        return true;
    }
    let mut before: Vec<Option<Amount>> = vec![None; everybody.roll.len()];
    for (seq, named) in &everybody.charged {
        let Some(reserve) = state.reserves.get(seq) else { continue };
        if matches!(reserve.outcome, Outcome::Elsewhere { .. } | Outcome::Cancelled { .. }) {
            continue;
        }
        for (item, runs) in reserve.items.iter().zip(&named.parts) {
            let Some(now) = item.allowed.map(|allowed| allowed.epsilon) else { continue };
            for run in runs {
                let persons = &mut before[run.from as usize..run.to as usize];
                if persons.iter().any(|before| before.is_some_and(|before| before < now)) {
                    return true;
                }
                persons.fill(Some(now));
            }
        }
    }
    false
}
