//! The one pass that reads: files, batches and slices to columns, in pieces that threads take.

pub(crate) mod check;
pub(crate) mod columnar;
mod columns;
pub(crate) mod compression;
mod consent_file;
pub(crate) mod csv;
mod each;
pub(crate) mod first_failure;
mod integers;
mod labels;
pub(crate) mod lanes;
pub(crate) mod memory;
pub(crate) mod parquet;
pub(crate) mod passes;
pub(crate) mod progress;
pub(crate) mod source;
mod threads;

pub use check::inexact_bounds;
pub use columns::DataColumn;
pub use consent_file::{read_consent, read_consent_batches};
pub use each::{Reading, scan_each, scan_each_batches};
pub use integers::has_integers;
pub use labels::{read_labels, read_labels_batches};
pub use lanes::Refusal;
pub use memory::{Slice, Slices};
pub use parquet::{TextCells, read_text_parquet};
pub use passes::{
    keep, keep_batches, keep_csv, keep_groups, keep_groups_batches, keep_groups_csv, keep_slices,
    scan, scan_batches, scan_csv, scan_groups, scan_groups_batches, scan_groups_csv,
    scan_groups_slices, scan_slices,
};
pub use progress::{Phase, Progress};
pub use source::Source;
pub use threads::Threads;
