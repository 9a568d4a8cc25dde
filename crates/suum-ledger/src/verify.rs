//! Verification of a whole ledger.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;

use crate::account::Outcome;
use crate::decisions_by_number::DecisionsByNumber;
use crate::file_identity::FileIdentity;
use crate::files::{beside, is_readable_by_others};
use crate::finding::{Finding, Verification};
use crate::head::{Agreement, FoundHead};
use crate::key::Key;
use crate::members::{Rolls, enter, everybody};
use crate::runs::{self, Run};
use crate::state::State;
use crate::tally::Tally;
use crate::{Allowance, Holder};

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
    check_strangers(connection, &state, &mut findings)?;
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
    if state.place.as_ref().is_some_and(|place| !place.is_same(&FileIdentity::for_file(key, path)))
    {
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

/// Checks pages and indices with SQLite's own check.
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

/// Checks that the persons of an account are those that its entries name, in the numbers that they
/// state, and that none was charged beyond their allowance, going through the entries in order.
fn check_persons(
    connection: &Connection,
    key: &Key,
    state: &State,
    index: usize,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let account = &state.accounts[index];
    if !account.dataset.is_of_persons() && !account.dataset.watch_moves {
        return Ok(());
    }
    let everybody = match everybody(connection, key, &Rolls::default(), state, index)? {
        Ok(everybody) => everybody,
        Err(seq) => {
            findings.push(Finding::fault(seq, "its persons were changed after it was written"));
            return Ok(());
        }
    };
    // Whoever moves between tiers is watched: the accounts are those of tiers.
    if !account.dataset.is_of_persons() {
        return Ok(());
    }
    let parts: BTreeMap<u64, &Vec<Vec<Run>>> =
        everybody.charged.iter().map(|(seq, named)| (*seq, &named.parts)).collect();
    for (seq, named) in &everybody.amended {
        let parts = state.amendments.get(seq).map_or(&[][..], |amended| &amended.parts);
        let is_as_said = |((_, _, persons), runs): (&(Holder, Allowance, u64), &Vec<Run>)| {
            runs::count(runs) == *persons
        };
        if !parts.iter().zip(&named.parts).all(is_as_said) {
            findings.push(Finding::fault(*seq, "its persons were changed after it was written"));
        }
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
    let mut tallies: Vec<Tally> = vec![Tally::default(); everybody.roll.len()];
    let mut decisions = DecisionsByNumber::new(everybody.roll.len());
    let mut amended = everybody.amended.iter().peekable();
    for (at, seq, begins) in events {
        while let Some((seq, named)) = amended.next_if(|(seq, _)| *seq < at) {
            if let Some(amended) = state.amendments.get(seq) {
                enter(&mut decisions, &amended.parts, named);
            }
        }
        let (Some(reserve), Some(parts)) = (state.reserves.get(&seq), parts.get(&seq)) else {
            continue;
        };
        let from_elsewhere = matches!(reserve.outcome, Outcome::Elsewhere { .. });
        let (mut as_said, mut beyond) = (parts.len() == reserve.items.len(), false);
        for (place, (item, runs)) in reserve.items.iter().zip(parts.iter()).enumerate() {
            let is_free = item.cost.epsilon.is_zero();
            as_said &= runs::count(runs) == if is_free { 0 } else { item.persons };
            let allowed = item.allowed.unwrap_or(Allowance::NOTHING);
            let counted = reserve.counted_cost(place);
            for number in runs.iter().flat_map(|run| run.from..run.to) {
                let tally = &mut tallies[number as usize];
                if begins {
                    let decided = decisions.get(number).map(|(_, decided, _)| decided);
                    let allowed = decided.map_or(allowed, |decided| allowed.min(decided));
                    // What was lost elsewhere may be more than anybody allows.
                    beyond |= !from_elsewhere && !allowed.fits(item.cost, tally.cost());
                    tally.add(item.cost);
                } else {
                    tally.take_back(item.cost);
                    tally.add(counted);
                }
            }
        }
        if !as_said && begins {
            findings.push(Finding::fault(seq, "its persons were changed after it was written"));
        }
        if beyond {
            findings.push(Finding::fault(seq, "it charges persons beyond what they allow"));
        }
    }
    Ok(())
}

/// Checks that no persons are stored for reservations that do not exist.
fn check_strangers(
    connection: &Connection,
    state: &State,
    findings: &mut Vec<Finding>,
) -> rusqlite::Result<()> {
    let mut statement =
        connection.prepare("SELECT entry FROM person UNION SELECT entry FROM charged")?;
    let entries = statement.query_map([], |row| row.get::<_, i64>(0))?;
    for entry in entries {
        let seq = u64::try_from(entry?).unwrap_or(u64::MAX);
        let of_reserve = state.reserves.get(&seq).map(|reserve| reserve.members.is_some());
        let of_amendment = state.amendments.get(&seq).map(|amended| amended.members.is_some());
        if !of_reserve.or(of_amendment).unwrap_or(false) {
            findings.push(Finding::fault(
                None,
                "there are persons of a reservation that does not exist",
            ));
        }
    }
    Ok(())
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
