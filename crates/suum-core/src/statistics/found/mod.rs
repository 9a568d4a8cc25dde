//! Frequencies of categories that nobody has declared: those that show in spite of the noise.
//!
//! A [`FoundRequest`] and a public profile make a [`FoundPlan`], which knows no category; the plan
//! and a level table with all categories that occur make a [`Release`](crate::Release) of those
//! whose noisy counts are above a threshold.

mod add_remove;
mod answer;
mod plan;
mod record;
mod release;
mod request;

use crate::Delta;

pub use answer::FoundCategories;
pub use plan::FoundPlan;
pub use request::FoundRequest;

/// Categories that are found in the data, as a statistic to request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndeclaredCategories {
    /// Largest probability that a category of one person shows.
    pub delta: Delta,
    /// True if records are persons, each with a share in several categories.
    pub are_divided: bool,
}
