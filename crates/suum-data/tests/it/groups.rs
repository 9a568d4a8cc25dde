//! A table for each declared group, the same in any order, in any files, in either format.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Float64Array, Int64Array, RecordBatch, StringArray};
use proptest::prelude::*;
use suum_core::{Cells, ErrorKind, GroupName, LevelTable, Result};
use suum_data::{
    CategoryRule, Grouping, Groups, LevelTables, Progress, Scan, Source, read_counted, scan,
    scan_csv, scan_groups, scan_groups_batches, scan_groups_csv, write_counted,
};
use suum_testing::Extent;

use crate::common::{SECRET, budgets, labels, tiers, value, write_parquet};
use crate::rows::{
    TIERS, columns, csv, expected, numbers, rows, settled, shards, sites, sites_and_health,
    with_one_health, write,
};

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
                let expected: Vec<(GroupName, Option<LevelTable>)> =
                    names.map(|name| (name.into(), expected.remove(name))).to_vec();
                let text =
                    scan_groups_csv(csv(&rows, false).as_bytes(), &scan, &Progress::default())
                        .unwrap();
                prop_assert_eq!(text.column.as_str(), "site");
                prop_assert_eq!(&text.each, &expected);
                let counted = LevelTables::Groups(text.clone());
                let mut file = Vec::new();
                write_counted(&counted, &mut file).unwrap();
                prop_assert_eq!(read_counted(file.as_slice()), Ok(counted));
                prop_assert_eq!(groups_of_path(folder.path(), &scan), Ok(text));
            }
        }
    }

    /// There is a table for each combination, and a record is in that of all its labels.
    #[test]
    fn two_columns_are_grouped_by_together(
        (rows, shuffled) in rows(12)
            .prop_map(settled)
            .prop_map(with_one_health)
            .prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
        shards in shards(),
        persons: bool,
        site_first: bool,
        style: u8,
    ) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &shuffled, &shards);
        let scan = Scan {
            group: sites_and_health(site_first),
            person: persons.then(|| "person".into()),
            ..Scan::new(tiers("tier", TIERS), numbers(true, None))
        };
        let mut expected = expected(&rows, &scan);
        let (site, health) = (["north", "south", "empty", "others"], ["poor", "good", "others"]);
        let (first, second) = match site_first {
            true => (&site[..], &health[..]),
            false => (&health[..], &site[..]),
        };
        let names = first.iter().flat_map(|one| second.iter().map(move |other| [*one, *other]));
        let expected: Vec<(GroupName, Option<LevelTable>)> =
            names.map(|name| (GroupName::from_labels(name), expected.remove(&name.join(", "))))
                .collect();
        let found = groups_of_path(folder.path(), &scan).unwrap();
        prop_assert_eq!(found.column.labels().len(), 2);
        prop_assert_eq!(&found.each, &expected);
        let batch = RecordBatch::try_from_iter(columns(&rows, style)).unwrap();
        let batches = scan_groups_batches([Ok(batch)], &scan, &Progress::default());
        prop_assert_eq!(batches.unwrap(), found.clone());
        let counted = LevelTables::Groups(found);
        let mut file = Vec::new();
        write_counted(&counted, &mut file).unwrap();
        prop_assert_eq!(read_counted(file.as_slice()), Ok(counted));
    }
}

/// The first of several faulty columns in a row is named, in the first faulty row.
#[test]
fn a_fault_names_its_column() {
    let column = |name: &str, labels: [&str; 2]| {
        let labels = labels.map(str::to_owned).to_vec();
        Grouping::one(name, CategoryRule::labels(labels, None).unwrap()).columns()[0].clone()
    };
    let group = Grouping::new(vec![column("g", ["a", "b"]), column("h", ["x", "y"])]).unwrap();
    let scan = Scan { group: Some(group), ..Scan::new(budgets("e"), None) };
    for (rows, message, meant) in [
        (["a,x", "a,Y"], "column h, row 2: the group is not declared", "y is declared"),
        (["a,x", "B,Y"], "column g, row 2: the group is not declared", "b is declared"),
        (["a,", "q,x"], "column h, row 1: missing group", "write a group in each row"),
        (["q,x", "a,"], "column g, row 1: the group is not declared", "declare every group"),
    ] {
        let text = format!("g,h,e\n{},1\n{},1\n", rows[0], rows[1]);
        let of_text = scan_groups_csv(text.as_bytes(), &scan, &Progress::default()).unwrap_err();
        let cells = |at: usize| rows.iter().map(move |row| row.split(',').nth(at));
        let batch = RecordBatch::try_from_iter([
            ("g", Arc::new(cells(0).collect::<StringArray>()) as ArrayRef),
            ("h", Arc::new(cells(1).collect::<StringArray>())),
            ("e", Arc::new(Float64Array::from(vec![1.0; 2]))),
        ]);
        let of_batch = scan_groups_batches([Ok(batch.unwrap())], &scan, &Progress::default());
        for refused in [of_text, of_batch.unwrap_err()] {
            assert_eq!(refused.to_string(), message);
            assert!(refused.fix().unwrap().to_string().starts_with(meant), "{refused:?}");
        }
    }
}

#[test]
fn what_makes_no_groups_is_refused() {
    let column = |name: &str, labels: usize| {
        let labels = (0..labels).map(|label| label.to_string()).collect();
        Grouping::one(name, CategoryRule::labels(labels, None).unwrap()).columns()[0].clone()
    };
    let many = |sizes: &[usize]| {
        let columns = sizes.iter().enumerate();
        Grouping::new(columns.map(|(at, size)| column(&at.to_string(), *size)).collect())
    };
    assert_eq!(many(&[256, 256]).unwrap().count(), 65_536);
    assert_eq!(many(&[2, 2, 2, 2]).unwrap().names().last(), Some(GroupName::from_labels(["1"; 4])));
    for (refused, message) in [
        (many(&[256, 257]), "groups: there are more than 65536"),
        (many(&[2; 5]), "group_by: groups are those of one to four columns"),
        (many(&[]), "group_by: groups are those of one to four columns"),
        (Grouping::new(vec![column("a", 2), column(" a", 3)]), "group_by: a column is there twice"),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.to_string(), message);
        assert!(refused.fix().is_some());
    }
}

fn grouped() -> Scan {
    let groups = CategoryRule::labels(vec!["a".into(), "b".into()], None).unwrap();
    Scan {
        group: Some(Grouping::one("g", groups)),
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
        assert!(refused.fix().is_some() && !format!("{refused:?}").contains(SECRET));
    }
    let refused = scan_groups_csv(&b"g,p,e,v\n\xFF,1,1,1\n"[..], &grouped(), &Progress::default());
    assert_eq!(refused.unwrap_err().to_string(), "column g, row 1: the cell is not UTF-8");
}

#[test]
fn a_missing_group_is_refused_even_where_others_have_one() {
    let groups = CategoryRule::labels(vec!["a".into(), "b".into()], Some("other")).unwrap();
    let scan = Scan { group: Some(Grouping::one("g", groups)), ..grouped() };
    let refused = scan_groups_csv(&b"g,p,e,v\nx,1,1,1\n,1,1,1\n"[..], &scan, &Progress::default());
    assert_eq!(refused.unwrap_err().to_string(), "column g, row 2: missing group");
}

#[test]
fn parquet_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let groups = CategoryRule::labels(vec!["1".into(), "2".into()], None).unwrap();
    let scan =
        Scan { group: Some(Grouping::one("g", groups)), ..Scan::new(budgets("e"), value("v")) };
    let ones: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 3]));
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![&b"1"[..]; 3]));
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("1"), Some(SECRET), None]));
    let integers: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(2), None]));
    for (group, message) in [
        (texts, "column g, row 2: the group is not declared"),
        (integers, "column g, row 3: missing group"),
        (bytes, "column g: the column does not hold labels"),
    ] {
        write_parquet(
            &path,
            &[("g", group), ("e", Arc::clone(&ones)), ("v", Arc::clone(&ones))],
            2,
        );
        let refused = groups_of_path(&path, &scan).unwrap_err();
        assert_eq!(refused.to_string(), format!("{}: {message}", path.display()));
        assert!(refused.fix().is_some() && !format!("{refused:?}").contains(SECRET));
    }
    let good: ArrayRef = Arc::new(Int64Array::from(vec![1, 1, 1]));
    // Numbers with a point are groups, too, also beside values.
    for group in [good, Arc::clone(&ones)] {
        let columns = [("g", group), ("e", Arc::clone(&ones)), ("v", Arc::clone(&ones))];
        write_parquet(&path, &columns, 2);
        let read = groups_of_path(&path, &scan).unwrap();
        let records: Vec<_> =
            read.each.iter().map(|(_, table)| table.as_ref().map(LevelTable::records)).collect();
        assert_eq!(records, [Some(3), None]);
    }
}

#[test]
fn each_function_refuses_the_scans_of_the_other() {
    let text = &b"g,p,e,v\na,1,1,1\n"[..];
    let plain = Scan { group: None, ..grouped() };
    let bins = CategoryRule::bins("0,1,2".parse().unwrap(), None).unwrap();
    let bins = Scan { group: Some(Grouping::one("g", bins)), ..grouped() };
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
        assert!(refused.to_string().starts_with("group: ") && refused.fix().is_some(), "{refused}");
    }
    assert!(scan(&source, &plain, &progress).is_ok());
    assert!(scan_groups(&source, &grouped(), &progress).is_ok());
}
