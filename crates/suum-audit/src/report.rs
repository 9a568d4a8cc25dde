//! What an audit found.

use serde::Serialize;
use suum_core::{Epsilon, Error, Loss};

use crate::Side;

/// What is to be thought of a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The record is published as it is, and was told so.
    NothingPromised,
    /// The promise was not disproved. That does not prove it.
    NotDisproved,
    /// No run released anything, so nothing was tested.
    NothingReleased,
    /// The promise is broken.
    Broken,
}

impl Verdict {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Verdict::NothingPromised => "nothing promised",
            Verdict::NotDisproved => "not disproved",
            Verdict::NothingReleased => "nothing released",
            Verdict::Broken => "BROKEN",
        }
    }
}

/// An event that is more probable with one dataset than with its neighbour.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// In what the datasets differ.
    pub difference: String,
    /// The event.
    pub event: String,
    /// The dataset with which it was more frequent when it was found.
    pub likelier: Side,
    /// How often it was counted there.
    pub often: u64,
    /// How often with the neighbour.
    pub seldom: u64,
    /// A lower bound on the probability there.
    pub at_least: f64,
    /// An upper bound on the probability with the neighbour.
    pub at_most: f64,
    /// A lower bound on the loss: ln of a lower bound on the one probability over an upper bound on
    /// the other.
    pub loss: f64,
    /// A lower bound on δ at the certified ε: by how much the one probability exceeds exp(ε) times
    /// the other. Where the promise holds it is 0.
    pub delta: f64,
}

impl Evidence {
    /// A lower bound on the loss.
    pub(crate) fn lost(&self) -> f64 {
        (self.at_least / self.at_most).ln().max(0.0)
    }

    /// A lower bound on δ at any ε: the hockey-stick divergence, as far as this event shows it. The
    /// bounds of all ε hold at once, because they come from the same two.
    pub fn delta_at(&self, epsilon: f64) -> f64 {
        (self.at_least - epsilon.exp() * self.at_most).max(0.0)
    }
}

/// What was found about one level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelReport {
    /// The name of the level.
    pub level: String,
    /// What its records allow.
    pub allowed: Epsilon,
    /// What the mechanism certifies to spend of it: the promise that was tested.
    pub certified: Loss,
    /// The exact loss of the most telling pair of neighbours, where the distribution is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<Loss>,
    /// What was counted; `None` if nothing is promised or nothing was released.
    pub evidence: Option<Evidence>,
    /// What is to be thought of it.
    pub verdict: Verdict,
}

/// What was found about one subject.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SubjectReport {
    /// Its name.
    pub name: String,
    /// Its levels.
    pub levels: Vec<LevelReport>,
}

impl SubjectReport {
    /// The worst of all levels.
    pub fn verdict(&self) -> Verdict {
        self.levels.iter().map(|level| level.verdict).max().unwrap_or(Verdict::NothingPromised)
    }
}

/// What an audit found, and how sure it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Counted releases of either neighbour, for every level.
    pub runs: u64,
    /// The probability with which all bounds hold at once.
    pub confidence: f64,
    /// The seed.
    pub seed: u64,
    /// All that was audited.
    pub subjects: Vec<SubjectReport>,
}

impl Report {
    /// The worst of all subjects.
    pub fn verdict(&self) -> Verdict {
        self.subjects.iter().map(SubjectReport::verdict).max().unwrap_or(Verdict::NothingPromised)
    }

    /// Why it cannot be let pass, if a promise is broken.
    pub fn refusal(&self) -> Option<Error> {
        (self.verdict() == Verdict::Broken).then(|| {
            Error::budget("audit", "a promise is broken").with_fix(
                "specimens are kept to be caught; anything else of suum's that is caught is a \
                 mistake in it, please report it",
            )
        })
    }
}
