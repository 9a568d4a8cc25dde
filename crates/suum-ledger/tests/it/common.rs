//! What the tests share.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use suum_core::Neighbors;
use suum_ledger::{
    Accounts, Amount, Balance, Charges, Columns, Dataset, Ledger, Lifetime, TierBalance,
    Verification,
};
use tempfile::TempDir;

/// A folder in memory where there is such a place: these tests are not about the disk.
pub(crate) fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
}

/// A ledger with the dataset `visits`, whose tiers strict, relaxed and public allow 0.1, 1 and ∞.
pub(crate) fn with_tiers(folder: &TempDir) -> (PathBuf, Ledger) {
    let path = folder.path().join("visits.ledger");
    let mut ledger = Ledger::create(&path).unwrap();
    ledger.add_dataset(visits("visits")).unwrap();
    (path, ledger)
}

pub(crate) fn visits(name: &str) -> Dataset {
    let tier = |label: &str, allowed: &str| (label.to_owned(), allowed.parse().unwrap());
    let tiers = vec![tier("strict", "0.1"), tier("relaxed", "1"), tier("public", "inf")];
    Dataset::new(name, Neighbors::ReplaceOne, Accounts::Tiers(tiers))
}

/// A ledger with the dataset `people`, with accounts of persons.
pub(crate) fn with_persons(
    folder: &TempDir,
    lifetime: Lifetime,
    neighbors: Neighbors,
) -> (PathBuf, Ledger) {
    let path = folder.path().join("people.ledger");
    let mut ledger = Ledger::create(&path).unwrap();
    let accounts = Accounts::Persons(lifetime);
    ledger.add_dataset(Dataset::new("people", neighbors, accounts)).unwrap();
    (path, ledger)
}

/// Charges of tiers in micro-ε.
pub(crate) fn tiers(charges: &[(&str, u64)]) -> Charges {
    let charge = |(label, micros): &(&str, u64)| ((*label).to_owned(), Amount::micros(*micros));
    Charges::Tiers(charges.iter().map(charge).collect())
}

pub(crate) fn plan() -> Value {
    json!({"statistic": "mean"})
}

/// Reserves, draws and settles as reserved.
pub(crate) fn release(
    ledger: &mut Ledger,
    dataset: &str,
    charges: &Charges,
) -> suum_core::Result<()> {
    let ((), drawn) =
        ledger.reserve(dataset, charges, &Columns::default(), &plan())?.draw(|_| Ok(()))?;
    drawn.settle(suum_ledger::FinalCost::AsReserved, &json!({"private": true})).map(|_| ())
}

pub(crate) fn tier_balances(ledger: &Ledger, dataset: &str) -> Vec<TierBalance> {
    match ledger.balance(dataset).unwrap() {
        Balance::Tiers(tiers) => tiers,
        Balance::Persons(_) => panic!("accounts of persons"),
    }
}

pub(crate) fn assert_sound(verification: &Verification) {
    assert!(verification.is_sound(), "{:?}", verification.findings);
}
