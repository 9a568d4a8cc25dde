//! Display of the balances and releases of datasets.

use std::collections::BTreeSet;

use serde::Serialize;
use suum_core::{Delta, Result, Rho, Voice};
use suum_ledger::{
    AmendmentRecord, Amount, Balance, Columns, Cost, Dataset, DeltaBalance, Holder, Ledger,
    PersonsGroup, Record, RecordCharge, RecordState, TierBalance,
};
use suum_report::{
    Account, LedgerDataset, LedgerRelease, LeftOverTime, View, fitted, fitted_command, sparkline,
};

use super::amendment_changes::{AmendmentChanges, DecidedPersons};
use super::forecast::{after_last, level};
use super::over_time::OverTime;
use super::release_summary::ReleaseSummary;
use crate::Forecast;

/// Balance and releases of a dataset, as JSON.
#[derive(Serialize)]
pub(super) struct DatasetRecord {
    dataset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<String>,
    neighbors: &'static str,
    #[serde(rename = "sealed")]
    hidden_participation: bool,
    /// True if a release is refused in which people moved between tiers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    watch_moves: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiers: Vec<TierRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persons: Option<ShownPersons>,
    /// δ at which totals are stated; `allowed_with_delta` is true if the allowances are declared
    /// with it.
    delta: Delta,
    allowed_with_delta: bool,
    /// Part of δ for releases that find categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    delta_of_categories: Option<ShownDelta>,
    columns: Columns,
    /// Number of further releases like the last one that the accounts can pay for.
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast: Option<Forecast>,
    releases: Vec<ShownRelease>,
    /// Changes of allowances.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    amendments: Vec<ShownAmendment>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_over_time: Vec<LeftOfTier>,
    /// Times at which a cost became known, in seconds since the beginning of 1970.
    #[serde(skip)]
    known_at: Vec<f64>,
}

/// Part of δ for releases that find categories, and what of it is spent.
#[derive(Debug, Serialize)]
pub(super) struct ShownDelta {
    pub(super) most: Delta,
    pub(super) spent: f64,
}

impl ShownDelta {
    pub(super) fn of_dataset(ledger: &Ledger, dataset: &Dataset) -> Result<Option<Self>> {
        let balance = ledger.delta_of_categories(&dataset.name)?;
        Ok(balance.map(|DeltaBalance { most, spent }| Self { most, spent }))
    }
}

#[derive(Serialize)]
struct TierRecord {
    level: String,
    allowed: Amount,
    spent: Amount,
    reserved: Amount,
    left: Amount,
    /// Sum of spent and reserved amounts as ρ.
    rho: Rho,
    /// Sum of spent and reserved amounts as the ε of (ε, δ): the smaller of both accounts.
    total: Amount,
}

#[derive(Serialize)]
struct ShownPersons {
    charged: u64,
    spent: Vec<(Amount, u64)>,
    groups: Vec<ShownGroup>,
}

/// Persons of a tier who have spent the same amount.
#[derive(Serialize)]
struct ShownGroup {
    level: String,
    persons: u64,
    spent: Amount,
    rho: Rho,
    total: Amount,
    /// Remaining amount of each; none if their allowance is not known.
    left: Option<Amount>,
}

#[derive(Serialize)]
struct ShownRelease {
    entry: u64,
    at: String,
    state: &'static str,
    /// Reason of a charge for a loss elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(flatten)]
    released: ReleaseSummary,
    /// Cost that counts against each tier, or against the persons of each part.
    costs: Vec<ShownCost>,
    most: Amount,
    /// Number of people who were in another tier before, which somebody accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<u64>,
}

/// Cost of a release to the people of a tier.
#[derive(Serialize)]
struct ShownCost {
    level: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    persons: Option<u64>,
    spent: Amount,
    rho: Rho,
}

impl ShownCost {
    fn whom(&self) -> String {
        match self.persons {
            Some(1) => format!("{}, 1 person", self.level),
            Some(persons) => format!("{}, {persons} persons", self.level),
            None => self.level.clone(),
        }
    }
}

/// Amount left to a tier after each entry that changed it.
#[derive(Serialize)]
struct LeftOfTier {
    level: String,
    /// Entry, time, and amount left.
    left: Vec<(u64, String, Amount)>,
    #[serde(skip)]
    shares: Option<Vec<f64>>,
}

fn state(record: &Record) -> &'static str {
    match record.state {
        RecordState::Open => "not settled: counts in full",
        RecordState::Settled { .. } => "settled",
        RecordState::Cancelled { .. } => "cancelled: nothing was drawn",
        RecordState::Elsewhere { .. } => "lost elsewhere",
    }
}

impl ShownRelease {
    fn from_record(record: Record) -> Self {
        let cost = |charge: &RecordCharge| ShownCost {
            level: level(&charge.holder),
            persons: charge.persons,
            spent: charge.counted.epsilon,
            rho: charge.counted.rho,
        };
        let costs: Vec<ShownCost> = record.charges.iter().map(cost).collect();
        Self {
            state: state(&record),
            because: match &record.state {
                RecordState::Elsewhere { because } => Some(because.clone()),
                _ => None,
            },
            released: ReleaseSummary::from_record(&record),
            most: costs.iter().map(|cost| cost.spent).max().unwrap_or(Amount::ZERO),
            moved: Some(record.moved).filter(|moved| *moved > 0),
            costs,
            entry: record.entry,
            at: record.at,
        }
    }

    /// Describes a release or charge, and its state.
    fn what(&self) -> String {
        match &self.because {
            Some(because) => format!("charged for what was {}: {because}", self.state),
            None => format!("{}, {}", self.released.text(), self.state),
        }
    }

    fn text(&self, view: &View) -> String {
        let Self { entry, at, released, costs, .. } = self;
        let mut out = format!("  {at}  entry {entry}: {}\n", self.what());
        for cost in costs.iter().take(LINES) {
            out += &format!("    {}: {} each\n", cost.whom(), cost.spent.in_epsilon());
        }
        if costs.len() > LINES {
            out += &format!("    and {} more, which JSON has\n", costs.len() - LINES);
        }
        let command = released.asking.iter().map(|asking| view.voice().command(asking));
        let command = command.map(|command| fitted_command("    ", &command, view));
        fitted(&out, view) + &command.collect::<String>()
    }
}

/// Change of allowances.
#[derive(Serialize)]
struct ShownAmendment {
    entry: u64,
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(flatten)]
    changes: AmendmentChanges,
}

impl ShownAmendment {
    fn from_record(amendment: &AmendmentRecord) -> Self {
        Self {
            entry: amendment.entry,
            at: amendment.at.clone(),
            because: amendment.because.clone(),
            changes: AmendmentChanges::from_record(amendment),
        }
    }

    fn text(&self) -> String {
        let Self { entry, at, because, changes } = self;
        let because = because.as_ref().map(|because| format!(": {because}")).unwrap_or_default();
        let mut out = format!("  {at}  entry {entry}{because}\n");
        for tier in &changes.tiers {
            out += &format!("    {}\n", tier.text());
        }
        for DecidedPersons { level, persons } in changes.persons.iter().take(LINES) {
            let whom = if *persons == 1 { "1 person" } else { &format!("{persons} persons") };
            out += &format!("    {level}: {whom}\n");
        }
        if let Some(raised) = changes.raised {
            out += &format!("    {raised} of them allow more than before\n");
        }
        out
    }
}

/// Largest number of lines for the tiers of a release, groups of persons, or amendments.
const LINES: usize = 12;

impl DatasetRecord {
    pub(super) fn read(ledger: &Ledger, dataset: &Dataset) -> Result<Self> {
        let balance = ledger.balance(&dataset.name)?;
        let records = ledger.history(&dataset.name)?;
        let forecast = after_last(dataset, &balance, &records);
        let (tiers, persons) = match balance {
            Balance::Tiers(tiers) => (tiers, None),
            Balance::Persons(persons) => (Vec::new(), Some(persons)),
        };
        let amendments = ledger.amendments(&dataset.name)?;
        let delta = dataset.delta.unwrap_or(Delta::MILLIONTH);
        let delta_of_rho = dataset.delta_of_rho().unwrap_or(Delta::MILLIONTH);
        // The sum of ρ bounds (ε, δ) only for what was allowed in advance.
        let is_raised = persons.as_ref().is_some_and(|persons| persons.is_raised);
        let total = |spent: Cost| match is_raised {
            true => spent.epsilon,
            false => spent.smaller_total(delta_of_rho),
        };
        let tier = |tier: TierBalance| TierRecord {
            total: total(Cost { epsilon: tier.spent.plus(tier.reserved), rho: tier.rho }),
            level: tier.label,
            allowed: tier.allowed,
            spent: tier.spent,
            reserved: tier.reserved,
            left: tier.left,
            rho: tier.rho,
        };
        let group = |group: &PersonsGroup| ShownGroup {
            level: match group.holder {
                Holder::Unknown => "in no release yet".to_owned(),
                _ => level(&group.holder),
            },
            persons: group.persons,
            spent: group.spent.epsilon,
            rho: group.spent.rho,
            total: total(group.spent),
            left: group.left,
        };
        let over_time = OverTime::compute(dataset, &records, &amendments);
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
            purpose: dataset.purpose.clone(),
            watch_moves: dataset.watch_moves,
            neighbors: dataset.neighbors.name(),
            hidden_participation: dataset.neighbors.hides_participation(),
            tiers: tiers.into_iter().map(tier).collect(),
            persons: persons.map(|persons| ShownPersons {
                charged: persons.persons,
                groups: persons.groups.iter().map(group).collect(),
                spent: persons.spent,
            }),
            delta,
            allowed_with_delta: dataset.delta.is_some(),
            delta_of_categories: ShownDelta::of_dataset(ledger, dataset)?,
            columns: ledger.columns(&dataset.name)?,
            forecast,
            known_at: over_time.times(),
            left_over_time: over_time.tiers.iter().enumerate().map(left_of).collect(),
            releases: records.into_iter().map(ShownRelease::from_record).collect(),
            amendments: amendments.iter().map(ShownAmendment::from_record).collect(),
        })
    }

    /// Returns the content of its page.
    pub(super) fn for_page(&self, voice: &dyn Voice) -> LedgerDataset {
        let release = |release: &ShownRelease| LedgerRelease {
            entry: release.entry,
            at: release.at.clone(),
            what: release.what(),
            command: release.released.asking.as_ref().map(|asking| voice.command(asking)),
            costs: release
                .costs
                .iter()
                .map(|cost| (cost.whom(), cost.spent.in_epsilon()))
                .take(LINES)
                .collect(),
        };
        let lines = self.text_of_neighbors()
            + &self.text_of_persons()
            + &self.text_of_forecast()
            + &self.text_of_totals()
            + &self.text_of_columns()
            + &self.text_of_amendments();
        LedgerDataset {
            name: self.dataset.clone(),
            accounts: self.accounts(),
            notes: lines.lines().map(str::to_owned).collect(),
            over_time: self.heading_over_time().map(|heading| {
                let drawn = self.left_over_time.iter();
                let drawn = drawn.filter_map(|of| Some((of.level.clone(), of.shares.clone()?)));
                LeftOverTime { heading, times: self.known_at.clone(), tiers: drawn.collect() }
            }),
            releases: self.releases.iter().map(release).collect(),
        }
    }

    pub(super) fn text(&self, view: &View) -> String {
        let heading = format!("Dataset {}, {}", self.dataset, self.text_of_neighbors());
        let mut out = fitted(&heading, view);
        let accounts = self.accounts();
        if !accounts.is_empty() {
            out += &suum_report::accounts_text(&accounts, view);
        }
        let mut rest = self.text_of_persons();
        rest += &self.text_of_totals();
        rest += &self.text_over_time();
        rest += &self.text_of_forecast();
        rest += &self.text_of_columns();
        rest += match self.releases.is_empty() {
            true => "No release was charged yet.\n",
            false => "Releases, and what each counts against everybody\n",
        };
        out += &fitted(&rest, view);
        out += &self.releases.iter().map(|release| release.text(view)).collect::<String>();
        out + &fitted(&self.text_of_amendments(), view)
    }

    /// Describes the relation and δ of the accounts, with a warning if they must be kept secret.
    fn text_of_neighbors(&self) -> String {
        let mut out = format!("{} neighbours\n", self.neighbors);
        out.extend(self.purpose.iter().map(|purpose| format!("Purpose: {purpose}\n")));
        if self.allowed_with_delta {
            out += &format!("What people allow is the ε of (ε, δ), with δ = {}.\n", self.delta);
        }
        if let Some(ShownDelta { most, spent }) = &self.delta_of_categories {
            out += &format!(
                "Of δ, {most} is for releases that find categories; {spent:e} is spent.\n",
            );
        }
        if self.watch_moves {
            out += "People who move to another tier are noticed, and refused.\n";
        } else if self.persons.is_none() {
            out += "If a person changes tier, this ledger forgets what they spent.\n";
        }
        if self.hidden_participation {
            out += "Participation is hidden, so keep this as safe as the data.\n";
        }
        out
    }

    fn accounts(&self) -> Vec<Account> {
        let account = |tier: &TierRecord| Account {
            level: tier.level.clone(),
            allowed: tier.allowed.in_epsilon(),
            amounts: vec![
                ("spent", tier.spent.in_epsilon()),
                ("reserved", tier.reserved.in_epsilon()),
            ],
            left: tier.left.in_epsilon(),
        };
        self.tiers.iter().map(account).collect()
    }

    fn text_of_persons(&self) -> String {
        let Some(persons) = &self.persons else { return String::new() };
        let mut out = format!("{} persons were charged\n", persons.charged);
        for group in persons.groups.iter().take(LINES) {
            let ShownGroup { level, persons, spent, left, .. } = group;
            out += &format!("  {level}: {persons} have spent {}", spent.in_epsilon());
            out += &match left {
                Some(left) => format!(" and have {} left\n", left.in_epsilon()),
                None => "\n".to_owned(),
            };
        }
        if persons.groups.len() > LINES {
            let more = persons.groups.len() - LINES;
            out += &format!("  and {more} more such groups, which JSON has\n");
        }
        out
    }

    fn text_of_columns(&self) -> String {
        let Columns { values, published, declared } = &self.columns;
        let lines = [
            (values, "values protected"),
            (published, "made public"),
            (declared, "declared public"),
        ];
        let line = |(names, what): (&BTreeSet<String>, &str)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            match names.is_empty() {
                true => String::new(),
                false => format!("Columns, {what}: {}\n", names.join(", ")),
            }
        };
        lines.map(line).concat()
    }

    /// Describes changes of allowances: the latest, in order.
    fn text_of_amendments(&self) -> String {
        if self.amendments.is_empty() {
            return String::new();
        }
        let mut out = "Changes of what people allow\n".to_owned();
        for amendment in self.amendments.iter().rev().take(LINES).rev() {
            out += &amendment.text();
        }
        if self.amendments.len() > LINES {
            out += &format!("  and {} earlier ones\n", self.amendments.len() - LINES);
        }
        out
    }

    /// Lists totals as (ε, δ) that are smaller than the sum of ε.
    fn text_of_totals(&self) -> String {
        let tiers = self
            .tiers
            .iter()
            .map(|tier| (&tier.level, tier.spent.plus(tier.reserved), tier.total, tier.rho));
        let groups = self.persons.iter().flat_map(|persons| persons.groups.iter().take(LINES));
        let groups = groups.map(|group| (&group.level, group.spent, group.total, group.rho));
        let less = tiers.chain(groups).filter(|(_, sum, total, _)| total < sum);
        let lines: String = less
            .map(|(level, sum, total, rho)| {
                let (sum, total) = (sum.in_epsilon(), total.in_epsilon());
                format!("  {level}: ε = {total} in place of the sum {sum} (ρ = {rho})\n")
            })
            .collect();
        match lines.is_empty() {
            true => String::new(),
            false => format!("Spent in all, as (ε, δ) with δ = {}\n{lines}", self.delta),
        }
    }

    /// Describes how many more releases like the last one the accounts can pay for.
    fn text_of_forecast(&self) -> String {
        let forecast = self.forecast.as_ref().map(Forecast::text);
        forecast.map_or_else(String::new, |text| format!("As the last release: {text}\n"))
    }

    /// Returns the heading of the drawing: to whom amounts were left, from when to when.
    fn heading_over_time(&self) -> Option<String> {
        let times = |of: &LeftOfTier| Some((of.left.first()?.1.clone(), of.left.last()?.1.clone()));
        let (first, last) = self.left_over_time.first().and_then(times)?;
        let whom = match self.persons.is_some() {
            true => "to everybody of a tier at least",
            false => "to each tier",
        };
        // Days say enough.
        let [first, last] = [first, last].map(|at| at.get(..10).unwrap_or(&at).to_owned());
        Some(match first == last {
            true => format!("Left {whom}, on {first}"),
            false => format!("Left {whom}, from {first} to {last}"),
        })
    }

    /// Draws the shares left over time, a line per tier.
    fn text_over_time(&self) -> String {
        let Some(heading) = self.heading_over_time() else { return String::new() };
        let drawn =
            self.left_over_time.iter().filter_map(|of| Some((&of.level, of.shares.as_ref()?)));
        let drawn: Vec<(&String, &Vec<f64>)> = drawn.collect();
        let width = drawn.iter().map(|(level, _)| level.chars().count()).max().unwrap_or(0);
        let mut out = format!("{heading}\n");
        for (level, shares) in drawn {
            out += &format!("  {level:<width$}  {}\n", sparkline(shares));
        }
        out
    }
}
