//! The dataset whose accounts pay, and the budgets that are left in them.

use suum_core::{Error, Result, option, say};
use suum_ledger::{Balance, Dataset, Ledger, TierBalance};

/// Accounts of a dataset's tiers.
pub(crate) fn balances(ledger: &Ledger, dataset: &str) -> Result<Vec<TierBalance>> {
    match ledger.balance(dataset)? {
        Balance::Tiers(balances) => Ok(balances),
        Balance::Persons(_) => Err(Error::internal("a dataset of tiers has accounts of persons")),
    }
}

/// Dataset of this name; without a name the only one.
pub(crate) fn dataset_of(ledger: &Ledger, name: Option<&str>) -> Result<Dataset> {
    match name {
        Some(name) => ledger.dataset(name),
        None => only(ledger.datasets()?),
    }
}

/// Only dataset of a ledger.
fn only(mut datasets: Vec<Dataset>) -> Result<Dataset> {
    if datasets.len() == 1
        && let Some(dataset) = datasets.pop()
    {
        return Ok(dataset);
    }
    let names: Vec<&str> = datasets.iter().map(|dataset| dataset.name.as_str()).collect();
    Err(Error::parameter(option::DATASET, "it is not said whose accounts a release is charged to")
        .with_fix(
            say("add")
                .set(option::DATASET, "NAME")
                .say(format!("; the ledger has: {}", names.join(", "))),
        ))
}
