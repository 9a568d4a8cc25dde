//! `suum verify`: recomputation of the certificate of a release.

use std::fs;
use std::path::Path;

use serde::Serialize;
use suum_core::{Error, Place, ReleaseRecord, Result, Verification};

use crate::{Answer, sensitivity};

/// Result of a verification, as JSON.
#[derive(Serialize)]
struct VerificationRecord<'a> {
    agrees: bool,
    #[serde(flatten)]
    verification: &'a Verification,
}

/// Checks that the loss of every level follows from the measurements that a release lists.
///
/// `text` is the JSON of a release. For a certificate that does not agree, the answer says so, and
/// has a [refusal](Answer::refusal).
///
/// # Errors
///
/// Refuses text that is not a release, and a release that lists no measurements.
///
/// # Example
///
/// ```
/// # let folder = std::env::temp_dir();
/// # let path = folder.join("suum-verify-example.csv");
/// # std::fs::write(&path, "visits,eps\n2,0.5\n3,inf\n3,1\n")?;
/// # let people = path.to_str().unwrap();
/// let answer = suum::query(people).epsilon("eps").mean("visits", 0.0..=77.0).run()?;
/// let verified = suum::verify_release(&answer.json()?)?;
/// assert!(verified.refusal().is_none());
/// assert!(verified.text().contains("It agrees"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_release(text: &str) -> Result<Answer> {
    let record: ReleaseRecord = sensitivity::parse_release(text)?;
    let mut verification = Verification::compute(&record)?;
    for (of, faults) in sensitivity::faults(text) {
        let certificates = &mut verification.certificates;
        let own = certificates.iter().position(|one| one.of == of);
        let own = own.unwrap_or(certificates.len().saturating_sub(1));
        if let Some(certificate) = certificates.get_mut(own) {
            certificate.faults.extend(faults);
        }
    }
    let refusal = (!verification.agrees()).then(|| {
        Error::data("certificate", "it does not agree with the measurements of the release")
            .with_fix("do not rely on this file: get the release again from who made it")
    });
    let json = |verification: &Verification| {
        suum_report::json(&VerificationRecord { agrees: verification.agrees(), verification })
    };
    Ok(Answer::new(verification, suum_report::verification_text, json).with_refusal(refusal))
}

/// Checks the JSON in a file like [`verify_release`].
///
/// # Errors
///
/// Fails like [`verify_release`], and if the file cannot be read.
pub fn verify_file(file: &Path) -> Result<Answer> {
    let text = fs::read_to_string(file).map_err(|error| {
        Error::io(Place::file(file.display()), format!("it cannot be read ({})", error.kind()))
            .with_fix("name a file with the JSON of a release")
    })?;
    verify_release(&text)
}
