//! A table for each declared group, the same in any order, in any files, in either format.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use proptest::prelude::*;
use suum_core::{Cells, ErrorKind, LevelTable, Result};
use suum_data::{
    Classes, Counted, GroupColumn, Groups, Progress, Scan, Source, read_counted, scan, scan_csv,
    scan_groups, scan_groups_csv, write_counted,
};
use suum_testing::Extent;

use crate::common::{SECRET, budgets, labels, tiers, value, write_parquet};
use crate::rows::{TIERS, csv, expected, numbers, rows, settled, shards, sites, write};

fn groups_of_path(path: &Path, what: &Scan) -> Result<Groups> {
    scan_groups(&Source::parse(path.to_str().unwrap())?, what, &Progress::default())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(100)))]

    #[test]
    fn order_files_and_format_do_not_matter(
        (rows, shuffled) in rows(12)
            .prop_map(settled)
            .prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
        shards in shards(),
        persons: bool,
        squares: bool,
        cells in prop::option::of(1u32..100),
    ) {
        let cells = cells.map(|steps| {
            Cells::new(steps).unwrap().with_sums(squares && steps % 2 == 0)
        });
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &shuffled, &shards);
        for privacy in [budgets("epsilon"), tiers("tier", TIERS)] {
            for value in
                [numbers(squares, cells), labels("health", "good,fair,poor", None, None), None]
            {
                let scan = Scan {
                    group: sites(Some("others")),
                    person: persons.then(|| "person".into()),
                    ..Scan::new(privacy.clone(), value)
                };
                let mut expected = expected(&rows, &scan);
                let names = ["north", "south", "empty", "others"];
                let expected: Vec<(String, Option<LevelTable>)> =
                    names.map(|name| (name.to_owned(), expected.remove(name))).to_vec();
                let text =
                    scan_groups_csv(csv(&rows, false).as_bytes(), &scan, &Progress::default())
                        .unwrap();
                prop_assert_eq!(&text.column, "site");
                prop_assert_eq!(&text.each, &expected);
                let counted = Counted::Groups(text.clone());
                let mut file = Vec::new();
                write_counted(&counted, &mut file).unwrap();
                prop_assert_eq!(read_counted(file.as_slice()), Ok(counted));
                prop_assert_eq!(groups_of_path(folder.path(), &scan), Ok(text));
            }
        }
    }
}

fn grouped() -> Scan {
    let groups = Classes::labels(vec!["a".into(), "b".into()], None).unwrap();
    Scan {
        group: Some(GroupColumn { column: "g".into(), groups }),
        person: Some("p".into()),
        ..Scan::new(budgets("e"), value("v"))
    }
}

#[test]
fn refusals_repeat_nothing() {
    for (text, message) in [
        ("g,p,e,v\na,1,1,1\nSECRET123,1,1,1\n", "column g, row 2: the group is not declared"),
        ("g,p,e,v\n,1,1,1\n", "column g, row 1: missing group"),
        ("g,p,e,v\nA,,1,1\n", "column g, row 1: the group is not declared"),
        ("g,p,e,v\n,,1,\n", "column v, row 1: missing value"),
        ("g,p,e,v\n", "the data have no records"),
        ("G,p,e,v\n", "column g: there is no such column among the 4 columns of the header"),
        (
            "G,p,1,SECRET123\n",
            "column e: there is no such column among the 4 columns of the header",
        ),
        (
            "g,p,e,v\na,SECRET123,1,1\nb,x,1,1\nb,SECRET123,1,1\n",
            "column p: a person has rows in more than one group",
        ),
    ] {
        let refused =
            scan_groups_csv(text.as_bytes(), &grouped(), &Progress::default()).unwrap_err();
        assert_eq!(refused.to_string(), message);
        assert_eq!(refused.kind(), ErrorKind::Data);
        assert!(refused.hint().is_some() && !format!("{refused:?}").contains(SECRET));
    }
    let refused = scan_groups_csv(&b"g,p,e,v\n\xFF,1,1,1\n"[..], &grouped(), &Progress::default());
    assert_eq!(refused.unwrap_err().to_string(), "column g, row 1: the cell is not UTF-8");
}

#[test]
fn a_missing_group_is_refused_even_where_others_have_one() {
    let groups = Classes::labels(vec!["a".into(), "b".into()], Some("other")).unwrap();
    let scan = Scan { group: Some(GroupColumn { column: "g".into(), groups }), ..grouped() };
    let refused = scan_groups_csv(&b"g,p,e,v\nx,1,1,1\n,1,1,1\n"[..], &scan, &Progress::default());
    assert_eq!(refused.unwrap_err().to_string(), "column g, row 2: missing group");
}

#[test]
fn parquet_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let groups = Classes::labels(vec!["1".into(), "2".into()], None).unwrap();
    let scan = Scan {
        group: Some(GroupColumn { column: "g".into(), groups }),
        ..Scan::new(budgets("e"), value("v"))
    };
    let ones: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 3]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("1"), Some(SECRET), None]));
    let integers: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(2), None]));
    for (group, message) in [
        (texts, "column g, row 2: the group is not declared"),
        (integers, "column g, row 3: missing group"),
        (Arc::clone(&ones), "column g: the column does not hold labels"),
    ] {
        write_parquet(
            &path,
            &[("g", group), ("e", Arc::clone(&ones)), ("v", Arc::clone(&ones))],
            2,
        );
        let refused = groups_of_path(&path, &scan).unwrap_err();
        assert_eq!(refused.to_string(), format!("{}: {message}", path.display()));
        assert!(refused.hint().is_some() && !format!("{refused:?}").contains(SECRET));
    }
    let good: ArrayRef = Arc::new(Int64Array::from(vec![1, 1, 1]));
    write_parquet(&path, &[("g", good), ("e", Arc::clone(&ones)), ("v", ones)], 2);
    let read = groups_of_path(&path, &scan).unwrap();
    let records: Vec<_> =
        read.each.iter().map(|(_, table)| table.as_ref().map(LevelTable::records)).collect();
    assert_eq!(records, [Some(3), None]);
}

#[test]
fn each_function_refuses_the_scans_of_the_other() {
    let text = &b"g,p,e,v\na,1,1,1\n"[..];
    let plain = Scan { group: None, ..grouped() };
    let bins = Classes::bins("0,1,2".parse().unwrap(), None).unwrap();
    let bins = Scan { group: Some(GroupColumn { column: "g".into(), groups: bins }), ..grouped() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    std::fs::write(&path, text).unwrap();
    let source = Source::parse(path.to_str().unwrap()).unwrap();
    let progress = Progress::default();
    for refused in [
        scan_csv(text, &grouped(), &progress).map(|_| ()),
        scan(&source, &grouped(), &progress).map(|_| ()),
        scan_groups_csv(text, &plain, &progress).map(|_| ()),
        scan_groups(&source, &plain, &progress).map(|_| ()),
        scan_groups(&source, &bins, &progress).map(|_| ()),
    ] {
        let refused = refused.unwrap_err();
        assert!(
            refused.to_string().starts_with("group: ") && refused.hint().is_some(),
            "{refused}"
        );
    }
    assert!(scan(&source, &plain, &progress).is_ok());
    assert!(scan_groups(&source, &grouped(), &progress).is_ok());
}
