//! Plans of quantiles: weights, questions and losses, fixed before a value is read.

use super::answer_positions::{AnswerPositions, half_of_longest};
use super::basis::Basis;
use super::candidate::QuantileCandidate;
use super::comparison::Comparison;
use super::division::Division;
use super::draft::{Draft, best, compared, ways};
use super::histogram::Fineness;
use super::questions::mechanism;
use super::slack::Slack;
use super::{QuantileEstimator, QuantileMethod, QuantileRequest};
use crate::plan::on_demand::OnDemand;
use crate::private::part::Part;
use crate::private::session::PlannedMechanism;
use crate::{
    Epsilon, Loss, Options, Profile, QuantileMechanism, QuantileSplit, QuantilesTogether, Rank,
    Result, Setting, Share, StrataSummary,
};

/// Reason for no interval of `mixed`.
const NO_INTERVAL_OF_MIXED: &str = "the estimator mixed combines the quantiles of several levels, \
    for which no interval is known that covers whatever the data";

/// Plan of quantiles, made from public facts only. Noise, certificate and report all read this
/// value.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Cells, Options, QuantileRequest};
///
/// let bounds = Bounds::new(0.0, 77.0)?;
/// let cells = Cells::with_step(bounds, 1.0)?;
/// let request =
///     QuantileRequest::new(bounds, cells, vec!["0.9".parse()?], Options::default())?;
/// let plan = request.plan("0.1:8767,1:4028,inf:560".parse()?)?;
/// for (level, spent) in plan.profile().levels().iter().zip(plan.losses()) {
///     assert!(spent.within(level.epsilon));
/// }
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct QuantilePlan {
    request: QuantileRequest,
    part: Part,
    chosen: QuantileCandidate,
    candidates: OnDemand<Vec<QuantileCandidate>>,
    mechanism: QuantileMechanism,
    division: Division,
    positions: Vec<AnswerPositions>,
    interval_share: f64,
    /// Slack of intervals that are read off a histogram.
    slack: Option<Slack>,
    /// Reason why some quantiles have no interval, if any.
    no_interval: Option<&'static str>,
    stratified: Option<StrataSummary>,
}

impl QuantileRequest {
    /// Returns the plan for a public profile.
    ///
    /// # Errors
    ///
    /// Refuses a profile without usable records.
    pub fn plan(&self, profile: Profile) -> Result<QuantilePlan> {
        QuantilePlan::new(self, profile)
    }
}

impl QuantilePlan {
    pub(super) fn new(request: &QuantileRequest, allowed: Profile) -> Result<Self> {
        let part = Part::new(allowed, request.options().share)?;
        let profile = part.profile();
        profile.check_usable()?;
        let setting = &setting(request, profile)?;
        let (basis, divisions) = (Basis::new(request, setting)?, ways(request)?);
        let compared = compared(request, &basis, &divisions).into_iter();
        let drafts = compared.map(|without| Draft::new(request, setting, &basis, without));
        let mut drafts: Vec<Draft<'_>> = drafts.collect();
        let draft = drafts.swap_remove(best(&drafts));
        let (slack, (questions, positions)) = (draft.slack(), draft.questions());
        let no_interval = match slack {
            Some(_) => None,
            None => draft.no_interval(&positions),
        };
        let Draft { chosen, interval_share, division, .. } = draft;
        let division = division.clone();
        let mechanism = mechanism(request, setting, &chosen, &division, questions);
        let stratified = stratified(request, setting, &chosen)?;
        Ok(Self {
            request: request.clone(),
            part,
            chosen,
            candidates: OnDemand::default(),
            mechanism,
            division,
            positions,
            interval_share,
            slack,
            no_interval,
            stratified,
        })
    }

    /// Returns the request.
    pub fn request(&self) -> &QuantileRequest {
        &self.request
    }

    /// Returns the privacy levels, with the share of their budgets that may be spent.
    pub fn profile(&self) -> &Profile {
        self.part.profile()
    }

    /// Returns the privacy levels, with everything that they allow.
    pub fn allowed(&self) -> &Profile {
        self.part.allowed()
    }

    /// Returns all estimators, in the order of
    /// [`QuantileEstimator::ALL`](crate::QuantileEstimator::ALL). They are computed on demand: no
    /// release depends on them.
    pub fn candidates(&self) -> &[QuantileCandidate] {
        self.candidates.get(|| self.compared())
    }

    /// Returns all estimators, for the part of the budget that this plan leaves to estimates.
    pub(super) fn compared(&self) -> Vec<QuantileCandidate> {
        let all = || -> Result<Vec<QuantileCandidate>> {
            let setting = setting(&self.request, self.profile())?;
            let basis = Basis::new(&self.request, &setting)?;
            Ok(Comparison::new(&basis, self.interval_share, &self.division).candidates())
        };
        // It succeeded before, for the chosen estimator.
        all().unwrap_or_else(|_| vec![self.chosen.clone()])
    }

    /// Returns the estimator that a release of this plan uses.
    pub fn chosen(&self) -> &QuantileCandidate {
        &self.chosen
    }

    /// Returns the strata whose shares the ranks keep, if any. The expected error without them is
    /// that of the rank.
    pub fn stratified(&self) -> Option<&StrataSummary> {
        self.stratified.as_ref()
    }

    /// Returns the integer mechanism of the chosen estimator.
    pub fn mechanism(&self) -> &QuantileMechanism {
        &self.mechanism
    }

    /// Returns the exact loss of one record of each level, in the order of the profile.
    pub fn losses(&self) -> impl Iterator<Item = Loss> + '_ {
        self.part.losses(|position| self.mechanism.loss(position))
    }

    /// Returns the number of answers to draw: one for each quantile, and one for each end of an
    /// interval that can be had.
    pub fn questions(&self) -> usize {
        self.positions.iter().map(|position| 1 + position.ends().count()).sum()
    }

    /// Returns the division of the budget among the estimates; even for a single quantile.
    pub fn method(&self) -> QuantileMethod {
        self.division.method()
    }

    /// Returns the cost of all estimates over that of one question: the number of quantiles, or the
    /// cost of their [tree](crate::RankTree); `None` for a histogram.
    pub fn cost(&self) -> Option<f64> {
        self.division.cost(self.positions.len())
    }

    /// Returns the cost of estimates that are asked for together; `None` if they are asked for
    /// separately.
    pub fn together(&self) -> Option<QuantilesTogether> {
        let ends = self.split().fold(0.0, |ends, one| ends + one.interval);
        self.division.together(self.positions.len(), 1.0 - ends)
    }

    /// Returns for each quantile its part of the budget: for the estimate, and for both ends of its
    /// interval together.
    ///
    /// For [recursion](QuantileMethod::Recursion) the part of an estimate is what its question may
    /// cost, and all of them together cost [`cost`](Self::cost) times as much. Quantiles that are
    /// read off one [histogram](QuantileMethod::Histogram), with their intervals, have even parts
    /// of its cost.
    pub fn split(&self) -> impl Iterator<Item = QuantileSplit> + '_ {
        self.division.split(&self.positions, self.interval_share)
    }

    /// Returns the reason why quantiles have no interval; `None` if each of them has one.
    ///
    /// An interval with one end at a bound counts as one; a quantile for which no end could be had
    /// has none.
    pub fn no_interval(&self) -> Option<&'static str> {
        let why = self.no_interval?;
        Some(if self.chosen().level_weights.is_some() { NO_INTERVAL_OF_MIXED } else { why })
    }

    /// Returns half the length of the longest interval, as a share of records; `None` if there is
    /// none.
    pub(crate) fn rank_half_width(&self) -> Option<f64> {
        if self.no_interval().is_some() {
            return None;
        }
        let chosen = self.chosen();
        match (&self.mechanism, &self.slack) {
            (QuantileMechanism::Joint(choice), _) => {
                let ranks: Vec<Rank> = choice.questions().ranks().collect();
                Some(half_of_longest(&self.positions, &ranks, chosen.rank_error.noise.sqrt()))
            }
            (QuantileMechanism::Refined(_), Some(slack)) => {
                let noise = chosen.weights.noise(self.profile());
                let fineness = Fineness::new(noise, self.request.cells().steps());
                Some(fineness.half_width(slack, noise))
            }
            (QuantileMechanism::PerLevel(_) | QuantileMechanism::Refined(_), _) => None,
        }
    }

    /// Returns the slack of intervals that are read off a histogram; `None` for other methods.
    pub(super) fn slack(&self) -> Option<&Slack> {
        self.slack.as_ref()
    }

    pub(super) fn positions(&self) -> &[AnswerPositions] {
        &self.positions
    }

    /// Returns the levels, and the part of their budgets that may be spent.
    pub(crate) fn part(&self) -> &Part {
        &self.part
    }

    /// Returns the name in JSON of the distribution of answers.
    pub(super) fn distribution(&self) -> &'static str {
        self.division.distribution()
    }

    /// Returns the measurement that the plan is for.
    pub(crate) fn measurement(&self) -> PlannedMechanism<'_, QuantileMechanism> {
        PlannedMechanism::new(&self.part, &self.mechanism)
    }

    /// Returns the position of the level in which a record of this budget is counted.
    pub fn position(&self, allowed: Epsilon) -> Option<usize> {
        self.part.position(allowed)
    }

    /// Returns the exact loss of a record that allows this much; with strata, in the stratum in
    /// which it loses the most.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        let losses = self.part.positions(allowed).map(|position| self.mechanism.loss(position));
        losses.reduce(Loss::max).unwrap_or(Loss::ZERO)
    }
}

/// Returns the public facts on which weights depend.
fn setting(request: &QuantileRequest, profile: &Profile) -> Result<Setting> {
    let options = request.options();
    let mut setting = Setting::new(profile.clone(), request.bounds(), options.target);
    setting.difference = request.difference();
    if let Some(strata) = &options.strata {
        let shares = strata.shares_of(profile)?;
        // A single stratum has no share to keep.
        setting.strata = if shares.len() > 1 { shares } else { Vec::new() };
    }
    Ok(setting)
}

/// Returns the strata with their shares, and the expected error of the rank without them.
fn stratified(
    request: &QuantileRequest,
    setting: &Setting,
    chosen: &QuantileCandidate,
) -> Result<Option<StrataSummary>> {
    let options = request.options();
    let Some(strata) = &options.strata else { return Ok(None) };
    let estimator = QuantileEstimator::Weighted.into();
    let options = Options { strata: None, share: Share::ALL, estimator, ..options.clone() };
    let (bounds, cells, ranks) = (request.bounds(), request.cells(), request.ranks().to_vec());
    let without = QuantileRequest::new(bounds, cells, ranks, options)?;
    let without = without.plan(setting.profile.without_strata()?)?;
    let rmse = without.chosen().rank_error.rmse();
    Ok(Some(StrataSummary::new(strata, setting, &chosen.weights, rmse)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bounds, CellCounts, Cells, ErrorKind, ExactSum, Grid, LevelSums, LevelTable, Measure,
        Numbers, QuantileEstimator, Randomness, Rank, Share,
    };

    fn plan(estimator: QuantileEstimator, share: Share, profile: &str) -> QuantilePlan {
        let estimator = estimator.into();
        let options = Options { estimator, share, ..Options::default() };
        let cells = Cells::new(4).unwrap();
        let request =
            QuantileRequest::new(Bounds::UNIT, cells, vec![Rank::MEDIAN], options).unwrap();
        request.plan(profile.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_mechanism_that_spends_too_much_is_not_released() {
        for estimator in QuantileEstimator::ALL {
            for share in [Share::ALL, Share::new(0.4).unwrap()] {
                let good = plan(estimator, share, "0:3,0.5:300,1:200");
                let looser = plan(estimator, share, "0:3,0.51:300,1.02:200");
                let bad = QuantilePlan { mechanism: looser.mechanism, ..good.clone() };
                let release = |plan: QuantilePlan| {
                    let by_level = plan.allowed().levels().iter().map(|level| LevelSums {
                        label: None,
                        epsilon: level.epsilon,
                        count: level.count,
                        sums: vec![ExactSum::default()],
                        cells: CellCounts::from_raw(vec![(0, level.count)]),
                    });
                    let grid = Grid::new(Bounds::UNIT);
                    let numbers =
                        Numbers { grid, squares: false, cells: Some(plan.request.cells()) };
                    let table =
                        LevelTable::new(None, Measure::Numbers(numbers), by_level.collect())
                            .unwrap();
                    plan.release(table, &mut Randomness::insecure(1))
                };
                assert!(release(good).is_ok(), "{estimator}");
                assert_eq!(release(bad).unwrap_err().kind(), ErrorKind::Internal, "{estimator}");
            }
        }
    }

    #[test]
    fn every_level_of_mixed_has_its_own_loss_and_those_left_out_have_none() {
        let plan = plan(QuantileEstimator::Mixed, Share::ALL, "0:3,0.5:300,1:200,2:5,inf:1");
        let QuantileMechanism::PerLevel(levels) = plan.mechanism() else {
            panic!("mixed has levels")
        };
        // The search relies on their order.
        assert!(levels.is_sorted_by_key(|(position, _)| *position));
        assert_eq!(levels.iter().map(|(position, _)| *position).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(plan.mechanism().loss(0), Loss::ZERO);
        for (position, choice) in levels {
            assert_eq!(plan.mechanism().loss(*position), choice.loss(0));
            assert_ne!(choice.loss(0), Loss::ZERO);
        }
        assert_eq!(plan.mechanism().loss(5), Loss::ZERO);
    }
}
