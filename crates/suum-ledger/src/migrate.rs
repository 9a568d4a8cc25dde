//! Migration of a ledger from the first version to the second.
//!
//! In the first version every member of a reservation was a row: `member  entry │ part │ person`,
//! and a reservation named a digest of its rows. Here the rows are checked against these digests,
//! written as numbers, and dropped; an entry names the digests that the reservations have from then
//! on. All of it is one transaction.

use rusqlite::{Connection, TransactionBehavior};
use suum_core::{Error, option};

use crate::account::Reserve;
use crate::body::{Body, MembersBody, MigrateBody};
use crate::clock::Clock;
use crate::entry::Entry;
use crate::failure::Failure;
use crate::files::hex;
use crate::foundation::new_entry;
use crate::head::FoundHead;
use crate::key::{Key, Use};
use crate::members::Members;
use crate::roll::Roll;
use crate::state::State;
use crate::{PersonHash, runs, schema};

/// Migrates the tables; returns `None` if another process was faster.
pub(crate) fn migrate(
    connection: &mut Connection,
    key: &Key,
    head: FoundHead,
    path: &std::path::Path,
    clock: &Clock,
) -> Result<Option<Entry>, Failure> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if schema::version(&transaction)? == schema::VERSION {
        return Ok(None);
    }
    // A ledger with a fault stays as it is, and is refused.
    let state = State::strict(&transaction, key, head, path, false)?;
    transaction.execute_batch(schema::MIGRATIONS[1])?;
    let mut digests = Vec::new();
    for account in &state.accounts {
        let mut roll = Roll::default();
        let reserves =
            account.reserves.iter().filter_map(|seq| Some((*seq, state.reserves.get(seq)?)));
        for (seq, reserve) in reserves {
            let Some(expected) = &reserve.members else { continue };
            let members = read(&transaction, key, seq, reserve, expected, &mut roll)?;
            members.0.write(&transaction, seq)?;
            digests.push((seq, members.0.body(members.1, key).digest));
        }
    }
    digests.sort_unstable_by_key(|(seq, _)| *seq);
    let strangers: bool = transaction.query_row(
        "SELECT EXISTS (SELECT 1 FROM member WHERE entry NOT IN (SELECT entry FROM charged))",
        [],
        |row| row.get(0),
    )?;
    if strangers {
        return Err(changed(None));
    }
    transaction.execute_batch(schema::MOVED)?;
    schema::set_version(&transaction, schema::VERSION)?;
    let body = Body::Migrate(MigrateBody { to: schema::VERSION, members: digests });
    let entry = new_entry(key, state.newest + 1, clock.now(), &body, None, state.hash)?;
    entry.insert(&transaction)?;
    transaction.commit()?;
    Ok(Some(entry))
}

/// Reads the members of a reservation of the first version, and the number of persons before it.
fn read(
    connection: &Connection,
    key: &Key,
    seq: u64,
    reserve: &Reserve,
    expected: &MembersBody,
    roll: &mut Roll,
) -> Result<(Members, usize), Failure> {
    let mut statement = connection
        .prepare("SELECT part, person FROM member WHERE entry = ? ORDER BY part, person")?;
    let mut rows = statement.query([seq])?;
    let mut hasher = key.hasher(Use::Members);
    let (mut count, first) = (0, roll.len());
    let mut numbers: Vec<Vec<u32>> = vec![Vec::new(); reserve.items.len()];
    let mut new: Vec<PersonHash> = Vec::new();
    while let Some(row) = rows.next()? {
        let (part, person): (u32, [u8; 16]) = (row.get(0)?, row.get(1)?);
        hasher.update(&part.to_le_bytes());
        hasher.update(&person);
        count += 1;
        let number = match roll.number(PersonHash(person)) {
            Some(number) => number,
            None => {
                new.push(PersonHash(person));
                roll.extend(vec![PersonHash(person)]);
                roll.len() as u32 - 1
            }
        };
        numbers.get_mut(part as usize).ok_or_else(|| changed(Some(seq)))?.push(number);
    }
    if count != expected.count || hex(hasher.finalize().as_bytes()) != expected.digest {
        return Err(changed(Some(seq)));
    }
    let sorted = numbers.into_iter().map(|mut part| {
        part.sort_unstable();
        runs::group_numbers(&part).ok_or_else(|| changed(Some(seq)))
    });
    Ok((Members::new(new, sorted.collect::<Result<_, _>>()?), first))
}

fn changed(seq: Option<u64>) -> Failure {
    let place = seq.map(|seq| format!("entry {seq}: ")).unwrap_or_default();
    Error::ledger(option::LEDGER, format!("{place}its persons were changed after it was written"))
        .with_fix("verify the ledger with the suum that wrote it, and put back a sound copy")
        .into()
}
