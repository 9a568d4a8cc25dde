//! Text and bytes from outside, thrown at every reader, and exact arithmetic against a second
//! implementation.
//!
//! Each target is a function of bytes that panics if something is wrong. `tests/replay.rs` runs
//! them on the inputs in `corpus/`; `libfuzzer/` makes fuzzers of them, which `run.sh` builds and
//! runs.
//!
//! | target | what is fuzzed | what must hold |
//! |---|---|---|
//! | `csv_reader`, `packed_csv` | CSV; gzip and Zstandard | a table, or a refusal with a way out |
//! | `parquet_file` | Parquet, of records and of results | the same |
//! | `level_table`, `query_result` | level-table files; results of databases | it reads back |
//! | `profile_text` | what is typed: budgets, bounds, tiers, … | text of it reads back |
//! | `postgres_settings` | URLs and settings of PostgreSQL | a URL shows no password |
//! | `ledger_text` | entries, head and key of a ledger | a change is noticed |
//! | `exact_arithmetic`, `calibration` | integers; plans | a second implementation agrees |
#![allow(clippy::expect_used, clippy::panic, reason = "a target panics if something is wrong")]

mod calibration;
mod csv_reader;
mod exact_arithmetic;
mod ledger_text;
mod level_table;
mod packed_csv;
mod parquet_file;
mod postgres_settings;
mod profile_text;
mod query_result;

use std::fs;
use std::path::PathBuf;

use suum_core::{Bounds, Cells, Grid, Numbers, PersonValue};
use suum_data::{CategoryColumn, CategoryRule, Grouping, PrivacyColumn, Scan, Value, ValueColumn};
use tempfile::TempDir;

pub use calibration::calibration;
pub use csv_reader::csv_reader;
pub use exact_arithmetic::exact_arithmetic;
pub use ledger_text::ledger_text;
pub use level_table::level_table;
pub use packed_csv::packed_csv;
pub use parquet_file::parquet_file;
pub use postgres_settings::postgres_settings;
pub use profile_text::profile_text;
pub use query_result::query_result;

/// A function of bytes that panics if something is wrong.
pub type Target = fn(&[u8]);

/// All targets by their names, which are those of the folders in `corpus/`.
pub const TARGETS: [(&str, Target); 10] = [
    ("calibration", calibration),
    ("csv_reader", csv_reader),
    ("exact_arithmetic", exact_arithmetic),
    ("ledger_text", ledger_text),
    ("level_table", level_table),
    ("packed_csv", packed_csv),
    ("parquet_file", parquet_file),
    ("postgres_settings", postgres_settings),
    ("profile_text", profile_text),
    ("query_result", query_result),
];

thread_local! {
    /// A folder of this thread, which goes with it.
    static FOLDER: TempDir = tempfile::tempdir().expect("a temporary folder");
}

/// A file of this name in a folder of this thread.
pub(crate) fn path(name: &str) -> PathBuf {
    FOLDER.with(|folder| folder.path().join(name))
}

/// A file of this name that has these bytes.
pub(crate) fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path(name);
    fs::write(&path, bytes).expect("a temporary file");
    path
}

/// The columns `e`, `v`, `p` and `g`, read in one of many ways.
pub(crate) fn scan(variant: u8) -> Scan {
    let tiers = "strict=0.01,public=inf,0=1".parse().expect("declared tiers");
    let privacy = match variant & 1 {
        0 => PrivacyColumn::Budgets { column: "e".into() },
        _ => PrivacyColumn::Tiers { column: "e".into(), tiers },
    };
    let grid = Grid::new(Bounds::new(-1.0, 7.0).expect("bounds"));
    let person = (variant & 32 != 0).then(|| "p".to_owned());
    let rows = if person.is_some() { 3 } else { 1 };
    let cells = Cells::new(8).and_then(|cells| cells.with_rows(rows)).expect("candidates");
    let more = variant & 64 != 0;
    let numbers = Numbers { grid, squares: more, cells: more.then_some(cells) };
    let missing = (variant & 4 != 0).then_some(0.5);
    let value = match variant >> 3 & 3 {
        _ if variant & 2 == 0 => None,
        0 => Some(Value::Number(ValueColumn { column: "v".into(), numbers, missing })),
        kind => Some(Value::Category(categories(kind, variant & 4 != 0))),
    };
    let groups = CategoryRule::labels(vec!["good".into(), "1".into()], Some("rest"))
        .expect("declared groups");
    let group = (variant & 128 != 0).then(|| Grouping::one("g", groups));
    // Numbers of persons without candidates, of which missing ones are replaced.
    let is_one = person.is_some() && !more && variant & 0b1_1110 == 0b110;
    let person_value = match variant >> 6 & 1 {
        _ if !is_one => PersonValue::Rows,
        0 => PersonValue::Total,
        _ => PersonValue::Median,
    };
    Scan { person, person_value, group, ..Scan::new(privacy, value) }
}

fn categories(kind: u8, lenient: bool) -> CategoryColumn {
    let other = lenient.then_some("other");
    let labels = ["good", "1", "-inf"].map(str::to_owned).to_vec();
    let (classes, missing) = match kind {
        1 => (CategoryRule::labels(labels, other), None),
        2 => (CategoryRule::labels(labels, other), Some("good".to_owned())),
        _ => (
            "-1,0,2.5,7".parse().and_then(|edges| CategoryRule::bins(edges, other)),
            lenient.then(|| "other".to_owned()),
        ),
    };
    CategoryColumn {
        column: "v".into(),
        classes: classes.expect("declared categories"),
        missing,
        across: None,
    }
}
