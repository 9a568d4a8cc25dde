//! Equality of the tables that a scan of CSV and SQLite make of the same records.

use std::sync::Arc;

use proptest::prelude::*;
use suum_core::{Bounds, Cells, Epsilon, Error, FloatOrder, Grid, Key, Numbers, Records};
use suum_data::{
    AccountKey, Accounts, CategoryRule, Grouping, PrivacyColumn, Progress, RecordBuffer, Scan,
    Tiers, UnboundedColumn, Value, keep_csv, keep_groups_csv,
};
use suum_sql::{Engine, Relation, keep, keep_groups, scan, scan_groups};
use suum_testing::Extent;

use super::people::{
    Person, bin_column, by_budget, by_site, by_site_and_tier, by_tier, csv_of, from_csv,
    groups_from_csv, label_column, like, modes, number_column, people_table, person, person_values,
    scans, sqlite_of,
};

/// Asserts that every kind of scan of the table `people` finds in a database what it finds in CSV.
pub(crate) fn counts_as_csv(engine: &mut dyn Engine, people: &[Person]) {
    for asked in scans().into_iter().chain(person_values()).chain(modes()) {
        let found = scan(engine, &people_table(), &asked);
        assert_eq!(found, from_csv(people, &asked), "{asked:?}");
    }
}

/// Asserts the equality with CSV for a scan that makes a table for each group.
pub(crate) fn groups_as_csv(engine: &mut dyn Engine, people: &[Person], asked: Scan) {
    // Persons can have rows of several tiers.
    let by_two = asked.person.is_none().then(by_site_and_tier);
    for group in [by_site()].into_iter().chain(by_two) {
        let asked = Scan { group: Some(group), ..like(&asked) };
        let found = scan_groups(engine, &people_table(), &asked);
        assert_eq!(found, groups_from_csv(people, &asked), "{asked:?}");
    }
}

/// A hash of a person, and half of what they allow.
#[derive(Debug)]
struct Half;

impl Accounts for Half {
    fn person(&self, identifier: &[u8]) -> u128 {
        identifier.iter().fold(7, |hash, byte| hash * 256 + u128::from(*byte))
    }

    fn left(&self, asked: &[AccountKey], _: &[&str], left: &mut Vec<Epsilon>) {
        let half = |AccountKey { budget, .. }: &AccountKey| match budget.is_public() {
            true => *budget,
            false => Epsilon::new(budget.get() / 2.0).unwrap_or(Epsilon::UNUSED),
        };
        left.extend(asked.iter().map(half));
    }
}

/// Asserts that records which a database hands out, because sums of them are not enough, are those
/// of CSV: values without bounds, and persons with accounts.
pub(crate) fn keeps_as_csv(engine: &mut dyn Engine, people: &[Person]) {
    let cells = Some(Cells::new(16).unwrap().with_rows(3).unwrap());
    let value = |persons: bool| UnboundedColumn {
        column: "value".into(),
        missing: Some(2.5),
        cells: cells.filter(|_| persons),
    };
    for (privacy, persons, grouped, add_remove) in [by_tier(), by_budget()]
        .into_iter()
        .flat_map(|privacy| (0..8).map(move |bits| (privacy.clone(), bits)))
        .map(|(privacy, bits)| (privacy, bits & 1 > 0, bits & 2 > 0, bits & 4 > 0))
    {
        let scan = || Scan {
            person: persons.then(|| "id".into()),
            group: grouped.then(by_site),
            add_remove: add_remove.then(|| "0.1,1".parse().unwrap()),
            ..Scan::new(privacy.clone(), Some(Value::Unbounded(value(persons))))
        };
        let (text, progress) = (csv_of(people), Progress::default());
        let [found, expected] = match grouped {
            false => [
                keep(engine, &people_table(), &scan(), &progress).map(|one| vec![Some(one)]),
                keep_csv(text.as_slice(), &scan(), &progress).map(|one| vec![Some(one)]),
            ],
            true => [
                keep_groups(engine, &people_table(), &scan(), &progress),
                keep_groups_csv(text.as_slice(), &scan(), &progress),
            ]
            .map(|kept| kept.map(|kept| kept.each.into_iter().map(|(_, one)| one).collect())),
        };
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                assert_eq!(found.len(), expected.len());
                for pair in found.into_iter().zip(expected) {
                    match pair {
                        (Some(found), Some(expected)) => same_records(found, expected),
                        (found, expected) => assert!(found.is_none() && expected.is_none()),
                    }
                }
            }
            // A person in two groups.
            (found, expected) => {
                assert_eq!(found.unwrap_err().to_string(), expected.unwrap_err().to_string());
            }
        }
        if persons && !add_remove && !grouped {
            let numbers = number_column(Bounds::new(-3.0, 5.0).unwrap(), true, None, Some(1.0));
            let scan = Scan {
                person: Some("id".into()),
                accounts: Some(Arc::new(Half)),
                ..Scan::new(privacy.clone(), Some(numbers))
            };
            let found = suum_sql::scan(engine, &people_table(), &scan).unwrap();
            assert_eq!(found, from_csv(people, &scan).unwrap());
        }
    }
}

fn same_records(mut found: RecordBuffer, mut expected: RecordBuffer) {
    assert_eq!(found.budgets(), expected.budgets());
    let weights: Vec<u64> = (1..).take(found.budgets().len()).collect();
    let cuts: Vec<u64> = [-2.0, 0.0, 0.5, 1.0, 3.0].map(FloatOrder::key).to_vec();
    for key in [Key::Value, Key::Distance(0.5)] {
        assert_eq!(
            found.weigh(key, &cuts, &weights).unwrap(),
            expected.weigh(key, &cuts, &weights).unwrap()
        );
    }
    let grid = Grid::new(Bounds::new(-3.0, 5.0).unwrap());
    for rows in [1, 3] {
        let cells = Some(Cells::new(16).unwrap().with_rows(rows).unwrap());
        let numbers = Numbers { grid, squares: true, cells };
        match (found.table(numbers), expected.table(numbers)) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected),
            (found, expected) => assert_eq!(found.unwrap_err(), expected.unwrap_err()),
        }
    }
}

/// Asserts that line breaks in labels and in a query are kept.
pub(crate) fn keeps_line_breaks(engine: &mut dyn Engine) {
    let text = "one\r\n  two \\ it's";
    let literal = engine.dialect().literal(text).unwrap();
    let row = format!("SELECT 0.5 AS value, {literal} AS tier, 'a\n    b' AS other");
    let query = Relation::Query {
        sql: format!("SELECT * FROM (\n{row}\n) AS it WHERE other = 'a\n    b';"),
        trusted: true,
    };
    let tiers = Tiers::new([(text.to_owned(), "1".parse().unwrap())]).unwrap();
    let privacy = PrivacyColumn::Tiers { column: "tier".into(), tiers };
    let asked = Scan::new(privacy, Some(number_column(Bounds::UNIT, false, None, None)));
    assert_eq!(scan(engine, &query, &asked).unwrap().records(), 1);
}

#[test]
fn line_breaks_in_texts_are_kept() {
    let (_folder, mut file) = sqlite_of(&[]);
    keeps_line_breaks(&mut file);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(12)))]

    #[test]
    fn for_every_kind_of_scan(people in prop::collection::vec(person(), 1..40)) {
        let (_folder, mut file) = sqlite_of(&people);
        counts_as_csv(&mut file, &people);
        keeps_as_csv(&mut file, &people);
    }

    #[test]
    fn for_every_group(mut people in prop::collection::vec(person(), 1..40), persons: bool) {
        if persons {
            // Nobody is in two groups.
            people
                .iter_mut()
                .for_each(|person| person.site = if person.id < 3 { "north" } else { "süd" });
        }
        let (_folder, mut file) = sqlite_of(&people);
        for asked in scans().into_iter().chain(person_values()).chain(modes()) {
            let person = asked.person.clone().filter(|_| persons);
            if asked.add_remove.is_some() || asked.person.is_some() != persons {
                continue;
            }
            groups_as_csv(&mut file, &people, Scan { person, ..asked });
        }
    }
}

fn ann() -> Person {
    Person { value: Some(1.0), tier: 0, budget: 1.0, label: Some("good"), site: "north", id: 1 }
}

/// The refusals of a database and of a scan of CSV.
fn both(people: &[Person], asked: &Scan) -> [Error; 2] {
    let (_folder, mut file) = sqlite_of(people);
    match &asked.group {
        None => [
            scan(&mut file, &people_table(), asked).unwrap_err(),
            from_csv(people, asked).unwrap_err(),
        ],
        Some(_) => [
            scan_groups(&mut file, &people_table(), asked).unwrap_err(),
            groups_from_csv(people, asked).unwrap_err(),
        ],
    }
}

#[test]
fn what_a_scan_refuses_a_database_refuses() {
    let bounds = Bounds::UNIT;
    let numbers = || Some(number_column(bounds, false, None, None));
    let grouped = |groups| Scan { group: Some(groups), ..Scan::new(by_tier(), None) };
    let east_and_west = vec!["east".into(), "west".into()];
    let sites = Grouping::one("site", CategoryRule::labels(east_and_west, None).unwrap());
    let persons = |scan: Scan| Scan { person: Some("id".into()), ..scan };
    let cases: Vec<(Person, Scan, &str)> = vec![
        (
            Person { value: None, ..ann() },
            Scan::new(by_tier(), numbers()),
            "column value: missing value",
        ),
        (
            Person { value: Some(f64::NAN), ..ann() },
            Scan::new(by_tier(), numbers()),
            "column value: missing value",
        ),
        (
            Person { label: None, ..ann() },
            Scan::new(by_tier(), Some(label_column(Some("x"), None))),
            "column label: missing value",
        ),
        (
            Person { label: Some("no"), ..ann() },
            Scan::new(by_tier(), Some(label_column(None, Some("good")))),
            "column label: not a declared category",
        ),
        (
            Person { value: Some(2.0), ..ann() },
            Scan::new(by_tier(), Some(bin_column("0,0.5,1", None, None))),
            "column value: outside all bins",
        ),
        (
            Person { budget: -0.5, ..ann() },
            Scan::new(by_budget(), None),
            "column budget: not a privacy budget",
        ),
        (
            Person { budget: 1e-101, ..ann() },
            Scan::new(by_budget(), None),
            "column budget: not a privacy budget",
        ),
        (
            Person { budget: 2e100, ..ann() },
            Scan::new(by_budget(), None),
            "column budget: not a privacy budget",
        ),
        (
            Person { budget: f64::NAN, ..ann() },
            Scan::new(by_budget(), None),
            "column budget: missing privacy choice",
        ),
        (ann(), grouped(sites), "column site: not a declared group"),
        (
            Person { site: "süd", ..ann() },
            persons(grouped(by_site())),
            "column id: a person has rows in more than one group",
        ),
    ];
    for (person, asked, message) in cases {
        let people = [ann(), person.clone(), ann()];
        let [ours, theirs] = both(&people, &asked);
        assert_eq!(ours.to_string(), message, "{person:?} {theirs}");
        assert_eq!(ours.kind(), theirs.kind());
        assert!(ours.fix().is_some());
        let of_persons = persons(asked);
        assert!(both(&people, &of_persons)[0].to_string() == message, "{person:?}");
    }
}

#[test]
fn a_missing_choice_counts_as_what_stands_in_its_place() {
    let numbers = || Some(number_column(Bounds::UNIT, false, None, None));
    let people = [ann(), Person { budget: f64::NAN, ..ann() }];
    let (_folder, mut file) = sqlite_of(&people);
    for (budget, text) in [(0.0, "0"), (0.25, " 0.25"), (f64::INFINITY, "inf")] {
        let asked = Scan { missing_choice: Some(text.into()), ..Scan::new(by_budget(), numbers()) };
        let others = [ann(), Person { budget, ..ann() }];
        let found = scan(&mut file, &people_table(), &asked);
        assert_eq!(found, from_csv(&others, &asked), "{text}");
    }
    let query = Relation::Query {
        sql: "SELECT value, CASE WHEN budget > 0 THEN tier END AS tier FROM people".into(),
        trusted: true,
    };
    let asked = Scan { missing_choice: Some("Strict".into()), ..Scan::new(by_tier(), numbers()) };
    let found = scan(&mut file, &query, &asked).unwrap();
    let expected = from_csv(&[ann(), Person { tier: 3, ..ann() }], &asked).unwrap();
    assert_eq!(found.by_level(), expected.by_level());
    let refused = scan(&mut file, &query, &Scan::new(by_tier(), numbers())).unwrap_err();
    assert_eq!(refused.to_string(), "column tier: missing privacy choice");
}

#[test]
fn texts_that_stand_for_empty_cells_are_read_as_in_csv() {
    let people = [
        ann(),
        Person { value: Some(-99.0), label: Some("\"\\"), id: 2, ..ann() },
        Person { budget: 1e5, label: None, id: 3, ..ann() },
    ];
    let (_folder, mut file) = sqlite_of(&people);
    let nulls = || suum_data::Nulls::new(["\"\\", "-99", "100000", "it's"]).unwrap();
    for value in [
        number_column(Bounds::UNIT, false, None, Some(0.5)),
        label_column(Some("other"), Some("good")),
        bin_column("0,0.5,1", Some("else"), Some("else")),
    ] {
        for person in [None, Some("id".to_owned())] {
            let asked = Scan {
                nulls: nulls(),
                missing_choice: Some("0".into()),
                person,
                ..Scan::new(by_budget(), Some(value.clone()))
            };
            let found = scan(&mut file, &people_table(), &asked).unwrap();
            assert_eq!(found, from_csv(&people, &asked).unwrap(), "{asked:?}");
            assert_eq!(found.profile().unwrap().to_string(), "0:1,1:2");
        }
    }
    // What is text in a column of numbers, which only some databases can have.
    let query = Relation::Query {
        sql: "SELECT CASE WHEN value < 0 THEN 'it''s' ELSE value END AS value, budget FROM people"
            .into(),
        trusted: true,
    };
    let numbers = number_column(Bounds::UNIT, false, None, Some(0.5));
    let asked = |nulls| Scan { nulls, ..Scan::new(by_budget(), Some(numbers.clone())) };
    assert_eq!(
        scan(&mut file, &query, &Scan { missing_choice: Some("0".into()), ..asked(nulls()) })
            .unwrap()
            .profile()
            .unwrap()
            .to_string(),
        "0:1,1:2"
    );
    let refused = scan(&mut file, &query, &asked(suum_data::Nulls::default())).unwrap_err();
    assert_eq!(refused.to_string(), "column value: not a number");
}

#[test]
fn whoever_has_too_large_a_budget_in_one_row_is_refused_for_it() {
    let people = [Person { budget: 1e200, ..ann() }, ann()];
    let asked = Scan { person: Some("id".into()), ..Scan::new(by_budget(), None) };
    let (_folder, mut file) = sqlite_of(&people);
    assert!(scan(&mut file, &people_table(), &asked).is_err());
}

#[test]
#[ignore = "takes seconds"]
fn too_many_budgets_are_rounded_as_in_a_scan() {
    let budget = |at: u32| 0.5 + f64::from(at) * 1e-7;
    let people: Vec<Person> =
        (0..65_540).map(|at| Person { budget: budget(at), id: at as u8, ..ann() }).collect();
    let (_folder, mut file) = sqlite_of(&people);
    let cells = Some(Cells::new(9).unwrap());
    for value in [number_column(Bounds::UNIT, true, cells, None), label_column(None, None)] {
        let asked = Scan::new(by_budget(), Some(value));
        let found = scan(&mut file, &people_table(), &asked).unwrap();
        assert!(found.by_level().len() < 100);
        assert_eq!(found, from_csv(&people, &asked).unwrap());
    }
}

#[test]
fn sums_do_not_wrap() {
    // 30 squares of (2^30)^2 exceed 64 bits.
    let people = vec![Person { value: Some(f64::MAX), ..ann() }; 30];
    let (_folder, mut file) = sqlite_of(&people);
    let asked = Scan::new(by_tier(), Some(number_column(Bounds::UNIT, true, None, None)));
    let found = scan(&mut file, &people_table(), &asked).unwrap();
    assert_eq!(found.by_level()[0].sums[1].expose_raw(), 30 << 60);
    assert_eq!(found, from_csv(&people, &asked).unwrap());
}
