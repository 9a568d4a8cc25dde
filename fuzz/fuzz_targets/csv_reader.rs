//! Any bytes as CSV: a table or a refusal, and the refusal repeats nothing of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use suum_core::{Bounds, Cells, Grid, Numbers};
use suum_data::{
    CategoryColumn, Classes, GroupColumn, PrivacyColumn, Progress, Scan, Value, ValueColumn, scan_csv,
    scan_groups_csv,
};

fn scan(variant: u8) -> Scan {
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
    let groups = Classes::labels(vec!["good".into(), "1".into()], Some("rest")).expect("declared groups");
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

fuzz_target!(|bytes: &[u8]| {
    let Some((variant, text)) = bytes.split_first() else { return };
    let scan = scan(*variant);
    let progress = Progress::default();
    if scan.group.is_some() {
        let groups = scan_groups_csv(text, &scan, &progress);
        assert_eq!(scan_groups_csv(text, &scan, &Progress::default()), groups);
        match groups {
            Ok(groups) => {
                assert!(groups.tables.len() == 3 && groups.tables.iter().any(|(_, table)| table.is_some()))
            }
            Err(refused) => assert!(refused.hint().is_some()),
        }
        return;
    }
    match scan_csv(text, &scan, &progress) {
        Ok(table) => {
            assert!(table.records() > 0);
            assert_eq!(progress.bytes(), text.len() as u64);
            let categories = matches!(scan.value, Some(Value::Category(_)));
            assert_eq!(table.categories().is_some(), categories);
            assert_eq!(table.grid().is_some(), scan.value.is_some() && !categories);
            if categories {
                let counted = table.cohorts().iter().flat_map(|cohort| &cohort.sums);
                let counted: i128 = counted.map(|count| count.expose_raw()).sum();
                assert_eq!(counted, i128::from(table.records()));
            }
            // The same text again gives the same table.
            assert_eq!(scan_csv(text, &scan, &Progress::default()), Ok(table));
        }
        Err(refused) => {
            assert!(refused.hint().is_some());
            assert_eq!(scan_csv(text, &scan, &Progress::default()), Err(refused));
        }
    }
});
