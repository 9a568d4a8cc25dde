//! The questions of a plan of quantiles, and what draws their answers.

use dashu_int::UBig;

use super::candidate::QuantileCandidate;
use super::division::Division;
use super::histogram::{Fineness, Slack};
use super::place::Place;
use super::reach::{self, RankSampling};
use super::{QuantileRequest, Rank};
use crate::{
    EndsQuery, Profile, QuantileMechanism, RankChoice, RankQuery, RankQuestions, RefinedCounts,
};

/// Parts into which the budget of one quantile is divided between the estimate and the ends of its
/// interval.
pub(super) const PARTS: u64 = 1 << 16;

/// The questions to ask, and where their answers stand.
pub(super) fn questions(
    request: &QuantileRequest,
    profile: &Profile,
    chosen: &QuantileCandidate,
    interval_share: f64,
    division: &Division,
) -> (RankQuestions, Vec<Place>) {
    if let Division::Histogram { .. } = division {
        let estimates = request.ranks().iter().enumerate();
        let place = |(estimate, rank): (usize, &Rank)| Place {
            rank: *rank,
            estimate,
            lower: None,
            upper: None,
        };
        return (RankQuestions::alone(Vec::new()), estimates.map(place).collect());
    }
    let options = request.options();
    let end_parts = end_parts(interval_share);
    let part = end_parts as f64 / (PARTS * request.ranks().len() as u64) as f64;
    let sampling = RankSampling::new(&chosen.weights, profile, options.target);
    // The exponent is half the distance over the noise scale of all weight.
    let scale = 2.0 * chosen.weights.noise(profile) / part;
    let (of_draw, of_side) = misses(request.miss(), &sampling, scale == 0.0);
    let draw =
        reach::draw(scale, EndsQuery::others(request.cells().steps()), of_draw) + reach::ROUNDING;
    let tree = division.tree();
    let estimates = request.ranks().len();
    let mut questions = RankQuestions {
        together: tree.map(|tree| (tree.clone(), 0)),
        alone: Vec::new(),
        ends: Vec::new(),
    };
    let (mut answers, mut ends_alone) = (estimates, Vec::new());
    let mut next = || {
        answers += 1;
        answers - 1
    };
    let mut places = Vec::with_capacity(estimates);
    for (estimate, rank) in request.ranks().iter().enumerate() {
        let q = rank.get();
        // The levels of `mixed` have quantiles of their own.
        let (lower, upper) = match end_parts > 0 && chosen.betas.is_none() {
            true => (
                Rank::nearest(q - draw - sampling.below(q, of_side)),
                Rank::nearest(q + draw + sampling.above(q, of_side)),
            ),
            false => (None, None),
        };
        // What ends that cannot be had do not cost is left to the estimate.
        let some = lower.is_some() || upper.is_some();
        let parts = if some { PARTS - end_parts } else { PARTS };
        match &mut questions.together {
            Some((_, together)) => *together += parts,
            None => questions.alone.push(RankQuery { rank: *rank, parts }),
        }
        match (some, scale == 0.0) {
            // Without noise nothing is gained by few widths.
            (true, true) => {
                let ends = || lower.into_iter().chain(upper);
                let parts = end_parts / ends().count().max(1) as u64;
                ends().for_each(|rank| ends_alone.push(RankQuery { rank, parts }));
            }
            (true, false) => {
                questions.ends.push(EndsQuery { around: estimate, lower, upper, parts: end_parts });
            }
            (false, _) => {}
        }
        let mut place = |end: Option<Rank>| end.map(|_| next());
        let (lower, upper) = (place(lower), place(upper));
        places.push(Place { rank: *rank, estimate, lower, upper });
    }
    questions.alone.append(&mut ends_alone);
    (questions, places)
}

/// What both ends of an interval cost, of the parts that a quantile has: an even number.
pub(super) fn end_parts(interval_share: f64) -> u64 {
    2 * (interval_share * PARTS as f64 / 2.0) as u64
}

/// What is left to chance on either side of an interval that is read off a histogram.
pub(super) fn slack(
    request: &QuantileRequest,
    profile: &Profile,
    chosen: &QuantileCandidate,
) -> Slack {
    let sampling = RankSampling::new(&chosen.weights, profile, request.options().target);
    let is_exact = chosen.weights.noise(profile) == 0.0;
    let (of_noise, of_side) = misses(request.miss(), &sampling, is_exact);
    let ranks = request.ranks().iter().map(|rank| {
        let q = rank.get();
        (sampling.below(q, of_side), sampling.above(q, of_side))
    });
    Slack { sampling: ranks.collect(), miss: of_noise / 2.0 }
}

/// With what probabilities noise on both sides together, and sampling on either side, may make an
/// interval miss that may miss with this one: noise has half of it, sampling a quarter on each
/// side, and what cannot happen leaves its part to the other.
fn misses(miss: f64, sampling: &RankSampling, is_exact: bool) -> (f64, f64) {
    match (sampling.is_certain(), is_exact) {
        (true, _) => (miss, miss / 2.0),
        (false, true) => (0.0, miss / 2.0),
        (false, false) => (miss / 2.0, miss / 4.0),
    }
}

pub(super) fn mechanism(
    request: &QuantileRequest,
    profile: &Profile,
    chosen: &QuantileCandidate,
    division: &Division,
    questions: RankQuestions,
) -> QuantileMechanism {
    let cells = (request.cells().steps(), request.cells().rows());
    if let Division::Histogram { steps } = division {
        let fineness = Fineness::new(chosen.weights.noise(profile), *steps);
        let weights = chosen.weights.integers();
        let refinement = fineness.refinement();
        return QuantileMechanism::Refined(RefinedCounts::calibrated(
            profile, weights, cells, refinement,
        ));
    }
    let parts = PARTS * request.ranks().len() as u64;
    let choice =
        |weights, questions| RankChoice::calibrated(profile, weights, cells, questions, parts);
    if chosen.betas.is_none() {
        return QuantileMechanism::Joint(choice(chosen.weights.integers(), questions));
    }
    let used = profile.levels().iter().enumerate().filter(|(_, level)| !level.epsilon.is_unused());
    let alone = |(position, _)| {
        let mut weights = vec![UBig::ZERO; profile.levels().len()];
        // Its own level alone, with enough digits that the scale is not rounded noticeably.
        weights[position] = UBig::ONE << 40;
        (position, choice(weights, questions.clone()))
    };
    QuantileMechanism::PerLevel(used.map(alone).collect())
}
