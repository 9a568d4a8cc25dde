//! Failure probability δ of an (ε, δ) guarantee.

use std::fmt;
use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::{Serialize, Serializer};

use crate::error::{for_example, option};
use crate::{Error, Result};

/// Failure probability δ of (ε, δ)-differential privacy: an exact number above 0 and at most
/// 1/1000.
///
/// # Example
///
/// ```
/// use suum_core::Delta;
///
/// let millionth: Delta = "1e-6".parse()?;
/// assert_eq!(millionth, "0.000001".parse()?);
/// assert_eq!(millionth, Delta::MILLIONTH);
/// assert_eq!(millionth.to_string(), "1e-6");
/// assert!("0.1".parse::<Delta>().is_err() && "0".parse::<Delta>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Delta {
    /// Decimal digits: δ = digits·10^-places.
    digits: u64,
    places: u32,
}

impl Delta {
    /// One in a million.
    pub const MILLIONTH: Delta = Delta { digits: 1, places: 6 };

    /// Returns the exact number.
    pub fn exact(self) -> RBig {
        RBig::from_parts(IBig::from(self.digits), UBig::from(10_u8).pow(self.places as usize))
    }

    /// Returns this many tenths of it, rounded down if they have too many digits.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Delta;
    ///
    /// assert_eq!(Delta::MILLIONTH.tenths(9).to_string(), "9e-7");
    /// ```
    #[must_use]
    pub fn tenths(self, tenths: u32) -> Self {
        match self.digits.checked_mul(tenths.into()) {
            Some(digits) => Self { digits, places: self.places + 1 },
            None => Self { digits: self.digits / 10 * u64::from(tenths), places: self.places },
        }
    }

    /// Returns the nearest double.
    pub fn get(self) -> f64 {
        self.exact().to_f64().value()
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}e-{}", self.digits, self.places)
    }
}

/// Serializes the nearest double, which is computed.
impl Serialize for Delta {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.get())
    }
}

/// `1e-6`, `2.5e-7` or `0.000001`.
impl FromStr for Delta {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            Error::parameter(option::DELTA, "expected a number above 0 and at most 0.001").with_fix(
                for_example(option::DELTA, "1e-6")
                    .say("; it should be far below one over all people"),
            )
        };
        let lower = text.trim().to_ascii_lowercase();
        let (number, exponent) = lower.split_once('e').unwrap_or((&lower, "0"));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.bytes().all(|byte| byte.is_ascii_digit()).then(|| all.parse::<u64>());
        let (Some(Ok(mut digits)), Ok(exponent)) = (digits, exponent.parse::<i64>()) else {
            return Err(refused());
        };
        let places = i64::try_from(fraction.len()).ok().and_then(|n| n.checked_sub(exponent));
        let mut places =
            places.filter(|places| (1..=100).contains(places)).ok_or_else(refused)? as u32;
        if digits == 0 {
            return Err(refused());
        }
        while digits % 10 == 0 && places > 0 {
            (digits, places) = (digits / 10, places - 1);
        }
        let delta = Self { digits, places };
        match delta.exact() <= RBig::from_parts(1.into(), 1000_u32.into()) {
            true => Ok(delta),
            false => Err(refused()),
        }
    }
}
