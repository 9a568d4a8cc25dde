//! The power fails at every write and every sync, and the ledger forgets nothing that it said it
//! had kept.
//!
//! One process works with a ledger whose every write is logged. For every point of the log and
//! several fates of the writes that were not synced, the disk is built as it could be, the ledger
//! opened, and its accounts compared with those at that time.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::path::Path;
use std::sync::Mutex;

use serde_json::json;
use suum_core::Neighbors;
use suum_ledger::{
    Accounts, Amendment, Amount, Charges, Columns, Cost, Dataset, Decision, Direction, FinalCost,
    Holder, Ledger, Lifetime, Part, Persons, ReservationRecord, Severity, TierPeople,
};
use suum_ledger_disk::{Disk, Failing, Loss, Op, install, mark, record, take};

/// There is one log in a process: only one test at a time may keep it.
static ONE: Mutex<()> = Mutex::new(());

fn one_at_a_time() -> std::sync::MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn folder() -> tempfile::TempDir {
    // In memory where there is such a place: the tests decide what is on the "disk".
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

/// Everything that the accounts say.
fn accounts(ledger: &Ledger) -> String {
    let mut all = String::new();
    for dataset in ledger.datasets().unwrap() {
        let history = ledger.history(&dataset.name).unwrap();
        let amendments = ledger.amendments(&dataset.name).unwrap();
        let balance = ledger.balance(&dataset.name).unwrap();
        all += &format!("{dataset:?} {balance:?} {history:?} {amendments:?}\n");
    }
    all
}

fn tiers(strict: u64, relaxed: u64) -> Charges {
    Charges::Tiers(vec![
        ("strict".into(), Amount::micros(strict)),
        ("relaxed".into(), Amount::micros(relaxed)),
    ])
}

fn persons(ledger: &Ledger, range: std::ops::Range<u32>, charge: u64) -> Charges {
    let key = ledger.person_key();
    let persons = range.map(|person| key.hash(&person.to_le_bytes())).collect();
    Charges::Persons(vec![Part {
        holder: Holder::Everybody,
        charge: Amount::micros(charge),
        persons,
    }])
}

fn with_datasets(path: &Path) -> Ledger {
    let mut ledger = Ledger::create(path).unwrap();
    let allowed =
        vec![("strict".into(), Amount::micros(100_000)), ("relaxed".into(), Amount::Unlimited)];
    let tiers = Accounts::Tiers(allowed);
    let neighbors = Neighbors::ReplaceOne;
    let dataset = Dataset::new("tiers", neighbors, tiers);
    let watched = Dataset { name: "watched".into(), watch_moves: true, ..dataset.clone() };
    ledger.add_dataset(dataset).unwrap();
    ledger.add_dataset(watched).unwrap();
    let persons = Accounts::Persons(Lifetime::Same(Amount::micros(50_000)));
    ledger.add_dataset(Dataset::new("persons", neighbors, persons)).unwrap();
    ledger
}

/// What one run does; `told` is called whenever the ledger has said that an entry is kept.
fn work(ledger: &mut Ledger, count: u32, mut told: impl FnMut()) -> suum_core::Result<()> {
    let plan = json!({"statistic": "mean"});
    for round in 0..2 {
        let open =
            ledger.reserve("tiers", &tiers(7_000 + round, 1_000), &Columns::default(), &plan)?;
        told();
        drop(open);
        let reservation = ledger.reserve("tiers", &tiers(5_000, 0), &Columns::default(), &plan)?;
        told();
        reservation.cancel()?;
        told();
        let ((), drawn) = ledger
            .reserve("tiers", &tiers(9_000, 2_000), &Columns::default(), &plan)?
            .draw(|_| {
                told();
                Ok(())
            })?;
        let spent =
            vec![("strict".into(), Amount::micros(8_999).into()), ("relaxed".into(), Cost::ZERO)];
        // A certificate that fills more than one page.
        drawn.settle(FinalCost::Tiers(spent), &json!({"estimate": "x".repeat(9_000)}))?;
        told();
        let charges = persons(ledger, 0..count, 3_000);
        let ((), drawn) =
            ledger.reserve("persons", &charges, &Columns::default(), &plan)?.draw(|_| {
                told();
                Ok(())
            })?;
        drawn.settle(FinalCost::Parts(vec![Amount::micros(2_000).into()]), &plan)?;
        told();
        ledger.charge("tiers", &tiers(1_500, 0), "a table")?;
        told();
        // Some of the people of the first round have moved in the second.
        let people = people_of_tiers(ledger, count, 3 * round as u32);
        let record = ReservationRecord {
            request: &plan,
            register: None,
            people: Some(&people),
            delta: None,
        };
        let charges = tiers(700 + round, 100);
        let ((), drawn) =
            ledger.reserve("watched", &charges, &Columns::default(), record)?.draw(|_| {
                told();
                Ok(())
            })?;
        drawn.settle(FinalCost::AsReserved, &plan)?;
        told();
        // Of some whom releases have charged, and of some whom they have not.
        let charges = persons(ledger, count / 2..count + 9, 100);
        ledger.charge("persons", &charges, "a table")?;
        told();
        let lower = ("strict".into(), Amount::micros(99_999 - round));
        ledger.amend("tiers", &amendment(vec![lower], Vec::new()))?;
        told();
        // Of some who are known, and of some who are not.
        let first = count + 4 * round as u32;
        let strangers = count + 100 * (round as u32 + 1)..count + 100 * (round as u32 + 1) + 40;
        let decisions = withdrawals(ledger, (first..first + 4).chain(strangers));
        ledger.amend("persons", &amendment(Vec::new(), decisions))?;
        told();
    }
    Ok(())
}

/// People in two tiers, of whom this many moved.
fn people_of_tiers(ledger: &Ledger, count: u32, moved: u32) -> TierPeople {
    let key = ledger.person_key();
    let persons = |range: std::ops::Range<u32>| {
        range.map(|person| key.hash(&person.to_le_bytes())).collect::<Persons>()
    };
    let middle = count / 2 + moved;
    let tiers =
        vec![("strict".into(), persons(0..middle)), ("relaxed".into(), persons(middle..count))];
    TierPeople { tiers, may_have_moved: true }
}

fn amendment(tiers: Vec<(String, Amount)>, decisions: Vec<Decision>) -> Amendment {
    let direction = Direction::LowerAndRaise;
    Amendment { tiers, decisions, direction, because: None, register: None }
}

fn withdrawals(ledger: &Ledger, persons: impl Iterator<Item = u32>) -> Vec<Decision> {
    let key = ledger.person_key();
    let withdrawal = |person: u32| Decision {
        person: key.hash(&person.to_le_bytes()),
        holder: Holder::NoConsent,
        from: Some(i64::from(person) * 1_000_000),
        has_reference: false,
    };
    persons.map(withdrawal).collect()
}

/// A log of the work, and the accounts after every entry.
struct Run {
    disk: Disk,
    log: Vec<Op>,
    accounts: Vec<String>,
}

fn run(count: u32) -> Run {
    install();
    let _one = one_at_a_time();
    let folder = folder();
    let path = folder.path().join("ledger");
    let mut ledger = with_datasets(&path);
    let disk = Disk::new(folder.path(), "ledger.head").unwrap();
    let mut states = vec![accounts(&ledger)];
    record(&folder.path().join("ledger.head"), None);
    work(&mut ledger, count, || {
        states.push(accounts(&Ledger::open_to_read(&path).unwrap()));
        mark(states.len() - 1);
    })
    .unwrap();
    Run { disk, log: take(), accounts: states }
}

/// Opens what is left in a folder; returns its accounts if it is sound.
fn recover(folder: &Path) -> Result<String, String> {
    let path = folder.join("ledger");
    let opened = match Ledger::open(&path) {
        // The disk was built in another folder.
        Err(refused) if refused.to_string().contains("made elsewhere") => {
            Ledger::accept_move(&path)
        }
        opened => opened,
    };
    let ledger = opened.map_err(|error| error.to_string())?;
    let verification = ledger.verify().map_err(|error| error.to_string())?;
    match verification.findings.iter().find(|finding| finding.severity == Severity::Fault) {
        Some(fault) => Err(fault.to_string()),
        None => Ok(accounts(&ledger)),
    }
}

/// Fails the power at every `every`th point of the log, with every fate of what was not synced.
/// Returns the number of disks that were tried and the first one that was wrong.
fn fail_power(run: &Run, mut disk: Disk, every: usize, seeds: u64) -> (usize, Option<String>) {
    let (mut tried, mut told) = (0, 0);
    for (point, op) in run.log.iter().enumerate() {
        disk.apply(op);
        if let Op::Mark(step) = op {
            told = *step;
        } else if point % every != 0 {
            continue;
        }
        let some = (0..seeds).flat_map(|seed| {
            let seed = seed + 1000 * point as u64;
            [Loss::SomeWrites(seed), Loss::SomeSectors(seed)]
        });
        for loss in [Loss::Nothing, Loss::Everything].into_iter().chain(some) {
            let folder = folder();
            disk.lose_power(loss, folder.path()).unwrap();
            tried += 1;
            let wrong = match recover(folder.path()) {
                // What was told is kept; what was being written may be.
                Ok(found) if run.accounts[told..].iter().take(2).any(|state| *state == found) => {
                    continue;
                }
                Ok(_) => "the accounts are not those of that time".to_owned(),
                Err(refused) => refused,
            };
            return (tried, Some(format!("after {point} ({told} told, {loss:?}): {wrong}")));
        }
    }
    (tried, None)
}

#[test]
#[ignore = "takes seconds"]
fn no_loss_of_power_loses_a_charge() {
    let run = run(60);
    assert!(
        run.accounts.windows(2).all(|pair| pair[0] != pair[1]),
        "every entry shows in the accounts"
    );
    let syncs = run.log.iter().filter(|op| matches!(op, Op::Sync(_))).count();
    assert!(syncs >= 3 * (run.accounts.len() - 1), "journal twice and database, for every entry");
    let (tried, wrong) = fail_power(&run, run.disk.clone(), 1, 4);
    assert_eq!(wrong, None);
    println!("{} operations, {tried} disks", run.log.len());
}

#[test]
#[ignore = "takes seconds"]
fn nor_does_one_during_a_large_transaction() {
    // More persons than fit into SQLite's cache, so that it writes to the file before it commits.
    let run = run(200_000);
    let (tried, wrong) = fail_power(&run, run.disk.clone(), 97, 1);
    assert_eq!(wrong, None);
    println!("{} operations, {tried} disks", run.log.len());
}

#[test]
fn a_disk_that_forgets_deletions_would_be_noticed() {
    // This is why synchronous = EXTRA: without the folder's sync a journal comes back, and takes a
    // charge with it.
    let run = run(20);
    let (_, wrong) = fail_power(&run, run.disk.clone().forgetful(), 1, 1);
    assert!(wrong.is_some());
}

#[test]
fn a_ledger_that_spoke_too_early_would_be_noticed() {
    let mut run = run(20);
    // Every message comes one operation before it did.
    for index in 1..run.log.len() {
        if matches!(run.log[index], Op::Mark(_)) {
            let earlier =
                (0..index).rev().find(|&at| matches!(run.log[at], Op::Delete(..))).unwrap();
            run.log[earlier..=index].rotate_right(1);
        }
    }
    let (_, wrong) = fail_power(&run, run.disk.clone(), 1, 1);
    assert!(wrong.is_some());
}

#[test]
#[ignore = "takes seconds"]
fn every_operation_may_fail() {
    use rusqlite::ffi::{SQLITE_FULL, SQLITE_IOERR_FSYNC, SQLITE_IOERR_WRITE};
    let whole = run(30);
    let _one = one_at_a_time();
    let (mut refused, mut messages) = (0, std::collections::BTreeSet::new());
    for code in [SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC] {
        for for_good in [false, true] {
            for at in (0..whole.log.len()).step_by(if for_good { 3 } else { 1 }) {
                let folder = folder();
                let path = folder.path().join("ledger");
                let mut ledger = with_datasets(&path);
                let mut told = 0;
                record(&folder.path().join("ledger.head"), Some(Failing { at, code, for_good }));
                let result = work(&mut ledger, 30, || told += 1);
                take();
                drop(ledger);
                if let Err(error) = result {
                    refused += 1;
                    messages.insert(error.to_string().replace(&path.display().to_string(), "FILE"));
                    assert!(error.fix().is_some(), "{error}");
                }
                // Amounts are those of that time; hashes and times differ from run to run, and are
                // not in the accounts.
                let found = recover(folder.path()).unwrap();
                let known: Vec<_> =
                    whole.accounts[told..].iter().take(2).map(|state| timeless(state)).collect();
                assert!(known.contains(&timeless(&found)), "{code} at {at}, {told} told");
            }
        }
    }
    assert!(refused > 100);
    for message in &messages {
        assert!(
            message.contains("no room") || message.contains("reading or writing failed"),
            "{message}"
        );
    }
}

/// Accounts without the times in them.
fn timeless(accounts: &str) -> String {
    let mut left = String::new();
    let mut rest = accounts;
    while let Some((before, after)) = rest.split_once("at: \"") {
        left += before;
        rest = after.split_once('"').map_or("", |(_, rest)| rest);
    }
    left + rest
}
