//! Result of a level query that was run elsewhere: CSV, Parquet or JSON, in a file or in memory.

mod json;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::str;

use suum_core::{Epsilon, Error, Place, Result};
use suum_data::{LevelTables, MOST_LEVEL_BYTES, read_text_parquet};

use crate::query::COLUMNS;
use crate::result::{Rows, refused};

/// Reads the level tables of a level query from its result in a file; `None` if the file is a JSON
/// object that is no result, but can be a level table.
///
/// With groups there is a table for each, an empty one for a group without records.
///
/// CSV has a first line with the names of the columns. JSON is an array of objects, or one object
/// on each line.
///
/// # Errors
///
/// Refuses what is not the whole result of one query, data that the query found to be wrong, counts
/// that disagree with the independent count, and repeated or impossible sums.
pub fn read_result(path: &Path) -> Result<Option<LevelTables>> {
    let unreadable = |error: std::io::Error| {
        Error::io(Place::file(path.display()), format!("cannot be read ({})", error.kind()))
            .with_fix("check the path")
    };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MOST_LEVEL_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    parse_result(&bytes)
}

/// Reads a result like [`read_result`], from the contents of a file.
///
/// # Errors
///
/// Fails like [`read_result`].
///
/// # Example
///
/// ```
/// let table = br#"{"format":"suum-levels","version":1,"records":0,"levels":[]}"#;
/// assert_eq!(suum_sql::parse_result(table)?, None);
/// assert!(suum_sql::parse_result(b"part,records\nheader,3\n").is_err());
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn parse_result(bytes: &[u8]) -> Result<Option<LevelTables>> {
    if bytes.len() as u64 > MOST_LEVEL_BYTES {
        return Err(refused(
            "it is larger than 256 MiB",
            "group the records by coarser budgets, or by fewer categories or candidates",
        ));
    }
    let rule = |epsilon: Epsilon| epsilon;
    let mut rows = Rows::new(&rule, true);
    if bytes.starts_with(b"PAR1") {
        for row in read_text_parquet(bytes.to_vec())? {
            let cells = COLUMNS.map(|column| {
                let cell = row.iter().find(|(name, _)| name.eq_ignore_ascii_case(column));
                cell.map(|(_, cell)| cell.as_deref())
            });
            rows.add(&present(cells)?)?;
        }
        return rows.finish(None).map(Some);
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(refused(
            "it is UTF-16",
            "save it as UTF-8; PowerShell writes that with | Out-File -Encoding utf8 FILE",
        ));
    }
    let text = str::from_utf8(bytes).map_err(|_| {
        refused("it is neither UTF-8 nor Parquet", "save it as CSV, JSON or Parquet")
    })?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with(['[', '{']) {
        match json::is_result(text) {
            true => json::read(text, &mut rows)?,
            false => return Ok(None),
        }
    } else {
        read_csv(text, &mut rows)?;
    }
    rows.finish(None).map(Some)
}

/// Cells of a row; each must have its column.
fn present(cells: [Option<Option<&str>>; COLUMNS.len()]) -> Result<[Option<&str>; COLUMNS.len()]> {
    let mut row = [None; COLUMNS.len()];
    for ((cell, found), column) in row.iter_mut().zip(cells).zip(COLUMNS) {
        *cell = found.ok_or_else(|| {
            refused(
                format!("there is no column {column}"),
                "bring back all columns, and in CSV their names in the first line (sqlite3 -csv \
                -header, psql --csv)",
            )
        })?;
    }
    Ok(row)
}

fn read_csv(text: &str, rows: &mut Rows) -> Result<()> {
    let malformed =
        || refused("it is not CSV with equally many cells in each line", "write the result again");
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader.headers().map_err(|_| malformed())?.clone();
    let positions = COLUMNS.map(|column| {
        header.iter().position(|name| name.trim_ascii().eq_ignore_ascii_case(column))
    });
    for record in reader.records() {
        let record = record.map_err(|_| malformed())?;
        rows.add(&present(
            positions.map(|position| position.map(|position| record.get(position))),
        )?)?;
    }
    Ok(())
}
