//! A number, which can be none that JSON has.

use std::fmt;
use std::num::ParseFloatError;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum::TimeScale;

/// A number as it was written, NaN and infinities among them: a query says why it refuses them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number(pub(super) f64);

impl FromStr for Number {
    type Err = ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// As text: JSON would make nothing of what is not finite.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What becomes of missing numbers, dates or times: one in their place, or `exclude`.
#[derive(Debug, Clone)]
pub(crate) struct MissingNumber(String);

impl FromStr for MissingNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_value = text.parse::<f64>().is_ok() || TimeScale::of(text).is_some();
        match text.trim() == "exclude" || is_value {
            true => Ok(Self(text.to_owned())),
            false => Err("expected a number, a date or time, or exclude".to_owned()),
        }
    }
}

impl Serialize for MissingNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}
