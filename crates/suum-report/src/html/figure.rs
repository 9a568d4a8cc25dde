//! A number with its interval, as a page shows it.

use suum_core::{Estimate, Interval, Procedure, Quantity, Release};

use super::markup::Markup;
use crate::figures::{candidate, quantile_name, quarter_width, significant, to_error, trimmed};

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
    /// Whether it can share an axis with others.
    pub(crate) comparable: bool,
}

/// How a number is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Writing {
    /// To the second digit of this error.
    ToError(f64),
    /// As a share of 1 in percent, to the second digit of this error.
    Share(f64),
    /// As a value of the data.
    Value,
    /// In full.
    Exact,
}

impl Writing {
    pub(crate) fn text(self, value: f64) -> String {
        match self {
            Writing::ToError(error) => to_error(value, error),
            Writing::Share(error) => format!("{} %", to_error(value * 100.0, error * 100.0)),
            Writing::Value => candidate(value),
            Writing::Exact => trimmed(&significant(value, 15)),
        }
    }

    /// The number with all its digits beside what is shown of it.
    pub(crate) fn show(self, out: &mut Markup, value: f64) {
        out.element("data", &[("value", &value.to_string())], |data| data.text(&self.text(value)));
    }
}

impl Figure {
    /// The numbers that a release answers with.
    pub(crate) fn all_of(release: &Release) -> Vec<Self> {
        release.estimates.iter().map(|one| Self::of(one, release)).collect()
    }

    fn of(one: &Estimate, release: &Release) -> Self {
        let rmse = release.error.map_or(f64::NAN, |error| error.rmse);
        let exact = release.procedure == Procedure::Exact;
        let name = match &one.of {
            Quantity::Quantile(rank) => quantile_name(rank.get()),
            Quantity::Deviation => "standard deviation".to_owned(),
            other => other.to_string(),
        };
        // The error of a release is that of its first estimate; what comes with a variance, or is
        // one of several statistics, is written to the quarter of its interval, which is about
        // that.
        let several = matches!(release.statistic(), "variance" | "summary");
        let writing = match &one.of {
            Quantity::Share(_) => Writing::Share(rmse),
            Quantity::Quantile(_) => Writing::Value,
            _ if exact => Writing::Exact,
            _ if several => {
                // Four digits where nothing is known.
                let unknown = one.estimate.abs() / 1000.0;
                Writing::ToError(one.interval.map_or(unknown, quarter_width))
            }
            _ => Writing::ToError(rmse),
        };
        Self {
            name,
            key: one.of.to_string(),
            estimate: one.estimate,
            interval: one.interval.filter(|_| !exact),
            writing,
            comparable: !matches!(one.of, Quantity::Variance | Quantity::Deviation),
        }
    }

    /// Whether it is a quantile.
    pub(crate) fn is_of_rank(&self) -> bool {
        matches!(self.writing, Writing::Value)
    }

    /// Whether there is no error.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.writing, Writing::Exact)
    }

    /// The interval in words, or that there is none.
    pub(crate) fn interval_text(&self) -> String {
        match self.interval {
            Some(interval) => format!(
                "{} to {}",
                self.writing.text(interval.lower),
                self.writing.text(interval.upper)
            ),
            None if self.is_exact() => "exact".to_owned(),
            None => NO_INTERVAL.to_owned(),
        }
    }

    /// The interval in words, with the numbers behind it.
    pub(crate) fn show_interval(&self, out: &mut Markup) {
        match self.interval {
            Some(interval) => {
                self.writing.show(out, interval.lower);
                out.text(" to ");
                self.writing.show(out, interval.upper);
            }
            None if self.is_exact() => out.text("exact"),
            None => out.text(NO_INTERVAL),
        }
    }
}

/// What stands in place of an interval where there is none.
pub(crate) const NO_INTERVAL: &str = "no interval";
