//! Charges for losses elsewhere: by lost ledgers, other tools, or publications before suum.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use suum_core::{Epsilon, Error, OptionName, Phrase, Result, for_example, option, say};
use suum_data::{
    AccountKey, Accounts, PrivacyColumn, Progress, Scan, Source, list, read_consent, scan,
};
use suum_ledger::{
    Amount, Balance, Charges, Dataset, Holder, Ledger, Part, PersonHash, PersonKey, PersonsBalance,
    TierBalance,
};
use suum_report::{Beside, View, fitted};

use crate::accountant::dataset_of;
use crate::answer::{Content, More};
use crate::{Answer, Entries};

/// Charges a loss elsewhere to accounts: by a lost ledger, another tool, or a publication before
/// suum.
///
/// The entries are those of `suum ledger charge`: `because` and `dataset`; and `tier`, or `charges`
/// with `key` and `epsilon`, or `id` with `epsilon`.
///
/// # Errors
///
/// Refuses missing entries, tiers and columns that do not exist, and a ledger that cannot be
/// written. No refusal holds an identifier.
///
/// # Example
///
/// ```
/// use suum::Entries;
///
/// let folder = tempfile::tempdir().unwrap();
/// let file = folder.path().join("visits.ledger");
/// let json = r#"{"dataset": "visits", "levels": {"strict": 0.1, "public": "inf"}}"#;
/// suum::init_ledger(&file, Entries::from_json(json)?)?;
/// let json = r#"{"tier": {"strict": 0.02}, "because": "the table of 2024"}"#;
/// let charged = suum::charge_ledger(&file, Entries::from_json(json)?)?;
/// assert!(charged.text().contains("strict: 0.02 charged, 0.08 of 0.1 left"));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn charge_ledger(file: &Path, mut entries: Entries) -> Result<Answer> {
    let dataset = entries.name("dataset")?;
    let because = entries.name("because")?.unwrap_or_default();
    let source = ChargeSource::take(&mut entries)?;
    entries.finish()?;
    if because.trim().is_empty() {
        return Err(Error::parameter(option::BECAUSE, "it is not said what the charge is for")
            .with_fix(for_example(option::BECAUSE, "the table of 2024, made by another program")));
    }
    let mut ledger = Ledger::open(file)?;
    let dataset = dataset_of(&ledger, dataset.as_deref())?;
    source.check(&dataset)?;
    let charges = source.charges(&ledger)?;
    let entry = ledger.charge(&dataset.name, &charges, &because)?;
    let balance = ledger.balance(&dataset.name)?;
    Ok(Answer::from_content(ChargeRecord::new(&dataset, entry, &because, &charges, &balance)))
}

/// Returns an identifier as the data reader sees it, without spaces around it.
///
/// # Errors
///
/// Refuses an empty identifier, which no record can have.
pub(super) fn identifier(text: String) -> Result<String> {
    match text.trim_ascii() {
        "" => Err(Error::parameter(option::ID, "the identifier is empty")
            .with_fix(say("give the identifier as it stands in the data"))),
        identifier => Ok(identifier.to_owned()),
    }
}

/// Source of charges: tiers, a file of persons, or one person.
enum ChargeSource {
    Tiers(Vec<(String, Amount)>),
    File { file: String, key: String, column: String },
    Person { identifier: String, charge: Amount },
}

impl ChargeSource {
    fn take(entries: &mut Entries) -> Result<Self> {
        let (tiers, file) = (entries.text("tier")?, entries.name("charges")?);
        let (key, epsilon) = (entries.name("key")?, entries.text("epsilon")?);
        let identifier = entries.text("id")?.map(identifier).transpose()?;
        let no_use = |option: OptionName, is_set: bool| match is_set {
            true => Err(Error::request(option, "it has no use beside what is charged here")
                .with_fix(say("leave").option(option).say("out"))),
            false => Ok(()),
        };
        let needed = |option: OptionName, value: &str| {
            Error::request(option, "it is required here")
                .with_fix(say("add").set(option, value.to_owned()))
        };
        match (tiers, file, identifier) {
            (Some(tiers), None, None) => {
                no_use(option::KEY, key.is_some())?;
                no_use(option::EPSILON, epsilon.is_some())?;
                parse_tiers(&tiers).map(Self::Tiers)
            }
            (None, Some(file), None) => {
                let key = key.ok_or_else(|| needed(option::KEY, "COL"))?;
                let column = epsilon.ok_or_else(|| needed(option::EPSILON, "COL"))?;
                Ok(Self::File { file, key, column })
            }
            (None, None, Some(identifier)) => {
                no_use(option::KEY, key.is_some())?;
                let epsilon = epsilon.ok_or_else(|| needed(option::EPSILON, "0.1"))?;
                let charge = Amount::charged(&epsilon).map_err(|_| {
                    Error::parameter(option::EPSILON, "expected an ε")
                        .with_fix(for_example(option::EPSILON, "0.1"))
                })?;
                Ok(Self::Person { identifier, charge })
            }
            (None, None, None) => {
                Err(Error::parameter(option::TIER, "it is not said who is charged").with_fix(who()))
            }
            _ => {
                Err(Error::request(option::TIER, "a charge is of tiers, of a file, or of a person")
                    .with_fix(who()))
            }
        }
    }

    /// Refuses charges of another form than the accounts of a dataset, before a file is read.
    fn check(&self, dataset: &Dataset) -> Result<()> {
        let of_tiers = matches!(self, Self::Tiers(_));
        match (dataset.is_of_persons(), of_tiers) {
            (true, true) => {
                Err(Error::request(option::TIER, "persons hold the accounts, not tiers").with_fix(
                    say("give").set(option::CHARGES, "FILE").say(", or").set(option::ID, "ID"),
                ))
            }
            (false, false) => {
                Err(Error::request(option::ID, "tiers hold the accounts, not persons")
                    .with_fix(say("give").set(option::TIER, "NAME=EPSILON")))
            }
            _ => Ok(()),
        }
    }

    fn charges(self, ledger: &Ledger) -> Result<Charges> {
        let part = |charge: Amount, persons: Vec<PersonHash>| Part {
            holder: Holder::Unknown,
            charge,
            persons: persons.into(),
        };
        Ok(match self {
            Self::Tiers(tiers) => Charges::Tiers(tiers),
            Self::Person { identifier, charge } => {
                let person = ledger.person_key().hash(identifier.as_bytes());
                Charges::Persons(vec![part(charge, vec![person])])
            }
            Self::File { file, key, column } => {
                let mut charged = read(&file, &key, &column, ledger.person_key())?;
                charged.sort_unstable_by_key(|(charge, person)| (*charge, *person));
                let of_amount = charged.chunk_by(|one, other| one.0 == other.0);
                let parts = of_amount.map(|chunk| {
                    let persons = chunk.iter().map(|(_, person)| *person).collect();
                    part(chunk[0].0, persons)
                });
                Charges::Persons(parts.collect())
            }
        })
    }
}

/// Returns the ways to name who is charged.
fn who() -> Phrase {
    say("give")
        .set(option::TIER, "strict=0.02")
        .say(", or")
        .set(option::CHARGES, "FILE")
        .say("with")
        .set(option::KEY, "COL")
        .say("and")
        .set(option::EPSILON, "COL")
        .say(", or")
        .set(option::ID, "ID")
        .say("with")
        .set(option::EPSILON, "0.1")
}

/// Parses tiers and their charges; decimals are exact, and rounded up to micro-ε.
fn parse_tiers(text: &str) -> Result<Vec<(String, Amount)>> {
    let pair = |pair: Option<(String, String)>| {
        let (label, amount) = pair?;
        Some((label, Amount::charged(&amount).ok()?))
    };
    let tiers: Option<Vec<_>> = list::pairs(text).into_iter().map(pair).collect();
    tiers.ok_or_else(|| {
        Error::parameter(option::TIER, "expected a tier and an ε")
            .with_fix(for_example(option::TIER, "strict=0.02"))
    })
}

/// Reads the persons whom a file charges, each with the amount.
///
/// # Errors
///
/// Refuses a key that is in two rows, and one without an ε.
fn read(
    file: &str,
    key: &str,
    column: &str,
    persons: PersonKey,
) -> Result<Vec<(Amount, PersonHash)>> {
    let source = Source::parse(file)?;
    if source.is_standard_input() {
        return Err(Error::request(option::CHARGES, "standard input cannot be read twice")
            .with_fix("write the charges to a file and name it"));
    }
    let privacy = PrivacyColumn::Budgets { column: column.to_owned() };
    let scan_of = Scan { person: Some(key.to_owned()), ..Scan::new(privacy, None) };
    let in_file = |error: Error| error.within(format!("charges {file}"));
    // Whoever is there twice would otherwise be charged the least of their rows.
    read_consent(&source, &scan_of, key, &Progress::default()).map_err(in_file)?;
    let charges = Arc::new(FileCharges { persons, charges: Mutex::default() });
    let accounts = Arc::clone(&charges) as Arc<dyn Accounts>;
    let with_accounts = Scan { accounts: Some(accounts), ..scan_of };
    scan(&source, &with_accounts, &Progress::default()).map_err(in_file)?;
    let charges = std::mem::take(&mut *charges.lock());
    Ok(charges)
}

/// Charges of a file, collected during a scan.
struct FileCharges {
    persons: PersonKey,
    charges: Mutex<Vec<(Amount, PersonHash)>>,
}

impl FileCharges {
    /// Locks the charges. After a panic of another thread they are not used: the scan fails.
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(Amount, PersonHash)>> {
        self.charges.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Accounts for FileCharges {
    fn person(&self, identifier: &[u8]) -> u128 {
        self.persons.hash(identifier).to_number()
    }

    fn left(&self, asked: &[AccountKey], _: &[&str], left: &mut Vec<Epsilon>) {
        let mut charges = self.lock();
        for one in asked {
            // The shortest decimal of a budget is what was written.
            let charge = Amount::charged(&one.budget.to_string()).unwrap_or(Amount::Unlimited);
            charges.push((charge, PersonHash::from_number(one.person)));
            left.push(one.budget);
        }
    }
}

/// Redacted: shows no person.
impl std::fmt::Debug for FileCharges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FileCharges(..)")
    }
}

/// Charge as JSON.
#[derive(Serialize)]
struct ChargeRecord {
    dataset: String,
    entry: u64,
    because: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tiers: Vec<TierCharge>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persons: Option<PersonsCharge>,
}

#[derive(Serialize)]
struct TierCharge {
    level: String,
    charged: Amount,
    allowed: Amount,
    /// Sum of spent and reserved amounts after the charge.
    spent: Amount,
    left: Amount,
    /// True if more was lost than people of the tier allow.
    exceeded: bool,
}

#[derive(Serialize)]
struct PersonsCharge {
    charged: u64,
    most: Amount,
    /// Number of persons who have lost more than they allow, as far as that is known; none where
    /// participation is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    exceeded: Option<u64>,
}

impl ChargeRecord {
    fn new(
        dataset: &Dataset,
        entry: u64,
        because: &str,
        charges: &Charges,
        balance: &Balance,
    ) -> Self {
        let mut record = Self {
            dataset: dataset.name.clone(),
            entry,
            because: because.trim().to_owned(),
            tiers: Vec::new(),
            persons: None,
        };
        match (charges, balance) {
            (Charges::Tiers(tiers), Balance::Tiers(balances)) => {
                let of_tier = |(label, charged): &(String, Amount)| {
                    let balance = balances.iter().find(|balance| balance.label == *label)?;
                    Some(TierCharge::new(dataset, balance, *charged))
                };
                record.tiers = tiers.iter().filter_map(of_tier).collect();
            }
            (Charges::Persons(parts), Balance::Persons(persons)) => {
                let charged = parts.iter().filter(|part| !part.charge.is_zero());
                record.persons = Some(PersonsCharge {
                    charged: charged.clone().map(|part| part.persons.len() as u64).sum(),
                    most: charged.map(|part| part.charge).max().unwrap_or(Amount::ZERO),
                    exceeded: exceeded(dataset, persons),
                });
            }
            _ => {}
        }
        record
    }
}

impl TierCharge {
    fn new(dataset: &Dataset, balance: &TierBalance, charged: Amount) -> Self {
        let allowance = dataset.allowance(balance.allowed);
        Self {
            level: balance.label.clone(),
            charged,
            allowed: balance.allowed,
            spent: balance.cost().epsilon,
            left: balance.left,
            exceeded: allowance.is_exceeded_by(balance.cost()),
        }
    }

    fn text(&self) -> String {
        let Self { level, charged, allowed, spent, left, exceeded } = self;
        match (exceeded, left.is_zero()) {
            (true, _) => format!(
                "  {level}: {charged} charged. {spent} was lost in all, more than the {allowed} \
                 that its people allow: nothing is left, and that cannot be made good.\n"
            ),
            (false, true) => format!("  {level}: {charged} charged, nothing left of {allowed}\n"),
            (false, false) => format!("  {level}: {charged} charged, {left} of {allowed} left\n"),
        }
    }
}

/// Counts persons who have lost more than they allow; none where participation is hidden.
fn exceeded(dataset: &Dataset, persons: &PersonsBalance) -> Option<u64> {
    if dataset.neighbors.hides_participation() {
        return None;
    }
    let of = persons.groups.iter().filter(|group| {
        let allowance = dataset.allowed(&group.holder).map(|allowed| dataset.allowance(allowed));
        allowance.is_some_and(|allowance| allowance.is_exceeded_by(group.spent))
    });
    Some(of.map(|group| group.persons).sum())
}

impl Content for ChargeRecord {
    fn text(&self, view: &View, _: &Beside) -> String {
        let Self { dataset, entry, because, .. } = self;
        let mut out = format!("Charged to dataset {dataset}, entry {entry}: {because}\n");
        out.extend(self.tiers.iter().map(TierCharge::text));
        if let Some(PersonsCharge { charged, most, exceeded }) = &self.persons {
            let persons = if *charged == 1 { "person" } else { "persons" };
            out += &format!("  {charged} {persons}, at most {most} each\n");
            match exceeded {
                Some(1) => out += "  1 person has lost more than they allow",
                Some(count @ 2..) => {
                    out += &format!("  {count} persons have lost more than they allow");
                }
                _ => return fitted(&out, view),
            }
            out += ": nothing of theirs is left, and that cannot be made good.\n";
        }
        fitted(&out, view)
    }

    fn json(&self, _: &More) -> Result<String> {
        suum_report::json(self)
    }
}
