//! A measurement as a certificate lists it: all that is needed to compute what it cost.

use dashu_int::UBig;
use dashu_ratio::RBig;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Epsilon, Neighbors, Rank};

/// One measurement of a release, as its certificate lists it.
///
/// A record of a level loses weight · sensitivity / scale: see [`Question`] for what the
/// sensitivity is of, where G is the number of steps of a grid and g the index of a value in it.
/// Nothing in an entry is private: it follows from public facts, and from noisy numbers measured
/// before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasurementEntry {
    /// What was asked of the records.
    #[serde(flatten)]
    pub question: Question,
    /// Which datasets it does not tell apart.
    pub neighbors: Neighbors,
    /// How the answer was drawn.
    pub distribution: Distribution,
    /// By how much a record of weight 1 can move the exact answers, all together.
    pub sensitivity: Exact,
    /// The integer scale of the noise, where it is the same for all levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Exact>,
    /// What records of each level weigh, ascending in ε.
    pub levels: Vec<LevelEntry>,
}

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

/// What a record of a level weighs in a measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelEntry {
    /// What the record allows.
    pub epsilon: Epsilon,
    /// Its integer weight: 1 where levels differ by their noise alone, 0 where it is not used.
    pub weight: Exact,
    /// The integer scale of the level's own noise, where it has its own; 0 is no noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Exact>,
    /// The ε of randomised response, where that is how the record is protected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Epsilon>,
}

/// An exact number, in JSON a text such as `"1073741824"` or `"9/4"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exact(pub RBig);

/// What a measurement says of itself, but for what its levels weigh.
pub(crate) struct Description {
    pub(crate) question: Question,
    pub(crate) distribution: Distribution,
    pub(crate) sensitivity: Exact,
    pub(crate) scale: Option<Exact>,
}

impl LevelEntry {
    /// A record of this weight; the level is filled in by whoever asks.
    pub(crate) fn weighing(weight: UBig) -> Self {
        let weight = weight.into();
        Self { epsilon: Epsilon::UNUSED, weight, scale: None, response: None }
    }

    /// A record that is not used.
    pub(crate) fn unused() -> Self {
        Self::weighing(UBig::ZERO)
    }

    /// Whichever of two weighs more.
    pub(crate) fn heavier(self, other: Self) -> Self {
        if other.weight.0 > self.weight.0 { other } else { self }
    }

    /// The level with noise of its own.
    pub(crate) fn with_scale(self, scale: UBig) -> Self {
        Self { scale: Some(scale.into()), ..self }
    }
}

impl Question {
    /// The double at a rank.
    pub(crate) fn float_quantile(rank: Rank) -> Self {
        Question::FloatQuantile { q: rank.get() }
    }

    /// Whether a range holds the share `rank`.
    pub(crate) fn range_check(rank: Rank) -> Self {
        Question::RangeCheck { q: rank.get() }
    }
}

impl From<UBig> for Exact {
    fn from(integer: UBig) -> Self {
        Self(integer.into())
    }
}

impl From<u64> for Exact {
    fn from(integer: u64) -> Self {
        Self::from(UBig::from(integer))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // Digits and at most one slash: no signs, and no zero below it.
        let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
        let digits = |part: &str| {
            let all = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            all.then(|| part.parse::<UBig>().ok()).flatten()
        };
        match (digits(numerator), digits(denominator)) {
            (Some(numerator), Some(denominator)) if denominator != UBig::ZERO => {
                Ok(Self(RBig::from_parts(numerator.into(), denominator)))
            }
            _ => Err(D::Error::custom("not an exact number such as \"12\" or \"9/4\"")),
        }
    }
}

/// A budget: a number, or the text "inf".
impl<'de> Deserialize<'de> for Epsilon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Text(String),
        }
        let budget = match Written::deserialize(deserializer)? {
            Written::Number(number) => Epsilon::new(number),
            Written::Text(text) => text.parse(),
        };
        budget.map_err(D::Error::custom)
    }
}
