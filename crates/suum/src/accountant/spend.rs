//! Part of each person's allowed budget that a release may use.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Error, Result, Rho, for_example, option};
use suum_ledger::{Allowance, Amount, largest_within};

/// Part of each person's allowed budget that a release may use.
///
/// In text form `10%` and `1/12` are shares of what was allowed, so that instalments are equal;
/// `10%-of-left` is a share of what is left, and `eps=0.05` an ε that nobody exceeds. A bare number
/// is refused: it could be any of these. People who allow ∞ are asked for all of it in every form.
///
/// # Example
///
/// ```
/// use suum::Spend;
/// use suum::ledger::Amount;
///
/// let twelfth: Spend = "1/12".parse()?;
/// let (allowed, left) = (Amount::micros(1_200_000), Amount::micros(150_000));
/// assert_eq!(twelfth.apply_to(allowed, left), Amount::micros(100_000));
/// assert_eq!("10%-of-left".parse::<Spend>()?.apply_to(allowed, left), Amount::micros(15_000));
/// assert_eq!("eps=0.5".parse::<Spend>()?.apply_to(allowed, left), left);
/// for refused in ["0.05", "0%", "120%", "13/12", "eps=0", "eps=inf"] {
///     assert!(refused.parse::<Spend>().is_err());
/// }
/// # Ok::<(), suum::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spend {
    /// Whole remaining budget.
    All,
    /// Share of what was allowed in all, rounded down; all that is left, if that is less.
    OfAllowed(Fraction),
    /// Share of what is left, rounded down.
    OfLeft(Fraction),
    /// This ε, or all that is left if that is less; an unlimited amount stays unlimited.
    AtMost(Amount),
}

/// Exact share, above 0 and at most 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

/// Suffix of a share of what is left.
const OF_LEFT: &str = "-of-left";

impl Spend {
    /// Amount that may be used of this allowance, with `left` still left.
    pub fn apply_to(self, allowed: impl Into<Allowance>, left: Amount) -> Amount {
        self.instalment(allowed, left).min(left)
    }

    /// Instalment, which can be more than what is left.
    ///
    /// If people allow (ε, δ), a share is one of ε or of ρ, whichever is more: either way equal
    /// instalments fit.
    pub(crate) fn instalment(self, allowed: impl Into<Allowance>, left: Amount) -> Amount {
        let allowed = allowed.into();
        match self {
            Self::All => left,
            Self::OfAllowed(share) => match allowed.rho {
                Some(Rho::Finite(units)) => {
                    let of_rho = Rho::Finite(share.apply_to_number(units));
                    share.apply_to(allowed.epsilon).max(largest_within(of_rho))
                }
                Some(Rho::Unlimited) | None => share.apply_to(allowed.epsilon),
            },
            Self::OfLeft(share) => share.apply_to(left),
            Self::AtMost(most) if left != Amount::Unlimited => most,
            Self::AtMost(_) => left,
        }
    }
}

impl Fraction {
    /// Creates the share `numerator`/`denominator`; `None` if it is not above 0 and at most 1.
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        (0 < numerator && numerator <= denominator).then_some(Self { numerator, denominator })
    }

    /// Returns this share of an amount, rounded down; an unlimited amount stays unlimited.
    pub(crate) fn apply_to(self, amount: Amount) -> Amount {
        let Amount::Micro(micro) = amount else { return amount };
        Amount::micros(self.apply_to_number(micro.get()))
    }

    fn apply_to_number(self, number: u64) -> u64 {
        let part = u128::from(number) * u128::from(self.numerator);
        // At most what was a u64 before.
        (part / u128::from(self.denominator)) as u64
    }

    /// Parses a share: `10%`, `0.5%` or `1/12`.
    fn parse(text: &str) -> Option<Self> {
        let digits = |text: &str| -> Option<u64> {
            text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
        };
        if let Some(percent) = text.strip_suffix('%') {
            let percent = percent.trim_end();
            let (whole, decimals) = percent.split_once('.').unwrap_or((percent, ""));
            let all = digits(&format!("{whole}{decimals}"))?;
            let below = 10_u64.checked_pow(u32::try_from(decimals.len()).ok()?)?;
            return Self::new(all, below.checked_mul(100)?);
        }
        let (numerator, denominator) = text.split_once('/')?;
        Self::new(digits(numerator.trim_end())?, digits(denominator.trim_start())?)
    }
}

/// Writes the form that [`FromStr`] of [`Spend`] reads, in percent if the denominator is a power of
/// ten times 100.
impl std::fmt::Display for Fraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { numerator, denominator } = *self;
        let decimals = denominator.checked_div(100).filter(|below| below * 100 == denominator);
        match decimals.and_then(|below| Some((below, below.checked_ilog10()?))) {
            Some((1, _)) => write!(f, "{numerator}%"),
            Some((below, digits)) if 10_u64.checked_pow(digits) == Some(below) => {
                let (whole, rest) = (numerator / below, numerator % below);
                write!(f, "{whole}.{rest:0width$}%", width = digits as usize)
            }
            _ => write!(f, "{numerator}/{denominator}"),
        }
    }
}

impl std::fmt::Display for Spend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => write!(f, "100%{OF_LEFT}"),
            Self::OfAllowed(share) => write!(f, "{share}"),
            Self::OfLeft(share) => write!(f, "{share}{OF_LEFT}"),
            Self::AtMost(most) => write!(f, "eps={most}"),
        }
    }
}

/// Serialized as its text form.
impl Serialize for Spend {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Spend {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        if let Some(epsilon) = text.strip_prefix("eps=") {
            return match epsilon.parse() {
                Ok(most) if most != Amount::ZERO && most != Amount::Unlimited => {
                    Ok(Self::AtMost(most))
                }
                _ => Err(refused("expected a finite ε of at least a millionth behind eps=")),
            };
        }
        let share = match text.strip_suffix(OF_LEFT) {
            Some(share) => Fraction::parse(share).map(Self::OfLeft),
            None => Fraction::parse(text).map(Self::OfAllowed),
        };
        share.ok_or_else(|| {
            refused(match text.parse::<f64>() {
                Ok(_) => "a number alone does not say whether it is a share or an ε",
                Err(_) => "expected a share above 0 % and at most 100 %, or an ε",
            })
        })
    }
}

fn refused(what: &'static str) -> Error {
    Error::parameter(option::SPEND, what).with_fix(
        for_example(option::SPEND, "10%")
            .say("or")
            .set(option::SPEND, "1/12")
            .say("of what was allowed in all,")
            .set(option::SPEND, "10%-of-left")
            .say("of what is left, or")
            .set(option::SPEND, "eps=0.05"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use suum_ledger::Cost;

    #[test]
    fn what_is_written_is_what_was_read() {
        for text in [
            "10%",
            "0.5%",
            "100%",
            "33.3333%",
            "1/12",
            "2/8",
            "10%-of-left",
            "1/3-of-left",
            "eps=2",
        ] {
            assert_eq!(text.parse::<Spend>().unwrap().to_string(), text);
        }
        for (text, same) in [(" 10 %", "10%"), ("1 / 12", "1/12"), ("eps=.5", "eps=0.5")] {
            assert_eq!(text.parse::<Spend>().unwrap().to_string(), same);
        }
        for text in [
            "",
            "%",
            ".%",
            "/",
            "1/0",
            "0/5",
            "+1/3",
            "1e1%",
            "-1%",
            "1/3/4",
            "of-left",
            "-of-left",
            "10%of-left",
            "eps",
            "eps=",
            "eps=-1",
            "eps=0.0000001",
            "1/99999999999999999999",
        ] {
            let refused = text.parse::<Spend>().unwrap_err();
            assert!(refused.to_string().starts_with("spend: expected"), "{text}: {refused}");
            assert!(refused.fix().map(ToString::to_string).is_some_and(
                |hint| hint.contains("1/12")
                    && hint.contains("10%-of-left")
                    && hint.contains("eps=0.05")
            ));
        }
        for text in ["0.05", "1", "10", "1e-3", "5.", "inf"] {
            let refused = text.parse::<Spend>().unwrap_err();
            assert!(refused.to_string().contains("a number alone"), "{text}: {refused}");
        }
    }

    #[test]
    fn instalments_are_equal_and_exact() {
        let share = |text: &str| text.parse::<Spend>().unwrap();
        for allowed in [1, 11, 12, 1_000_000, 999_999, u64::MAX >> 1] {
            for parts in [1_u64, 3, 7, 12, 365] {
                let spend = share(&format!("1/{parts}"));
                let all = Amount::micros(allowed);
                let mut left: Amount = all;
                for _ in 0..parts {
                    let may = spend.apply_to(all, left);
                    assert_eq!(may, Amount::micros(allowed / parts), "{allowed} in {parts}");
                    left = left.saturating_sub(may);
                }
                // Rounding leaves less than a millionth for each instalment.
                assert!(left < Amount::micros(parts));
            }
        }
        // If people allow (ε, δ), many instalments are larger, and still all of them fit.
        let one = Amount::micros(1_000_000);
        let account = Allowance::new(one, Some("1e-6".parse().unwrap()));
        for (parts, least) in [(2_u64, 500_000), (28, 35_714), (365, 11_000)] {
            let (spend, mut spent) = (share(&format!("1/{parts}")), Cost::ZERO);
            let first = spend.apply_to(account, account.left(spent));
            assert!(first >= Amount::micros(least), "{parts}: {first}");
            for _ in 0..parts {
                let may = spend.apply_to(account, account.left(spent));
                assert_eq!(may, first, "{parts}");
                assert!(account.fits(Cost::from(may), spent));
                spent = spent.plus(Cost::from(may));
            }
        }
        let (all, left) = (Amount::micros(1000), Amount::micros(30));
        assert_eq!(share("10%").instalment(all, left), Amount::micros(100));
        assert_eq!(share("10%").apply_to(all, left), left, "the rest");
        assert_eq!(share("10%-of-left").apply_to(all, left), Amount::micros(3));
        assert_eq!(share("eps=0.000005").apply_to(all, left), Amount::micros(5));
        for text in ["10%", "1/12", "10%-of-left", "eps=0.05"] {
            assert_eq!(
                share(text).apply_to(Amount::Unlimited, Amount::Unlimited),
                Amount::Unlimited
            );
        }
    }
}
