//! Columns of a register: beginning, end and status of a decision.

use suum_core::{Error, Result, option, say};

/// Columns of a register with the validity of decisions, and the time of the query.
///
/// The decision in force for a key is the one with the latest `from` not after that time; of
/// several, the strictest. It counts as `ended` if its `until` is not after that time, or its
/// status is not active. A key whose decisions all lie in the future has none.
///
/// # Example
///
/// ```no_run
/// use suum_data::{DecisionColumns, PrivacyColumn, Progress, Scan, Source, read_consent};
///
/// let tiers = "strict=0.1,open=1,no consent=0".parse()?;
/// let decisions = DecisionColumns {
///     from: Some("signed".into()),
///     // The beginning of 2026.
///     ..DecisionColumns::at(1_767_225_600.0, "no consent")
/// };
/// let choices = Scan {
///     person: Some("id".into()),
///     decisions: Some(decisions),
///     ..Scan::new(PrivacyColumn::Tiers { column: "tier".into(), tiers }, None)
/// };
/// let register = Source::parse("register.csv")?;
/// let consent = read_consent(&register, &choices, "respondent", &Progress::default())?;
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionColumns {
    /// Column of the dates or times from which decisions hold; `None` if each key has one decision.
    pub from: Option<String>,
    /// Column of the dates or times at which they end; an empty cell means no end.
    pub until: Option<String>,
    /// The column of their status; an empty cell is active.
    pub status: Option<String>,
    /// Column of a reference to their proof: the version of a form, or the number of a receipt.
    pub reference: Option<String>,
    /// The words that the column of status can have.
    pub words: StatusWords,
    /// Choice as which an ended decision counts, as it would be written in the data: the label of a
    /// tier of ε 0, or `0`.
    pub ended: String,
    /// Time of the query, in seconds since the beginning of 1970 in UTC.
    pub as_of: f64,
}

/// Part of a decision that a column of a register can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionPart {
    /// Time from which it holds.
    From,
    /// Time at which it ends.
    Until,
    /// Status: active, withdrawn or expired.
    Status,
    /// Reference to its proof.
    Reference,
}

impl DecisionPart {
    pub(crate) const ALL: [Self; 4] = [Self::From, Self::Until, Self::Status, Self::Reference];

    /// Returns true if the column has dates or times.
    pub fn is_time(self) -> bool {
        matches!(self, Self::From | Self::Until)
    }
}

impl DecisionColumns {
    /// Creates decisions without columns, queried at the time `as_of`.
    pub fn at(as_of: f64, ended: impl Into<String>) -> Self {
        Self {
            from: None,
            until: None,
            status: None,
            reference: None,
            words: StatusWords::default(),
            ended: ended.into(),
            as_of,
        }
    }

    /// The name of the column of a part, if it has one.
    pub(crate) fn column(&self, part: DecisionPart) -> Option<&str> {
        let column = match part {
            DecisionPart::From => &self.from,
            DecisionPart::Until => &self.until,
            DecisionPart::Status => &self.status,
            DecisionPart::Reference => &self.reference,
        };
        column.as_deref()
    }

    /// The parts that have a column, each with its name.
    pub fn columns(&self) -> impl Iterator<Item = (DecisionPart, &str)> {
        let parts = DecisionPart::ALL.into_iter();
        parts.filter_map(|part| self.column(part).map(|name| (part, name)))
    }
}

/// Status of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Active,
    Withdrawn,
    Expired,
}

/// Words that stand for a status, whatever their case.
///
/// # Example
///
/// ```
/// use suum_data::StatusWords;
///
/// let word = ["opted out".to_owned()];
/// assert!(StatusWords::new(None, Some(&word), None).is_ok());
/// assert!(StatusWords::new(Some(&word), Some(&word), None).is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusWords {
    active: Vec<String>,
    withdrawn: Vec<String>,
    expired: Vec<String>,
}

impl Default for StatusWords {
    fn default() -> Self {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Self {
            active: words(&["active"]),
            withdrawn: words(&["withdrawn", "revoked", "rejected", "inactive"]),
            expired: words(&["expired"]),
        }
    }
}

impl StatusWords {
    /// Creates the words of a register for active, withdrawn and expired decisions; `None` keeps
    /// the usual ones: `active`; `withdrawn`, `revoked`, `rejected` and `inactive`; `expired`.
    ///
    /// # Errors
    ///
    /// Refuses empty words, and words with two meanings.
    pub fn new(
        active: Option<&[String]>,
        withdrawn: Option<&[String]>,
        expired: Option<&[String]>,
    ) -> Result<Self> {
        let usual = Self::default();
        let words = |words: Option<&[String]>, usual: Vec<String>| match words {
            Some(words) => words.iter().map(|word| word.trim_ascii().to_owned()).collect(),
            None => usual,
        };
        let words = Self {
            active: words(active, usual.active),
            withdrawn: words(withdrawn, usual.withdrawn),
            expired: words(expired, usual.expired),
        };
        words.check()?;
        Ok(words)
    }

    fn check(&self) -> Result<()> {
        let lists = [
            (option::CONSENT_ACTIVE, &self.active),
            (option::CONSENT_WITHDRAWN, &self.withdrawn),
            (option::CONSENT_EXPIRED, &self.expired),
        ];
        for (at, (name, words)) in lists.iter().enumerate() {
            if words.iter().any(String::is_empty) {
                return Err(Error::parameter(*name, "a word is empty")
                    .with_fix("leave it out; an empty cell is active"));
            }
            let is_in = |word: &String, others: &[String]| {
                others.iter().any(|other| other.eq_ignore_ascii_case(word))
            };
            let before = lists[..at].iter();
            let mut other = before.filter(|(_, others)| words.iter().any(|one| is_in(one, others)));
            if let Some((other, _)) = other.next() {
                let problem = say("one of its words also stands for").option(*other);
                return Err(Error::request(*name, problem)
                    .with_fix("declare both, so that each word has one meaning"));
            }
        }
        Ok(())
    }

    /// The status of a cell, which has no spaces around it; `None` if the word is not declared.
    pub(crate) fn status(&self, cell: &[u8]) -> Option<Status> {
        let has =
            |words: &[String]| words.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(cell));
        match cell {
            b"" => Some(Status::Active),
            _ if has(&self.active) => Some(Status::Active),
            _ if has(&self.withdrawn) => Some(Status::Withdrawn),
            _ if has(&self.expired) => Some(Status::Expired),
            _ => None,
        }
    }
}
