//! Tables of two columns: they count what one column of both labels counts.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use proptest::prelude::*;
use suum_core::{Categories, LevelTable, Measure};
use suum_data::{
    Across, CategoryColumn, CategoryRule, GroupColumn, Progress, Scan, Value, scan_batches,
    scan_csv,
};

use crate::common::{sums, tiers};

const REGIONS: [&str; 4] = ["north", "south", "none", "elsewhere"];
const SEXES: [&str; 4] = ["f", "m", "none", "elsewhere"];

/// One row: region and sex, of which the last is not declared; `None` is missing.
type Row = (Option<usize>, Option<usize>, bool);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let label = || prop::option::weighted(0.8, 0usize..4);
    prop::collection::vec((label(), label(), any::<bool>()), 1..60)
}

fn crossed(missing: Option<&str>) -> Option<Value> {
    let classes = |names: [&str; 4]| {
        CategoryRule::labels(
            names[..3].iter().map(|name| (*name).to_owned()).collect(),
            Some("other"),
        )
    };
    let classes = (classes(REGIONS).unwrap(), classes(SEXES).unwrap());
    let sex = GroupColumn { column: "sex".into(), groups: classes.1 };
    let across = Across::new("region", &classes.0, sex, missing).unwrap();
    Some(Value::Category(CategoryColumn {
        column: "region".into(),
        classes: classes.0,
        missing: missing.map(str::to_owned),
        across: Some(Box::new(across)),
    }))
}

/// Label as which a cell of either column counts, if it counts.
fn label(names: [&'static str; 4], place: Option<usize>, excludes: bool) -> Option<&'static str> {
    match place {
        Some(3) => Some("other"),
        Some(place) => Some(names[place]),
        None if excludes => None,
        None => Some("none"),
    }
}

/// Expected table, counted from one column of combined labels.
fn expected(rows: &[Row], excludes: bool, cells: &Categories) -> Vec<Vec<i128>> {
    let mut text = "cell,tier\n".to_owned();
    for (region, sex, strict) in rows {
        let region = label(REGIONS, *region, excludes);
        let both = region.zip(label(SEXES, *sex, excludes));
        let both = both.map_or(String::new(), |(one, other)| format!("\"{one}, {other}\""));
        text += &format!("{both},{}\n", if *strict { "a" } else { "b" });
    }
    let classes = CategoryRule::labels(cells.names().to_vec(), None).unwrap();
    let value = Value::Category(CategoryColumn {
        column: "cell".into(),
        classes,
        missing: None,
        across: None,
    });
    let scan =
        Scan { leaves_out_missing: excludes, ..Scan::new(tiers("tier", "a=0.1,b=1"), Some(value)) };
    sums(&scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap())
}

fn csv(rows: &[Row]) -> String {
    let cell = |names: [&str; 4], place: Option<usize>| place.map_or("", |at| names[at]).to_owned();
    let mut text = "sex,tier,region\n".to_owned();
    for (region, sex, strict) in rows {
        let (region, sex) = (cell(REGIONS, *region), cell(SEXES, *sex));
        text += &format!("{sex},{}, {region} \n", if *strict { "a" } else { "b" });
    }
    text
}

fn batch(rows: &[Row]) -> RecordBatch {
    let column = |of: &dyn Fn(&Row) -> Option<&'static str>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<StringArray>())
    };
    let columns = [
        ("region", column(&|row| row.0.map(|at| REGIONS[at]))),
        ("tier", column(&|row| Some(if row.2 { "a" } else { "b" }))),
        ("sex", column(&|row| row.1.map(|at| SEXES[at]))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

proptest! {
    #[test]
    fn cells_are_those_of_one_column_with_both_labels(rows in rows(), excludes: bool) {
        let missing = Some("none").filter(|_| !excludes);
        let scan = Scan {
            leaves_out_missing: excludes,
            ..Scan::new(tiers("tier", "a=0.1,b=1"), crossed(missing))
        };
        let table = scan_csv(csv(&rows).as_bytes(), &scan, &Progress::default()).unwrap();
        prop_assert_eq!(table.column(), Some("region, sex"));
        let Measure::Categories(cells) = table.measure() else { panic!() };
        prop_assert_eq!(cells.len(), 16);
        prop_assert_eq!(sums(&table), expected(&rows, excludes, cells));
        let batches = Box::new(std::iter::once(Ok(batch(&rows))));
        let of_batch: LevelTable = scan_batches(batches, &scan, &Progress::default()).unwrap();
        prop_assert_eq!(of_batch, table);
    }
}

#[test]
fn what_is_wrong_is_said_of_its_column() {
    let scan = Scan::new(tiers("tier", "a=0.1"), crossed(None));
    for (row, message) in [
        ("f,a,", "column region, row 1: missing value"),
        (",a,north", "column sex, row 1: missing value"),
        ("\u{fffd},b,north", "column tier, row 1: the tier is not declared"),
    ] {
        let text = format!("sex,tier,region\n{row}\n");
        let refused = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap_err();
        assert!(refused.to_string().contains(message), "{refused}");
        assert!(refused.fix().is_some());
    }
    let Some(Value::Category(column)) = crossed(None) else { panic!() };
    let names = vec!["f".to_owned(), "m".to_owned()];
    let sex =
        GroupColumn { column: "sex".into(), groups: CategoryRule::labels(names, None).unwrap() };
    let across = Some(Box::new(Across::new("region", &column.classes, sex, None).unwrap()));
    let value = Some(Value::Category(CategoryColumn { across, ..column }));
    let scan = Scan::new(tiers("tier", "a=0.1"), value);
    let text = "sex,tier,region\nx,a,north\n";
    let refused = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap_err();
    let expected = "column sex, row 1: the value is not a declared category";
    assert!(refused.to_string().contains(expected), "{refused}");
}
