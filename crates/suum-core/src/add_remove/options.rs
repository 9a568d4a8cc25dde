//! The options of a release that hides who takes part.

use crate::request::check_probability;
use crate::{
    Choice, Epsilon, Error, Estimator, Neighbors, Options, PostProcessing, QuantileChoice,
    QuantileEstimator, QuantileMethod, QuantileOptions, Result, Share, SummaryOptions, Target,
    VarianceOptions,
};

/// The options of a request that hides participation, with the defaults of the command line.
///
/// From those of a release that does not hide it they follow by `try_from`, which says what is not
/// available here.
///
/// # Example
///
/// ```
/// use suum_core::{AddRemoveOptions, Choice, Estimator, Neighbors, Options};
///
/// let options = Options { neighbors: Neighbors::AddRemove, ..Options::default() };
/// assert_eq!(AddRemoveOptions::try_from(&options)?, AddRemoveOptions::default());
/// let mixed = Options { estimator: Choice::Named(Estimator::Mixed), ..options };
/// assert!(AddRemoveOptions::try_from(&mixed).is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AddRemoveOptions {
    /// Which datasets must not be told apart: those that differ by the presence of a record
    /// (default), or in its value, too ([`Neighbors::Both`]).
    pub neighbors: Neighbors,
    /// What the estimate is meant to be close to: the population (default), or the dataset, which
    /// is that of all records whose budget is not zero and not below the declared ones.
    pub target: Target,
    /// How τ is found. `affine`: from a rough profile that a twentieth of every budget buys, for
    /// the largest variance. `typical`: likewise, for an ordinary one. `auto` (default) is that for
    /// means and sums whose spread is measured, `affine` elsewhere. `uniform`: the least declared
    /// budget. `proportional`: the largest.
    pub estimator: Choice,
    /// τ itself, where the most that a record should spend is known from elsewhere; then no rough
    /// profile is bought (but for the intervals of quantiles, unless `interval_share` is 0).
    pub clip: Option<Epsilon>,
    /// For a mean or sum, σ² of the values where it is publicly known, in squared units. Default:
    /// the worst case h²/4.
    pub variance: Option<f64>,
    /// The confidence of intervals, in (0, 1). Default: 0.95.
    pub confidence: f64,
    /// What is done to noisy frequencies before they are published. Default: projection onto the
    /// simplex.
    pub post: PostProcessing,
    /// Whether the confidence of the intervals of frequencies is that of all of them together.
    /// Default: no, of each alone.
    pub simultaneous: bool,
    /// For quantiles, the part of the budget that buys the ends of the intervals, in [0, 0.9].
    /// Default (`None`): a fifth, or nothing where that would cost more than 25 % of accuracy; a
    /// histogram needs none.
    pub interval_share: Option<f64>,
    /// For quantiles, how they are asked for. Default (`None`): in the way of less expected error.
    pub method: Option<QuantileMethod>,
    /// For quantiles, whether values are candidates themselves. Default: no.
    pub whole: bool,
    /// The part of every budget that may be spent. Default: all.
    pub share: Share,
    /// Whether a mean or a sum first learns where the values lie, with a part of the budgets,
    /// where that is possible: declared budgets are tiers, the estimator is `auto`, no variance is
    /// declared, and the table has sums in cells. Default: no.
    pub adapt: bool,
    /// The part, in [0, 1], of what a mean leaves over (ε − τ₀) that adapting must not touch.
    /// Default: none.
    pub spare: f64,
}

impl Default for AddRemoveOptions {
    fn default() -> Self {
        Self {
            neighbors: Neighbors::AddRemove,
            target: Target::default(),
            estimator: Choice::default(),
            clip: None,
            variance: None,
            confidence: 0.95,
            post: PostProcessing::default(),
            simultaneous: false,
            interval_share: None,
            method: None,
            whole: false,
            share: Share::ALL,
            adapt: false,
            spare: 0.0,
        }
    }
}

impl AddRemoveOptions {
    /// The estimator by its name, `affine` for `auto`.
    pub(super) fn estimator(&self) -> Estimator {
        match self.estimator {
            Choice::Auto => Estimator::Affine,
            Choice::Named(estimator) => estimator,
        }
    }

    /// Refuses what makes no sense whatever is estimated.
    pub(super) fn check(&self) -> Result<()> {
        check_neighbors(self.neighbors)?;
        check_probability("confidence", self.confidence, 0.95)?;
        if self.target == Target::DatasetCorrelated {
            return Err(Error::request(
                "target: dataset-correlated has no meaning where the number of records is private",
            )
            .with_hint("choose the target population or dataset, or --neighbors replace"));
        }
        if let Some(reason) = reason_against(self.estimator()) {
            return Err(refused(self.estimator().name(), reason));
        }
        if self.clip.is_some() && !matches!(self.estimator(), Estimator::Affine) {
            return Err(Error::request(
                "clip: has no meaning for uniform and proportional, which have their own",
            )
            .with_hint("leave --clip or --estimator out"));
        }
        Ok(())
    }
}

/// Why an estimator cannot hide participation.
fn reason_against(estimator: Estimator) -> Option<&'static str> {
    match estimator {
        Estimator::Affine | Estimator::Typical | Estimator::Uniform | Estimator::Proportional => {
            None
        }
        Estimator::Threshold => {
            Some("chooses its one ε by how many people allow it, which is private")
        }
        Estimator::Mixed => Some("weighs tiers by their sizes, which are private"),
        Estimator::Sample => {
            Some("divides by the expected number of records kept, which is private")
        }
        Estimator::Stretch | Estimator::Local => {
            Some("divides by the number of records, which is private")
        }
        Estimator::Hpm(_) | Estimator::Hpf(_) => {
            Some("has weights that depend on all budgets, which are private")
        }
    }
}

fn refused(name: &str, reason: &str) -> Error {
    Error::request(format!("estimator: {name} {reason} with add-remove neighbors"))
        .with_hint("choose auto, affine, typical, uniform or proportional, or --neighbors replace")
}

fn check_neighbors(neighbors: Neighbors) -> Result<()> {
    match neighbors.hides_participation() {
        true => Ok(()),
        false => Err(Error::request("neighbors: this release hides who takes part")
            .with_hint("use --neighbors add-remove, or both")),
    }
}

/// The options of a mean, sum, count or frequency, if they can be had.
impl TryFrom<&Options> for AddRemoveOptions {
    type Error = Error;

    fn try_from(options: &Options) -> Result<Self> {
        if options.shrink {
            return Err(Error::request(
                "shrink: by how much depends on the number of records, which is private",
            )
            .with_hint("leave --shrink out, or use --neighbors replace"));
        }
        let options = Self {
            neighbors: options.neighbors,
            target: options.target,
            estimator: options.estimator,
            variance: options.variance,
            confidence: options.confidence,
            post: options.post,
            simultaneous: options.simultaneous,
            share: options.share,
            adapt: options.adapts(),
            spare: options.spare,
            ..Self::default()
        };
        options.check()?;
        Ok(options)
    }
}

/// The options of a variance, if they can be had.
impl TryFrom<&VarianceOptions> for AddRemoveOptions {
    type Error = Error;

    fn try_from(options: &VarianceOptions) -> Result<Self> {
        let VarianceOptions { target, neighbors, confidence, share } = *options;
        let options = Self { neighbors, target, confidence, share, ..Self::default() };
        options.check()?;
        Ok(options)
    }
}

/// The options of several statistics, if they can be had.
impl TryFrom<&SummaryOptions> for AddRemoveOptions {
    type Error = Error;

    fn try_from(options: &SummaryOptions) -> Result<Self> {
        let SummaryOptions { target, neighbors, confidence, interval_share, whole, share } =
            *options;
        let options =
            Self { neighbors, target, confidence, interval_share, whole, share, ..Self::default() };
        options.check()?;
        Ok(options)
    }
}

/// The options of quantiles, if they can be had: `weighted` is `affine` here, `pe` is
/// `proportional`.
impl TryFrom<&QuantileOptions> for AddRemoveOptions {
    type Error = Error;

    fn try_from(options: &QuantileOptions) -> Result<Self> {
        if options.strata.is_some() {
            return Err(Error::request(
                "strata: weights follow from how many records each has, which is private",
            )
            .with_hint("leave the strata out, or use --neighbors replace"));
        }
        let estimator = match options.estimator {
            QuantileChoice::Auto => Choice::Auto,
            QuantileChoice::Named(QuantileEstimator::Weighted) => Choice::Named(Estimator::Affine),
            QuantileChoice::Named(QuantileEstimator::Pe) => Choice::Named(Estimator::Proportional),
            QuantileChoice::Named(QuantileEstimator::Mixed) => Choice::Named(Estimator::Mixed),
        };
        let options = Self {
            neighbors: options.neighbors,
            target: options.target,
            estimator,
            confidence: options.confidence,
            interval_share: options.interval_share,
            simultaneous: options.simultaneous,
            method: options.method,
            whole: options.whole,
            share: options.share,
            ..Self::default()
        };
        options.check()?;
        Ok(options)
    }
}
