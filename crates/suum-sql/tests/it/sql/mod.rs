//! Level queries: what databases answer is what a scan of the same records finds.

mod filters;
mod number_labels;
mod people;
mod postgres;
mod queries;
mod results;
mod same_table;
mod snapshots;
mod sqlite_files;
