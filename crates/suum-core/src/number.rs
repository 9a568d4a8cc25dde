//! Numbers in JSON.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// JSON number; infinity is the string `"inf"`, and an undefined number is `null`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Number(pub(crate) f64);

/// Writes a number as [`Number`] does.
pub(crate) fn written<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*number).serialize(serializer)
}

/// Written by hand because the JSON type depends on the number.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else if self.0.is_nan() {
            serializer.serialize_none()
        } else {
            serializer.serialize_str(if self.0 > 0.0 { "inf" } else { "-inf" })
        }
    }
}

/// A number, or `"inf"`.
impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(number) => Ok(Self(number)),
            NumberOrText::Text(text) if text == "inf" => Ok(Self(f64::INFINITY)),
            NumberOrText::Text(_) => Err(D::Error::custom("not a number, and not \"inf\"")),
        }
    }
}

// Untagged, so that it is written without the name of the variant.
/// JSON form of a number or a text.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) enum NumberOrText {
    Number(f64),
    Text(String),
}
