//! A look at everything.

use std::path::Path;

use rusqlite::Connection;
use rustc_hash::FxHashMap;

use crate::files::{beside, is_readable_by_others};
use crate::finding::{Finding, Verification};
use crate::head::{Agreement, FoundHead};
use crate::key::Key;
use crate::members;
use crate::place::Place;
use crate::state::{Outcome, Reserve, State};
use crate::tally::Tally;
use crate::{Amount, PersonHash};

/// Checks the file, the chain, the head, the accounts and the persons.
pub(crate) fn verify(
    connection: &Connection,
    key: &Key,
    head: FoundHead,
    path: &Path,
) -> rusqlite::Result<Verification> {
    let mut findings = Vec::new();
    let state = State::fold(connection, key, head, &mut findings)?;
    check_file(connection, &mut findings)?;
    check_members(connection, key, &state, &mut findings)?;
    for index in 0..state.accounts.len() {
        check_persons(connection, key, &state, index, &mut findings)?;
    }
    check_head(&state, path, &mut findings);
    for (seq, reserve) in &state.reserves {
        if matches!(reserve.outcome, Outcome::Open) {
            findings.push(Finding::remark(*seq, "it is not settled, and counts as spent in full"));
        }
    }
    for seq in &state.losses {
        findings
            .push(Finding::remark(*seq, "entries before it were lost, which somebody accepted"));
    }
    if state.place.as_ref().is_some_and(|place| !place.is_same(&Place::of(key, path))) {
        findings.push(Finding::remark(
            None,
            "it was made elsewhere: if it is used there too, both spend the same budgets",
        ));
    }
    if is_readable_by_others(&beside(path, ".key")) {
        findings.push(Finding::remark(None, "others than its owner can read the key"));
    }
    findings.sort_by_key(|finding| finding.entry);
    Ok(Verification { entries: state.newest, findings })
}

/// SQLite's own check of pages and indices.
fn check_file(connection: &Connection, findings: &mut Vec<Finding>) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("PRAGMA integrity_check(1)")?;
    let sound = statement
        .query_map([], |row| row.get::<_, String>(0))?
        .all(|line| line.is_ok_and(|line| line == "ok"));
    if !sound {
        findings.push(Finding::fault(None, "SQLite finds its pages damaged"));
    }
    Ok(())
}

/// Whether the persons are those that the reservations name, and no others.
fn check_members(
    connection: &Connection,
    key: &Key,
    state: &State,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    for (seq, reserve) in &state.reserves {
        let Some(expected) = &reserve.members else { continue };
        let mut counts = vec![0_u64; reserve.items.len()];
        let agree = members::each(connection, key, *seq, expected, |part, _| {
            if let Some(count) = counts.get_mut(part) {
                *count += 1;
            }
        })?;
        let as_said = reserve
            .items
            .iter()
            .zip(counts)
            .all(|(item, count)| count == if item.charge.is_zero() { 0 } else { item.persons });
        if !agree || !as_said {
            findings.push(Finding::fault(*seq, "its persons were changed after it was written"));
        }
    }
    // Each number of an entry once: one step in the index a reservation, however many members it
    // has.
    let mut statement = connection.prepare("SELECT min(entry) FROM member WHERE entry > ?")?;
    let mut last = i64::MIN;
    while let Some(entry) = statement.query_row([last], |row| row.get::<_, Option<i64>>(0))? {
        let known = u64::try_from(entry).ok().and_then(|seq| state.reserves.get(&seq));
        if known.is_none_or(|reserve| reserve.members.is_none()) {
            findings.push(Finding::fault(
                None,
                "there are persons of a reservation that does not exist",
            ));
        }
        last = entry;
    }
    Ok(())
}

/// Whether no person was ever charged beyond what they allow, going through the entries in order.
fn check_persons(
    connection: &Connection,
    key: &Key,
    state: &State,
    index: usize,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let account = &state.accounts[index];
    if !account.dataset.is_of_persons() {
        return Ok(());
    }
    // What happened when: reservations, and their ends.
    let mut events: Vec<(u64, u64, bool)> = Vec::new();
    for seq in &account.reserves {
        events.push((*seq, *seq, true));
        if let Some(Outcome::Settled { entry, .. } | Outcome::Cancelled { entry, .. }) =
            state.reserves.get(seq).map(|reserve| &reserve.outcome)
        {
            events.push((*entry, *seq, false));
        }
    }
    events.sort_unstable();
    let mut tallies: FxHashMap<PersonHash, Tally> = FxHashMap::default();
    for (_, seq, begins) in events {
        let Some(reserve) = state.reserves.get(&seq) else { continue };
        let Some(expected) = &reserve.members else { continue };
        let allowed =
            |item: &crate::state::Item| account.allowed(&item.holder).unwrap_or(Amount::ZERO);
        let allowed: Vec<Amount> = reserve.items.iter().map(allowed).collect();
        let mut beyond = false;
        members::each(connection, key, seq, expected, |part, person| {
            let Some((charge, counted)) = of_part(reserve, part) else { return };
            let tally = tallies.entry(person).or_default();
            if begins {
                tally.add(charge);
                beyond |= allowed.get(part).is_some_and(|allowed| tally.amount() > *allowed);
            } else {
                tally.take_back(charge);
                tally.add(counted);
            }
        })?;
        if beyond {
            findings.push(Finding::fault(seq, "it charges persons beyond what they allow"));
        }
    }
    Ok(())
}

/// What was reserved for a part, and what counts in the end.
fn of_part(reserve: &Reserve, part: usize) -> Option<(Amount, Amount)> {
    Some((reserve.items.get(part)?.charge, reserve.counted(part)))
}

fn check_head(state: &State, path: &Path, findings: &mut Vec<Finding>) {
    let finding = match state.agreement {
        Agreement::Same => return,
        Agreement::Behind => Finding::remark(
            None,
            "the head file is behind, after a crash; the next entry repairs it",
        ),
        Agreement::Missing => Finding::fault(
            None,
            format!("{}.head is missing, so entries could be missing too", path.display()),
        ),
        Agreement::Damaged => Finding::fault(
            None,
            format!(
                "{}.head is damaged or of another ledger, so entries could be missing",
                path.display()
            ),
        ),
        Agreement::Ahead(seq) => Finding::fault(
            None,
            format!(
                "it had {seq} entries and now has {}: what was spent since is lost",
                state.newest
            ),
        ),
        Agreement::Other(seq) => {
            Finding::fault(seq, "it is not the one that was written: this is another history")
        }
    };
    findings.push(finding);
}
