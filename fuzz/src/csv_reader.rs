//! Any bytes as CSV: a table or a refusal, and the refusal repeats nothing of them.
use crate::scan;
use suum_data::{Progress, Value, scan_csv, scan_groups_csv};

/// Any bytes as CSV: a table or a refusal, and the refusal repeats nothing of them.
///
/// # Panics
///
/// If that is not so.
pub fn csv_reader(bytes: &[u8]) {
    let Some((variant, text)) = bytes.split_first() else { return };
    let scan = scan(*variant);
    let progress = Progress::default();
    if scan.group.is_some() {
        let groups = scan_groups_csv(text, &scan, &progress);
        assert_eq!(scan_groups_csv(text, &scan, &Progress::default()), groups);
        match groups {
            Ok(groups) => {
                assert!(
                    groups.each.len() == 3 && groups.each.iter().any(|(_, table)| table.is_some())
                )
            }
            Err(refused) => assert!(refused.fix().is_some(), "{refused}"),
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
                let counted = table.by_level().iter().flat_map(|level_sums| &level_sums.sums);
                let counted: i128 = counted.map(|count| count.expose_raw()).sum();
                assert_eq!(counted, i128::from(table.records()));
            }
            // The same text again gives the same table.
            assert_eq!(scan_csv(text, &scan, &Progress::default()), Ok(table));
        }
        Err(refused) => {
            assert!(refused.fix().is_some());
            assert_eq!(scan_csv(text, &scan, &Progress::default()), Err(refused));
        }
    }
}
