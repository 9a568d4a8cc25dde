//! The records of a CSV, in memory.

use std::path::Path;

use csv::StringRecord;
use suum::{Epsilon, Error, Place, Result};
use suum_experiments::published::Person;

/// Reads the budget and value of each person, in the order of the rows.
///
/// # Errors
///
/// Refuses files that are not CSV with a header, columns that are not there, and cells that are not
/// budgets or numbers, by column and row. Rows count from 1, below the header.
pub(super) fn read(path: &Path, value: &str, epsilon: &str) -> Result<Vec<Person>> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| refused(path, &error))?;
    let header = reader.headers().map_err(|error| refused(path, &error))?;
    let (value, epsilon) =
        (Column::find(header, value, "value")?, Column::find(header, epsilon, "epsilon")?);
    let mut people = Vec::new();
    for (row, record) in (1..).zip(reader.records()) {
        let record = record.map_err(|error| refused(path, &error))?;
        let budget = epsilon.cell(&record, row)?.parse::<Epsilon>().map_err(|_| {
            epsilon.fault(
                row,
                "not a budget",
                "budgets are 0, numbers from 1e-100 to 1e100, or inf",
            )
        })?;
        let number =
            value.cell(&record, row)?.parse::<f64>().ok().filter(|number| !number.is_nan());
        let number = number.ok_or_else(|| {
            value.fault(row, "not a number", "correct the cell, or leave the row out")
        })?;
        people.push((budget, number));
    }
    if people.is_empty() {
        return Err(Error::data((), "the data have no records")
            .with_fix("name data with at least one row below the header"));
    }
    Ok(people)
}

/// Column that is read.
struct Column<'a> {
    name: &'a str,
    position: usize,
}

impl<'a> Column<'a> {
    fn find(header: &StringRecord, name: &'a str, option: &str) -> Result<Self> {
        let mut named = header.iter().enumerate().filter(|(_, found)| found.trim() == name);
        match (named.next(), named.next()) {
            (Some((position, _)), None) => Ok(Self { name, position }),
            (Some(_), Some(_)) => {
                Err(Error::data(option.to_owned(), format!("column {name} is repeated"))
                    .with_fix("give every column a name of its own"))
            }
            (None, _) => Err(Error::data(option.to_owned(), format!("there is no column {name}"))
                .with_fix("name it as in the header of the file")),
        }
    }

    fn cell<'r>(&self, record: &'r StringRecord, row: u64) -> Result<&'r str> {
        let cell = record.get(self.position).unwrap_or_default().trim();
        if cell.is_empty() {
            return Err(self.fault(row, "the cell is empty", "fill it, or leave the row out"));
        }
        Ok(cell)
    }

    fn fault(&self, row: u64, what: &str, hint: &'static str) -> Error {
        Error::data(format!("column {}, row {row}", self.name), what.to_owned()).with_fix(hint)
    }
}

/// Refusal of a file, without any of its contents.
fn refused(path: &Path, error: &csv::Error) -> Error {
    let path = path.display();
    let (what, hint) = match error.kind() {
        csv::ErrorKind::Io(error) => (error.kind().to_string(), "check the path"),
        csv::ErrorKind::UnequalLengths { pos, .. } => {
            let row = pos.as_ref().map_or(0, csv::Position::record);
            (
                format!("row {row} has another number of cells than the header"),
                "quote cells that contain commas",
            )
        }
        _ => (
            "cannot be read as CSV with a header".to_owned(),
            "check that the text is UTF-8, and that quotes are closed",
        ),
    };
    Error::io(Place::file(path), what.to_owned()).with_fix(hint)
}
