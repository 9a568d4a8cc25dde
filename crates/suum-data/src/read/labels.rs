//! Reading the labels that occur in a public column.

use arrow_array::RecordBatch;
use suum_core::{Error, Place, Result, option, say};

use crate::read::check::{Purpose, check};
use crate::read::passes;
use crate::read::progress::Progress;
use crate::read::source::Source;
use crate::scan::Scan;
use crate::sink::job::Job;

/// Reads the different labels of the column of a [scan of labels](Scan::for_labels): first those
/// that are numbers, in ascending order, then the others in the order of their characters. In text
/// files numbers are spelled as a column of numbers writes them. Missing cells have no label.
///
/// A list of labels is as private as the column that it is read from.
///
/// # Errors
///
/// Fails like [`scan`](crate::scan), and refuses labels with control characters, unless the column
/// is [private](Scan::keeps_labels_private), and more labels than there may be
/// [categories](suum_core::Categories::MOST).
///
/// # Example
///
/// ```no_run
/// use suum_data::{Progress, Scan, Source, read_labels};
///
/// let sites = Scan::for_labels("site")?;
/// let labels = read_labels(&Source::parse("people.csv")?, &sites, &Progress::default())?;
/// println!("{}", labels.join(", "));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn read_labels(source: &Source, scan: &Scan, progress: &Progress) -> Result<Vec<String>> {
    read(scan, |jobs| match passes::read(source, jobs, progress) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(refusal.error),
    })
}

/// Reads the labels of a column of Arrow record batches, like [`read_labels`] those of a source.
///
/// # Errors
///
/// Fails like [`read_labels`] and [`scan_batches`](crate::scan_batches).
pub fn read_labels_batches<B>(batches: B, scan: &Scan, progress: &Progress) -> Result<Vec<String>>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send>,
{
    read(scan, |jobs| match passes::read_batches(batches, jobs, progress) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(refusal.error),
    })
}

/// Reads labels with `read`, which gets the one job.
fn read(scan: &Scan, read: impl FnOnce(&[Job]) -> Result<()>) -> Result<Vec<String>> {
    check(scan, Purpose::Table)?;
    let jobs = [Job::for_labels(scan)];
    read(&jobs)?;
    let [job] = jobs;
    job.into_labels().map_err(|problem| {
        let declare = say("declare those that count:");
        let declare = match scan.keeps_labels_private {
            true => declare.set(option::CATEGORIES, "A,B,C").set(option::OTHER, "NAME"),
            false => declare.set(option::GROUPS, "A,B,C"),
        };
        Error::data(Place::column(scan.privacy.column()), problem).with_fix(declare)
    })
}
