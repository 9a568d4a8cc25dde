//! What a look at the ledger found.

use std::fmt;

/// What [`Ledger::verify`](crate::Ledger::verify) found.
///
/// A ledger with faults is not used any more: every other call refuses it with its first fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// How many entries there are.
    pub entries: u64,
    /// What is wrong or worth knowing, in the order of the entries.
    pub findings: Vec<Finding>,
}

/// Something that is wrong, or worth knowing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// Where it is; `None` if it concerns the whole.
    pub entry: Option<u64>,
    /// What it is, without any identifier, hash or number of persons.
    pub what: String,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; the accounts are right.
    Remark,
    /// The accounts cannot be relied on.
    Fault,
}

impl Verification {
    /// Whether the accounts can be relied on: there is no fault.
    pub fn is_sound(&self) -> bool {
        self.faults().next().is_none()
    }

    /// The faults alone.
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

/// `fault, entry 3: it was changed`.
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
