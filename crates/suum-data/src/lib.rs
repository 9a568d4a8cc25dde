//! CSV, Parquet and data in memory to level tables, in one streaming, parallel pass.
//!
//! All that a release needs to know of the data is how many records each privacy level has and the
//! exact sum of their grid indices and of their squares, or how many of them are in each category;
//! for quantiles also how many rows are at each candidate. This crate computes that, and nothing
//! else leaves it:
//!
//! ```text
//! Source ──► CSV blocks ────────┐
//! files      cut at record ends │
//!       └──► Parquet row groups ├─► columns ─► sums per level ─► LevelTable ─► level-table file
//! Arrow record batches ─────────┤              integers only     merged        (raw, on request)
//! slices ───────────────────────┘
//! ```
//!
//! Values without declared bounds cannot be added up yet. A [`RecordBuffer`] keeps the records of
//! one pass ([`keep`]), so that they can be counted again and again, and make a level table once
//! there are bounds.
//!
//! With a column of declared groups ([`scan_groups`], [`keep_groups`]) there is one for each, made
//! in the same pass; a level-table file can hold all of them ([`LevelTables`]). With a column that
//! names persons ([`Scan::person`]) all rows of a person together are one record.
//!
//! Sums are integers, so the same records give the same table in any order, split over any number
//! of files, in any format, on any number of cores.
//!
//! **What a refusal says.** An error names the file, the column that was asked for and the row, and
//! the tier, the group or the column that was perhaps meant. It never repeats a cell. The first row
//! of a CSV file without a header is data: a name found there is repeated only if every other
//! column that was asked for is there, too, and if it is no number.
//!
//! **Who is in the data** may be private too: then [`Scan::add_remove`] sees to it that nothing but
//! the table depends on the number of records and on their budgets.
//!
//! **Memory.** Each worker thread holds one block of CSV (4 MiB, or the longest record, which may
//! have 64 MiB) or the pages of one Parquet row group that it is decoding, and for each group at
//! most 65 536 exact budgets (or the some 700 000 there can be after rounding). Categories take 8
//! bytes per level and category, on each thread at most 512 MiB. Where rows are counted at
//! candidates, each takes 4 bytes, twice that for a moment, until a level has so many that one byte
//! for each candidate is less (16 where they are added up as well); from then on a candidate with
//! 255 rows takes some 20 more. Where levels have more than 2^26 candidates together, data with
//! more rows than that are refused, which depends on public numbers only: how many levels,
//! candidates and rows there are. Groups share these limits in equal parts. Nothing else grows with
//! the number of records but one count for each block.
//!
//! Persons and buffers are another matter. Rows of persons wait until all data are read. They take
//! 24 bytes each where budgets are few (256 tiers, or 32 numbers on a thread) and values have
//! bounds, and 40 elsewhere; in memory up to 384 MiB over all threads and 3 MiB on each, and in
//! unnamed files in the folder for temporary files (`TMPDIR`) beyond that. Then each thread puts
//! one of 64 parts of them in order in memory: of n rows some n/64, twice for a moment, and always
//! all rows of one person.
//!
//! Records of a buffer take 8 bytes each, 8 for each row that a person has in quantiles, and of
//! every 65 536 records 8 for each choice, in memory up to 256 MiB over all threads and 1 MiB on
//! each (with more than 256 groups 3 KiB a group), and in one such file beyond that; to count them
//! a thread needs some 16 bytes for each cut.
//! The files hold hashes of identifiers, budgets, values and grid indices, and are as private as
//! the data; they have no names, and are gone with the process.
//!
//! # Example
//!
//! ```
//! use suum_core::{Bounds, Grid};
//! use suum_data::{PrivacyColumn, Progress, Scan, Value, ValueColumn, scan_csv};
//!
//! let csv = "visits,consent\n3,strict\n9,public\n0,strict\n";
//! let scan = Scan::new(
//!     PrivacyColumn::Tiers { column: "consent".into(), tiers: "strict=0.1,public=inf".parse()? },
//!     Some(Value::Number(ValueColumn {
//!         column: "visits".into(),
//!         numbers: Grid::new(Bounds::new(0.0, 77.0)?).into(),
//!         missing: None,
//!     })),
//! );
//! let table = scan_csv(csv.as_bytes(), &scan, &Progress::default())?;
//! assert_eq!(table.profile()?.to_string(), "0.1:2,inf:1");
//! # Ok::<(), suum_core::Error>(())
//! ```
//!
//! # What is where
//!
//! Each folder imports nothing of those below it:
//!
//! * `scan/`: what is read. Which rows count (`filter/`), columns and their roles, groups,
//!   categories, tiers; what persons have left (`accounts`), and choices in a file of their own,
//!   by key (`consent`).
//! * `cells/`: from a cell to an integer. `cell` reads one, `indexed` makes integers of values and
//!   groups, `level_key` says of which level a record is; `fault` words what is wrong with data.
//! * `count/`: `counters` are the hot kernel, with what is counted of each level beside its sum.
//! * `sink/`: what becomes of rows. A row is a record, or waits for the other rows of its person
//!   (`persons/`; `total` adds them up exactly). Records are counted (`accumulator`, `budgets`,
//!   `levels` join what workers have counted), or kept in a `buffer/` for each group, in memory and
//!   in an unnamed file, to be counted again by a search for bounds (the trait `Records` of
//!   suum-core).
//! * `read/`: `check` refuses what cannot be, `passes` is the one pass that reads; `each` makes
//!   several scans in it, and `lanes` is what a thread has of each. `source`, `csv/`, `parquet/`,
//!   `memory/`: files, batches and slices to columns, in pieces that threads take. `columnar/`:
//!   columns to records, some thousand at a time, and dates and times of Arrow to numbers.
//! * `level_file/`: level tables as files.

mod cells;
mod count;
mod level_file;
mod read;
mod scan;
mod sink;

/// Arrays and record batches, in the version that [`scan_batches`] takes.
pub use arrow_array;
pub use arrow_schema;

pub use cells::EXACT_BUDGETS;
pub use count::{MOST_PAIRS, PARTS_OF_SUMS, SumsLimit};
pub use level_file::{
    MOST_BYTES as MOST_LEVEL_BYTES, read_counted, read_counted_of_anybody, read_levels,
    write_counted, write_levels,
};
pub use read::{
    DataColumn, Phase, Progress, Reading, Refusal, Slice, Slices, Source, TextCells, Threads,
    has_integers, inexact_bounds, keep, keep_batches, keep_csv, keep_groups, keep_groups_batches,
    keep_groups_csv, keep_slices, read_consent, read_consent_batches, read_labels,
    read_labels_batches, read_text_parquet, scan, scan_batches, scan_csv, scan_each,
    scan_each_batches, scan_groups, scan_groups_batches, scan_groups_csv, scan_groups_slices,
    scan_slices,
};
pub use scan::{
    AccountKey, Accounts, Across, CategoryColumn, CategoryRule, CellKind, CellTest, Comparison,
    Condition, Consent, Constant, CountedGroups, CsvForm, DecidedChoice, DecimalMark,
    DecisionColumns, DecisionPart, Delimiter, Edges, Encoding, Filter, GroupColumn, GroupKind,
    Grouping, Groups, LevelTables, NotUsedCounts, Nulls, PersonDecision, PersonGroups,
    PrivacyColumn, Scan, Side, StatusWords, Tiers, UnboundedColumn, Value, ValueColumn, list,
    nearest, plain_number,
};
pub use sink::{RecordBuffer, too_many_weights};

#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod many_budgets_tests;
