//! CSV and Parquet to level tables, in one streaming, parallel pass.
//!
//! All that a release needs to know of the data is how many records each privacy level has and the exact sum of
//! their grid indices, or how many of them are in each category. This crate computes that, and nothing else leaves
//! it:
//!
//! ```text
//! Source ──► CSV blocks ────────┐
//! files      cut at record ends ├─► cells ─► sums per level ─► LevelTable ─► level-table file
//!       └──► Parquet row groups ┘            integers only       merged        (explicit raw export)
//! ```
//!
//! Sums are integers, so the same records give the same table in any order, split over any number of files, in
//! either format, on any number of cores. A random [`Sample`] depends on how the records lie in blocks and row groups,
//! but neither on the number of cores nor on their timing.
//!
//! **What a refusal says.** An error names the file, the column that was asked for and the row. It never repeats a
//! cell or a name found in a header: the first row of a file without a header is data.
//!
//! **Memory.** Each worker thread holds one block of CSV (4 MiB, or the longest record, which may have 64 MiB) or
//! one Parquet row group's pages of the two columns, and at most 65 536 exact budgets (or the some 700 000 there
//! can be after rounding). Categories take 8 bytes per level and category, on each thread at most 512 MiB. Nothing
//! grows with the number of records but one count for each block.
//!
//! # Example
//!
//! ```
//! use suum_core::{Bounds, Grid};
//! use suum_data::{PrivacyColumn, Progress, Scan, Value, ValueColumn, scan_csv};
//!
//! let csv = "visits,consent\n3,strict\n9,public\n0,strict\n";
//! let scan = Scan {
//!     privacy: PrivacyColumn::Tiers { column: "consent".into(), tiers: "strict=0.1,public=inf".parse()? },
//!     value: Some(Value::Number(ValueColumn {
//!         column: "visits".into(),
//!         grid: Grid::new(Bounds::new(0.0, 77.0)?),
//!         missing: None,
//!     })),
//!     sample: None,
//! };
//! let table = scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
//! assert_eq!(table.profile()?.to_string(), "0.1:2,inf:1");
//! # Ok::<(), suum_core::Error>(())
//! ```

mod accumulator;
mod budgets;
mod cell;
mod classes;
mod counters;
mod csv;
mod fault;
mod first_failure;
mod level_file;
mod parquet;
mod progress;
mod sample;
mod scan;
mod source;
mod tallies;
mod tiers;
mod value;

pub use classes::Classes;
pub use level_file::{read_levels, write_levels};
pub use progress::Progress;
pub use sample::Sample;
pub use scan::{PrivacyColumn, Scan, scan, scan_csv};
pub use source::Source;
pub use tiers::Tiers;
pub use value::{CategoryColumn, Value, ValueColumn};
