//! Division of a budget among several estimates.

use std::fmt;

use serde::Serialize;

use super::answer_positions::{AnswerPositions, PARTS, end_parts};
use super::histogram::Fineness;
use crate::{QuantileSplit, Rank, RankTree, Result};

/// Method by which several quantiles share the budget of the estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum QuantileMethod {
    /// Separate questions, with even parts of the budget.
    Even,
    /// Recursion: the middle one first, the others in the two parts of the data that it makes; see
    /// [`RankTree`].
    Recursion,
    /// One histogram for all, made finer where the weight is; see
    /// [`RefinedCounts`](crate::RefinedCounts).
    Histogram,
}

impl QuantileMethod {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            QuantileMethod::Even => "even",
            QuantileMethod::Recursion => "recursion",
            QuantileMethod::Histogram => "histogram",
        }
    }
}

impl fmt::Display for QuantileMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Several estimates that are asked for together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuantilesTogether {
    /// Method.
    pub method: QuantileMethod,
    /// Share of the budget for all of them.
    pub share: f64,
    /// Cost of all of them over that of one question, which is less than their number. `None` for a
    /// histogram, which asks no questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Number of quantiles.
    pub quantiles: usize,
}

/// Method with its parameters for the requested ranks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Division {
    Even,
    Recursion {
        tree: RankTree,
        /// Cost of the tree, as a number.
        cost: f64,
        /// Variance of the noise of each rank, over that of one question of the tree.
        variances: Vec<f64>,
    },
    Histogram {
        /// Number of steps between candidates.
        steps: u32,
    },
}

impl Division {
    /// Returns the tree of these ranks, with its cost.
    pub(crate) fn recursion(ranks: &[Rank], cost: impl Fn(&RankTree) -> u64) -> Result<Self> {
        let tree = RankTree::new(ranks)?;
        let cost = cost(&tree) as f64 / RankTree::UNIT as f64;
        let variances = variances(&tree, ranks);
        Ok(Self::Recursion { tree, cost, variances })
    }

    pub(crate) fn method(&self) -> QuantileMethod {
        match self {
            Division::Even => QuantileMethod::Even,
            Division::Recursion { .. } => QuantileMethod::Recursion,
            Division::Histogram { .. } => QuantileMethod::Histogram,
        }
    }

    pub(crate) fn tree(&self) -> Option<&RankTree> {
        match self {
            Division::Recursion { tree, .. } => Some(tree),
            Division::Even | Division::Histogram { .. } => None,
        }
    }

    /// Returns the name in JSON of the distribution of answers: `choices` if the ends of intervals
    /// are drawn in another way than estimates.
    pub(crate) fn distribution(&self) -> &'static str {
        match self {
            Division::Even => "permute-and-flip",
            Division::Recursion { .. } => "choices",
            Division::Histogram { .. } => "sum-zero-laplace",
        }
    }

    /// Returns the cost of `quantiles` estimates over that of one question; `None` for a histogram.
    pub(crate) fn cost(&self, quantiles: usize) -> Option<f64> {
        match self {
            Division::Even => Some(quantiles as f64),
            Division::Recursion { cost, .. } => Some(*cost),
            Division::Histogram { .. } => None,
        }
    }

    /// Returns the summary of estimates that are asked for together and have this share of the
    /// budget; `None` if they are asked for separately.
    pub(crate) fn together(&self, quantiles: usize, share: f64) -> Option<QuantilesTogether> {
        let method = self.method();
        let cost = self.cost(quantiles);
        let together = QuantilesTogether { method, share, cost, quantiles };
        (method != QuantileMethod::Even).then_some(together)
    }

    /// Returns the part of the budget for each quantile, if all ends have this share of it.
    pub(crate) fn split<'a>(
        &'a self,
        positions: &'a [AnswerPositions],
        interval_share: f64,
    ) -> impl Iterator<Item = QuantileSplit> + 'a {
        let parts = PARTS * positions.len() as u64;
        let of_ends = end_parts(interval_share);
        let ends = move |position: &AnswerPositions| if position.has_end() { of_ends } else { 0 };
        let part = move |of: u64| of as f64 / parts as f64;
        let all: u64 = positions.iter().map(ends).sum();
        let together = self.cost(positions.len()).map_or(0.0, |cost| part(parts - all) / cost);
        positions.iter().map(move |position| {
            let ends = ends(position);
            let estimate = match self.method() {
                QuantileMethod::Even | QuantileMethod::Histogram => part(PARTS - ends),
                QuantileMethod::Recursion => together,
            };
            QuantileSplit { q: position.rank, estimate, interval: part(ends) }
        })
    }

    /// Returns for each rank the size of the budget with which a question of its own would have the
    /// same noise. `share` is the share of the budget for all estimates, and `noise` the scale of
    /// one question with all of the budget, as a share of all weight.
    pub(crate) fn budgets(&self, ranks: &[Rank], noise: f64, share: f64) -> Vec<f64> {
        match self {
            Division::Even => vec![share / (ranks.len() as f64 * noise); ranks.len()],
            Division::Recursion { cost, variances, .. } => {
                variances.iter().map(|variance| share / (cost * variance.sqrt() * noise)).collect()
            }
            Division::Histogram { steps } => {
                let fineness = Fineness::new(noise, *steps);
                if fineness.is_blind() {
                    return vec![0.0; ranks.len()];
                }
                // A choice has the variance 8 over the square of its budget.
                let budget = |rank: &Rank| (8.0 / fineness.variance(noise, rank.get())).sqrt();
                ranks.iter().map(budget).collect()
            }
        }
    }
}

/// Returns the variance of each rank's noise on smooth data, over that of one question.
///
/// # Formula
///
/// Scores are weights inside a part, so every node has noise e of the same law in the rank of its
/// own cut. With the errors E(a) and E(b) of the ends of its part, the rank it looks for is off by
/// (1 − f)·E(a) + f·E(b), and its own error is E = e + (1 − f)·E(a) + f·E(b); E is 0 at the ends of
/// the data.
fn variances(tree: &RankTree, ranks: &[Rank]) -> Vec<f64> {
    let rank = |end: Option<usize>, of_none: f64| {
        end.and_then(|end| tree.nodes().get(end)).map_or(of_none, |node| ranks[node.asked].get())
    };
    // On the way down, by depth: the contribution of the noise of each node above.
    let mut shares: Vec<Vec<f64>> = Vec::with_capacity(ranks.len());
    let mut variances = vec![0.0; ranks.len()];
    for node in tree.nodes() {
        let [low, high] = node.ends;
        let (from, to) = (rank(low, 0.0), rank(high, 1.0));
        let fraction = (ranks[node.asked].get() - from) / (to - from);
        let mut own: Vec<f64> = Vec::new();
        for (end, factor) in [(low, 1.0 - fraction), (high, fraction)] {
            let Some(end) = end.and_then(|end| shares.get(end)) else { continue };
            own.resize(own.len().max(end.len()), 0.0);
            own.iter_mut().zip(end).for_each(|(own, end)| *own += factor * end);
        }
        own.push(1.0);
        variances[node.asked] = own.iter().map(|share| share * share).sum();
        shares.push(own);
    }
    variances
}
