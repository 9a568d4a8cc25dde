//! Ranks of quantiles.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::error::{for_example, option};
use crate::{Error, Result};

/// Rank q, the share of people below a quantile: an exact fraction strictly between 0 and 1.
///
/// # Example
///
/// ```
/// use suum_core::Rank;
///
/// let ninth_decile: Rank = "0.9".parse()?;
/// assert_eq!(ninth_decile.fraction(), (9, 10));
/// assert_eq!(ninth_decile.to_string(), "0.9");
/// assert!("1.5".parse::<Rank>().is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rank {
    numerator: u64,
    denominator: u64,
}

impl Rank {
    /// The median, q = 1/2.
    pub const MEDIAN: Rank = Rank { numerator: 1, denominator: 2 };

    /// Returns the fraction `numerator`/`denominator`, in lowest terms.
    ///
    /// # Errors
    ///
    /// Refuses fractions that are not strictly between 0 and 1, and denominators above 10^9.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self> {
        if numerator == 0 || numerator >= denominator || denominator > 1_000_000_000 {
            return Err(refused());
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        Ok(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// Returns the multiple of 2^-20 nearest to `rank`; `None` outside (0, 1).
    pub(crate) fn nearest(rank: f64) -> Option<Self> {
        let steps = (rank * f64::from(1u32 << 20)).round();
        if !(steps >= 1.0 && steps < f64::from(1u32 << 20)) {
            return None;
        }
        Self::new(steps as u64, 1 << 20).ok()
    }

    /// Numerator and denominator, in lowest terms.
    pub fn fraction(self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }

    /// Returns 1 − q.
    pub(crate) fn mirrored(self) -> Self {
        Self { numerator: self.denominator - self.numerator, ..self }
    }

    /// Returns q in percent, with the fewest digits that are exact if nine digits are enough.
    pub(crate) fn percent(self) -> String {
        const WHOLE: u64 = 1_000_000_000;
        if !WHOLE.is_multiple_of(self.denominator) {
            return (100.0 * self.get()).to_string();
        }
        let parts = self.numerator * (WHOLE / self.denominator);
        let (percent, rest) = (parts / (WHOLE / 100), parts % (WHOLE / 100));
        match rest {
            0 => percent.to_string(),
            rest => format!("{percent}.{}", format!("{rest:07}").trim_end_matches('0')),
        }
    }

    /// q as a double.
    pub fn get(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Denominators are at most 10^9, so the products fit.
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }
}

/// A decimal such as `0.5`, with at most nine digits, or a percentage such as `90%`.
impl FromStr for Rank {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let digits = decimals(text.trim()).ok_or_else(refused)?;
        let digits = digits.trim_end_matches('0');
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        if digits.is_empty() || digits.len() > 9 || !plain {
            return Err(refused());
        }
        let numerator = digits.parse().map_err(|_| refused())?;
        Self::new(numerator, 10u64.pow(digits.len() as u32))
    }
}

/// Returns the digits behind the point of a decimal or percentage, as a share of 1; `None` for
/// other text and for shares of 1 or more.
fn decimals(text: &str) -> Option<String> {
    if let Some(percentage) = text.strip_suffix('%').map(str::trim_end) {
        let (whole, digits) = percentage.split_once('.').unwrap_or((percentage, ""));
        let whole = whole.trim_start_matches('0');
        return (whole.len() <= 2).then(|| format!("{whole:0>2}{digits}"));
    }
    let (whole, digits) = text.split_once('.')?;
    whole.bytes().all(|byte| byte == b'0').then(|| digits.to_owned())
}

/// The decimal it was read from.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.get())
    }
}

/// The nearest double, which is computed.
impl Serialize for Rank {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.get())
    }
}

fn refused() -> Error {
    Error::parameter(
        option::Q,
        "must be a decimal strictly between 0 and 1, with at most nine digits",
    )
    .with_fix(
        for_example(option::Q, "0.5")
            .say("for the median,")
            .set(option::Q, "90%")
            .say(",")
            .set(option::Q, "0.25,0.5,0.75")
            .say(", or")
            .set(option::Q, "deciles"),
    )
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_decimals_exactly() {
        for (text, fraction) in
            [("0.5", (1, 2)), (".25", (1, 4)), (" 0.999 ", (999, 1000)), ("0.10", (1, 10))]
        {
            assert_eq!(text.parse::<Rank>().unwrap().fraction(), fraction, "{text}");
        }
        for (text, fraction) in [
            ("90%", (9, 10)),
            ("5 %", (1, 20)),
            ("99.9%", (999, 1000)),
            (".5%", (1, 200)),
            ("050.%", (1, 2)),
        ] {
            assert_eq!(text.parse::<Rank>().unwrap().fraction(), fraction, "{text}");
        }
        for bad in [
            "",
            "0",
            "1",
            "0.0",
            "1.0",
            "-0.5",
            "0.5e0",
            "%",
            "0%",
            "100%",
            "150%",
            "-5%",
            "5 0%",
            "50%%",
            "50.12345678%",
            "0.1234567891",
            "nan",
            ".",
            "0.5.5",
        ] {
            assert!(bad.parse::<Rank>().is_err(), "{bad}");
        }
    }

    #[test]
    fn orders_by_value() {
        let rank = |text: &str| text.parse::<Rank>().unwrap();
        assert!(rank("0.3") < rank("0.333333333") && rank("0.5") == Rank::MEDIAN);
    }
}
