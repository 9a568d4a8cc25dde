//! Parts of a level table that a statistic needs; the table may have been made for another one.

use suum_core::{
    Bounds, Categories, Cells, Command, Error, LevelTable, Numbers, Result, option, say,
};

/// Numbers that were added up.
pub(crate) fn numbers(table: &LevelTable) -> Result<&Numbers> {
    table.numbers().ok_or_else(no_sums)
}

/// Refusal of a table in which nothing was added up.
pub(crate) fn no_sums() -> Error {
    Error::table("level table", "it has counts but no sums").with_fix(
        say("make it with a value column:")
            .command(Command::levels(&[(option::VALUE, "COL"), (option::BOUNDS, "LO,HI")])),
    )
}

/// Numbers that were added up, and their squares.
pub(crate) fn squares(table: &LevelTable) -> Result<&Numbers> {
    table.numbers().filter(|numbers| numbers.squares).ok_or_else(|| {
        Error::table("level table", "it has no squares, which a variance needs").with_fix(
            say("make it anew:")
                .command(Command::levels(&[(option::VALUE, "COL"), (option::BOUNDS, "LO,HI")])),
        )
    })
}

/// Bounds of the values, and the candidates at which rows were counted.
pub(crate) fn candidates(table: &LevelTable) -> Result<(Bounds, Cells)> {
    // Sums in cells are for means: persons lie there with the mean of their rows.
    let counted = table.numbers().and_then(|numbers| {
        let cells = numbers.cells.filter(|cells| !cells.has_sums())?;
        Some((numbers.grid.bounds(), cells))
    });
    counted.ok_or_else(no_candidates)
}

/// Refusal of a table without counts at candidates.
pub(crate) fn no_candidates() -> Error {
    Error::table("level table", "it has no counts at candidates, which quantiles need").with_fix(
        say("make it for quantiles:").command(Command::levels(&[
            (option::VALUE, "COL"),
            (option::BOUNDS, "LO,HI"),
            (option::CELLS, "65536"),
        ])),
    )
}

/// Categories that were counted.
pub(crate) fn categories(table: &LevelTable) -> Result<Categories> {
    table.categories().cloned().ok_or_else(|| {
        Error::table("level table", "it has no counts of categories").with_fix(
            say("make it with categories:")
                .command(Command::levels(&[(option::VALUE, "COL"), (option::CATEGORIES, "A,B")])),
        )
    })
}
