//! Persons who count with the total of their rows.

use proptest::prelude::*;
use suum_core::{Bounds, Cells, ErrorKind, Grid, Numbers, PersonValue};
use suum_data::{
    CategoryRule, Grouping, Progress, Scan, UnboundedColumn, Value, keep_csv, read_levels,
    scan_csv, scan_groups_csv, write_levels,
};
use suum_testing::Extent;

use crate::common::{budgets, labels, like, scan_path, sums, tiers, value, value_or};
use crate::rows::{TIERS, csv, expected, numbers, rows, settled, shards, sites, write};

fn with_totals(scan: Scan) -> Scan {
    Scan { person: Some("person".into()), person_value: PersonValue::Total, ..scan }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(150)))]

    /// Compares totals with exact rationals that are rounded once.
    #[test]
    fn order_files_and_format_do_not_matter(
        (rows, shuffled) in rows(9).prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
        shards in shards(),
        squares: bool,
        cells: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &shuffled, &shards);
        let cells = (squares && cells).then(|| Cells::new(100).unwrap().with_sums(true));
        for privacy in [budgets("epsilon"), tiers("tier", TIERS)] {
            let scan = with_totals(Scan::new(privacy.clone(), numbers(squares, cells)));
            let expected = expected(&rows, &scan).remove("").unwrap();
            let text = scan_csv(csv(&rows, true).as_bytes(), &scan, &Progress::default());
            prop_assert_eq!(text.as_ref(), Ok(&expected));
            prop_assert_eq!(&scan_path(folder.path(), &scan).unwrap(), &expected);
            let mut file = Vec::new();
            write_levels(&expected, &mut file).unwrap();
            prop_assert_eq!(&read_levels(file.as_slice()).unwrap(), &expected);
            // Totals that are kept are the same, whatever the bounds will be.
            let column = UnboundedColumn { column: "value".into(), missing: None, cells: None };
            let kept = Scan { value: Some(Value::Unbounded(column)), ..like(&scan) };
            let kept = keep_csv(csv(&shuffled, false).as_bytes(), &kept, &Progress::default());
            let numbers = scan.numbers().copied().unwrap();
            prop_assert_eq!(kept.unwrap().table(numbers).unwrap(), expected);
        }
    }

    #[test]
    fn a_person_has_a_total_in_their_group(rows in rows(9)) {
        let rows = settled(rows);
        let scan = with_totals(Scan::new(budgets("epsilon"), numbers(true, None)));
        let scan = Scan { group: sites(Some("others")), ..scan };
        let groups = scan_groups_csv(csv(&rows, true).as_bytes(), &scan, &Progress::default());
        let groups = groups.unwrap().each.into_iter();
        let groups = groups.filter_map(|(name, table)| Some((name.to_string(), table?))).collect();
        prop_assert_eq!(expected(&rows, &scan), groups);
    }
}

fn counted_sums(text: &str, scan: &Scan) -> Vec<Vec<i128>> {
    sums(&scan_csv(text.as_bytes(), scan, &Progress::default()).unwrap())
}

#[test]
fn totals_are_clamped_and_rows_are_not() {
    let scan = with_totals(Scan::new(tiers("tier", "a=1,b=0.5"), value("v")));
    // x has 20 - 16 = 4 of 0 to 8, at the stricter tier of their rows; y is beyond, z below.
    let text = "person,tier,v\nx,a,20\ny,a,5\nz,b,-3\nx,b,-16\ny,a,7\nz,b,1\n";
    let half = 1i128 << 29;
    assert_eq!(counted_sums(text, &scan), [vec![half], vec![2 * half]]);
    let table = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap();
    assert_eq!((table.person(), table.person_value()), (Some("person"), PersonValue::Total));
    // An infinite value is the largest finite one; a missing one is what stands for it in each row.
    let scan = with_totals(Scan::new(budgets("e"), value_or("v", 3.0)));
    let text = "person,e,v\nx,1,inf\nx,1,-inf\nx,1,4\ny,2,\ny,2,NaN\nz,3,-inf\nz,3,1e308\n";
    assert_eq!(counted_sums(text, &scan), [vec![half], vec![6 << 27], vec![0]]);
    // Zero need be no point of the grid, nor within the bounds.
    let grid = Grid::new(Bounds::new(0.1, 0.9).unwrap());
    let column = suum_data::ValueColumn { column: "v".into(), numbers: grid.into(), missing: None };
    let scan = with_totals(Scan::new(budgets("e"), Some(Value::Number(column))));
    let text: String = (0..7).map(|_| "x,1,0.1\n").collect();
    let expected = i128::from(grid.index(0.7).unwrap());
    assert_eq!(counted_sums(&format!("person,e,v\n{text}"), &scan), [vec![expected]]);
}

#[test]
fn nobody_hidden_has_rows_of_other_groups_in_their_total() {
    let groups = CategoryRule::labels(vec!["north".into(), "south".into()], None).unwrap();
    let scan = Scan {
        group: Some(Grouping::one("g", groups)),
        add_remove: Some("0.5,1".parse().unwrap()),
        ..with_totals(Scan::new(budgets("e"), value("v")))
    };
    let text = "person,e,v,g\nx,1,3,south\nx,1,1,north\nx,0.5,1,north\ny,1,2,south\n";
    let groups = scan_groups_csv(text.as_bytes(), &scan, &Progress::default()).unwrap();
    let found: Vec<_> =
        groups.each.iter().map(|(_, table)| sums(table.as_ref().unwrap())).collect();
    let quarter = 1i128 << 28;
    assert_eq!(found, [[[quarter]], [[quarter]]]);
    let public = Scan { add_remove: None, ..scan };
    let refused = scan_groups_csv(text.as_bytes(), &public, &Progress::default()).unwrap_err();
    assert!(refused.to_string().contains("more than one group"));
}

#[test]
fn totals_of_nothing_are_refused() {
    let grid = Grid::new(Bounds::UNIT);
    let cells = Some(Cells::new(16).unwrap().with_rows(2).unwrap());
    let ranked = Numbers { grid, squares: false, cells };
    let column = suum_data::ValueColumn { column: "v".into(), numbers: ranked, missing: None };
    let kept = UnboundedColumn { column: "v".into(), missing: None, cells };
    let scan = |value| with_totals(Scan::new(budgets("e"), Some(value)));
    for (refused, option) in [
        (Scan { person: None, ..scan(value("v").unwrap()) }.check(false), "per_person: "),
        (scan(labels("v", "a,b", None, None).unwrap()).check(false), "per_person: "),
        (scan(Value::Number(column)).check(false), "rows: "),
        (
            keep_csv(&b"person,e,v\n"[..], &scan(Value::Unbounded(kept)), &Progress::default())
                .map(|_| ()),
            "rows: ",
        ),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Request);
        assert!(refused.to_string().starts_with(option) && refused.fix().is_some());
    }
}
