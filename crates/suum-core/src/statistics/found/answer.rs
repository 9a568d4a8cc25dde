//! Noisy counts of categories that were found.

use serde::Serialize;

use crate::Delta;

/// Noisy counts of the categories that show, and what decided that they do.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundCategories {
    /// Largest probability δ that a category of a single person shows.
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    pub delta: Delta,
    /// Noisy share that a category must exceed to show, unless it has public records.
    pub threshold: f64,
    /// Share of a category that shows in half of all releases.
    pub shown_by_half: f64,
    /// Noisy weighted count of each category of `frequencies`, in their order, as a text.
    pub counts: Vec<FoundCountText>,
}

/// Noisy weighted count of a category that shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundCountText {
    /// Noisy count, in steps of the weights.
    pub noisy: String,
    /// True if the category has public records and shows whatever the noise is.
    pub public: bool,
}
