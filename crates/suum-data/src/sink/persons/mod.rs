//! Rows to persons: each counts once, however many rows there are.
//!
//! A person's rows can be anywhere in the data, so they wait until all has been read: in 64
//! partitions by a hash of the identifier, in memory and, beyond a limit, in temporary files. Then
//! each partition is sorted, which brings the rows of a person together, and the persons are
//! counted like records.
//!
//! ```text
//! worker ──► Rows ──► Store: partition 0 … 63 ──► sort ──► Person ──► Levels
//!                     memory │ temporary file     one partition per thread
//! ```

mod count;
mod identifiers;
mod order;
mod packing;
mod person;
mod plain;
mod row;
mod shares;
mod store;
mod total;

pub(crate) use count::count;
pub(crate) use identifiers::Identifiers;
pub(crate) use row::{hash_cell, identifier};
pub(crate) use store::{Rows, Store};
