//! What everybody spent, as a table.

use std::fmt::{Result, Write};

use suum_core::{Protected, Release, Spending};

use crate::figures::{budget, count, spent, tier};
use crate::prose;
use crate::prose::Text;
use crate::table::{Table, selection};
use crate::tiers::{self, LINES, Line, kept};

/// The certificate as a table.
pub(crate) fn write(out: &mut Text, release: &Release) -> Result {
    if release.neighbors().hides_participation() {
        return write_declared(out, &release.privacy, release.protects(), "spent ε");
    }
    out.heading("What each tier allowed and what was really spent");
    let lines: Vec<Line> = release.privacy.iter().map(Line::of_release).collect();
    tiers::write(out, &lines, "spent ε", release.protects());
    Ok(())
}

/// The certificate where it is hidden who takes part: declared budgets, whether or not anybody has
/// them.
pub(crate) fn write_declared(
    out: &mut Text,
    privacy: &[Spending],
    whom: Protected,
    heading: &str,
) -> Result {
    writeln!(out)?;
    prose::paragraph(out, &declared(whom));
    let mut table = Table::new(1, ["tier", "allowed ε", heading, "kept"]);
    for position in selection(privacy.len(), LINES) {
        table.row(match position.and_then(|position| privacy.get(position)) {
            Some(row) => [
                tier(&row.level, row.epsilon),
                budget(row.epsilon),
                spent(&row.spent, row.epsilon),
                kept(&row.spent, row.epsilon),
            ],
            None => {
                let more = format!("… {} more", count((privacy.len() - LINES) as u64));
                [more, String::new(), String::new(), String::new()]
            }
        });
    }
    out.table(&table);
    Ok(())
}

/// Whose spending the certificate states.
fn declared(whom: Protected) -> String {
    format!(
        "What {} with the declared budgets allow and spend, whether or not there are any",
        whom.many()
    )
}
