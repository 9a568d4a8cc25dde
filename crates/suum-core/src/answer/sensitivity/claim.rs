//! Claims about a number, to be compared with an interval.

use std::str::FromStr;

use crate::Error;
use crate::error::{for_example, option};

/// Claim about a number.
///
/// # Example
///
/// ```
/// use suum_core::Claim;
///
/// let claim: Claim = "above 2.5".parse()?;
/// assert_eq!(claim, Claim::Above(2.5));
/// assert!(claim.is_true_of([2.6, 3.1]) && !claim.is_true_of([2.4, 3.1]));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Claim {
    /// Claim that the number is larger than this one.
    Above(f64),
    /// Claim that the number is smaller than this one.
    Below(f64),
}

impl Claim {
    /// Returns true if the claim holds for all numbers between these ends.
    pub fn is_true_of(self, [lower, upper]: [f64; 2]) -> bool {
        match self {
            Self::Above(limit) => lower > limit,
            Self::Below(limit) => upper < limit,
        }
    }

    /// Returns the limit that the number is claimed to pass.
    pub fn limit(self) -> f64 {
        match self {
            Self::Above(limit) | Self::Below(limit) => limit,
        }
    }

    /// Returns `above` or `below`.
    pub fn side(self) -> &'static str {
        match self {
            Self::Above(_) => "above",
            Self::Below(_) => "below",
        }
    }
}

impl FromStr for Claim {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = || {
            Error::parameter(option::CLAIM, "expected above or below, and a number").with_fix(
                for_example(option::CLAIM, "above 2.5").say(", or 'above 20 %' of a share"),
            )
        };
        let (side, number) = text.trim().split_once(char::is_whitespace).ok_or_else(refused)?;
        let number = number.trim();
        let (number, unit) = match number.strip_suffix('%') {
            Some(number) => (number.trim_end(), 100.0),
            None => (number, 1.0),
        };
        let limit = number.parse::<f64>().ok().filter(|limit| limit.is_finite());
        let limit = limit.ok_or_else(refused)? / unit;
        match side {
            "above" => Ok(Self::Above(limit)),
            "below" => Ok(Self::Below(limit)),
            _ => Err(refused()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_claims_and_refuses_others() {
        assert_eq!("below -3".parse(), Ok(Claim::Below(-3.0)));
        assert_eq!(" above  20 % ".parse(), Ok(Claim::Above(0.2)));
        for text in ["", "above", "above x", "over 3", "above inf", "3 above", "above 1 2"] {
            assert!(text.parse::<Claim>().is_err(), "{text}");
        }
    }
}
