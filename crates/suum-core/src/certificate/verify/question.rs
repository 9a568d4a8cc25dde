//! What a measurement asks of the records, and by how much one of them can move the answers.
//!
//! The sensitivity is a second computation on purpose, from the proofs and nothing else: it shares
//! no code with the mechanisms, the plans and the account of a session.

use dashu_ratio::RBig;
use serde::{Deserialize, Serialize};

use super::exact::Exact;
use crate::{Neighbors, Rank};

/// What a measurement asks of the records.
///
/// G is the number of steps of a grid, g the index of a value in it, y is g/G.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "question", rename_all = "kebab-case")]
pub enum Question {
    /// The weighted sum of g. Sensitivity G.
    Sum {
        /// G.
        grid: u64,
    },
    /// The weighted sums of g, and of g(G − g) with G times the noise. Sensitivity G.
    SumAndSpread {
        /// G.
        grid: u64,
    },
    /// The weighted sums of c = 2g − G, and of c² with G times the noise. Sensitivity 9G/4.
    Moments {
        /// G.
        grid: u64,
    },
    /// g of every record alone. Sensitivity G.
    Values {
        /// G.
        grid: u64,
    },
    /// How many records are in each category, in steps of a record. Sensitivity 2 steps, with
    /// add-remove neighbours 1.
    Counts {
        /// How many categories.
        categories: usize,
        /// Steps of one record.
        steps: u64,
    },
    /// How many records are in each category, of all of which the weight is public. Sensitivity
    /// 1, half of the sum of what the counts move by.
    CountsOfKnownTotal {
        /// How many categories.
        categories: usize,
    },
    /// For every record alone whether it is in each category. Sensitivity 2.
    Indicators {
        /// How many categories.
        categories: usize,
    },
    /// A range of cells that holds most of the weight. Sensitivity 1.
    Range {
        /// How many cells.
        cells: u64,
    },
    /// Candidates at some ranks. Sensitivity is the part of the budget that all answers may cost.
    Ranks {
        /// Rows of each record.
        rows: u32,
        /// Parts of the budget.
        parts: u64,
        /// How many of these all answers together may cost.
        asked: u64,
        /// What is drawn.
        draws: Vec<RankDraw>,
    },
    /// The weight of the rows in cells that were made finer where the weight is. With replace-one
    /// neighbours the weight of all is public. Sensitivity is that of all looks together: 1, with
    /// both neighbours 2.
    RefinedCounts {
        /// Rows of each record.
        rows: u32,
        /// How many looks may come before the last one.
        looks: u32,
        /// What each of them costs, of all parts; the last one costs the rest.
        parts: u64,
        /// What is left for the last one, at least.
        left: u64,
        /// All parts.
        all_parts: u64,
        /// By how much the scale of the measurement is multiplied in a look before the last one:
        /// the rows of a record times all parts over those of the look.
        times: Exact,
    },
    /// The weight of the records in each bucket of budgets. Sensitivity 1.
    Presence {
        /// How many buckets.
        buckets: usize,
    },
    /// The weighted sums of g and G − g. Sensitivity 2G, with add-remove neighbours G.
    Ends {
        /// G.
        grid: u64,
    },
    /// The weighted sums of g², 2g(G − g) and (G − g)². Sensitivity 2G², with add-remove
    /// neighbours G².
    Squares {
        /// G.
        grid: u64,
    },
    /// The weighted sums of 2g − G and G. Sensitivity 2G.
    Centred {
        /// G.
        grid: u64,
    },
    /// The weighted sums of 2G(2g − G), 4g(G − g) and 2G². Sensitivity 4G².
    CentredSquares {
        /// G.
        grid: u64,
    },
    /// The weighted sums of the distances e and f from a range that ends inside the bounds, and of
    /// what both lack to `below` + `above`. Sensitivity with add-remove neighbours `below` +
    /// `above`, else twice the larger.
    Beyond {
        /// The most that e can be, in steps.
        below: u64,
        /// The most that f can be.
        above: u64,
    },
    /// The weighted sums of 2e − `below`, 2f − `above` and `below` + `above`. Sensitivity
    /// 2(`below` + `above`).
    CentredBeyond {
        /// The most that e can be, in steps.
        below: u64,
        /// The most that f can be.
        above: u64,
    },
    /// The double at a rank, among all doubles. Sensitivity 1.
    FloatQuantile {
        /// Which rank.
        q: f64,
    },
    /// Whether a range that was found is one in which the data lie. Sensitivity 1.
    RangeCheck {
        /// The share of the weight that it was meant to hold.
        q: f64,
    },
}

/// What is drawn at some ranks, of all that is asked of them.
///
/// Candidates are accepted by exp(−d/(t·b)), with d the distance from a rank in units of weight, b
/// the scale of the measurement, and t = 2·R·c·P/p for R rows of each record, p of P parts of the
/// budget, and c the most by which a record of weight 1 and one row can move all distances of the
/// draw, together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RankDraw {
    /// How.
    pub method: RankMethod,
    /// The ranks, as exact shares of all weight.
    pub q: Vec<Exact>,
    /// p: the parts of the budget that it costs.
    pub parts: u64,
    /// t: by how much the scale of the measurement is multiplied.
    pub times: Exact,
}

/// How candidates are drawn at ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RankMethod {
    /// One rank, by permute-and-flip.
    Alone,
    /// Several ranks by recursion on the middle one, by the exponential mechanism.
    Recursion,
    /// Both ends of an interval, or one of them, by permute-and-flip.
    Ends,
}

/// How an answer is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// Noise that is added to each exact integer.
    DiscreteLaplace,
    /// Noise that is added to each exact integer, and adds up to zero: with probability
    /// proportional to exp(−Σ|z|/(2·scale)).
    SumZeroLaplace,
    /// A choice among candidates by their distances.
    PermuteAndFlip,
    /// Choices among candidates by their distances: by permute-and-flip, or by the exponential
    /// mechanism where several ranks are asked for together.
    Choices,
    /// A choice among all doubles by their distances.
    Exponential,
    /// Every indicator of every record is flipped with a probability.
    RandomizedResponse,
}

impl Question {
    /// The double at a rank.
    pub(crate) fn float_quantile(rank: Rank) -> Self {
        Self::FloatQuantile { q: rank.get() }
    }

    /// Whether a range holds the share `rank`.
    pub(crate) fn range_check(rank: Rank) -> Self {
        Self::RangeCheck { q: rank.get() }
    }

    /// By how much a record of weight 1 can move the exact answers; `None` if it is no question
    /// for these neighbours.
    pub(super) fn sensitivity(&self, neighbors: Neighbors) -> Option<RBig> {
        let whole = |number: u64| RBig::from(number);
        let square = |grid: u64| whole(grid) * whole(grid);
        // By how much more a change of value moves what somebody joins with.
        let twice = match neighbors {
            Neighbors::AddRemove => whole(1),
            Neighbors::ReplaceOne | Neighbors::Both => whole(2),
        };
        // Their weights depend on who takes part.
        let is_replace = neighbors == Neighbors::ReplaceOne;
        let known = |sensitivity: RBig| is_replace.then_some(sensitivity);
        match self {
            Self::Sum { grid } | Self::SumAndSpread { grid } | Self::Values { grid } => {
                known(whole(*grid))
            }
            // |u − v| + |u² − v²| is at most 9/4 for u, v in [−1, 1].
            Self::Moments { grid } => known(whole(9) * whole(*grid) / whole(4)),
            Self::Indicators { .. } => known(whole(2)),
            Self::CountsOfKnownTotal { .. } => known(whole(1)),
            Self::Counts { steps, .. } => Some(twice * whole(*steps)),
            Self::Ranks { parts, asked, .. } => {
                let within = *parts > 0 && asked <= parts;
                within.then(|| whole(*asked) / whole(*parts))
            }
            Self::RefinedCounts { rows, looks, parts, left, all_parts, times } => {
                let all = u128::from(*looks) * u128::from(*parts) + u128::from(*left);
                let divides = *left > 0 && *parts > 0 && all == u128::from(*all_parts);
                let is_scaled =
                    || times.0 == whole(u64::from(*rows)) * whole(*all_parts) / whole(*parts);
                let is_right = divides && *rows > 0 && is_scaled();
                // With a public total the noise adds up to zero.
                is_right.then(|| if is_replace { whole(1) } else { twice })
            }
            Self::Presence { .. } => Some(whole(1)),
            Self::Ends { grid } => Some(twice * whole(*grid)),
            Self::Squares { grid } => Some(twice * square(*grid)),
            Self::Centred { grid } => Some(whole(2) * whole(*grid)),
            Self::CentredSquares { grid } => Some(whole(4) * square(*grid)),
            Self::Beyond { below, above } => Some(match neighbors {
                Neighbors::AddRemove => whole(*below) + whole(*above),
                // From one side to the other.
                Neighbors::ReplaceOne | Neighbors::Both => whole(2) * whole(*below.max(above)),
            }),
            Self::CentredBeyond { below, above } => {
                Some(whole(2) * (whole(*below) + whole(*above)))
            }
            Self::Range { .. } | Self::FloatQuantile { .. } | Self::RangeCheck { .. } => {
                Some(whole(1))
            }
        }
    }

    /// How the answer is drawn.
    pub(super) fn distribution(&self, neighbors: Neighbors) -> Distribution {
        match self {
            Self::Indicators { .. } => Distribution::RandomizedResponse,
            Self::RefinedCounts { .. } if neighbors == Neighbors::ReplaceOne => {
                Distribution::SumZeroLaplace
            }
            Self::CountsOfKnownTotal { .. } => Distribution::SumZeroLaplace,
            Self::Range { .. } => Distribution::PermuteAndFlip,
            Self::Ranks { .. } => Distribution::Choices,
            Self::FloatQuantile { .. } => Distribution::Exponential,
            _ => Distribution::DiscreteLaplace,
        }
    }

    /// Into how many steps it divides the bounds.
    pub(super) fn grid(&self) -> Option<u64> {
        match self {
            Self::Sum { grid }
            | Self::SumAndSpread { grid }
            | Self::Moments { grid }
            | Self::Values { grid }
            | Self::Ends { grid }
            | Self::Squares { grid }
            | Self::Centred { grid }
            | Self::CentredSquares { grid } => Some(*grid),
            Self::Counts { .. }
            | Self::CountsOfKnownTotal { .. }
            | Self::Indicators { .. }
            | Self::Range { .. }
            | Self::Ranks { .. }
            | Self::RefinedCounts { .. }
            | Self::Presence { .. }
            | Self::Beyond { .. }
            | Self::CentredBeyond { .. }
            | Self::FloatQuantile { .. }
            | Self::RangeCheck { .. } => None,
        }
    }
}
