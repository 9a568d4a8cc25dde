//! The health survey that is shipped as an example.

use std::path::{Path, PathBuf};

use suum_core::{Bounds, Grid};
use suum_data::{Scan, Value, ValueColumn};

use crate::common::{bins, labels, scan_path, sums, tiers};

const PRIVACY: &str = "strict=0.01,standard=0.1,relaxed=1,public=inf,unheard=2";

fn survey() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/randhie.csv")
}

#[test]
fn the_survey_has_its_known_counts_and_sum() {
    let path = survey();
    // A grid whose steps are binary fractions of a visit: the sum is exact.
    let grid = Grid::new(Bounds::new(0.0, 128.0).unwrap());
    let visits = ValueColumn { column: "visits".into(), numbers: grid.into(), missing: None };
    let scan = Scan::new(tiers("privacy", PRIVACY), Some(Value::Number(visits)));
    let table = scan_path(&path, &scan).unwrap();
    let counts: Vec<_> = table
        .by_level()
        .iter()
        .map(|level_sums| (level_sums.label.as_deref().unwrap(), level_sums.count))
        .collect();
    assert_eq!(counts, [("strict", 6835), ("standard", 8767), ("relaxed", 4028), ("public", 560)]);
    assert_eq!(table.records(), 20190);

    let text = std::fs::read_to_string(path).unwrap();
    let visits: u64 = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse::<u64>().unwrap())
        .sum();
    let sum: i128 = table.by_level().iter().map(|level_sums| level_sums.sums[0].expose_raw()).sum();
    assert_eq!(sum, i128::from(visits) * i128::from(grid.points() / 128));
}

#[test]
fn the_survey_has_its_known_categories() {
    let everybody = |value| Scan::new(tiers("privacy", PRIVACY), value);
    let total = |value| {
        let rows = sums(&scan_path(&survey(), &everybody(value)).unwrap());
        (0..rows[0].len())
            .map(|class| rows.iter().map(|row| row[class]).sum())
            .collect::<Vec<i128>>()
    };
    assert_eq!(
        total(labels("health", "excellent,good,fair,poor", None, None)),
        [11019, 7309, 1560, 302]
    );
    assert_eq!(total(labels("health", "poor,good", Some("other"), None)), [302, 7309, 12579]);

    let text = std::fs::read_to_string(survey()).unwrap();
    let visits: Vec<u32> =
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    let within =
        |from, to| visits.iter().filter(|visits| (from..to).contains(*visits)).count() as i128;
    let expected = [within(0, 1), within(1, 10), within(10, 78)];
    assert_eq!(total(bins("visits", "0,1,10,77", None, None)), expected);
}
