//! How a ledger bears a million persons and thousands of releases: `cargo bench -p suum-ledger`
//! prints times and memory.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::time::Instant;

use serde_json::json;
use suum_core::Neighbors;
use suum_ledger::{
    Accounts, Amount, Charges, Columns, Dataset, FinalCost, Holder, Ledger, Lifetime, Part,
};

/// A number from the environment.
fn number(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The most memory that this process ever had, in MB; zero where nobody says.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// How long this thread was at work, in seconds: what other programs take is not in it.
fn at_work() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn persons() {
    let (count, releases) = (number("PERSONS", 1_000_000), number("RELEASES", 10));
    // On a real disk, so that the syncs are real.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let mut ledger = Ledger::create(&path).unwrap();
    let accounts = Accounts::Persons(Lifetime::Same(Amount::micros(1_000_000)));
    ledger.add_dataset(Dataset::new("d", Neighbors::ReplaceOne, accounts)).unwrap();
    let start = Instant::now();
    let key = ledger.person_key();
    let persons: Vec<_> = (0..count).map(|person| key.hash(&person.to_le_bytes())).collect();
    println!("hashing: {:.2?}, {} MB", start.elapsed(), peak());
    // In three parts, and each time one in a hundred is not there.
    let charges = |round: u32| {
        let part = |part: u32| {
            let is_there =
                |at: &u32| at % 3 == part && at.wrapping_mul(2_654_435_761) >> 8 != round;
            let away = |at: &u32| {
                at.wrapping_add(round * 77).wrapping_mul(2_654_435_761).is_multiple_of(100)
            };
            let numbers = (0..count).filter(|at| is_there(at) && !away(at));
            Part {
                holder: Holder::Everybody,
                charge: Amount::micros(1_000 + u64::from(part)),
                persons: numbers.map(|at| persons[at as usize]).collect(),
            }
        };
        Charges::Persons((0..3).map(part).collect())
    };
    let size = || std::fs::metadata(&path).unwrap().len() as f64 / f64::from(count);
    for round in 1..=releases {
        let charges = charges(round);
        let (start, before) = (Instant::now(), at_work());
        let reservation = ledger.reserve("d", &charges, &Columns::default(), &json!({})).unwrap();
        let (reserved, worked) = (start.elapsed(), at_work() - before);
        let start = Instant::now();
        reservation.draw(|_| Ok(())).unwrap().1.settle(FinalCost::AsReserved, &json!({})).unwrap();
        let settled = start.elapsed();
        if round < 4 || round % 20 == 0 || round == releases {
            println!(
                "release {round}: reserve {reserved:.2?} (at work {worked:.2} s), settle \
                 {settled:.2?}, in all {:.1} bytes a person, {} MB",
                size(),
                peak()
            );
        }
    }
    drop(ledger);
    let start = Instant::now();
    let mut ledger = Ledger::open(&path).unwrap();
    let opened = start.elapsed();
    let charges = charges(releases + 1);
    let (start, before) = (Instant::now(), at_work());
    drop(ledger.reserve("d", &charges, &Columns::default(), &json!({})).unwrap());
    println!(
        "a new process: open {opened:.2?}, reserve {:.2?} (at work {:.2} s)",
        start.elapsed(),
        at_work() - before
    );
    let start = Instant::now();
    let spent = ledger.spent_by_persons("d").unwrap();
    println!("spent by persons: {:.2?}", start.elapsed());
    assert_eq!(spent.len(), count as usize);
    let start = Instant::now();
    assert!(ledger.verify().unwrap().is_sound());
    println!("verify: {:.2?}, {} MB", start.elapsed(), peak());
}

fn thousands_of_releases() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::create(folder.path().join("ledger")).unwrap();
    let accounts = Accounts::Tiers(vec![("a".into(), Amount::Unlimited)]);
    ledger.add_dataset(Dataset::new("d", Neighbors::ReplaceOne, accounts)).unwrap();
    // As long as a certificate of some tiers.
    let certificate = json!({"certificate": "x".repeat(3_000)});
    for round in 0..=2000 {
        let start = Instant::now();
        let charges = Charges::Tiers(vec![("a".into(), Amount::micros(1))]);
        let reservation = ledger.reserve("d", &charges, &Columns::default(), &certificate).unwrap();
        let reserved = start.elapsed();
        reservation
            .draw(|_| Ok(()))
            .unwrap()
            .1
            .settle(FinalCost::AsReserved, &certificate)
            .unwrap();
        if round % 500 == 0 {
            println!("release {round}: reserve {reserved:.2?}, both {:.2?}", start.elapsed());
        }
    }
    let start = Instant::now();
    assert!(ledger.verify().unwrap().is_sound());
    println!("verify: {:.2?}", start.elapsed());
}

fn main() {
    persons();
    if std::env::var("PERSONS").is_err() {
        thousands_of_releases();
    }
}
