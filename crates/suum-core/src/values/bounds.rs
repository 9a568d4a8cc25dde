//! The declared range of the data.

use serde::Serialize;

use crate::error::{for_example, option, say};
use crate::{Error, Result, TimeScale};

/// Declared bounds [lo, hi] of every value, in the units of the data.
///
/// Values outside are clamped. Bounds must come from public knowledge (a questionnaire's scale, a
/// legal limit): bounds read off the data would reveal its extremes.
///
/// # Example
///
/// ```
/// use suum_core::Bounds;
///
/// let visits: Bounds = "0,77".parse()?;
/// assert_eq!((visits.lower(), visits.upper(), visits.width()), (0.0, 77.0, 77.0));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(into = "[f64; 2]")]
pub struct Bounds {
    lower: f64,
    upper: f64,
    scale: Option<TimeScale>,
}

impl Bounds {
    /// The unit interval, for planning in units of the range.
    pub const UNIT: Bounds = Bounds { lower: 0.0, upper: 1.0, scale: None };

    /// Returns bounds from `lower` to `upper`.
    ///
    /// # Errors
    ///
    /// Refuses bounds that are not finite, reversed or equal, and ranges narrower than 1e-140 or
    /// wider than 1e140, which double precision cannot divide into a grid.
    pub fn new(lower: f64, upper: f64) -> Result<Self> {
        if !lower.is_finite() || !upper.is_finite() {
            return Err(Error::parameter(option::BOUNDS, "both bounds must be finite numbers")
                .with_fix(
                    say("declare the range the values can take, for example")
                        .set(option::BOUNDS, "0,100"),
                ));
        }
        if lower == upper {
            return Err(Error::parameter(
                option::BOUNDS,
                "the lower and the upper bound are equal",
            )
            .with_fix(
                say("declare a range of positive width, for example").set(option::BOUNDS, "0,100"),
            ));
        }
        if lower > upper {
            return Err(Error::parameter(
                option::BOUNDS,
                "the lower bound must be below the upper bound",
            )
            .with_fix(say("swap the two numbers:").set(option::BOUNDS, "LO,HI")));
        }
        let width = upper - lower;
        if !(1e-140..=1e140).contains(&width) {
            return Err(Error::parameter(
                option::BOUNDS,
                "the width must lie between 1e-140 and 1e140",
            )
            .with_fix("change the unit of the data"));
        }
        // Adding 0.0 turns -0.0 into 0.0, which would otherwise print as "-0".
        Ok(Self { lower: lower + 0.0, upper: upper + 0.0, scale: None })
    }

    /// Returns the bounds with a scale of dates or times: their numbers count days or seconds on
    /// it.
    #[must_use]
    pub fn on(self, scale: Option<TimeScale>) -> Self {
        Self { scale, ..self }
    }

    /// Returns the scale of dates or times; `None` if values are plain numbers.
    pub fn scale(self) -> Option<TimeScale> {
        self.scale
    }

    /// Both ends as text: numbers, or dates and times in ISO 8601.
    pub fn texts(self) -> [String; 2] {
        let text = |end: f64| self.scale.map_or_else(|| end.to_string(), |scale| scale.text(end));
        [self.lower, self.upper].map(text)
    }

    /// lo, in the units of the data.
    pub fn lower(self) -> f64 {
        self.lower
    }

    /// hi, in the units of the data.
    pub fn upper(self) -> f64 {
        self.upper
    }

    /// h = hi − lo, in the units of the data.
    pub fn width(self) -> f64 {
        self.upper - self.lower
    }

    /// The middle of the range.
    pub fn midpoint(self) -> f64 {
        self.lower + self.width() / 2.0
    }

    /// Returns the nearest value inside the bounds.
    pub fn clamp(self, value: f64) -> f64 {
        value.clamp(self.lower, self.upper)
    }
}

/// `LO,HI`, as on the command line: numbers, dates, or times.
impl std::str::FromStr for Bounds {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parsed = text.split_once(',').and_then(|(lower, upper)| {
            Some((lower.trim().parse::<f64>().ok()?, upper.trim().parse::<f64>().ok()?))
        });
        let scale = || TimeScale::detect_common(text.split(','));
        let dated = |scale: TimeScale| {
            let (lower, upper) = text.split_once(',')?;
            let number = |end: &str| scale.number(end.trim_ascii().as_bytes());
            Some((number(lower)?, number(upper)?, scale))
        };
        match (parsed, scale().and_then(dated)) {
            (Some((lower, upper)), _) => Self::new(lower, upper),
            (None, Some((lower, upper, scale))) => {
                Self::new(lower, upper).map(|bounds| bounds.on(Some(scale)))
            }
            (None, None) => Err(Error::parameter(option::BOUNDS, "expected two numbers, LO,HI")
                .with_fix(
                    for_example(option::BOUNDS, "0,100")
                        .say(", or two dates as in 2020-01-01,2024-12-31; write")
                        .set(option::BOUNDS, "-5,5")
                        .say("when the lower bound is negative"),
                )),
        }
    }
}

/// `[lo, hi]`.
impl From<Bounds> for [f64; 2] {
    fn from(bounds: Bounds) -> Self {
        [bounds.lower, bounds.upper]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_every_unusable_range() {
        for (lower, upper) in [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NEG_INFINITY, 1.0),
            (0.0, f64::INFINITY),
            (f64::NAN, 1.0),
            (0.0, f64::NAN),
            (-1e300, 1e300),
            (0.0, 1e-300),
        ] {
            let refused = Bounds::new(lower, upper).unwrap_err();
            assert!(refused.fix().is_some());
            assert!(refused.to_string().starts_with("bounds: "));
        }
        for text in ["", "1", "1,", "a,b", "1;2", "1,2,3", "2020-01-01", "2020-01-01,5"] {
            assert!(text.parse::<Bounds>().is_err(), "{text}");
        }
        for text in ["2020-01-01,2020-01-01", "2020-01-02,2020-01-01", "2020-01-01,08:00"] {
            assert!(text.parse::<Bounds>().is_err(), "{text}");
        }
    }

    #[test]
    fn dates_are_bounds() {
        let bounds = |text: &str| text.parse::<Bounds>().unwrap();
        let dates = bounds("1970-01-01, 1970-02-01");
        assert_eq!(
            (dates.lower(), dates.upper(), dates.scale()),
            (0.0, 31.0, Some(TimeScale::Days))
        );
        assert_eq!(dates.texts(), ["1970-01-01", "1970-02-01"]);
        assert_ne!(dates, Bounds::new(0.0, 31.0).unwrap());
        assert_eq!(bounds("08:00,17:30").texts(), ["08:00:00", "17:30:00"]);
        assert_eq!(bounds("1970-01-01,1970-01-01T01:00").upper(), 3600.0);
        assert_eq!(bounds("0,77.5").texts(), ["0", "77.5"]);
    }
}
