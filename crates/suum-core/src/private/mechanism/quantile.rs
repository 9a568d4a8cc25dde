//! Mechanisms for quantiles: all levels together, or each one apart.

use dashu_int::UBig;

use super::{NoisyCells, RankChoice, RankQuestions, RankTree, RefinedCounts};
use crate::certificate::verify::Description;
use crate::private::level_mechanism::LevelMechanism;
use crate::{CellCounts, LevelEntry, Loss, Randomness};

/// Mechanism that answers questions about quantiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuantileMechanism {
    /// Candidates drawn from all levels together.
    Joint(RankChoice),
    /// Candidates drawn from each level apart, with the position of the level in the profile, in
    /// ascending order. Unused levels are left out.
    PerLevel(Vec<(usize, RankChoice)>),
    /// Noisy weights of all levels between cuts, instead of candidates.
    Refined(RefinedCounts),
}

/// Answer of a [`QuantileMechanism`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum QuantileAnswers {
    /// Candidates: of all levels together, or of each level apart.
    Candidates(Vec<Vec<u32>>),
    /// Noisy weights between cuts.
    Cells(NoisyCells),
}

impl QuantileMechanism {
    /// Returns the exact loss of one record of the level at this position of the profile.
    pub fn loss(&self, position: usize) -> Loss {
        match self {
            QuantileMechanism::Joint(choice) => choice.loss(position),
            QuantileMechanism::PerLevel(levels) => levels
                .binary_search_by_key(&position, |(level, _)| *level)
                .map_or(Loss::ZERO, |found| levels[found].1.loss(0)),
            QuantileMechanism::Refined(counts) => counts.loss(position),
        }
    }
}

impl LevelMechanism for QuantileMechanism {
    type Exact<'e> = (usize, &'e CellCounts);
    type Out = QuantileAnswers;

    fn loss(&self, position: usize) -> Loss {
        self.loss(position)
    }

    fn description(&self) -> Description {
        match self {
            QuantileMechanism::Joint(choice) => choice.description(),
            QuantileMechanism::Refined(counts) => counts.description(),
            // All levels get the same questions.
            QuantileMechanism::PerLevel(levels) => match levels.first() {
                Some((_, choice)) => Description { scale: None, ..choice.description() },
                None => Description {
                    scale: None,
                    ..RankQuestions::alone(Vec::new()).description(
                        (1, 1),
                        UBig::ONE,
                        RankTree::cost,
                        |rank| rank.fraction().1,
                    )
                },
            },
        }
    }

    fn level(&self, position: usize) -> LevelEntry {
        match self {
            QuantileMechanism::Joint(choice) => choice.level(position),
            QuantileMechanism::Refined(counts) => counts.level(position),
            QuantileMechanism::PerLevel(levels) => {
                levels.binary_search_by_key(&position, |(level, _)| *level).map_or_else(
                    |_| LevelEntry::unused(),
                    |found| {
                        let (_, choice) = &levels[found];
                        choice.level(0).with_scale(choice.scale().clone())
                    },
                )
            }
        }
    }

    fn release(
        &self,
        by_level: &[(usize, &CellCounts)],
        randomness: &mut Randomness,
    ) -> QuantileAnswers {
        QuantileAnswers::Candidates(match self {
            QuantileMechanism::Refined(counts) => {
                return QuantileAnswers::Cells(counts.release(by_level, randomness));
            }
            QuantileMechanism::Joint(choice) => vec![choice.release(by_level, randomness)],
            QuantileMechanism::PerLevel(levels) => {
                let mut by_level = by_level.to_vec();
                by_level.sort_by_key(|(position, _)| *position);
                let of_level = |(position, choice): &(usize, RankChoice)| {
                    let first = by_level.partition_point(|(at, _)| at < position);
                    let end = by_level.partition_point(|(at, _)| at <= position);
                    let own = by_level[first..end].iter().map(|(_, cells)| (0, *cells));
                    choice.release(&own.collect::<Vec<_>>(), randomness)
                };
                levels.iter().map(of_level).collect()
            }
        })
    }
}
