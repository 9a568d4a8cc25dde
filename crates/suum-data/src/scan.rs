//! What to read, and the one pass that reads it.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::RecordBatch;
use suum_core::{
    Cells, Cohort, DeclaredBudgets, Epsilon, Error, LevelTable, Measure, Numbers, Result,
};

use crate::accounts::Accounts;
use crate::check::{Purpose, check};
use crate::collector::Collector;
use crate::csv::{self, Input};
use crate::fault::Role;
use crate::first_failure::FirstFailure;
use crate::groups::{GroupColumn, Groups};
use crate::job::Job;
use crate::memory::{self, Slices};
use crate::parquet;
use crate::progress::Progress;
use crate::source::{Format, Place, Source};
use crate::tiers::Tiers;
use crate::value::Value;

/// The columns a scan reads and how.
#[derive(Debug)]
pub struct Scan {
    /// Where each record's privacy choice is.
    pub privacy: PrivacyColumn,
    /// Where each record's value is; `None` if only choices are counted.
    pub value: Option<Value>,
    /// The column that says whose row it is, where one person can have many; `None` if each row is
    /// a person.
    ///
    /// A person counts once: at the least budget of their rows, of equal tiers the one declared
    /// first; with the mean grid index of their rows, halves rounded up; with [`Cells::rows`] of
    /// their rows whose ranks are spread evenly, the middle between two neighbours where a rank
    /// falls between them (one is the median); and with their most frequent category, of equal ones
    /// that declared first. Identifiers are compared byte by byte, after spaces around them are
    /// removed.
    pub person: Option<String>,
    /// The column of declared groups, for [`scan_groups`]; `None` for one table of all records.
    pub group: Option<GroupColumn>,
    /// Which budgets are told apart, for neighbours that add or remove a record; `None` where the
    /// number of records and their budgets are public.
    ///
    /// Then nothing but the table itself says how many records there are and what they allow. Each
    /// budget counts as [`DeclaredBudgets::of`] it. Data or groups without records have an empty
    /// table. Where a record is refused, neither its row nor its file is named. And whether there
    /// are too many levels is decided from the range of budgets, before anything is read.
    pub add_remove: Option<DeclaredBudgets>,
    /// What is left to each person; `None` where all count at the budgets in the data.
    pub accounts: Option<Arc<dyn Accounts>>,
}

/// The column with each record's privacy choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrivacyColumn {
    /// Numeric budgets ε; `inf` is public and 0 unused.
    Budgets {
        /// The name of the column.
        column: String,
    },
    /// Labels of declared consent tiers.
    Tiers {
        /// The name of the column.
        column: String,
        /// The labels that may occur.
        tiers: Tiers,
    },
}

impl PrivacyColumn {
    /// The name of the column.
    pub fn column(&self) -> &str {
        match self {
            Self::Budgets { column } | Self::Tiers { column, .. } => column,
        }
    }
}

impl Scan {
    /// A scan of these columns, each row a person, all in one group.
    pub fn new(privacy: PrivacyColumn, value: Option<Value>) -> Self {
        Self { privacy, value, person: None, group: None, add_remove: None, accounts: None }
    }

    /// Refuses what cannot be a scan, whatever the data are.
    ///
    /// # Errors
    ///
    /// As [`scan_groups`] if it is `grouped`, or as [`scan`], before they read anything.
    pub fn check(&self, grouped: bool) -> Result<()> {
        check(self, if grouped { Purpose::Groups } else { Purpose::Table })
    }

    /// The name of a column as the user gave it.
    pub(crate) fn column(&self, role: Role) -> &str {
        let of_value = self.value.as_ref().map(Value::column);
        let of_group = self.group.as_ref().map(|group| group.column.as_str());
        let asked = match role {
            Role::Privacy => None,
            Role::Value => of_value,
            Role::Group => of_group,
            Role::Person => self.person.as_deref(),
        };
        asked.unwrap_or(self.privacy.column())
    }

    /// What is added up.
    pub(crate) fn measure(&self) -> Measure {
        self.value.as_ref().map_or(Measure::Nothing, Value::measure)
    }

    /// What is added up of numbers, if values are numbers with bounds.
    pub fn numbers(&self) -> Option<&Numbers> {
        match &self.value {
            Some(Value::Number(column)) => Some(&column.numbers),
            _ => None,
        }
    }

    /// The candidates at which rows are counted.
    pub(crate) fn cells(&self) -> Option<Cells> {
        self.numbers()?.cells
    }

    /// The budget as which a record of this budget counts.
    #[inline]
    pub fn budget(&self, epsilon: Epsilon) -> Epsilon {
        self.add_remove.as_ref().map_or(epsilon, |budgets| budgets.of(epsilon))
    }

    /// Whether cohorts are declared tiers, and not numeric budgets.
    pub(crate) fn keeps_tiers(&self) -> bool {
        matches!(self.privacy, PrivacyColumn::Tiers { .. }) && self.accounts.is_none()
    }

    /// The labels of the tiers, in the order declared, and the budget as which each counts; none if
    /// budgets are numbers.
    pub(crate) fn tiers(&self) -> impl Iterator<Item = (&str, Epsilon)> {
        let tiers = match &self.privacy {
            PrivacyColumn::Tiers { tiers, .. } => Some(tiers.iter()),
            PrivacyColumn::Budgets { .. } => None,
        };
        tiers.into_iter().flatten().map(|(label, epsilon)| (label, self.budget(epsilon)))
    }

    /// Refuses data without records, where it is public whether there are any.
    pub(crate) fn check_records(&self, records: bool) -> Result<()> {
        match records || self.add_remove.is_some() {
            true => Ok(()),
            false => Err(Error::data("the data have no records")
                .with_hint("name data with at least one row below the header")),
        }
    }

    /// The table of these cohorts, over whose values `measure` was added up.
    pub(crate) fn table(&self, measure: Measure, cohorts: Vec<Cohort>) -> Result<LevelTable> {
        self.check_records(!cohorts.is_empty())?;
        let column = self.value.as_ref().map(|value| value.column().to_owned());
        let missing = self.value.as_ref().and_then(Value::replacement);
        Ok(LevelTable::possibly_empty(column, measure, cohorts)?.with_missing(missing))
    }

    /// The number of declared groups; 0 without a column of groups.
    pub(crate) fn groups(&self) -> usize {
        self.group.as_ref().map_or(0, |group| group.groups.categories().len())
    }
}

/// Reads all records of the source, in one pass on all cores.
///
/// # Errors
///
/// Refuses columns that are not there or not of the declared form, missing cells, budgets out of
/// range, undeclared tiers and categories, numbers without bounds, broken files, and data without
/// records. The refusal is about the first fault in the order of the files and rows, and names
/// file, column and row, but no value.
///
/// # Example
///
/// ```no_run
/// use suum_data::{PrivacyColumn, Progress, Scan, Source, scan};
///
/// let privacy = PrivacyColumn::Budgets { column: "epsilon".into() };
/// let people = Scan::new(privacy, None);
/// let table = scan(&Source::parse("people.parquet")?, &people, &Progress::default())?;
/// println!("{}", table.profile()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn scan(source: &Source, scan: &Scan, progress: &Progress) -> Result<LevelTable> {
    check(scan, Purpose::Table)?;
    let job = Job::new(scan);
    read(source, &job, progress)?.finish(&job)?.into_table(&job)
}

/// Reads all records of CSV from a reader, as [`scan`] reads a file.
///
/// # Errors
///
/// As [`scan`]; there is no file to name.
pub fn scan_csv(reader: impl Read + Send, scan: &Scan, progress: &Progress) -> Result<LevelTable> {
    check(scan, Purpose::Table)?;
    let job = Job::new(scan);
    read_csv(reader, &job, progress)?.finish(&job)?.into_table(&job)
}

/// Reads all records of the source into a table for each declared group, in one pass on all cores.
///
/// # Errors
///
/// As [`scan`], and refuses a scan without a column of groups, groups that are missing or not
/// declared, and persons with rows in more than one group.
///
/// # Example
///
/// ```
/// use suum_data::{Classes, GroupColumn, PrivacyColumn, Progress, Scan, scan_groups_csv};
///
/// let csv = "site,epsilon\nnorth,0.1\nnorth,1\n";
/// let groups = Classes::labels(vec!["north".into(), "south".into()], None)?;
/// let scan = Scan {
///     group: Some(GroupColumn { column: "site".into(), groups }),
///     ..Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None)
/// };
/// let sites = scan_groups_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// let records: Vec<_> =
///     sites.tables.iter().map(|(_, table)| table.as_ref().map(|t| t.records())).collect();
/// assert_eq!(records, [Some(2), None]);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn scan_groups(source: &Source, scan: &Scan, progress: &Progress) -> Result<Groups> {
    check(scan, Purpose::Groups)?;
    let job = Job::new(scan);
    of_groups(read(source, &job, progress)?, &job)
}

/// Reads all records of CSV from a reader, as [`scan_groups`] reads a file.
///
/// # Errors
///
/// As [`scan_groups`]; there is no file to name.
pub fn scan_groups_csv(
    reader: impl Read + Send,
    scan: &Scan,
    progress: &Progress,
) -> Result<Groups> {
    check(scan, Purpose::Groups)?;
    let job = Job::new(scan);
    of_groups(read_csv(reader, &job, progress)?, &job)
}

/// Reads all records of Arrow record batches, as [`scan`] reads a file.
///
/// Columns are found by name in each batch. They may be numbers, decimals and truth values, text of
/// all layouts, and dictionaries of these; a missing cell is null or a NaN. Rows are counted from
/// 1, over all batches.
///
/// Batches are asked for one by one, on whatever thread of the pool is idle, and large ones are cut
/// into pieces for all of them. How they are cut depends on nothing but their lengths. An error in
/// place of a batch ends the scan, unless there is a fault before it.
///
/// # Errors
///
/// As [`scan`]; there is no file to name.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
/// use suum_data::arrow_array::{ArrayRef, Float64Array, RecordBatch};
/// use suum_data::{PrivacyColumn, Progress, Scan, scan_batches};
///
/// let epsilons: ArrayRef = Arc::new(Float64Array::from(vec![0.1, 1.0, 0.1]));
/// let batch = RecordBatch::try_from_iter([("epsilon", epsilons)])?;
/// let scan = Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None);
/// let table = scan_batches([Ok(batch)], &scan, &Progress::default())?;
/// assert_eq!(table.profile()?.to_string(), "0.1:2,1:1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scan_batches<B>(batches: B, scan: &Scan, progress: &Progress) -> Result<LevelTable>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send>,
{
    check(scan, Purpose::Table)?;
    let job = Job::new(scan);
    read_batches(batches, &job, progress)?.finish(&job)?.into_table(&job)
}

/// Reads all records of Arrow record batches, as [`scan_groups`] reads a file.
///
/// # Errors
///
/// As [`scan_groups`] and [`scan_batches`].
pub fn scan_groups_batches<B>(batches: B, scan: &Scan, progress: &Progress) -> Result<Groups>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send>,
{
    check(scan, Purpose::Groups)?;
    let job = Job::new(scan);
    of_groups(read_batches(batches, &job, progress)?, &job)
}

/// Reads all records of slices, as [`scan`] reads a file, and copies none of them.
///
/// # Errors
///
/// As [`scan`]; there is no file to name. Persons have identifiers, which are no slices.
pub fn scan_slices(slices: &Slices, scan: &Scan, progress: &Progress) -> Result<LevelTable> {
    check(scan, Purpose::Table)?;
    let job = Job::new(scan);
    read_slices(slices, &job, progress)?.finish(&job)?.into_table(&job)
}

/// Reads all records of slices, as [`scan_groups`] reads a file, and copies none of them.
///
/// # Errors
///
/// As [`scan_groups`] and [`scan_slices`].
pub fn scan_groups_slices(slices: &Slices, scan: &Scan, progress: &Progress) -> Result<Groups> {
    check(scan, Purpose::Groups)?;
    let job = Job::new(scan);
    of_groups(read_slices(slices, &job, progress)?, &job)
}

fn of_groups<'a>(collected: Collector<'a>, job: &'a Job<'a>) -> Result<Groups> {
    let tables = collected.finish(job)?.into_tables(job)?;
    let group = job.scan().group.as_ref();
    let names = group.map_or(&[][..], |group| group.groups.categories().names());
    let column = job.scan().column(Role::Group).to_owned();
    Ok(Groups { column, tables: names.iter().cloned().zip(tables).collect() })
}

/// Reads all records of the source.
pub(crate) fn read<'a>(
    source: &Source,
    job: &'a Job<'a>,
    progress: &Progress,
) -> Result<Collector<'a>> {
    let mut collected = Collector::new(job);
    match source.place() {
        Place::StandardInput => {
            let input = Input::reader(Some("standard input".to_owned()), Box::new(io::stdin()));
            collected.merge(csv::scan(vec![input], job, progress, csv::BLOCK_BYTES)?);
        }
        // Runs of one format are read one after the other, so that the first refusal is that of the
        // first file.
        Place::Files(files) => {
            for run in files.chunk_by(|a, b| a.format == b.format) {
                collected.merge(match run[0].format {
                    Format::Csv => {
                        let inputs = run
                            .iter()
                            .map(|file| Input::path(&file.path, file.compression()))
                            .collect();
                        csv::scan(inputs, job, progress, csv::BLOCK_BYTES)?
                    }
                    Format::Parquet => {
                        let paths: Vec<_> = run.iter().map(|file| file.path.as_path()).collect();
                        parquet::scan(&paths, job, progress)?
                    }
                });
            }
        }
    }
    Ok(collected)
}

/// Reads all records of CSV.
pub(crate) fn read_csv<'a>(
    reader: impl Read + Send,
    job: &'a Job<'a>,
    progress: &Progress,
) -> Result<Collector<'a>> {
    let input = Input::reader(None, Box::new(reader));
    csv::scan(vec![input], job, progress, csv::BLOCK_BYTES)
}

/// Reads all records of record batches.
pub(crate) fn read_batches<'a, B>(
    batches: B,
    job: &'a Job<'a>,
    progress: &Progress,
) -> Result<Collector<'a>>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send>,
{
    let failed = FirstFailure::new();
    let pieces = memory::of_batches(batches.into_iter(), job.scan(), progress, &failed);
    memory::scan(pieces, job, &failed)
}

/// Reads all records of slices.
pub(crate) fn read_slices<'a>(
    slices: &Slices,
    job: &'a Job<'a>,
    progress: &Progress,
) -> Result<Collector<'a>> {
    let failed = FirstFailure::new();
    let pieces = memory::of_slices(slices, job.scan(), progress, &failed)?;
    memory::scan(pieces, job, &failed)
}
