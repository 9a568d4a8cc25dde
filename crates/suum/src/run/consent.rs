//! Privacy choices from a separate register (`consent`, `key`).

use std::sync::Arc;

use suum_core::{Error, Place, Result, for_example, option, say};
use suum_data::{Consent, Progress, Scan, Source, read_consent, read_consent_batches};
use suum_sql::{self as sql, Engine, Relation};

use super::register::RegisterReading;
use super::{Task, accounts, declared, reading};
use crate::AsOf;

/// Choices of the register, if there is one; it is read once for all answers.
pub(super) fn load(task: &Task<'_>) -> Result<Option<Arc<Consent>>> {
    if task.source.consent.is_none() {
        return Ok(None);
    }
    let register = match task.consent.get() {
        Some(register) => register,
        None => {
            let read = read(task)?;
            task.consent.get_or_init(|| read)
        }
    };
    let RegisterReading { consent, as_of } = register;
    let Some(as_of) = as_of else { return Ok(Some(Arc::clone(consent))) };
    // Validity of a person's decision is as private as participation.
    if task.hides_participation() {
        task.noted.register(as_of.to_string(), None);
        return Ok(Some(Arc::clone(consent)));
    }
    let watched = Arc::new(consent.watched());
    task.noted.register(as_of.to_string(), Some(Arc::clone(&watched)));
    Ok(Some(watched))
}

/// Reads the register as of the time looked at. Accounts of a ledger are charged now, so with one
/// whoever has allowed less since that time counts as what they allow now.
fn read(task: &Task<'_>) -> Result<RegisterReading> {
    let source = task.source;
    let as_of = source.has_decisions().then(|| source.as_of.unwrap_or_else(AsOf::now));
    let consent = read_at(task, as_of)?;
    let now = AsOf::now();
    let (Some(past), true) = (source.as_of, task.charge.ledger.is_some()) else {
        return Ok(RegisterReading { consent: Arc::new(consent), as_of });
    };
    past.check_not_after(now)?;
    let later = read_at(task, Some(now))?;
    Ok(RegisterReading { consent: Arc::new(consent.no_more_than(&later)), as_of })
}

/// Reads the register: held records, a file, or a table of the database that the data are in.
fn read_at(task: &Task<'_>, as_of: Option<AsOf>) -> Result<Consent> {
    let source = task.source;
    let name = source.consent.as_deref().unwrap_or_default();
    let [key, key_of_register] = source.keys()?;
    let ended = task.query.ended_choice(task.tiers.as_ref(), task.charge.ledger.is_some());
    let hides = task.hides_participation();
    let scan = Scan {
        person: Some(key_of_register),
        csv: source.csv_form(),
        nulls: task.query.nulls()?,
        missing_choice: task.query.missing_choice(),
        attributes: source.attributes(),
        // Presence in the register is as private as presence in the data.
        add_remove: hides.then(|| declared::budgets(task)).transpose()?,
        decisions: as_of.map(|as_of| source.decision_columns(as_of, ended)).transpose()?,
        ..Scan::new(task.query.privacy_column(task.tiers.as_ref())?, None)
    };
    // Decisions are those of the people who have accounts.
    let scan = match accounts::have_persons(task) {
        true if task.query.person.as_ref() != Some(&key) => {
            return Err(no_persons(task.query.person.as_deref()));
        }
        true => Scan { accounts: accounts::person_accounts(task), ..scan },
        false => scan,
    };
    let progress = &*task.progress;
    if let Some(register) = &task.given.consent {
        return read_consent_batches(register.batches()?, &scan, &key, progress);
    }
    if !names_file(name) {
        let read = |engine: &mut dyn Engine| read_table(engine, name, &scan, &key, progress);
        if let Some(consent) = reading::with_database(task, read)? {
            return Ok(consent);
        }
    }
    check_is_no_database(name)?;
    read_consent(&Source::parse(name)?, &scan, &key, progress)
}

/// Reads a register that is a table of a database, for data whose keys are in the column `key`.
///
/// # Errors
///
/// Refuses the name of no table, and what [`sql::read_consent`] refuses.
pub(crate) fn read_table(
    engine: &mut dyn Engine,
    name: &str,
    scan: &Scan,
    key: &str,
    progress: &Progress,
) -> Result<Consent> {
    let table = Relation::table(name).map_err(|_| no_register())?;
    // If the register's table is missing, the error would name the option of the data's table.
    sql::columns(engine, &table).map_err(|error| match error.at() {
        Place::Option(option::TABLE) => no_register(),
        _ => error,
    })?;
    sql::read_consent(engine, &table, scan, key, progress)
}

/// Refuses a database in place of a register: one of its tables is the register. The address, which
/// can have a password, is not shown.
///
/// # Errors
///
/// Says how the table is named.
pub(crate) fn check_is_no_database(name: &str) -> Result<()> {
    match sql::is_database(name) {
        true => Err(Error::request(option::CONSENT, "a database is not a register").with_fix(
            say("name the database as the data, and its table:").set(option::CONSENT, "register"),
        )),
        false => Ok(()),
    }
}

/// Refusal of a register that is neither a file nor a table.
fn no_register() -> Error {
    let problem = "it is neither a file nor a table of the database that the data are in";
    Error::parameter(option::CONSENT, problem).with_fix(
        for_example(option::CONSENT, "register.csv").say("or").set(option::CONSENT, "register"),
    )
}

/// Refusal of a register with other keys than the persons who have accounts, which could not follow
/// it.
fn no_persons(person: Option<&str>) -> Error {
    let problem = "persons have accounts, which follow the register, and its keys are not these \
                   persons";
    let person = person.unwrap_or("COL");
    Error::request(option::KEY, problem).with_fix(
        say("name the column of persons, and that with the same identifiers in the register:")
            .set(option::KEY, format!("{person}=COL")),
    )
}

/// Returns true if this is the path of a file by its form, and no name of a table.
fn names_file(name: &str) -> bool {
    let ends_of_files = [".csv", ".parquet", ".gz", ".zst", ".tsv", ".txt"];
    let folded = name.to_ascii_lowercase();
    ends_of_files.iter().any(|end| folded.ends_with(end)) || name.contains(['/', '\\', '*'])
}
