//! Estimates that keep the shares of strata.

use crate::common::people;
use crate::dice::Dice;
use suum_core::{
    Bounds, Choice, Estimator, Grid, HpVariant, LevelTable, Measure, Numbers, Options, Profile,
    Randomness, Release, Shares, Statistic, Strata, Target, WeightedRequest,
};

/// The young allow more, and have larger values.
const PEOPLE: [(&str, &str, f64); 2] =
    [("young", "1:300,inf:20", 0.8), ("old", "0.01:500,0.1:100,1:40", 0.2)];

const TRIALS: u32 = 600;

/// A value of a uniform distribution around this mean.
fn value(dice: &mut Dice, mean: f64) -> f64 {
    mean + 0.4 * (dice.roll() - 0.5)
}

fn numbers() -> Numbers {
    Numbers { grid: Grid::new(Bounds::UNIT), squares: true, cells: None }
}

/// The level table of each stratum.
fn tables(dice: &mut Dice) -> Vec<LevelTable> {
    let table = |(_, profile, mean): (&str, &str, f64)| {
        let profile: Profile = profile.parse().unwrap();
        people::table(&profile, numbers(), || value(dice, mean))
    };
    PEOPLE.map(table).into()
}

fn strata(shares: Shares) -> Strata {
    Strata::new("age", PEOPLE.map(|(name, ..)| name.to_owned()).to_vec(), shares).unwrap()
}

fn release(strata: Option<Strata>, target: Target, table: LevelTable, seed: u64) -> Release {
    let options = Options { strata, target, ..Options::default() };
    let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
    let plan = suum_core::WeightedPlan::new(&request, table.profile().unwrap(), numbers()).unwrap();
    plan.release(table, &mut Randomness::insecure(seed)).unwrap()
}

/// Consent depends on age: without strata the estimate leans towards the young, with them it does
/// not, and its interval covers.
///
/// The mean of 600 estimates is known to 1/24 of the standard error of one. A coverage passes if it
/// is at least 95 % − 4·√(0.95·0.05/600) = 91.4 %: a true coverage of 88.5 % fails with probability
/// 0.99, one of 95 % with 3e-5.
#[test]
fn bias_is_gone_and_intervals_cover() {
    let shares = [0.3, 0.7];
    let truth = shares[0] * PEOPLE[0].2 + shares[1] * PEOPLE[1].2;
    for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
        let mut dice = Dice(7);
        let (mut sum, mut squares, mut covered) = (0.0, 0.0, 0);
        for seed in 0..TRIALS {
            let tables = tables(&mut dice);
            let of_these: f64 = tables.iter().zip(shares).map(|(table, d)| d * mean(table)).sum();
            let estimand = if target == Target::Population { truth } else { of_these };
            let strata = strata(Shares::Population(shares.to_vec()));
            let table = LevelTable::in_strata(tables).unwrap();
            let release = release(Some(strata), target, table, u64::from(seed));
            let interval = release.interval().unwrap();
            covered += u32::from((interval.lower..=interval.upper).contains(&estimand));
            let error = release.estimate() - estimand;
            sum += error;
            squares += error * error;
        }
        let n = f64::from(TRIALS);
        let (bias, rmse) = (sum / n, (squares / n).sqrt());
        assert!(bias.abs() < 4.0 * rmse / n.sqrt(), "{target:?}: {bias} of {rmse}");
        assert!(f64::from(covered) / n > 0.914, "{target:?}: {covered} of {TRIALS}");
    }
    // Without strata, for the shares that the records have.
    let mut dice = Dice(8);
    let (mut sum, mut covered) = (0.0, 0);
    for seed in 0..100 {
        let tables = tables(&mut dice);
        let records: f64 = tables.iter().map(|table| table.records() as f64).sum();
        let of_all = tables.iter().map(|table| mean(table) * table.records() as f64 / records);
        let estimand: f64 = of_all.sum();
        let table = all_in_one(&tables);
        let release = release(None, Target::Population, table, seed);
        let interval = release.interval().unwrap();
        covered += u32::from((interval.lower..=interval.upper).contains(&estimand));
        sum += release.estimate() - estimand;
    }
    assert!(sum / 100.0 > 0.1, "the young do not pull: {sum}");
    assert!(covered < 50, "{covered} of 100");
}

/// The mean of the values, as nobody may know it.
fn mean(table: &LevelTable) -> f64 {
    let sums = table.by_level().iter().map(|level_sums| level_sums.sums[0].expose_raw() as f64);
    let points = table.grid().unwrap().points() as f64;
    sums.sum::<f64>() / points / table.records() as f64
}

/// The same records without strata.
fn all_in_one(tables: &[LevelTable]) -> LevelTable {
    let mut all: Vec<suum_core::LevelSums> = Vec::new();
    for level_sums in tables.iter().flat_map(|table| table.by_level()) {
        match all.iter_mut().find(|one| one.epsilon == level_sums.epsilon) {
            Some(one) => {
                one.count += level_sums.count;
                one.sums.iter_mut().zip(&level_sums.sums).for_each(|(sum, other)| sum.merge(other));
            }
            None => all.push(level_sums.clone()),
        }
    }
    LevelTable::new(None, Measure::Numbers(numbers()), all).unwrap()
}

/// With the shares of the records and budgets that are the same everywhere, strata change nothing
/// but for how precise the sums are.
#[test]
fn equal_strata_change_nothing() {
    let profile: Profile = "0.1:100,1:50".parse().unwrap();
    let options = |strata| Options { strata, ..Options::default() };
    let request =
        |strata| WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options(strata)).unwrap();
    let all = Profile::in_strata(&[profile.clone(), profile.clone()]).unwrap();
    let alike = request(Some(strata(Shares::Records))).plan(all.clone()).unwrap();
    let without = request(None).plan(all.without_strata().unwrap()).unwrap();
    let risks = [&alike, &without].map(|plan| plan.chosen().risk.total());
    assert!((risks[0] / risks[1] - 1.0).abs() < 1e-9, "{risks:?}");
    assert!((alike.stratified().unwrap().rmse_without / risks[1].sqrt() - 1.0).abs() < 1e-12);
    assert_eq!(alike.chosen().estimator, Estimator::Typical);
}

/// Nobody spends more than they allow, in the stratum in which it costs most; and the certificate
/// has one line for a level.
#[test]
fn a_level_is_charged_for_the_stratum_that_costs_most() {
    let shares = || Shares::Population(vec![0.9, 0.1]);
    let table = LevelTable::in_strata(tables(&mut Dice(3))).unwrap();
    let release = release(Some(strata(shares())), Target::Population, table, 1);
    let levels: Vec<(String, u64)> =
        release.privacy.iter().map(|row| (row.level.to_string(), row.count.unwrap())).collect();
    let expected = [("0.01", 500), ("0.1", 100), ("1", 340), ("inf", 20)];
    assert_eq!(levels, expected.map(|(level, count)| (level.to_owned(), count)));
    for row in &release.privacy {
        assert!(row.spent.within(row.epsilon), "{row:?}");
    }
    // The young need all that they allow; the old of the same level do not.
    let one = &release.privacy[2];
    assert!(one.spent.rounded_up() > 0.5, "{one:?}");
}

/// A frequency keeps the shares of strata, too.
#[test]
fn shares_of_categories_keep_strata() {
    let categories: suum_core::Categories = "yes,no".parse().unwrap();
    let level_sums = |epsilon: f64, count: u64, yes: i128| suum_core::LevelSums {
        label: None,
        epsilon: suum_core::Epsilon::new(epsilon).unwrap(),
        count,
        sums: [yes, count as i128 - yes].map(suum_core::ExactSum::from_raw).to_vec(),
        cells: Default::default(),
    };
    let table = |by_level| {
        LevelTable::new(None, Measure::Categories(categories.clone()), by_level).unwrap()
    };
    let all = LevelTable::in_strata(vec![
        table(vec![level_sums(5.0, 1000, 900)]),
        table(vec![level_sums(0.5, 9000, 900)]),
    ])
    .unwrap();
    let strata = strata(Shares::Population(vec![0.5, 0.5]));
    let options = Options { strata: Some(strata), ..Options::default() };
    let request = WeightedRequest::frequency(categories.clone(), options).unwrap();
    let plan = request.plan(all.profile().unwrap()).unwrap();
    let release = plan.release(all, &mut Randomness::insecure(1)).unwrap();
    assert!((release.estimate() - 0.5).abs() < 0.03, "{}", release.estimate());
    let interval = release.interval().unwrap();
    assert!(interval.lower < 0.5 && interval.upper > 0.5 && interval.upper - interval.lower < 0.1);
}

/// Where every record of a stratum weighs the same, these records leave nothing to chance, however
/// few they are; and where weights are the same, a target that assumes more has no longer interval.
#[test]
fn target_that_assumes_more_has_no_longer_interval() {
    let half_width = |strata: Option<&[&str]>, profile: &str, target, estimator| {
        let shares = |of: &[&str]| {
            let names = (0..of.len()).map(|at| at.to_string()).collect();
            Strata::new("s", names, Shares::Population(vec![0.5; of.len()])).unwrap()
        };
        let levels: Vec<Profile> =
            strata.unwrap_or_default().iter().map(|one| one.parse().unwrap()).collect();
        let profile = match strata {
            Some(_) => Profile::in_strata(&levels).unwrap(),
            None => profile.parse().unwrap(),
        };
        let strata = strata.map(shares);
        let options = Options { strata, target, estimator, adapt: false, ..Options::default() };
        let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options).unwrap();
        request.plan(profile).unwrap().half_width()
    };
    for strata in [["inf:10", "inf:1"], ["inf:2", "inf:500"], ["1:1", "1:1"]] {
        let [dataset, correlated] = [Target::Dataset, Target::DatasetCorrelated]
            .map(|target| half_width(Some(&strata), "", target, Choice::Auto));
        assert!(dataset <= correlated, "{strata:?}: {dataset} {correlated}");
        assert!(strata[0].starts_with('1') || dataset < 1e-6, "{strata:?}: {dataset}");
    }
    for profile in ["0.1:1,1:1", "0.01:3,0.1:2,5:4", "1:40,2:1", "0.5:2,inf:1", "0:1,3:5"] {
        for estimator in [Estimator::Uniform, Estimator::Proportional, Estimator::Hpm(HpVariant::A)]
        {
            let [dataset, correlated] = [Target::Dataset, Target::DatasetCorrelated]
                .map(|target| half_width(None, profile, target, Choice::Named(estimator)));
            assert!(dataset <= correlated, "{profile} {estimator}: {dataset} {correlated}");
        }
    }
}
