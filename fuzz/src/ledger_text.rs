//! Any text in place of what a ledger has written: in an entry, in its head or in its key. It is
//! found out, or harmless.
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::path;
use rusqlite::Connection;
use suum_core::Neighbors;
use suum_ledger::{Accounts, Amount, Charges, Columns, Dataset, FinalCost, Ledger, Lifetime};

/// The files of a ledger, in the order of [`written`].
const FILES: [&str; 3] = ["", ".head", ".key"];

/// What a small ledger with tiers, persons, and a release of the tiers has in its files.
static WRITTEN: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let original = path("original.ledger");
    let mut ledger = Ledger::create(&original).expect("a ledger");
    let tiers = vec![
        ("strict".to_owned(), Amount::micros(100_000)),
        ("public".to_owned(), Amount::Unlimited),
    ];
    for (name, accounts) in [
        ("tiers", Accounts::Tiers(tiers)),
        ("persons", Accounts::Persons(Lifetime::Same(Amount::micros(7)))),
    ] {
        let dataset = Dataset::new(name, Neighbors::ReplaceOne, accounts);
        ledger.add_dataset(dataset).expect("accounts");
    }
    let charges = Charges::Tiers(vec![("strict".to_owned(), Amount::micros(60_000))]);
    let request = serde_json::json!({"statistic": "mean"});
    let columns = Columns { values: ["visits".to_owned()].into(), ..Columns::default() };
    let reserved = ledger.reserve("tiers", &charges, &columns, &request).expect("a reservation");
    let ((), drawn) = reserved.draw(|_| Ok(())).expect("a release");
    drawn.settle(FinalCost::AsReserved, &request).expect("a settlement");
    drop(ledger);
    FILES.map(|ending| fs::read(beside(&original, ending)).expect("a file of the ledger"))
});

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Columns of text, in any entry.
const COLUMNS: [&str; 4] = ["at", "kind", "body", "document"];

/// Any text in place of what a ledger has written: in an entry, in its head or in its key. It is
/// found out, or harmless.
///
/// # Panics
///
/// If that is not so.
pub fn ledger_text(bytes: &[u8]) {
    let Some(([place, entry], text)) = bytes.split_first_chunk::<2>() else { return };
    let copy = path("copy.ledger");
    for (ending, written) in FILES.iter().zip(WRITTEN.iter()) {
        fs::write(beside(&copy, ending), written).expect("a temporary file");
    }
    let changed = match place % 6 {
        file @ (1 | 2) => {
            fs::write(beside(&copy, FILES[usize::from(file)]), text).expect("a temporary file");
            // The same key can be written in other ways.
            false
        }
        column => {
            let Ok(text) = std::str::from_utf8(text) else { return };
            let column = COLUMNS[usize::from(column.saturating_sub(2))];
            let database = Connection::open(&copy).expect("a database");
            // The triggers are put back as they were: whoever tampers with a ledger would do so.
            let trigger: String = database
                .query_row("SELECT sql FROM sqlite_schema WHERE name = 'entry_update'", [], |row| {
                    row.get(0)
                })
                .expect("a trigger");
            database.execute_batch("DROP TRIGGER entry_update").expect("no trigger");
            let update =
                format!("UPDATE entry SET {column} = ?1 WHERE seq = ?2 AND {column} IS NOT ?1");
            let changed = database.execute(&update, (text, entry % 5 + 1)).expect("a change");
            database.execute_batch(&trigger).expect("a trigger");
            changed > 0
        }
    };
    match Ledger::verify_file(&copy) {
        Ok(verification) => assert!(!verification.is_sound() || !changed, "nobody noticed"),
        Err(refused) => assert!(refused.fix().is_some(), "{refused}"),
    }
    match Ledger::open_to_read(&copy) {
        Ok(ledger) => {
            for dataset in ledger.datasets().unwrap_or_default() {
                let _ = (ledger.balance(&dataset.name), ledger.history(&dataset.name));
            }
        }
        Err(refused) => assert!(refused.fix().is_some(), "{refused}"),
    }
}
