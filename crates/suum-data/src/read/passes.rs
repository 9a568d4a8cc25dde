//! The one pass that reads: from files, batches and slices to tables and kept records.

use std::io::{self, Read};
use std::slice::from_ref;

use arrow_array::RecordBatch;
use suum_core::{Error, GroupName, LevelTable, Result, option};

use crate::read::check::{Purpose, check};
use crate::read::csv::{self, Input};
use crate::read::first_failure::FirstFailures;
use crate::read::lanes::{Refusal, in_turn, only};
use crate::read::memory::{self, Slices};
use crate::read::parquet;
use crate::read::progress::Progress;
use crate::read::source::{DataFile, Format, Location, Source};
use crate::scan::Scan;
use crate::scan::groups::Groups;
use crate::sink::buffer::RecordBuffer;
use crate::sink::job::Job;
use crate::sink::row_sink::RowSink;

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
    only(read(source, from_ref(&job), progress))?.finish(&job)?.into_table(&job)
}

/// Reads all records of CSV from a reader, as [`scan`] reads a file.
///
/// # Errors
///
/// As [`scan`]; there is no file to name.
pub fn scan_csv(reader: impl Read + Send, scan: &Scan, progress: &Progress) -> Result<LevelTable> {
    check(scan, Purpose::Table)?;
    let job = Job::new(scan);
    only(read_csv(reader, from_ref(&job), progress))?.finish(&job)?.into_table(&job)
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
/// use suum_data::{CategoryRule, GroupColumn, PrivacyColumn, Progress, Scan, scan_groups_csv};
///
/// let csv = "site,epsilon\nnorth,0.1\nnorth,1\n";
/// let groups = CategoryRule::labels(vec!["north".into(), "south".into()], None)?;
/// let scan = Scan {
///     group: Some(GroupColumn { column: "site".into(), groups }.into()),
///     ..Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None)
/// };
/// let sites = scan_groups_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// let records: Vec<_> =
///     sites.each.iter().map(|(_, table)| table.as_ref().map(|t| t.records())).collect();
/// assert_eq!(records, [Some(2), None]);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn scan_groups(source: &Source, scan: &Scan, progress: &Progress) -> Result<Groups> {
    check(scan, Purpose::Groups)?;
    let job = Job::new(scan);
    build_groups(only(read(source, from_ref(&job), progress))?, &job)
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
    build_groups(only(read_csv(reader, from_ref(&job), progress))?, &job)
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
    only(read_batches(batches, from_ref(&job), progress))?.finish(&job)?.into_table(&job)
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
    build_groups(only(read_batches(batches, from_ref(&job), progress))?, &job)
}

/// Reads all records of slices, as [`scan`] reads a file, and copies none of them.
///
/// # Errors
///
/// As [`scan`]; there is no file to name. Persons have identifiers, which are no slices.
pub fn scan_slices(slices: &Slices, scan: &Scan, progress: &Progress) -> Result<LevelTable> {
    check(scan, Purpose::Table)?;
    let job = Job::new(scan);
    only(read_slices(slices, from_ref(&job), progress))?.finish(&job)?.into_table(&job)
}

/// Reads all records of slices, as [`scan_groups`] reads a file, and copies none of them.
///
/// # Errors
///
/// As [`scan_groups`] and [`scan_slices`].
pub fn scan_groups_slices(slices: &Slices, scan: &Scan, progress: &Progress) -> Result<Groups> {
    check(scan, Purpose::Groups)?;
    let job = Job::new(scan);
    build_groups(only(read_slices(slices, from_ref(&job), progress))?, &job)
}

pub(crate) fn build_groups<'a>(collected: RowSink<'a>, job: &'a Job<'a>) -> Result<Groups> {
    let tables = collected.finish(job)?.into_tables(job)?;
    Ok(by_group(job.scan(), tables))
}

/// Reads all records of the source and keeps them, in one pass on all cores.
///
/// The value of the scan is [`Value::Unbounded`](crate::Value::Unbounded). Up to 256 MiB of
/// records, 8 to 16 bytes each, are in memory; others wait in an unnamed file in the folder for
/// temporary files (`TMPDIR`).
///
/// # Errors
///
/// As [`scan`], and refuses scans of groups, and a temporary file that fails.
///
/// # Example
///
/// ```no_run
/// use suum_data::{PrivacyColumn, Progress, Scan, Source, UnboundedColumn, Value, keep};
///
/// let value = UnboundedColumn { column: "income".into(), missing: Some(0.0), cells: None };
/// let scan = Scan::new(
///     PrivacyColumn::Budgets { column: "epsilon".into() },
///     Some(Value::Unbounded(value)),
/// );
/// let buffer = keep(&Source::parse("people.parquet")?, &scan, &Progress::default())?;
/// println!("{}", buffer.profile()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn keep(source: &Source, scan: &Scan, progress: &Progress) -> Result<RecordBuffer> {
    check(scan, Purpose::Buffer)?;
    let job = Job::new(scan);
    keep_records(&job, only(read(source, from_ref(&job), progress))?)
}

/// Reads all records of CSV from a reader and keeps them, as [`keep`] does those of a file.
///
/// # Errors
///
/// As [`keep`]; there is no file to name.
pub fn keep_csv(
    reader: impl Read + Send,
    scan: &Scan,
    progress: &Progress,
) -> Result<RecordBuffer> {
    check(scan, Purpose::Buffer)?;
    let job = Job::new(scan);
    keep_records(&job, only(read_csv(reader, from_ref(&job), progress))?)
}

/// Reads all records of Arrow record batches and keeps them, as [`keep`] does those of a file.
///
/// # Errors
///
/// As [`keep`] and [`scan_batches`].
pub fn keep_batches<B>(batches: B, scan: &Scan, progress: &Progress) -> Result<RecordBuffer>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send>,
{
    check(scan, Purpose::Buffer)?;
    let job = Job::new(scan);
    keep_records(&job, only(read_batches(batches, from_ref(&job), progress))?)
}

/// Reads all records of slices and keeps them, as [`keep`] does those of a file.
///
/// # Errors
///
/// As [`keep`] and [`scan_slices`].
pub fn keep_slices(slices: &Slices, scan: &Scan, progress: &Progress) -> Result<RecordBuffer> {
    check(scan, Purpose::Buffer)?;
    let job = Job::new(scan);
    keep_records(&job, only(read_slices(slices, from_ref(&job), progress))?)
}

/// Reads all records of the source and keeps those of each declared group, as [`keep`] keeps all.
///
/// With [public memberships](crate::CountedGroups::All) a group has a buffer for each
/// [number of groups](RecordBuffer::groups_of_person) in which one of its persons is.
///
/// # Errors
///
/// As [`keep`] and [`scan_groups`].
pub fn keep_groups(
    source: &Source,
    scan: &Scan,
    progress: &Progress,
) -> Result<Groups<RecordBuffer>> {
    check(scan, Purpose::GroupBuffers)?;
    let job = Job::new(scan);
    keep_group_records(&job, only(read(source, from_ref(&job), progress))?)
}

/// Reads all records of CSV from a reader, as [`keep_groups`] reads those of a file.
///
/// # Errors
///
/// As [`keep_groups`]; there is no file to name.
pub fn keep_groups_csv(
    reader: impl Read + Send,
    scan: &Scan,
    progress: &Progress,
) -> Result<Groups<RecordBuffer>> {
    check(scan, Purpose::GroupBuffers)?;
    let job = Job::new(scan);
    keep_group_records(&job, only(read_csv(reader, from_ref(&job), progress))?)
}

/// Reads all records of Arrow record batches, as [`keep_groups`] reads those of a file.
///
/// # Errors
///
/// As [`keep_groups`] and [`scan_batches`].
pub fn keep_groups_batches<B>(
    batches: B,
    scan: &Scan,
    progress: &Progress,
) -> Result<Groups<RecordBuffer>>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send>,
{
    check(scan, Purpose::GroupBuffers)?;
    let job = Job::new(scan);
    keep_group_records(&job, only(read_batches(batches, from_ref(&job), progress))?)
}

/// Keeps the collected records, to be counted again.
pub(crate) fn keep_records<'a>(job: &'a Job<'a>, collected: RowSink<'a>) -> Result<RecordBuffer> {
    let buffers = collected.finish(job)?.into_buffers(job)?;
    buffers.into_iter().flatten().next().ok_or_else(|| {
        Error::internal("a scan without groups kept no records")
            .with_fix("please report it, with the options")
    })
}

pub(crate) fn keep_group_records<'a>(
    job: &'a Job<'a>,
    collected: RowSink<'a>,
) -> Result<Groups<RecordBuffer>> {
    let buffers = collected.finish(job)?.into_buffers(job)?;
    if !job.scan().has_public_members() {
        return Ok(by_group(job.scan(), buffers));
    }
    // Buffers of persons in one group, in two, and so on, one after the other.
    let mut buffers = buffers.into_iter();
    let groups = job.scan().groups();
    let of_groups = (0..groups).map(|_| buffers.by_ref().take(groups).flatten().collect());
    let Groups { column, each } = by_group(job.scan(), of_groups.map(Some).collect());
    let members = each.into_iter().flat_map(|(name, buffers)| {
        let buffers: Vec<RecordBuffer> = buffers.unwrap_or_default();
        let is_empty = buffers.is_empty();
        let empty = is_empty.then_some(None).into_iter();
        empty.chain(buffers.into_iter().map(Some)).map(move |buffer| (name.clone(), buffer))
    });
    Ok(Groups { column, each: members.collect() })
}

/// Pairs the results of the declared groups of a scan with their names, in order.
fn by_group<T>(scan: &Scan, read: Vec<Option<T>>) -> Groups<T> {
    let (column, names) = match &scan.group {
        Some(group) => (group.by(), group.names().collect()),
        // A scan that was checked has groups.
        None => (GroupName::from(""), Vec::new()),
    };
    Groups { column, each: names.into_iter().zip(read).collect() }
}

/// Reads all records of the source, for each scan.
pub(crate) fn read<'a>(
    source: &Source,
    jobs: &'a [Job<'a>],
    progress: &Progress,
) -> std::result::Result<Vec<RowSink<'a>>, Refusal> {
    let files = match source.location() {
        Location::StandardInput => {
            let input = Input::reader(Some("standard input".to_owned()), Box::new(io::stdin()));
            return csv::scan(vec![input], jobs, progress, csv::BLOCK_BYTES);
        }
        Location::Files(files) => files,
    };
    // Runs of one format are read one after the other, so that the first refusal is that of the
    // first file.
    in_turn(jobs, files.chunk_by(|a, b| a.format == b.format), |run, jobs| match run[0].format {
        Format::Csv => {
            let input = |file: &DataFile| Input::path(&file.path, file.compression());
            csv::scan(run.iter().map(input).collect(), jobs, progress, csv::BLOCK_BYTES)
        }
        Format::Parquet => {
            let paths: Vec<_> = run.iter().map(|file| file.path.as_path()).collect();
            parquet::scan(&paths, jobs, progress)
        }
    })
}

/// Reads all records of CSV.
fn read_csv<'a>(
    reader: impl Read + Send,
    jobs: &'a [Job<'a>],
    progress: &Progress,
) -> std::result::Result<Vec<RowSink<'a>>, Refusal> {
    let input = Input::reader(None, Box::new(reader));
    csv::scan(vec![input], jobs, progress, csv::BLOCK_BYTES)
}

/// Reads all records of record batches, for each scan.
pub(crate) fn read_batches<'a, B>(
    batches: B,
    jobs: &'a [Job<'a>],
    progress: &Progress,
) -> std::result::Result<Vec<RowSink<'a>>, Refusal>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send>,
{
    let failed = FirstFailures::new(jobs.len());
    let pieces = memory::split_batches(batches.into_iter(), jobs, progress, &failed);
    memory::scan(pieces, jobs, &failed)
}

/// Reads all records of slices.
fn read_slices<'a>(
    slices: &Slices,
    jobs: &'a [Job<'a>],
    progress: &Progress,
) -> std::result::Result<Vec<RowSink<'a>>, Refusal> {
    if let Some(scan) = jobs.iter().position(|job| job.scan().consent.is_some()) {
        let error = Error::request(option::CONSENT, "slices have choices, and no keys")
            .with_fix("leave the consent file out, or hand over batches");
        return Err(Refusal { scan, error });
    }
    let failed = FirstFailures::new(jobs.len());
    let pieces = memory::split_slices(slices, jobs, progress, &failed);
    memory::scan(pieces, jobs, &failed)
}
