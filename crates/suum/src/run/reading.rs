//! The one place where data are read: files or databases that the job names, or what was handed
//! over.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use suum_core::{Error, LevelTable, Result};
use suum_data::{Counted, Groups, Phase, Progress, RecordBuffer, Scan, Source};
use suum_sql::{self as sql, ColumnKind, Engine, Relation};

use super::grouped::Read;
use super::{Task, accounts};
use crate::{Batches, DataSource};

/// Where the records are.
pub(super) enum Place {
    Held(Batches),
    Files(Source),
    /// A database, which adds them up itself.
    Database(Box<dyn Engine>, Relation),
}

impl Place {
    /// The place of the data; the one that was opened before, if one was.
    fn of(task: &Task<'_>) -> Result<Self> {
        match task.place.take() {
            Some(place) => Ok(place),
            None => Self::open(task),
        }
    }

    fn open(task: &Task<'_>) -> Result<Self> {
        let place = Self::named(task)?;
        let has_csv = matches!(&place, Self::Files(source) if source.has_csv());
        match task.source.said_of_csv().filter(|_| !has_csv) {
            Some(option) => Err(DataSource::no_csv(option)),
            None => Ok(place),
        }
    }

    fn named(task: &Task<'_>) -> Result<Self> {
        if let Some(records) = &task.given.records {
            return Ok(Self::Held(records.batches()?));
        }
        let data = task.source.data.as_deref().ok_or_else(|| {
            Error::parameter("data: there is nothing to read").with_hint(
                "name a CSV or Parquet file, a folder, - for standard input, a database, or \
                --from-levels FILE",
            )
        })?;
        match (sql::open(data)?, relation(task.source)?) {
            (Some(engine), Some(relation)) => {
                engine.warnings().iter().for_each(|warning| task.noted.warning(warning));
                task.noted.relation(&relation);
                Ok(Self::Database(engine, relation))
            }
            (Some(_), None) => Err(Error::parameter(
                "table: it is not said what to read of the \
                database",
            )
            .with_hint("add --table NAME, or --query \"SELECT …\"")),
            (None, None) => Source::parse(data).map(Self::Files),
            (None, Some(_)) if !Path::new(data).exists() => Err(Error::io(format!(
                "{data}: there is no such file, and it is no address of a \
                    database"
            ))
            .with_hint(
                "check the path of the SQLite file, or the address: \
                        postgresql://USER@HOST/DATABASE",
            )),
            (None, Some(_)) => Err(Error::request(
                "table: tables and queries are those of a \
                database",
            )
            .with_hint("leave --table and --query out, or name a database")),
        }
    }
}

/// Whether the column of this name holds integers by its type, whatever its values.
pub(super) fn has_integers(task: &Task<'_>, column: &str) -> Result<bool> {
    if let Some(records) = &task.given.records {
        return Ok(records.schema().is_some_and(|schema| suum_data::has_integers(&schema, column)));
    }
    let mut place = Place::of(task)?;
    let integers = match &mut place {
        Place::Held(_) => false,
        Place::Files(source) => source.has_integers(column),
        Place::Database(engine, relation) => {
            let columns = engine.columns(relation).map_err(|error| task.noted.with(error))?;
            let mut named = columns.iter().filter(|one| one.name == column);
            named.next().is_some_and(|one| one.kind == ColumnKind::Integer)
                && named.next().is_none()
        }
    };
    task.place.replace(Some(place));
    Ok(integers)
}

/// What is read of a database, if that is said.
pub(crate) fn relation(source: &DataSource) -> Result<Option<Relation>> {
    match (&source.table, &source.query) {
        (Some(table), _) => Relation::table(table).map(Some),
        (None, Some(query)) => {
            Ok(Some(Relation::Query { sql: query.clone(), trusted: source.trust_query }))
        }
        (None, None) => Ok(None),
    }
}

/// The level table of all records.
pub(crate) fn scan(task: &Task<'_>, scan: &Scan) -> Result<LevelTable> {
    let progress = &*task.progress;
    progress.enter(Phase::Reading, None);
    let table = match Place::of(task)? {
        Place::Held(batches) => suum_data::scan_batches(batches, scan, progress),
        Place::Files(source) => {
            of_files(progress, &source, |progress| suum_data::scan(&source, scan, progress))
        }
        Place::Database(mut engine, relation) => {
            sql::scan(engine.as_mut(), &relation, scan).map_err(|error| task.noted.with(error))
        }
    };
    let table = accounts::known(task, table)?;
    if scan.add_remove.is_none() {
        task.noted.table(&table);
    }
    Ok(table)
}

/// The level table of each group.
pub(crate) fn scan_groups(task: &Task<'_>, scan: &Scan) -> Result<Groups> {
    let progress = &*task.progress;
    progress.enter(Phase::Reading, None);
    let groups = match Place::of(task)? {
        Place::Held(batches) => suum_data::scan_groups_batches(batches, scan, progress),
        Place::Files(source) => {
            of_files(progress, &source, |progress| suum_data::scan_groups(&source, scan, progress))
        }
        Place::Database(mut engine, relation) => {
            let groups = sql::scan_groups(engine.as_mut(), &relation, scan);
            groups.map_err(|error| task.noted.with(error))
        }
    };
    let groups = accounts::known(task, groups)?;
    if scan.add_remove.is_none() {
        task.noted.groups(&groups);
    }
    Ok(groups)
}

/// All records, kept to be asked again; those of each group, if the scan has groups.
pub(crate) fn keep(task: &Task<'_>, scan: &Scan) -> Result<Read<RecordBuffer>> {
    let progress = &*task.progress;
    progress.enter(Phase::Reading, None);
    let kept = match (Place::of(task)?, &scan.group) {
        (Place::Held(batches), None) => {
            suum_data::keep_batches(batches, scan, progress).map(Read::One)
        }
        (Place::Held(batches), Some(_)) => {
            suum_data::keep_groups_batches(batches, scan, progress).map(Read::Groups)
        }
        (Place::Files(source), None) => {
            of_files(progress, &source, |progress| suum_data::keep(&source, scan, progress))
                .map(Read::One)
        }
        (Place::Files(source), Some(_)) => {
            of_files(progress, &source, |progress| suum_data::keep_groups(&source, scan, progress))
                .map(Read::Groups)
        }
        (Place::Database(mut engine, relation), None) => {
            let kept = sql::keep(engine.as_mut(), &relation, scan, progress);
            kept.map(Read::One).map_err(|error| task.noted.with(error))
        }
        (Place::Database(mut engine, relation), Some(_)) => {
            let kept = sql::keep_groups(engine.as_mut(), &relation, scan, progress);
            kept.map(Read::Groups).map_err(|error| task.noted.with(error))
        }
    };
    let kept = accounts::known(task, kept)?;
    if scan.add_remove.is_none() {
        for records in kept.iter() {
            task.noted.profile(&records.profile()?);
        }
    }
    Ok(kept)
}

fn of_files<T>(
    progress: &Progress,
    source: &Source,
    read: impl FnOnce(&Progress) -> Result<T>,
) -> Result<T> {
    progress.expect(source.total_bytes());
    read(progress)
}

/// What was counted elsewhere: the level table that was handed over or is in a file, or the result
/// of a level query.
///
/// Where it is hidden who takes part, nobody need be in it, or in any of its groups.
pub(crate) fn counted(task: &Task<'_>, file: &str) -> Result<Counted> {
    let hides = task.hides_participation();
    let counted = match (result(task, file)?, &task.given.levels) {
        (Some(counted), _) if hides => counted,
        (Some(counted), _) => of_somebody(counted)?,
        (None, Some(bytes)) => levels(bytes.as_slice(), hides)?,
        (None, None) => levels(open(file)?, hides)?,
    };
    match &counted {
        Counted::One(table) => task.noted.rows(table),
        Counted::Groups(groups) => {
            groups.each.iter().filter_map(|(_, table)| table.as_ref()).for_each(|table| {
                task.noted.rows(table);
            });
        }
    }
    Ok(counted)
}

fn levels(input: impl io::Read, hides: bool) -> Result<Counted> {
    match hides {
        true => suum_data::read_counted_of_anybody(input),
        false => suum_data::read_counted(input),
    }
}

/// Refuses the result of a level query that is one of nobody, and leaves out the tables of groups
/// without records.
fn of_somebody(counted: Counted) -> Result<Counted> {
    match counted {
        Counted::One(table) => {
            table.profile()?;
            Ok(Counted::One(table))
        }
        Counted::Groups(Groups { column, each }) => {
            let shown = |table: &LevelTable| table.records() > 0;
            let each = each.into_iter().map(|(name, table)| (name, table.filter(shown)));
            Ok(Counted::Groups(Groups { column, each: each.collect() }))
        }
    }
}

/// What the result of a level query has; `None` if it is a level table.
fn result(task: &Task<'_>, file: &str) -> Result<Option<Counted>> {
    match &task.given.levels {
        Some(bytes) => sql::parse_result(bytes),
        None => sql::read_result(Path::new(file)),
    }
}

fn open(path: &str) -> Result<BufReader<File>> {
    let unreadable =
        |_| Error::io(format!("level table: {path} cannot be read")).with_hint("check the path");
    Ok(BufReader::new(File::open(path).map_err(unreadable)?))
}
