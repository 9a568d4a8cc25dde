//! A level table to its file.

use std::io::Write;

use serde::Serialize;
use suum_core::{
    Bounds, Categories, Cells, Epsilon, Error, ExactSum, Grid, LevelTable, Measure, QueryRows,
    Replacement, Result,
};

use super::{FORMAT, VERSION};

#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    version: u64,
    warning: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<&'a Categories>,
    #[serde(skip_serializing_if = "Option::is_none")]
    squares: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_sums: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    person: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a Replacement>,
    records: u64,
    levels: Vec<WrittenLevel<'a>>,
}

#[derive(Serialize)]
struct WrittenLevel<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'a str>,
    epsilon: Epsilon,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sum: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    squares: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<&'a [(u32, u64)]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_sums: Option<Vec<(String, String)>>,
}

/// Writes a level table with its raw sums as JSON, so that a release can be made from it elsewhere.
///
/// The file is as private as the data: whoever has it knows exact sums.
///
/// # Errors
///
/// If the output cannot be written.
///
/// # Example
///
/// ```
/// # use suum_core::{Cohort, Epsilon, LevelTable, Measure};
/// use suum_data::{read_levels, write_levels};
///
/// let cohort = Cohort {
///     label: None,
///     epsilon: Epsilon::PUBLIC,
///     count: 3,
///     sums: vec![],
///     cells: Default::default(),
/// };
/// let table = LevelTable::new(None, Measure::Nothing, vec![cohort])?;
/// let mut file = Vec::new();
/// write_levels(&table, &mut file)?;
/// assert_eq!(read_levels(file.as_slice())?, table);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn write_levels(table: &LevelTable, mut out: impl Write) -> Result<()> {
    let (grid, categories) = (table.grid(), table.categories());
    let squares = table.numbers().is_some_and(|numbers| numbers.squares);
    let cells = table.numbers().and_then(|numbers| numbers.cells);
    let decimal = |sum: &ExactSum| sum.expose_raw().to_string();
    let written = Written {
        format: FORMAT,
        version: VERSION,
        warning: "raw sums: not private",
        column: table.column().filter(|_| *table.measure() != Measure::Nothing),
        bounds: grid.map(Grid::bounds),
        grid: grid.map(Grid::points),
        categories,
        squares: squares.then_some(true),
        cells: cells.map(Cells::steps),
        cell_sums: cells.filter(|cells| cells.has_sums()).map(|_| true),
        rows: cells.map(Cells::rows).filter(|rows| *rows != 1),
        person: table.person(),
        query: table.query().map(QueryRows::name),
        missing: table.missing(),
        records: table.records(),
        levels: table
            .cohorts()
            .iter()
            .map(|cohort| WrittenLevel {
                level: cohort.label.as_deref(),
                epsilon: cohort.epsilon,
                count: cohort.count,
                sum: grid.and_then(|_| cohort.sums.first()).map(decimal),
                counts: categories.map(|_| cohort.sums.iter().map(decimal).collect()),
                squares: cohort.sums.get(1).filter(|_| squares).map(decimal),
                cells: cells.map(|_| cohort.cells.expose_raw()),
                cell_sums: cells.filter(|cells| cells.has_sums()).map(|_| {
                    let sums = cohort.cells.expose_sums().iter();
                    sums.map(|sums| (decimal(&sums.indices), decimal(&sums.squares))).collect()
                }),
            })
            .collect(),
    };
    let unwritable = |kind: std::io::ErrorKind| {
        Error::io(format!("level table: cannot be written ({kind})"))
            .with_hint("check the path and the free space")
    };
    serde_json::to_writer(&mut out, &written)
        .map_err(|error| unwritable(error.io_error_kind().unwrap_or(std::io::ErrorKind::Other)))?;
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(|error| unwritable(error.kind()))
}
