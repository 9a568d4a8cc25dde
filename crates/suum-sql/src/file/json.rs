//! Result as JSON: an array of objects, or one object after the other.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use suum_core::Result;

use super::present;
use crate::query::COLUMNS;
use crate::result::{Rows, refused};

/// Texts of the cells of a row, which keep all digits of numbers.
type RowCells<'a> = HashMap<String, &'a RawValue>;

/// Returns true if JSON is an array, or begins with an object like the rows of a result.
pub(super) fn is_result(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Part {
        #[serde(rename = "part", alias = "PART")]
        _part: serde_json::Value,
    }
    let first = serde_json::Deserializer::from_str(text).into_iter::<Part>().next();
    text.starts_with('[') || matches!(first, Some(Ok(_)))
}

pub(super) fn read(text: &str, rows: &mut Rows) -> Result<()> {
    let malformed = |error: serde_json::Error| {
        let place = format!("not JSON of rows (line {}, column {})", error.line(), error.column());
        refused(place, "write an array of objects, or one object on each line")
    };
    if text.starts_with('[') {
        let objects: Vec<RowCells> = serde_json::from_str(text).map_err(malformed)?;
        return objects.iter().try_for_each(|object| add(object, rows));
    }
    for object in serde_json::Deserializer::from_str(text).into_iter::<RowCells>() {
        add(&object.map_err(malformed)?, rows)?;
    }
    Ok(())
}

fn add(object: &RowCells, rows: &mut Rows) -> Result<()> {
    let texts = COLUMNS.map(|column| {
        // Some writers leave NULL out.
        let cell = object
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(column))
            .map(|(_, cell)| cell.get());
        cell.filter(|cell| *cell != "null").map(|cell| match cell.starts_with('"') {
            true => serde_json::from_str(cell).unwrap_or_default(),
            false => cell.to_owned(),
        })
    });
    let cells: [Option<Option<&str>>; COLUMNS.len()] =
        std::array::from_fn(|at| Some(texts[at].as_deref()));
    rows.add(&present(cells)?)
}
