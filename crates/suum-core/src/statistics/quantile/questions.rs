//! Questions of a plan of quantiles, and the mechanism that answers them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use dashu_int::UBig;

use super::QuantileRequest;
use super::answer_positions::{AnswerPositions, PARTS, end_parts};
use super::candidate::QuantileCandidate;
use super::division::Division;
use super::histogram::Fineness;
use super::rank_sampling::{RankSampling, Sides};
use super::slack::{self, Slack};
use crate::{
    EndsQuery, QuantileMechanism, Rank, RankChoice, RankQuery, RankQuestions, RefinedCounts,
    Setting,
};

/// Ranks at which the ends of intervals are asked for, computed on demand.
pub(super) struct Ends {
    end_parts: u64,
    /// Scale of choices: the exponent is half the distance over it.
    scale: f64,
    others: u32,
    miss: f64,
    /// Effect of sampling; `None` if no ends are asked for.
    sides: Option<Sides>,
    known: RefCell<BTreeMap<Rank, [Option<Rank>; 2]>>,
}

impl Ends {
    /// Returns the ranks of ends, if both ends of each interval have this share of the budget of
    /// their quantile.
    pub(super) fn new(
        request: &QuantileRequest,
        setting: &Setting,
        chosen: &QuantileCandidate,
        interval_share: f64,
    ) -> Self {
        let end_parts = end_parts(interval_share);
        let part = end_parts as f64 / (PARTS * request.ranks().len() as u64) as f64;
        let scale = 2.0 * chosen.weights.noise(&setting.profile) / part;
        let (others, miss) = (EndsQuery::others(request.cells().steps()), request.miss());
        // The levels of `mixed` have separate quantiles.
        let has_ends = end_parts > 0 && chosen.level_weights.is_none();
        let sides = has_ends.then(|| RankSampling::new(&chosen.weights, setting).sides(miss));
        Self { end_parts, scale, others, miss, sides, known: RefCell::default() }
    }

    /// Returns the ranks of both ends of the interval of a quantile, if they can be had.
    pub(super) fn end_ranks(&self, rank: Rank) -> [Option<Rank>; 2] {
        let Some(sides) = &self.sides else { return [None, None] };
        *self.known.borrow_mut().entry(rank).or_insert_with(|| {
            let noise = (self.scale, self.others);
            let (lower, upper) = slack::ends(noise, rank.get(), &sides.shortfalls(rank), self.miss);
            [lower.and_then(Rank::nearest), upper.and_then(Rank::nearest)]
        })
    }

    /// Returns the questions to ask, and the positions of their answers.
    pub(super) fn questions(
        &self,
        ranks: &[Rank],
        division: &Division,
    ) -> (RankQuestions, Vec<AnswerPositions>) {
        if let Division::Histogram { .. } = division {
            return (RankQuestions::alone(Vec::new()), AnswerPositions::without_ends(ranks));
        }
        let (mut questions, positions) =
            ask(ranks, division, self.end_parts, |rank| self.end_ranks(rank));
        // Without noise there is no reason to limit the widths, so ends are asked for as ranks.
        if self.scale == 0.0 {
            for EndsQuery { lower, upper, parts, .. } in std::mem::take(&mut questions.ends) {
                let ends = || lower.into_iter().chain(upper);
                let parts = parts / ends().count().max(1) as u64;
                questions.alone.extend(ends().map(|rank| RankQuery { rank, parts }));
            }
        }
        (questions, positions)
    }
}

/// Returns questions for estimates at these ranks, and for the ends of their intervals at the ranks
/// given by `ends`, with the positions of their answers. Both ends of an interval may cost
/// `end_parts`.
pub(crate) fn ask(
    ranks: &[Rank],
    division: &Division,
    end_parts: u64,
    ends: impl Fn(Rank) -> [Option<Rank>; 2],
) -> (RankQuestions, Vec<AnswerPositions>) {
    let mut questions = RankQuestions {
        together: division.tree().map(|tree| (tree.clone(), 0)),
        alone: Vec::new(),
        ends: Vec::new(),
    };
    let mut positions = AnswerPositions::without_ends(ranks);
    let mut answers = ranks.len();
    let mut next = |end: Option<Rank>| {
        answers += usize::from(end.is_some());
        end.map(|_| answers - 1)
    };
    for position in &mut positions {
        let [lower, upper] = ends(position.rank);
        (position.lower, position.upper) = (next(lower), next(upper));
        // The parts of ends that cannot be had go to the estimate.
        let parts = if position.has_end() { PARTS - end_parts } else { PARTS };
        match &mut questions.together {
            Some((_, together)) => *together += parts,
            None => questions.alone.push(RankQuery { rank: position.rank, parts }),
        }
        if position.has_end() {
            let around = position.estimate;
            questions.ends.push(EndsQuery { around, lower, upper, parts: end_parts });
        }
    }
    (questions, positions)
}

/// Reading of ends off a histogram.
pub(super) struct Reading {
    noise: f64,
    fineness: Fineness,
    miss: f64,
    sides: Sides,
}

impl Reading {
    pub(super) fn new(
        request: &QuantileRequest,
        setting: &Setting,
        chosen: &QuantileCandidate,
    ) -> Self {
        let noise = chosen.weights.noise(&setting.profile);
        let fineness = Fineness::new(noise, request.cells().steps());
        let miss = request.miss() / 2.0;
        let sides = RankSampling::new(&chosen.weights, setting).sides(miss);
        Self { noise, fineness, miss, sides }
    }

    /// Returns the slack of the ends of quantiles at these ranks.
    pub(super) fn slack(&self, ranks: &[Rank]) -> Slack {
        let sd = |rank: &Rank| self.fineness.noise_sd(self.noise, rank.get());
        Slack::new(ranks.iter().map(|rank| (self.sides.shortfalls(*rank), sd(rank))), self.miss)
    }

    /// Returns half the approximate length of the longest of their intervals, as a share of
    /// records.
    pub(super) fn half_width(&self, ranks: &[Rank]) -> f64 {
        self.fineness.half_width(&self.slack(ranks), self.noise)
    }
}

pub(super) fn mechanism(
    request: &QuantileRequest,
    setting: &Setting,
    chosen: &QuantileCandidate,
    division: &Division,
    questions: RankQuestions,
) -> QuantileMechanism {
    let cells = (request.cells().steps(), request.cells().rows());
    let profile = &setting.profile;
    if let Division::Histogram { steps } = division {
        let fineness = Fineness::new(chosen.weights.noise(profile), *steps);
        let weights = chosen.weights.integers();
        let refinement = fineness.refinement();
        return QuantileMechanism::Refined(RefinedCounts::calibrated(
            profile, weights, cells, refinement,
        ));
    }
    let parts = PARTS * request.ranks().len() as u64;
    if chosen.level_weights.is_none() {
        let weights = chosen.weights.integers();
        let levels = profile.levels();
        return QuantileMechanism::Joint(RankChoice::calibrated(
            levels, weights, cells, questions, parts,
        ));
    }
    let used = profile.levels().iter().enumerate().filter(|(_, level)| !level.epsilon.is_unused());
    let alone = |(position, level)| {
        // The weight has enough digits that rounding the scale does not matter.
        let weights = vec![UBig::ONE << 40];
        let own = std::slice::from_ref(level);
        (position, RankChoice::calibrated(own, weights, cells, questions.clone(), parts))
    };
    QuantileMechanism::PerLevel(used.map(alone).collect())
}
