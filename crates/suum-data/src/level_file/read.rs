//! Reading a level-table file, none of whose claims is trusted.

use std::io::Read;

use serde::Deserialize;
use suum_core::{
    Command, Epsilon, Error, ErrorKind, LevelSums, LevelTable, Measure, QueryRows, Replacement,
    Result, option, say,
};

use super::file::{FoundLevel, LevelFile, refused};
use super::groups::{Names, measure_of};
use super::measure::{cells, measure, person_value, sums};
use super::{FORMAT, VERSION};
use crate::scan::filter::Filter;
use crate::scan::groups::{Groups, LevelTables};

/// Largest size in bytes of a file that is read: more than twice that of the 700 000 levels that a
/// scan can make.
pub const MOST_BYTES: u64 = 256 << 20;

/// Format and version, which identify the file whatever else it holds.
#[derive(Deserialize)]
struct Mark {
    format: String,
    version: serde_json::Value,
}

/// Refuses a replacement for missing values that the measure cannot have.
fn check_replacement(missing: &Replacement, measure: &Measure) -> Result<()> {
    match (missing, measure) {
        (Replacement::Number(_), Measure::Numbers(_)) | (Replacement::Excluded, _) => Ok(()),
        (Replacement::Category(name), Measure::Categories(categories))
            if categories.names().contains(name) =>
        {
            Ok(())
        }
        // For a cross table it is a label of one of its columns.
        (Replacement::Category(name), Measure::Categories(categories))
            if categories
                .crosstab()
                .is_some_and(|table| table.labels().iter().any(|labels| labels.contains(name))) =>
        {
            Ok(())
        }
        _ => Err(refused(
            "what stands in place of missing values is no possible value",
            "write \"missing\" as a number, or as one of the categories, or leave it out",
        )),
    }
}

/// Reads a level-table file of all records, made here or by any engine that can group by and add
/// integers.
///
/// # Errors
///
/// Fails like [`read_counted`], and refuses a file with a table for each group.
pub fn read_levels(input: impl Read) -> Result<LevelTable> {
    match read_counted(input)? {
        LevelTables::One(table) => Ok(table),
        LevelTables::Groups(_) => Err(refused(
            "it has a table for each group",
            say("name a file of all records, written by")
                .command(Command::ask("levels"))
                .say("without")
                .option(option::GROUP_BY),
        )),
    }
}

/// Reads a level-table file, of all records or of each declared group, made here or by any engine
/// that can group by and add integers. A group without records has no table.
///
/// # Errors
///
/// Refuses files of another format or version, unknown fields, levels without records, sums that
/// are impossible for their counts and grid or categories, levels of groups that are not declared,
/// and a number of records that is not the sum of the counts.
pub fn read_counted(input: impl Read) -> Result<LevelTables> {
    let counted = read(input, Empty::Refused)?;
    let again = "compute the table again";
    match &counted {
        LevelTables::One(table) => {
            table.profile().map_err(|error| match error.kind() {
                ErrorKind::Table => error,
                _ => refused(error.to_string(), again),
            })?;
        }
        // The table of a group with records has a profile.
        LevelTables::Groups(groups) if groups.each.iter().any(|(_, table)| table.is_some()) => {}
        LevelTables::Groups(_) => return Err(refused("there are no records in any group", again)),
    }
    Ok(counted)
}

/// Reads a level-table file, which may have no records, or levels without: for releases that hide
/// who takes part. A group without records has an empty table.
///
/// # Errors
///
/// As [`read_counted`], but for levels without records, which are left out.
///
/// # Example
///
/// ```
/// use suum_data::{LevelTables, read_counted_of_anybody, read_levels};
///
/// let nobody = r#"{"format":"suum-levels","version":1,"records":0,"levels":[]}"#;
/// let table = read_counted_of_anybody(nobody.as_bytes())?;
/// assert!(matches!(table, LevelTables::One(table) if table.records() == 0));
/// assert!(read_levels(nobody.as_bytes()).is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn read_counted_of_anybody(input: impl Read) -> Result<LevelTables> {
    read(input, Empty::Kept)
}

/// Treatment of levels and groups without records.
#[derive(Clone, Copy, PartialEq)]
enum Empty {
    /// Levels without records are refused, and groups without records have no table.
    Refused,
    /// Levels without records are left out, and groups without records have an empty table.
    Kept,
}

fn read(input: impl Read, empty: Empty) -> Result<LevelTables> {
    let mut text = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut text).map_err(|error| {
        Error::io("level table", format!("cannot be read ({})", error.kind()))
            .with_fix("check that the file exists and may be read")
    })?;
    if text.len() as u64 > MOST_BYTES {
        return Err(refused(
            "the file is larger than 256 MiB",
            "group the records by coarser budgets, or by fewer categories or candidates",
        ));
    }
    let json = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    check_mark(json)?;
    let found: LevelFile = serde_json::from_slice(json).map_err(|error| malformed(&error))?;
    drop(text);
    let measure = measure(&found)?;
    let empty_level = found.levels.iter().position(|level| level.count == 0);
    if let Some(at) = empty_level.filter(|_| empty == Empty::Refused) {
        return Err(refused(
            format!("level {}: it has no records", at + 1),
            "leave levels without records out",
        ));
    }
    let records = found.levels.iter().try_fold(0u64, |sum, level| sum.checked_add(level.count));
    if records != Some(found.records) {
        return Err(refused(
            "the counts of the levels do not add up to the number of records",
            "compute the table again; an engine may have lost or repeated part of the data",
        ));
    }
    match Names::read(&found, &measure)? {
        None => ungrouped_table(&found, measure).map(LevelTables::One),
        Some(groups) => {
            let levels = groups.levels(&found)?;
            let tables = levels.iter().enumerate().map(|(at, levels)| {
                let measure = measure_of(levels, &measure);
                let by_level = by_level(levels, &measure)?;
                let table = table(&found, measure, by_level);
                let table = table.map_err(|error| group_refusal(at + 1, &error))?;
                Ok(Some(table).filter(|table| empty == Empty::Kept || table.records() > 0))
            });
            let tables = tables.collect::<Result<Vec<_>>>()?;
            let each = groups.names.into_iter().zip(tables).collect();
            Ok(LevelTables::Groups(Groups { column: groups.column, each }))
        }
    }
}

/// Builds the table of a file without groups.
fn ungrouped_table(found: &LevelFile, measure: Measure) -> Result<LevelTable> {
    if let Some(at) = found.levels.iter().position(|level| level.group.is_some()) {
        return Err(refused(
            format!("level {}: it has a group but the table has none", at + 1),
            "name the column as \"group_by\", and list all groups as \"groups\"",
        ));
    }
    let levels: Vec<(usize, &FoundLevel)> = (1..).zip(&found.levels).collect();
    let by_level = by_level(&levels, &measure)?;
    table(found, measure, by_level)
}

fn by_level(levels: &[(usize, &FoundLevel)], measure: &Measure) -> Result<Vec<LevelSums>> {
    levels.iter().map(|(row, level)| level_sums(*row, level, measure)).collect()
}

/// Refusal of the table of a group, named by its number: no text of the file is repeated.
fn group_refusal(number: usize, error: &Error) -> Error {
    let fix = error.fix().cloned().unwrap_or_else(|| say("compute the table again"));
    refused(say(format!("group {number}:")).then(error.problem().clone()), fix)
}

/// Builds the table of these levels, with the file's facts about all of them.
fn table(found: &LevelFile, measure: Measure, by_level: Vec<LevelSums>) -> Result<LevelTable> {
    let missing = found.missing.clone();
    missing.iter().try_for_each(|missing| check_replacement(missing, &measure))?;
    let column = found.column.clone();
    let table =
        LevelTable::possibly_empty(column, measure, by_level).map_err(|error| {
            match error.kind() {
                ErrorKind::Table => error,
                _ => refused(error.to_string(), "compute the table again"),
            }
        })?;
    let filter = found.filter.as_ref().map(|text| text.parse::<Filter>()).transpose();
    let filter = filter.map_err(|_| {
        refused(
            "\"where\" is no condition on rows",
            say("write it as")
                .option(option::WHERE)
                .say("takes it, or leave it out if all rows were read"),
        )
    })?;
    let filter = filter.map(|filter| filter.to_string());
    let table = table.with_missing(missing).with_filter(filter);
    let table = table.with_origins(found.query_columns.clone());
    let table = match &found.person {
        Some(person) => table.with_person(person.clone(), person_value(found)?),
        None => table,
    };
    match found.query.as_ref().map(|name| QueryRows::named(name)) {
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

/// Refusal of text that is not a level table, by line and column. The text itself is not repeated.
fn malformed(error: &serde_json::Error) -> Error {
    let place = format!("line {}, column {}", error.line(), error.column());
    refused(
        format!("not the JSON of a level table ({place})"),
        say("compare it with a file written by")
            .command(Command::ask("levels"))
            .say("; fields that are not known are refused"),
    )
}

fn level_sums(row: usize, level: &FoundLevel, measure: &Measure) -> Result<LevelSums> {
    let refuse =
        |what: &'static str, fix: &'static str| refused(format!("level {row}: {what}"), fix);
    let at = |what: &'static str, hint| Err(refuse(what, hint));
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
    Ok(LevelSums { label: level.level.clone(), epsilon, count: level.count, sums, cells })
}
