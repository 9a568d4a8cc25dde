//! A disk that remembers every write, and can fail or lose power at any of them.
//!
//! [`record`] puts itself between SQLite and the operating system's files. Every write, truncation,
//! sync and deletion goes through to the real file and into a log; [`Disk`] replays the log up to
//! any point and says what could be on the disk after the power failed there: everything that was
//! synced, and of the rest any part.

mod model;
mod shim;

pub use model::{Disk, Loss};
pub use shim::{Failing, Op, install, mark, record, take};
