//! A measurement as a certificate lists it: all that is needed to compute what it cost.

use dashu_int::UBig;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::exact::Exact;
use super::question::{Distribution, Question};
use crate::number::NumberOrText;
use crate::{Epsilon, Neighbors};

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
    pub scale: Option<Box<Exact>>,
    /// The ε of randomised response, where that is how the record is protected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Epsilon>,
}

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
        Self { scale: Some(Box::new(scale.into())), ..self }
    }
}

/// A budget: a number, or the text "inf".
impl<'de> Deserialize<'de> for Epsilon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let budget = match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(number) => Epsilon::new(number),
            NumberOrText::Text(text) => text.parse(),
        };
        budget.map_err(D::Error::custom)
    }
}
