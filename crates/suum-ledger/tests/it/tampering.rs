//! Entries and members that were changed behind the ledger's back.

use std::path::Path;

use rusqlite::Connection;
use suum_core::{ErrorKind, Neighbors};
use suum_ledger::{
    Amendment, Amount, Charges, Columns, Decision, Direction, Holder, Ledger, Lifetime, Part,
};

use crate::common::{folder, plan, release, tiers, with_persons, with_tiers};

/// All that a forger without the key could do: the triggers come back as they were.
pub(crate) fn forge(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    let triggers: Vec<(String, String)> = connection
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (name, _) in &triggers {
        connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    connection.execute_batch(sql).unwrap();
    for (_, sql) in &triggers {
        connection.execute_batch(sql).unwrap();
    }
}

/// The forgery is refused by everything, and named by verify.
fn assert_noticed(path: &Path, what: &str) {
    let verification = Ledger::verify_file(path).unwrap();
    assert!(
        verification.faults().any(|fault| fault.what.contains(what)),
        "{what}: {:?}",
        verification.findings
    );
    match Ledger::open(path) {
        Err(error) => assert_eq!(error.kind(), ErrorKind::Ledger, "{error}"),
        // Members are read when they are needed.
        Ok(mut ledger) => {
            let key = ledger.person_key();
            let part = Part {
                holder: Holder::Everybody,
                charge: Amount::micros(1),
                persons: vec![key.hash(b"new")].into(),
            };
            let charges = Charges::Persons(vec![part]);
            let refused = ledger
                .reserve("people", &charges, &Columns::default(), &plan())
                .map(|_| ())
                .unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Ledger, "{refused}");
        }
    }
}

#[test]
fn every_change_of_an_entry_is_noticed() {
    for (sql, what) in [
        ("UPDATE entry SET body = replace(body, '2000', '1000') WHERE seq = 5", "changed"),
        (
            r#"UPDATE entry SET body = replace(body, '"declared":[]', '"declared":["h"]')
                WHERE seq = 5"#,
            "changed",
        ),
        (
            "UPDATE entry SET body = replace(body, '\"file\":\"', '\"file\":\"0') WHERE seq = 1",
            "changed",
        ),
        ("UPDATE entry SET body = body || ' ' WHERE seq = 4", "changed"),
        ("UPDATE entry SET document = '{}' WHERE seq = 3", "changed"),
        ("UPDATE entry SET document = NULL WHERE seq = 3", "changed"),
        ("UPDATE entry SET document = '' WHERE seq = 1", "changed"),
        ("UPDATE entry SET at = '2000-01-01T00:00:00Z' WHERE seq = 3", "changed"),
        ("UPDATE entry SET kind = 'cancel' WHERE seq = 3", "changed"),
        ("UPDATE entry SET hash = zeroblob(32) WHERE seq = 6", "changed"),
        ("UPDATE entry SET hash = x'00' WHERE seq = 6", "changed"),
        ("UPDATE entry SET previous = zeroblob(32) WHERE seq = 6", "follow"),
        ("UPDATE entry SET body = '' WHERE seq = 3", "kind or form"),
        (
            "UPDATE entry SET body = json_remove(body, '$.tiers') WHERE seq = 3",
            "form of its dataset",
        ),
        ("UPDATE entry SET body = json_remove(body, '$.columns') WHERE seq = 3", "kind or form"),
        ("UPDATE entry SET body = '[[[[' WHERE seq = 2", "kind or form"),
        ("UPDATE entry SET kind = 'gift' WHERE seq = 2", "kind or form"),
        ("DELETE FROM entry WHERE seq = 4", "missing"),
        ("DELETE FROM entry WHERE seq = 1", "missing"),
        ("DELETE FROM entry WHERE seq = 6", "it had 6 entries and now has 5"),
        ("DELETE FROM entry", "no entries"),
        (
            "UPDATE entry SET seq = 40 WHERE seq = 4; UPDATE entry SET seq = 4 WHERE seq = 6;
          UPDATE entry SET seq = 6 WHERE seq = 40",
            "changed",
        ),
        ("UPDATE entry SET seq = seq + 1 WHERE seq = 6", "missing"),
        (
            "INSERT INTO entry SELECT 7, at, kind, body, document, hash, hash FROM entry WHERE seq \
            = 6",
            "changed",
        ),
        (
            "INSERT INTO entry SELECT 7, at, 'dataset', replace(body, 'visits', 'more'), NULL, \
            hash, hash
          FROM entry WHERE seq = 2",
            "changed",
        ),
        ("UPDATE entry SET seq = -6 WHERE seq = 6", "damaged or"),
    ] {
        let folder = folder();
        let (path, mut ledger) = with_tiers(&folder);
        release(&mut ledger, "visits", &tiers(&[("strict", 1_000)])).unwrap();
        release(&mut ledger, "visits", &tiers(&[("strict", 2_000)])).unwrap();
        drop(ledger);
        Ledger::open(&path).unwrap();
        forge(&path, sql);
        if sql.contains("seq = -6") {
            // A number that no ledger gives: there is nothing to go through.
            assert_eq!(Ledger::open(&path).unwrap_err().kind(), ErrorKind::Ledger);
            continue;
        }
        assert_noticed(&path, what);
    }
}

#[test]
fn every_change_of_a_member_is_noticed() {
    let changed = "persons were changed";
    for (sql, what) in [
        ("DELETE FROM person WHERE entry = 3", changed),
        ("DELETE FROM charged WHERE entry = 3", changed),
        ("UPDATE person SET hashes = substr(hashes, 17)", changed),
        ("UPDATE person SET hashes = zeroblob(48)", changed),
        ("UPDATE person SET hashes = CAST(hashes || zeroblob(16) AS BLOB)", changed),
        ("UPDATE person SET hashes = CAST(hashes || x'00' AS BLOB)", changed),
        (
            "UPDATE person SET hashes = CAST(substr(hashes, 17) || substr(hashes, 1, 16) AS BLOB)",
            changed,
        ),
        ("UPDATE person SET piece = 1", changed),
        ("INSERT INTO person VALUES (3, 1, zeroblob(16))", changed),
        ("INSERT INTO person VALUES (3, -1, x'')", changed),
        // Ann, Bob and Cat as one part, nobody, or bytes that say nothing.
        ("UPDATE charged SET runs = x'0100020000'", changed),
        ("UPDATE charged SET runs = x'0000'", changed),
        ("UPDATE charged SET runs = zeroblob(0)", changed),
        ("UPDATE charged SET runs = x'FFFFFFFFFFFFFFFF'", changed),
        ("UPDATE charged SET runs = CAST(runs || x'00' AS BLOB)", changed),
        ("INSERT INTO person VALUES (2, 0, zeroblob(16))", "does not exist"),
        ("INSERT INTO person VALUES (5, 0, zeroblob(16))", "does not exist"),
        ("INSERT INTO person VALUES (-5, 0, zeroblob(16))", "does not exist"),
        ("INSERT INTO charged VALUES (5, x'00')", "does not exist"),
    ] {
        let folder = folder();
        let (path, mut ledger) =
            with_persons(&folder, Lifetime::Same(Amount::micros(1_000)), Neighbors::ReplaceOne);
        let key = ledger.person_key();
        let part = |charge, names: &[&str]| Part {
            holder: Holder::Everybody,
            charge: Amount::micros(charge),
            persons: names.iter().map(|name| key.hash(name.as_bytes())).collect(),
        };
        let charges = Charges::Persons(vec![part(10, &["ann", "bob"]), part(20, &["cat"])]);
        release(&mut ledger, "people", &charges).unwrap();
        drop(ledger);
        forge(&path, sql);
        let verification = Ledger::verify_file(&path).unwrap();
        assert!(
            verification.faults().any(|fault| fault.what.contains(what)),
            "{sql}: {verification:?}"
        );
        if what == changed || sql.contains("(5") {
            assert_noticed(&path, what);
        }
    }
}

#[test]
fn every_change_of_an_amendment_is_noticed() {
    let changed = "persons were changed";
    for (sql, what) in [
        ("DELETE FROM charged WHERE entry = 3", changed),
        // Another day, another unit, one time less, and one more.
        ("UPDATE charged SET runs = CAST(substr(runs, 1, 4) || x'04' AS BLOB)", changed),
        ("UPDATE charged SET runs = CAST(substr(runs, 1, 3) || x'0102' AS BLOB)", changed),
        ("UPDATE charged SET runs = CAST(substr(runs, 1, 4) AS BLOB)", changed),
        ("UPDATE charged SET runs = CAST(runs || x'00' AS BLOB)", changed),
        ("UPDATE person SET hashes = zeroblob(16)", changed),
        (
            "UPDATE entry SET body = replace(body, 'no-consent', 'everybody') WHERE seq = 3",
            "changed after it was written",
        ),
        (
            "UPDATE entry SET body = replace(body, '\"persons\":1', '\"persons\":2') WHERE seq = 3",
            "changed after it was written",
        ),
        ("DELETE FROM entry WHERE seq = 3", "it had 3 entries and now has 2"),
    ] {
        let folder = folder();
        let (path, mut ledger) =
            with_persons(&folder, Lifetime::Same(Amount::micros(1_000)), Neighbors::ReplaceOne);
        let withdrawal = Decision {
            person: ledger.person_key().hash(b"ann"),
            holder: Holder::NoConsent,
            from: Some(86_400_000_000),
            has_reference: false,
        };
        let amendment = Amendment {
            tiers: Vec::new(),
            decisions: vec![withdrawal],
            direction: Direction::LowerAndRaise,
            because: None,
            register: None,
        };
        ledger.amend("people", &amendment).unwrap();
        drop(ledger);
        forge(&path, sql);
        let verification = Ledger::verify_file(&path).unwrap();
        assert!(
            verification.faults().any(|fault| fault.what.contains(what)),
            "{sql}: {verification:?}"
        );
        assert_noticed(&path, what);
    }
}

#[test]
fn accidents_are_refused_by_the_tables_themselves() {
    let folder = folder();
    let (path, mut ledger) =
        with_persons(&folder, Lifetime::Same(Amount::micros(1_000)), Neighbors::ReplaceOne);
    let persons = vec![ledger.person_key().hash(b"ann")].into();
    let part = Part { holder: Holder::Everybody, charge: Amount::micros(1), persons };
    release(&mut ledger, "people", &Charges::Persons(vec![part])).unwrap();
    let connection = Connection::open(&path).unwrap();
    for sql in [
        "UPDATE entry SET at = 'now'",
        "DELETE FROM entry WHERE seq = 4",
        "INSERT INTO entry VALUES (9, '', '', '', NULL, x'', x'')",
        "REPLACE INTO entry VALUES (4, '', '', '', NULL, x'', x'')",
        "UPDATE person SET piece = 2",
        "DELETE FROM person",
        "INSERT INTO person VALUES (3, 1, zeroblob(16))",
        "UPDATE charged SET runs = x'00'",
        "DELETE FROM charged",
        "INSERT INTO charged VALUES (3, x'00')",
        "INSERT INTO entry VALUES ('a', '', '', '', NULL, x'', x'')",
    ] {
        assert!(connection.execute_batch(sql).is_err(), "{sql}");
    }
    assert_eq!(ledger.verify().unwrap().findings, []);
}

#[test]
fn other_tables_and_triggers_are_noticed() {
    for sql in [
        "DROP TRIGGER entry_delete",
        "CREATE TABLE more (a)",
        "CREATE TRIGGER gift AFTER INSERT ON charged BEGIN SELECT 1; END",
        "CREATE VIEW v AS SELECT * FROM entry",
        "CREATE INDEX i ON entry (at)",
        "DROP TABLE charged",
        "ALTER TABLE entry RENAME TO entries; CREATE VIEW entry AS SELECT * FROM entries WHERE seq \
        < 3",
    ] {
        let folder = folder();
        let (path, mut ledger) = with_tiers(&folder);
        release(&mut ledger, "visits", &tiers(&[("strict", 1_000)])).unwrap();
        drop(ledger);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        assert_eq!(Ledger::open(&path).unwrap_err().kind(), ErrorKind::Ledger, "{sql}");
        if let Ok(verification) = Ledger::verify_file(&path) {
            assert!(!verification.is_sound(), "{sql}");
        }
    }
}

#[test]
fn another_journal_mode_is_set_back() {
    let folder = folder();
    let (path, ledger) = with_tiers(&folder);
    drop(ledger);
    Connection::open(&path).unwrap().execute_batch("PRAGMA journal_mode = WAL").unwrap();
    let mut ledger = Ledger::open(&path).unwrap();
    release(&mut ledger, "visits", &tiers(&[("strict", 1_000)])).unwrap();
    let mode: String = Connection::open(&path)
        .unwrap()
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "delete");
}
