//! Expected errors of a plan, and the split of its budgets.

use suum_core::Unit;

use crate::content::Content;
use crate::figures::{percent, significant};
use crate::sentence::Sentence;

/// Expected error of an estimate, as it is shown.
pub(crate) struct PlannedError {
    /// Name of the estimate, such as `the mean`.
    pub(crate) of: String,
    /// Kind of unit.
    pub(crate) kind: Unit,
    pub(crate) figure: f64,
    /// Text of the unit after the figure.
    pub(crate) unit: String,
    /// Estimator, or another remark.
    pub(crate) by: String,
}

impl PlannedError {
    /// Error of values in this unit.
    pub(crate) fn new(
        of: impl Into<String>,
        figure: f64,
        unit: impl Into<String>,
        by: String,
    ) -> Self {
        Self { of: of.into(), kind: Unit::Value, figure, unit: unit.into(), by }
    }

    /// Error of a share of 1.
    pub(crate) fn for_share(of: &str, error: f64, by: String) -> Self {
        Self { kind: Unit::Share, ..Self::new(of, error * 100.0, " percentage points", by) }
    }

    /// Error of a rank.
    pub(crate) fn for_rank(of: &str, error: f64, by: String) -> Self {
        Self { kind: Unit::Rank, ..Self::for_share(of, error, by) }
    }

    /// Error where no bounds are declared: of values in standard deviations.
    pub(crate) fn in_deviations(self) -> Self {
        let unit = match self.kind {
            Unit::Value => " standard deviations of the values".to_owned(),
            Unit::Square => " squared standard deviations of the values".to_owned(),
            Unit::Share | Unit::Rank | Unit::Records => self.unit,
        };
        Self { unit, ..self }
    }

    /// Factor and unit of such an error in short texts: points for shares, otherwise nothing.
    pub(crate) fn scale(&self) -> (f64, &'static str) {
        match self.kind {
            Unit::Share | Unit::Rank => (100.0, " points"),
            Unit::Value | Unit::Square | Unit::Records => (1.0, ""),
        }
    }

    /// Kind of error in words.
    fn what(&self) -> &'static str {
        if self.kind == Unit::Rank { "error of the rank" } else { "error" }
    }

    /// Figure with `digits` digits, and its unit.
    fn text(&self, digits: i32) -> String {
        format!("{}{}", significant(self.figure, digits), self.unit)
    }

    /// Short text of all errors.
    pub(crate) fn brief(errors: &[Self]) -> String {
        match errors {
            [] => String::new(),
            [one] => format!("expected {} {}", one.what(), one.text(3)),
            _ => "several errors".to_owned(),
        }
    }

    /// Sentence for each error.
    pub(crate) fn sentences(errors: &[Self]) -> impl Iterator<Item = Sentence> {
        let is_one = errors.len() == 1;
        errors.iter().enumerate().map(move |(at, one)| {
            let before = match at {
                0 if is_one => format!("The {} is expected to be ", one.what()),
                0 => format!("The expected {} of {} is ", one.what(), one.of),
                _ => format!("That of {} is ", one.of),
            };
            let number = Sentence::from(before).number(significant(one.figure, 4), one.figure);
            number.say(format!("{}.", one.unit))
        })
    }
}

/// Errors of several statistics in one sentence.
pub(crate) fn several(when: &str, errors: &[PlannedError]) -> String {
    let each = errors.iter().map(|one| {
        let of = one.of.trim_start_matches("the ");
        let rank = if one.kind == Unit::Rank { " of rank" } else { "" };
        format!("{of}: {}{rank}, {}", one.text(4), one.by)
    });
    let each: Vec<String> = each.collect();
    format!("These root mean squared errors are expected {when}: {}.", each.join("; "))
}

/// Section on the split of every budget, and the remark below it.
pub(crate) fn split(parts: impl Iterator<Item = (f64, String)>, below: Option<String>) -> Content {
    let mut inside = Content::default();
    inside.points(parts.map(|(share, what)| format!("{}: {what}", percent(share))).collect());
    inside.say_all(below);
    let mut content = Content::default();
    content.section("split", "How every budget would be split", inside);
    content
}
