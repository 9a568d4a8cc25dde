//! Questions of measurements, and the most by which one record can move their answers.
//!
//! The sensitivity is a second computation on purpose, from the proofs alone: it shares no code
//! with the mechanisms, the plans and the account of a session.

use dashu_ratio::RBig;
use serde::{Deserialize, Serialize};

use super::exact::Exact;
use crate::{Categories, Neighbors, Rank};

/// Question that a measurement asks of the records.
///
/// G is the number of steps of a grid, g the index of a value in it, y is g/G.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "question", rename_all = "kebab-case")]
pub enum Question {
    /// Weighted sum of g. Sensitivity G.
    Sum {
        /// Number of steps G.
        grid: u64,
    },
    /// Weighted sums of g, and of g(G − g) with G times the noise. Sensitivity G.
    SumAndSpread {
        /// Number of steps G.
        grid: u64,
    },
    /// Weighted sums of c = 2g − G, and of c² with G times the noise. Sensitivity 9G/4.
    Moments {
        /// Number of steps G.
        grid: u64,
    },
    /// Index g of every single record. Sensitivity G.
    Values {
        /// Number of steps G.
        grid: u64,
    },
    /// Number of records in each category, in steps of a record. Sensitivity 2 steps, with
    /// add-remove neighbours 1.
    Counts {
        /// Number of categories.
        categories: usize,
        /// Number of steps of one record.
        steps: u64,
    },
    /// Number of records in each category, in steps of a record, if the weight of all records is
    /// public. Sensitivity 1 record, half of the sum of the moves of all counts.
    CountsOfKnownTotal {
        /// Number of categories.
        categories: usize,
        /// Number of steps of one record, if it can divide them among categories; otherwise 1.
        #[serde(default = "one_step", skip_serializing_if = "is_one_step")]
        steps: u64,
    },
    /// Number of records in each category that occurs, in steps of a record. It is published if it
    /// exceeds a threshold, with noise of the measurement's scale above zero, of another one below,
    /// and never above the threshold. Categories with public records are always published, and
    /// their noise has no largest value. Sensitivity 1 record, times 1 + scale/`down`.
    FoundCounts {
        /// Number of steps of one record, if it can divide them among categories; otherwise 1.
        #[serde(default = "one_step", skip_serializing_if = "is_one_step")]
        steps: u64,
        /// Scale of the noise below zero.
        down: Exact,
        /// Threshold M.
        threshold: Exact,
    },
    /// Indicators of every single record, one for each category. Sensitivity 2.
    Indicators {
        /// Number of categories.
        categories: usize,
    },
    /// Range of cells that holds most of the weight. Sensitivity 1.
    Range {
        /// Number of cells.
        cells: u64,
    },
    /// Candidates at some ranks. Sensitivity is the part of the budget that all answers may cost.
    Ranks {
        /// Number of rows of each record.
        rows: u32,
        /// Number of parts of the budget.
        parts: u64,
        /// Number of these parts that all answers together may cost.
        asked: u64,
        /// Draws that answer the question.
        draws: Vec<RankDraw>,
    },
    /// Weight of the rows in cells that were made finer where the weight is. With replace-one
    /// neighbours the weight of all rows is public. Sensitivity is that of all looks together: 1,
    /// with both neighbours 2.
    RefinedCounts {
        /// Number of rows of each record.
        rows: u32,
        /// Largest number of looks before the last one.
        looks: u32,
        /// Cost of each of them, in parts of the budget; the last one costs the rest.
        parts: u64,
        /// Least number of parts for the last one.
        left: u64,
        /// Number of parts of the budget.
        all_parts: u64,
        /// Factor of the measurement's scale in a look before the last one: the rows of a record
        /// times all parts over those of the look.
        times: Exact,
    },
    /// Weight of the records in each bucket of budgets. Sensitivity 1.
    Presence {
        /// Number of buckets.
        buckets: usize,
    },
    /// Weighted sums of g and G − g. Sensitivity 2G, with add-remove neighbours G.
    Ends {
        /// Number of steps G.
        grid: u64,
    },
    /// Weighted sums of g², 2g(G − g) and (G − g)². Sensitivity 2G², with add-remove neighbours G².
    Squares {
        /// Number of steps G.
        grid: u64,
    },
    /// Weighted sums of 2g − G and G. Sensitivity 2G.
    Centred {
        /// Number of steps G.
        grid: u64,
    },
    /// Weighted sums of 2G(2g − G), 4g(G − g) and 2G². Sensitivity 4G².
    CentredSquares {
        /// Number of steps G.
        grid: u64,
    },
    /// Weighted sums of the distances e and f from a range that ends inside the bounds, and of
    /// `below` + `above` less both. Sensitivity with add-remove neighbours `below` + `above`,
    /// otherwise twice the larger.
    Beyond {
        /// Largest possible e, in steps.
        below: u64,
        /// Largest possible f, in steps.
        above: u64,
    },
    /// Weighted sums of 2e − `below`, 2f − `above` and `below` + `above`. Sensitivity 2(`below` +
    /// `above`).
    CentredBeyond {
        /// Largest possible e, in steps.
        below: u64,
        /// Largest possible f, in steps.
        above: u64,
    },
    /// Double at a rank, among all doubles. Sensitivity 1.
    FloatQuantile {
        /// Rank of the double.
        q: f64,
    },
    /// Check that the data lie in a range that was found. Sensitivity 1.
    RangeCheck {
        /// Share of the weight that the range was meant to hold.
        q: f64,
    },
}

/// Draw at some ranks, one of those that answer a question.
///
/// Candidates are accepted by exp(−d/(t·b)), with d the distance from a rank in units of weight, b
/// the scale of the measurement, and t = 2·R·c·P/p for R rows of each record, p of P parts of the
/// budget, and c the most by which a record of weight 1 and one row can move all distances of the
/// draw, together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RankDraw {
    /// Method of the draw.
    pub method: RankMethod,
    /// Ranks, as exact shares of all weight.
    pub q: Vec<Exact>,
    /// Parts p of the budget that it costs.
    pub parts: u64,
    /// Factor t of the measurement's scale.
    pub times: Exact,
}

/// Method of drawing candidates at ranks.
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

/// Distribution of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Distribution {
    /// Noise added to each exact integer.
    DiscreteLaplace,
    /// Noise added to each exact integer that adds up to zero, with probability proportional to
    /// exp(−Σ|z|/(2·scale)).
    SumZeroLaplace,
    /// Noise added to each exact integer, with another scale above zero than below, and perhaps a
    /// largest value.
    TwoSlopes,
    /// Choice among candidates by their distances, by permute-and-flip.
    PermuteAndFlip,
    /// Choices among candidates by their distances: by permute-and-flip, or by the exponential
    /// mechanism if several ranks are asked for together.
    Choices,
    /// Choice among all doubles by their distances, by the exponential mechanism.
    Exponential,
    /// Random flip of every indicator of every record.
    RandomizedResponse,
}

fn one_step() -> u64 {
    1
}

fn is_one_step(steps: &u64) -> bool {
    *steps == 1
}

impl Question {
    /// Returns the question for the double at a rank.
    pub(crate) fn float_quantile(rank: Rank) -> Self {
        Self::FloatQuantile { q: rank.get() }
    }

    /// Returns the check that a range holds the share `rank`.
    pub(crate) fn range_check(rank: Rank) -> Self {
        Self::RangeCheck { q: rank.get() }
    }

    /// Returns the most by which a record of weight 1 can move the exact answers, for noise of this
    /// scale; `None` if the question is not valid for these neighbours.
    pub(super) fn sensitivity(&self, neighbors: Neighbors, scale: Option<&Exact>) -> Option<RBig> {
        let whole = |number: u64| RBig::from(number);
        let square = |grid: u64| whole(grid) * whole(grid);
        // Ratio of the effect of a change of value to that of joining.
        let twice = match neighbors {
            Neighbors::AddRemove => whole(1),
            Neighbors::ReplaceOne | Neighbors::Both => whole(2),
        };
        // Weights that depend on who takes part are valid for replace-one only.
        let is_replace = neighbors == Neighbors::ReplaceOne;
        let known = |sensitivity: RBig| is_replace.then_some(sensitivity);
        match self {
            Self::Sum { grid } | Self::SumAndSpread { grid } | Self::Values { grid } => {
                known(whole(*grid))
            }
            // |u − v| + |u² − v²| is at most 9/4 for u, v in [−1, 1].
            Self::Moments { grid } => known(whole(9) * whole(*grid) / whole(4)),
            Self::Indicators { .. } => known(whole(2)),
            // A record is one step, or divided in as many as there always are.
            Self::CountsOfKnownTotal { steps, .. }
            | Self::Counts { steps, .. }
            | Self::FoundCounts { steps, .. }
                if ![1, Categories::STEPS].contains(steps) =>
            {
                None
            }
            Self::CountsOfKnownTotal { steps, .. } => known(whole(*steps)),
            // A record pays one slope where it leaves, and the other where it arrives.
            Self::FoundCounts { steps, down, .. } => {
                let (up, down) = (&scale?.0, &down.0);
                match down.is_zero() {
                    true => known(whole(*steps)).filter(|_| up.is_zero()),
                    false => known(whole(*steps) * (RBig::ONE + up / down)),
                }
            }
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
                // A change of value can move a record from one side to the other.
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

    /// Returns the distribution of the answer.
    pub(super) fn distribution(&self, neighbors: Neighbors) -> Distribution {
        match self {
            Self::Indicators { .. } => Distribution::RandomizedResponse,
            Self::RefinedCounts { .. } if neighbors == Neighbors::ReplaceOne => {
                Distribution::SumZeroLaplace
            }
            Self::CountsOfKnownTotal { .. } => Distribution::SumZeroLaplace,
            Self::FoundCounts { .. } => Distribution::TwoSlopes,
            Self::Range { .. } => Distribution::PermuteAndFlip,
            Self::Ranks { .. } => Distribution::Choices,
            Self::FloatQuantile { .. } => Distribution::Exponential,
            _ => Distribution::DiscreteLaplace,
        }
    }

    /// Returns the number of steps that divide the bounds, if any.
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
            | Self::FoundCounts { .. }
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
