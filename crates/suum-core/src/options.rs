//! The options of a mean, a sum or frequencies.

use std::str::FromStr;

use crate::{Error, Estimator, Neighbors, PostProcessing, Result, Share, Strata, Target};

/// Which estimator to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// For a mean or a sum whose spread is measured [`Estimator::Typical`]; else the listed
    /// estimator of least exact risk, of those that are not for study.
    #[default]
    Auto,
    /// This one. Requests refuse those that are [for study](Estimator::is_for_study).
    Named(Estimator),
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "auto" { Ok(Choice::Auto) } else { text.parse().map(Choice::Named) }
    }
}

/// The options of a request, with the defaults of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What the estimate is meant to be close to. Default: the population.
    pub target: Target,
    /// Which datasets must not be told apart. Default: replace-one.
    pub neighbors: Neighbors,
    /// Which estimator to use. Default: auto.
    pub estimator: Choice,
    /// σ² of the values where it is publicly known, in squared units, at most h²/4. Default: the
    /// worst case h²/4.
    pub variance: Option<f64>,
    /// β in (0, 1), the PAC level of the `-cp` and `-up` variants. Default: 0.05.
    pub beta: f64,
    /// The confidence of intervals, in (0, 1). Default: 0.95.
    pub confidence: f64,
    /// Whether to shrink the estimate of a mean towards the middle of the bounds. Default: no.
    pub shrink: bool,
    /// What is done to noisy frequencies before they are published. Default: projection onto the
    /// simplex.
    pub post: PostProcessing,
    /// Whether the confidence of the intervals of frequencies is that of all of them together.
    /// Default: no, of each alone.
    pub simultaneous: bool,
    /// The part of every budget that may be spent. Default: all.
    pub share: Share,
    /// Whether a mean or a sum first learns where the values lie, with a part of the budgets,
    /// where that is possible ([`AdaptivePlan`](crate::AdaptivePlan)). Default: no; the
    /// command line's default is yes where there is no ledger.
    pub adapt: bool,
    /// The part, in [0, 1], of what a mean leaves over (ε − τ) that adapting must not touch.
    /// Default: none.
    pub spare: f64,
    /// The strata whose shares the estimate keeps. Default: none.
    pub strata: Option<Strata>,
}

impl Options {
    /// Whether a mean or a sum with these options measures the spread of the values: see
    /// [`Request::measures_spread`](crate::Request::measures_spread).
    pub(crate) fn measure_spread(&self) -> bool {
        self.variance.is_none()
            && self.target != Target::DatasetCorrelated
            && !matches!(self.estimator, Choice::Named(Estimator::Mixed | Estimator::Local))
    }

    /// Whether a mean or a sum with these options learns where the values lie.
    pub fn adapts(&self) -> bool {
        self.adapt
            && self.measure_spread()
            && self.estimator == Choice::Auto
            && !self.shrink
            && self.strata.is_none()
            && self.share == Share::ALL
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: Target::default(),
            neighbors: Neighbors::default(),
            estimator: Choice::default(),
            variance: None,
            beta: 0.05,
            confidence: 0.95,
            shrink: false,
            post: PostProcessing::default(),
            simultaneous: false,
            share: Share::ALL,
            adapt: false,
            spare: 0.0,
            strata: None,
        }
    }
}
