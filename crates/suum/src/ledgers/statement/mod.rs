//! Statement to a person, or to the people of a tier: allowance, uses, and remaining amount.

mod english;
mod letter;
mod texts;

pub(super) use english::ENGLISH;
pub(super) use letter::{day, decimal};
pub(super) use texts::{Texts, fill};

use std::path::Path;

use serde::Serialize;
use suum_core::{Delta, Error, Neighbors, Result, Rho, TimeScale, Voice, option, say};
use suum_ledger::{
    Allowance, AmendmentRecord, Amount, Cost, Dataset, Holder, Ledger, Record, RecordCharge,
    RecordState, RecordedDecision, TierBalance,
};
use suum_report::{Beside, Page, View};

use super::charge::identifier as identifier_of;
use super::release_summary::ReleaseSummary;
use crate::accountant::{ForecastAccount, balances, dataset_of};
use crate::answer::{Content, More};
use crate::{Answer, Entries, Forecast, date};

/// Writes the statement of a person, for that person alone: allowance, uses, and remaining amount.
/// Where tiers hold the accounts, writes the same for the people of a tier.
///
/// The entries are those of `suum ledger statement`: `id` or `tier`, and `dataset`.
///
/// # Errors
///
/// Refuses missing entries, a tier that the ledger does not know, and a ledger that cannot be read.
/// An unknown identifier is not refused: the answer is that of a person whom nothing has cost
/// anything.
///
/// # Example
///
/// ```
/// use suum::Entries;
///
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("diary.ledger");
/// let json = r#"{"dataset": "diary", "persons": true, "allow": 2}"#;
/// suum::init_ledger(&file, Entries::from_json(json)?)?;
/// let person = || Entries::from_json(r#"{"id": "person-7"}"#);
/// let charge = person()?.with("epsilon", "0.5").with("because", "a letter of 2024");
/// suum::charge_ledger(&file, charge)?;
/// let statement = suum::ledger_statement(&file, person()?)?;
/// assert!(statement.text().contains("0.5 is used, and 1.5 is left"));
/// assert!(!statement.text().contains("person-7"), "it names nobody");
/// # Ok::<(), suum::Error>(())
/// ```
pub fn ledger_statement(file: &Path, mut entries: Entries) -> Result<Answer> {
    let tier = entries.name("tier")?;
    let identifier = entries.text("id")?.map(identifier_of).transpose()?;
    let dataset = entries.name("dataset")?;
    entries.finish()?;
    let ledger = Ledger::open_to_read(file)?;
    let dataset = dataset_of(&ledger, dataset.as_deref())?;
    let opened = ledger.opened(&dataset.name)?;
    let record = match (dataset.is_of_persons(), identifier, tier) {
        (true, Some(identifier), None) => {
            let person = ledger.person_key().hash(identifier.as_bytes());
            let records = ledger.history_of(&dataset.name, person)?;
            let decisions = ledger.decisions_of(&dataset.name, person)?;
            let amendments = ledger.amendments(&dataset.name)?;
            let changes = AccountChanges { decisions: &decisions, amendments: &amendments };
            StatementRecord::for_person(&dataset, opened, records, &changes)
        }
        (false, None, Some(tier)) => {
            let balance = tier_of(&ledger, &dataset, &tier)?;
            let records = ledger.history(&dataset.name)?;
            let amendments = ledger.amendments(&dataset.name)?;
            StatementRecord::for_tier(&dataset, opened, &balance, &amendments, records)
        }
        (true, _, _) => {
            return Err(Error::request(option::ID, "it is not said for whom the statement is")
                .with_fix(
                    say("give").set(option::ID, "ID").say("alone: persons hold the accounts"),
                ));
        }
        (false, _, _) => {
            return Err(Error::request(option::TIER, "it is not said for whom the statement is")
                .with_fix(
                    say("give").set(option::TIER, "NAME").say("alone: tiers hold the accounts"),
                ));
        }
    };
    Ok(Answer::from_content(record))
}

/// Returns the account of a tier.
fn tier_of(ledger: &Ledger, dataset: &Dataset, tier: &str) -> Result<TierBalance> {
    let balances = balances(ledger, &dataset.name)?;
    let labels: Vec<String> = balances.iter().map(|balance| balance.label.clone()).collect();
    let balance = balances.into_iter().find(|balance| balance.label == tier);
    balance.ok_or_else(|| {
        Error::parameter(option::TIER, "the ledger does not know it")
            .with_fix(format!("its tiers are {}", labels.join(", ")))
    })
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Statement as JSON.
#[derive(Debug, Serialize)]
pub(super) struct StatementRecord {
    /// Addressee: `person`, or `tier` for the people of a tier.
    statement_for: &'static str,
    dataset: String,
    neighbors: &'static str,
    #[serde(skip)]
    relation: Neighbors,
    /// Time at which the accounts were opened.
    opened: String,
    /// δ of the accounts, where people allow (ε, δ).
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<Delta>,
    /// Sum of the δ of releases that found categories.
    #[serde(skip_serializing_if = "is_zero")]
    delta_of_categories: f64,
    /// Tier of the addressee, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<String>,
    /// Present lifetime allowance; none if it is not known.
    allowed: Option<Amount>,
    /// Tiers among which people choose, with their allowances.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiers: Vec<(String, Amount)>,
    /// Choices of the person, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<ChoiceRecord>,
    /// Uses of the allowance, oldest first.
    uses: Vec<UseRecord>,
    /// Sum of all uses in ε.
    used: Amount,
    /// Sum of all uses as ρ.
    rho: Rho,
    /// Sum of all uses as the ε of (ε, δ), where people allow that and no allowance was raised.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Amount>,
    /// Largest amount that one further result may use; none if the allowance is not known.
    left: Option<Amount>,
    /// True if more was used than is allowed now.
    exceeded: bool,
    /// True if more was used than is allowed now, but never more than was allowed at the time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lowered: bool,
    /// Number of further results like the last one that the remaining amount can pay for.
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast: Option<Forecast>,
}

/// Choice of a person, dated by the decision, or by the result that found it.
#[derive(Debug, Serialize)]
struct ChoiceRecord {
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<String>,
    allowed: Amount,
    /// True if consent was withdrawn, or has expired.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    withdrawn: bool,
}

/// Use of an allowance.
#[derive(Debug, Serialize)]
struct UseRecord {
    entry: u64,
    at: String,
    /// State: `settled`, `open` or `elsewhere`.
    state: &'static str,
    /// Reason of a charge for a loss elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    group_by: Vec<String>,
    epsilon: Amount,
    rho: Rho,
    /// Largest number of right guesses among 100 about the data, at even chances before, that this
    /// use alone allows.
    guess: f64,
    /// Allowance at the time.
    #[serde(skip)]
    allowed: Option<Amount>,
    /// Amount left after this use.
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<Amount>,
}

impl StatementRecord {
    fn for_person(
        dataset: &Dataset,
        opened: String,
        records: Vec<Record>,
        changes: &AccountChanges<'_>,
    ) -> Self {
        let mut choices: Vec<ChoiceRecord> = Vec::new();
        let mut holder = Holder::Unknown;
        let mut allowed_since = AllowedSince::default();
        for AccountEvent { entry, at, chosen } in changes.events(&records) {
            let Some(chosen) = chosen else {
                // Its tier was changed.
                allowed_since.set(entry, changes.allowed(dataset, &holder, entry));
                continue;
            };
            if chosen == holder {
                continue;
            }
            holder = chosen;
            let allowed = changes.allowed(dataset, &holder, entry);
            allowed_since.set(entry, allowed);
            let level = match &holder {
                Holder::Tier(label) => Some(label.clone()),
                Holder::Everybody => continue,
                Holder::Own(_) | Holder::NoConsent | Holder::Unknown => None,
            };
            if let Some(allowed) = allowed {
                let withdrawn = holder == Holder::NoConsent;
                choices.push(ChoiceRecord { at, level, allowed, withdrawn });
            }
        }
        let mut statement = Self::new("person", dataset, opened);
        statement.allowed = dataset.allowed(&holder);
        statement.level = choices.last().and_then(|choice| choice.level.clone());
        statement.choices = choices;
        statement.tiers = dataset.tiers().unwrap_or_default().to_vec();
        statement.with_uses(
            dataset,
            &allowed_since,
            records.into_iter().filter_map(|record| {
                let charge = record.charges.first()?.clone();
                Some((record, charge))
            }),
        )
    }

    fn for_tier(
        dataset: &Dataset,
        opened: String,
        balance: &TierBalance,
        amendments: &[AmendmentRecord],
        records: Vec<Record>,
    ) -> Self {
        let mut statement = Self::new("tier", dataset, opened);
        statement.allowed = Some(balance.allowed);
        statement.level = Some(balance.label.clone());
        let holder = Holder::Tier(balance.label.clone());
        let mut allowed_since = AllowedSince::default();
        for amendment in amendments {
            for tier in amendment.tiers.iter().filter(|tier| tier.label == balance.label) {
                if allowed_since.0.is_empty() {
                    allowed_since.set(0, tier.before);
                }
                allowed_since.set(amendment.entry, Some(tier.allowed));
            }
        }
        statement.with_uses(
            dataset,
            &allowed_since,
            records.into_iter().filter_map(|record| {
                let own = record.charges.iter().find(|charge| charge.holder == holder)?.clone();
                (own.counted != Cost::ZERO).then_some((record, own))
            }),
        )
    }

    fn new(statement_for: &'static str, dataset: &Dataset, opened: String) -> Self {
        Self {
            statement_for,
            dataset: dataset.name.clone(),
            neighbors: dataset.neighbors.name(),
            relation: dataset.neighbors,
            opened,
            delta: dataset.delta,
            delta_of_categories: 0.0,
            level: None,
            allowed: None,
            tiers: Vec::new(),
            choices: Vec::new(),
            uses: Vec::new(),
            used: Amount::ZERO,
            rho: Rho::ZERO,
            total: None,
            left: None,
            exceeded: false,
            lowered: false,
            forecast: None,
        }
    }

    /// Adds the uses of the allowance, and their sums.
    fn with_uses(
        mut self,
        dataset: &Dataset,
        allowed_since: &AllowedSince,
        uses: impl Iterator<Item = (Record, RecordCharge)>,
    ) -> Self {
        let allowance = self.allowed.map(|allowed| dataset.allowance(allowed));
        let (mut sum, mut was_kept) = (Cost::ZERO, true);
        // The last release that was made, or else the last one that is being made.
        let mut last: Option<(bool, RecordCharge)> = None;
        let mut deltas = Vec::new();
        for (record, charge) in uses {
            let cost = charge.counted;
            deltas.extend(record.delta.map(Delta::exact));
            sum = sum.plus(cost);
            let allowed = allowed_since.at(record.entry).or(self.allowed);
            let then = allowed.map(|allowed| dataset.allowance(allowed));
            was_kept &= then.is_some_and(|then: Allowance| !then.is_exceeded_by(sum));
            let left = then.map(|then| then.left(sum));
            self.uses.push(UseRecord::new(&record, cost, allowed, left, dataset.neighbors));
            let is_made = matches!(record.state, RecordState::Settled { .. });
            let is_later = is_made || !matches!(last, Some((true, _)));
            if is_later && !matches!(record.state, RecordState::Elsewhere { .. }) {
                last = Some((is_made, charge));
            }
        }
        let account = last.zip(allowance).map(|((_, last), allowance)| {
            let (charge, cost) = (last.reserved, last.counted);
            ForecastAccount { label: String::new(), allowance, spent: sum, charge, cost }
        });
        // A statement says what is left, so nothing is hidden from whom it is for.
        self.forecast = Forecast::compute(account, false);
        let delta = deltas.into_iter().reduce(|sum, delta| sum + delta);
        self.delta_of_categories = delta.map_or(0.0, |delta| delta.to_f64().value());
        self.used = sum.epsilon;
        self.rho = sum.rho;
        // The sum of ρ bounds (ε, δ) only for what was allowed in advance.
        let delta = dataset.delta_of_rho().filter(|_| !allowed_since.rises());
        self.total = delta.map(|delta| sum.smaller_total(delta));
        self.left = allowance.map(|all| all.left(sum));
        self.exceeded = allowance.is_some_and(|all: Allowance| all.is_exceeded_by(sum));
        self.lowered = self.exceeded && was_kept;
        self
    }
}

/// Changes of the account of a person that are no releases.
struct AccountChanges<'a> {
    decisions: &'a [RecordedDecision],
    amendments: &'a [AmendmentRecord],
}

/// Entry after which the allowance of a person may differ.
struct AccountEvent {
    entry: u64,
    /// Start, as the statement shows it.
    at: String,
    /// Choice of the person; none if a tier was changed.
    chosen: Option<Holder>,
}

impl AccountChanges<'_> {
    /// Returns the events of an account in the order of their entries: choices that releases found,
    /// decisions, and changes of tiers.
    fn events(&self, records: &[Record]) -> Vec<AccountEvent> {
        let found = records.iter().filter_map(|record| {
            let charge = record.charges.first()?;
            let is_elsewhere = matches!(record.state, RecordState::Elsewhere { .. });
            let chosen = (!is_elsewhere).then(|| charge.holder.clone())?;
            Some(AccountEvent { entry: record.entry, at: record.at.clone(), chosen: Some(chosen) })
        });
        let decided = self.decisions.iter().map(|decision| {
            // When consent ended is not on record, but when the ledger learned of it.
            let date = decision.from.filter(|_| decision.holder != Holder::NoConsent);
            AccountEvent {
                entry: decision.entry,
                at: date.map_or_else(|| decision.at.clone(), time_text),
                chosen: Some(decision.holder.clone()),
            }
        });
        let of_tiers = self.amendments.iter().filter(|amendment| !amendment.tiers.is_empty());
        let changed = of_tiers.map(|amendment| AccountEvent {
            entry: amendment.entry,
            at: amendment.at.clone(),
            chosen: None,
        });
        let mut events: Vec<AccountEvent> = found.chain(decided).chain(changed).collect();
        events.sort_by_key(|event| event.entry);
        events
    }

    /// Returns the allowance of a holder when `entry` was the newest.
    fn allowed(&self, dataset: &Dataset, holder: &Holder, entry: u64) -> Option<Amount> {
        let now = dataset.allowed(holder)?;
        match holder {
            Holder::Tier(label) => {
                Some(AmendmentRecord::allowed_at(self.amendments, label, now, entry))
            }
            _ => Some(now),
        }
    }
}

/// Allowances with the entries from which they hold, oldest first.
#[derive(Debug, Default)]
struct AllowedSince(Vec<(u64, Amount)>);

impl AllowedSince {
    /// Adds the allowance that holds from an entry on, if it is known.
    fn set(&mut self, entry: u64, allowed: Option<Amount>) {
        self.0.extend(allowed.map(|allowed| (entry, allowed)));
    }

    /// Returns the allowance at an entry; none if it is not known.
    fn at(&self, entry: u64) -> Option<Amount> {
        let before = self.0.iter().rev().find(|(since, _)| *since <= entry);
        before.map(|(_, allowed)| *allowed)
    }

    /// Returns true if an allowance is larger than the one before.
    fn rises(&self) -> bool {
        self.0.windows(2).any(|pair| pair[1].1 > pair[0].1)
    }
}

impl UseRecord {
    fn new(
        record: &Record,
        cost: Cost,
        allowed: Option<Amount>,
        left: Option<Amount>,
        relation: Neighbors,
    ) -> Self {
        // A change of values is a removal and an addition.
        let times = if relation == Neighbors::AddRemove { 2.0 } else { 1.0 };
        let (state, because) = match &record.state {
            RecordState::Elsewhere { because } => ("elsewhere", Some(because.clone())),
            RecordState::Settled { .. } => ("settled", None),
            RecordState::Open | RecordState::Cancelled { .. } => ("open", None),
        };
        let released = match &because {
            Some(_) => ReleaseSummary::default(),
            None => ReleaseSummary::from_record(record),
        };
        Self {
            entry: record.entry,
            at: record.at.clone(),
            state,
            because,
            group_by: released.group_by.map(|names| names.0).unwrap_or_default(),
            statistic: released.statistic,
            column: released.column,
            epsilon: cost.epsilon,
            rho: cost.rho,
            guess: right_of_100(times * cost.epsilon.in_epsilon()),
            allowed,
            left,
        }
    }
}

/// Returns the date or time that many microseconds after the beginning of 1970, in UTC.
fn time_text(micros: i64) -> String {
    format!("{}Z", TimeScale::Seconds.text((micros / 1_000_000) as f64))
}

/// Returns the largest number of right guesses among 100 at even chances, after a loss of
/// `epsilon`; rounded up to a tenth.
pub(super) fn right_of_100(epsilon: f64) -> f64 {
    let right = 1000.0 / (1.0 + (-epsilon).exp());
    // Rounding of a double is no tenth more.
    (right - 1e-9).ceil() / 10.0
}

impl Content for StatementRecord {
    fn text(&self, view: &View, _: &Beside) -> String {
        self.letter(&ENGLISH, &date::today()).text(view)
    }

    fn json(&self, _: &More) -> Result<String> {
        suum_report::json(self)
    }

    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        Some(self.letter(&ENGLISH, &date::today()).page())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_are_rounded_up() {
        for (epsilon, right) in
            [(0.0, 50.0), (1e-6, 50.1), (0.1, 52.5), (1.0, 73.2), (f64::INFINITY, 100.0)]
        {
            assert_eq!(right_of_100(epsilon), right, "{epsilon}");
        }
    }
}
