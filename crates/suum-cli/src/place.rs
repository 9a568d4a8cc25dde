//! Where the records are: in files, or in a database that adds them up itself.

use suum::sql::{self, Engine, Relation};
use suum::{Error, Groups, LevelTable, Result, Scan, Source, Spool};

use crate::arguments::InputArguments;
use crate::{output, progress};

/// What `DATA` names.
pub(crate) enum Place {
    Files(Source),
    Database(Box<dyn Engine>, Relation),
}

impl Place {
    /// The place that the arguments name.
    pub(crate) fn of(input: &InputArguments) -> Result<Self> {
        let data = input.data.as_deref().ok_or_else(|| {
            Error::parameter("data: there is nothing to read").with_hint(
                "name a CSV or Parquet file, a folder, - for standard input, a database, or --from-levels FILE",
            )
        })?;
        let relation = relation(input)?;
        match (sql::open(data)?, relation) {
            (Some(engine), Some(relation)) => {
                engine.warnings().iter().for_each(|warning| output::warn(warning));
                Ok(Self::Database(engine, relation))
            }
            (Some(_), None) => Err(Error::parameter("table: it is not said what to read of the database")
                .with_hint("add --table NAME, or --query \"SELECT …\"")),
            (None, None) => Source::parse(data).map(Self::Files),
            (None, Some(_)) => Err(Error::request("table: tables and queries are those of a database")
                .with_hint("leave --table and --query out, or name a database")),
        }
    }

    /// The level table of all records.
    pub(crate) fn scan(&mut self, scan: &Scan, quiet: bool) -> Result<LevelTable> {
        match self {
            Self::Files(source) => {
                progress::while_scanning(source, quiet, |progress| suum::scan(source, scan, progress))
            }
            Self::Database(engine, relation) => sql::scan(engine.as_mut(), relation, scan),
        }
    }

    /// The level table of each group.
    pub(crate) fn scan_groups(&mut self, scan: &Scan, quiet: bool) -> Result<Groups> {
        match self {
            Self::Files(source) => {
                progress::while_scanning(source, quiet, |progress| suum::scan_groups(source, scan, progress))
            }
            Self::Database(engine, relation) => sql::scan_groups(engine.as_mut(), relation, scan),
        }
    }

    /// All records, for a mean without declared bounds.
    pub(crate) fn spool(&self, scan: &Scan, quiet: bool) -> Result<Spool> {
        let source = self.files()?;
        progress::while_scanning(source, quiet, |progress| suum::spool(source, scan, progress))
    }

    /// The files, where values are looked at more than once.
    fn files(&self) -> Result<&Source> {
        match self {
            Self::Files(source) => Ok(source),
            Self::Database(..) => Err(Error::request("bounds: auto needs the values, and a database is asked for sums")
                .with_hint(
                    "declare the range that values can take, from public knowledge: --bounds LO,HI; or export the data",
                )),
        }
    }
}

/// What is read of a database, if that is said.
pub(crate) fn relation(input: &InputArguments) -> Result<Option<Relation>> {
    match (&input.table, &input.query) {
        (Some(table), _) => Relation::table(table).map(Some),
        (None, Some(query)) => Ok(Some(Relation::Query(query.clone()))),
        (None, None) => Ok(None),
    }
}
