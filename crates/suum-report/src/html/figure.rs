//! A number with its interval, as a page shows it.

use suum_core::{Estimate, Frequency, Interval, Quantile};

use super::markup::Markup;
use crate::figures::{significant, to_error};
use crate::quantiles;
use crate::variance::reach;

/// A number that was released, with its name.
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) estimate: f64,
    /// None where the number is exact, and where none can be given.
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
            Writing::Value => quantiles::value(value),
            Writing::Exact => significant(value, 15),
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
            estimate: one.estimate,
            interval: Some(one.interval),
            writing: Writing::Share(rmse),
            comparable: true,
        }
    }

    pub(crate) fn of_quantile(one: &Quantile) -> Self {
        Self {
            name: quantiles::name(one.q.get()),
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
            estimate: one.estimate,
            interval: Some(one.interval),
            writing: Writing::ToError(reach(one)),
            comparable,
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
            None if matches!(self.writing, Writing::Exact) => out.text("exact"),
            None => out.text("none"),
        }
    }
}
