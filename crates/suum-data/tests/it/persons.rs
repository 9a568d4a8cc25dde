//! Persons with many rows count once, whatever the order, the files and the format.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use arrow_array::{ArrayRef, BinaryArray, BooleanArray, Float64Array, StringArray};
use proptest::prelude::*;
use suum_core::{Cells, Epsilon};
use suum_data::{AccountKey, Accounts, Progress, Scan, scan_csv};
use suum_testing::Extent;

use crate::common::{SECRET, budgets, labels, scan_path, sums, tiers, value, write_parquet};
use crate::rows::{TIERS, csv, expected, numbers, rows, shards, write};

fn by_person(scan: Scan) -> Scan {
    Scan { person: Some("person".into()), ..scan }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(150)))]

    #[test]
    fn order_files_and_format_do_not_matter(
        (rows, shuffled) in rows(12).prop_flat_map(|r| (Just(r.clone()), Just(r).prop_shuffle())),
        shards in shards(),
        squares: bool,
        parts in prop::option::of(1u32..7),
    ) {
        let cells = parts.map(|parts| match squares && parts == 1 {
            true => Cells::new(100).unwrap().with_sums(true),
            false => Cells::new(100).unwrap().with_rows(parts).unwrap(),
        });
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &shuffled, &shards);
        for privacy in [budgets("epsilon"), tiers("tier", TIERS)] {
            for value in
                [numbers(squares, cells), labels("health", "good,fair,poor", None, None), None]
            {
                let scan = by_person(Scan::new(privacy.clone(), value));
                let expected = expected(&rows, &scan).remove("").unwrap();
                let text = scan_csv(csv(&rows, true).as_bytes(), &scan, &Progress::default());
                prop_assert_eq!(text.as_ref(), Ok(&expected));
                prop_assert_eq!(&scan_path(folder.path(), &scan).unwrap(), &expected);
            }
        }
    }
}

#[test]
fn a_person_counts_once() {
    let scan = by_person(Scan::new(tiers("tier", "a=1,b=0.5,c=0.5"), value("v")));
    let text = "person,tier,v\nx,a,1\ny,c,8\nx,c,2\n x ,b,2\ny,c,8\n";
    let table = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap();
    assert_eq!(table.person(), Some("person"));
    let labels: Vec<_> = table
        .by_level()
        .iter()
        .map(|level_sums| (level_sums.label.as_deref(), level_sums.count))
        .collect();
    assert_eq!(labels, [(Some("b"), 1), (Some("c"), 1)]);
    // A third of 5/8 of 2^30, rounded.
    assert_eq!(sums(&table), [vec![223_696_213], vec![1 << 30]]);
}

#[test]
fn budgets_may_become_many() {
    // Few in the first rows, and then more than have codes; each person has rows of both.
    let budget = |row: u32| if row < 5000 { 1 + row % 2 } else { 1 + row % 997 };
    let mut rows: Vec<(u32, u32)> = (0..9000).map(|row| (row % 1500, budget(row))).collect();
    let mut least = BTreeMap::new();
    for (person, budget) in &rows {
        least
            .entry(person)
            .and_modify(|least: &mut u32| *least = *budget.min(least))
            .or_insert(*budget);
    }
    let mut expected = BTreeMap::new();
    least.values().for_each(|budget| *expected.entry(*budget).or_insert(0) += 1);
    let expected: Vec<(f64, u64)> =
        expected.iter().map(|(budget, persons)| (f64::from(*budget), *persons)).collect();

    let scan = by_person(Scan::new(budgets("epsilon"), value("v")));
    let table = |rows: &[(u32, u32)]| {
        let lines =
            rows.iter().map(|(person, budget)| format!("p{person},{budget},{}\n", person % 9));
        let text: String = std::iter::once("person,epsilon,v\n".to_owned()).chain(lines).collect();
        scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap()
    };
    let found = table(&rows);
    let by_level = found.by_level().iter();
    let profile: Vec<(f64, u64)> = by_level.map(|one| (one.epsilon.get(), one.count)).collect();
    assert_eq!(profile, expected);
    rows.reverse();
    assert_eq!(table(&rows), found);
}

/// Accounts in which a person with an identifier of n bytes has n/10 left, at most.
#[derive(Debug, Default)]
struct Lengths(Mutex<Vec<(u128, Option<String>, f64)>>);

impl Accounts for Lengths {
    fn person(&self, identifier: &[u8]) -> u128 {
        identifier.iter().fold(1, |hash, byte| hash << 8 | u128::from(*byte))
    }

    fn left(&self, asked: &[AccountKey], tiers: &[&str], left: &mut Vec<Epsilon>) {
        assert!(asked.is_sorted_by_key(|one| one.person), "persons ascend");
        for AccountKey { person, tier, budget } in asked {
            let tier = tier.map(|tier| tiers[tier as usize].to_owned());
            self.0.lock().unwrap().push((*person, tier, budget.get()));
            let tenths = f64::from((127 - person.leading_zeros()) / 8);
            left.push(Epsilon::new(tenths / 10.0).unwrap());
        }
    }
}

#[test]
fn persons_count_at_what_they_have_left() {
    let text =
        "person,tier,e,v\naaa,hi,0.5,1\nbb,hi,0.5,2\ncc,lo,0.1,8\nbb,hi,0.5,4\naaa,lo,0.1,0\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let column =
        |place: usize| text.lines().skip(1).map(move |row| row.split(',').nth(place).unwrap());
    let strings =
        |place| -> ArrayRef { Arc::new(StringArray::from(column(place).collect::<Vec<_>>())) };
    let numbers = |place| -> ArrayRef {
        Arc::new(Float64Array::from(
            column(place).map(|cell| cell.parse().unwrap()).collect::<Vec<f64>>(),
        ))
    };
    write_parquet(
        &path,
        &[("person", strings(0)), ("tier", strings(1)), ("e", numbers(2)), ("v", numbers(3))],
        2,
    );
    // aaa asks for 0.1 and has 0.3, bb asks for 0.5 and has 0.2, cc asks for 0.1.
    let counted = scan_csv(
        &b"person,e,v\naaa,0.1,0.5\nbb,0.2,3\ncc,0.1,8\n"[..],
        &by_person(Scan::new(budgets("e"), value("v"))),
        &Progress::default(),
    );
    for privacy in [budgets("e"), tiers("tier", "lo=0.1,hi=0.5")] {
        let tiered = privacy != budgets("e");
        for parquet in [false, true] {
            let accounts = Arc::new(Lengths::default());
            let scan = by_person(Scan::new(privacy.clone(), value("v")));
            let scan = Scan { accounts: Some(Arc::clone(&accounts) as Arc<dyn Accounts>), ..scan };
            let table = match parquet {
                true => scan_path(&path, &scan),
                false => scan_csv(text.as_bytes(), &scan, &Progress::default()),
            };
            assert_eq!(table, counted);
            let mut asked = std::mem::take(&mut *accounts.0.lock().unwrap());
            asked.sort_by_key(|(person, ..)| *person);
            let tier = |name: &str| tiered.then(|| name.to_owned());
            let expected = [(b"bb", "hi", 0.5), (b"cc", "lo", 0.1)]
                .map(|(name, label, asked)| (accounts.person(name), tier(label), asked));
            assert_eq!(asked[..2], expected);
            assert_eq!(asked[2..], [(accounts.person(b"aaa"), tier("lo"), 0.1)]);
        }
    }
    let scan = Scan {
        accounts: Some(Arc::new(Lengths::default())),
        ..Scan::new(budgets("e"), value("v"))
    };
    let refused = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap_err();
    assert!(refused.to_string().starts_with("person: "));
}

#[test]
fn identifiers_are_spelled_alike_in_both_formats() {
    let scan = by_person(Scan::new(budgets("e"), value("v")));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), "person,e,v\ntrue,1,2\nfalse,1,4\n").unwrap();
    let person: ArrayRef = Arc::new(BooleanArray::from(vec![true, false, false]));
    let ones: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0, 3.0]));
    write_parquet(
        &folder.path().join("b.parquet"),
        &[("person", person), ("e", Arc::clone(&ones)), ("v", ones)],
        2,
    );
    let table = scan_path(folder.path(), &scan).unwrap();
    assert_eq!(table.records(), 2);
}

#[test]
fn columns_may_coincide() {
    for column in ["e", "v"] {
        let scan = Scan { person: Some(column.into()), ..Scan::new(budgets("e"), value("v")) };
        let table = scan_csv(&b"e,v\n1,2\n1,3\n"[..], &scan, &Progress::default()).unwrap();
        assert_eq!(table.records(), if column == "e" { 1 } else { 2 });
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let e: ArrayRef = Arc::new(StringArray::from(vec!["1", "1", "2"]));
    write_parquet(&path, &[("x", Arc::clone(&e)), ("e", e)], 10);
    let scan = Scan {
        person: Some("e".into()),
        ..Scan::new(budgets("e"), labels("e", "1,2", None, None))
    };
    assert_eq!(scan_path(&path, &scan).unwrap().records(), 2);
}

#[test]
fn refusals_repeat_no_identifier() {
    let scan = by_person(Scan::new(budgets("e"), value("v")));
    for (text, message) in [
        ("person,e,v\nSECRET123,1,1\n ,1,1\n", "column person, row 2: missing identifier"),
        ("person,e,v\n,x,1\n", "column e, row 1: not a privacy budget"),
        ("person,e,v\n,1,x\n", "column v, row 1: not a number"),
        (
            "SECRET123,e,v\n1,1,1\n",
            "column person: there is no such column among the 3 columns of the header",
        ),
        ("person,e,v\n", "the data have no records"),
        ("person,e,v,person\n", "column person: the header has this column more than once"),
    ] {
        let refused = scan_csv(text.as_bytes(), &scan, &Progress::default()).unwrap_err();
        assert_eq!(refused.to_string(), message);
        assert!(refused.fix().is_some() && !format!("{refused:?}").contains(SECRET));
    }
    let refused =
        scan_csv(&b"person,e,v\n\xFF,1,1\n"[..], &scan, &Progress::default()).unwrap_err();
    assert_eq!(refused.to_string(), "column person, row 1: the cell is not UTF-8");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let ones: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 3]));
    let names: ArrayRef = Arc::new(StringArray::from(vec![Some(SECRET), Some("b"), None]));
    let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![SECRET.as_bytes(); 3]));
    for (person, message) in [
        (names, "column person, row 3: missing identifier"),
        (bytes, "column person: the column does not hold identifiers"),
    ] {
        write_parquet(
            &path,
            &[("person", person), ("e", Arc::clone(&ones)), ("v", Arc::clone(&ones))],
            2,
        );
        let refused = scan_path(&path, &scan).unwrap_err();
        assert_eq!(refused.to_string(), format!("{}: {message}", path.display()));
        assert!(refused.fix().is_some() && !format!("{refused:?}").contains(SECRET));
    }
}
