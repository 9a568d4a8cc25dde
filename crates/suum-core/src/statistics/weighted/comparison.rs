//! How the estimators of means and frequencies are compared, from public facts.

use serde::Serialize;

use crate::estimator::Designs;
use crate::least::first_least;
use crate::{Choice, Design, Estimator, Numbers, Result, Risk, Setting, WeightedRequest};

/// An estimator with what it proposes for the setting and what that risks.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The estimator.
    pub estimator: Estimator,
    /// Its weights.
    pub design: Design,
    /// Its exact risk for the target, in squared units of the data.
    pub risk: Risk,
}

impl Candidate {
    /// What an estimator proposes for the setting, with what that risks.
    pub(super) fn new(estimator: Estimator, design: Design, setting: &Setting) -> Self {
        let risk = design.risk(setting);
        Self { estimator, design, risk }
    }
}

/// An estimator that makes no sense for the setting, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Excluded {
    /// The estimator.
    #[serde(rename = "name")]
    pub estimator: Estimator,
    /// Why it does not apply.
    pub reason: String,
}

/// All estimators on one setting, and the one that is chosen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Comparison {
    candidates: Vec<Candidate>,
    excluded: Vec<Excluded>,
    chosen: usize,
}

impl Comparison {
    /// What each estimator proposes for a request of what is added up, and the one that it chooses.
    pub(super) fn new(
        request: &WeightedRequest,
        numbers: Numbers,
        setting: &Setting,
    ) -> Result<Self> {
        let options = request.options();
        let mut candidates: Vec<Candidate> = Vec::with_capacity(Estimator::ALL.len());
        let mut excluded = Vec::new();
        let designs = Designs::new(&setting.profile);
        for estimator in Estimator::ALL {
            if !estimator.serves(setting.categories.is_some()) {
                continue;
            }
            match estimator.design_among(setting, &designs) {
                Ok(_) if options.shrink && estimator == Estimator::Stretch => {
                    excluded.push(Excluded {
                        estimator,
                        reason: "estimator: stretch is biased already and cannot be shrunk"
                            .to_owned(),
                    })
                }
                Ok(design) => candidates.push(Candidate::new(estimator, design, setting)),
                Err(reason)
                    if setting.profile.usable().is_empty()
                        || options.estimator == Choice::Named(estimator) =>
                {
                    return Err(reason);
                }
                Err(reason) => excluded.push(Excluded { estimator, reason: reason.to_string() }),
            }
        }
        let chosen = match options.estimator {
            Choice::Named(name) => candidates.iter().position(|c| c.estimator == name).unwrap_or(0),
            Choice::Auto => {
                usual(request, numbers, &candidates).unwrap_or_else(|| least_risk(&candidates))
            }
        };
        Ok(Self { candidates, excluded, chosen })
    }

    /// No other than this one.
    pub(super) fn of_one(candidate: Candidate) -> Self {
        Self { candidates: vec![candidate], excluded: Vec::new(), chosen: 0 }
    }

    /// Every estimator that applies, in the order of [`Estimator::ALL`].
    pub(super) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The estimators that make no sense here, and why.
    pub(super) fn excluded(&self) -> &[Excluded] {
        &self.excluded
    }

    /// The one that is chosen.
    pub(super) fn chosen(&self) -> &Candidate {
        &self.candidates[self.chosen]
    }
}

/// The position of the estimator for values of an ordinary spread, where the spread is measured.
fn usual(request: &WeightedRequest, numbers: Numbers, candidates: &[Candidate]) -> Option<usize> {
    let measured = numbers.squares && request.measures_spread();
    candidates.iter().position(|one| measured && one.estimator == Estimator::Typical)
}

/// The position of the least risk, of the estimators that are not for study.
fn least_risk(candidates: &[Candidate]) -> usize {
    first_least(candidates.iter().map(|candidate| match candidate.estimator.is_for_study() {
        true => f64::INFINITY,
        false => candidate.risk.total(),
    }))
}
