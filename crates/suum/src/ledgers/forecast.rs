//! Number of further releases like the last one that the accounts of a ledger can pay for.

use suum_ledger::{
    Amount, Balance, Cost, Dataset, Holder, PersonsGroup, Record, RecordState, TierBalance,
};

use crate::accountant::{Forecast, ForecastAccount};

/// Forecasts further releases like the last one that counts.
///
/// Where participation is hidden, the forecast is for an account with nothing spent.
pub(super) fn after_last(
    dataset: &Dataset,
    balance: &Balance,
    records: &[Record],
) -> Option<Forecast> {
    let last = last_release(records)?;
    let in_all = dataset.neighbors.hides_participation();
    match balance {
        Balance::Tiers(tiers) => {
            let account = |tier: &TierBalance| {
                let holder = Holder::Tier(tier.label.clone());
                account(dataset, last, holder, tier.cost())
            };
            // Of tiers what is left is public.
            Forecast::compute(tiers.iter().filter_map(account), false)
        }
        Balance::Persons(_) if in_all => {
            let holders = last.charges.iter().map(|charge| charge.holder.clone());
            let holders = holders.filter(|holder| !matches!(holder, Holder::Own(_)));
            let account = |holder| account(dataset, last, holder, Cost::ZERO);
            Forecast::compute(holders.filter_map(account), true)
        }
        Balance::Persons(persons) => {
            let account =
                |group: &PersonsGroup| account(dataset, last, group.holder.clone(), group.spent);
            Forecast::compute(persons.groups.iter().filter_map(account), false)
        }
    }
}

/// Returns the last settled release; if there is none, the last one that is still open.
fn last_release(records: &[Record]) -> Option<&Record> {
    let is_made = |record: &&Record| matches!(record.state, RecordState::Settled { .. });
    let made = records.iter().rev().find(is_made);
    made.or_else(|| records.iter().rev().find(|record| record.state == RecordState::Open))
}

/// Returns the account of a holder for releases like this one, with the largest charge and cost of
/// all parts of that holder.
fn account(
    dataset: &Dataset,
    release: &Record,
    holder: Holder,
    spent: Cost,
) -> Option<ForecastAccount> {
    let allowance = dataset.allowance(dataset.allowed(&holder)?);
    let charges = release.charges.iter().filter(|charge| charge.holder == holder);
    let (mut charge, mut cost) = (Amount::ZERO, Cost::ZERO);
    for one in charges {
        (charge, cost) = (charge.max(one.reserved), cost.max(one.counted));
    }
    Some(ForecastAccount { label: level(&holder), allowance, spent, charge, cost })
}

/// Returns the name of a holder, for people to read.
pub(super) fn level(holder: &Holder) -> String {
    match holder {
        Holder::Tier(label) => label.clone(),
        Holder::Everybody => "everybody".to_owned(),
        Holder::Own(allowed) => format!("who allow {allowed}"),
        Holder::NoConsent => "no consent".to_owned(),
        Holder::Unknown => "whatever they allow".to_owned(),
    }
}
