//! What several targets need: something to read, and files to read it from.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use suum_core::{Bounds, Cells, Grid, Numbers};
use suum_data::{CategoryColumn, Classes, GroupColumn, PrivacyColumn, Scan, Value, ValueColumn};

/// A folder of this process.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("suum-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
});

/// A file of this name in a folder of this process.
pub fn path(name: &str) -> PathBuf {
    FOLDER.join(name)
}

/// A file of this name that has these bytes.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path(name);
    fs::write(&path, bytes).expect("a temporary file");
    path
}

/// The columns `e`, `v`, `p` and `g`, read in one of many ways.
pub fn scan(variant: u8) -> Scan {
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
    let groups =
        Classes::labels(vec!["good".into(), "1".into()], Some("rest")).expect("declared groups");
    let group = (variant & 128 != 0).then(|| GroupColumn { column: "g".into(), groups });
    Scan { person, group, ..Scan::new(privacy, value) }
}

fn categories(kind: u8, lenient: bool) -> CategoryColumn {
    let other = lenient.then_some("other");
    let labels = ["good", "1", "-inf"].map(str::to_owned).to_vec();
    let (classes, missing) = match kind {
        1 => (Classes::labels(labels, other), None),
        2 => (Classes::labels(labels, other), Some("good".to_owned())),
        _ => (Classes::bins("-1,0,2.5,7", other), lenient.then(|| "other".to_owned())),
    };
    CategoryColumn { column: "v".into(), classes: classes.expect("declared categories"), missing }
}
