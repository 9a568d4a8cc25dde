//! The level-table file: JSON with raw sums, written only on request.
//!
//! ```json
//! {"format":"suum-levels","version":1,"warning":"raw sums: not private",
//!  "column":"visits","bounds":[0.0,77.0],"grid":1073741824,"records":3,
//!  "levels":[{"level":"strict","epsilon":0.1,"count":2,"sum":"41834292"},
//!            {"level":"public","epsilon":"inf","count":1,"sum":"125502876"}]}
//! ```
//!
//! `sum` is a decimal string, because it can exceed every JSON number type; integers are read too. `level` is
//! absent for numeric budgets, and `column`, `bounds`, `grid` and `sum` where no value was read.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use suum_core::{Bounds, Cohort, Epsilon, Error, ErrorKind, ExactSum, Grid, LevelTable, Result};

const FORMAT: &str = "suum-levels";
const VERSION: u64 = 1;

/// More than twice the 700 000 levels that a scan can make.
const MOST_BYTES: u64 = 256 << 20;

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
}

/// Writes a level table with its raw sums as JSON, so that a release can be made from it elsewhere.
///
/// The file is as private as the data: whoever has it knows exact sums.
///
/// # Errors
///
/// Refuses if the output cannot be written.
///
/// # Example
///
/// ```
/// # use suum_core::{Cohort, Epsilon, ExactSum, LevelTable};
/// use suum_data::{read_levels, write_levels};
///
/// let cohort = Cohort { label: None, epsilon: Epsilon::PUBLIC, count: 3, sum: ExactSum::default() };
/// let table = LevelTable::new(None, None, vec![cohort])?;
/// let mut file = Vec::new();
/// write_levels(&table, &mut file)?;
/// assert_eq!(read_levels(file.as_slice())?, table);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn write_levels(table: &LevelTable, mut out: impl Write) -> Result<()> {
    let grid = table.grid();
    let written = Written {
        format: FORMAT,
        version: VERSION,
        warning: "raw sums: not private",
        column: grid.and(table.column()),
        bounds: grid.map(Grid::bounds),
        grid: grid.map(Grid::points),
        records: table.records(),
        levels: table
            .cohorts()
            .iter()
            .map(|cohort| WrittenLevel {
                level: cohort.label.as_deref(),
                epsilon: cohort.epsilon,
                count: cohort.count,
                sum: grid.map(|_| cohort.sum.expose_raw().to_string()),
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

/// What tells the file from others, whatever else it holds.
#[derive(Deserialize)]
struct Mark {
    format: String,
    version: serde_json::Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    #[serde(rename = "warning")]
    _warning: Option<String>,
    column: Option<String>,
    bounds: Option<[f64; 2]>,
    grid: Option<u64>,
    records: u64,
    levels: Vec<FoundLevel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FoundLevel {
    level: Option<String>,
    epsilon: serde_json::Value,
    count: u64,
    sum: Option<Box<RawValue>>,
}

/// Reads a level-table file, made here or by any engine that can group by and add integers.
///
/// # Errors
///
/// Refuses files of another format or version, unknown fields, levels without records, sums that are impossible
/// for their counts and grid, and a number of records that is not the sum of the counts.
pub fn read_levels(input: impl Read) -> Result<LevelTable> {
    let mut text = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(|error| {
        Error::io(format!("level table: cannot be read ({})", error.kind()))
            .with_hint("check that the file exists and may be read")
    })?;
    if text.len() as u64 > MOST_BYTES {
        return Err(refused("the file is larger than 256 MiB", "group the records by coarser budgets"));
    }
    check_mark(&text)?;
    let found: Found = serde_json::from_slice(&text).map_err(|error| malformed(&error))?;
    let grid = grid(&found)?;
    let cohorts = found.levels.iter().enumerate().map(|(at, level)| cohort(at + 1, level, grid.is_some()));
    let cohorts = cohorts.collect::<Result<Vec<_>>>()?;
    let counted = found.levels.iter().try_fold(0u64, |sum, level| sum.checked_add(level.count));
    if counted != Some(found.records) {
        return Err(refused(
            "the counts of the levels do not add up to the number of records",
            "compute the table again; an engine may have lost or repeated part of the data",
        ));
    }
    LevelTable::new(found.column, grid, cohorts).map_err(|error| match error.kind() {
        ErrorKind::Table => error,
        _ => refused(&error.to_string(), "compute the table again"),
    })
}

fn check_mark(text: &[u8]) -> Result<()> {
    let mark: Mark = serde_json::from_slice(text).map_err(|error| malformed(&error))?;
    if mark.format != FORMAT {
        return Err(refused("the file has another format", "name a file with \"format\":\"suum-levels\""));
    }
    if mark.version != VERSION {
        return Err(refused(
            "the file has a version that is not known here",
            "write it with \"version\":1, or use a newer suum",
        ));
    }
    Ok(())
}

/// Where the text stops being a level table. What stands there is not repeated.
fn malformed(error: &serde_json::Error) -> Error {
    let place = format!("line {}, column {}", error.line(), error.column());
    refused(
        &format!("not the JSON of a level table ({place})"),
        "compare it with a file written by `suum levels`; fields that are not known are refused",
    )
}

fn grid(found: &Found) -> Result<Option<Grid>> {
    match (found.bounds, found.grid) {
        (Some([lower, upper]), Some(points)) => {
            let bounds = Bounds::new(lower, upper).map_err(|error| {
                refused(&error.to_string(), "write the bounds as [LO,HI] with LO below HI")
            })?;
            Grid::with_points(bounds, points).map(Some).map_err(|error| {
                refused(
                    &error.to_string(),
                    "use the grid of `suum levels`, 1073741824, unless you need another",
                )
            })
        }
        (None, None) if found.column.is_none() => Ok(None),
        _ => Err(refused(
            "column, bounds and grid belong together",
            "give bounds and grid for a value column, or none of them if no value was read",
        )),
    }
}

fn cohort(row: usize, level: &FoundLevel, has_value: bool) -> Result<Cohort> {
    let at = |what: &str, hint| Err(refused(&format!("level {row}: {what}"), hint));
    if level.count == 0 {
        return at("it has no records", "leave levels without records out");
    }
    if level.level.as_ref().is_some_and(|label| label.trim_ascii().is_empty()) {
        return at("its label is empty", "leave \"level\" out for numeric budgets");
    }
    let epsilon = match (level.epsilon.as_f64(), level.epsilon.as_str()) {
        (Some(number), _) => Epsilon::new(number).ok(),
        (None, Some("inf")) => Some(Epsilon::PUBLIC),
        _ => None,
    };
    let Some(epsilon) = epsilon else {
        return at(
            "epsilon is not a budget",
            "write 0 (unused), a number from 1e-100 to 1e100, or \"inf\" (public)",
        );
    };
    let sum = match (&level.sum, has_value) {
        (Some(sum), true) => integer(sum),
        (None, false) => Some(0),
        (None, true) => return at("it has no sum", "give the sum of the grid indices of each level"),
        (Some(_), false) => return at("it has a sum but the table no grid", "give bounds and grid"),
    };
    let Some(sum) = sum else {
        return at(
            "the sum is not an integer",
            "write the sum as a decimal string, for example \"123456789\"",
        );
    };
    Ok(Cohort { label: level.level.clone(), epsilon, count: level.count, sum: ExactSum::from_raw(sum) })
}

/// The integer that a JSON string or a JSON integer of any length spells.
fn integer(json: &RawValue) -> Option<i128> {
    let text = json.get();
    if text.starts_with('"') {
        serde_json::from_str::<String>(text).ok()?.parse().ok()
    } else {
        text.parse().ok()
    }
}

fn refused(what: &str, hint: &str) -> Error {
    Error::table(format!("level table: {}", what.trim_start_matches("level table: "))).with_hint(hint)
}
