//! Number with its interval, as texts and pages show it.

use suum_core::{Estimate, Interval, Procedure, Quantity, Release, TimeScale};

use crate::data_value;
use crate::figures::{candidate, half_width, quantile_name, significant, trimmed};
use crate::rounding::{Direction, written, written_in_percent};
use crate::sentence::Sentence;

/// Name of the margins of a table.
pub(crate) const ALL: &str = "all";

/// Released number with its name.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) name: String,
    /// Key of the number in the release.
    pub(crate) key: String,
    pub(crate) estimate: f64,
    /// `None` if the number is exact, or nothing is known of its error.
    pub(crate) interval: Option<Interval>,
    pub(crate) writing: Writing,
    /// Text of the number where it differs from the usual one, since shares are rounded so that
    /// they add up.
    pub(crate) shown: Option<String>,
    /// True if it can share an axis with others.
    pub(crate) comparable: bool,
    /// True if it is one of the values of the data.
    pub(crate) is_value: bool,
}

/// Format of a number.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Writing {
    /// Number, to the second digit of this error.
    ToError(f64),
    /// Share of 1 in percent, to the second digit of this error.
    Share(f64),
    /// Difference of shares of 1 in percentage points, to the second digit of this error.
    Points(f64),
    /// Value of the data, to the second digit of this error.
    Value(f64),
    /// Date or time, with the precision that this error justifies.
    Timestamp(TimeScale, f64),
    /// Difference of dates or times, to the second digit of this error.
    Span(TimeScale, f64),
    /// Number with all its digits.
    Exact,
}

impl Writing {
    pub(crate) fn text(self, value: f64) -> String {
        self.rounded(value, Direction::Nearest)
    }

    /// Number, rounded in a direction: the ends of an interval outwards.
    fn rounded(self, value: f64, to: Direction) -> String {
        match self {
            Writing::ToError(error) => written(value, error, to, 0),
            Writing::Share(error) => format!("{} %", written_in_percent(value, error, to)),
            Writing::Points(error) => written_in_percent(value, error, to) + POINTS,
            // The error of a value without an interval is unknown.
            Writing::Value(error) if error.is_nan() => candidate(value),
            Writing::Value(error) => trimmed(&written(value, error, to, 0)),
            Writing::Timestamp(scale, error) => data_value::shown(scale, value, error, to),
            Writing::Span(scale, error) => {
                format!("{} {}", written(value, error, to, 0), scale.unit())
            }
            Writing::Exact => trimmed(&significant(value, 15)),
        }
    }

    /// Format of the same kind with the digits of another error.
    pub(crate) fn to_error(self, error: f64) -> Self {
        match self {
            Self::ToError(_) => Self::ToError(error),
            Self::Share(_) => Self::Share(error.min(0.5)),
            Self::Points(_) => Self::Points(error.min(0.5)),
            Self::Value(_) => Self::Value(error),
            Self::Timestamp(scale, _) => Self::Timestamp(scale, error),
            Self::Span(scale, _) => Self::Span(scale, error),
            Self::Exact => Self::Exact,
        }
    }

    /// Ends of an interval.
    pub(crate) fn ends(self, interval: Interval) -> [String; 2] {
        [self.rounded(interval.lower, Direction::Down), self.rounded(interval.upper, Direction::Up)]
    }
}

impl Figure {
    /// Numbers that a release answers with.
    pub(crate) fn all_of(release: &Release) -> Vec<Self> {
        release.estimates.iter().map(|one| Self::from_estimate(one, release)).collect()
    }

    /// Numbers like [`all_of`](Self::all_of), followed by the margins of a cross table: `north,
    /// all`.
    pub(crate) fn with_margins(release: &Release) -> Vec<Self> {
        let mut all = Self::all_of(release);
        for (at, margin) in release.margins.iter().enumerate() {
            all.extend(margin.shares.iter().map(|one| {
                let figure = Self::from_estimate(one, release);
                let name = match at {
                    0 => format!("{}, {ALL}", figure.name),
                    _ => format!("{ALL}, {}", figure.name),
                };
                Self { key: name.clone(), name, ..figure }
            }));
        }
        all
    }

    /// Number of an estimate of this release, or of one that combines it with another.
    pub(crate) fn from_estimate(one: &Estimate, release: &Release) -> Self {
        // Without an interval the error tells, twice as long.
        let rmse = release.error.map_or(f64::NAN, |error| 2.0 * error.rmse);
        let half = one.interval.map_or(rmse, half_width);
        let exact = release.procedure == Procedure::Exact;
        let name = match &one.of {
            Quantity::Quantile(rank) => quantile_name(rank.get()),
            Quantity::Deviation => "standard deviation".to_owned(),
            other => other.to_string(),
        };
        // The error of a release is that of its first estimate, but not of what comes with a
        // variance, or is one of several statistics.
        let several = matches!(release.statistic(), "variance" | "summary");
        let writing = match &one.of {
            // All of them to the same digit, whatever the noise one that a share has.
            Quantity::Share(_) | Quantity::OtherShares => {
                let intervals = release.estimates.iter().filter_map(|one| one.interval);
                Writing::Share(intervals.map(half_width).fold(half, f64::max).min(0.5))
            }
            Quantity::Quantile(_) => Writing::Value(one.interval.map_or(f64::NAN, half_width)),
            _ if exact => Writing::Exact,
            _ if several => {
                // Four digits where nothing is known.
                let unknown = one.estimate.abs() / 1000.0;
                Writing::ToError(one.interval.map_or(unknown, half_width))
            }
            _ => Writing::ToError(half),
        };
        let writing = match (release.scale(), writing) {
            (Some(scale), Writing::Value(error)) => Writing::Timestamp(scale, error),
            (Some(scale), Writing::ToError(error)) if one.of.is_value() => {
                Writing::Timestamp(scale, error)
            }
            (Some(scale), Writing::ToError(error)) if one.of == Quantity::Deviation => {
                Writing::Span(scale, error)
            }
            (_, writing) => writing,
        };
        Self {
            name,
            key: one.of.to_string(),
            estimate: one.estimate,
            interval: one.interval.filter(|_| !exact),
            writing,
            shown: None,
            comparable: !matches!(one.of, Quantity::Variance | Quantity::Deviation),
            is_value: one.of.is_value(),
        }
    }

    /// Difference of two estimates, one of them of this release.
    pub(crate) fn from_difference(one: &Estimate, release: &Release) -> Self {
        let figure = Self::from_estimate(one, release);
        let writing = match figure.writing {
            Writing::Timestamp(scale, error) => Writing::Span(scale, error),
            Writing::Share(error) => Writing::Points(error),
            writing => writing,
        };
        Self { writing, ..figure }
    }

    /// Estimate in words.
    pub(crate) fn text(&self) -> String {
        self.shown.clone().unwrap_or_else(|| self.writing.text(self.estimate))
    }

    /// Returns true if there is no error.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.writing, Writing::Exact)
    }

    /// Interval in words, or a note that there is none.
    pub(crate) fn interval_text(&self) -> String {
        self.show_interval().text()
    }

    /// Estimate by itself.
    pub(crate) fn show(&self) -> Sentence {
        Sentence::default().number(self.text(), self.estimate)
    }

    /// Interval, or a note that there is none.
    pub(crate) fn show_interval(&self) -> Sentence {
        let Some(interval) = self.interval else {
            return if self.is_exact() { "exact" } else { NO_INTERVAL }.into();
        };
        let [lower, upper] = self.writing.ends(interval);
        // The unit once.
        let unit = if let Writing::Points(_) = self.writing { POINTS } else { "" };
        Sentence::default()
            .number(lower.trim_end_matches(unit), interval.lower)
            .say(" to ")
            .number(upper, interval.upper)
    }
}

/// Unit of a difference of shares in percent.
const POINTS: &str = " points";

/// Text in place of a missing interval.
pub(crate) const NO_INTERVAL: &str = "no interval";

#[cfg(test)]
mod tests {
    use super::*;

    /// Number in a text, with percent as a share.
    fn number(text: &str) -> f64 {
        let is_percent = text.contains('%') || text.contains("points");
        let digits = text.split(' ').next().unwrap().replace(',', "");
        let (mantissa, power) = digits.split_once('e').unwrap_or((&digits, "0"));
        let power = power.parse::<i32>().unwrap() - if is_percent { 2 } else { 0 };
        format!("{mantissa}e{power}").parse().unwrap()
    }

    #[test]
    fn ends_are_outside_of_intervals_in_every_notation() {
        let mut state = 7_u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..2000 {
            let magnitude = 10f64.powf(37.0 * unit() - 12.0);
            let estimate = if unit() < 0.5 { -magnitude } else { magnitude };
            let mut half =
                || if unit() < 0.1 { 0.0 } else { magnitude * 10f64.powf(21.0 * unit() - 20.0) };
            let (lower, upper) = (estimate - half(), estimate + half());
            let interval = Interval { confidence: 0.95, lower, upper };
            let error = half_width(interval);
            for writing in [
                Writing::ToError(error),
                Writing::Share(error),
                Writing::Points(error),
                Writing::Value(error),
                Writing::Span(TimeScale::Days, error),
            ] {
                let [low, high] = writing.ends(interval);
                let shown = writing.text(estimate);
                let case = format!("{writing:?} {interval:?}: {shown} in {low} to {high}");
                assert!(number(&low) <= lower && upper <= number(&high), "{case}");
                assert!(number(&low) <= number(&shown), "{case}");
                assert!(number(&shown) <= number(&high), "{case}");
            }
        }
    }

    #[test]
    fn shares_are_rounded_as_decimal_numbers() {
        let interval = Interval { confidence: 0.95, lower: 0.07, upper: 0.29 };
        // Computed as doubles, 100 · 0.07 and 100 · 0.29 are not 7 and 29.
        assert_eq!(Writing::Share(0.011).ends(interval), ["7.0 %", "29.0 %"]);
        assert_eq!(Writing::Points(0.011).ends(interval), ["7.0 points", "29.0 points"]);
    }
}
