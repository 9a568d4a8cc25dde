//! The options of all statistics.

use std::str::FromStr;

use crate::{
    Epsilon, Error, Estimator, Neighbors, PostProcessing, QuantileEstimator, QuantileMethod,
    RelativeDifference, Result, Setting, Share, Strata, Target, TierDifference,
};

/// Which estimator to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// For a mean or a sum whose spread is measured [`Estimator::Typical`]; else the listed
    /// estimator of least exact risk, of those that are not for study. Under add-remove neighbours
    /// all else is `affine`.
    #[default]
    Auto,
    /// This one. Requests refuse those that are [for study](Estimator::is_for_study), and those
    /// that are for other statistics. Of quantiles see [`QuantileEstimator`].
    Named(Estimator),
}

impl From<Estimator> for Choice {
    fn from(estimator: Estimator) -> Self {
        Choice::Named(estimator)
    }
}

impl From<QuantileEstimator> for Choice {
    fn from(estimator: QuantileEstimator) -> Self {
        Choice::Named(estimator.into())
    }
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "auto" { Ok(Choice::Auto) } else { text.parse().map(Choice::Named) }
    }
}

/// The options of a request, with the defaults of the command line. Requests refuse those that
/// their statistic, or their neighbours, have no use for.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What the estimate is meant to be close to. Default: the population. Where it is hidden who
    /// takes part, the dataset is that of all records whose budget is not zero and not below the
    /// declared ones.
    pub target: Target,
    /// Which datasets must not be told apart. Default: replace-one.
    pub neighbors: Neighbors,
    /// Which estimator to use. Default: auto. Where it is hidden who takes part, it says how τ is
    /// found. `affine`: from a noisy profile that a twentieth of every budget buys, for the largest
    /// variance. `typical`: likewise, for an ordinary one. `uniform`: the least declared budget.
    /// `proportional`: the largest.
    pub estimator: Choice,
    /// Where it is hidden who takes part, τ itself, if the most that a record should spend is known
    /// from elsewhere; then no noisy profile is bought (but for the intervals of quantiles, unless
    /// `interval_share` is 0).
    pub clip: Option<Epsilon>,
    /// For a mean or a sum, σ² of the values where it is publicly known, in squared units, at most
    /// h²/4. Default: the worst case h²/4.
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
    /// Whether the confidence of the intervals of frequencies or of several quantiles is that of
    /// all of them together. Default: no, of each alone.
    pub simultaneous: bool,
    /// For quantiles, the part of the budget that buys the ends of the intervals, in [0, 0.9].
    /// Default (`None`): as much as makes the expected error of the estimates at most 25 % larger,
    /// between a fifth and a half, and nothing where that would buy no interval shorter than the
    /// bounds. Where it is hidden who takes part: a fifth, or nothing where that would cost more
    /// than 25 % of accuracy; a histogram needs none.
    ///
    /// How far a rank reaches in units of the data depends on the data, so the ends of an interval
    /// are quantiles too, and cost budget. With 0 there are no intervals.
    pub interval_share: Option<f64>,
    /// How several quantiles share the budget. Default (`None`): in the way of less expected error.
    pub method: Option<QuantileMethod>,
    /// For quantiles, whether values are candidates themselves, as integers are with steps of 1.
    /// Default: no, and intervals are widened by the half step by which a value can be away from
    /// its candidate.
    pub whole: bool,
    /// The part of every budget that may be spent, of several statistics on all of them. Default:
    /// all.
    pub share: Share,
    /// Whether a mean or a sum first learns where the values lie, with a part of the budgets,
    /// where that is possible ([`AdaptivePlan`](crate::AdaptivePlan)); where it is hidden who takes
    /// part, if declared budgets are few and the table has sums in cells. Default: no; the command
    /// line's default is yes where there is no ledger.
    pub adapt: bool,
    /// The part, in [0, 1], of what a mean leaves over (ε − τ) that adapting must not touch.
    /// Default: none.
    pub spare: f64,
    /// The strata whose shares the estimate keeps: of quantiles, those of Σ D_d·F_d, with F_d the
    /// distribution in stratum d. Default: none.
    pub strata: Option<Strata>,
    /// By how much the means of tiers may differ, of shares and below quantiles the shares: an
    /// interval then allows for that, and weights are chosen for it. Default: budgets have nothing
    /// to do with values.
    pub tiers_differ: Option<TierDifference>,
    /// Whether the mean of every tier is measured apart, with its own noise: then an interval can
    /// be told for any difference afterwards, also for none. Default: no.
    pub tiers_apart: bool,
}

/// The defaults for these neighbours.
impl From<Neighbors> for Options {
    fn from(neighbors: Neighbors) -> Self {
        Self { neighbors, ..Self::default() }
    }
}

impl Options {
    /// The defaults where it is hidden who takes part.
    pub fn add_remove() -> Self {
        Self { neighbors: Neighbors::AddRemove, ..Self::default() }
    }

    /// The same where tiers may differ by so much. No difference is none; of these records the
    /// largest that there can be makes it the target `dataset-correlated`.
    pub(crate) fn with_difference(self, difference: RelativeDifference) -> Self {
        if difference.is_none() {
            return Self { tiers_differ: None, ..self };
        }
        match self.target {
            Target::Dataset if difference.distance >= 1.0 && !self.tiers_apart => {
                let target = Target::DatasetCorrelated;
                Self { target, tiers_differ: None, variance: None, ..self }
            }
            _ => self,
        }
    }

    /// Whether a mean or a sum with these options measures the spread of the values: see
    /// [`WeightedRequest::measures_spread`](crate::WeightedRequest::measures_spread).
    pub(crate) fn measure_spread(&self) -> bool {
        self.variance.is_none()
            && self.target != Target::DatasetCorrelated
            && !matches!(self.estimator, Choice::Named(Estimator::Mixed | Estimator::Local))
    }

    /// Whether a mean or a sum with these options learns where the values lie. Of a part of the
    /// budgets nothing is left to learn with, unless it is hidden who takes part.
    pub fn adapts(&self) -> bool {
        self.adapt
            && self.measure_spread()
            && self.estimator == Choice::Auto
            && !self.shrink
            && !self.tiers_apart
            && self.strata.is_none()
            && (self.share == Share::ALL || self.neighbors.hides_participation())
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            target: Target::default(),
            neighbors: Neighbors::default(),
            estimator: Choice::default(),
            clip: None,
            variance: None,
            beta: Setting::BETA,
            confidence: 0.95,
            shrink: false,
            post: PostProcessing::default(),
            simultaneous: false,
            interval_share: None,
            method: None,
            whole: false,
            share: Share::ALL,
            adapt: false,
            spare: 0.0,
            strata: None,
            tiers_differ: None,
            tiers_apart: false,
        }
    }
}
