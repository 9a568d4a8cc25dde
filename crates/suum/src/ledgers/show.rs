//! What is left to whom, and what was released.

use serde::Serialize;
use suum_core::Result;
use suum_ledger::{
    Amount, Balance, Columns, Dataset, Holder, Ledger, Record, RecordCharge, RecordState,
    TierBalance,
};
use suum_report::{Account, sparkline};

use super::over_time::OverTime;
use super::released::Released;

/// What is left in a dataset, as JSON.
#[derive(Serialize)]
pub(super) struct Shown {
    dataset: String,
    neighbors: &'static str,
    sealed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiers: Vec<ShownTier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persons: Option<ShownPersons>,
    columns: Columns,
    releases: Vec<ShownRelease>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_over_time: Vec<LeftOfTier>,
}

#[derive(Serialize)]
struct ShownTier {
    level: String,
    allowed: Amount,
    spent: Amount,
    reserved: Amount,
    left: Amount,
}

#[derive(Serialize)]
struct ShownPersons {
    charged: u64,
    spent: Vec<(Amount, u64)>,
}

#[derive(Serialize)]
struct ShownRelease {
    entry: u64,
    at: String,
    state: &'static str,
    #[serde(flatten)]
    released: Released,
    /// What counts against each tier, or the persons of each.
    costs: Vec<ShownCost>,
    most: Amount,
}

/// What a release costs the people of a tier.
#[derive(Serialize)]
struct ShownCost {
    level: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    persons: Option<u64>,
    spent: Amount,
}

/// What was left to a tier after each entry that changed it.
#[derive(Serialize)]
struct LeftOfTier {
    level: String,
    /// Entry, time, and what was left.
    left: Vec<(u64, String, Amount)>,
    #[serde(skip)]
    shares: Option<Vec<f64>>,
}

fn state(record: &Record) -> &'static str {
    match record.state {
        RecordState::Open => "not settled: counts in full",
        RecordState::Settled { .. } => "settled",
        RecordState::Cancelled { .. } => "cancelled: nothing was drawn",
    }
}

/// The name of those whom a release charges together.
fn level(holder: &Holder) -> String {
    match holder {
        Holder::Tier(label) => label.clone(),
        Holder::Everybody => "everybody".to_owned(),
        Holder::Own(allowed) => format!("who allow {allowed}"),
    }
}

impl ShownRelease {
    fn of(record: Record) -> Self {
        let cost = |charge: &RecordCharge| ShownCost {
            level: level(&charge.holder),
            persons: charge.persons,
            spent: charge.counted,
        };
        let costs: Vec<ShownCost> = record.charges.iter().map(cost).collect();
        Self {
            state: state(&record),
            released: Released::of(&record),
            most: costs.iter().map(|cost| cost.spent).max().unwrap_or(Amount::ZERO),
            costs,
            entry: record.entry,
            at: record.at,
        }
    }

    fn text(&self) -> String {
        let Self { entry, at, state, released, costs, .. } = self;
        let mut out = format!("  {at}  entry {entry}: {}, {state}\n", released.text());
        for cost in costs.iter().take(LINES) {
            let whom = match cost.persons {
                Some(1) => format!("{}, 1 person", cost.level),
                Some(persons) => format!("{}, {persons} persons", cost.level),
                None => cost.level.clone(),
            };
            out += &format!("    {whom}: {} each\n", cost.spent.in_epsilon());
        }
        if costs.len() > LINES {
            out += &format!("    and {} more, which JSON has\n", costs.len() - LINES);
        }
        if let Some(command) = &released.command {
            out += &format!("    {command}\n");
        }
        out
    }
}

/// How many tiers of a release are written out.
const LINES: usize = 12;

impl Shown {
    pub(super) fn of(ledger: &Ledger, dataset: &Dataset) -> Result<Self> {
        let (tiers, persons) = match ledger.balance(&dataset.name)? {
            Balance::Tiers(tiers) => (tiers, None),
            Balance::Persons(persons) => (Vec::new(), Some(persons)),
        };
        let tier = |tier: TierBalance| ShownTier {
            level: tier.label,
            allowed: tier.allowed,
            spent: tier.spent,
            reserved: tier.reserved,
            left: tier.left,
        };
        let records = ledger.history(&dataset.name)?;
        let over_time = OverTime::of(dataset, &records);
        let left_of = |(at, (level, _)): (usize, &(String, Amount))| LeftOfTier {
            level: level.clone(),
            left: over_time
                .left
                .iter()
                .map(|(entry, when, left)| (*entry, when.clone(), left[at]))
                .collect(),
            shares: over_time.shares(at),
        };
        Ok(Self {
            dataset: dataset.name.clone(),
            neighbors: dataset.neighbors.name(),
            sealed: dataset.neighbors.hides_participation(),
            tiers: tiers.into_iter().map(tier).collect(),
            persons: persons
                .map(|persons| ShownPersons { charged: persons.persons, spent: persons.spent }),
            columns: ledger.columns(&dataset.name)?,
            left_over_time: over_time.tiers.iter().enumerate().map(left_of).collect(),
            releases: records.into_iter().map(ShownRelease::of).collect(),
        })
    }

    pub(super) fn text(&self) -> String {
        let mut out = format!("Dataset {}, {} neighbours\n", self.dataset, self.neighbors);
        if self.sealed {
            out += "SEALED: who takes part is hidden, so keep this as safe as the data.\n";
        }
        let account = |tier: &ShownTier| Account {
            level: tier.level.clone(),
            allowed: tier.allowed.in_epsilon(),
            amounts: vec![
                ("spent", tier.spent.in_epsilon()),
                ("reserved", tier.reserved.in_epsilon()),
            ],
            left: tier.left.in_epsilon(),
        };
        let accounts: Vec<Account> = self.tiers.iter().map(account).collect();
        if !accounts.is_empty() {
            out += &suum_report::accounts_text(&accounts);
        }
        if let Some(persons) = &self.persons {
            out += &format!("{} persons were charged\n", persons.charged);
            for (amount, count) in &persons.spent {
                out += &format!("  {count} have spent {}\n", amount.in_epsilon());
            }
        }
        out += &self.text_over_time();
        let Columns { values, published, declared } = &self.columns;
        for (names, what) in [
            (values, "values protected"),
            (published, "made public"),
            (declared, "declared public"),
        ] {
            if !names.is_empty() {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                out += &format!("Columns, {what}: {}\n", names.join(", "));
            }
        }
        match self.releases.is_empty() {
            true => out += "No release was charged yet.\n",
            false => out += "Releases, and what each counts against everybody\n",
        }
        out + &self.releases.iter().map(ShownRelease::text).collect::<String>()
    }

    /// What was left over time, drawn.
    fn text_over_time(&self) -> String {
        let times = |of: &LeftOfTier| Some((of.left.first()?.1.clone(), of.left.last()?.1.clone()));
        let Some((first, last)) = self.left_over_time.first().and_then(times) else {
            return String::new();
        };
        let whom = match self.persons.is_some() {
            true => "to everybody of a tier at least",
            false => "to each tier",
        };
        let drawn =
            self.left_over_time.iter().filter_map(|of| Some((&of.level, of.shares.as_ref()?)));
        let drawn: Vec<(&String, &Vec<f64>)> = drawn.collect();
        let width = drawn.iter().map(|(level, _)| level.chars().count()).max().unwrap_or(0);
        let mut out = format!("Left {whom}, from {first} to {last}\n");
        for (level, shares) in drawn {
            out += &format!("  {level:<width$}  {}\n", sparkline(shares));
        }
        out
    }
}
