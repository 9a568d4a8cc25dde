//! The health survey that is shipped as an example.

use std::path::Path;

use suum_core::{Bounds, Grid};
use suum_data::{Scan, ValueColumn};

use crate::common::{scan_path, tiers};

#[test]
fn the_survey_has_its_known_counts_and_sum() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/randhie.csv");
    // A grid whose steps are binary fractions of a visit: the sum is exact.
    let grid = Grid::new(Bounds::new(0.0, 128.0).unwrap());
    let visits = ValueColumn { column: "visits".into(), grid, missing: None };
    let scan = Scan {
        privacy: tiers("privacy", "strict=0.01,standard=0.1,relaxed=1,public=inf,unheard=2"),
        value: Some(visits),
    };
    let table = scan_path(&path, &scan).unwrap();
    let counts: Vec<_> =
        table.cohorts().iter().map(|cohort| (cohort.label.as_deref().unwrap(), cohort.count)).collect();
    assert_eq!(counts, [("strict", 6835), ("standard", 8767), ("relaxed", 4028), ("public", 560)]);
    assert_eq!(table.records(), 20190);

    let text = std::fs::read_to_string(path).unwrap();
    let visits: u64 =
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<u64>().unwrap()).sum();
    let sum: i128 = table.cohorts().iter().map(|cohort| cohort.sum.expose_raw()).sum();
    assert_eq!(sum, i128::from(visits) * i128::from(grid.points() / 128));
}
