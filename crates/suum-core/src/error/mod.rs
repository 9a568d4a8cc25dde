//! Error type of the whole project: the place of a refusal, its reason, and what to change.

pub mod option;
mod phrase;
mod place;
mod voice;

use std::fmt;

pub use option::OptionName;
pub use phrase::{
    Asking, Command, OptionValue, Phrase, Word, declare_bounds, for_example, leave_out, say,
    unchanged_json,
};
pub use place::Place;
pub use voice::{Library, Voice};

/// Class of a refusal, which decides the exception that a language binding raises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A declared parameter (bounds, confidence, a privacy budget …) is not usable.
    Parameter,
    /// The combination of parameters does not make sense, although each of them does.
    Request,
    /// The data do not have the declared form. The place has the column and row, never a value.
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

/// Refusal: where it is, what is wrong, and a way out where there is one.
///
/// Options and commands are parts of it and not of its text, so that each front end writes them as
/// its own, by a [`Voice`]. [`Display`](fmt::Display) writes the message for users of the
/// libraries. No part has a data value: in a privacy engine an error that echoes data is a leak.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, ErrorKind, Place, option};
///
/// let refused = Bounds::new(77.0, 0.0).unwrap_err();
/// assert_eq!(refused.kind(), ErrorKind::Parameter);
/// assert_eq!(refused.at(), &Place::Option(option::BOUNDS));
/// assert_eq!(refused.to_string(), "bounds: the lower bound must be below the upper bound");
/// assert_eq!(refused.fix().unwrap().to_string(), "swap the two numbers: bounds=LO,HI");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Error(Box<Refusal>);

#[derive(Debug, Clone, PartialEq)]
struct Refusal {
    kind: ErrorKind,
    /// Parts of a request that lead to the place, such as an answer or a group, the inmost last.
    path: Vec<String>,
    at: Place,
    problem: Phrase,
    fix: Option<Phrase>,
    spent: Option<f64>,
    /// Further facts.
    notes: Vec<Phrase>,
}

/// Result of everything in suum that can be refused.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Returns a refusal of the given kind.
    pub fn new(kind: ErrorKind, at: impl Into<Place>, problem: impl Into<Phrase>) -> Self {
        Self(Box::new(Refusal {
            kind,
            path: Vec::new(),
            at: at.into(),
            problem: problem.into(),
            fix: None,
            spent: None,
            notes: Vec::new(),
        }))
    }

    /// Returns the refusal of a parameter that is not usable.
    pub fn parameter(at: impl Into<Place>, problem: impl Into<Phrase>) -> Self {
        Self::new(ErrorKind::Parameter, at, problem)
    }

    /// Returns the refusal of a combination that does not make sense.
    pub fn request(at: impl Into<Place>, problem: impl Into<Phrase>) -> Self {
        Self::new(ErrorKind::Request, at, problem)
    }

    /// Returns the refusal of data that do not have the declared form.
    pub fn data(at: impl Into<Place>, problem: impl Into<Phrase>) -> Self {
        Self::new(ErrorKind::Data, at, problem)
    }

    /// Returns the refusal of a level table that is inconsistent.
    pub fn table(at: impl Into<Place>, problem: impl Into<Phrase>) -> Self {
        Self::new(ErrorKind::Table, at, problem)
    }

    /// Returns the refusal of a file or stream that could not be read or written.
    pub fn io(at: impl Into<Place>, problem: impl Into<Phrase>) -> Self {
        Self::new(ErrorKind::Io, at, problem)
    }

    /// Returns the refusal of a ledger that cannot be used, or that disagrees with itself.
    pub fn ledger(at: impl Into<Place>, problem: impl Into<Phrase>) -> Self {
        Self::new(ErrorKind::Ledger, at, problem)
    }

    /// Returns the refusal of a charge that does not fit what is left.
    pub fn budget(at: impl Into<Place>, problem: impl Into<Phrase>) -> Self {
        Self::new(ErrorKind::Budget, at, problem)
    }

    /// Returns the refusal for a mistake in suum itself, with the advice to report it.
    pub fn internal(problem: impl Into<Phrase>) -> Self {
        Self::new(ErrorKind::Internal, "internal error", problem)
            .with_fix("please report it, with the options")
    }

    /// Adds a way out, in the imperative.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<Phrase>) -> Self {
        self.0.fix = Some(fix.into());
        self
    }

    /// Adds the cost of the noisy numbers from which the refusal was decided: at most this part of
    /// every budget.
    #[must_use]
    pub fn after_spending(mut self, part: f64) -> Self {
        self.0.spent = Some(part);
        self
    }

    /// Adds a note, which the message has after the problem.
    #[must_use]
    pub fn adding(mut self, note: impl Into<Phrase>) -> Self {
        self.0.notes.push(note.into());
        self
    }

    /// Adds a part of the request that contains the place; the message names it before those added
    /// earlier.
    #[must_use]
    pub fn within(mut self, part: impl Into<String>) -> Self {
        self.0.path.insert(0, part.into());
        self
    }

    /// Returns the class of the refusal.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the place of the refusal in the request or in the data.
    pub fn at(&self) -> &Place {
        &self.0.at
    }

    /// Returns the problem.
    pub fn problem(&self) -> &Phrase {
        &self.0.problem
    }

    /// Returns the change that helps, in the imperative.
    pub fn fix(&self) -> Option<&Phrase> {
        self.0.fix.as_ref()
    }

    /// Returns the largest part of a budget that was spent before the refusal, if it was decided
    /// from noisy numbers.
    pub fn spent(&self) -> Option<f64> {
        self.0.spent
    }

    /// Writes the message in the syntax of a front end.
    pub fn render_for(&self, voice: &dyn Voice) -> String {
        let Refusal { path, at, problem, spent, notes, .. } = &*self.0;
        let mut spoken: String = path.iter().map(|part| format!("{part}: ")).collect();
        spoken.push_str(&at.render_for(voice));
        spoken.push_str(&problem.render_for(voice));
        if let Some(part) = spent {
            // Rounded up to a whole per cent; the rounding errors of shares must not add another
            // one.
            let percent = (part * 100.0 - 1e-6).ceil();
            spoken.push_str(&format!(
                "; this was decided from noisy numbers, which cost up to {percent} % of every \
                 budget"
            ));
        }
        for note in notes {
            spoken.push_str("; ");
            spoken.push_str(&note.render_for(voice));
        }
        spoken
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render_for(&Library))
    }
}

impl std::error::Error for Error {}
