//! Largest difference of tiers that an answer allows for.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::error::{for_example, option};
use crate::{Error, Result};

/// Largest difference of the means of two tiers that an answer allows for.
///
/// The means of all tiers lie in an interval of this length, those of tiers that may not be used
/// included. Of shares of categories it is a difference of two shares, and of a quantile that of
/// the shares of records below it.
///
/// # Example
///
/// ```
/// use suum_core::{Direction, TierDifference};
///
/// let difference: TierDifference = "+10%".parse()?;
/// assert_eq!(difference.direction(), Direction::StricterLarger);
/// assert_eq!(difference.within(77.0)?.distance, 0.1);
/// assert_eq!("5pp".parse::<TierDifference>()?.in_shares()?.distance, 0.05);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TierDifference {
    size: Size,
    direction: Direction,
}

/// Size of a difference.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Size {
    /// Size in units of the values.
    Values(f64),
    /// Size in percent of the width of the bounds.
    Percent(f64),
    /// Size in percentage points, for shares.
    Points(f64),
}

/// Order of the means of tiers, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Unknown order.
    #[default]
    Any,
    /// The stricter a tier, the larger its mean.
    StricterLarger,
    /// The stricter a tier, the smaller its mean.
    StricterSmaller,
}

/// A [`TierDifference`] as a part of the width of the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RelativeDifference {
    /// Largest difference, from 0 to 1; 0 if budgets are unrelated to values.
    pub distance: f64,
    /// Order of the means.
    pub direction: Direction,
}

impl TierDifference {
    /// Returns the order of the means.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Returns the same difference of means whose order is not known.
    #[must_use]
    pub fn in_any_direction(self) -> Self {
        Self { direction: Direction::Any, ..self }
    }

    /// Returns the size as a part of a sentence; of shares in percentage points.
    pub(crate) fn size_in_words(&self, is_of_shares: bool) -> String {
        match self.size {
            Size::Values(distance) => distance.to_string(),
            Size::Percent(percent) if !is_of_shares => {
                format!("{percent} % of the width of the bounds")
            }
            Size::Percent(points) | Size::Points(points) => format!("{points} percentage points"),
        }
    }

    /// Returns true if it is a part of the width of the bounds.
    pub fn is_part_of_width(&self) -> bool {
        matches!(self.size, Size::Percent(_))
    }

    /// Returns the difference of numbers inside bounds of this width, as a part of it.
    ///
    /// # Errors
    ///
    /// Refuses percentage points, which are a difference of shares.
    pub fn within(&self, width: f64) -> Result<RelativeDifference> {
        let distance = match self.size {
            Size::Values(distance) => distance / width,
            Size::Percent(percent) => percent / 100.0,
            Size::Points(_) => {
                return Err(Error::request(
                    option::TIERS_DIFFER,
                    "percentage points are for shares and quantiles",
                )
                .with_fix(
                    for_example(option::TIERS_DIFFER, "10%")
                        .say(", a part of the width of the bounds, or a number in units of the")
                        .say("values"),
                ));
            }
        };
        Ok(self.relative(distance))
    }

    /// Returns the difference of numbers inside bounds of this width, in units of the values.
    pub(crate) fn in_values(&self, width: f64) -> f64 {
        match self.size {
            Size::Values(distance) => distance.min(width),
            Size::Percent(percent) | Size::Points(percent) => percent / 100.0 * width,
        }
    }

    /// Returns the difference of shares.
    ///
    /// # Errors
    ///
    /// Refuses a number above 1.
    pub fn in_shares(&self) -> Result<RelativeDifference> {
        match self.size {
            Size::Values(distance) if distance > 1.0 => {
                Err(Error::request(option::TIERS_DIFFER, "shares differ by 1 at most")
                    .with_fix(for_example(option::TIERS_DIFFER, "5pp").say(", which is 0.05")))
            }
            Size::Values(distance) => Ok(self.relative(distance)),
            Size::Percent(hundredths) | Size::Points(hundredths) => {
                Ok(self.relative(hundredths / 100.0))
            }
        }
    }

    /// Returns the relative difference, limited to the width of the bounds.
    fn relative(&self, distance: f64) -> RelativeDifference {
        RelativeDifference { distance: distance.min(1.0), direction: self.direction }
    }
}

impl RelativeDifference {
    /// Returns true if budgets have nothing to do with values.
    pub fn is_none(&self) -> bool {
        self.distance <= 0.0
    }

    /// Returns the same difference as a part of another width.
    pub(crate) fn rescaled(self, width: f64, other: f64) -> Self {
        Self { distance: (self.distance * (width / other)).min(1.0), ..self }
    }
}

impl FromStr for TierDifference {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = || {
            Error::parameter(
                option::TIERS_DIFFER,
                "expected a number of at least 0, such as 1.5, 10% or 5pp",
            )
            .with_fix(
                for_example(option::TIERS_DIFFER, "+1.5")
                    .say(", where stricter people have larger values, by at most 1.5"),
            )
        };
        let text = text.trim();
        let (direction, size) = match text.split_at_checked(1) {
            Some(("+", size)) => (Direction::StricterLarger, size),
            Some(("-" | "−", size)) => (Direction::StricterSmaller, size),
            _ => match text.strip_prefix('−') {
                Some(size) => (Direction::StricterSmaller, size),
                None => (Direction::Any, text),
            },
        };
        let number = |text: &str| {
            let is_plain =
                text.trim_end().starts_with(|first: char| first.is_ascii_digit() || first == '.');
            let number = text.trim_end().parse::<f64>().ok().filter(|_| is_plain);
            number.filter(|number| number.is_finite()).ok_or_else(refused)
        };
        let size = match (size.strip_suffix("pp"), size.strip_suffix('%')) {
            (Some(points), _) => Size::Points(number(points)?),
            (None, Some(percent)) => Size::Percent(number(percent)?),
            (None, None) => Size::Values(number(size)?),
        };
        match size {
            Size::Points(hundredths) | Size::Percent(hundredths) if hundredths > 100.0 => {
                Err(Error::parameter(option::TIERS_DIFFER, "there are no more than 100 %")
                    .with_fix(for_example(option::TIERS_DIFFER, "100%")))
            }
            _ => Ok(Self { size, direction }),
        }
    }
}

impl fmt::Display for TierDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.direction {
            Direction::Any => "",
            Direction::StricterLarger => "+",
            Direction::StricterSmaller => "-",
        })?;
        match self.size {
            Size::Values(distance) => write!(f, "{distance}"),
            Size::Percent(percent) => write!(f, "{percent}%"),
            Size::Points(points) => write!(f, "{points}pp"),
        }
    }
}

/// Serializes the text form, which can be parsed again.
impl Serialize for TierDifference {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_differences_and_writes_them_again() {
        for text in ["0", "1.5", "+2", "-0.25", "10%", "+5pp", "-100%"] {
            let difference: TierDifference = text.parse().unwrap();
            assert_eq!(difference.to_string(), text);
        }
        let minus: TierDifference = " −3 % ".parse().unwrap();
        assert_eq!(minus.to_string(), "-3%");
        for text in ["", "+", "x", "--1", "+-1", "nan", "inf", "101%", "200pp", "1 2", "%", "pp"] {
            assert!(text.parse::<TierDifference>().is_err(), "{text}");
        }
    }

    #[test]
    fn difference_is_part_of_width() {
        let of = |text: &str| text.parse::<TierDifference>().unwrap();
        assert_eq!(of("5").within(20.0).unwrap().distance, 0.25);
        assert_eq!(of("50").within(20.0).unwrap().distance, 1.0);
        assert_eq!(of("25%").within(20.0).unwrap().distance, 0.25);
        assert!(of("5pp").within(20.0).is_err());
        assert_eq!(of("0.25").in_shares().unwrap().distance, 0.25);
        assert_eq!(of("25%").in_shares().unwrap().distance, 0.25);
        assert!(of("2").in_shares().is_err());
        let narrow = of("5").within(20.0).unwrap().rescaled(20.0, 10.0);
        assert_eq!(narrow.distance, 0.5);
    }
}
