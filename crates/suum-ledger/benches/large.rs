//! How a ledger bears a million persons and thousands of releases: `cargo bench -p suum-ledger`
//! prints times and memory.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::time::Instant;

use serde_json::json;
use suum_core::Neighbors;
use suum_ledger::{
    Accounts, Amount, Charges, Columns, Dataset, Holder, Ledger, Lifetime, Part, Spent,
};

const PERSONS: u32 = 1_000_000;

/// The most memory that this process ever had, in MB; zero where nobody says.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn a_million_persons() {
    // On a real disk, so that the syncs are real.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let mut ledger = Ledger::create(&path).unwrap();
    let accounts = Accounts::Persons(Lifetime::Same(Amount::micros(1_000_000)));
    ledger
        .add_dataset(Dataset {
            name: "d".into(),
            neighbors: Neighbors::ReplaceOne,
            accounts,
            delta: None,
        })
        .unwrap();
    let start = Instant::now();
    let key = ledger.person_key();
    let persons: Vec<_> = (0..PERSONS).map(|person| key.hash(&person.to_le_bytes())).collect();
    println!("hashing: {:.2?}, {} MB", start.elapsed(), peak());
    let charges = Charges::Persons(vec![Part {
        holder: Holder::Everybody,
        charge: Amount::micros(10_000),
        persons,
    }]);
    for round in 1..=10 {
        let before = std::fs::metadata(&path).unwrap().len();
        let start = Instant::now();
        let reservation = ledger.reserve("d", &charges, &Columns::default(), &json!({})).unwrap();
        let reserved = start.elapsed();
        let start = Instant::now();
        reservation.draw(|_| Ok(())).unwrap().1.settle(Spent::AsReserved, &json!({})).unwrap();
        let settled = start.elapsed();
        let grown = (std::fs::metadata(&path).unwrap().len() - before) as f64 / f64::from(PERSONS);
        println!(
            "release {round}: reserve {reserved:.2?}, settle {settled:.2?}, {grown:.1} bytes a \
            member, {} MB",
            peak()
        );
    }
    let start = Instant::now();
    let spent = ledger.spent_by_persons("d").unwrap();
    println!("spent by persons: {:.2?}", start.elapsed());
    assert_eq!(spent.len(), PERSONS as usize);
    let start = Instant::now();
    assert!(ledger.verify().unwrap().is_sound());
    println!("verify: {:.2?}, {} MB", start.elapsed(), peak());
}

fn thousands_of_releases() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::create(folder.path().join("ledger")).unwrap();
    let accounts = Accounts::Tiers(vec![("a".into(), Amount::Unlimited)]);
    ledger
        .add_dataset(Dataset {
            name: "d".into(),
            neighbors: Neighbors::ReplaceOne,
            accounts,
            delta: None,
        })
        .unwrap();
    // As long as a certificate of some tiers.
    let certificate = json!({"certificate": "x".repeat(3_000)});
    for round in 0..=2000 {
        let start = Instant::now();
        let charges = Charges::Tiers(vec![("a".into(), Amount::micros(1))]);
        let reservation = ledger.reserve("d", &charges, &Columns::default(), &certificate).unwrap();
        let reserved = start.elapsed();
        reservation.draw(|_| Ok(())).unwrap().1.settle(Spent::AsReserved, &certificate).unwrap();
        if round % 500 == 0 {
            println!("release {round}: reserve {reserved:.2?}, both {:.2?}", start.elapsed());
        }
    }
    let start = Instant::now();
    assert!(ledger.verify().unwrap().is_sound());
    println!("verify: {:.2?}", start.elapsed());
}

fn main() {
    a_million_persons();
    thousands_of_releases();
}
