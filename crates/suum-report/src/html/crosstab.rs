//! A table of two columns on a page: each share with its interval below it, and the margins.

use maud::{Markup, Render, html};

use super::markup::{data, label};
use super::table::Table;
use crate::crosstab::{Cell, Crossed, LINES};

/// The table; of very many rows the first and the last.
pub(crate) fn show(caption: &str, crossed: &Crossed) -> Markup {
    let rows: Vec<_> = crossed.labels[0].iter().zip(&crossed.rows).collect();
    let mut table = Table::at_most(LINES, caption, &rows)
        .words(crossed.columns.join(" / "), |(name, _)| label(name));
    for (at, heading) in crossed.labels[1].iter().enumerate() {
        table = table
            .number(label(heading), move |(_, cells)| cells.get(at).map(cell).unwrap_or_default());
    }
    table.render()
}

fn cell(cell: &Cell) -> Markup {
    html! {
        (data(cell.estimate, &cell.text))
        @if let Some(([lower, upper], interval)) = &cell.interval {
            small class="below" {
                (data(interval.lower, lower)) " to " (data(interval.upper, upper))
            }
        }
    }
}
