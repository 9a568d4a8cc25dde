//! Ledgers that the first version of the tables wrote.
//!
//! `first_version/` was made by the last suum of that version: tiers with a settled release of 0.05
//! and an open one of 0.007; persons of whom Ann and Bob were charged 90 and Cat 200 micro-ε, Dan
//! and Ann 300 by a release that is not settled, and Eve and Bob 500 by one that was cancelled.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use suum_core::ErrorKind;
use suum_ledger::{Amount, Balance, Charges, Cost, Holder, Ledger, Part};
use tempfile::TempDir;

use crate::common::{assert_sound, folder, release, tier_balances, tiers};

/// A copy of the files.
pub(crate) fn copy(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("ledger");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/first_version");
    for name in ["ledger", "ledger.key", "ledger.head"] {
        std::fs::copy(from.join(name), folder.path().join(name)).unwrap();
    }
    path
}

fn version(path: &Path) -> i64 {
    let connection = Connection::open(path).unwrap();
    connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_ledger_of_the_first_version_goes_on() {
    let folder = folder();
    let path = copy(&folder);
    let refused = Ledger::open_to_read(&path).unwrap_err();
    assert!(refused.to_string().contains("older suum"), "{refused}");
    assert_eq!(version(&path), 1);
    // It is somewhere else than where it was made.
    let mut ledger = Ledger::accept_move(&path).unwrap();
    assert_eq!(version(&path), 2);
    assert_sound(&ledger.verify().unwrap());
    let strict = &tier_balances(&ledger, "visits")[0];
    assert_eq!((strict.spent, strict.reserved), (Amount::micros(50_000), Amount::micros(7_000)));
    // What an old entry does not say of ρ is what its ε stands for.
    let pure = |micros| Cost::from(Amount::micros(micros)).rho;
    assert_eq!(strict.rho, pure(50_000).plus(pure(7_000)));
    let key = ledger.person_key();
    let spent = ledger.spent_by_persons("people").unwrap();
    for (name, micros) in
        [("ann", 390), ("bob", 90), ("cat", 200), ("dan", 300), ("eve", 0), ("zoe", 0)]
    {
        assert_eq!(spent.get(key.hash(name.as_bytes())), Amount::micros(micros), "{name}");
    }
    let Balance::Persons(balance) = ledger.balance("people").unwrap() else { panic!() };
    assert_eq!(balance.persons, 4);
    assert_eq!(ledger.history("people").unwrap()[0].plan["job"]["statistic"], "mean");
    // It is charged on, in the new tables.
    let part = |charge, names: &[&str]| Part {
        holder: Holder::Everybody,
        charge: Amount::micros(charge),
        persons: names.iter().map(|name| key.hash(name.as_bytes())).collect(),
    };
    let too_much = Charges::Persons(vec![part(611, &["ann"])]);
    assert_eq!(ledger.check("people", &too_much).unwrap_err().kind(), ErrorKind::Budget);
    let charges = Charges::Persons(vec![part(610, &["ann", "eve", "new"])]);
    release(&mut ledger, "people", &charges).unwrap();
    release(&mut ledger, "visits", &tiers(&[("strict", 43_000)])).unwrap();
    drop(ledger);
    let ledger = Ledger::open(&path).unwrap();
    let spent = ledger.spent_by_persons("people").unwrap();
    assert_eq!(spent.get(key.hash(b"ann")), Amount::micros(1_000));
    assert_eq!(spent.get(key.hash(b"eve")), Amount::micros(610));
    assert_sound(&ledger.verify().unwrap());
}

#[test]
fn an_old_ledger_that_was_tampered_with_stays_as_it_is() {
    for sql in [
        "DELETE FROM member WHERE person = (SELECT min(person) FROM member)",
        "UPDATE member SET part = 1 - part WHERE entry = 7",
        "INSERT INTO member VALUES (7, 0, zeroblob(16))",
        "INSERT INTO member VALUES (4, 0, zeroblob(16))",
        "UPDATE entry SET body = replace(body, '200', '100') WHERE seq = 7",
        "DELETE FROM entry WHERE seq = 10",
        "CREATE TABLE more (a)",
    ] {
        let folder = folder();
        let path = copy(&folder);
        crate::tampering::forge(&path, sql);
        let refused = Ledger::open(&path).map(|_| ()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Ledger, "{sql}: {refused}");
        assert_eq!(version(&path), 1, "{sql}");
    }
}

/// A crash before the commit leaves the old ledger, one after it the new one with an old head.
#[test]
fn a_migration_is_whole_or_not_at_all() {
    let folder = folder();
    let path = copy(&folder);
    let head = std::fs::read(folder.path().join("ledger.head")).unwrap();
    drop(Ledger::accept_move(&path).unwrap());
    let entries = Ledger::open(&path).unwrap().verify().unwrap().entries;
    std::fs::write(folder.path().join("ledger.head"), head).unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    assert_eq!(ledger.verify().unwrap().entries, entries);
    release(&mut ledger, "visits", &tiers(&[("strict", 1)])).unwrap();
    assert_sound(&ledger.verify().unwrap());
    // Several open it at once: one migrates, and all find the same.
    let folder = crate::common::folder();
    let path = copy(&folder);
    let balances: Vec<_> = std::thread::scope(|scope| {
        let open = || Ledger::open(&path).map(|_| ()).unwrap_err().to_string();
        let all: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(balances.iter().all(|said| said.contains("made elsewhere")), "{balances:?}");
    assert_eq!(version(&path), 2);
    let ledger = Ledger::accept_move(&path).unwrap();
    assert_sound(&ledger.verify().unwrap());
    assert_eq!(tier_balances(&ledger, "visits")[0].spent, Amount::micros(50_000));
}
