//! A number with its interval, as texts and pages show it.

use suum_core::{Estimate, Interval, Procedure, Quantity, Release, TimeScale};

use crate::data_value;
use crate::figures::{
    candidate, half_width, outwards, quantile_name, significant, to_error, trimmed,
};
use crate::sentence::Sentence;

/// What the margins of a table are called.
pub(crate) const ALL: &str = "all";

/// A number that was released, with its name.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) name: String,
    /// What the release itself calls it.
    pub(crate) key: String,
    pub(crate) estimate: f64,
    /// None where the number is exact, or nothing is known of its error.
    pub(crate) interval: Option<Interval>,
    pub(crate) writing: Writing,
    /// As it is shown elsewhere, where that is not as it is written by itself: rounded so that it
    /// adds up.
    pub(crate) shown: Option<String>,
    /// Whether it can share an axis with others.
    pub(crate) comparable: bool,
    /// Whether it is one of the values of the data.
    pub(crate) is_value: bool,
}

/// How a number is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Writing {
    /// To the second digit of this error.
    ToError(f64),
    /// As a share of 1 in percent, to the second digit of this error.
    Share(f64),
    /// As a difference of shares of 1, in percentage points, to the second digit of this error.
    Points(f64),
    /// As a value of the data, to the second digit of this error.
    Value(f64),
    /// As a date or a time, as near as this error makes sense.
    Timestamp(TimeScale, f64),
    /// As a difference of dates or times, to the second digit of this error.
    Span(TimeScale, f64),
    /// In full.
    Exact,
}

impl Writing {
    pub(crate) fn text(self, value: f64) -> String {
        match self {
            Writing::ToError(error) => to_error(value, error),
            Writing::Share(error) => format!("{} %", to_error(value * 100.0, error * 100.0)),
            Writing::Points(error) => to_error(value * 100.0, error * 100.0) + POINTS,
            Writing::Value(error) if error > 0.0 => trimmed(&to_error(value, error)),
            Writing::Value(_) => candidate(value),
            Writing::Timestamp(scale, error) => data_value::shown(scale, value, error, None),
            Writing::Span(scale, error) => format!("{} {}", to_error(value, error), scale.unit()),
            Writing::Exact => trimmed(&significant(value, 15)),
        }
    }

    /// The end of an interval, which rounding moves outwards only.
    fn end(self, value: f64, up: bool) -> String {
        match self {
            Writing::ToError(error) => outwards(value, error, up),
            Writing::Share(error) => format!("{} %", outwards(value * 100.0, error * 100.0, up)),
            Writing::Points(error) => outwards(value * 100.0, error * 100.0, up) + POINTS,
            Writing::Value(error) if error > 0.0 => trimmed(&outwards(value, error, up)),
            Writing::Timestamp(scale, error) => data_value::shown(scale, value, error, Some(up)),
            Writing::Span(scale, error) => {
                format!("{} {}", outwards(value, error, up), scale.unit())
            }
            Writing::Value(_) | Writing::Exact => self.text(value),
        }
    }

    /// The ends of an interval.
    pub(crate) fn ends(self, interval: Interval) -> [String; 2] {
        [self.end(interval.lower, false), self.end(interval.upper, true)]
    }
}

impl Figure {
    /// The numbers that a release answers with.
    pub(crate) fn all_of(release: &Release) -> Vec<Self> {
        release.estimates.iter().map(|one| Self::of(one, release)).collect()
    }

    /// As [`all_of`](Self::all_of), and behind the cells of a table its margins: `north, all`.
    pub(crate) fn with_margins(release: &Release) -> Vec<Self> {
        let mut all = Self::all_of(release);
        for (at, margin) in release.margins.iter().enumerate() {
            all.extend(margin.shares.iter().map(|one| {
                let figure = Self::of(one, release);
                let name = match at {
                    0 => format!("{}, {ALL}", figure.name),
                    _ => format!("{ALL}, {}", figure.name),
                };
                Self { key: name.clone(), name, ..figure }
            }));
        }
        all
    }

    /// The number of an estimate of this release, or of one that is made of it and another.
    pub(crate) fn of(one: &Estimate, release: &Release) -> Self {
        // Without an interval the error tells, twice as long.
        let rmse = release.error.map_or(f64::NAN, |error| 2.0 * error.rmse);
        let half = one.interval.map(half_width).filter(|half| *half > 0.0).unwrap_or(rmse);
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
            Quantity::Share(_) => {
                let intervals = release.estimates.iter().filter_map(|one| one.interval);
                Writing::Share(intervals.map(half_width).fold(half, f64::max).min(0.5))
            }
            Quantity::Quantile(_) => Writing::Value(one.interval.map_or(0.0, half_width)),
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

    /// The difference of two estimates, one of them of this release.
    pub(crate) fn of_difference(one: &Estimate, release: &Release) -> Self {
        let figure = Self::of(one, release);
        let writing = match figure.writing {
            Writing::Timestamp(scale, error) => Writing::Span(scale, error),
            Writing::Share(error) => Writing::Points(error),
            writing => writing,
        };
        Self { writing, ..figure }
    }

    /// The estimate in words.
    pub(crate) fn text(&self) -> String {
        self.shown.clone().unwrap_or_else(|| self.writing.text(self.estimate))
    }

    /// Whether there is no error.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.writing, Writing::Exact)
    }

    /// The interval in words, or that there is none.
    pub(crate) fn interval_text(&self) -> String {
        self.show_interval().text()
    }

    /// The estimate as it is written by itself.
    pub(crate) fn show(&self) -> Sentence {
        Sentence::default().number(self.writing.text(self.estimate), self.estimate)
    }

    /// The interval, or that there is none.
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

/// The unit of a difference of shares in percent.
const POINTS: &str = " points";

/// What stands in place of an interval where there is none.
pub(crate) const NO_INTERVAL: &str = "no interval";
