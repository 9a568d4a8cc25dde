//! Amendments of a ledger: decisions of a register, and tiers that are lowered or added.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use suum_core::{DeclaredBudgets, Epsilon, Error, Result, for_example, leave_out, option, say};
use suum_data::{
    AccountKey, Accounts, PrivacyColumn, Progress, Scan, Source, Tiers, read_consent,
    read_consent_batches,
};
use suum_ledger::{
    Accounts as Holders, Amendment, AmendmentOutcome, AmendmentRecord, Dataset, DecisionCounts,
    Direction, Ledger, Lifetime, PersonKey, Record, RegisterUse,
};
use suum_report::{Beside, View, fitted};
use suum_sql::{self as sql, Engine};

use super::allowances;
use super::amendment_changes::{AmendmentChanges, TierChange};
use crate::accountant::{ReadRegister, dataset_of};
use crate::answer::{Content, More};
use crate::options::OptionRow;
use crate::query::{UNUSED, with_unused};
use crate::run::{check_is_no_database, read_table};
use crate::{Answer, AsOf, DataSource, Entries, HeldRecords, check_combinations};

/// Enters decisions of persons in a ledger, or changes the allowances of tiers.
///
/// The entries are those of `suum ledger amend`: `dataset` and `because`; and of a register
/// `consent`, `key`, `privacy` or `epsilon`, and the options that say which of its columns have
/// dates, status and reference; or `levels`. `consent` names a file, or a table of the database
/// `data`. A `register` in memory is read in their place.
///
/// A decision that allows less holds at once. One that allows more must be newer, and have a
/// reference. A tier is only lowered; a new label is a new tier.
///
/// # Errors
///
/// Refuses missing entries, a register that cannot be read, tiers that are raised, and a ledger
/// that cannot be written. No refusal holds an identifier.
///
/// # Example
///
/// ```
/// use suum::Entries;
///
/// let folder = tempfile::tempdir().unwrap();
/// let (file, register) = (folder.path().join("diary.ledger"), folder.path().join("register.csv"));
/// let json = r#"{"dataset": "diary", "persons": true, "levels": {"strict": 0.1, "open": 1}}"#;
/// suum::init_ledger(&file, Entries::from_json(json)?)?;
/// std::fs::write(&register, "id,tier,signed\nann,open,2026-01-10\nbob,strict,2026-02-01\n")?;
/// let json = r#"{"key": "id", "privacy": "tier", "consent_from": "signed"}"#;
/// let entries = Entries::from_json(json)?.with("consent", register.to_str().unwrap());
/// let amended = suum::amend_ledger(&file, entries, None)?;
/// assert!(amended.text().contains("2 decided for the first time"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn amend_ledger(
    file: &Path,
    mut entries: Entries,
    register: Option<Arc<dyn HeldRecords>>,
) -> Result<Answer> {
    let dataset = entries.name("dataset")?;
    let because = entries.name("because")?;
    let levels = entries.text("levels")?;
    let choice = (entries.name("privacy")?, entries.name("epsilon")?);
    let source = DataSource::read(&mut entries)?;
    entries.finish()?;
    check_register(&source)?;
    let is_of_register = source.consent.is_some();
    let mut warnings = Vec::new();
    let mut ledger = Ledger::open(file)?;
    let dataset = dataset_of(&ledger, dataset.as_deref())?;
    let amendment = match (levels, is_of_register) {
        (Some(levels), false) => amend_levels(&dataset, &levels, because.as_deref())?,
        (None, true) => {
            let reading = RegisterLocation { source, choice, held: register };
            let privacy = reading.privacy(&dataset)?;
            check_persons(&ledger, &dataset, &reading.source.keys()?)?;
            let read = reading.read(&dataset, privacy, ledger.person_key(), &mut warnings)?;
            let evidence = read.evidence(&ledger);
            read.amendment(&dataset, Direction::LowerAndRaise, &evidence)
        }
        (Some(_), true) => {
            return Err(Error::request(
                option::LEVELS,
                "tiers are changed by one amendment, and decisions entered by another",
            )
            .with_fix(leave_out(option::LEVELS).say(", and amend twice")));
        }
        (None, false) => {
            return Err(Error::parameter(option::CONSENT, "it is not said what changes").with_fix(
                say("give")
                    .set(option::CONSENT, "FILE")
                    .say("with")
                    .set(option::KEY, "COL")
                    .say("for decisions of persons, or")
                    .set(option::LEVELS, "strict=0.05")
                    .say("for tiers"),
            ));
        }
    };
    let amendment = Amendment { because, ..amendment };
    let outcome = ledger.amend(&dataset.name, &amendment)?;
    // It is entered, whether or not it can be read again.
    let recorded = ledger.amendments(&dataset.name).unwrap_or_default();
    let recorded = recorded.into_iter().find(|one| Some(one.entry) == outcome.entry);
    let record = AmendRecord::new(&dataset, &amendment, outcome, recorded);
    Ok(Answer::from_content(record).with_warnings(warnings))
}

/// Refuses a register whose keys are other identifiers than those of the persons who were charged:
/// it would enter decisions of people whom the ledger does not know.
///
/// # Errors
///
/// Names the column of persons of the newest release, if no release had that of `keys`.
fn check_persons(ledger: &Ledger, dataset: &Dataset, keys: &[String; 2]) -> Result<()> {
    let [key, key_of_register] = keys;
    let history = ledger.history(&dataset.name)?;
    let person = |record: &Record| Some(record.plan["job"]["person"].as_str()?.to_owned());
    // A column in memory without a name has that of its role.
    let is_name = |name: &String| name != option::PERSON.as_str();
    let persons: Vec<String> = history.iter().filter_map(person).filter(is_name).collect();
    match persons.last() {
        Some(person) if !persons.contains(key) => {
            let problem = format!("releases charged the persons of column {person}");
            Err(Error::request(option::KEY, problem).with_fix(
                say("if the register has the same identifiers, say so with")
                    .set(option::KEY, format!("{person}={key_of_register}")),
            ))
        }
        _ => Ok(()),
    }
}

/// Refuses options of data that have no use for a register, and combinations that lack an option.
fn check_register(source: &DataSource) -> Result<()> {
    let of_csv = [option::DELIMITER, option::ENCODING, option::DECIMAL];
    let of_register = [option::DATA, option::KEY, option::AS_OF];
    let rows = source.set_rows();
    for row in &rows {
        let name = row.option();
        let is_known = (row.name.starts_with("consent") && name != option::CONSENT_ATTRIBUTES)
            || of_register.contains(&name)
            || (of_csv.contains(&name) && source.consent.is_some());
        if !is_known || (name == option::DATA && source.consent.is_none()) {
            let problem = "it has no use for an amendment, which reads no records";
            return Err(Error::request(name, problem).with_fix(leave_out(name)));
        }
    }
    // Options of CSV files are those of the register's.
    let rows: Vec<&OptionRow> =
        rows.into_iter().filter(|row| !of_csv.contains(&row.option())).collect();
    check_combinations(&rows)
}

/// Returns the amendment of tiers.
///
/// # Errors
///
/// Refuses new tiers without a reason: people in them start with nothing spent.
fn amend_levels(dataset: &Dataset, levels: &str, because: Option<&str>) -> Result<Amendment> {
    let tiers = allowances(levels)?;
    let known = dataset.tiers().ok_or_else(|| {
        Error::request(option::LEVELS, "the accounts of this dataset do not go by tiers")
            .with_fix(say("enter what persons decided, with").set(option::CONSENT, "FILE"))
    })?;
    let is_new = |label: &String| known.iter().all(|(other, _)| other != label);
    if because.is_none() && tiers.iter().any(|(label, _)| is_new(label)) {
        let problem = "a new tier starts with nothing spent, so it is to be said what it is for";
        return Err(Error::parameter(option::BECAUSE, problem)
            .with_fix(for_example(option::BECAUSE, "the form of 2027")));
    }
    Ok(Amendment {
        tiers,
        decisions: Vec::new(),
        direction: Direction::LowerAndRaise,
        because: None,
        register: None,
    })
}

/// Location of a register, with the options that describe it.
struct RegisterLocation {
    source: DataSource,
    /// Columns of tiers and of budgets, as they were named.
    choice: (Option<String>, Option<String>),
    held: Option<Arc<dyn HeldRecords>>,
}

impl RegisterLocation {
    /// Reads the decisions in force at the time that was asked for, or now, and adds warnings of
    /// the database that has them.
    fn read(
        self,
        dataset: &Dataset,
        privacy: PrivacyColumn,
        persons: PersonKey,
        warnings: &mut Vec<String>,
    ) -> Result<ReadRegister> {
        let source = &self.source;
        let [_, key] = source.keys()?;
        let (as_of, now) = (source.as_of.unwrap_or_else(AsOf::now), AsOf::now());
        as_of.check_not_after(now)?;
        let (ended, declared): (_, Vec<(String, Epsilon)>) = match &privacy {
            PrivacyColumn::Tiers { tiers, .. } => {
                let tiers = tiers.iter().map(|(label, epsilon)| (label.to_owned(), epsilon));
                (UNUSED, tiers.collect())
            }
            PrivacyColumn::Budgets { .. } => ("0", Vec::new()),
        };
        let hides = dataset.neighbors.hides_participation();
        // Faults of its rows then name none of them.
        let add_remove = hides.then(|| match &privacy {
            PrivacyColumn::Tiers { .. } => DeclaredBudgets::tiers(declared.clone()),
            PrivacyColumn::Budgets { .. } => {
                DeclaredBudgets::range(Epsilon::new(LEAST)?, Epsilon::PUBLIC)
            }
        });
        let add_remove = add_remove.transpose()?;
        let scan = Scan {
            person: Some(key.clone()),
            csv: source.csv_form(),
            add_remove,
            decisions: Some(source.decision_columns(as_of, ended.to_owned())?),
            accounts: Some(Arc::new(PersonHasher(persons))),
            ..Scan::new(privacy, None)
        };
        let progress = Progress::default();
        let consent = match (&self.held, &source.consent) {
            (Some(held), _) => read_consent_batches(held.batches()?, &scan, &key, &progress),
            (None, Some(name)) => match self.database(name)? {
                Some(mut engine) => {
                    warnings.extend(engine.warnings().iter().map(ToString::to_string));
                    read_table(engine.as_mut(), name, &scan, &key, &progress)
                }
                None => read_consent(&Source::parse(name)?, &scan, &key, &progress),
            },
            (None, None) => Err(Error::internal("no register is named")),
        }?;
        Ok(ReadRegister {
            consent: Arc::new(consent),
            tiers: declared,
            as_of: as_of.to_string(),
            not_used: None,
        })
    }

    /// Opens the database of which the register `name` is a table; `None` if it is a file.
    ///
    /// # Errors
    ///
    /// Refuses data that are no database, and options of files for a table.
    fn database(&self, name: &str) -> Result<Option<Box<dyn Engine>>> {
        check_is_no_database(name)?;
        let Some(data) = &self.source.data else { return Ok(None) };
        let engine = data.only().map(sql::open).transpose()?.flatten();
        match (engine, self.source.first_csv_option()) {
            (Some(_), Some(option)) => Err(DataSource::no_csv(option)),
            (Some(engine), None) => Ok(Some(engine)),
            (None, _) => Err(Error::request(
                option::DATA,
                "an amendment reads no records, and these are no database with the register",
            )
            .with_fix(leave_out(option::DATA).say(
                ", or name the database of which the register is a \
                                             table",
            ))),
        }
    }

    /// Returns the column of choices, with the allowance of each tier.
    fn privacy(&self, dataset: &Dataset) -> Result<PrivacyColumn> {
        let refused = |option, problem: &'static str, other| {
            Err(Error::request(option, problem).with_fix(say("name it with").set(other, "COL")))
        };
        match (&dataset.accounts, &self.choice) {
            (Holders::Tiers(_), _) => Err(Error::request(
                option::CONSENT,
                "tiers hold the accounts of this dataset: who is in which is looked up by every \
                 release",
            )
            .with_fix(
                say("leave it out; what a tier allows is lowered with")
                    .set(option::LEVELS, "strict=0.05"),
            )),
            (Holders::Persons(Lifetime::Tiers(tiers)), (Some(column), None)) => {
                let tiers = tiers.iter().map(|(label, amount)| (label.clone(), amount.epsilon()));
                let tiers = with_unused(&Tiers::new(tiers)?)?;
                Ok(PrivacyColumn::Tiers { column: column.clone(), tiers })
            }
            (Holders::Persons(Lifetime::Own | Lifetime::Same(_)), (None, Some(column))) => {
                Ok(PrivacyColumn::Budgets { column: column.clone() })
            }
            (Holders::Persons(Lifetime::Tiers(_)), _) => refused(
                option::PRIVACY,
                "the register needs a column with the tier of each person, and no other",
                option::PRIVACY,
            ),
            (Holders::Persons(Lifetime::Own | Lifetime::Same(_)), _) => refused(
                option::EPSILON,
                "the register needs a column with the ε of each person, 0 if they are not to be \
                 used, and no other",
                option::EPSILON,
            ),
        }
    }
}

/// Least budget that counts in ledgers that hide participation.
const LEAST: f64 = 1e-6;

/// Hasher of identifiers into persons of the ledger; asks nobody for a budget.
struct PersonHasher(PersonKey);

impl Accounts for PersonHasher {
    fn person(&self, identifier: &[u8]) -> u128 {
        self.0.hash(identifier).to_number()
    }

    fn left(&self, asked: &[AccountKey], _: &[&str], left: &mut Vec<Epsilon>) {
        left.extend(asked.iter().map(|_| Epsilon::UNUSED));
    }
}

/// Redacted: shows no key.
impl fmt::Debug for PersonHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PersonHasher(..)")
    }
}

/// Amendment as JSON.
#[derive(Serialize)]
struct AmendRecord {
    dataset: String,
    /// Number of the entry; none if there was nothing to enter.
    entry: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiers: Vec<TierChange>,
    /// Numbers of persons; none where participation is hidden, and for an amendment of tiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    persons: Option<DecisionCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    register: Option<RegisterUse>,
}

impl AmendRecord {
    fn new(
        dataset: &Dataset,
        amendment: &Amendment,
        outcome: AmendmentOutcome,
        recorded: Option<AmendmentRecord>,
    ) -> Self {
        let is_of_persons = amendment.register.is_some();
        let hides = dataset.neighbors.hides_participation();
        Self {
            dataset: dataset.name.clone(),
            entry: outcome.entry,
            because: amendment.because.clone().filter(|_| outcome.entry.is_some()),
            tiers: recorded.as_ref().map(AmendmentChanges::from_record).unwrap_or_default().tiers,
            persons: (is_of_persons && !hides).then_some(outcome.counts),
            // Equal digests of two runs would tell that nobody decided anything.
            register: amendment.register.clone().filter(|_| !hides),
        }
    }
}

/// Describes each number above 0 in a line.
fn lines(counts: &DecisionCounts) -> Vec<String> {
    let entered = [
        (counts.first, "decided for the first time"),
        (counts.lowered, "allow less than before, from now on"),
        (counts.raised, "allow more than before, from now on"),
        (counts.confirmed, "decided the same anew"),
    ];
    let not_entered = [
        (counts.known, "were known, or are older than what is known"),
        (
            counts.same_date,
            "would allow more, with the date of the decision on record: a newer one is needed",
        ),
        (
            counts.without_reference,
            "would allow more, and nothing proves it: they need a date and a reference",
        ),
        (counts.beyond_maximum, "would allow more than these accounts of (ε, δ) may be raised to"),
        (counts.in_future, "are of a time that has not come"),
    ];
    let line = |(count, what): &(u64, &str)| format!("{count} {what}");
    let some = |(count, _): &&(u64, &str)| *count > 0;
    let mut lines: Vec<String> = entered.iter().filter(some).map(line).collect();
    if counts.spent_more > 0 {
        lines.push(format!(
            "{} have used more than they allow now: nothing of theirs is left, and nothing \
             takes back what was published",
            counts.spent_more
        ));
    }
    let not_entered = not_entered.iter().filter(some).map(line);
    lines.extend(not_entered.map(|line| format!("not entered: {line}")));
    if counts.missing > 0 {
        lines.push(format!(
            "{} whose decision is on record are not in the register: what they decided stays",
            counts.missing
        ));
    }
    lines
}

impl Content for AmendRecord {
    fn text(&self, view: &View, _: &Beside) -> String {
        let Self { dataset, entry, because, .. } = self;
        let because = because.as_ref().map(|because| format!(": {because}")).unwrap_or_default();
        let mut out = match entry {
            Some(entry) => format!("Amended dataset {dataset}, entry {entry}{because}\n"),
            None => format!("Nothing of dataset {dataset} changes\n"),
        };
        for tier in &self.tiers {
            out += &format!("  {}\n", tier.text());
        }
        if let Some(persons) = &self.persons {
            for line in lines(persons) {
                out += &format!("  {line}\n");
            }
        }
        if let Some(RegisterUse { as_of, .. }) = &self.register {
            out += &format!("  Decisions count that were in force at {as_of}\n");
        }
        fitted(&out, view)
    }

    fn json(&self, _: &More) -> Result<String> {
        suum_report::json(self)
    }
}
