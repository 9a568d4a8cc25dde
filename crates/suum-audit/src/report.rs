//! Findings of an audit.

use serde::Serialize;
use suum_core::{Epsilon, Error, Loss};

use crate::Side;

/// Verdict on a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The record is published as it is, and its person was told so.
    NothingPromised,
    /// The promise was not disproved, which does not prove it.
    NotDisproved,
    /// No run released anything, so nothing was tested.
    NothingReleased,
    /// The promise is broken.
    Broken,
}

impl Verdict {
    /// Describes the verdict in words.
    pub fn describe(self) -> &'static str {
        match self {
            Verdict::NothingPromised => "nothing promised",
            Verdict::NotDisproved => "not disproved",
            Verdict::NothingReleased => "nothing released",
            Verdict::Broken => "BROKEN",
        }
    }
}

/// Event that is more probable with one dataset than with its neighbour.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// Difference of the datasets.
    pub difference: String,
    /// The event.
    pub event: String,
    /// Dataset with which it was more frequent in the search.
    pub likelier: Side,
    /// Number of counted occurrences with that dataset.
    pub often: u64,
    /// Number of counted occurrences with its neighbour.
    pub seldom: u64,
    /// Lower bound on the probability with that dataset.
    pub at_least: f64,
    /// Upper bound on the probability with its neighbour.
    pub at_most: f64,
    /// Lower bound on the loss: ln of `at_least`/`at_most`.
    pub loss: f64,
    /// Lower bound on δ at the certified ε: `at_least` − exp(ε)·`at_most`. It is 0 if the promise
    /// holds.
    pub delta: f64,
}

impl Evidence {
    /// Lower bound on the loss.
    pub(crate) fn lost(&self) -> f64 {
        (self.at_least / self.at_most).ln().max(0.0)
    }

    /// Lower bound on δ at any ε: the hockey-stick divergence, as far as this event shows it. The
    /// bounds of all ε hold at once, because they come from the same two.
    pub fn delta_at(&self, epsilon: f64) -> f64 {
        (self.at_least - epsilon.exp() * self.at_most).max(0.0)
    }
}

/// Findings about one level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelReport {
    /// Name of the level.
    pub level: String,
    /// Budget that its records allow.
    pub allowed: Epsilon,
    /// Loss that the mechanism certifies: the promise that was tested.
    pub certified: Loss,
    /// Exact loss between the pair of neighbours that differ most, if the distribution is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<Loss>,
    /// Counted event; `None` if nothing is promised or nothing was released.
    pub evidence: Option<Evidence>,
    /// Verdict on the promise.
    pub verdict: Verdict,
}

/// Findings about one subject.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubjectReport {
    /// Name of the subject.
    pub name: String,
    /// Levels of the subject.
    pub levels: Vec<LevelReport>,
}

impl SubjectReport {
    /// Returns the worst verdict of all levels.
    pub fn verdict(&self) -> Verdict {
        self.levels.iter().map(|level| level.verdict).max().unwrap_or(Verdict::NothingPromised)
    }
}

/// Findings of an audit, and their confidence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Number of counted releases of either neighbour, for every level.
    pub runs: u64,
    /// Probability with which all bounds hold at once.
    pub confidence: f64,
    /// The seed.
    pub seed: u64,
    /// Audited subjects.
    pub subjects: Vec<SubjectReport>,
}

impl Report {
    /// Returns the worst verdict of all subjects.
    pub fn verdict(&self) -> Verdict {
        self.subjects.iter().map(SubjectReport::verdict).max().unwrap_or(Verdict::NothingPromised)
    }

    /// Refusal that names the broken promises, if there are any.
    pub fn refusal(&self) -> Option<Error> {
        (self.verdict() == Verdict::Broken).then(|| {
            Error::budget("audit", "a promise is broken").with_fix(
                "specimens are kept to be caught; anything else of suum's that is caught is a \
                 mistake in it, please report it",
            )
        })
    }
}
