//! Outcomes as CSV: a row for every number.

use std::fmt::Write;

use crate::outcome::{Outcome, Panel, Role};
use crate::value_with_error::ValueWithError;

/// Writes every number of the outcome, a row each: the panel, the series or column, the kind of
/// number, its position (x and y, or the row of a table), the number and its standard error, which
/// is 0 for exact ones.
pub fn csv(outcome: &Outcome) -> String {
    let mut out = "panel,series,kind,x,y,value,standard_error\n".to_owned();
    let mut row =
        |panel: &str, series: &str, kind: &str, x: &str, y: &str, number: ValueWithError| {
            let cells = [panel, series, kind, x, y].map(quoted).join(",");
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{cells},{:.9e},{:.3e}", number.value, number.error);
        };
    for panel in &outcome.panels {
        let name = panel.name();
        match panel {
            Panel::Chart(chart) => {
                for series in &chart.series {
                    for (x, number) in &series.points {
                        row(name, &series.name, kind(series.role), &place(*x), "", *number);
                    }
                }
            }
            Panel::Heatmap(heatmap) => {
                for (y, numbers) in heatmap.y.1.iter().zip(&heatmap.values) {
                    for (x, number) in heatmap.x.1.iter().zip(numbers) {
                        let number = ValueWithError::exact(*number);
                        row(name, &heatmap.z, "exact", &place(*x), &place(*y), number);
                    }
                }
            }
            // Their numbers are those of a table.
            Panel::Dots(_) => {}
            Panel::Table(table) => {
                for (label, entries) in &table.rows {
                    for ((column, role), entry) in table.columns.iter().zip(entries) {
                        if let Some(published) = entry.published {
                            row(
                                name,
                                column,
                                "published",
                                label,
                                "",
                                ValueWithError::exact(published),
                            );
                        }
                        if let Some(ours) = entry.ours {
                            row(name, column, kind(*role), label, "", ours);
                        }
                    }
                }
            }
        }
    }
    out
}

/// Position on an axis, without the last digits, which are rounding errors.
fn place(number: f64) -> String {
    format!("{number:.11e}").parse().unwrap_or(number).to_string()
}

fn kind(role: Role) -> &'static str {
    match role {
        Role::Published => "published",
        Role::Theirs => "published estimator, measured here",
        Role::Auto => "suum, measured here",
        Role::Bound | Role::Exact => "formula",
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
