//! A level table from its file, of which nothing is trusted.

use std::io::Read;

use serde::Deserialize;
use suum_core::{
    Cohort, Epsilon, Error, ErrorKind, LevelTable, Measure, QueryRows, Replacement, Result,
};

use super::found::{Found, FoundLevel, refused};
use super::measure::{cells, measure, sums};
use super::{FORMAT, VERSION};

/// The most bytes of a file of levels that is read: more than twice the 700 000 levels that a scan
/// can make.
pub const MOST_BYTES: u64 = 256 << 20;

/// What tells the file from others, whatever else it holds.
#[derive(Deserialize)]
struct Mark {
    format: String,
    version: serde_json::Value,
}

/// Refuses what cannot stand in place of missing values.
fn check_replacement(missing: &Replacement, measure: &Measure) -> Result<()> {
    match (missing, measure) {
        (Replacement::Number(_), Measure::Numbers(_)) => Ok(()),
        (Replacement::Category(name), Measure::Categories(categories))
            if categories.names().contains(name) =>
        {
            Ok(())
        }
        _ => Err(refused(
            "what stands in place of missing values is no possible value",
            "write \"missing\" as a number, or as one of the categories, or leave it out",
        )),
    }
}

/// Reads a level-table file, made here or by any engine that can group by and add integers.
///
/// # Errors
///
/// Refuses files of another format or version, unknown fields, levels without records, sums that
/// are impossible for their counts and grid or categories, and a number of records that is not the
/// sum of the counts.
pub fn read_levels(input: impl Read) -> Result<LevelTable> {
    let table = read_possibly_empty_levels(input, false)?;
    table.profile().map_err(|error| refused(&error.to_string(), "compute the table again"))?;
    Ok(table)
}

/// Reads a level-table file, which may have no records, or levels without: for releases that hide
/// who takes part.
///
/// # Errors
///
/// As [`read_levels`], but for levels without records, which are left out.
///
/// # Example
///
/// ```
/// use suum_data::{read_levels, read_levels_of_anybody};
///
/// let nobody = r#"{"format":"suum-levels","version":1,"records":0,"levels":[]}"#;
/// assert_eq!(read_levels_of_anybody(nobody.as_bytes())?.records(), 0);
/// assert!(read_levels(nobody.as_bytes()).is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn read_levels_of_anybody(input: impl Read) -> Result<LevelTable> {
    read_possibly_empty_levels(input, true)
}

fn read_possibly_empty_levels(input: impl Read, empty_levels: bool) -> Result<LevelTable> {
    let mut text = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(|error| {
        Error::io(format!("level table: cannot be read ({})", error.kind()))
            .with_hint("check that the file exists and may be read")
    })?;
    if text.len() as u64 > MOST_BYTES {
        return Err(refused(
            "the file is larger than 256 MiB",
            "group the records by coarser budgets, or by fewer categories or candidates",
        ));
    }
    check_mark(&text)?;
    let found: Found = serde_json::from_slice(&text).map_err(|error| malformed(&error))?;
    drop(text);
    let measure = measure(&found)?;
    let empty = found.levels.iter().position(|level| level.count == 0).filter(|_| !empty_levels);
    if let Some(at) = empty {
        return Err(refused(
            &format!("level {}: it has no records", at + 1),
            "leave levels without records out",
        ));
    }
    let cohorts =
        found.levels.iter().enumerate().map(|(at, level)| cohort(at + 1, level, &measure));
    let cohorts = cohorts.collect::<Result<Vec<_>>>()?;
    let counted = found.levels.iter().try_fold(0u64, |sum, level| sum.checked_add(level.count));
    if counted != Some(found.records) {
        return Err(refused(
            "the counts of the levels do not add up to the number of records",
            "compute the table again; an engine may have lost or repeated part of the data",
        ));
    }
    let missing = found.missing;
    missing.iter().try_for_each(|missing| check_replacement(missing, &measure))?;
    let table =
        LevelTable::possibly_empty(found.column, measure, cohorts).map_err(|error| match error
            .kind()
        {
            ErrorKind::Table => error,
            _ => refused(&error.to_string(), "compute the table again"),
        })?;
    let table = table.with_missing(missing);
    let table = match found.person {
        Some(person) => table.with_person(person),
        None => table,
    };
    match found.query.map(|name| QueryRows::named(&name)) {
        None => Ok(table),
        Some(Some(query)) => Ok(table.with_query(query)),
        Some(None) => Err(refused(
            "\"query\" says neither \"screened\" nor \"trusted\"",
            "leave it out if no query has made the rows",
        )),
    }
}

fn check_mark(text: &[u8]) -> Result<()> {
    let mark: Mark = serde_json::from_slice(text).map_err(|error| malformed(&error))?;
    if mark.format != FORMAT {
        return Err(refused(
            "the file has another format",
            "name a file with \"format\":\"suum-levels\"",
        ));
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

fn cohort(row: usize, level: &FoundLevel, measure: &Measure) -> Result<Cohort> {
    let refuse = |what: &str, hint| refused(&format!("level {row}: {what}"), hint);
    let at = |what: &str, hint| Err(refuse(what, hint));
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
    let cells = cells(level, measure).map_err(|(what, hint)| refuse(what, hint))?;
    Ok(Cohort { label: level.level.clone(), epsilon, count: level.count, sums, cells })
}
