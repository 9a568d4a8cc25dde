//! Several scans of the same records, in one pass.

use arrow_array::RecordBatch;
use suum_core::{Error, LevelTable, Result};

use crate::read::check::{Purpose, check};
use crate::read::lanes::Refusal;
use crate::read::passes::{build_groups, keep_group_records, keep_records, read, read_batches};
use crate::read::progress::Progress;
use crate::read::source::Source;
use crate::scan::Scan;
use crate::scan::groups::Groups;
use crate::scan::value::Value;
use crate::sink::buffer::RecordBuffer;
use crate::sink::job::Job;
use crate::sink::row_sink::RowSink;

/// Result of one of several scans.
#[derive(Debug)]
pub enum Reading {
    /// The table of all records.
    Table(LevelTable),
    /// A table for each group, of a scan that has groups.
    Groups(Groups),
    /// The records, of a scan whose values have no bounds.
    Records(RecordBuffer),
    /// The records of each group.
    GroupRecords(Groups<RecordBuffer>),
}

/// Makes several scans of the records of a source, which is read once, on all cores.
///
/// Each gives what it would by itself: a table ([`scan`](crate::scan)), a table for each of its
/// groups ([`scan_groups`](crate::scan_groups)), or, if its values have no bounds, the records
/// themselves ([`keep`](crate::keep), [`keep_groups`](crate::keep_groups)). `done` is called
/// whenever one is made. Rows that wait for others share the memory that one scan has.
///
/// # Errors
///
/// Where several are refused, the first of them, as it would be by itself; and what `done` refuses.
/// Refuses scans of which not all take CSV and empty cells to be written alike.
///
/// # Example
///
/// ```no_run
/// use suum_core::{Bounds, Grid};
/// use suum_data::{PrivacyColumn, Progress, Scan, Source, Value, ValueColumn, scan_each};
///
/// let mean_of = |column: &str, most| {
///     let privacy = PrivacyColumn::Budgets { column: "epsilon".into() };
///     let numbers = Grid::new(Bounds::new(0.0, most)?).into();
///     let value = ValueColumn { column: column.into(), numbers, missing: None };
///     Ok::<_, suum_core::Error>(Scan::new(privacy, Some(Value::Number(value))))
/// };
/// let scans = [mean_of("visits", 77.0)?, mean_of("age", 120.0)?];
/// let people = Source::parse("people.parquet")?;
/// let readings = scan_each(&people, &scans, &Progress::default(), || Ok(()));
/// assert_eq!(readings.map_err(|refusal| refusal.error)?.len(), 2);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn scan_each(
    source: &Source,
    scans: &[Scan],
    progress: &Progress,
    done: impl FnMut() -> Result<()>,
) -> std::result::Result<Vec<Reading>, Refusal> {
    each(scans, done, |jobs| read(source, jobs, progress))
}

/// Makes several scans of Arrow record batches, which are read once, like [`scan_each`] of files.
///
/// # Errors
///
/// Fails like [`scan_each`] and [`scan_batches`](crate::scan_batches).
pub fn scan_each_batches<B>(
    batches: B,
    scans: &[Scan],
    progress: &Progress,
    done: impl FnMut() -> Result<()>,
) -> std::result::Result<Vec<Reading>, Refusal>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send>,
{
    each(scans, done, |jobs| read_batches(batches, jobs, progress))
}

fn each(
    scans: &[Scan],
    mut done: impl FnMut() -> Result<()>,
    read: impl for<'a> FnOnce(&'a [Job<'a>]) -> std::result::Result<Vec<RowSink<'a>>, Refusal>,
) -> std::result::Result<Vec<Reading>, Refusal> {
    for (at, scan) in scans.iter().enumerate() {
        let checked = check(scan, purpose(scan)).and_then(|()| check_alike(scan, &scans[0]));
        checked.map_err(|error| Refusal { scan: at, error })?;
    }
    let jobs = Job::for_scans(scans);
    let mut readings = Vec::with_capacity(scans.len());
    for (at, (job, collected)) in jobs.iter().zip(read(&jobs)?).enumerate() {
        let reading = reading(job, collected).and_then(|one| done().map(|()| one));
        readings.push(reading.map_err(|error| Refusal { scan: at, error })?);
    }
    Ok(readings)
}

/// Product of a scan that is one of several.
fn purpose(scan: &Scan) -> Purpose {
    match (&scan.value, &scan.group) {
        (Some(Value::Unbounded(_)), None) => Purpose::Buffer,
        (Some(Value::Unbounded(_)), Some(_)) => Purpose::GroupBuffers,
        (_, None) => Purpose::Table,
        (_, Some(_)) => Purpose::Groups,
    }
}

/// Refuses a scan whose cells would be read differently from those of the first, since cells are
/// cut and compared with null texts once for all scans.
fn check_alike(scan: &Scan, first: &Scan) -> Result<()> {
    match scan.csv == first.csv && scan.nulls == first.nulls {
        true => Ok(()),
        false => Err(Error::request("scans", "they take the same files to be written differently")
            .with_fix(
                "give all of them one delimiter, encoding, decimal mark and list of \
                 empty texts",
            )),
    }
}

fn reading<'a>(job: &'a Job<'a>, collected: RowSink<'a>) -> Result<Reading> {
    Ok(match purpose(job.scan()) {
        Purpose::Table => Reading::Table(collected.finish(job)?.into_table(job)?),
        Purpose::Groups => Reading::Groups(build_groups(collected, job)?),
        Purpose::Buffer => Reading::Records(keep_records(job, collected)?),
        Purpose::GroupBuffers => Reading::GroupRecords(keep_group_records(job, collected)?),
    })
}
