//! Reading a register of choices from any source.

use rayon::ThreadPoolBuilder;
use suum_core::{Epsilon, Error, Result, option, say};

use arrow_array::RecordBatch;

use crate::read::check::{Purpose, check};
use crate::read::passes;
use crate::read::progress::Progress;
use crate::read::source::Source;
use crate::scan::consent::Consent;
use crate::scan::decisions::DecisionColumns;
use crate::scan::{PrivacyColumn, Scan};
use crate::sink::job::Job;
use crate::sink::register;

/// The choices of a source, whose keys are in the column of persons of the scan, for data whose
/// keys are in the column `key`. The scan of the data has the same column of privacy.
///
/// Each key has one choice, or with [`Scan::decisions`] the one in force at the time looked at.
///
/// # Errors
///
/// As [`scan`](crate::scan), and refuses a scan without a column of persons, a key that is in two
/// rows where decisions have no date, missing dates, and words that are no status.
///
/// # Example
///
/// ```no_run
/// use std::sync::Arc;
/// use suum_data::{PrivacyColumn, Progress, Scan, Source, read_consent, scan};
///
/// let column = || PrivacyColumn::Budgets { column: "epsilon".into() };
/// let choices = Scan { person: Some("id".into()), ..Scan::new(column(), None) };
/// let (file, progress) = (Source::parse("consent.csv")?, Progress::default());
/// let consent = read_consent(&file, &choices, "respondent", &progress)?;
/// let people = Scan { consent: Some(Arc::new(consent)), ..Scan::new(column(), None) };
/// println!("{}", scan(&Source::parse("people.csv")?, &people, &progress)?.profile()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn read_consent(
    source: &Source,
    scan: &Scan,
    key: &str,
    progress: &Progress,
) -> Result<Consent> {
    read(scan, key, |jobs| match passes::read(source, jobs, progress) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(refusal.error),
    })
}

/// Reads the choices in Arrow record batches, like [`read_consent`] those of a source.
///
/// # Errors
///
/// Fails like [`read_consent`] and [`scan_batches`](crate::scan_batches).
pub fn read_consent_batches<B>(
    batches: B,
    scan: &Scan,
    key: &str,
    progress: &Progress,
) -> Result<Consent>
where
    B: IntoIterator<Item = Result<RecordBatch>, IntoIter: Send> + Send,
{
    read(scan, key, |jobs| match passes::read_batches(batches, jobs, progress) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(refusal.error),
    })
}

/// Reads choices with `read`, which gets the one job.
fn read(scan: &Scan, key: &str, read: impl FnOnce(&[Job]) -> Result<()> + Send) -> Result<Consent> {
    check(scan, Purpose::Table)?;
    if scan.person.is_none() {
        return Err(Error::request(option::KEY, "the column of keys is not named").with_fix(
            say("name the column of the data, and that of the consent file:")
                .set(option::KEY, "COL"),
        ));
    }
    let ended = scan.decisions.as_ref().map(|decisions| ended(scan, decisions)).transpose()?;
    let jobs = [Job::for_choices(scan)];
    // One thread, so that of two rows with a key it is always the second that is refused.
    match ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(alone) => alone.install(|| read(&jobs))?,
        Err(_) => read(&jobs)?,
    }
    let [job] = jobs;
    let consent = job.into_consent(key);
    Ok(match ended {
        Some(ended) => consent.over_time(ended, leaves_out_missing(scan)),
        None => consent,
    })
}

/// Bits of a choice that has ended and is not used.
fn ended(scan: &Scan, decisions: &DecisionColumns) -> Result<u64> {
    let bits = register::bits(scan, decisions.ended.trim_ascii().as_bytes()).ok();
    bits.filter(|_| is_unused(scan, &decisions.ended)).ok_or_else(|| {
        Error::parameter(option::CONSENT, "no tier stands for decisions that have ended")
            .with_fix(say("declare one of ε 0:").set(option::LEVELS, "…,no consent=0"))
    })
}

/// Returns true if records without a choice are not used.
fn leaves_out_missing(scan: &Scan) -> bool {
    scan.missing_choice.as_ref().is_some_and(|choice| is_unused(scan, choice))
}

fn is_unused(scan: &Scan, choice: &str) -> bool {
    let choice = choice.trim_ascii();
    match &scan.privacy {
        PrivacyColumn::Tiers { tiers, .. } => {
            tiers.iter().any(|(label, epsilon)| label == choice && epsilon.is_unused())
        }
        PrivacyColumn::Budgets { .. } => choice.parse().is_ok_and(Epsilon::is_unused),
    }
}
