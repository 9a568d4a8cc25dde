//! What was learned before the mean, and what it cost.

use serde::Serialize;

use crate::{Bounds, Loss};

/// A range that was learned, to which the values of a mean were clamped.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedRange {
    /// The range, in units of the data.
    pub bounds: Bounds,
    /// Whether the range ends inside the declared bounds, below and above.
    pub cut: [bool; 2],
    /// By how much values below the range lower the statistic, which the estimate leaves out;
    /// `None` where nothing was cut off, or nothing was left to measure it.
    pub below: Option<CutOff>,
    /// By how much values above the range raise it.
    pub above: Option<CutOff>,
    /// What it cost the records of each level.
    pub cost: Vec<AdaptingCost>,
}

impl LearnedRange {
    /// Whether the range is not all of the declared bounds.
    pub fn is_narrower(&self) -> bool {
        self.cut.contains(&true)
    }
}

/// What lies beyond one end of a range, in units of the statistic.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CutOff {
    /// By how much it moves the statistic, with noise: it can be below zero.
    pub estimate: f64,
    /// The standard deviation of the noise.
    pub noise_sd: f64,
}

/// What a level spent beside the mean itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdaptingCost {
    /// The tier's name, or its ε where budgets are numbers.
    pub level: String,
    /// To learn the range, and a first look at the spread inside it.
    pub learning: Loss,
    /// To measure what was cut off.
    pub beyond: Loss,
}
