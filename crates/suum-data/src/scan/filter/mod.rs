//! Selection of rows: a condition on their cells, the same for files and databases.

mod condition;
mod parse;
mod refusal;
mod write;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Error, Result};

pub use condition::{CellKind, CellTest, Comparison, Condition, Constant, Side};

/// A condition in the grammar of SQL: only rows of which it is true are read.
///
/// It compares columns with constants: numbers with cells that are numbers, texts in single quotes
/// with cells as labels, `DATE '2020-01-31'` and `TIMESTAMP '2020-01-31 07:30:00'` with dates and
/// times, `true` and `false` with truth values. Texts have no order; a text that is a date is one
/// next to `<`, `<=`, `>`, `>=` and `BETWEEN`. A missing cell makes a comparison unknown, and so
/// does `NOT` of what is unknown. Upper and lower case of names differ.
///
/// # Example
///
/// ```
/// use suum_data::{Filter, PrivacyColumn, Progress, Scan, scan_csv};
///
/// let filter: Filter = "region='north' and (year) >= 2020".parse()?;
/// assert_eq!(filter.to_string(), "region = 'north' AND year >= 2020");
/// let scan = Scan {
///     public: ["region".into(), "year".into()].into(),
///     filter: Some(filter),
///     ..Scan::new(PrivacyColumn::Budgets { column: "epsilon".into() }, None)
/// };
/// let csv = "region,year,epsilon\nnorth,2021,0.1\nsouth,2021,1\nnorth,2019,\n";
/// let table = scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
/// assert_eq!(table.profile()?.to_string(), "0.1:1");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Filter {
    text: String,
    columns: Vec<String>,
    condition: Condition,
}

impl Filter {
    /// Largest number of columns that one filter can compare.
    pub const MOST_COLUMNS: usize = parse::MOST_COLUMNS;

    /// Names of the columns that it compares, each once.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The condition.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// The kinds of cells that a column is read as.
    pub fn kinds(&self, column: usize) -> impl Iterator<Item = CellKind> {
        let tests = self.condition.tests().into_iter().filter(move |test| test.column == column);
        tests.map(|test| test.kind)
    }

    /// Returns true if all cells are compared as numbers.
    pub(crate) fn reads_numbers_alone(&self) -> bool {
        self.condition.tests().iter().all(|test| test.kind == CellKind::Number)
    }
}

/// Two filters are equal if their canonical texts are.
impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Filter {}

/// The canonical text, which reads back as the same filter.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Filter {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (columns, condition) = parse::parse(text)?;
        let text = write::text(&condition, &columns);
        parse::check_length(&text)?;
        Ok(Self { text, columns, condition })
    }
}

impl Serialize for Filter {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests;
