//! The estimator `sample` from the library: a plan, a sample of its own, a release.

use suum::{
    Bounds, Choice, ErrorKind, Estimator, Grid, LevelTable, Options, Plan, PrivacyColumn, Progress,
    Randomness, SampleThreshold, Scan, Statistic, Value, ValueColumn,
};

const PEOPLE: usize = 2000;

fn scan() -> Scan {
    let value = ValueColumn {
        column: "v".into(),
        numbers: Grid::new(Bounds::new(0.0, 8.0).unwrap()).into(),
        missing: None,
    };
    Scan::new(PrivacyColumn::Budgets { column: "e".into() }, Some(Value::Number(value)))
}

fn plan(threshold: f64) -> Plan {
    let options = Options {
        estimator: Choice::Named(Estimator::Sample),
        sample_threshold: SampleThreshold::At(suum::Epsilon::new(threshold).unwrap()),
        ..Options::default()
    };
    let profile = format!("1:{PEOPLE},3:{PEOPLE}").parse().unwrap();
    suum::plan(Statistic::Mean, profile, Bounds::new(0.0, 8.0).unwrap(), &options).unwrap()
}

/// People of two budgets, all with values of their own.
fn table(plan: &Plan, randomness: &mut Randomness) -> LevelTable {
    let rows = |budget| {
        (0..PEOPLE).map(move |row| format!("{budget},{}\n", 8.0 * row as f64 / PEOPLE as f64))
    };
    let csv = format!("e,v\n{}", rows(1).chain(rows(3)).collect::<String>());
    let sample = Some(suum::sample(plan, randomness).unwrap());
    suum::scan_csv(csv.as_bytes(), &Scan { sample, ..scan() }, &Progress::default()).unwrap()
}

#[test]
fn each_sample_of_one_randomness_is_another() {
    let (plan, mut randomness) = (plan(3.0), Randomness::insecure(1));
    let (one, other) = (table(&plan, &mut randomness), table(&plan, &mut randomness));
    assert_ne!(one.cohorts()[0].sums, other.cohorts()[0].sums);
    assert_eq!(one, table(&plan, &mut Randomness::insecure(1)));
}

#[test]
fn a_sample_is_for_its_own_plan() {
    let mut randomness = suum::entropy().unwrap();
    let table = table(&plan(3.0), &mut randomness);
    let refused = plan(2.9).release(table.clone(), &mut randomness).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Table);
    assert!(refused.hint().is_some());
    let release = plan(3.0).release(table.clone(), &mut randomness).unwrap();
    assert!(release.private);
    assert!(!plan(3.0).release(table, &mut Randomness::insecure(1)).unwrap().private);
}
