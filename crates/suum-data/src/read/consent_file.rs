//! Reading a file of choices.

use rayon::ThreadPoolBuilder;
use suum_core::{Error, Result, option, say};

use crate::read::check::{Purpose, check};
use crate::read::passes;
use crate::read::progress::Progress;
use crate::read::source::Source;
use crate::scan::Scan;
use crate::scan::consent::Consent;
use crate::sink::job::Job;

/// The choices of a source, whose keys are in the column of persons of the scan, for data whose
/// keys are in the column `key`. The scan of the data has the same column of privacy.
///
/// # Errors
///
/// As [`scan`](crate::scan), and refuses a scan without a column of persons and a key that is
/// in two rows.
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
    check(scan, Purpose::Table)?;
    if scan.person.is_none() {
        return Err(Error::request(option::KEY, "the column of keys is not named").with_fix(
            say("name the column of the data, and that of the consent file:")
                .set(option::KEY, "COL"),
        ));
    }
    let jobs = [Job::of_choices(scan)];
    let read = || match passes::read(source, &jobs, progress) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(refusal.error),
    };
    // One thread, so that of two rows with a key it is always the second that is refused.
    match ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(alone) => alone.install(read)?,
        Err(_) => read()?,
    }
    let [job] = jobs;
    Ok(Consent::new(key, job.into_choices()))
}
