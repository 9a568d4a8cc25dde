//! The one place where data are read: files or databases that the job names, or records in memory.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use std::slice::from_ref;

use suum_core::{Command, Error, LevelTable, Place, Result, option, say};
use suum_data::arrow_schema::DataType;
use suum_data::{Groups, LevelTables, Phase, Progress, Reading, Refusal, Scan, Source, Value};
use suum_sql::{self as sql, ColumnKind, Engine, Relation};

use super::{Task, accounts};
use crate::{Batches, DataNames, DataSource};

/// Location of the records.
pub(super) enum RecordSource {
    Held(Batches),
    Files(Source),
    /// Database, which adds the records up itself.
    Database(Box<dyn Engine>, Relation),
}

impl RecordSource {
    /// Location of the data; the one that was opened before, if one was.
    fn take_or_open(task: &Task<'_>) -> Result<Self> {
        match task.record_source.take() {
            Some(record_source) => Ok(record_source),
            None => Self::open(task),
        }
    }

    fn open(task: &Task<'_>) -> Result<Self> {
        let record_source = Self::named(task)?;
        let has_csv = matches!(&record_source, Self::Files(source) if source.has_csv());
        match task.source.first_csv_option().filter(|_| !has_csv) {
            Some(option) => Err(DataSource::no_csv(option)),
            None => Ok(record_source),
        }
    }

    fn named(task: &Task<'_>) -> Result<Self> {
        if let Some(records) = &task.given.records {
            return Ok(Self::Held(records.batches()?));
        }
        let data = task.source.data.as_ref().ok_or_else(|| {
            Error::parameter(option::DATA, "there is nothing to read").with_fix(Command::NameData)
        })?;
        let relation = relation(task.source)?;
        let Some(data) = data.only() else {
            return Self::several(data, relation.is_some()).map(Self::Files);
        };
        match (sql::open(data)?, relation) {
            (Some(engine), Some(relation)) => {
                engine.warnings().iter().for_each(|warning| task.noted.warning(warning));
                task.noted.relation(&relation);
                Ok(Self::Database(engine, relation))
            }
            (Some(_), None) => {
                Err(Error::parameter(option::TABLE, "it is not said what to read of the database")
                    .with_fix(
                        say("add")
                            .set(option::TABLE, "NAME")
                            .say(", or")
                            .set(option::QUERY, "SELECT …"),
                    ))
            }
            (None, None) => Source::parse(data).map(Self::Files),
            (None, Some(_)) if !Path::new(data).exists() => Err(Error::io(
                Place::file(data),
                "there is no such file, and it is no address of a database",
            )
            .with_fix(
                "check the path of the SQLite file, or the address: \
                        postgresql://USER@HOST/DATABASE",
            )),
            (None, Some(_)) => Err(no_database()),
        }
    }

    /// Several files.
    fn several(names: &DataNames, has_relation: bool) -> Result<Source> {
        if has_relation {
            return Err(no_database());
        }
        for name in names.iter() {
            // The address of a database can have a password.
            let shown = if sql::is_postgres_url(name) { "the database" } else { name };
            if sql::dialect_of(name).is_some() {
                return Err(Error::request(Place::file(shown), "no database stands beside others")
                    .with_fix(
                        say("name the database alone, with")
                            .option(option::TABLE)
                            .say("or")
                            .option(option::QUERY)
                            .say(", or files alone"),
                    ));
            }
            let is_pattern = name.contains(['*', '?', '[']);
            if name != "-" && !is_pattern && !Path::new(name).exists() {
                return Err(Error::io(Place::file(name), "there is no such file").with_fix(
                    say("all words that belong to no option name data: check the path, name a \
                         column with")
                    .set(option::VALUE, "COL")
                    .say(", and put text with spaces in quotes"),
                ));
            }
        }
        Source::parse_all(names.iter())
    }
}

/// Refusal of options of a database, where there is none.
fn no_database() -> Error {
    Error::request(option::TABLE, "tables and queries are those of a database").with_fix(
        say("leave")
            .option(option::TABLE)
            .say("and")
            .option(option::QUERY)
            .say("out, or name a database"),
    )
}

/// Applies `read` to the database with the data; `None` if they are in none.
pub(super) fn with_database<T>(
    task: &Task<'_>,
    read: impl FnOnce(&mut dyn Engine) -> Result<T>,
) -> Result<Option<T>> {
    if task.given.records.is_some() {
        return Ok(None);
    }
    let mut record_source = RecordSource::take_or_open(task)?;
    let made = match &mut record_source {
        RecordSource::Held(_) | RecordSource::Files(_) => None,
        RecordSource::Database(engine, _) => Some(read(engine.as_mut())),
    };
    task.record_source.replace(Some(record_source));
    made.transpose().map_err(|error| task.noted.with(error))
}

/// Returns the columns of the data, with the kinds that their types tell, from the header or the
/// schema alone.
pub(super) fn columns(task: &Task<'_>) -> Result<Vec<(String, Option<ColumnKind>)>> {
    match RecordSource::take_or_open(task)? {
        RecordSource::Held(_) => {
            let schema = task.given.records.as_ref().and_then(|records| records.schema());
            let fields = schema.iter().flat_map(|schema| schema.fields());
            Ok(fields.map(|field| (field.name().clone(), kind(field.data_type()))).collect())
        }
        RecordSource::Files(source) => {
            let columns = source.columns(task.source.csv_form())?.into_iter();
            Ok(columns.map(|one| (one.name, one.data_type.as_ref().and_then(kind))).collect())
        }
        RecordSource::Database(mut engine, relation) => {
            let columns = sql::columns(engine.as_mut(), &relation)?.into_iter();
            Ok(columns.map(|one| (one.name, Some(one.kind))).collect())
        }
    }
}

/// Returns the kind of values that a type holds, where it tells one.
fn kind(data_type: &DataType) -> Option<ColumnKind> {
    match data_type {
        DataType::Date32 | DataType::Date64 => Some(ColumnKind::Date),
        DataType::Timestamp(..) | DataType::Time32(_) | DataType::Time64(_) => {
            Some(ColumnKind::Time)
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..) => {
            Some(ColumnKind::Label)
        }
        _ if data_type.is_integer() => Some(ColumnKind::Integer),
        _ if data_type.is_numeric() => Some(ColumnKind::Number),
        _ => None,
    }
}

/// Returns true if the column of this name holds integers by its type, whatever its values.
pub(super) fn has_integers(task: &Task<'_>, column: &str) -> Result<bool> {
    if let Some(records) = &task.given.records {
        return Ok(records.schema().is_some_and(|schema| suum_data::has_integers(&schema, column)));
    }
    let mut record_source = RecordSource::take_or_open(task)?;
    let integers = match &mut record_source {
        RecordSource::Held(_) => false,
        RecordSource::Files(source) => source.has_integers(column),
        RecordSource::Database(engine, relation) => {
            let columns =
                sql::columns(engine.as_mut(), relation).map_err(|error| task.noted.with(error))?;
            let mut named = columns.iter().filter(|one| one.name == column);
            named.next().is_some_and(|one| one.kind.is_whole()) && named.next().is_none()
        }
    };
    task.record_source.replace(Some(record_source));
    Ok(integers)
}

/// Returns true if the data can be read twice: standard input and streams of records cannot.
pub(super) fn is_read_again(task: &Task<'_>) -> Result<bool> {
    if let Some(records) = &task.given.records {
        return Ok(records.is_read_again());
    }
    let record_source = RecordSource::take_or_open(task)?;
    let is_read_again =
        !matches!(&record_source, RecordSource::Files(source) if source.is_standard_input());
    task.record_source.replace(Some(record_source));
    Ok(is_read_again)
}

/// Table or query of a database, if one is named.
pub(crate) fn relation(source: &DataSource) -> Result<Option<Relation>> {
    match (&source.table, &source.query) {
        (Some(table), _) => Relation::table(table).map(Some),
        (None, Some(query)) => {
            Ok(Some(Relation::Query { sql: query.clone(), trusted: source.trust_query }))
        }
        (None, None) => Ok(None),
    }
}

/// Makes a scan, and collects its remarks.
pub(crate) fn read(task: &Task<'_>, scan: &Scan) -> Result<Reading> {
    let reading = unnoted(task, scan)?;
    note(task, &reading)?;
    Ok(reading)
}

/// Makes a scan without remarks for the answer.
pub(super) fn unnoted(task: &Task<'_>, scan: &Scan) -> Result<Reading> {
    let mut readings = each(task, from_ref(scan)).map_err(|refusal| refusal.error)?;
    readings.pop().ok_or_else(|| {
        Error::internal("a scan has read nothing").with_fix("please report it, with the options")
    })
}

/// Makes several scans: of files and of records in memory in one pass, of a database in one
/// snapshot.
///
/// # Errors
///
/// Returns the refusal of the first scan that refuses, with its index.
pub(crate) fn each(task: &Task<'_>, scans: &[Scan]) -> std::result::Result<Vec<Reading>, Refusal> {
    let progress = &*task.progress;
    progress.enter(Phase::Reading, None);
    // Persons are charged once.
    let done = || if scans.len() > 1 { accounts::has_read(task) } else { Ok(()) };
    let of_all = |error| Refusal { scan: 0, error };
    let readings = match RecordSource::take_or_open(task).map_err(of_all)? {
        RecordSource::Held(batches) => suum_data::scan_each_batches(batches, scans, progress, done),
        RecordSource::Files(source) => {
            progress.expect(source.total_bytes());
            suum_data::scan_each(&source, scans, progress, done)
        }
        RecordSource::Database(mut engine, relation) => {
            let read = |(at, scan): (usize, &Scan)| {
                let reading = read_database(engine.as_mut(), &relation, scan, progress);
                let reading = reading.and_then(|reading| done().map(|()| reading));
                let refusal = |error| Refusal { scan: at, error: task.noted.with(error) };
                reading.map_err(refusal)
            };
            scans.iter().enumerate().map(read).collect()
        }
    };
    accounts::check_read(task, Ok(())).map_err(of_all)?;
    readings
}

/// Reads the labels that occur in the column of a scan of labels.
pub(super) fn labels(task: &Task<'_>, scan: &Scan) -> Result<Vec<String>> {
    let progress = &*task.progress;
    progress.enter(Phase::Reading, None);
    match RecordSource::take_or_open(task)? {
        RecordSource::Held(batches) => suum_data::read_labels_batches(batches, scan, progress),
        RecordSource::Files(source) => {
            progress.expect(source.total_bytes());
            suum_data::read_labels(&source, scan, progress)
        }
        RecordSource::Database(mut engine, relation) => {
            let labels = sql::read_labels(engine.as_mut(), &relation, scan, progress);
            labels.map_err(|error| task.noted.with(error))
        }
    }
}

fn read_database(
    engine: &mut dyn Engine,
    relation: &Relation,
    scan: &Scan,
    progress: &Progress,
) -> Result<Reading> {
    match (&scan.value, &scan.group) {
        (Some(Value::Unbounded(_)), None) => {
            sql::keep(engine, relation, scan, progress).map(Reading::Records)
        }
        (Some(Value::Unbounded(_)), Some(_)) => {
            sql::keep_groups(engine, relation, scan, progress).map(Reading::GroupRecords)
        }
        (_, None) => sql::scan(engine, relation, scan).map(Reading::Table),
        (_, Some(_)) => sql::scan_groups(engine, relation, scan).map(Reading::Groups),
    }
}

/// Collects public remarks on what was read.
pub(crate) fn note(task: &Task<'_>, reading: &Reading) -> Result<()> {
    match reading {
        _ if task.hides_participation() => {}
        Reading::Table(table) => task.noted.table(table),
        Reading::Groups(groups) => task.noted.groups(groups),
        Reading::Records(records) => task.noted.profile(&records.profile()?),
        Reading::GroupRecords(groups) => {
            for records in groups.each.iter().filter_map(|(_, records)| records.as_ref()) {
                task.noted.profile(&records.profile()?);
            }
        }
    }
    Ok(())
}

/// Reads tables that were counted elsewhere: the level table in memory or in a file, or the result
/// of a level query.
///
/// Under hidden participation they, and any of their groups, may have no records.
pub(crate) fn read_counted(task: &Task<'_>, file: &str) -> Result<LevelTables> {
    let hides = task.hides_participation();
    let counted = match (result(task, file)?, &task.given.levels) {
        (Some(counted), _) if hides => counted,
        (Some(counted), _) => require_records(counted)?,
        (None, Some(bytes)) => levels(bytes.as_slice(), hides)?,
        (None, None) => levels(open(file)?, hides)?,
    };
    match &counted {
        LevelTables::One(table) => task.noted.rows(table),
        LevelTables::Groups(groups) => {
            groups.each.iter().filter_map(|(_, table)| table.as_ref()).for_each(|table| {
                task.noted.rows(table);
            });
        }
    }
    Ok(counted)
}

fn levels(input: impl io::Read, hides: bool) -> Result<LevelTables> {
    match hides {
        true => suum_data::read_counted_of_anybody(input),
        false => suum_data::read_counted(input),
    }
}

/// Refuses the result of a level query without records, and drops the tables of groups without
/// records.
fn require_records(counted: LevelTables) -> Result<LevelTables> {
    match counted {
        LevelTables::One(table) => {
            table.profile()?;
            Ok(LevelTables::One(table))
        }
        LevelTables::Groups(Groups { column, each }) => {
            let shown = |table: &LevelTable| table.records() > 0;
            let each = each.into_iter().map(|(name, table)| (name, table.filter(shown)));
            Ok(LevelTables::Groups(Groups { column, each: each.collect() }))
        }
    }
}

/// Result of a level query; `None` for a level table.
fn result(task: &Task<'_>, file: &str) -> Result<Option<LevelTables>> {
    match &task.given.levels {
        Some(bytes) => sql::parse_result(bytes),
        None => sql::read_result(Path::new(file)),
    }
}

fn open(path: &str) -> Result<BufReader<File>> {
    let unreadable =
        |_| Error::io("level table", format!("{path} cannot be read")).with_fix("check the path");
    Ok(BufReader::new(File::open(path).map_err(unreadable)?))
}
