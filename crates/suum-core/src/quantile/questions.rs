//! The questions of a plan of quantiles, and what draws their answers.

use dashu_int::UBig;

use super::candidate::QuantileCandidate;
use super::division::Division;
use super::place::Place;
use super::reach::{self, RankSampling};
use super::{QuantileRequest, Rank};
use crate::{Profile, QuantileMechanism, RankChoice, RankQuery, RankQuestions};

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
    let tree = division.tree();
    let before = tree.map_or(0, |tree| tree.nodes().len());
    let (mut alone, mut together) = (Vec::new(), 0);
    let mut ask = |rank, parts| {
        alone.push(RankQuery { rank, parts });
        before + alone.len() - 1
    };
    let places = request.ranks().iter().enumerate().map(|(asked, rank)| {
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
        let parts = PARTS - ends * end_parts;
        let estimate = match tree {
            Some(_) => {
                together += parts;
                asked
            }
            None => ask(*rank, parts),
        };
        Place {
            rank: *rank,
            estimate,
            lower: lower.map(|rank| ask(rank, end_parts)),
            upper: upper.map(|rank| ask(rank, end_parts)),
        }
    });
    let places = places.collect();
    (RankQuestions { together: tree.map(|tree| (tree.clone(), together)), alone }, places)
}

pub(super) fn mechanism(
    request: &QuantileRequest,
    profile: &Profile,
    chosen: &QuantileCandidate,
    questions: RankQuestions,
) -> QuantileMechanism {
    let cells = (request.cells().steps(), request.cells().rows());
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
