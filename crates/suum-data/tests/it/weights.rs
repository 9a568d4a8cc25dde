//! Design weights are found, and told apart, as numbers.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, Decimal128Array, Float32Array, Float64Array, Int64Array, RecordBatch, StringArray,
};
use suum_core::{LevelTable, Result};
use suum_data::{
    CategoryRule, GroupColumn, Grouping, Groups, Progress, Scan, Source, scan_batches, scan_csv,
    scan_groups, scan_groups_batches,
};

use crate::common::{budgets, scan_path, tiers, write_parquet};

fn level_budgets(table: &LevelTable) -> Vec<f64> {
    table.by_level().iter().map(|level| level.epsilon.get()).collect()
}

fn weights() -> Scan {
    Scan { reads_weights: true, ..Scan::new(budgets("w"), None) }
}

fn grouped(names: &[&str]) -> Scan {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let groups = CategoryRule::weights(names).unwrap();
    let column = GroupColumn { column: "w".into(), groups };
    let group = Some(Grouping::from(column).ending_in_strata());
    Scan { group, ..Scan::new(tiers("t", "p=1"), None) }
}

fn counts(groups: Result<Groups>) -> Vec<u64> {
    let each = groups.unwrap().each.into_iter();
    each.map(|(_, table)| table.map_or(0, |table| table.records())).collect()
}

#[test]
fn weights_of_every_type_are_found_and_matched() {
    let decimals = Decimal128Array::from(vec![5000, 25000, 5000]);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Float64Array::from(vec![0.5, 2.5, 0.5])),
        Arc::new(Float32Array::from(vec![0.5, 2.5, 0.5])),
        Arc::new(StringArray::from(vec!["0.5", "25e-1", " 0.50 "])),
        Arc::new(decimals.with_precision_and_scale(38, 4).unwrap()),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.parquet");
    let progress = Progress::default();
    for column in columns {
        let label: ArrayRef = Arc::new(StringArray::from(vec!["p"; 3]));
        let columns = [("w", column), ("t", label)];
        write_parquet(&path, &columns, 2);
        assert_eq!(level_budgets(&scan_path(&path, &weights()).unwrap()), [0.5, 2.5]);
        let source = Source::parse(path.to_str().unwrap()).unwrap();
        let declared = grouped(&["2.500", "0.5", "7"]);
        assert_eq!(counts(scan_groups(&source, &declared, &progress)), [1, 2, 0]);
        let columns = columns.map(|(name, column)| (name, column, true));
        let batch = || RecordBatch::try_from_iter_with_nullable(columns.clone()).unwrap();
        let table = scan_batches([Ok(batch())], &weights(), &progress).unwrap();
        assert_eq!(level_budgets(&table), [0.5, 2.5]);
        assert_eq!(counts(scan_groups_batches([Ok(batch())], &declared, &progress)), [1, 2, 0]);
    }
}

#[test]
fn too_many_weights_are_refused_however_they_come() {
    let progress = Progress::default();
    for (count, fits) in [(65_536, true), (65_537, false)] {
        let lines: String = (1..=count).map(|weight| format!("{weight}.25\n")).collect();
        let table = scan_csv(format!("w\n{lines}").as_bytes(), &weights(), &progress);
        assert_eq!(table.is_ok(), fits, "{count}");
        let column: ArrayRef = Arc::new(Int64Array::from_iter_values(1..=count));
        let batch = RecordBatch::try_from_iter([("w", column)]).unwrap();
        let batches: Vec<_> = (0..8).map(|_| Ok(batch.clone())).collect();
        match scan_batches(batches, &weights(), &progress) {
            Ok(table) => assert!(fits && table.by_level().len() == 65_536),
            Err(refused) => {
                assert!(!fits, "{refused}");
                assert!(refused.to_string().contains("65536 different design weights"));
            }
        }
    }
}
