//! Options of all statistics.

use std::str::FromStr;

use crate::{
    Bounds, Epsilon, Error, Estimator, Neighbors, PersonValue, PostProcessing, QuantileEstimator,
    QuantileMethod, RelativeDifference, Result, Setting, Share, Strata, Target, TierDifference,
};

/// Choice of the estimator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// Automatic choice: [`Estimator::Typical`] for a mean or a sum whose spread is measured,
    /// otherwise the listed estimator of least exact risk that is not for study. Under add-remove
    /// neighbours it is `affine` in all other cases.
    #[default]
    Auto,
    /// Named estimator. Requests refuse those [for study](Estimator::is_for_study) and those of
    /// other statistics. For quantiles see [`QuantileEstimator`].
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

/// Options of a request, with the defaults of the command line. Requests refuse options that their
/// statistic, or their neighbours, do not use.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Target of the estimate. Default: the population. Under add-remove the dataset is that of all
    /// records whose budget is not zero and not below the declared ones.
    pub target: Target,
    /// Relation between datasets that must not be told apart. Default: replace-one.
    pub neighbors: Neighbors,
    /// Estimator. Default: auto. Under add-remove it decides how τ is chosen. `affine`: from a
    /// noisy profile, which costs a twentieth of every budget, for the largest variance. `typical`:
    /// likewise, for an ordinary variance. `uniform`: the least declared budget. `proportional`:
    /// the largest.
    pub estimator: Choice,
    /// Clip level τ, under add-remove, if the most that a record should spend is known from
    /// elsewhere. Then no noisy profile is bought (except for the intervals of quantiles, unless
    /// `interval_share` is 0).
    pub clip: Option<Epsilon>,
    /// Variance σ² of the values of a mean or a sum, if it is publicly known, in squared units, at
    /// most h²/4. Default: the worst case h²/4.
    pub variance: Option<f64>,
    /// β in (0, 1), the PAC level of the `-cp` and `-up` variants. Default: 0.05.
    pub beta: f64,
    /// Confidence of intervals, in (0, 1). Default: 0.95.
    pub confidence: f64,
    /// True to shrink the estimate of a mean towards the middle of the bounds. Default: false.
    pub shrink: bool,
    /// Post-processing of noisy frequencies before they are published. Default: projection onto the
    /// simplex.
    pub post: PostProcessing,
    /// True if the confidence of the intervals of frequencies, or of several quantiles, is that of
    /// all of them together. Default: false, for each alone.
    pub simultaneous: bool,
    /// Share of the budget, in [0, 0.9], for the ends of the intervals of quantiles.
    ///
    /// Default (`None`): as much as makes the expected error of the estimates at most 25 % larger,
    /// between a fifth and a half, and nothing if that would buy no interval shorter than the
    /// bounds. Under add-remove: a fifth, or nothing if that would cost more than 25 % of accuracy;
    /// a histogram needs none.
    ///
    /// How far a rank reaches in units of the data depends on the data, so the ends of an interval
    /// are quantiles too, and cost budget. With 0 there are no intervals.
    pub interval_share: Option<f64>,
    /// Method by which several quantiles share the budget. Default (`None`): the one with less
    /// expected error.
    pub method: Option<QuantileMethod>,
    /// True if the values of quantiles are candidates themselves, as integers are with steps of 1.
    /// Default: false, and intervals are widened by half a step, the largest distance of a value
    /// from its candidate.
    pub whole: bool,
    /// Share of every budget that may be spent, by several statistics together. Default: all.
    pub share: Share,
    /// True if a mean or a sum first learns where the values lie, with a part of the budgets, where
    /// that is possible ([`AdaptivePlan`](crate::AdaptivePlan)). Under add-remove it is possible if
    /// declared budgets are few and the table has sums in cells. Default: false; the command line's
    /// default is true without a ledger.
    pub adapt: bool,
    /// For a mean or a sum, the distance between neighbouring values where it is publicly known
    /// that there is one, in units of the data: 1 for integers and truth values. A mean of
    /// [few steps](Self::FEWEST_STEPS) does not learn where they lie. Default: none is known.
    pub step: Option<f64>,
    /// Share, in [0, 1], of the budget that a mean leaves over (ε − τ) and that learning must not
    /// touch. Default: none.
    pub spare: f64,
    /// Strata whose shares the estimate keeps; for quantiles, the distribution is Σ D_d·F_d, with
    /// F_d that of stratum d. Default: none.
    pub strata: Option<Strata>,
    /// Largest difference between the means of tiers, for shares between the shares, and for
    /// quantiles between the shares below them. Weights and intervals allow for it. Default:
    /// budgets are unrelated to values.
    pub tiers_differ: Option<TierDifference>,
    /// With which number a person counts who has several rows. Default: that of the statistic
    /// ([`PersonValue::for_statistic`]).
    pub per_person: Option<PersonValue>,
    /// True if the mean of every tier is measured apart, with its own noise. Then an interval can
    /// be computed for any difference afterwards, also for none. Default: false.
    pub tiers_apart: bool,
}

/// Default options for these neighbours.
impl From<Neighbors> for Options {
    fn from(neighbors: Neighbors) -> Self {
        Self { neighbors, ..Self::default() }
    }
}

impl Options {
    /// Returns the default options under add-remove.
    pub fn add_remove() -> Self {
        Self { neighbors: Neighbors::AddRemove, ..Self::default() }
    }

    /// Returns the options for tiers that may differ by this much. No difference unsets the option.
    /// For the target `dataset`, the largest possible difference makes it `dataset-correlated`.
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

    /// Returns the number that a person counts with; `usual` is that of the statistic.
    pub(crate) fn person_value(&self, usual: PersonValue) -> PersonValue {
        self.per_person.unwrap_or(usual)
    }

    /// Returns true if a mean or a sum with these options measures the spread of the values: see
    /// [`WeightedRequest::measures_spread`](crate::WeightedRequest::measures_spread).
    pub(crate) fn measure_spread(&self) -> bool {
        self.variance.is_none()
            && self.target != Target::DatasetCorrelated
            && !matches!(self.estimator, Choice::Named(Estimator::Mixed | Estimator::Local))
    }

    /// The fewest steps between the bounds, and inside a range, of which a mean learns where the
    /// values lie: of truth values, categories and small counts a range leaves out the rare ones.
    pub const FEWEST_STEPS: u32 = 8;

    /// Returns true if a mean or a sum of values inside these bounds learns where they lie: with
    /// these options, and where values are not known to have too few steps.
    pub fn adapts_inside(&self, bounds: Bounds) -> bool {
        self.adapts() && !self.has_few_steps(bounds)
    }

    /// Returns true if values are known to have too few steps between these bounds for a mean to
    /// learn where they lie.
    pub(crate) fn has_few_steps(&self, bounds: Bounds) -> bool {
        let fewest = f64::from(Self::FEWEST_STEPS);
        self.step.is_some_and(|step| (bounds.width() / step).round() < fewest)
    }

    /// Returns true if a mean or a sum with these options learns where the values lie. With a share
    /// of the budgets nothing is left to learn with, unless under add-remove.
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
            step: None,
            spare: 0.0,
            strata: None,
            tiers_differ: None,
            per_person: None,
            tiers_apart: false,
        }
    }
}
