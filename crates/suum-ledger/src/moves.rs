//! Watch over people who move between tiers, whose budgets would start anew.
//!
//! A reservation of a watched dataset names the people of each tier that it charges, as one of
//! persons names those of each part: 16 bytes for a new person, and some for each run of numbers.
//! The tier of a person is that of the newest reservation that names them and was not cancelled;
//! whoever leaves for a tier that is not charged is still in it.

use rusqlite::Connection;
use suum_core::{Error, leave_out, option, say};

use crate::account::{Account, Outcome};
use crate::body::TierCharge;
use crate::failure::Failure;
use crate::fit::Fitting;
use crate::key::Key;
use crate::members::{self, Everybody, Members, Rolls};
use crate::runs::Run;
use crate::state::State;
use crate::{Amount, Holder, Part, Persons, TierPeople};

/// Adds the people of each tier to a reservation, if the ledger watches who moves.
///
/// # Errors
///
/// Refuses people who moved, unless that is accepted; a person in two tiers; and people where
/// nobody is watched, or none where somebody is.
pub(crate) fn watch(
    connection: &Connection,
    key: &Key,
    rolls: &Rolls,
    state: &State,
    fitting: &mut Fitting,
    people: Option<&TierPeople>,
) -> Result<(), Failure> {
    let (index, account) = state.account(&fitting.body.dataset)?;
    let people = match (account.dataset.watch_moves, people) {
        (true, Some(people)) => people,
        (false, None) => return Ok(()),
        (true, None) => return Err(nobody_named().into()),
        (false, Some(people)) if people.may_have_moved => return Err(not_watched().into()),
        (false, Some(_)) => return Ok(()),
    };
    let everybody = members::everybody(connection, key, rolls, state, index)?;
    let everybody = everybody.map_err(members::changed)?;
    let charged = fitting.body.tiers.iter().flatten();
    let part = |tier: &TierCharge| Part {
        holder: Holder::Tier(tier.label.clone()),
        // Everybody in it is charged.
        charge: Amount::Unlimited,
        persons: people.people_in(&tier.label),
    };
    let parts: Vec<Part> = charged.map(part).collect();
    let members = members::number_persons(&parts, &everybody.roll)?;
    let before = tiers_of(state, account, &everybody);
    let is_known = |number: u32| before.get(number as usize).is_some_and(|tier| *tier != 0);
    let mut numbers = members.parts().iter().flatten().flat_map(|run| run.from..run.to);
    // Those in other tiers have no numbers yet.
    let is_charged =
        |label: &String| parts.iter().any(|part| part.holder == Holder::Tier(label.clone()));
    let mut others = people.tiers.iter().filter(|(label, _)| !is_charged(label));
    let are_all_charged = !others.any(|(_, persons)| !persons.is_empty());
    let nobody_is_known = before.iter().any(|tier| *tier != 0) && !numbers.any(is_known);
    if nobody_is_known && are_all_charged && !people.may_have_moved {
        return Err(are_strangers().into());
    }
    let moved = moved(account, &before, &parts, &members);
    if moved > 0 && !people.may_have_moved {
        return Err(have_moved(moved).into());
    }
    fitting.body.moved = moved;
    fitting.body.members = Some(members.body(everybody.roll.len(), key));
    fitting.members = Some(members);
    Ok(())
}

/// Returns the position of the tier of each person, by number, plus one; 0 of whom no reservation
/// names.
fn tiers_of(state: &State, account: &Account, everybody: &Everybody) -> Vec<u32> {
    let mut tiers = vec![0; everybody.roll.len()];
    for (seq, named) in &everybody.charged {
        let Some(reserve) = state.reserves.get(seq) else { continue };
        if matches!(reserve.outcome, Outcome::Cancelled { .. }) {
            continue;
        }
        for (item, runs) in reserve.items.iter().zip(&named.parts) {
            let tier = place(account, &item.holder);
            runs.iter().for_each(|run| tiers[run.from as usize..run.to as usize].fill(tier));
        }
    }
    tiers
}

/// Returns the position of a tier plus one.
fn place(account: &Account, holder: &Holder) -> u32 {
    let Holder::Tier(label) = holder else { return 0 };
    account.tier(label).map_or(0, |tier| tier as u32 + 1)
}

/// Returns how many people of these parts were in another tier before.
fn moved(account: &Account, before: &[u32], parts: &[Part], members: &Members) -> u64 {
    let of_part = |(part, runs): (&Part, &Vec<Run>)| {
        let tier = place(account, &part.holder);
        let numbers = runs.iter().flat_map(|run| run.from..run.to);
        // New people have numbers behind all others.
        let tiers = numbers.filter_map(|number| before.get(number as usize));
        tiers.filter(|known| **known != 0 && **known != tier).count() as u64
    };
    parts.iter().zip(members.parts()).map(of_part).sum()
}

/// Returns the refusal of a release that does not say who is in which tier.
fn nobody_named() -> Error {
    Error::request(
        option::PERSON,
        "the ledger watches who moves between tiers, and has to know who is in which",
    )
    .with_fix(say("name the column of persons with").set(option::PERSON, "COL"))
}

/// Returns the refusal to accept moves that nobody watches.
fn not_watched() -> Error {
    Error::request(option::ALLOW_MOVES, "this ledger does not watch who moves between tiers")
        .with_fix(leave_out(option::ALLOW_MOVES))
}

/// Returns the refusal of people of whom none was ever used, as with another column of persons.
fn are_strangers() -> Error {
    Error::budget(
        option::PERSON,
        "nobody of this release was used before, so that nobody can be seen to move",
    )
    .with_fix(
        say("name persons by the column, and in the spelling, of earlier releases; if they are \
             other people, say so with")
        .option(option::ALLOW_MOVES),
    )
}

/// Returns the refusal of people who moved, by their number.
fn have_moved(people: u64) -> Error {
    let who = if people == 1 { "1 person is".to_owned() } else { format!("{people} people are") };
    Error::budget(
        option::LEDGER,
        format!(
            "{who} in another tier than at the last release that used them, and would start there \
             with nothing spent"
        ),
    )
    .with_fix(
        say("put them back into their tier, or use accounts of persons; if their budgets may \
             start anew, say so with")
        .option(option::ALLOW_MOVES),
    )
}

impl TierPeople {
    /// Returns the people of a tier; nobody if it is not among the tiers.
    fn people_in(&self, label: &str) -> Persons {
        let tier = self.tiers.iter().find(|(known, _)| known == label);
        tier.map(|(_, persons)| persons.clone()).unwrap_or_default()
    }
}
