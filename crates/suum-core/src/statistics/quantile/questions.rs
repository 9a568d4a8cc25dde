//! The questions of a plan of quantiles, and what draws their answers.

use dashu_int::UBig;

use super::candidate::QuantileCandidate;
use super::division::Division;
use super::histogram::Fineness;
use super::place::{PARTS, Place, end_parts};
use super::reach::RankSampling;
use super::slack::{self, Slack};
use super::{QuantileRequest, Rank};
use crate::{
    EndsQuery, QuantileMechanism, RankChoice, RankQuery, RankQuestions, RefinedCounts, Setting,
};

/// The questions to ask, and where their answers stand.
pub(super) fn questions(
    request: &QuantileRequest,
    setting: &Setting,
    chosen: &QuantileCandidate,
    interval_share: f64,
    division: &Division,
) -> (RankQuestions, Vec<Place>) {
    if let Division::Histogram { .. } = division {
        return (RankQuestions::alone(Vec::new()), Place::without_ends(request.ranks()));
    }
    let end_parts = end_parts(interval_share);
    let part = end_parts as f64 / (PARTS * request.ranks().len() as u64) as f64;
    // The exponent is half the distance over the noise scale of all weight.
    let scale = 2.0 * chosen.weights.noise(&setting.profile) / part;
    let (others, miss) = (EndsQuery::others(request.cells().steps()), request.miss());
    // The levels of `mixed` have quantiles of their own.
    let has_ends = end_parts > 0 && chosen.betas.is_none();
    let sides = has_ends.then(|| {
        let sampling = RankSampling::new(&chosen.weights, setting);
        sampling.sides(request.ranks(), miss)
    });
    let ends = |rank: Rank| {
        let Some(sides) = &sides else { return (None, None) };
        let (lower, upper) = slack::ends((scale, others), rank.get(), &sides.of(rank), miss);
        (lower.and_then(Rank::nearest), upper.and_then(Rank::nearest))
    };
    let (mut questions, places) = ask(request.ranks(), division, end_parts, ends);
    // Without noise nothing is gained by few widths.
    if scale == 0.0 {
        for EndsQuery { lower, upper, parts, .. } in std::mem::take(&mut questions.ends) {
            let ends = || lower.into_iter().chain(upper);
            let parts = parts / ends().count().max(1) as u64;
            questions.alone.extend(ends().map(|rank| RankQuery { rank, parts }));
        }
    }
    (questions, places)
}

/// Questions for estimates at these ranks, and for the ends of their intervals at the ranks that
/// `ends` says; both ends of an interval may cost so many parts. Answers stand in this order.
pub(crate) fn ask(
    ranks: &[Rank],
    division: &Division,
    end_parts: u64,
    ends: impl Fn(Rank) -> (Option<Rank>, Option<Rank>),
) -> (RankQuestions, Vec<Place>) {
    let mut questions = RankQuestions {
        together: division.tree().map(|tree| (tree.clone(), 0)),
        alone: Vec::new(),
        ends: Vec::new(),
    };
    let mut places = Place::without_ends(ranks);
    let mut answers = ranks.len();
    let mut next = |end: Option<Rank>| {
        answers += usize::from(end.is_some());
        end.map(|_| answers - 1)
    };
    for place in &mut places {
        let (lower, upper) = ends(place.rank);
        (place.lower, place.upper) = (next(lower), next(upper));
        // What ends that cannot be had do not cost is left to the estimate.
        let parts = if place.has_end() { PARTS - end_parts } else { PARTS };
        match &mut questions.together {
            Some((_, together)) => *together += parts,
            None => questions.alone.push(RankQuery { rank: place.rank, parts }),
        }
        if place.has_end() {
            let around = place.estimate;
            questions.ends.push(EndsQuery { around, lower, upper, parts: end_parts });
        }
    }
    (questions, places)
}

/// How far ends may be taken that are read off a histogram.
pub(super) fn slack(
    request: &QuantileRequest,
    setting: &Setting,
    chosen: &QuantileCandidate,
) -> Slack {
    let sampling = RankSampling::new(&chosen.weights, setting);
    let noise = chosen.weights.noise(&setting.profile);
    let fineness = Fineness::new(noise, request.cells().steps());
    let miss = request.miss() / 2.0;
    let sides = sampling.sides(request.ranks(), miss);
    let of = |rank: &Rank| (sides.of(*rank), fineness.noise_sd(noise, rank.get()));
    Slack::new(request.ranks().iter().map(of), miss)
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
    if chosen.betas.is_none() {
        let weights = chosen.weights.integers();
        let levels = profile.levels();
        return QuantileMechanism::Joint(RankChoice::calibrated(
            levels, weights, cells, questions, parts,
        ));
    }
    let used = profile.levels().iter().enumerate().filter(|(_, level)| !level.epsilon.is_unused());
    let alone = |(position, level)| {
        // With enough digits that the scale is not rounded noticeably.
        let weights = vec![UBig::ONE << 40];
        let own = std::slice::from_ref(level);
        (position, RankChoice::calibrated(own, weights, cells, questions.clone(), parts))
    };
    QuantileMechanism::PerLevel(used.map(alone).collect())
}
