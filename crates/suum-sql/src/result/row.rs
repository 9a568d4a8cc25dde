//! One row of a result, none of whose cells is trusted.

use suum_core::{Epsilon, Error, Result, option, say};

use crate::dialect::{TOO_MANY_IN_CELL, TOO_MANY_IN_TASK};
use crate::query::{COLUMNS, Defect};

/// Level of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Level {
    /// A tier, by its position in the header.
    Tier(u32),
    /// The bits of a budget.
    Budget(u64),
}

/// Independent count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    /// Number of records, if they were counted.
    pub(super) records: Option<u64>,
    pub(super) source_rows: u64,
    /// Sum over rows of a hash of their person, if it replaces a count of persons.
    pub(super) marks: Option<u64>,
}

/// Row of a result.
#[derive(Debug)]
pub(super) enum Row {
    /// Request, and an independent count.
    Header { text: String, count: Count },
    /// Defect in the data.
    Fault(Defect),
    /// Counts and sums.
    Level(Part),
}

/// Counts and sums of some records of a level.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) group: Option<u32>,
    pub(super) level: Level,
    /// A category, or a candidate of a quantile.
    pub(super) item: Option<u32>,
    pub(super) records: u64,
    pub(super) source_rows: u64,
    /// Number of rows at a candidate; the sum of marks, if persons have them.
    pub(super) cell_rows: u64,
    pub(super) index_sum: i128,
    pub(super) square_sum: i128,
}

impl Row {
    /// Parses the row of these cells, the `number`th after the names of the columns.
    ///
    /// # Errors
    ///
    /// Refuses cells that no level query returns.
    pub(super) fn parse(cells: &[Option<&str>], number: u64, tiers: bool) -> Result<Self> {
        let cells = RowCells { cells, number };
        match cells.text(0) {
            Some("header") => {
                let text = cells.text(3).ok_or_else(|| cells.refuse(3))?.to_owned();
                let marks = cells.text(6).map(|_| cells.count(6)).transpose()?;
                let records = match marks {
                    Some(_) => None,
                    None => Some(cells.total(4)?),
                };
                let count = Count { records, source_rows: cells.total(5)?, marks };
                Ok(Self::Header { text, count })
            }
            Some("fault") => {
                let defect =
                    cells.text(3).and_then(Defect::from_code).ok_or_else(|| cells.refuse(3))?;
                Ok(Self::Fault(defect))
            }
            Some("level") => Ok(Self::Level(Part {
                group: cells.number(1)?,
                level: cells.level(tiers)?,
                item: cells.number(3)?,
                records: cells.count(4)?,
                source_rows: cells.count(5)?,
                cell_rows: cells.count(6)?,
                index_sum: cells.integer(7)?,
                square_sum: cells.integer(8)?,
            })),
            _ => Err(cells.refuse(0)),
        }
    }
}

/// Cells of a row, in the order of [`COLUMNS`].
struct RowCells<'a> {
    cells: &'a [Option<&'a str>],
    number: u64,
}

impl RowCells<'_> {
    /// Text of a cell; `None` if it is NULL, or empty as NULL is in CSV.
    fn text(&self, column: usize) -> Option<&str> {
        let cell = self.cells.get(column).copied().flatten().map(str::trim_ascii);
        cell.filter(|cell| !cell.is_empty())
    }

    /// Number of a group, a category or a candidate, if there is one.
    fn number(&self, column: usize) -> Result<Option<u32>> {
        let number = self.text(column).map(|text| digits(text)?.parse().ok());
        number.map(|number| number.ok_or_else(|| self.refuse(column))).transpose()
    }

    /// Count that is always there: a missing one is not 0.
    fn total(&self, column: usize) -> Result<u64> {
        self.text(column).map_or_else(|| Err(self.refuse(column)), |_| self.count(column))
    }

    /// Count; 0 if there is none.
    fn count(&self, column: usize) -> Result<u64> {
        let Some(text) = self.text(column) else { return Ok(0) };
        digits(text).and_then(|text| text.parse().ok()).ok_or_else(|| self.refuse(column))
    }

    /// Sum; 0 if there is none.
    fn integer(&self, column: usize) -> Result<i128> {
        let Some(text) = self.text(column) else { return Ok(0) };
        digits(text).and_then(|text| text.parse().ok()).ok_or_else(|| self.refuse(column))
    }

    fn level(&self, tiers: bool) -> Result<Level> {
        let text = self.text(2).ok_or_else(|| self.refuse(2))?;
        let level = match tiers {
            true => digits(text).and_then(|text| text.parse().ok()).map(Level::Tier),
            false => budget(text).map(|epsilon| Level::Budget(epsilon.get().to_bits())),
        };
        level.ok_or_else(|| self.refuse(2))
    }

    fn refuse(&self, column: usize) -> Error {
        let way_out = match self.text(column) {
            Some(TOO_MANY_IN_CELL) => {
                Some(("in a cell", say("leave sums in cells out with").option(option::NO_ADAPT)))
            }
            Some(TOO_MANY_IN_TASK) => Some((
                "in a task",
                say("spread the data over more partitions, for example with DataFrame.repartition"),
            )),
            _ => None,
        };
        if let Some((what, hint)) = way_out {
            return Error::table(
                "level query",
                format!("there are more records of one level {what} than Spark adds up exactly"),
            )
            .with_fix(hint);
        }
        Error::table(
            "level query",
            format!(
                "row {} of its result: {} is not what the query gives",
                self.number, COLUMNS[column]
            ),
        )
        .with_fix("run the query as it was printed, and bring back its whole result")
    }
}

/// Text that has only digits: no sums or counts are negative.
fn digits(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

fn budget(text: &str) -> Option<Epsilon> {
    Epsilon::new(double(text)?).ok()
}

/// Double as engines write it: in decimal, or its bits in hexadecimal after `0x`.
pub(crate) fn double(text: &str) -> Option<f64> {
    match text.strip_prefix("0x") {
        Some(bits) if bits.len() == 16 => u64::from_str_radix(bits, 16).ok().map(f64::from_bits),
        Some(_) => None,
        None => text.parse().ok(),
    }
}
