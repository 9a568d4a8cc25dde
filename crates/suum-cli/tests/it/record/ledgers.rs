//! Charges of releases to a ledger.

use serde_json::{Value, json};

use super::data::Data;
use crate::release_schema::Schema;

/// Lifetime budgets of the tiers in the data.
const ACCOUNTS: &str = "--levels strict=0.05,standard=0.2,relaxed=1,public=inf";

/// The accounts after a command that was charged to a new ledger of tiers or of persons.
///
/// A search for a range that hides who takes part is planned from noisy numbers, and with few
/// people it is refused by chance, once in some times: then it is asked again.
pub(super) fn after(data: &Data, schema: &Schema, command: &str) -> String {
    let by_chance = command.contains("--bounds auto") && command.contains("add-remove");
    let times = if by_chance { 40 } else { 1 };
    let mut said = (0..times).map(|_| once(data, schema, command));
    let released = said.by_ref().find(|said| !said.starts_with("refused: "));
    released.unwrap_or_else(|| once(data, schema, command))
}

/// The accounts after one attempt at the command.
fn once(data: &Data, schema: &Schema, command: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("ledger").to_str().unwrap().to_owned();
    let persons = command.contains("--person");
    let accounts = if persons { "--persons --allow own" } else { ACCOUNTS };
    let neighbors = if command.contains("add-remove") { "add-remove" } else { "replace" };
    let init = format!("ledger init {ledger} --dataset d {accounts} --neighbors {neighbors}");
    super::run(&words(&init)).unwrap();
    let mut charged = data.words(command);
    let seed = charged.iter().position(|word| word == "--insecure-seed").unwrap();
    // What is charged must be private; the charge does not depend on the noise.
    charged.drain(seed..seed + 2);
    charged.extend(words(&format!("--ledger {ledger} --dataset d")));
    match super::run(&charged) {
        Ok(answer) => schema.look_at(&answer),
        Err(refused) => return format!("refused: {refused}"),
    }
    let shown = super::run(&words(&format!("ledger show {ledger}"))).unwrap();
    let mut shown: Value = serde_json::from_str(&shown.json().unwrap()).unwrap();
    // Where participation is hidden, τ comes from noisy numbers, and is what the unlimited spend.
    for tier in shown[0]["tiers"].as_array_mut().into_iter().flatten() {
        let noisy = neighbors == "add-remove" && !command.starts_with("count");
        // How a budget is divided follows from noisy numbers, too, and ρ from that.
        if noisy {
            drop(tier["rho"].take());
        }
        if noisy && tier["allowed"] == "inf" {
            ["spent", "rho", "total"].iter().for_each(|name| drop(tier[*name].take()));
        }
    }
    let mut of = |name: &str| shown[0][name].take();
    json!({
        "neighbors": of("neighbors"),
        "tiers": of("tiers"),
        "persons": of("persons"),
        "columns": of("columns"),
    })
    .to_string()
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}
