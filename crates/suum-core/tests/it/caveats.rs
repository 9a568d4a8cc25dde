//! What releases say of their own limits: assumptions, whom they protect, what is of no use.

use suum_core::{
    Assumption, Bounds, Epsilon, ExactSum, Grid, LevelSums, LevelTable, Measure, Numbers, Options,
    PersonValue, ProtectedUnit, Randomness, Replacement, Statistic, Target, WeightedRequest,
};

fn table(levels: &[(f64, u64)], bounds: Bounds) -> LevelTable {
    let grid = Grid::new(bounds);
    let by_level = levels.iter().map(|(epsilon, count)| LevelSums {
        label: None,
        epsilon: Epsilon::new(*epsilon).unwrap(),
        count: *count,
        // All are in the middle.
        sums: [i128::from(*count) * i128::from(grid.points()) / 2, 0]
            .map(ExactSum::from_raw)
            .to_vec(),
        cells: Default::default(),
    });
    let numbers = Numbers { grid, squares: true, cells: None };
    LevelTable::new(None, Measure::Numbers(numbers), by_level.collect()).unwrap()
}

fn release(table: LevelTable, options: &Options) -> suum_core::Release {
    let bounds = table.grid().unwrap().bounds();
    let request = WeightedRequest::new(Statistic::Mean, bounds, options.clone()).unwrap();
    let plan = request.plan(table.profile().unwrap()).unwrap();
    plan.release(table, &mut Randomness::insecure(1)).unwrap()
}

fn assumed(levels: &[(f64, u64)], options: &Options) -> Vec<Assumption> {
    release(table(levels, Bounds::UNIT), options).assumptions()
}

/// Two tiers that count differently.
const MIXED: [(f64, u64); 2] = [(0.1, 500), (1.0, 500)];

#[test]
fn the_default_interval_takes_budgets_and_draws_for_granted() {
    let options = Options::default();
    let all = [
        Assumption::BudgetsUnrelated,
        Assumption::DrawnIndependently(ProtectedUnit::Record),
        Assumption::SamplingIsEstimated,
    ];
    assert_eq!(assumed(&MIXED, &options), all);
    // With one budget nothing can depend on it.
    assert_eq!(assumed(&[(1.0, 500)], &options), all[1..]);
    let declared = Options { variance: Some(0.01), ..options };
    assert!(assumed(&MIXED, &declared).contains(&Assumption::DeclaredVariance(0.01)));
}

#[test]
fn the_other_targets_take_less_for_granted() {
    let dataset = Options { target: Target::Dataset, ..Options::default() };
    assert_eq!(
        assumed(&MIXED, &dataset),
        [Assumption::BudgetsUnrelated, Assumption::SamplingIsEstimated]
    );
    assert_eq!(assumed(&[(1.0, 500)], &dataset), []);
    let correlated = Options { target: Target::DatasetCorrelated, ..Options::default() };
    assert_eq!(assumed(&MIXED, &correlated), []);
}

#[test]
fn a_record_is_a_person_only_where_a_column_says_so() {
    let options = Options::default();
    let rows = release(table(&MIXED, Bounds::UNIT), &options);
    assert_eq!(rows.protects(), ProtectedUnit::Record);
    let means = table(&MIXED, Bounds::UNIT).with_person("id".into(), PersonValue::Mean);
    let persons = release(means, &options);
    assert_eq!(persons.protects(), ProtectedUnit::Person);
    let sentence = Assumption::DrawnIndependently(ProtectedUnit::Person).to_string();
    assert!(persons.assumptions().iter().any(|one| one.to_string() == sentence));
    assert!(sentence.contains("people"));
}

#[test]
fn an_interval_that_is_nearly_everything_is_no_answer() {
    let bounds = Bounds::new(0.0, 10.0).unwrap();
    let options = Options::default();
    assert_eq!(release(table(&[(0.1, 2)], bounds), &options).uninformative(), ["mean"]);
    let many = release(table(&[(1.0, 5000)], bounds), &options);
    assert!(many.uninformative().is_empty());
    // Sums have bounds of their own: those of a value times the number of records.
    let two = table(&[(0.1, 2)], bounds);
    let request = WeightedRequest::new(Statistic::Sum, bounds, options).unwrap();
    let plan = request.plan(two.profile().unwrap()).unwrap();
    let sum = plan.release(two, &mut Randomness::insecure(1)).unwrap();
    assert_eq!(sum.uninformative(), ["sum"]);
}

#[test]
fn what_stands_in_place_of_missing_values_is_kept() {
    let zero = Replacement::Number(0.0);
    let replaced = table(&MIXED, Bounds::UNIT).with_missing(Some(zero.clone()));
    let same = replaced.clone().with_budgets(|_, epsilon| epsilon).unwrap();
    assert_eq!(same.missing(), Some(&zero));
    let release = release(replaced, &Options::default());
    assert_eq!(release.missing, Some(zero));
    let json = serde_json::to_value(&release).unwrap();
    assert_eq!(json["missing"], 0.0);
    assert_eq!(json["protects"], "record");
    assert_eq!(json["assumes"][0], "Budgets have nothing to do with values.");
    assert_eq!(json["uninformative"], serde_json::json!([]));
}
