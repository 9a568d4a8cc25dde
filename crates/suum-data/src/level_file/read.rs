//! A level table from its file, of which nothing is trusted.

use std::io::Read;

use serde::Deserialize;
use serde_json::value::RawValue;
use suum_core::{
    Bounds, Categories, Cohort, Epsilon, Error, ErrorKind, ExactSum, Grid, LevelTable, Measure, Result,
};

use super::numbers::{Count, integer};
use super::{FORMAT, VERSION};

/// More than twice the 700 000 levels that a scan can make.
const MOST_BYTES: u64 = 256 << 20;

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
    categories: Option<Vec<String>>,
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
    counts: Option<Vec<Count>>,
}

/// Reads a level-table file, made here or by any engine that can group by and add integers.
///
/// # Errors
///
/// Refuses files of another format or version, unknown fields, levels without records, sums that are impossible
/// for their counts and grid or categories, and a number of records that is not the sum of the counts.
pub fn read_levels(input: impl Read) -> Result<LevelTable> {
    let mut text = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(|error| {
        Error::io(format!("level table: cannot be read ({})", error.kind()))
            .with_hint("check that the file exists and may be read")
    })?;
    if text.len() as u64 > MOST_BYTES {
        return Err(refused(
            "the file is larger than 256 MiB",
            "group the records by coarser budgets, or by fewer categories",
        ));
    }
    check_mark(&text)?;
    let found: Found = serde_json::from_slice(&text).map_err(|error| malformed(&error))?;
    let measure = measure(&found)?;
    let cohorts = found.levels.iter().enumerate().map(|(at, level)| cohort(at + 1, level, &measure));
    let cohorts = cohorts.collect::<Result<Vec<_>>>()?;
    let counted = found.levels.iter().try_fold(0u64, |sum, level| sum.checked_add(level.count));
    if counted != Some(found.records) {
        return Err(refused(
            "the counts of the levels do not add up to the number of records",
            "compute the table again; an engine may have lost or repeated part of the data",
        ));
    }
    LevelTable::new(found.column, measure, cohorts).map_err(|error| match error.kind() {
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

fn measure(found: &Found) -> Result<Measure> {
    match (found.bounds, found.grid, &found.categories) {
        (Some([lower, upper]), Some(points), None) => {
            let bounds = Bounds::new(lower, upper).map_err(|error| {
                refused(&error.to_string(), "write the bounds as [LO,HI] with LO below HI")
            })?;
            Grid::with_points(bounds, points).map(Measure::Sum).map_err(|error| {
                refused(
                    &error.to_string(),
                    "use the grid of `suum levels`, 1073741824, unless you need another",
                )
            })
        }
        (None, None, Some(names)) => Categories::new(names.clone())
            .map(Measure::Categories)
            .map_err(|error| refused(&error.to_string(), "name at least two categories, each of them once")),
        (_, _, Some(_)) => Err(refused(
            "bounds and grid are for numbers, categories for counts: there is one or the other",
            "write one table for the sums and another for the counts",
        )),
        (None, None, None) if found.column.is_none() => Ok(Measure::Nothing),
        _ => Err(refused(
            "column, bounds and grid belong together",
            "give bounds and grid for a column of numbers, categories for a column of labels, or none of them if no \
             value was read",
        )),
    }
}

fn cohort(row: usize, level: &FoundLevel, measure: &Measure) -> Result<Cohort> {
    let refuse = |what: &str, hint| refused(&format!("level {row}: {what}"), hint);
    let at = |what: &str, hint| Err(refuse(what, hint));
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
    let sums = sums(level, measure).map_err(|(what, hint)| refuse(what, hint))?;
    Ok(Cohort { label: level.level.clone(), epsilon, count: level.count, sums, kept: None })
}

/// The sums of a level; or what is wrong with them, and a way out.
fn sums(
    level: &FoundLevel,
    measure: &Measure,
) -> std::result::Result<Vec<ExactSum>, (&'static str, &'static str)> {
    match (measure, &level.sum, &level.counts) {
        (Measure::Nothing, None, None) => Ok(Vec::new()),
        (Measure::Sum(_), Some(sum), None) => {
            let sum = integer(sum).ok_or((
                "the sum is not an integer",
                "write the sum as a decimal string, for example \"123456789\"",
            ))?;
            Ok(vec![ExactSum::from_raw(sum)])
        }
        (Measure::Categories(categories), None, Some(counts)) => {
            if counts.len() != categories.len() {
                return Err((
                    "there are not as many counts as categories",
                    "give a count for each category, 0 where there are no records",
                ));
            }
            let counts = counts.iter().map(|Count(count)| Some(ExactSum::from_raw(i128::from((*count)?))));
            counts.collect::<Option<_>>().ok_or((
                "a count of a category is not a number of records",
                "write counts as integers or decimal strings, for example \"123\"",
            ))
        }
        (Measure::Sum(_), None, _) => {
            Err(("it has no sum", "give the sum of the grid indices of each level"))
        }
        (Measure::Categories(_), _, None) => {
            Err(("it has no counts", "give the number of records of each category"))
        }
        (Measure::Nothing, Some(_), _) => Err(("it has a sum but the table no grid", "give bounds and grid")),
        (Measure::Categories(_), Some(_), _) => {
            Err(("it has a sum but the table categories", "give counts alone"))
        }
        (_, _, Some(_)) => Err(("it has counts but the table no categories", "give the categories")),
    }
}

fn refused(what: &str, hint: &str) -> Error {
    Error::table(format!("level table: {}", what.trim_start_matches("level table: "))).with_hint(hint)
}
