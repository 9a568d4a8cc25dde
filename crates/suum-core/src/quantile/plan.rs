//! The plan of quantiles: weights, questions and losses, fixed before a value is touched.

use dashu_int::UBig;

use super::place::{Place, no_interval};
use super::reach::{self, RankSampling};
use super::reference::{Moments, REACH, Reference};
use super::{QuantileChoice, QuantileEstimator, QuantileRequest, Rank};
use crate::least::{first_least, least_at};
use crate::part::Part;
use crate::session::Planned;
use crate::{
    Bounds, Epsilon, Error, Estimator, Loss, Method, Profile, QuantileMechanism, QuantileSplit,
    RankChoice, RankQuery, Result, Setting, Target, Weights,
};

/// Parts into which the budget of one quantile is divided between the estimate and the ends of its
/// interval.
const PARTS: u64 = 1 << 16;

/// The part of the budget that buys intervals, unless told otherwise, and by what factor it may
/// enlarge the expected error: where people are few or strict it buys little and costs much.
const USUAL_SHARE: f64 = 0.2;
const AFFORDABLE: f64 = 1.1;

/// Why there is no interval.
const NO_INTERVAL_OF_MIXED: &str = "the estimator mixed combines the quantiles of several levels, \
    for which no interval is known that covers whatever the data";

/// The error of a rank, as a share of all people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankError {
    /// The variance of the noise, where the data are smooth and people are many.
    pub noise: f64,
    /// The variance of sampling (or the squared error of weighting) at the rank asked for that is
    /// nearest to 1/2.
    pub sampling: f64,
}

impl RankError {
    /// The root of the mean squared error of the rank, at most 1.
    pub fn rmse(self) -> f64 {
        (self.noise + self.sampling).sqrt().min(1.0)
    }
}

/// An estimator with the weights it proposes and the error they lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct QuantileCandidate {
    /// The estimator.
    pub estimator: QuantileEstimator,
    /// One record's weight in the ranks, per level; all records together weigh 1.
    pub weights: Weights,
    /// β_j, the weight of each level's own quantile; for `mixed` alone.
    pub betas: Option<Vec<f64>>,
    /// τ, where budgets are clipped.
    pub tau: Option<f64>,
    /// The error of the rank.
    pub rank_error: RankError,
    /// The mean squared error on the reference data, in squared units of the data, averaged over
    /// the quantiles: that of normal data of which 16 standard deviations fill the bounds.
    pub risk: f64,
}

/// A plan is data: noise, certificate and report all read this one value, made from public facts
/// only.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Cells, QuantileOptions, QuantileRequest};
///
/// let bounds = Bounds::new(0.0, 77.0)?;
/// let cells = Cells::with_step(bounds, 1.0)?;
/// let request =
///     QuantileRequest::new(bounds, cells, vec!["0.9".parse()?], QuantileOptions::default())?;
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
    candidates: Vec<QuantileCandidate>,
    chosen: usize,
    mechanism: QuantileMechanism,
    places: Vec<Place>,
    interval_share: f64,
}

impl QuantileRequest {
    /// The plan for a public profile.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which nobody may be used.
    pub fn plan(&self, profile: Profile) -> Result<QuantilePlan> {
        QuantilePlan::new(self, profile)
    }
}

impl QuantilePlan {
    pub(super) fn new(request: &QuantileRequest, allowed: Profile) -> Result<Self> {
        let part = Part::new(allowed, request.options().share)?;
        let profile = part.profile();
        profile.check_usable()?;
        let compare = |share: f64| -> Result<(Vec<QuantileCandidate>, usize)> {
            let comparison = Comparison::new(request, profile, share);
            let candidates =
                QuantileEstimator::ALL.into_iter().map(|estimator| comparison.candidate(estimator));
            let candidates: Vec<QuantileCandidate> = candidates.collect::<Result<_>>()?;
            let chosen = match request.options().estimator {
                QuantileChoice::Named(name) => {
                    candidates.iter().position(|c| c.estimator == name).unwrap_or(0)
                }
                QuantileChoice::Auto => {
                    first_least(candidates.iter().map(|candidate| candidate.risk))
                }
            };
            Ok((candidates, chosen))
        };
        let asked = request.options().interval_share;
        let share = asked.unwrap_or(USUAL_SHARE);
        let with = compare(share)?;
        let buys = questions(request, profile, &with.0[with.1], share);
        let affordable = || -> Result<bool> {
            let without = compare(0.0)?;
            let risk = |compared: &(Vec<QuantileCandidate>, usize)| compared.0[compared.1].risk;
            Ok(risk(&with) <= AFFORDABLE * AFFORDABLE * risk(&without))
        };
        // Where no end can be had, all of the budget is for the estimates.
        let some = buys.1.iter().any(Place::has_end);
        let (interval_share, (candidates, chosen), (queries, places)) =
            if some && (asked.is_some() || affordable()?) {
                (share, with, buys)
            } else {
                let without = compare(0.0)?;
                let questions = questions(request, profile, &without.0[without.1], 0.0);
                (0.0, without, questions)
            };
        let mechanism = mechanism(request, profile, &candidates[chosen], queries);
        Ok(Self {
            request: request.clone(),
            part,
            candidates,
            chosen,
            mechanism,
            places,
            interval_share,
        })
    }

    /// What was asked for.
    pub fn request(&self) -> &QuantileRequest {
        &self.request
    }

    /// The privacy levels, with the share of their budgets that may be spent.
    pub fn profile(&self) -> &Profile {
        self.part.profile()
    }

    /// The privacy levels, with all that they allow.
    pub fn allowed(&self) -> &Profile {
        self.part.allowed()
    }

    /// Every estimator, in the order of [`QuantileEstimator::ALL`].
    pub fn candidates(&self) -> &[QuantileCandidate] {
        &self.candidates
    }

    /// The estimator that a release of this plan uses.
    pub fn chosen(&self) -> &QuantileCandidate {
        &self.candidates[self.chosen]
    }

    /// The integer mechanism of the chosen estimator.
    pub fn mechanism(&self) -> &QuantileMechanism {
        &self.mechanism
    }

    /// What one record of each level loses, exactly, in the order of the profile.
    pub fn losses(&self) -> impl Iterator<Item = Loss> + '_ {
        self.part.losses(|position| self.mechanism.loss(position))
    }

    /// How many questions are asked: one for each quantile, and one for each end of an interval
    /// that can be had.
    pub fn questions(&self) -> usize {
        self.places
            .iter()
            .map(|place| 1 + place.lower.iter().count() + place.upper.iter().count())
            .sum()
    }

    /// For each quantile its part of the budget: for the estimate, and for the ends of its interval
    /// together.
    pub fn split(&self) -> impl Iterator<Item = QuantileSplit> + '_ {
        let parts = PARTS * self.places.len() as u64;
        let ends = |place: &Place| {
            let end = (self.interval_share * PARTS as f64 / 2.0) as u64;
            end * (place.lower.iter().count() + place.upper.iter().count()) as u64
        };
        self.places.iter().map(move |place| {
            let ends = ends(place);
            let part = |of: u64| of as f64 / parts as f64;
            QuantileSplit { q: place.rank, estimate: part(PARTS - ends), interval: part(ends) }
        })
    }

    /// Why quantiles have no interval; `None` if each of them has one.
    ///
    /// An interval with one end at a bound is one; a quantile of which no end could be had has
    /// none.
    pub fn no_interval(&self) -> Option<&'static str> {
        let why = no_interval(&self.places, self.request.options().interval_share)?;
        Some(if self.chosen().betas.is_some() { NO_INTERVAL_OF_MIXED } else { why })
    }

    /// Half the length of the longest interval, as a share of records; `None` if there is none.
    pub(crate) fn rank_half_width(&self) -> Option<f64> {
        if self.no_interval().is_some() {
            return None;
        }
        let queries = match &self.mechanism {
            QuantileMechanism::Joint(choice) => choice.queries(),
            QuantileMechanism::PerLevel(_) => return None,
        };
        let rank = |at: usize| queries.get(at).map(|query| query.rank.get());
        let length = |place: &Place| {
            let lower = place.lower.and_then(rank).unwrap_or(0.0);
            place.upper.and_then(rank).unwrap_or(1.0) - lower
        };
        Some(self.places.iter().map(length).fold(0.0, f64::max) / 2.0)
    }

    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    /// The levels, and what may be spent of them.
    pub(crate) fn part(&self) -> &Part {
        &self.part
    }

    /// The one look at the records that the plan is for.
    pub(crate) fn measurement(&self) -> Planned<'_, QuantileMechanism> {
        Planned::new(&self.part, &self.mechanism)
    }

    /// The position of the level in which a record of this budget is counted.
    pub fn position(&self, allowed: Epsilon) -> Option<usize> {
        self.part.position(allowed)
    }

    /// What one record that allows this much loses, exactly.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        self.position(allowed).map_or(Loss::ZERO, |position| self.mechanism.loss(position))
    }
}

/// What estimators are compared on.
struct Comparison<'a> {
    profile: &'a Profile,
    target: Target,
    bounds: Bounds,
    /// The share of the budget that an estimate has.
    part: f64,
    references: Vec<(f64, Reference)>,
}

impl<'a> Comparison<'a> {
    fn new(request: &QuantileRequest, profile: &'a Profile, interval_share: f64) -> Self {
        let options = request.options();
        let part = (1.0 - interval_share) / request.ranks().len() as f64;
        let references =
            request.ranks().iter().map(|rank| (rank.get(), Reference::at(rank.get()))).collect();
        Self { profile, target: options.target, bounds: request.bounds(), part, references }
    }

    fn candidate(&self, estimator: QuantileEstimator) -> Result<QuantileCandidate> {
        match estimator {
            QuantileEstimator::Weighted => Ok(self.clipped(estimator, self.best_tau())),
            QuantileEstimator::Pe => Ok(self.clipped(estimator, f64::INFINITY)),
            QuantileEstimator::Mixed => self.mixed(),
        }
    }

    fn clipped(&self, estimator: QuantileEstimator, tau: f64) -> QuantileCandidate {
        let weights = Weights::clipped(self.profile, tau);
        let spread = self.spread(&weights);
        let budget = self.part / weights.noise(self.profile);
        let risk = self.average(|reference| reference.choice(budget).square, spread);
        let noise = if budget.is_infinite() { 0.0 } else { 8.0 / (budget * budget) };
        let tau = tau.is_finite().then_some(tau);
        let rank_error = RankError { noise, sampling: self.most_sampling(spread) };
        QuantileCandidate { estimator, weights, betas: None, tau, rank_error, risk }
    }

    fn mixed(&self) -> Result<QuantileCandidate> {
        // The weights of the mixed mean at the worst-case variance, as published.
        let setting = Setting::new(self.profile.clone(), Bounds::UNIT, self.target);
        let design = Estimator::Mixed.design(&setting)?;
        let Method::LevelSums { betas } = design.method else {
            return Err(Error::internal("internal error: mixed has no weights for its levels"));
        };
        let spread = self.spread(&design.weights);
        let levels = || betas.iter().zip(self.profile.levels()).filter(|(beta, _)| **beta > 0.0);
        let budget = |level: &crate::Level| self.part * level.count as f64 * level.epsilon.get();
        let risk = self.average(
            |reference| {
                // Independent errors: their variances add up, and so do their means.
                let (mut mean, mut variance) = (0.0, 0.0);
                for (beta, level) in levels() {
                    let Moments { mean: bias, square } = reference.choice(budget(level));
                    mean += beta * bias;
                    variance += beta * beta * (square - bias * bias).max(0.0);
                }
                mean * mean + variance
            },
            spread,
        );
        let noise = levels()
            .filter(|(_, level)| !level.epsilon.is_public())
            .map(|(beta, level)| 8.0 * (beta / budget(level)) * (beta / budget(level)))
            .sum();
        let rank_error = RankError { noise, sampling: self.most_sampling(spread) };
        let estimator = QuantileEstimator::Mixed;
        Ok(QuantileCandidate {
            estimator,
            weights: design.weights,
            betas: Some(betas),
            tau: None,
            rank_error,
            risk,
        })
    }

    /// The sampling variance of a rank with q(1 − q) = 1, or for correlated records that of any
    /// rank.
    fn spread(&self, weights: &Weights) -> f64 {
        spread(weights, self.profile, self.target)
    }

    fn most_sampling(&self, spread: f64) -> f64 {
        let nearest = self.references.iter().map(|(q, _)| sampling(*q, spread, self.target));
        nearest.fold(0.0, f64::max)
    }

    /// The mean over the quantiles of noise and sampling, in squared units of the data.
    fn average(&self, noise: impl Fn(&Reference) -> f64, spread: f64) -> f64 {
        let each = self.references.iter().map(|(q, reference)| {
            let sampling = reference.squared(sampling(*q, spread, self.target)).min(REACH * REACH);
            noise(reference) + sampling
        });
        let unit = self.bounds.width() / (2.0 * REACH);
        each.sum::<f64>() / self.references.len() as f64 * unit * unit
    }

    /// τ of least risk, by a search that starts from the budgets there are.
    fn best_tau(&self) -> f64 {
        let finite =
            || self.profile.usable().iter().map(|level| level.epsilon).filter(|e| !e.is_public());
        let (Some(least), Some(most)) = (finite().next(), finite().next_back()) else {
            return f64::INFINITY;
        };
        let (least, most) = (least.get(), most.get());
        // With so much weight for each public record the noise is far below their sampling error.
        let all: f64 = self
            .profile
            .usable()
            .iter()
            .filter(|level| !level.epsilon.is_public())
            .map(|level| level.count as f64 * level.epsilon.get())
            .sum();
        let top = match self.profile.levels().last() {
            Some(level) if level.epsilon.is_public() => most
                .max(1e3 / (self.part * level.count as f64))
                .max(1e3 * all / level.count as f64)
                .max(1e3),
            _ => most,
        };
        let risk = |tau: f64| self.clipped(QuantileEstimator::Weighted, tau).risk;
        let (low, high) = (least.ln(), top.min(Epsilon::MAX).ln());
        if high - low < 1e-12 {
            return top;
        }
        let step = (high - low) / f64::from(GRID);
        let at = |index: i32| (low + step * f64::from(index)).exp();
        let best = first_least((0..=GRID).map(|index| risk(at(index)))) as i32;
        let refined = least_at(
            low + step * f64::from(best - 1),
            (low + step * f64::from(best + 1)).min(high),
            SECTIONS,
            |log| risk(log.exp()),
        )
        .exp();
        if risk(refined) < risk(at(best)) { refined } else { at(best) }
    }
}

/// Points of the first search for τ, on a logarithmic scale, and golden sections of the second.
const GRID: i32 = 100;
const SECTIONS: usize = 30;

fn spread(weights: &Weights, profile: &Profile, target: Target) -> f64 {
    let n = profile.records() as f64;
    match target {
        Target::Population => weights.squared_norm(profile),
        Target::Dataset if n > 1.0 => n / (n - 1.0) * weights.squared_distance(profile),
        Target::Dataset => 0.0,
        Target::DatasetCorrelated => (weights.distance(profile) / 2.0).powi(2),
    }
}

fn sampling(q: f64, spread: f64, target: Target) -> f64 {
    match target {
        Target::Population | Target::Dataset => q * (1.0 - q) * spread,
        Target::DatasetCorrelated => spread,
    }
}

/// The questions to ask, and where their answers stand.
fn questions(
    request: &QuantileRequest,
    profile: &Profile,
    chosen: &QuantileCandidate,
    interval_share: f64,
) -> (Vec<RankQuery>, Vec<Place>) {
    let options = request.options();
    let end_parts = (interval_share * PARTS as f64 / 2.0) as u64;
    let end = end_parts as f64 / (PARTS * request.ranks().len() as u64) as f64;
    let sampling = RankSampling::new(&chosen.weights, profile, options.target);
    // The exponent is half the distance over the noise scale of all weight.
    let scale = 2.0 * chosen.weights.noise(profile) / end;
    // Each side misses with at most half of the probability, by the draw or by sampling.
    let one = sampling.is_certain() || scale == 0.0;
    let miss = (1.0 - options.confidence) / if one { 2.0 } else { 4.0 };
    let draw = reach::draw(scale, request.cells().steps(), miss) + reach::ROUNDING;
    let mut queries = Vec::new();
    let mut ask = |rank, parts| {
        queries.push(RankQuery { rank, parts });
        queries.len() - 1
    };
    let places = request.ranks().iter().map(|rank| {
        let q = rank.get();
        // The levels of `mixed` have quantiles of their own.
        let (lower, upper) = match end_parts > 0 && chosen.betas.is_none() {
            true => (
                Rank::nearest(q - draw - sampling.below(q, miss)),
                Rank::nearest(q + draw + sampling.above(q, miss)),
            ),
            false => (None, None),
        };
        // What an end that cannot be had does not cost is left to the estimate.
        let ends = [lower, upper].iter().flatten().count() as u64;
        let estimate = ask(*rank, PARTS - ends * end_parts);
        Place {
            rank: *rank,
            estimate,
            lower: lower.map(|rank| ask(rank, end_parts)),
            upper: upper.map(|rank| ask(rank, end_parts)),
        }
    });
    let places = places.collect();
    (queries, places)
}

fn mechanism(
    request: &QuantileRequest,
    profile: &Profile,
    chosen: &QuantileCandidate,
    queries: Vec<RankQuery>,
) -> QuantileMechanism {
    let cells = (request.cells().steps(), request.cells().rows());
    let parts = PARTS * request.ranks().len() as u64;
    let choice = |weights, queries| RankChoice::calibrated(profile, weights, cells, queries, parts);
    if chosen.betas.is_none() {
        return QuantileMechanism::Joint(choice(chosen.weights.integers(), queries));
    }
    let used = profile.levels().iter().enumerate().filter(|(_, level)| !level.epsilon.is_unused());
    let alone = |(position, _)| {
        let mut weights = vec![UBig::ZERO; profile.levels().len()];
        // Its own level alone, with enough digits that the scale is not rounded noticeably.
        weights[position] = UBig::ONE << 40;
        (position, choice(weights, queries.clone()))
    };
    QuantileMechanism::PerLevel(used.map(alone).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        CellCounts, Cells, Cohort, ErrorKind, ExactSum, Grid, LevelTable, Measure, Numbers,
        QuantileOptions, Randomness, Share,
    };

    fn plan(estimator: QuantileEstimator, share: Share, profile: &str) -> QuantilePlan {
        let estimator = QuantileChoice::Named(estimator);
        let options = QuantileOptions { estimator, share, ..QuantileOptions::default() };
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
                    let cohorts = plan.allowed().levels().iter().map(|level| Cohort {
                        label: None,
                        epsilon: level.epsilon,
                        count: level.count,
                        sums: vec![ExactSum::default()],
                        cells: CellCounts::from_raw(vec![(0, level.count)]),
                    });
                    let grid = Grid::new(Bounds::UNIT);
                    let numbers =
                        Numbers { grid, squares: false, cells: Some(plan.request.cells()) };
                    let table = LevelTable::new(None, Measure::Numbers(numbers), cohorts.collect())
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
            assert_eq!(plan.mechanism().loss(*position), choice.loss(*position));
            assert_ne!(choice.loss(*position), Loss::ZERO);
        }
        assert_eq!(plan.mechanism().loss(5), Loss::ZERO);
    }
}
