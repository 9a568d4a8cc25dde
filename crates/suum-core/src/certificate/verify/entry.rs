//! Entries of a certificate: measurements, with everything that is needed to compute their cost.

use dashu_int::UBig;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::exact::Exact;
use super::question::{Distribution, Question};
use crate::number::NumberOrText;
use crate::{Epsilon, Neighbors};

/// Measurement of a release, as its certificate lists it.
///
/// A record of a level loses weight · sensitivity / scale; see [`Question`] for the meaning of the
/// sensitivity. G is the number of steps of a grid, and g the index of a value in it. Nothing in an
/// entry is private: it follows from public facts, and from noisy numbers measured before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasurementEntry {
    /// Question that the records were asked.
    #[serde(flatten)]
    pub question: Question,
    /// Relation between datasets that it does not tell apart.
    pub neighbors: Neighbors,
    /// Distribution from which the answer was drawn.
    pub distribution: Distribution,
    /// Sensitivity: the most by which a record of weight 1 can move the exact answers, all
    /// together.
    pub sensitivity: Exact,
    /// Integer scale of the noise, if it is the same for all levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Exact>,
    /// Weights of the records of each level, ascending in ε.
    pub levels: Vec<LevelEntry>,
}

/// Weight of a record of a level in a measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelEntry {
    /// Budget of the record.
    pub epsilon: Epsilon,
    /// Integer weight: 1 if levels differ only by their noise, 0 if the record is not used.
    pub weight: Exact,
    /// Integer scale of the level's own noise, if it has its own; 0 is no noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Box<Exact>>,
    /// Budget ε of randomised response, if it protects the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<Epsilon>,
}

/// Description of a measurement, without the weights of its levels.
pub(crate) struct Description {
    pub(crate) question: Question,
    pub(crate) distribution: Distribution,
    pub(crate) sensitivity: Exact,
    pub(crate) scale: Option<Exact>,
}

impl LevelEntry {
    /// Returns a record of this weight; the caller fills in the level.
    pub(crate) fn weighing(weight: UBig) -> Self {
        let weight = weight.into();
        Self { epsilon: Epsilon::UNUSED, weight, scale: None, response: None }
    }

    /// Returns a record that is not used.
    pub(crate) fn unused() -> Self {
        Self::weighing(UBig::ZERO)
    }

    /// Returns the entry with the larger weight.
    pub(crate) fn heavier(self, other: Self) -> Self {
        if other.weight.0 > self.weight.0 { other } else { self }
    }

    /// Returns the entry with its own noise.
    pub(crate) fn with_scale(self, scale: UBig) -> Self {
        Self { scale: Some(Box::new(scale.into())), ..self }
    }
}

/// Parses a number, or the text "inf".
impl<'de> Deserialize<'de> for Epsilon {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let budget = match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(number) => Epsilon::new(number),
            NumberOrText::Text(text) => text.parse(),
        };
        budget.map_err(D::Error::custom)
    }
}
