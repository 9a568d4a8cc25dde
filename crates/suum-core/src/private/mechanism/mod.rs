//! Mechanisms: exact sums plus exact noise, in integers only.
//!
//! A mechanism is the integer form of a design. It turns exact sums into something publishable, and
//! knows the exact loss of every level.

mod float_quantile;
mod found_counts;
mod level_laplace;
mod local_laplace;
mod quantile;
mod range_check;
mod range_choice;
mod range_search;
mod ranges;
mod rank_choice;
mod rank_ends;
mod rank_questions;
mod rank_tree;
mod ranks;
mod rappor;
mod refined_counts;
mod refinement;
mod weighted_counts;

use dashu_int::{IBig, UBig};

use super::level_mechanism::{ExactSums, LevelMechanism};
use super::totals::Totals;
use crate::certificate::verify::Description;
use crate::{LevelEntry, Loss, Randomness};

pub use float_quantile::FloatQuantile;
pub(crate) use found_counts::FoundCount;
pub use found_counts::FoundCounts;
pub use level_laplace::LevelLaplace;
pub use local_laplace::LocalLaplace;
pub(crate) use quantile::QuantileAnswers;
pub use quantile::QuantileMechanism;
pub use range_check::{RangeCheck, RangeKeys};
pub use range_choice::RangeChoice;
pub(crate) use range_search::{RangeSearch, UNIT};
pub use ranges::CellRange;
pub(crate) use ranges::Ranges;
pub use rank_choice::RankChoice;
pub use rank_ends::EndsQuery;
pub use rank_questions::RankQuestions;
pub use rank_tree::{RankNode, RankTree};
pub use ranks::RankQuery;
pub use rappor::Rappor;
pub use refined_counts::RefinedCounts;
pub(crate) use refinement::NoisyCells;
pub use refinement::Refinement;
pub use weighted_counts::WeightedCounts;

/// Integer form of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mechanism {
    /// Weighted sum with one noise, and perhaps the spread of its values.
    Totals(Totals),
    /// Weighted counts of categories, with noise that adds up to zero.
    WeightedCounts(WeightedCounts),
    /// Noisy sum for each level.
    LevelLaplace(LevelLaplace),
    /// Laplace noise for every single record.
    LocalLaplace(LocalLaplace),
    /// Randomised response for every single record.
    Rappor(Rappor),
}

/// Noisy result of a mechanism, which may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Noisy {
    /// One number for each component; for a spread the sum, and that of the products.
    Total(Vec<IBig>),
    /// One number for each level of the profile and component.
    PerLevel(Vec<Vec<IBig>>),
}

impl Mechanism {
    /// Returns the exact loss of one record of the level at this position of the profile.
    pub fn loss(&self, position: usize) -> Loss {
        match self {
            Mechanism::Totals(mechanism) => mechanism.loss(position),
            Mechanism::WeightedCounts(mechanism) => mechanism.loss(position),
            Mechanism::LevelLaplace(mechanism) => mechanism.loss(position),
            Mechanism::LocalLaplace(mechanism) => mechanism.loss(position),
            Mechanism::Rappor(mechanism) => mechanism.loss(position),
        }
    }

    /// Returns the integer scale of the estimate's noise, or the largest of several; zero if there
    /// is none.
    pub fn largest_scale(&self) -> UBig {
        match self {
            Mechanism::Totals(mechanism) => mechanism.scale().clone(),
            Mechanism::WeightedCounts(mechanism) => mechanism.scale().clone(),
            Mechanism::LevelLaplace(mechanism) => largest(mechanism.scales()),
            Mechanism::LocalLaplace(mechanism) => largest(mechanism.scales()),
            Mechanism::Rappor(_) => UBig::ZERO,
        }
    }

    /// Returns the name of the noise distribution, as in JSON.
    pub fn distribution(&self) -> &'static str {
        match self {
            Mechanism::Rappor(_) => "randomized-response",
            _ if self.largest_scale() == UBig::ZERO => "none",
            Mechanism::WeightedCounts(_) => "sum-zero-laplace",
            _ => "discrete-laplace",
        }
    }
}

impl LevelMechanism for Mechanism {
    type Exact<'e> = ExactSums<'e>;
    type Out = Noisy;

    fn loss(&self, position: usize) -> Loss {
        self.loss(position)
    }

    fn description(&self) -> Description {
        match self {
            Mechanism::Totals(mechanism) => mechanism.description(),
            Mechanism::WeightedCounts(mechanism) => mechanism.description(),
            Mechanism::LevelLaplace(mechanism) => mechanism.description(),
            Mechanism::LocalLaplace(mechanism) => mechanism.description(),
            Mechanism::Rappor(mechanism) => mechanism.description(),
        }
    }

    fn level(&self, position: usize) -> LevelEntry {
        match self {
            Mechanism::Totals(mechanism) => mechanism.level(position),
            Mechanism::WeightedCounts(mechanism) => mechanism.level(position),
            Mechanism::LevelLaplace(mechanism) => mechanism.level(position),
            Mechanism::LocalLaplace(mechanism) => mechanism.level(position),
            Mechanism::Rappor(mechanism) => mechanism.level(position),
        }
    }

    fn release(&self, by_level: &[ExactSums<'_>], randomness: &mut Randomness) -> Noisy {
        match self {
            Mechanism::Totals(mechanism) => Noisy::Total(mechanism.release(by_level, randomness)),
            Mechanism::WeightedCounts(mechanism) => {
                Noisy::Total(mechanism.release(by_level, randomness))
            }
            Mechanism::LevelLaplace(mechanism) => {
                Noisy::PerLevel(mechanism.release(by_level, randomness))
            }
            Mechanism::LocalLaplace(mechanism) => {
                Noisy::PerLevel(mechanism.release(by_level, randomness))
            }
            Mechanism::Rappor(mechanism) => {
                Noisy::PerLevel(mechanism.release(by_level, randomness))
            }
        }
    }
}

fn largest(scales: &[UBig]) -> UBig {
    scales.iter().max().cloned().unwrap_or(UBig::ZERO)
}
