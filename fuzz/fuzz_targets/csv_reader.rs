//! Any bytes as CSV: a table or a refusal, and the refusal repeats nothing of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use suum_core::{Bounds, Grid};
use suum_data::{CategoryColumn, Classes, PrivacyColumn, Progress, Scan, Value, ValueColumn, scan_csv};

fn scan(variant: u8) -> Scan {
    let tiers = "strict=0.01,public=inf,0=1".parse().expect("declared tiers");
    let privacy = match variant & 1 {
        0 => PrivacyColumn::Budgets { column: "e".into() },
        _ => PrivacyColumn::Tiers { column: "e".into(), tiers },
    };
    let grid = Grid::new(Bounds::new(-1.0, 7.0).expect("bounds"));
    let missing = (variant & 4 != 0).then_some(0.5);
    let value = match variant >> 3 & 3 {
        _ if variant & 2 == 0 => None,
        0 => Some(Value::Number(ValueColumn { column: "v".into(), grid, missing })),
        kind => Some(Value::Category(categories(kind, variant & 4 != 0))),
    };
    Scan { privacy, value, sample: None }
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
