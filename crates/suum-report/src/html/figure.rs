//! A number with its interval, as a page shows it.

use suum_core::{Estimate, Frequency, Interval, Quantile};

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
    pub(crate) fn of_share(one: &Frequency, rmse: f64) -> Self {
        Self {
            name: one.category.clone(),
            key: one.category.clone(),
            estimate: one.estimate,
            interval: Some(one.interval),
            writing: Writing::Share(rmse),
            comparable: true,
        }
    }

    pub(crate) fn of_quantile(one: &Quantile) -> Self {
        Self {
            name: quantile_name(one.q.get()),
            key: one.q.to_string(),
            estimate: one.estimate,
            interval: one.interval,
            writing: Writing::Value,
            comparable: true,
        }
    }

    /// A mean, a variance or a deviation.
    pub(crate) fn of_moment(name: &str, one: &Estimate, comparable: bool) -> Self {
        Self {
            name: name.to_owned(),
            key: if name == "standard deviation" { "deviation" } else { name }.to_owned(),
            estimate: one.estimate,
            interval: Some(one.interval),
            writing: Writing::ToError(quarter_width(one)),
            comparable,
        }
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
