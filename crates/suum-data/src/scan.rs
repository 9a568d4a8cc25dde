//! What to read, and the one pass that reads it.

use std::io::{self, Read};

use suum_core::{Error, LevelTable, Result};

use crate::accumulator::Accumulator;
use crate::counters::Counters;
use crate::csv::{self, Input};
use crate::fault::Role;
use crate::parquet;
use crate::progress::Progress;
use crate::sample::Sample;
use crate::source::{Format, Place, Source};
use crate::tiers::Tiers;
use crate::value::Value;

/// The columns a scan reads and how.
#[derive(Debug, Clone)]
pub struct Scan {
    /// Where each record's privacy choice is.
    pub privacy: PrivacyColumn,
    /// Where each record's value is; `None` if only choices are counted.
    pub value: Option<Value>,
    /// Whose values are used, for the estimator `sample`; `None` for everybody's.
    pub sample: Option<Sample>,
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

impl Scan {
    /// The name of a column as the user gave it.
    pub(crate) fn column(&self, role: Role) -> &str {
        match (role, &self.privacy, &self.value) {
            (Role::Value, _, Some(value)) => value.column(),
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
        let Some(value) = &self.value else {
            return match self.sample {
                None => Ok(()),
                Some(_) => Err(Error::request("sample: without a value column there is nothing to sample")
                    .with_hint("name the column of values, or count the choices of everybody")),
            };
        };
        if let PrivacyColumn::Tiers { tiers, .. } = &self.privacy
            && Counters::too_many(tiers.len(), value.width())
        {
            return Err(Error::request("there are more than 67108864 pairs of a tier and a category")
                .with_hint("declare fewer tiers or categories"));
        }
        value.check()
    }
}

/// Reads all records of the source, in one pass on all cores.
///
/// # Errors
///
/// Refuses columns that are not there or not of the declared form, missing cells, budgets out of range, undeclared
/// tiers and categories, broken files, and data without records. The refusal is about the first fault in the order of
/// the files and rows, and names file, column and row, but no value.
///
/// # Example
///
/// ```no_run
/// use suum_data::{PrivacyColumn, Progress, Scan, Source, scan};
///
/// let privacy = PrivacyColumn::Budgets { column: "epsilon".into() };
/// let people = Scan { privacy, value: None, sample: None };
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
            levels.merge(csv::scan(vec![input], scan, progress, csv::BLOCK_BYTES, 0)?.levels);
        }
        // Runs of one format are read one after the other, so that the first refusal is that of the first file.
        Place::Files(files) => {
            // Each run counts its pieces from where the one before it ended: no two have the same number.
            let mut pieces = 0;
            for run in files.chunk_by(|a, b| a.format == b.format) {
                let part = match run[0].format {
                    Format::Csv => {
                        let inputs = run.iter().map(|file| Input::path(&file.path)).collect();
                        csv::scan(inputs, scan, progress, csv::BLOCK_BYTES, pieces)?
                    }
                    Format::Parquet => {
                        let paths: Vec<_> = run.iter().map(|file| file.path.as_path()).collect();
                        parquet::scan(&paths, scan, progress, pieces)?
                    }
                };
                levels.merge(part.levels);
                pieces += part.pieces;
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
    csv::scan(vec![input], scan, progress, csv::BLOCK_BYTES, 0)?.levels.into_table(scan)
}
