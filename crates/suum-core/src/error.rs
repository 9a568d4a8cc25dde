//! One error type for the whole project: what was refused, and what to change.

use std::fmt;

/// What kind of thing was refused.
///
/// The kind decides which exception a language binding raises; the message says the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A declared parameter (bounds, confidence, a privacy budget on the command line …) is not
    /// usable.
    Parameter,
    /// The combination of parameters does not make sense, although each of them does.
    Request,
    /// The data do not have the declared form. The message names the column and row, never a value.
    Data,
    /// A level table is inconsistent with itself or with the request.
    Table,
    /// A file or stream could not be read or written.
    Io,
    /// The ledger cannot be used, or disagrees with itself.
    Ledger,
    /// A charge does not fit what is left.
    Budget,
    /// suum itself is wrong, and noticed it before anything was released.
    Internal,
}

/// A refusal: what is wrong and, where there is one, a way out.
///
/// No message carries a data value: in a privacy engine an error that echoes data is a leak.
/// Messages name the parameter, or the column and row, and [`hint`](Error::hint) says what to
/// change.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, ErrorKind};
///
/// let refused = Bounds::new(77.0, 0.0).unwrap_err();
/// assert_eq!(refused.kind(), ErrorKind::Parameter);
/// assert_eq!(refused.to_string(), "bounds: the lower bound must be below the upper bound");
/// assert!(refused.hint().is_some());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
}

/// The result of everything in suum that can be refused.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A refusal of the given kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// A parameter that is not usable.
    pub fn parameter(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Parameter, message)
    }

    /// A combination that does not make sense.
    pub fn request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Request, message)
    }

    /// Data that do not have the declared form.
    pub fn data(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Data, message)
    }

    /// A level table that is inconsistent.
    pub fn table(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Table, message)
    }

    /// A file or stream that could not be read or written.
    pub fn io(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Io, message)
    }

    /// A ledger that cannot be used, or that disagrees with itself.
    pub fn ledger(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Ledger, message)
    }

    /// A charge that does not fit what is left.
    pub fn budget(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Budget, message)
    }

    /// A mistake in suum itself.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// A mistake in suum itself of which nothing can be said but what it is.
    pub(crate) fn bug(what: &str) -> Self {
        Self::internal(format!("internal error: {what}"))
            .with_hint("please report it, with the options")
    }

    /// The same refusal with a way out.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same refusal, with what the noisy numbers have cost that it was decided from: this part
    /// of every budget at most.
    #[must_use]
    pub fn after_spending(mut self, part: f64) -> Self {
        // Up to the next per cent, but for what rounding of shares adds.
        let percent = (part * 100.0 - 1e-6).ceil();
        self.message.push_str(&format!(
            "; this was decided from noisy numbers, which cost up to {percent} % of every budget"
        ));
        self
    }

    /// The same refusal, with what else has to be known of it.
    #[must_use]
    pub fn adding(mut self, what: &str) -> Self {
        self.message.push_str("; ");
        self.message.push_str(what);
        self
    }

    /// The same refusal, of what was done in one place of several.
    #[must_use]
    pub fn within(mut self, place: &str) -> Self {
        self.message.insert_str(0, &format!("{place}: "));
        self
    }

    /// What kind of thing was refused.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What to change, in the imperative; `None` only for a mistake of suum itself.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
