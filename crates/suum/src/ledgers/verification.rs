//! Result of a verification, as JSON.

use serde::Serialize;
use suum_core::{Error, option};
use suum_ledger::{Finding, Severity, Verification};

use super::kept_release::KeptRelease;

/// Result of a verification, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct VerificationRecord {
    pub(super) sound: bool,
    pub(super) entries: u64,
    pub(super) findings: Vec<FindingRecord>,
    /// The entry that holds the release that was looked for; null if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    release: Option<Option<KeptRelease>>,
}

/// Something that is wrong, or worth knowing.
#[derive(Debug, Serialize)]
pub(super) struct FindingRecord {
    pub(super) severity: &'static str,
    pub(super) entry: Option<u64>,
    pub(super) what: String,
}

impl VerificationRecord {
    pub(super) fn new(verification: &Verification, release: Option<Option<KeptRelease>>) -> Self {
        let finding = |finding: &Finding| FindingRecord {
            severity: match finding.severity {
                Severity::Remark => "remark",
                Severity::Fault => "fault",
            },
            entry: finding.entry,
            what: finding.what.clone(),
        };
        Self {
            sound: verification.is_sound(),
            entries: verification.entries,
            findings: verification.findings.iter().map(finding).collect(),
            release,
        }
    }
}

/// The refusal of a ledger with faults.
pub(super) fn not_sound() -> Error {
    Error::ledger(option::LEDGER, "its accounts cannot be relied on").with_fix(
        "stop releasing from these data until it is known what happened; put back the newest \
         sound copy of the ledger with its key and its head, if nothing was released since",
    )
}
