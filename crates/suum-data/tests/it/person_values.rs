//! Persons who count with one number for all their rows.

use proptest::prelude::*;
use suum_core::{Bounds, Cells, ErrorKind, PersonValue};
use suum_data::{
    Progress, Scan, UnboundedColumn, Value, keep_csv, read_levels, scan_csv, scan_groups_csv,
    write_levels,
};
use suum_testing::Extent;

use crate::common::{budgets, labels, like, scan_path, sums, tiers, value};
use crate::rows::{TIERS, csv, expected, numbers, rows, settled, shards, sites, write};

const ALL: [PersonValue; 5] = [
    PersonValue::Mean,
    PersonValue::Total,
    PersonValue::Median,
    PersonValue::Min,
    PersonValue::Max,
];

fn per_person(scan: Scan, person_value: PersonValue) -> Scan {
    Scan { person: Some("person".into()), person_value, ..scan }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(150)))]

    #[test]
    fn each_number_is_a_naive_one_at_every_door(
        (rows, shuffled) in rows(9).prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
        shards in shards(),
        squares: bool,
        cells in 0..3,
        at in 0..ALL.len(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &shuffled, &shards);
        let cells = match (cells, squares) {
            (1, _) => Some(Cells::new(100).unwrap()),
            (2, true) => Some(Cells::new(100).unwrap().with_sums(true)),
            _ => None,
        };
        for privacy in [budgets("epsilon"), tiers("tier", TIERS)] {
            let scan = per_person(Scan::new(privacy.clone(), numbers(squares, cells)), ALL[at]);
            let expected = expected(&rows, &scan).remove("").unwrap();
            let text = scan_csv(csv(&rows, true).as_bytes(), &scan, &Progress::default());
            prop_assert_eq!(text.as_ref(), Ok(&expected));
            prop_assert_eq!(&scan_path(folder.path(), &scan).unwrap(), &expected);
            let mut file = Vec::new();
            write_levels(&expected, &mut file).unwrap();
            prop_assert_eq!(&read_levels(file.as_slice()).unwrap(), &expected);
            // A mean of rows without bounds is of rows that were not clamped.
            if ALL[at] == PersonValue::Mean {
                continue;
            }
            let cells = cells.filter(|cells| !cells.has_sums());
            let column = UnboundedColumn { column: "value".into(), missing: None, cells };
            let kept = Scan { value: Some(Value::Unbounded(column)), ..like(&scan) };
            let kept = keep_csv(csv(&shuffled, false).as_bytes(), &kept, &Progress::default());
            let numbers = scan.numbers().copied().unwrap();
            prop_assert_eq!(kept.unwrap().table(numbers).unwrap(), expected);
        }
    }

    #[test]
    fn a_person_has_a_number_in_their_group(rows in rows(9), at in 0..ALL.len()) {
        let rows = settled(rows);
        let scan = per_person(Scan::new(budgets("epsilon"), numbers(true, None)), ALL[at]);
        let scan = Scan { group: sites(Some("others")), ..scan };
        let groups = scan_groups_csv(csv(&rows, true).as_bytes(), &scan, &Progress::default());
        let groups = groups.unwrap().each.into_iter();
        let groups = groups.filter_map(|(name, table)| Some((name.to_string(), table?))).collect();
        prop_assert_eq!(expected(&rows, &scan), groups);
    }
}

#[test]
fn numbers_are_clamped_after_rows_were_reduced() {
    // Bounds are 0 and 8: the median of y is 3, and not 4, as it would be of clamped rows.
    let text = "person,tier,v\nx,a,10\ny,a,-7\nx,a,2\ny,a,13\nx,a,5\n";
    let unit = 1i128 << 27;
    for (value_of, x, y) in [
        (PersonValue::Mean, 5 * unit, 4 * unit),
        (PersonValue::Total, 8 * unit, 6 * unit),
        (PersonValue::Median, 5 * unit, 3 * unit),
        (PersonValue::Min, 2 * unit, 0),
        (PersonValue::Max, 8 * unit, 8 * unit),
    ] {
        let scan = per_person(Scan::new(tiers("tier", "a=1"), value("v")), value_of);
        let table = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap();
        assert_eq!(sums(&table), [[x + y]], "{value_of}");
        assert_eq!((table.person(), table.person_value()), (Some("person"), value_of));
    }
}

#[test]
fn dates_have_a_median_and_no_total() {
    let bounds: Bounds = "2020-01-01,2020-01-09".parse().unwrap();
    let column = suum_data::ValueColumn {
        column: "v".into(),
        numbers: suum_core::Grid::new(bounds).into(),
        missing: None,
    };
    let scan = |value_of| {
        let value = Some(Value::Number(column.clone()));
        per_person(Scan::new(tiers("tier", "a=1"), value), value_of)
    };
    let text = "person,tier,v\nx,a,2020-01-02\nx,a,2020-01-07\nx,a,2020-01-05\n";
    let unit = 1i128 << 27;
    for (value_of, expected) in
        [(PersonValue::Median, 4), (PersonValue::Min, 1), (PersonValue::Max, 6)]
    {
        let table = scan_csv(text.as_bytes(), &scan(value_of), &Progress::default()).unwrap();
        assert_eq!(sums(&table), [[expected * unit]], "{value_of}");
    }
    let refused = scan(PersonValue::Total).check(false).unwrap_err();
    assert!(refused.to_string().starts_with("per_person: dates"), "{refused}");
}

#[test]
fn numbers_of_nothing_are_refused() {
    for value_of in ALL {
        let rows = Cells::new(16).unwrap().with_rows(2).unwrap();
        let scan = |value| per_person(Scan::new(budgets("e"), value), value_of);
        for (refused, option) in [
            (Scan { person: None, ..scan(value("v")) }.check(false), "per_person: "),
            (scan(labels("v", "a,b", None, None)).check(false), "per_person: "),
            (scan(numbers(false, Some(rows))).check(false), "rows: "),
        ] {
            let refused = refused.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Request);
            assert!(refused.to_string().starts_with(option) && refused.fix().is_some());
        }
    }
}
