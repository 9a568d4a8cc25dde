//! How much of what is left a release may use.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Error, Result};
use suum_ledger::Amount;

/// How much of what is left to each person a release may use.
///
/// In text form `50%` is a share of what is left, and `0.05` an ε that nobody exceeds.
///
/// # Example
///
/// ```
/// use suum::Spend;
///
/// assert_eq!("50%".parse::<Spend>()?, Spend::Millionths(500_000));
/// assert!("0.05".parse::<Spend>().is_ok());
/// assert!(
///     "0".parse::<Spend>().is_err()
///         && "0%".parse::<Spend>().is_err()
///         && "120%".parse::<Spend>().is_err()
/// );
/// # Ok::<(), suum::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spend {
    /// All of it.
    All,
    /// So many millionths of it, rounded down.
    Millionths(u32),
    /// At most this ε of it.
    AtMost(Amount),
}

/// Everything, in millionths.
pub(crate) const WHOLE: u32 = 1_000_000;

impl Spend {
    /// What may be used of what is left.
    pub(crate) fn of(self, left: Amount) -> Amount {
        match self {
            Self::All => left,
            Self::AtMost(most) => left.min(most),
            Self::Millionths(parts) => match left {
                Amount::Unlimited => left,
                Amount::Micro(micro) => {
                    let part =
                        u128::from(micro.get()) * u128::from(parts.min(WHOLE)) / u128::from(WHOLE);
                    // At most what was a u64 before.
                    Amount::micros(part as u64)
                }
            },
        }
    }
}

/// The text that it is read from.
impl Serialize for Spend {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::All => serializer.serialize_str("100%"),
            Self::Millionths(parts) => {
                serializer.serialize_str(&format!("{}%", f64::from(*parts) / 1e4))
            }
            Self::AtMost(most) => serializer.serialize_str(&most.to_string()),
        }
    }
}

impl FromStr for Spend {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            Error::parameter(
                "spend: expected a share of what is left, above 0 % and at most 100 %, or an ε",
            )
            .with_hint("for example --spend 50% or --spend 0.05")
        };
        match text.trim().strip_suffix('%') {
            Some(percent) => {
                let percent: f64 = percent.trim().parse().map_err(|_| refused())?;
                let millionths = (percent * 1e4).floor();
                if !(percent <= 100.0 && millionths >= 1.0) {
                    return Err(refused());
                }
                Ok(Self::Millionths(millionths as u32))
            }
            None => match text.trim().parse() {
                Ok(most) if most != Amount::ZERO => Ok(Self::AtMost(most)),
                _ => Err(refused()),
            },
        }
    }
}
