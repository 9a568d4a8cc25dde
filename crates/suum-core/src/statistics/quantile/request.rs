//! Requests for quantiles.

use super::QuantileEstimator;
use crate::error::{for_example, option, say};
use crate::plan::any_statistic::AnyStatistic;
use crate::plan::checks::{
    check_interval_share, check_neighbors, check_per_person, check_probability, check_tiers_differ,
    check_used,
};
use crate::{
    Bounds, Cells, Error, Numbers, Options, Plan, Profile, Rank, RelativeDifference, Result, Unit,
};

/// Quantiles to estimate, complete except for the bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantileEstimands {
    /// Ranks of the quantiles.
    pub ranks: Vec<Rank>,
    /// Candidates over the bounds.
    pub cells: Cells,
}

/// Validated request for quantiles.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Cells, Options, QuantileRequest, Rank};
///
/// let bounds = Bounds::new(-8.0, 8.0)?;
/// let cells = Cells::new(Cells::STEPS)?;
/// let request =
///     QuantileRequest::new(bounds, cells, vec![Rank::MEDIAN], Options::default())?;
/// let plan = request.plan("0.5:1000,inf:5".parse()?)?;
/// assert_eq!(plan.chosen().estimator.name(), "weighted");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct QuantileRequest {
    bounds: Bounds,
    cells: Cells,
    ranks: Vec<Rank>,
    options: Options,
    estimator: Option<QuantileEstimator>,
}

impl QuantileRequest {
    /// Largest number of quantiles in one request.
    pub const MOST: usize = 1000;

    /// Returns a request for the quantiles at `ranks`, among candidates `cells` over `bounds`.
    ///
    /// # Errors
    ///
    /// Refuses no ranks, more than [`QuantileRequest::MOST`], a rank given twice, probabilities out
    /// of range, neighbours that are not available, and estimators that do not keep strata.
    pub fn new(bounds: Bounds, cells: Cells, ranks: Vec<Rank>, options: Options) -> Result<Self> {
        check_ranks(&ranks)?;
        check_used(
            &options,
            "quantile",
            &[
                option::SIMULTANEOUS,
                option::INTERVAL_SHARE,
                option::STEP,
                option::ESTIMATOR,
                option::STRATA,
                option::TIERS_DIFFER,
                option::PER_PERSON,
            ],
        )?;
        check_per_person(&options, false)?;
        check_probability(option::CONFIDENCE, options.confidence, 0.95)?;
        check_interval_share(options.interval_share)?;
        check_neighbors(options.neighbors)?;
        let estimator = QuantileEstimator::chosen(options.estimator)?;
        check_strata(&options, estimator)?;
        let difference = check_difference(&options, estimator)?;
        let options = options.with_difference(difference);
        Ok(Self { bounds, cells, ranks, options, estimator })
    }

    /// Returns the declared bounds.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns the candidates.
    pub fn cells(&self) -> Cells {
        self.cells
    }

    /// Returns the ranks, in the order asked for.
    pub fn ranks(&self) -> &[Rank] {
        &self.ranks
    }

    /// Returns the probability with which one interval may miss.
    pub(super) fn miss(&self) -> f64 {
        let together = if self.options.simultaneous { self.ranks.len() } else { 1 };
        (1.0 - self.options.confidence) / together as f64
    }

    /// Returns the largest difference between the shares of tiers below a quantile.
    pub(crate) fn difference(&self) -> RelativeDifference {
        let difference = self.options.tiers_differ.map(|difference| difference.in_shares());
        // It was validated before.
        difference.and_then(Result::ok).unwrap_or_default()
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the estimator that is asked for; `None` for the one of least expected error.
    pub fn estimator(&self) -> Option<QuantileEstimator> {
        self.estimator
    }
}

impl AnyStatistic for QuantileEstimands {
    fn plan(&self, allowed: Profile, numbers: Numbers, options: Options) -> Result<Plan> {
        let cells = numbers.cells.ok_or_else(|| {
            Error::request("quantiles", "there are no candidates").with_fix(
                say("make the table for quantiles, with")
                    .option(option::CELLS)
                    .say("or")
                    .option(option::STEP),
            )
        })?;
        let bounds = numbers.grid.bounds();
        QuantileRequest::new(bounds, cells, self.ranks.clone(), options)?
            .plan(allowed)
            .map(Plan::from)
    }

    fn check_options(&self, bounds: Option<Bounds>, options: Options) -> Result<()> {
        let bounds = bounds.unwrap_or(Bounds::UNIT);
        QuantileRequest::new(bounds, self.cells, self.ranks.clone(), options).map(|_| ())
    }

    fn unit(&self) -> Unit {
        Unit::Rank
    }

    /// Returns a large number, because candidates cover the whole range, and there are plenty.
    fn least_half_width_sds(&self) -> f64 {
        32.0
    }

    fn cells(&self) -> Option<Cells> {
        Some(self.cells)
    }

    fn ranks(&self) -> &[Rank] {
        &self.ranks
    }
}

/// Refuses no ranks, too many, and a rank given twice.
pub(crate) fn check_ranks(ranks: &[Rank]) -> Result<()> {
    if ranks.is_empty() || ranks.len() > QuantileRequest::MOST {
        return Err(Error::parameter(option::Q, "there must be between 1 and 1000 quantiles")
            .with_fix(for_example(option::Q, "0.25,0.5,0.75")));
    }
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Error::parameter(option::Q, "a quantile is asked for twice")
            .with_fix("leave one of them out"));
    }
    Ok(())
}

/// Returns the largest difference between the shares of tiers below a quantile.
fn check_difference(
    options: &Options,
    estimator: Option<QuantileEstimator>,
) -> Result<RelativeDifference> {
    let Some(difference) = options.tiers_differ else { return Ok(RelativeDifference::default()) };
    check_tiers_differ(options)?;
    if estimator == Some(QuantileEstimator::Mixed) {
        return Err(Error::request(
            option::ESTIMATOR,
            "mixed combines the quantiles of several levels, whose ranks have no bias in common",
        )
        .with_fix(say("choose auto, or leave out").option(option::TIERS_DIFFER)));
    }
    difference.in_shares()
}

/// Refuses estimators whose weights do not keep the shares of strata.
fn check_strata(options: &Options, estimator: Option<QuantileEstimator>) -> Result<()> {
    match estimator {
        Some(estimator @ (QuantileEstimator::Pe | QuantileEstimator::Mixed))
            if options.strata.is_some() =>
        {
            Err(Error::request(
                option::ESTIMATOR,
                format!("{estimator} does not keep shares of strata"),
            )
            .with_fix("choose auto or weighted, or ask without strata"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Neighbors, Shares, Strata};

    #[test]
    fn refuses_what_makes_no_sense_and_names_the_parameter() {
        let cells = Cells::new(10).unwrap();
        let request = |ranks: Vec<Rank>, change: fn(&mut Options)| {
            let mut options = Options::default();
            change(&mut options);
            QuantileRequest::new(Bounds::UNIT, cells, ranks, options)
        };
        let median = vec![Rank::MEDIAN];
        assert!(request(median.clone(), |_| {}).is_ok());
        for (refused, name) in [
            (request(vec![], |_| {}), "q:"),
            (request(vec![Rank::MEDIAN, Rank::MEDIAN], |_| {}), "q:"),
            (request(median.clone(), |options| options.confidence = 1.0), "confidence:"),
            (
                request(median.clone(), |options| options.interval_share = Some(1.0)),
                "interval_share:",
            ),
            (
                request(median.clone(), |options| {
                    options.estimator = QuantileEstimator::Pe.into();
                    let names = vec!["young".to_owned(), "old".to_owned()];
                    options.strata = Some(Strata::new("age", names, Shares::Records).unwrap());
                }),
                "estimator:",
            ),
            (request(median, |options| options.neighbors = Neighbors::AddRemove), "neighbors:"),
        ] {
            let refused = refused.unwrap_err();
            assert!(refused.to_string().starts_with(name) && refused.fix().is_some(), "{refused}");
        }
    }
}
