//! Amounts of privacy budget, as integers.

use std::fmt;
use std::str::FromStr;

use dashu_int::IBig;
use dashu_ratio::RBig;
use serde::{Serialize, Serializer};
use suum_core::{Epsilon, Error, Loss, Result};

/// Micro-ε in one ε.
const MICROS: u64 = 1_000_000;

/// A finite amount of budget: an integer number of micro-ε (10⁻⁶ ε).
///
/// Integers add up without rounding, so that a thousand charges cost exactly their sum.
///
/// # Example
///
/// ```
/// use suum_ledger::MicroEpsilon;
///
/// assert_eq!(MicroEpsilon::new(31_200).to_string(), "0.0312");
/// assert_eq!(MicroEpsilon::new(2_000_000).to_string(), "2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MicroEpsilon(u64);

impl MicroEpsilon {
    /// Zero.
    pub const ZERO: MicroEpsilon = MicroEpsilon(0);
    /// The largest finite amount, some 9.2 · 10¹² ε: far above anything that still protects.
    pub const MAX: MicroEpsilon = MicroEpsilon(i64::MAX as u64);

    /// Creates an amount of that many micro-ε, capped at [`MicroEpsilon::MAX`].
    pub const fn new(micros: u64) -> Self {
        if micros > Self::MAX.0 { Self::MAX } else { Self(micros) }
    }

    /// Returns the number of micro-ε.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the largest double that is at most this amount in ε.
    ///
    /// So a loss within this budget never costs more than this amount, although charges are rounded
    /// up.
    ///
    /// ```
    /// use suum_core::{Epsilon, Loss};
    /// use suum_ledger::{Amount, MicroEpsilon};
    ///
    /// let left = MicroEpsilon::new(100_000).epsilon();
    /// assert!(left < Epsilon::new(0.1)?, "the double 0.1 is a little more than a tenth");
    /// let all = Loss::Finite(left.exact().unwrap_or_default());
    /// assert_eq!(Amount::from_loss(&all), Amount::micros(100_000));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn epsilon(self) -> Epsilon {
        let exact = self.exact();
        let at_most = |double: f64| RBig::try_from(double).is_ok_and(|double| double <= exact);
        let mut down = self.0 as f64 / MICROS as f64;
        // The quotient is off by at most two roundings.
        while !at_most(down) {
            down = down.next_down();
        }
        while at_most(down.next_up()) {
            down = down.next_up();
        }
        // Zero, or from 10⁻⁶ to 10¹³.
        Epsilon::new(down).unwrap_or(Epsilon::UNUSED)
    }

    /// Returns the exact amount in ε.
    fn exact(self) -> RBig {
        RBig::from_parts(IBig::from(self.0), MICROS.into())
    }
}

impl fmt::Display for MicroEpsilon {
    /// Writes ε as a decimal number without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, micros) = (self.0 / MICROS, self.0 % MICROS);
        if micros == 0 {
            return write!(f, "{whole}");
        }
        write!(f, "{}", format!("{whole}.{micros:06}").trim_end_matches('0'))
    }
}

impl fmt::Debug for MicroEpsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MicroEpsilon({self})")
    }
}

/// An allowance, a charge, or what is left: finite, or unlimited (ε = ∞).
///
/// Allowances are rounded down to micro-ε and charges up, so that rounding only ever protects.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Loss};
/// use suum_ledger::Amount;
///
/// assert_eq!(Amount::from_loss(&Loss::ratio(1, 3)).to_string(), "0.333334");
/// assert_eq!("0.3".parse::<Amount>()?, Amount::micros(300_000));
/// // The double 0.3 is a little less than three tenths, and is rounded down.
/// assert_eq!(Amount::allowed(Epsilon::new(0.3)?), Amount::micros(299_999));
/// assert!(Amount::micros(u64::MAX) < Amount::Unlimited);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Amount {
    /// Finite amount.
    Micro(MicroEpsilon),
    /// No limit; as a charge, a release without noise.
    Unlimited,
}

impl Amount {
    /// Zero.
    pub const ZERO: Amount = Amount::Micro(MicroEpsilon::ZERO);

    /// Creates a finite amount of that many micro-ε, capped at [`MicroEpsilon::MAX`].
    pub const fn micros(micros: u64) -> Self {
        Amount::Micro(MicroEpsilon::new(micros))
    }

    /// Converts an allowed ε into an amount: rounded down, at most [`MicroEpsilon::MAX`]; ∞ is
    /// unlimited.
    ///
    /// A budget is the exact binary number that its double stands for, so 0.3 allows 0.299999. An
    /// allowance that is written as text is read exactly, by [`FromStr`].
    pub fn allowed(epsilon: Epsilon) -> Self {
        let Some(exact) = epsilon.exact() else { return Amount::Unlimited };
        let micros = (exact * IBig::from(MICROS)).floor();
        Self::micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    /// Converts a loss into its charge: rounded up; unlimited if it is above [`MicroEpsilon::MAX`].
    pub fn from_loss(loss: &Loss) -> Self {
        let Loss::Finite(exact) = loss else { return Amount::Unlimited };
        // No loss is below zero.
        let micros = (exact.clone() * IBig::from(MICROS)).ceil().max(IBig::ZERO);
        match u64::try_from(micros) {
            Ok(micros) if micros <= MicroEpsilon::MAX.0 => Self::micros(micros),
            _ => Amount::Unlimited,
        }
    }

    /// Reads a charge as people write it, in ε, such as `0.02` or `inf`: decimals are exact, and
    /// rounded up to micro-ε.
    ///
    /// # Errors
    ///
    /// Refuses what is no ε.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_ledger::Amount;
    ///
    /// assert_eq!(Amount::charged("0.3")?, Amount::micros(300_000));
    /// assert_eq!(Amount::charged("0.0000001")?, Amount::micros(1));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn charged(text: &str) -> Result<Self> {
        let text = text.trim();
        let epsilon: Epsilon = text.parse()?;
        let Some(micros) = decimal(text) else {
            return Ok(Self::from_loss(&epsilon.exact().map_or(Loss::Unlimited, Loss::Finite)));
        };
        let rest = text.split_once('.').map_or("", |(_, decimals)| decimals.get(6..).unwrap_or(""));
        let up = micros.saturating_add(u64::from(rest.bytes().any(|digit| digit != b'0')));
        Ok(if up > MicroEpsilon::MAX.0 { Amount::Unlimited } else { Self::micros(up) })
    }

    /// Returns the amount as a budget: the largest double that is at most the amount.
    pub fn epsilon(self) -> Epsilon {
        match self {
            Amount::Micro(micros) => micros.epsilon(),
            Amount::Unlimited => Epsilon::PUBLIC,
        }
    }

    /// Returns the exact loss that the amount stands for.
    pub fn loss(self) -> Loss {
        match self {
            Amount::Micro(micros) => Loss::Finite(micros.exact()),
            Amount::Unlimited => Loss::Unlimited,
        }
    }

    /// Returns the nearest double in ε, for people to read; infinite if the amount is unlimited.
    pub fn in_epsilon(self) -> f64 {
        match self {
            Amount::Micro(micros) => micros.get() as f64 / MICROS as f64,
            Amount::Unlimited => f64::INFINITY,
        }
    }

    /// Returns true if the amount is zero.
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// Returns the sum of both amounts; a sum above [`MicroEpsilon::MAX`] is unlimited.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Amount::Micro(one), Amount::Micro(other)) => match one.0.checked_add(other.0) {
                Some(sum) if sum <= MicroEpsilon::MAX.0 => Self::micros(sum),
                _ => Amount::Unlimited,
            },
            _ => Amount::Unlimited,
        }
    }

    /// Returns the rest of an allowance after `spent`: zero if more was spent, unlimited if the
    /// allowance is unlimited.
    #[must_use]
    pub fn saturating_sub(self, spent: Self) -> Self {
        match (self, spent) {
            (Amount::Unlimited, _) => Amount::Unlimited,
            (Amount::Micro(_), Amount::Unlimited) => Self::ZERO,
            (Amount::Micro(allowed), Amount::Micro(spent)) => {
                Self::micros(allowed.0.saturating_sub(spent.0))
            }
        }
    }
}

impl From<MicroEpsilon> for Amount {
    fn from(micros: MicroEpsilon) -> Self {
        Amount::Micro(micros)
    }
}

/// Serialized in ε, for reports: a number, or `"inf"`. The log stores integers of micro-ε.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Amount::Micro(_) => serializer.serialize_f64(self.in_epsilon()),
            Amount::Unlimited => serializer.serialize_str("inf"),
        }
    }
}

/// Written in ε: `0.0312`, or `inf`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Micro(micros) => micros.fmt(f),
            Amount::Unlimited => f.write_str("inf"),
        }
    }
}

/// Parsed from an allowance as people write it, in ε: `0.3` allows exactly three tenths. Digits
/// after the sixth are cut off.
///
/// Numbers with an exponent (`1e-3`) are read as a double first, as budgets of data are.
impl FromStr for Amount {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let epsilon: Epsilon = text.parse()?;
        Ok(decimal(text.trim()).map_or_else(|| Self::allowed(epsilon), Self::micros))
    }
}

/// Parses a plain decimal number into millionths, and cuts off further digits; `None` if it is not
/// plain or too large.
fn decimal(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || !plain(fraction) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let millionths = fraction.bytes().chain(std::iter::repeat(b'0')).take(6);
    let millionths = millionths.fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'));
    whole.checked_mul(MICROS)?.checked_add(millionths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_decimals_exactly() {
        for (text, micros) in [
            ("0.3", 300_000),
            ("0.1", 100_000),
            (".5", 500_000),
            ("2.", 2_000_000),
            ("0", 0),
            ("0.0000019", 1),
            ("0.0000001", 0),
            ("1e-3", 1000),
            ("1000000", 1_000_000_000_000),
            ("1e90", i64::MAX as u64),
            ("99999999999999999999", i64::MAX as u64),
        ] {
            assert_eq!(text.parse::<Amount>().unwrap(), Amount::micros(micros), "{text}");
        }
        assert_eq!("inf".parse::<Amount>().unwrap(), Amount::Unlimited);
        for bad in ["", ".", "-1", "1,5", "nan", "0x1", "1.2.3"] {
            assert!(bad.parse::<Amount>().is_err(), "{bad}");
        }
    }

    #[test]
    fn charges_are_rounded_up() {
        for (text, micros) in [
            ("0.3", 300_000),
            (" 0.02 ", 20_000),
            ("2.", 2_000_000),
            ("0", 0),
            ("0.0000019", 2),
            ("0.3000000", 300_000),
            ("0.30000001", 300_001),
            ("1e-7", 1),
        ] {
            assert_eq!(Amount::charged(text).unwrap(), Amount::micros(micros), "{text}");
        }
        for text in ["inf", "1e90", "99999999999999999999"] {
            assert_eq!(Amount::charged(text).unwrap(), Amount::Unlimited, "{text}");
        }
        assert!(Amount::charged("-1").is_err() && Amount::charged("").is_err());
    }

    #[test]
    fn unlimited_is_more_than_everything() {
        let finite = Amount::micros(5);
        assert_eq!(Amount::Unlimited.saturating_sub(Amount::Unlimited), Amount::Unlimited);
        assert_eq!(finite.saturating_sub(Amount::Unlimited), Amount::ZERO);
        assert_eq!(finite.plus(Amount::Unlimited), Amount::Unlimited);
        assert_eq!(Amount::Micro(MicroEpsilon::MAX).plus(Amount::micros(1)), Amount::Unlimited);
        assert_eq!(Amount::Unlimited.epsilon(), Epsilon::PUBLIC);
        assert_eq!(Amount::from_loss(&Loss::Unlimited), Amount::Unlimited);
        let huge = Loss::Finite(Epsilon::new(1e100).unwrap().exact().unwrap());
        assert_eq!(Amount::from_loss(&huge), Amount::Unlimited, "never rounded down");
    }
}
