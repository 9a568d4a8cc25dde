//! Check of charges against the remaining budgets.

use std::collections::BTreeSet;

use rusqlite::Connection;
use suum_core::{Error, Result, option, say};

use crate::account::Account;
use crate::body::{PartCharge, ReserveBody, TierCharge};
use crate::failure::Failure;
use crate::key::Key;
use crate::members::{self, ClaimLimit, Members, Rolls};
use crate::state::State;
use crate::{Accounts, Allowance, Amount, Charges, Columns, Cost, Holder, Part};

/// Entry for charges that fit, with the persons that it names.
pub(crate) struct Fitting {
    pub(crate) body: ReserveBody,
    pub(crate) members: Option<Members>,
}

/// Checks charges against all that is reserved or spent.
///
/// # Errors
///
/// Refuses unknown datasets and tiers, columns that are protected and published, charges of another
/// form than the accounts, and what does not fit.
pub(crate) fn fit(
    connection: &Connection,
    key: &Key,
    rolls: &Rolls,
    state: &State,
    dataset: &str,
    charges: &Charges,
    columns: &Columns,
) -> std::result::Result<Fitting, Failure> {
    let (index, account) = state.account(dataset)?;
    account.uses.check(columns)?;
    let mut body = ReserveBody {
        dataset: dataset.to_owned(),
        tiers: None,
        parts: None,
        members: None,
        columns: columns.clone(),
        register: None,
        moved: 0,
        delta: None,
    };
    match (charges, &account.dataset.accounts) {
        (Charges::Tiers(charges), Accounts::Tiers(_)) => {
            body.tiers = Some(fit_tiers(account, charges)?);
            Ok(Fitting { body, members: None })
        }
        (Charges::Persons(parts), Accounts::Persons(_)) => {
            let allowed = allowances(account, parts)?;
            let spent =
                members::spent(connection, key, rolls, state, index, ClaimLimit::Unlimited)?;
            let members = members::number_persons(parts, &spent.roll)?;
            fit_persons(&spent, account, parts, &allowed, &members)?;
            body.parts = Some(parts.iter().map(PartCharge::from).collect());
            body.members = Some(members.body(spent.roll.len(), key));
            Ok(Fitting { body, members: Some(members) })
        }
        (Charges::Tiers(_), Accounts::Persons(_)) => Err(Error::request(
            format!("dataset {dataset}"),
            "persons hold its accounts, not tiers",
        )
        .with_fix(say("name the column that tells persons apart, with").option(option::PERSON))
        .into()),
        (Charges::Persons(_), Accounts::Tiers(_)) => Err(tiers_hold_accounts(dataset).into()),
    }
}

fn fit_tiers(account: &Account, charges: &[(String, Amount)]) -> Result<Vec<TierCharge>> {
    let name = &account.dataset.name;
    let mut seen = BTreeSet::new();
    let mut fitting = Vec::new();
    for (label, charge) in charges {
        let Some(index) = account.tier(label) else { return Err(unknown_tier(account, label)) };
        if !seen.insert(index) {
            return Err(charged_twice(account, label));
        }
        let allowed = account.allowed(&Holder::Tier(label.clone())).unwrap_or(Allowance::NOTHING);
        let spent = account.counted.get(index).copied().unwrap_or_default().cost();
        let (left, cost) = (allowed.left(spent), Cost::from(*charge));
        if !allowed.fits(cost, spent) {
            return Err(Error::budget(
                format!("dataset {name}"),
                format!("tier {label} has {left} left, {}", describe_shortfall(*charge, left)),
            )
            .with_fix("ask for less, or leave the tier out; what is spent never comes back"));
        }
        if !charge.is_zero() {
            fitting.push(TierCharge::new(label, *charge));
        }
    }
    Ok(fitting)
}

/// Returns the allowance of the persons of every part.
fn allowances(account: &Account, parts: &[Part]) -> Result<Vec<Allowance>> {
    let allowance = |part: &Part| {
        account.allowed(&part.holder).ok_or_else(|| match &part.holder {
            Holder::Tier(label) if account.dataset.tiers().is_some() => {
                unknown_tier(account, label)
            }
            _ => Error::request(
                format!("dataset {}", account.dataset.name),
                "the charges say in another way than the dataset what persons allow",
            )
            .with_fix(
                "give every part the Holder of the dataset's Lifetime: Tier for Tiers, Everybody \
                for Same, Own for Own",
            ),
        })
    };
    parts.iter().map(allowance).collect()
}

fn fit_persons(
    spent: &crate::PersonsSpent,
    account: &Account,
    parts: &[Part],
    allowed: &[Allowance],
    members: &Members,
) -> Result<()> {
    let mut short = 0_u64;
    // The person who is shortest, in their part.
    let mut worst: Option<(Amount, Amount, Amount)> = None;
    for ((part, allowed), runs) in parts.iter().zip(allowed).zip(members.parts()) {
        let charge = Cost::from(part.charge);
        for number in runs.iter().flat_map(|run| run.from..run.to) {
            let already = spent.cost_by_number(number);
            // Whatever the data say, nobody allows more than the decision on record.
            let decided = spent.decided(number).map(|(_, decided, _)| decided);
            let allowed = decided.map_or(*allowed, |decided| allowed.min(decided));
            if !allowed.fits(charge, already) {
                let left = allowed.left(already);
                short += 1;
                let shortfall = part.charge.saturating_sub(left);
                if worst.is_none_or(|(most, ..)| shortfall > most) {
                    worst = Some((shortfall, part.charge, left));
                }
            }
        }
    }
    let Some((_, charge, left)) = worst else { return Ok(()) };
    let name = &account.dataset.name;
    let message = if account.is_add_remove() {
        // Participation is hidden, so how many of them have little left is, too.
        "not everybody has as much left as is asked".to_owned()
    } else {
        let who =
            if short == 1 { "1 person has".to_owned() } else { format!("{short} persons have") };
        format!(
            "{who} less left than is asked; the least has {left} left, {}",
            describe_shortfall(charge, left)
        )
    };
    Err(Error::budget(format!("dataset {name}"), message)
        .with_fix("charge every person at most what they have left, zero if that is nothing"))
}

/// Describes a shortfall: `0.01 is asked: 0.006 short`.
fn describe_shortfall(charge: Amount, left: Amount) -> String {
    match charge {
        Amount::Unlimited => "a release without noise is asked".to_owned(),
        Amount::Micro(_) => format!("{charge} is asked: {} short", charge.saturating_sub(left)),
    }
}

/// Returns the error for charges of persons where tiers hold the accounts.
pub(crate) fn tiers_hold_accounts(dataset: &str) -> Error {
    Error::request(format!("dataset {dataset}"), "tiers hold its accounts, not persons")
        .with_fix("charge tiers, or keep the dataset's accounts by person")
}

/// Returns the error for a tier that is charged twice.
pub(crate) fn charged_twice(account: &Account, label: &str) -> Error {
    let name = &account.dataset.name;
    Error::parameter(format!("dataset {name}"), format!("tier {label} is charged twice"))
        .with_fix("charge it once, with the sum of both")
}

pub(crate) fn unknown_tier(account: &Account, label: &str) -> Error {
    let tiers = account.dataset.tiers().unwrap_or_default();
    let labels: Vec<_> = tiers.iter().map(|(label, _)| label.as_str()).collect();
    Error::parameter(
        format!("dataset {}", account.dataset.name),
        format!("the ledger knows no tier {label}"),
    )
    .with_fix(format!("its tiers are {}", labels.join(", ")))
}
