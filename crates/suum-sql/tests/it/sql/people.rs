//! Records that engines like to treat differently, as CSV and as a SQLite file.

use proptest::prelude::*;
use rusqlite::Connection;
use suum_core::{Bounds, Cells, DeclaredBudgets, Grid, LevelTable, Numbers, PersonValue, Result};
use suum_data::{
    Across, CategoryColumn, CategoryRule, GroupColumn, Grouping, Groups, PrivacyColumn, Progress,
    Scan, Value, ValueColumn, scan_csv, scan_groups_csv,
};
use suum_sql::{Relation, Sqlite};
use tempfile::TempDir;

/// The labels of tiers, of which two allow the same.
pub(crate) const TIERS: [&str; 4] = ["strict", "it's \"so\\so\"", "Ünïcode 🙂", "Strict"];

/// The declared categories; there can be others in the data.
pub(crate) const CATEGORIES: [&str; 4] = ["good", "o'clock", "naïve", "Good"];

/// One row.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) value: Option<f64>,
    pub(crate) tier: usize,
    pub(crate) budget: f64,
    pub(crate) label: Option<&'static str>,
    pub(crate) site: &'static str,
    pub(crate) id: u8,
}

/// Numbers on and around ties of a grid over [-3, 5], and those that are hard to get right.
pub(crate) fn numbers() -> impl Strategy<Value = f64> {
    let step = 8.0 / (1u64 << 30) as f64;
    prop_oneof![
        4 => (0u64..1 << 30).prop_map(move |index| -3.0 + (index as f64 + 0.5) * step),
        4 => (0u64..=1 << 30, -2i64..=2).prop_map(move |(index, ulps)| {
            let tie = -3.0 + (index as f64 + 0.5) * step;
            f64::from_bits((tie.to_bits() as i64 + ulps) as u64)
        }),
        2 => -4.0..6.0_f64,
        2 => prop::sample::select(vec![
            0.0, -0.0, 5e-324, -5e-324, 2.225073858507201e-308, f64::MIN_POSITIVE, f64::MAX,
            f64::MIN, 1e300,
            f64::INFINITY, f64::NEG_INFINITY, -3.0, 5.0, 1.0, 9007199254740993.0, 0.1, 2.5,
        ]),
    ]
}

fn budgets() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::sample::select(vec![
            0.0,
            0.1,
            0.3,
            0.30000000000000004,
            1.0,
            f64::INFINITY,
            1e-100,
            1e100,
            1e-5
        ]),
        (-30.0..30.0_f64).prop_map(|exponent| 10f64.powf(exponent)),
    ]
}

pub(crate) fn person() -> impl Strategy<Value = Person> {
    let labels = [
        Some("good"),
        Some("Good"),
        Some(" o'clock\t"),
        Some("naïve"),
        Some("nai\u{308}ve"),
        Some("\"\\"),
        None,
    ];
    (
        prop::option::weighted(0.9, numbers()),
        0..TIERS.len(),
        budgets(),
        prop::sample::select(labels.to_vec()),
        prop::sample::select(vec!["north", "süd", " north "]),
        0u8..6,
    )
        .prop_map(|(value, tier, budget, label, site, id)| Person {
            value,
            tier,
            budget,
            label,
            site,
            id,
        })
}

/// The records as CSV.
pub(crate) fn csv_of(people: &[Person]) -> Vec<u8> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(["value", "tier", "budget", "label", "site", "id"]).unwrap();
    for person in people {
        let value = person.value.map(|value| format!("{value:?}")).unwrap_or_default();
        let (tier, budget) = (format!(" {} ", TIERS[person.tier]), format!("{:?}", person.budget));
        let (label, id) = (person.label.unwrap_or_default(), format!("p{}", person.id));
        out.write_record([&value, &tier, &budget, label, person.site, &id]).unwrap();
    }
    out.into_inner().unwrap()
}

/// The records in the table `people` of a SQLite file, whose columns compare without case.
pub(crate) fn sqlite_of(people: &[Person]) -> (TempDir, Sqlite) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.sqlite");
    let mut file = Connection::open(&path).unwrap();
    // Nobody needs this file after a loss of power.
    file.execute_batch(
        "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; \
        CREATE TABLE people (value, tier TEXT COLLATE NOCASE, budget REAL, label TEXT COLLATE \
        NOCASE, site TEXT, id VARCHAR(9) COLLATE NOCASE)",
    )
    .unwrap();
    let transaction = file.transaction().unwrap();
    for person in people {
        let (tier, id) = (format!(" {} ", TIERS[person.tier]), format!("p{}", person.id));
        transaction
            .execute(
                "INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)",
                (person.value, tier, person.budget, person.label, person.site, id),
            )
            .unwrap();
    }
    transaction.commit().unwrap();
    drop(file);
    let opened = Sqlite::open(&path).unwrap();
    (folder, opened)
}

pub(crate) fn people_table() -> Relation {
    Relation::Table(vec!["people".into()])
}

pub(crate) fn by_tier() -> PrivacyColumn {
    let budgets = ["0.1", "1", "inf", "0.1"];
    let tiers = TIERS
        .iter()
        .zip(budgets)
        .map(|(label, budget)| ((*label).to_owned(), budget.parse().unwrap()));
    PrivacyColumn::Tiers { column: "tier".into(), tiers: suum_data::Tiers::new(tiers).unwrap() }
}

pub(crate) fn by_budget() -> PrivacyColumn {
    PrivacyColumn::Budgets { column: "budget".into() }
}

/// A column of numbers over these bounds, with everything that can be added up.
pub(crate) fn number_column(
    bounds: Bounds,
    squares: bool,
    cells: Option<Cells>,
    missing: Option<f64>,
) -> Value {
    let numbers = Numbers { grid: Grid::new(bounds), squares, cells };
    Value::Number(ValueColumn { column: "value".into(), numbers, missing })
}

pub(crate) fn label_column(other: Option<&str>, missing: Option<&str>) -> Value {
    let names = CATEGORIES.map(str::to_owned).to_vec();
    Value::Category(CategoryColumn {
        column: "label".into(),
        classes: CategoryRule::labels(names, other).unwrap(),
        missing: missing.map(str::to_owned),
        across: None,
    })
}

/// A table of labels and sites.
pub(crate) fn cross_column(other: Option<&str>, missing: Option<&str>) -> Value {
    let Value::Category(column) = label_column(other, missing) else { unreachable!() };
    let names = ["south", "süd", "naïve"].map(str::to_owned).to_vec();
    let groups = CategoryRule::labels(names, other).unwrap();
    let site = GroupColumn { column: "site".into(), groups };
    let across = Across::new("label", &column.classes, site, missing).unwrap();
    Value::Category(CategoryColumn { across: Some(Box::new(across)), ..column })
}

pub(crate) fn bin_column(edges: &str, other: Option<&str>, missing: Option<&str>) -> Value {
    Value::Category(CategoryColumn {
        column: "value".into(),
        classes: CategoryRule::bins(edges.parse().unwrap(), other).unwrap(),
        missing: missing.map(str::to_owned),
        across: None,
    })
}

pub(crate) fn by_site() -> Grouping {
    let names = vec!["south".into(), "süd".into(), "north".into()];
    Grouping::one("site", CategoryRule::labels(names, None).unwrap())
}

/// Groups by a column that may hold numbers, times or text.
pub(crate) fn by_wave() -> Grouping {
    let names = vec!["1".into(), "2020-01-01 07:30:00".into(), "late".into()];
    Grouping::one("wave", CategoryRule::labels(names, None).unwrap())
}

/// Groups by site and tier, of which one is declared.
pub(crate) fn by_site_and_tier() -> Grouping {
    let classes = CategoryRule::labels(vec![TIERS[1].into(), "x".into()], Some("rest")).unwrap();
    let tier = Grouping::one("tier", classes);
    let columns = [by_site(), tier].map(|one| one.columns()[0].clone());
    Grouping::new(columns.to_vec()).unwrap()
}

/// Copy of a scan in the fields that these tests vary, so that others can be set.
pub(crate) fn like(scan: &Scan) -> Scan {
    Scan {
        person: scan.person.clone(),
        person_value: scan.person_value,
        add_remove: scan.add_remove.clone(),
        accounts: scan.accounts.clone(),
        leaves_out_missing: scan.leaves_out_missing,
        missing_choice: scan.missing_choice.clone(),
        nulls: scan.nulls.clone(),
        ..Scan::new(scan.privacy.clone(), scan.value.clone())
    }
}

/// Every kind of scan that a database is asked for.
pub(crate) fn scans() -> Vec<Scan> {
    let bounds = Bounds::new(-3.0, 5.0).unwrap();
    let wide = Bounds::new(-1e12, 3e13).unwrap();
    let narrow = Bounds::new(1e-130, 3e-129).unwrap();
    let cells = Cells::new(37).unwrap();
    let values = || {
        vec![
            None,
            Some(number_column(bounds, false, None, Some(1.0))),
            Some(number_column(wide, true, None, Some(-0.0))),
            Some(number_column(narrow, true, Some(Cells::new(1 << 20).unwrap()), Some(2e-129))),
            Some(number_column(bounds, true, Some(cells), Some(1e300))),
            Some(number_column(wide, true, Some(Cells::for_sums()), Some(1e300))),
            Some(label_column(Some("other"), Some("naïve"))),
            Some(label_column(Some("other"), Some("other"))),
            Some(cross_column(Some("other"), Some("naïve"))),
            Some(bin_column("-3,-0,0.1,2.5,1e12", Some("else"), Some("else"))),
        ]
    };
    let mut scans = Vec::new();
    for privacy in [by_tier(), by_budget()] {
        for value in values() {
            for person in [None, Some("id".to_owned())] {
                scans.push(Scan { person, ..Scan::new(privacy.clone(), value.clone()) });
            }
        }
        let cells = cells.with_rows(3).unwrap();
        scans.push(Scan {
            person: Some("id".into()),
            ..Scan::new(privacy.clone(), Some(number_column(bounds, true, Some(cells), Some(0.0))))
        });
        scans.push(Scan {
            add_remove: Some(
                DeclaredBudgets::range("0.05".parse().unwrap(), "2".parse().unwrap()).unwrap(),
            ),
            ..Scan::new(privacy, Some(number_column(bounds, false, None, Some(0.0))))
        });
    }
    let left_out: Vec<Scan> = scans.iter().filter_map(leaves_out).collect();
    scans.extend(left_out);
    scans
}

/// Copy of the scan that leaves out the records whose missing value it replaces.
fn leaves_out(scan: &Scan) -> Option<Scan> {
    let mut value = scan.value.clone()?;
    match &mut value {
        Value::Number(column) => column.missing = None,
        Value::Category(column) if column.across.is_some() => {
            value = cross_column(Some("other"), None);
        }
        Value::Category(column) => column.missing = None,
        Value::Unbounded(column) => column.missing = None,
    }
    Some(Scan {
        person: scan.person.clone(),
        leaves_out_missing: true,
        add_remove: scan.add_remove.clone(),
        ..Scan::new(scan.privacy.clone(), Some(value))
    })
}

/// Every kind of scan in which persons count in one category.
pub(crate) fn modes() -> Vec<Scan> {
    let divided = scans().into_iter().filter(Scan::divides_persons);
    divided.map(|scan| Scan { person_value: PersonValue::Mode, ..like(&scan) }).collect()
}

/// Every kind of scan in which persons count with one number for all their rows.
pub(crate) fn person_values() -> Vec<Scan> {
    use PersonValue::{Max, Mean, Median, Min, Total};
    let is_one = |numbers: &Numbers| numbers.cells.is_none_or(|cells| cells.rows() == 1);
    let scans = scans().into_iter().filter(|scan| scan.numbers().is_some_and(is_one));
    // Each of them is there with persons and without.
    let scans = scans.filter(|scan| scan.person.is_some() || scan.add_remove.is_some());
    let with = |(at, scan): (usize, Scan)| {
        // Each with two of the values, and each value with every kind.
        let values = [Mean, Total, Median, Min, Max];
        let both = [values[at % 5], values[(at + 1 + at / 5) % 5]];
        both.map(|value| Scan { person: Some("id".into()), person_value: value, ..like(&scan) })
    };
    scans.enumerate().flat_map(with).collect()
}

/// Those of [`person_values`] for which a database hands out the rows.
pub(crate) fn plain_rows() -> Vec<Scan> {
    let is_plain = |scan: &Scan| scan.person_value.is_of_plain_rows();
    person_values().into_iter().filter(is_plain).collect()
}

/// Level table from a scan of CSV.
pub(crate) fn from_csv(people: &[Person], scan: &Scan) -> Result<LevelTable> {
    scan_csv(csv_of(people).as_slice(), scan, &Progress::default())
}

pub(crate) fn groups_from_csv(people: &[Person], scan: &Scan) -> Result<Groups> {
    scan_groups_csv(csv_of(people).as_slice(), scan, &Progress::default())
}
