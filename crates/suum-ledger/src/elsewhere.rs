//! Charges for losses elsewhere: by lost ledgers, other tools, or publications before suum.

use std::collections::BTreeSet;

use rusqlite::Connection;
use suum_core::{Error, for_example, option};

use crate::account::Account;
use crate::body::{ChargeBody, PartCharge, TierCharge};
use crate::failure::Failure;
use crate::fit::{charged_twice, tiers_hold_accounts, unknown_tier};
use crate::key::Key;
use crate::members::{self, ClaimLimit, Members, Rolls};
use crate::state::State;
use crate::{Accounts, Amount, Charges, Part};

/// Makes the entry of a charge, however little is left, with the persons that it names.
///
/// # Errors
///
/// Refuses unknown datasets and tiers, charges of another form than the accounts, nobody, and no
/// reason.
pub(crate) fn charge(
    connection: &Connection,
    key: &Key,
    rolls: &Rolls,
    state: &State,
    dataset: &str,
    charges: &Charges,
    because: &str,
) -> Result<(ChargeBody, Option<Members>), Failure> {
    let (index, account) = state.account(dataset)?;
    let because = because.trim().to_owned();
    if because.is_empty() {
        return Err(Error::parameter(option::BECAUSE, "it is not said what the charge is for")
            .with_fix(for_example(option::BECAUSE, "the table of 2024, made by another program"))
            .into());
    }
    let mut body = ChargeBody {
        dataset: dataset.to_owned(),
        because,
        tiers: None,
        parts: None,
        members: None,
    };
    match (charges, &account.dataset.accounts) {
        (Charges::Tiers(charges), Accounts::Tiers(_)) => {
            body.tiers = Some(charge_tiers(account, charges)?);
            Ok((body, None))
        }
        (Charges::Persons(parts), Accounts::Persons(_)) => {
            let parts: Vec<&Part> = parts.iter().filter(|part| !part.charge.is_zero()).collect();
            if parts.iter().all(|part| part.persons.is_empty()) {
                return Err(nobody().into());
            }
            let part = |part: &&Part| Part { holder: account.anybody(), ..(*part).clone() };
            let parts: Vec<Part> = parts.iter().map(part).collect();
            let spent =
                members::spent(connection, key, rolls, state, index, ClaimLimit::Unlimited)?;
            let members = members::number_persons(&parts, &spent.roll)?;
            body.parts = Some(parts.iter().map(PartCharge::from).collect());
            body.members = Some(members.body(spent.roll.len(), key));
            Ok((body, Some(members)))
        }
        (Charges::Tiers(_), Accounts::Persons(_)) => Err(Error::request(
            format!("dataset {dataset}"),
            "persons hold its accounts, not tiers",
        )
        .with_fix("charge persons")
        .into()),
        (Charges::Persons(_), Accounts::Tiers(_)) => Err(tiers_hold_accounts(dataset).into()),
    }
}

fn charge_tiers(
    account: &Account,
    charges: &[(String, Amount)],
) -> suum_core::Result<Vec<TierCharge>> {
    let mut seen = BTreeSet::new();
    let mut charged = Vec::new();
    for (label, charge) in charges {
        let tier = account.tier(label).ok_or_else(|| unknown_tier(account, label))?;
        if !seen.insert(tier) {
            return Err(charged_twice(account, label));
        }
        if !charge.is_zero() {
            charged.push(TierCharge::new(label, *charge));
        }
    }
    if charged.is_empty() { Err(nobody()) } else { Ok(charged) }
}

fn nobody() -> Error {
    Error::parameter("charges", "nobody is charged anything")
        .with_fix("charge somebody more than 0, for example 0.02")
}
