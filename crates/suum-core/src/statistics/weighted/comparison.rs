//! How the estimators of means and frequencies are compared, from public facts.

use serde::Serialize;

use super::tier_difference;
use crate::answer::coverage::Coverage;
use crate::arithmetic::least::first_least;
use crate::strategy::estimator::Designs;
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

    /// That of the estimator that a request of what is added up chooses.
    ///
    /// # Errors
    ///
    /// What a named estimator refuses, and a profile in which nobody may be used.
    pub(super) fn chosen(
        request: &WeightedRequest,
        numbers: Numbers,
        setting: &Setting,
    ) -> Result<Self> {
        let designs = Designs::new(&setting.profile);
        let coverage = request.coverage(true);
        let candidate = |estimator: Estimator| {
            let design = proposed(estimator, setting, &designs, &coverage)?;
            Ok(Self::new(estimator, design, setting))
        };
        match request.options().estimator {
            Choice::Named(name) => candidate(name),
            // For values of an ordinary spread, where the spread is measured.
            Choice::Auto if numbers.squares && request.measures_spread() => {
                candidate(Estimator::Typical)
            }
            // Its weights are made for the interval.
            Choice::Auto if !setting.difference.is_none() => candidate(Estimator::Affine),
            Choice::Auto => {
                let is_mean = setting.categories.is_none();
                let others = Estimator::ALL.into_iter().filter(|one| one.can_be_best(!is_mean));
                let others = others.filter_map(|one| candidate(one).ok());
                let mut all: Vec<Self> =
                    [candidate(Estimator::Affine)?].into_iter().chain(others).collect();
                let best = first_least(all.iter().map(|one| one.risk.total()));
                Ok(all.swap_remove(best))
            }
        }
    }
}

/// Returns what an estimator proposes, of clipped weights those for tiers that differ.
pub(super) fn proposed(
    estimator: Estimator,
    setting: &Setting,
    designs: &Designs,
    coverage: &Coverage,
) -> Result<Design> {
    let design = estimator.design_among(setting, designs)?;
    Ok(tier_difference::design(estimator, setting, coverage).unwrap_or(design))
}

/// An estimator that makes no sense for the setting, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exclusion {
    /// The estimator.
    #[serde(rename = "name")]
    pub estimator: Estimator,
    /// Why it does not apply.
    pub reason: String,
}

/// All estimators on one setting.
#[derive(Debug, Clone)]
pub(super) struct Comparison {
    /// Every one that applies, in the order of [`Estimator::ALL`].
    pub(super) candidates: Vec<Candidate>,
    /// Those that make no sense here.
    pub(super) excluded: Vec<Exclusion>,
}

impl Comparison {
    /// What each of them proposes, for an estimate that is shrunk or not.
    pub(super) fn new(setting: &Setting, request: &WeightedRequest) -> Self {
        let (shrink, coverage) = (request.options().shrink, request.coverage(true));
        let (mut candidates, mut excluded) = (Vec::new(), Vec::new());
        let designs = Designs::new(&setting.profile);
        let is_mean = setting.categories.is_none();
        for estimator in Estimator::ALL.into_iter().filter(|one| one.serves(!is_mean)) {
            match proposed(estimator, setting, &designs, &coverage) {
                Ok(_) if shrink && estimator == Estimator::Stretch => excluded.push(Exclusion {
                    estimator,
                    reason: "estimator: stretch is biased already and cannot be shrunk".to_owned(),
                }),
                Ok(design) => candidates.push(Candidate::new(estimator, design, setting)),
                Err(reason) => excluded.push(Exclusion { estimator, reason: reason.to_string() }),
            }
        }
        Self { candidates, excluded }
    }
}
