//! Files with flipped bits, cut off, or full of nonsense.

use std::fs;
use std::path::{Path, PathBuf};

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rusqlite::Connection;
use rusqlite::types::Value;
use suum_core::Neighbors;
use suum_ledger::{Amount, Charges, Holder, Ledger, Lifetime, Part};
use tempfile::TempDir;

use crate::common::{folder, release, tiers, visits, with_persons};

/// A ledger of a few pages, with tiers and persons.
fn example(folder: &TempDir) -> PathBuf {
    let (path, mut ledger) =
        with_persons(folder, Lifetime::Same(Amount::micros(1_000)), Neighbors::ReplaceOne);
    ledger.add_dataset(visits("visits")).unwrap();
    let key = ledger.person_key();
    for charge in [3, 5] {
        let persons = (0..200_u32).map(|person| key.hash(&person.to_le_bytes())).collect();
        let part = Part { holder: Holder::Everybody, charge: Amount::micros(charge), persons };
        release(&mut ledger, "people", &Charges::Persons(vec![part])).unwrap();
        release(&mut ledger, "visits", &tiers(&[("strict", charge), ("relaxed", 7)])).unwrap();
    }
    path
}

/// What the accounts say, or `None` if the ledger refuses to be used or verify finds a fault.
fn accounts(path: &Path) -> Option<String> {
    let ledger = Ledger::open(path).ok()?;
    if !ledger.verify().ok()?.is_sound() {
        return None;
    }
    let mut all = String::new();
    for dataset in ledger.datasets().ok()? {
        all += &format!(
            "{:?}{:?}",
            ledger.balance(&dataset.name).ok()?,
            ledger.history(&dataset.name).ok()?
        );
    }
    Some(all)
}

/// Everything in the tables, as SQLite reads it.
fn contents(path: &Path) -> rusqlite::Result<Vec<Vec<Value>>> {
    let connection = Connection::open(path)?;
    let mut all = Vec::new();
    for sql in [
        "SELECT * FROM entry ORDER BY seq",
        "SELECT * FROM person ORDER BY entry, piece",
        "SELECT * FROM charged ORDER BY entry",
    ] {
        let mut statement = connection.prepare(sql)?;
        let columns = statement.column_count();
        let rows =
            statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect())?;
        all.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?);
    }
    Ok(all)
}

#[test]
#[ignore = "takes seconds"]
fn no_flipped_bit_of_an_entry_goes_unnoticed() {
    let folder = folder();
    let path = example(&folder);
    let sound = fs::read(&path).unwrap();
    let expected = (accounts(&path).unwrap(), contents(&path).unwrap());
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let (mut noticed, mut harmless) = (0, 0);
    // Every seventh byte, and all of the header.
    for at in (0..100).chain((100..sound.len()).step_by(7)) {
        let mut damaged = sound.clone();
        damaged[at] ^= 1 << (dice.next_u32() % 8);
        fs::write(&path, &damaged).unwrap();
        match accounts(&path) {
            None => noticed += 1,
            // In a place that is not used, or where it means nothing.
            Some(found) => {
                assert_eq!(contents(&path).unwrap(), expected.1, "a flip at {at} went unnoticed");
                assert_eq!(found, expected.0, "a flip at {at} changed the accounts");
                harmless += 1;
            }
        }
    }
    println!("{noticed} flips noticed, {harmless} harmless");
    assert!(noticed > 1_000);
}

#[test]
fn no_cut_goes_unnoticed() {
    let folder = folder();
    let path = example(&folder);
    let sound = fs::read(&path).unwrap();
    for length in (0..sound.len()).step_by(509).chain((0..sound.len()).step_by(4096)) {
        fs::write(&path, &sound[..length]).unwrap();
        assert_eq!(accounts(&path), None, "cut to {length}");
    }
    // Something behind the end is not read.
    let mut longer = sound.clone();
    longer.extend([0; 5000]);
    fs::write(&path, &longer).unwrap();
    let _ = accounts(&path);
    fs::write(&path, &sound).unwrap();
    assert!(accounts(&path).is_some());
}

#[test]
fn pages_of_nonsense_are_refused_without_a_panic() {
    let folder = folder();
    let path = example(&folder);
    let sound = fs::read(&path).unwrap();
    let expected = accounts(&path);
    let mut dice = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..300 {
        let mut damaged = sound.clone();
        let start = (dice.next_u64() as usize) % damaged.len();
        let end = (start + 1 + (dice.next_u64() as usize) % 3000).min(damaged.len());
        let zeros = dice.next_u32() & 1 == 0;
        for byte in &mut damaged[start..end] {
            *byte = if zeros { 0 } else { dice.next_u32() as u8 };
        }
        fs::write(&path, &damaged).unwrap();
        if let found @ Some(_) = accounts(&path) {
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn a_hostile_journal_changes_nothing_unnoticed() {
    let folder = folder();
    let path = example(&folder);
    let sound = fs::read(&path).unwrap();
    let expected = accounts(&path);
    let journal = format!("{}-journal", path.display());
    let mut dice = ChaCha8Rng::seed_from_u64(3);
    for round in 0..60 {
        let mut bytes = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
        bytes.extend((0..600 + round * 100).map(|_| dice.next_u32() as u8));
        fs::write(&journal, bytes).unwrap();
        fs::write(&path, &sound).unwrap();
        if let found @ Some(_) = accounts(&path) {
            assert_eq!(found, expected);
        }
        let _ = fs::remove_file(&journal);
    }
}
