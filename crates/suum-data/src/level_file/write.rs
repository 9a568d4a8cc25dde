//! Writing a level table to a file.

use std::io::Write;

use serde::{Serialize, Serializer};
use suum_core::{
    Bounds, Categories, CellCounts, Cells, Crosstab, Epsilon, Error, ExactSum, Grid, GroupName,
    LevelSums, LevelTable, Measure, Numbers, PersonValue, QueryOrigins, QueryRows, Replacement,
    Result,
};

use super::file::refused;
use super::groups::without_cell_sums;
use super::{FORMAT, VERSION};
use crate::scan::groups::{Groups, LevelTables};

#[derive(Serialize)]
struct FileHeader<'a> {
    format: &'static str,
    version: u64,
    warning: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<&'a Categories>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crosstab: Option<&'a Crosstab>,
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
    totals: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_person: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query_columns: Option<&'a QueryOrigins>,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    filter: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'a Replacement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_by: Option<&'a GroupName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<&'a GroupName>>,
    records: u64,
    levels: Vec<WrittenLevel<'a>>,
}

#[derive(Serialize)]
struct WrittenLevel<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a GroupName>,
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
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "counts")]
    cells: Option<&'a CellCounts>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "sums")]
    cell_sums: Option<&'a CellCounts>,
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
/// # use suum_core::{Epsilon, LevelSums, LevelTable, Measure};
/// use suum_data::{read_levels, write_levels};
///
/// let level_sums = LevelSums {
///     label: None,
///     epsilon: Epsilon::PUBLIC,
///     count: 3,
///     sums: vec![],
///     cells: Default::default(),
/// };
/// let table = LevelTable::new(None, Measure::Nothing, vec![level_sums])?;
/// let mut file = Vec::new();
/// write_levels(&table, &mut file)?;
/// assert_eq!(read_levels(file.as_slice())?, table);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn write_levels(table: &LevelTable, out: impl Write) -> Result<()> {
    let levels = table.by_level().iter().map(|level_sums| level(None, table, level_sums)).collect();
    put(&about(table, table.records(), levels), out)
}

/// Writes a level table like [`write_levels`], or one for each group.
///
/// # Errors
///
/// As [`write_levels`], and refuses groups of which none has a table, or whose tables are of
/// different columns or values.
///
/// # Example
///
/// ```
/// # use suum_core::{Epsilon, LevelSums, LevelTable, Measure};
/// use suum_data::{LevelTables, Groups, read_counted, write_counted};
///
/// # let level_sums = LevelSums {
/// #     label: None,
/// #     epsilon: Epsilon::PUBLIC,
/// #     count: 3,
/// #     sums: vec![],
/// #     cells: Default::default(),
/// # };
/// let table = LevelTable::new(None, Measure::Nothing, vec![level_sums])?;
/// let each = vec![("north".into(), Some(table)), ("south".into(), None)];
/// let groups = LevelTables::Groups(Groups { column: "site".into(), each });
/// let mut file = Vec::new();
/// write_counted(&groups, &mut file)?;
/// assert_eq!(read_counted(file.as_slice())?, groups);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn write_counted(counted: &LevelTables, out: impl Write) -> Result<()> {
    let Groups { column, each } = match counted {
        LevelTables::One(table) => return write_levels(table, out),
        LevelTables::Groups(groups) => groups,
    };
    let tables = each.iter().filter_map(|(name, table)| Some((name, table.as_ref()?)));
    // Some groups may have no sums in cells.
    let first = tables.clone().max_by_key(|(_, table)| has_cells(table));
    let Some((_, first)) = first else {
        return Err(refused("none of its groups has records", "check the names of the groups"));
    };
    if tables.clone().any(|(_, table)| !are_alike(table, first)) {
        return Err(refused(
            "its groups have tables of different columns or values",
            "make all of them in one pass",
        ));
    }
    let levels = tables.clone().flat_map(|(name, table)| {
        table.by_level().iter().map(move |level_sums| level(Some(name), table, level_sums))
    });
    let records = tables.clone().try_fold(0u64, |sum, (_, table)| sum.checked_add(table.records()));
    let records = records.ok_or_else(|| {
        refused("there are more than 2^64 records", "write a table for each half")
    })?;
    let written = FileHeader {
        group_by: Some(column),
        groups: Some(each.iter().map(|(name, _)| name).collect()),
        ..about(first, records, levels.collect())
    };
    put(&written, out)
}

fn has_cells(table: &LevelTable) -> bool {
    table.numbers().is_some_and(|numbers| numbers.cells.is_some())
}

/// Returns true if `table` has the same subject as `all`, whose measure lacks nothing.
fn are_alike(table: &LevelTable, all: &LevelTable) -> bool {
    let gave_up = |numbers: &Numbers| Measure::Numbers(without_cell_sums(*numbers));
    let lacks = all.numbers().map(gave_up);
    let measured = table.measure() == all.measure() || Some(table.measure()) == lacks.as_ref();
    measured
        && table.column() == all.column()
        && table.person() == all.person()
        && table.query() == all.query()
        && table.origins() == all.origins()
        && table.filter() == all.filter()
        && table.missing() == all.missing()
}

/// Builds the header of the file, and its levels.
fn about<'a>(table: &'a LevelTable, records: u64, levels: Vec<WrittenLevel<'a>>) -> FileHeader<'a> {
    let grid = table.grid();
    let cells = table.numbers().and_then(|numbers| numbers.cells);
    let squares = table.numbers().is_some_and(|numbers| numbers.squares);
    let has_value = *table.measure() != Measure::Nothing && table.person().is_some();
    let value = if has_value { table.person_value() } else { PersonValue::Rows };
    FileHeader {
        format: FORMAT,
        version: VERSION,
        warning: "raw sums: not private",
        column: table.column().filter(|_| *table.measure() != Measure::Nothing),
        bounds: grid.map(Grid::bounds),
        unit: grid.and_then(|grid| grid.bounds().scale()).map(|scale| scale.to_string()),
        grid: grid.map(Grid::points),
        categories: table.categories(),
        crosstab: table.categories().and_then(Categories::crosstab),
        squares: squares.then_some(true),
        cells: cells.map(Cells::steps),
        cell_sums: cells.filter(|cells| cells.has_sums()).map(|_| true),
        rows: cells.map(Cells::rows).filter(|rows| *rows != 1),
        person: table.person(),
        totals: (value == PersonValue::Total).then_some(true),
        per_person: value.name().filter(|_| value != PersonValue::Total),
        query: table.query().map(QueryRows::name),
        query_columns: table.origins(),
        filter: table.filter(),
        missing: table.missing(),
        group_by: None,
        groups: None,
        records,
        levels,
    }
}

/// Builds the entry of a level.
fn level<'a>(
    group: Option<&'a GroupName>,
    table: &LevelTable,
    level_sums: &'a LevelSums,
) -> WrittenLevel<'a> {
    let squares = table.numbers().is_some_and(|numbers| numbers.squares);
    let cells = table.numbers().and_then(|numbers| numbers.cells);
    WrittenLevel {
        group,
        level: level_sums.label.as_deref(),
        epsilon: level_sums.epsilon,
        count: level_sums.count,
        sum: table.grid().and_then(|_| level_sums.sums.first()).map(decimal),
        counts: table.categories().map(|_| level_sums.sums.iter().map(decimal).collect()),
        squares: level_sums.sums.get(1).filter(|_| squares).map(decimal),
        cells: cells.map(|_| &level_sums.cells),
        cell_sums: cells.filter(|cells| cells.has_sums()).map(|_| &level_sums.cells),
    }
}

fn decimal(sum: &ExactSum) -> String {
    sum.expose_raw().to_string()
}

/// Writes counts as strings, one by one.
fn counts<S: Serializer>(
    cells: &Option<&CellCounts>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(cells.iter().flat_map(|cells| cells.expose_raw()))
}

/// Writes the sums that go with each cell.
fn sums<S: Serializer>(
    cells: &Option<&CellCounts>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    let sums = cells.iter().flat_map(|cells| cells.expose_sums());
    serializer.collect_seq(sums.map(|sums| (decimal(&sums.indices), decimal(&sums.squares))))
}

fn put(written: &FileHeader<'_>, mut out: impl Write) -> Result<()> {
    let unwritable = |kind: std::io::ErrorKind| {
        Error::io("level table", format!("cannot be written ({kind})"))
            .with_fix("check the path and the free space")
    };
    serde_json::to_writer(&mut out, written)
        .map_err(|error| unwritable(error.io_error_kind().unwrap_or(std::io::ErrorKind::Other)))?;
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(|error| unwritable(error.kind()))
}
