//! Serialized form of amounts, ρ and δ in entries: amounts as integers in micro-ε, or `"inf"`; ρ in
//! units of 10⁻¹².

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use suum_core::{Delta, Rho};

use crate::{Amount, Cost, MicroEpsilon};

/// An amount as JSON.
#[derive(Debug, Clone, Copy)]
struct Micros(Amount);

/// Serializes an integer or a text; written by hand, because the `u64` is inside another type.
impl Serialize for Micros {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Amount::Micro(micros) => serializer.serialize_u64(micros.get()),
            Amount::Unlimited => serializer.serialize_str("inf"),
        }
    }
}

impl<'de> Deserialize<'de> for Micros {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Micros(u64),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Micros(micros) if micros <= MicroEpsilon::MAX.get() => {
                Ok(Micros(Amount::micros(micros)))
            }
            Form::Text(text) if text == "inf" => Ok(Micros(Amount::Unlimited)),
            _ => Err(D::Error::custom("not an amount")),
        }
    }
}

/// Serde functions for a field that is an amount.
pub(crate) mod micros {
    use super::{Amount, Deserialize, Deserializer, Micros, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        amount: &Amount,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Micros(*amount).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Amount, D::Error> {
        Ok(Micros::deserialize(deserializer)?.0)
    }
}

/// Serde functions for a field that is a list of amounts.
pub(crate) mod amounts {
    use super::{Amount, Deserialize, Deserializer, Micros, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(
        amounts: &[Amount],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        amounts.iter().copied().map(Micros).collect::<Vec<_>>().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Amount>, D::Error> {
        Ok(Vec::<Micros>::deserialize(deserializer)?.into_iter().map(|micros| micros.0).collect())
    }
}

/// A ρ as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Units(pub(crate) Rho);

/// Serializes an integer or a text; written by hand, because the `u64` is inside another type.
impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Rho::Finite(units) => serializer.serialize_u64(units),
            Rho::Unlimited => serializer.serialize_str("inf"),
        }
    }
}

impl<'de> Deserialize<'de> for Units {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Units(u64),
            Text(String),
        }
        match Form::deserialize(deserializer)? {
            Form::Units(units) if i64::try_from(units).is_ok() => Ok(Units(Rho::Finite(units))),
            Form::Text(text) if text == "inf" => Ok(Units(Rho::Unlimited)),
            _ => Err(D::Error::custom("not a ρ")),
        }
    }
}

/// Serde functions for an optional δ, stored as its text.
pub(crate) mod delta {
    use super::{Delta, Deserialize, Deserializer, Serializer};
    use serde::de::Error as _;

    pub(crate) fn serialize<S: Serializer>(
        delta: &Option<Delta>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match delta {
            Some(delta) => serializer.collect_str(delta),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Delta>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Some).map_err(|_| D::Error::custom("not a δ"))
    }
}

/// Returns the cost of an amount: with the ρ that is written beside it, or else with the largest ρ
/// that a loss of this ε can have.
pub(crate) fn cost(amount: Amount, rho: Option<Units>) -> Cost {
    match rho {
        Some(Units(rho)) => Cost { epsilon: amount, rho },
        None => Cost::from(amount),
    }
}
