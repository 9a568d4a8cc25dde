//! What to read, and the one pass that reads it.

use std::io::{self, Read};

use suum_core::{Error, Grid, LevelTable, Result};

use crate::accumulator::Accumulator;
use crate::csv::{self, Input};
use crate::fault::{Fault, Role};
use crate::parquet;
use crate::progress::Progress;
use crate::source::{Format, Place, Source};
use crate::tiers::Tiers;

/// The columns a scan reads and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// Where each record's privacy choice is.
    pub privacy: PrivacyColumn,
    /// Where each record's value is; `None` if only choices are counted.
    pub value: Option<ValueColumn>,
}

/// The column with each record's privacy choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrivacyColumn {
    /// Numeric budgets ε; `inf` is public and 0 unused.
    Budgets {
        /// The name of the column.
        column: String,
    },
    /// Labels of declared consent tiers.
    Tiers {
        /// The name of the column.
        column: String,
        /// The labels that may occur.
        tiers: Tiers,
    },
}

/// The column of values and how they enter the private path.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueColumn {
    /// The name of the column.
    pub column: String,
    /// The grid over the declared bounds.
    pub grid: Grid,
    /// The public constant that stands for missing cells; without one they are refused.
    pub missing: Option<f64>,
}

impl ValueColumn {
    /// The grid index of a value, where NaN means that the cell is missing.
    #[inline]
    pub(crate) fn index(&self, value: f64) -> std::result::Result<u64, Fault> {
        let present = self.grid.index(value).or_else(|| self.grid.index(self.missing?));
        present.ok_or(Fault::Missing(Role::Value))
    }
}

impl Scan {
    /// The name of a column as the user gave it.
    pub(crate) fn column(&self, role: Role) -> &str {
        match (role, &self.privacy, &self.value) {
            (Role::Value, _, Some(value)) => &value.column,
            (_, PrivacyColumn::Budgets { column } | PrivacyColumn::Tiers { column, .. }, _) => column,
        }
    }

    /// Refuses what cannot be a scan, before anything is read.
    fn check(&self) -> Result<()> {
        for (role, option) in [(Role::Privacy, "privacy"), (Role::Value, "value")] {
            if self.column(role).trim_ascii().is_empty() {
                return Err(Error::parameter(format!("{option}: the name of the column is empty"))
                    .with_hint("name a column of the header"));
            }
        }
        if let Some(missing) = self.value.as_ref().and_then(|value| value.missing)
            && !missing.is_finite()
        {
            return Err(Error::parameter("missing: the constant for missing cells must be a finite number")
                .with_hint("for example --missing 0"));
        }
        Ok(())
    }
}

/// Reads all records of the source, in one pass on all cores.
///
/// # Errors
///
/// Refuses columns that are not there or not of the declared form, missing cells, budgets out of range, undeclared
/// tiers, broken files, and data without records. The refusal is about the first fault in the order of the files
/// and rows, and names file, column and row, but no value.
///
/// # Example
///
/// ```no_run
/// use suum_data::{PrivacyColumn, Progress, Scan, Source, scan};
///
/// let people = Scan { privacy: PrivacyColumn::Budgets { column: "epsilon".into() }, value: None };
/// let table = scan(&Source::parse("people.parquet")?, &people, &Progress::default())?;
/// println!("{}", table.profile()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn scan(source: &Source, scan: &Scan, progress: &Progress) -> Result<LevelTable> {
    scan.check()?;
    let mut levels = Accumulator::new(scan);
    match source.place() {
        Place::StandardInput => {
            let input = Input::reader(Some("standard input".to_owned()), Box::new(io::stdin()));
            levels.merge(csv::scan(vec![input], scan, progress, csv::BLOCK_BYTES)?);
        }
        // Runs of one format are read one after the other, so that the first refusal is that of the first file.
        Place::Files(files) => {
            for run in files.chunk_by(|a, b| a.format == b.format) {
                let part = match run[0].format {
                    Format::Csv => {
                        let inputs = run.iter().map(|file| Input::path(&file.path)).collect();
                        csv::scan(inputs, scan, progress, csv::BLOCK_BYTES)?
                    }
                    Format::Parquet => {
                        let paths: Vec<_> = run.iter().map(|file| file.path.as_path()).collect();
                        parquet::scan(&paths, scan, progress)?
                    }
                };
                levels.merge(part);
            }
        }
    }
    levels.into_table(scan)
}

/// Reads all records of CSV from a reader, as [`scan`] reads a file.
///
/// # Errors
///
/// As [`scan`]; there is no file to name.
pub fn scan_csv(reader: impl Read + Send, scan: &Scan, progress: &Progress) -> Result<LevelTable> {
    scan.check()?;
    let input = Input::reader(None, Box::new(reader));
    csv::scan(vec![input], scan, progress, csv::BLOCK_BYTES)?.into_table(scan)
}
