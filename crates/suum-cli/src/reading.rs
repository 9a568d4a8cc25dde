//! The one place where data are read: files or databases that the command names, or what was handed
//! over.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use suum::sql::{self, Counted, Engine, Relation};
use suum::{Error, Groups, LevelTable, Progress, Result, Scan, Source, Spool};

use crate::arguments::InputArguments;
use crate::given::Batches;
use crate::{output, progress};

/// Where the records are.
enum Place {
    Held(Batches),
    Files(Source),
    /// A database, which adds them up itself.
    Database(Box<dyn Engine>, Relation),
}

impl Place {
    fn of(input: &InputArguments) -> Result<Self> {
        if let Some(records) = &input.given.records {
            return Ok(Self::Held(records.batches()?));
        }
        let data = input.data.as_deref().ok_or_else(|| {
            Error::parameter("data: there is nothing to read").with_hint(
                "name a CSV or Parquet file, a folder, - for standard input, a database, or \
                --from-levels FILE",
            )
        })?;
        match (sql::open(data)?, relation(input)?) {
            (Some(engine), Some(relation)) => {
                engine.warnings().iter().for_each(|warning| output::warn(warning));
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

/// What is read of a database, if that is said.
pub(crate) fn relation(input: &InputArguments) -> Result<Option<Relation>> {
    match (&input.table, &input.query) {
        (Some(table), _) => Relation::table(table).map(Some),
        (None, Some(query)) => {
            Ok(Some(Relation::Query { sql: query.clone(), trusted: input.trust_query }))
        }
        (None, None) => Ok(None),
    }
}

/// The level table of all records.
pub(crate) fn scan(input: &InputArguments, scan: &Scan, quiet: bool) -> Result<LevelTable> {
    let shown = input.given.progress.as_deref();
    let table = match Place::of(input)? {
        Place::Held(batches) => {
            suum::scan_batches(batches, scan, shown.unwrap_or(&Progress::default()))
        }
        Place::Files(source) => {
            of_files(shown, &source, quiet, |progress| suum::scan(&source, scan, progress))
        }
        Place::Database(mut engine, relation) => sql::scan(engine.as_mut(), &relation, scan),
    }?;
    match scan.add_remove {
        // Which budgets there are is hidden, too.
        Some(_) => input.noted.rows(&table),
        None => input.noted.table(&table),
    }
    Ok(table)
}

/// The level table of each group.
pub(crate) fn scan_groups(input: &InputArguments, scan: &Scan, quiet: bool) -> Result<Groups> {
    let shown = input.given.progress.as_deref();
    let groups = match Place::of(input)? {
        Place::Held(batches) => {
            suum::scan_groups_batches(batches, scan, shown.unwrap_or(&Progress::default()))
        }
        Place::Files(source) => {
            of_files(shown, &source, quiet, |progress| suum::scan_groups(&source, scan, progress))
        }
        Place::Database(mut engine, relation) => sql::scan_groups(engine.as_mut(), &relation, scan),
    }?;
    input.noted.groups(&groups);
    Ok(groups)
}

/// All records, kept for a mean without declared bounds.
pub(crate) fn spool(input: &InputArguments, scan: &Scan, quiet: bool) -> Result<Spool> {
    let shown = input.given.progress.as_deref();
    let spool = match Place::of(input)? {
        Place::Held(batches) => {
            suum::spool_batches(batches, scan, shown.unwrap_or(&Progress::default()))
        }
        Place::Files(source) => {
            of_files(shown, &source, quiet, |progress| suum::spool(&source, scan, progress))
        }
        Place::Database(..) => Err(Error::request(
            "bounds: auto needs the values, and a database is asked for \
                sums",
        )
        .with_hint(
            "declare the range that values can take, from public knowledge: --bounds LO,HI; or \
                export the data",
        )),
    }?;
    if scan.add_remove.is_none() {
        input.noted.profile(&spool.profile()?);
    }
    Ok(spool)
}

fn of_files<T>(
    shown: Option<&Progress>,
    source: &Source,
    quiet: bool,
    read: impl FnOnce(&Progress) -> Result<T>,
) -> Result<T> {
    match shown {
        Some(progress) => {
            progress.expect(source.total_bytes());
            read(progress)
        }
        None => progress::while_scanning(source, quiet, read),
    }
}

/// What was counted elsewhere: the level table that was handed over or is in a file, or the result
/// of a level query.
pub(crate) fn counted(input: &InputArguments, file: &str) -> Result<Counted> {
    let counted = match (&input.given.levels, result(input, file)?) {
        (_, Some(counted)) => counted,
        (Some(bytes), None) => Counted::One(suum::read_levels(bytes.as_slice())?),
        (None, None) => Counted::One(suum::read_levels(open(file)?)?),
    };
    match &counted {
        Counted::One(table) => input.noted.rows(table),
        Counted::Groups(groups) => input.noted.groups(groups),
    }
    Ok(counted)
}

/// The level table of somebody, not of groups.
pub(crate) fn levels(input: &InputArguments, file: &str) -> Result<LevelTable> {
    of_somebody(one(counted(input, file)?)?)
}

/// As [`levels`], of a table that may be one of nobody.
pub(crate) fn levels_of_anybody(input: &InputArguments, file: &str) -> Result<LevelTable> {
    let table = match (&input.given.levels, result(input, file)?) {
        (_, Some(counted)) => one(counted),
        (Some(bytes), None) => suum::read_levels_of_anybody(bytes.as_slice()),
        (None, None) => suum::read_levels_of_anybody(open(file)?),
    }?;
    input.noted.rows(&table);
    Ok(table)
}

/// Refuses a level table of nobody, which the result of a level query can be.
pub(crate) fn of_somebody(table: LevelTable) -> Result<LevelTable> {
    table.profile()?;
    Ok(table)
}

/// What the result of a level query has; `None` if it is a level table.
fn result(input: &InputArguments, file: &str) -> Result<Option<Counted>> {
    match &input.given.levels {
        Some(bytes) => sql::parse_result(bytes),
        None => sql::read_result(Path::new(file)),
    }
}

/// The level table as `suum levels` writes it; `None` if there is one for each group.
pub(crate) fn rewritten(levels: &[u8]) -> Result<Option<String>> {
    let table = match sql::parse_result(levels)? {
        Some(Counted::Groups(_)) => return Ok(None),
        Some(Counted::One(table)) => table,
        None => suum::read_levels_of_anybody(levels)?,
    };
    let mut text = Vec::new();
    suum::write_levels(&table, &mut text)?;
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}

fn one(counted: Counted) -> Result<LevelTable> {
    match counted {
        Counted::One(table) => Ok(table),
        Counted::Groups(_) => Err(Error::table(
            "level query: its result has a table for each group",
        )
        .with_hint("run the query of all records, without --group-by; a plan is for one table")),
    }
}

fn open(path: &str) -> Result<BufReader<File>> {
    let unreadable =
        |_| Error::io(format!("level table: {path} cannot be read")).with_hint("check the path");
    Ok(BufReader::new(File::open(path).map_err(unreadable)?))
}
