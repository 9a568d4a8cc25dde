//! The estimators side by side.

use crate::figures::{excess, significant};
use crate::sentence::{Piece, Sentence};
use crate::table::Table;

/// Row of one estimator.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Error and its parts.
    pub(crate) error: f64,
    pub(crate) parts: Option<[f64; 2]>,
    pub(crate) tau: Option<f64>,
    /// Error by which it is compared with the others.
    pub(crate) root: f64,
    pub(crate) chosen: bool,
    /// True if it is listed for comparison only.
    pub(crate) for_study: bool,
}

/// Table of these estimators, in this order; `error` is the heading of the column of errors.
pub(crate) fn table(caption: &str, error: &str, rows: &[Row]) -> Table {
    let figure = |figure: f64| significant(figure, 4);
    let part = |row: &Row, at: usize| row.parts.map_or_else(String::new, |parts| figure(parts[at]));
    let best = rows.iter().map(|row| row.root).fold(f64::INFINITY, f64::min);
    // Among rows that differ by rounding alone, the first.
    let first = rows.iter().position(|row| row.root <= best * (1.0 + 1e-12));
    let versus = |row: &Row| match first.is_some_and(|at| std::ptr::eq(&rows[at], row)) {
        true => "best".to_owned(),
        false => excess(row.root, best),
    };
    Table::from_rows(caption, rows)
        .words("estimator", Row::named)
        .number(error, |row| Sentence::default().number(figure(row.error), row.error))
        .when(rows.iter().any(|row| row.parts.is_some()), |table| {
            table.number("noise", |row| part(row, 0)).number("sampling", |row| part(row, 1))
        })
        .when(rows.iter().any(|row| row.tau.is_some()), |table| {
            table.number("τ", |row| row.tau.map_or_else(String::new, figure))
        })
        .number("compared with the best", versus)
        .into()
}

impl Row {
    fn named(&self) -> Sentence {
        let for_study = if self.for_study { " (for study)" } else { "" };
        match self.chosen {
            true => Sentence(vec![Piece::Chosen(format!("{} (chosen){for_study}", self.name))]),
            false => format!("{}{for_study}", self.name).into(),
        }
    }
}
