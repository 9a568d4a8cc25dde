//! The published range pipeline, corrected: how good the mean is that is clipped to its range.

use crate::dice::Dice;
use suum_core::{
    Bounds, CellCounts, Choice, Cohort, DiffusionPlan, Epsilon, Estimator, ExactSum, Grid, Level,
    LevelTable, Measure, Options, Profile, Randomness, Request, Share, Statistic,
};

type Person = (Epsilon, f64);

/// n budgets with log ε uniform on 400 points from ln 0.01 to 0.
fn budgets(n: usize, dice: &mut Dice) -> Vec<Epsilon> {
    let budget = |_| Epsilon::new(0.01f64.powf(dice.pick(400) as f64 / 400.0)).unwrap();
    (0..n).map(budget).collect()
}

fn profile(budgets: &[Epsilon]) -> Profile {
    Profile::new(budgets.iter().map(|epsilon| Level { epsilon: *epsilon, count: 1 })).unwrap()
}

/// One value of N(1000, 10²).
fn value(dice: &mut Dice) -> f64 {
    let radius = (-2.0 * (1.0 - dice.roll()).ln()).sqrt();
    1000.0 + 10.0 * radius * (std::f64::consts::TAU * dice.roll()).cos()
}

/// The affine mean of the values clipped to the range, for the other half of everybody's budget.
fn affine(range: Bounds, people: &[Person], profile: &Profile, randomness: &mut Randomness) -> f64 {
    let grid = Grid::new(range);
    let cohort = |level: &Level| Cohort {
        label: None,
        epsilon: level.epsilon,
        count: level.count,
        sums: vec![ExactSum::default()],
        cells: CellCounts::default(),
        kept: None,
    };
    let mut cohorts: Vec<Cohort> = profile.levels().iter().map(cohort).collect();
    for (epsilon, value) in people {
        cohorts[profile.position(*epsilon).unwrap()].sums[0].add(grid.index(*value).unwrap());
    }
    let table = LevelTable::new(None, Measure::Numbers(grid.into()), cohorts).unwrap();
    let options = Options {
        estimator: Choice::Named(Estimator::Affine),
        share: Share::new(0.5).unwrap(),
        ..Options::default()
    };
    let plan =
        Request::new(Statistic::Mean, range, options).unwrap().plan(profile.clone()).unwrap();
    plan.release(table, randomness).unwrap().estimate
}

/// The absolute errors of the mean in ascending order, one for every trial in which a range was
/// found.
fn errors(n: usize, trials: u64) -> Vec<f64> {
    let mut dice = Dice(n as u64);
    let budgets = budgets(n, &mut dice);
    let profile = profile(&budgets);
    let plan = DiffusionPlan::new(&profile, Share::new(0.5).unwrap(), 0.1).unwrap();
    let trial = |seed| {
        let people: Vec<Person> =
            budgets.iter().map(|epsilon| (*epsilon, value(&mut dice))).collect();
        let mut randomness = Randomness::insecure(seed);
        let range = plan.find(people.iter().copied(), &mut randomness)?;
        Some((affine(range, &people, &profile, &mut randomness) - 1000.0).abs())
    };
    let mut errors: Vec<f64> = (0..trials).filter_map(trial).collect();
    errors.sort_unstable_by(f64::total_cmp);
    errors
}

/// 0.15 here; 0.28 where values are first rounded down to multiples of the step, as published;
/// 0.134 for the whole budget and bounds known to be three standard deviations away; 0.100 without
/// privacy. About one trial in a thousand goes astray, none of these.
#[test]
#[ignore = "takes seconds"]
fn the_mean_of_ten_thousand() {
    let errors = errors(10_000, 200);
    assert_eq!(errors.len(), 200, "a range is always found");
    let rmse = (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt();
    assert!((0.14..0.26).contains(&rmse), "RMSE {rmse}");
}

/// About 790 of them survive, which is 1.5 times what the searches may leave outside: one trial in
/// four goes astray, sometimes by many powers of ten. The others are good, as the median error
/// shows.
#[test]
fn the_mean_of_two_thousand_sometimes_fails() {
    let errors = errors(2_000, 100);
    assert!(
        errors.len() >= 90 && errors[errors.len() / 2] < 1.5,
        "median error {}",
        errors[errors.len() / 2]
    );
}
