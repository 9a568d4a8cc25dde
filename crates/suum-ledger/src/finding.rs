//! Findings of a verification.

use std::fmt;

/// Result of [`Ledger::verify`](crate::Ledger::verify).
///
/// A ledger with faults is not used any more: every other call refuses it with its first fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Number of entries.
    pub entries: u64,
    /// Faults and remarks, in the order of the entries.
    pub findings: Vec<Finding>,
}

/// Fault of a ledger, or a remark about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Fault or remark.
    pub severity: Severity,
    /// Number of the entry; `None` if it concerns the whole ledger.
    pub entry: Option<u64>,
    /// Description, without any identifier, hash or number of persons.
    pub what: String,
}

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; the accounts are right.
    Remark,
    /// The accounts cannot be relied on.
    Fault,
}

impl Verification {
    /// Returns true if the accounts can be relied on: there is no fault.
    pub fn is_sound(&self) -> bool {
        self.faults().next().is_none()
    }

    /// Returns the faults, without the remarks.
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Fault)
    }
}

impl Finding {
    pub(crate) fn fault(entry: impl Into<Option<u64>>, what: impl Into<String>) -> Self {
        Self { severity: Severity::Fault, entry: entry.into(), what: what.into() }
    }

    pub(crate) fn remark(entry: impl Into<Option<u64>>, what: impl Into<String>) -> Self {
        Self { severity: Severity::Remark, entry: entry.into(), what: what.into() }
    }
}

/// Written as `fault, entry 3: it was changed`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Remark => "remark",
            Severity::Fault => "fault",
        };
        match self.entry {
            Some(entry) => write!(f, "{severity}, entry {entry}: {}", self.what),
            None => write!(f, "{severity}: {}", self.what),
        }
    }
}
