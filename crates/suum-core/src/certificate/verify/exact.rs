//! Exact numbers of a certificate.

use dashu_int::UBig;
use dashu_ratio::RBig;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Exact number, in JSON a text such as `"1073741824"` or `"9/4"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exact(pub RBig);

impl From<UBig> for Exact {
    fn from(integer: UBig) -> Self {
        Self(integer.into())
    }
}

impl From<u64> for Exact {
    fn from(integer: u64) -> Self {
        Self::from(UBig::from(integer))
    }
}

/// Serializes a text, because JSON has no rational numbers.
impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        // Only digits and at most one slash are accepted: no signs, and no zero denominator.
        let (numerator, denominator) = text.split_once('/').unwrap_or((&text, "1"));
        let digits = |part: &str| {
            let all = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            all.then(|| part.parse::<UBig>().ok()).flatten()
        };
        match (digits(numerator), digits(denominator)) {
            (Some(numerator), Some(denominator)) if denominator != UBig::ZERO => {
                Ok(Self(RBig::from_parts(numerator.into(), denominator)))
            }
            _ => Err(D::Error::custom("not an exact number such as \"12\" or \"9/4\"")),
        }
    }
}
