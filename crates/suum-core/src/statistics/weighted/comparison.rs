//! Comparison of the estimators of means and frequencies, from public facts.

use serde::Serialize;

use super::calibration::local_of_shares;
use super::tier_difference;
use crate::answer::coverage::Coverage;
use crate::arithmetic::least::first_least;
use crate::strategy::estimator::Designs;
use crate::{Choice, Design, Estimator, Method, Numbers, Result, Risk, Setting, WeightedRequest};

/// Estimator with its design for the setting, and the risk of that design.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Estimator.
    pub estimator: Estimator,
    /// Weights and method.
    pub design: Design,
    /// Exact risk for the target, in squared units of the data.
    pub risk: Risk,
}

impl Candidate {
    /// Returns the candidate of an estimator with this design.
    pub(super) fn new(estimator: Estimator, design: Design, setting: &Setting) -> Self {
        let risk = design.risk(setting);
        Self { estimator, design, risk }
    }

    /// Returns the candidate of the estimator that a request chooses, given the sums that are
    /// available.
    ///
    /// # Errors
    ///
    /// Refuses what a named estimator refuses, and a profile without usable records.
    pub(super) fn chosen(
        request: &WeightedRequest,
        numbers: Numbers,
        setting: &Setting,
    ) -> Result<Self> {
        let designs = Designs::new(&setting.profile);
        let coverage = request.coverage(true);
        let candidate = |estimator: Estimator| {
            let design = proposed(estimator, request, setting, (&designs, &coverage))?;
            Ok(Self::new(estimator, design, setting))
        };
        match request.options().estimator {
            Choice::Named(name) => candidate(name),
            // Weights for values of an ordinary spread, if the spread is measured.
            Choice::Auto if numbers.squares && request.measures_spread() => {
                candidate(Estimator::Typical)
            }
            // With tiers that differ, its weights are optimised for the interval.
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

/// Returns the design of an estimator; for clipped weights that for tiers that differ.
///
/// # Errors
///
/// Refuses what the estimator refuses, and the local model where persons have shares.
pub(super) fn proposed(
    estimator: Estimator,
    request: &WeightedRequest,
    setting: &Setting,
    (designs, coverage): (&Designs, &Coverage),
) -> Result<Design> {
    let design = estimator.design_among(setting, designs)?;
    if design.method == Method::Local && request.has_shares() {
        return Err(local_of_shares());
    }
    Ok(tier_difference::design(estimator, setting, coverage).unwrap_or(design))
}

/// Estimator that makes no sense for the setting, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exclusion {
    /// Estimator.
    #[serde(rename = "name")]
    pub estimator: Estimator,
    /// Reason why it does not apply.
    pub reason: String,
}

/// Comparison of all estimators on one setting.
#[derive(Debug, Clone)]
pub(super) struct Comparison {
    /// Estimators that apply, in the order of [`Estimator::ALL`].
    pub(super) candidates: Vec<Candidate>,
    /// Estimators that make no sense here.
    pub(super) excluded: Vec<Exclusion>,
}

impl Comparison {
    /// Returns the comparison of the designs of all estimators, for an estimate that is shrunk or
    /// not.
    pub(super) fn new(setting: &Setting, request: &WeightedRequest) -> Self {
        let (shrink, coverage) = (request.options().shrink, request.coverage(true));
        let (mut candidates, mut excluded) = (Vec::new(), Vec::new());
        let designs = Designs::new(&setting.profile);
        let is_mean = setting.categories.is_none();
        for estimator in Estimator::ALL.into_iter().filter(|one| one.serves(!is_mean)) {
            match proposed(estimator, request, setting, (&designs, &coverage)) {
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
