//! Any bytes as CSV: a table or a refusal, and the refusal repeats nothing of them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use suum_core::{Bounds, Grid};
use suum_data::{PrivacyColumn, Progress, Scan, ValueColumn, scan_csv};

fn scan(variant: u8) -> Scan {
    let tiers = "strict=0.01,public=inf,0=1".parse().expect("declared tiers");
    let privacy = match variant & 1 {
        0 => PrivacyColumn::Budgets { column: "e".into() },
        _ => PrivacyColumn::Tiers { column: "e".into(), tiers },
    };
    let grid = Grid::new(Bounds::new(-1.0, 7.0).expect("bounds"));
    let missing = (variant & 4 != 0).then_some(0.5);
    let value = (variant & 2 != 0).then(|| ValueColumn { column: "v".into(), grid, missing });
    Scan { privacy, value }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((variant, text)) = bytes.split_first() else { return };
    let scan = scan(*variant);
    let progress = Progress::default();
    match scan_csv(text, &scan, &progress) {
        Ok(table) => {
            assert!(table.records() > 0);
            assert_eq!(progress.bytes(), text.len() as u64);
            assert_eq!(table.grid().is_some(), scan.value.is_some());
            // The same text again gives the same table.
            assert_eq!(scan_csv(text, &scan, &Progress::default()), Ok(table));
        }
        Err(refused) => {
            assert!(refused.hint().is_some());
            assert_eq!(scan_csv(text, &scan, &Progress::default()), Err(refused));
        }
    }
});
