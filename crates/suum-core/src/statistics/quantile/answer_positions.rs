//! Positions of the answers about each quantile, and reasons for missing intervals.

use super::order::QuantileDraw;
use crate::Rank;

const NOT_BOUGHT: &str = "no part of the budget was given to intervals";
const TOO_FEW: &str = "there are too few people, or too little ε, for an interval that is shorter \
    than the bounds and covers whatever the data";
pub(super) const TOO_FEW_PUBLIC: &str = "there are too few people: so few public records have, at \
    this confidence, no interval that is shorter than the bounds";
const TOO_DEAR: &str = "an interval that covers whatever the data would take more than half of \
    the budget, or make the expected error more than 25 % larger (a larger interval share \
    gives it more)";

/// Number of parts into which the budget of one quantile is divided between the estimate and the
/// ends of its interval.
pub(crate) const PARTS: u64 = 1 << 16;

/// Returns the cost of both ends of an interval, in parts of the quantile's budget: an even number.
pub(crate) fn end_parts(interval_share: f64) -> u64 {
    2 * (interval_share * PARTS as f64 / 2.0) as u64
}

/// Positions, among all answers, of those about one quantile: the estimate, and the ends at ranks q
/// ∓ δ, if such a rank is between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AnswerPositions {
    pub(crate) rank: Rank,
    pub(crate) estimate: usize,
    pub(crate) lower: Option<usize>,
    pub(crate) upper: Option<usize>,
}

impl AnswerPositions {
    /// Returns the positions of estimates without ends, in the order of their ranks.
    pub(crate) fn without_ends(ranks: &[Rank]) -> Vec<Self> {
        let position = |(estimate, rank): (usize, &Rank)| Self {
            rank: *rank,
            estimate,
            lower: None,
            upper: None,
        };
        ranks.iter().enumerate().map(position).collect()
    }

    /// Returns true if the interval has an end, and so is shorter than the bounds.
    pub(crate) fn has_end(&self) -> bool {
        self.ends().next().is_some()
    }

    /// Returns the positions of the ends that were asked for.
    pub(crate) fn ends(&self) -> impl Iterator<Item = usize> {
        self.lower.into_iter().chain(self.upper)
    }

    /// Returns the draw for this quantile, given all answers in units of the data.
    pub(crate) fn drawn(&self, answers: &[f64]) -> QuantileDraw {
        QuantileDraw {
            q: self.rank,
            estimate: answers[self.estimate],
            lower: self.lower.map(|end| answers[end]),
            upper: self.upper.map(|end| answers[end]),
        }
    }
}

/// Returns half the expected length of the longest interval, in ranks as a share of records.
///
/// It is half of the distance between the ranks of its ends, of all `ranks`, plus the mean distance
/// of the estimate from the middle of them, around which both ends are drawn, if its noise has this
/// standard deviation.
///
/// The noise of a rank is about that of a Laplace variable, which is on average as far from 0 as
/// its standard deviation over √2. An end that is not asked for is a bound.
pub(crate) fn half_of_longest(positions: &[AnswerPositions], ranks: &[Rank], noise_sd: f64) -> f64 {
    let rank = |at: usize| ranks.get(at).copied();
    let half = |position: &AnswerPositions| {
        let half = half_length(position.lower.and_then(rank), position.upper.and_then(rank));
        (half + noise_sd / std::f64::consts::SQRT_2).min(1.0)
    };
    positions.iter().map(half).fold(0.0, f64::max)
}

/// Returns half the distance between the ranks of the ends of an interval.
pub(crate) fn half_length(lower: Option<Rank>, upper: Option<Rank>) -> f64 {
    (upper.map_or(1.0, Rank::get) - lower.map_or(0.0, Rank::get)) / 2.0
}

/// Returns the reason why some of these quantiles have no interval, if any, given the share of the
/// budget asked for intervals.
pub(crate) fn no_interval(
    positions: &[AnswerPositions],
    interval_share: Option<f64>,
) -> Option<&'static str> {
    let all = positions.iter().all(AnswerPositions::has_end);
    (!all).then(|| why_no_interval(interval_share))
}

/// Largest share of the budget that a reason may recommend for intervals.
pub(super) const MOST_SHARE: f64 = 0.9;

/// Returns the reason for no interval, given the share of the budget asked for it.
pub(crate) fn why_no_interval(interval_share: Option<f64>) -> &'static str {
    match interval_share {
        Some(0.0) => NOT_BOUGHT,
        Some(_) => TOO_FEW,
        None => TOO_DEAR,
    }
}

/// Returns the reason for no interval, if more of the budget would not buy one either.
pub(super) fn why_none_at_all(interval_share: Option<f64>, is_public: bool) -> &'static str {
    match interval_share {
        Some(0.0) => NOT_BOUGHT,
        _ if is_public => TOO_FEW_PUBLIC,
        _ => TOO_FEW,
    }
}
