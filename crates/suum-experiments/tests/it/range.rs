//! The published range pipeline, corrected: how good the mean is that is clipped to its range, and
//! what it costs.

use suum::simulation::Dice;
use suum::{
    Bounds, CellCounts, Choice, Epsilon, Estimator, ExactSum, Grid, Level, LevelSums, LevelTable,
    Measure, MemoryRecords, Neighbors, Options, Profile, Randomness, Request, Share, Statistic,
    UnboundedAddRemove, WeightedPlan, WeightedRequest,
};
use suum_experiments::published::{
    DiffusionMean, DiffusionPlan, Person, ReductionMean, profile_of,
};

/// n budgets with log ε uniform on 400 points from ln 0.01 to 0.
fn budgets(n: usize, dice: &mut Dice) -> Vec<Epsilon> {
    let budget = |_| Epsilon::new(0.01f64.powf(dice.below(400) as f64 / 400.0)).unwrap();
    (0..n).map(budget).collect()
}

fn profile(budgets: &[Epsilon]) -> Profile {
    Profile::new(budgets.iter().map(|epsilon| Level { epsilon: *epsilon, count: 1 })).unwrap()
}

fn rmse(errors: &[f64]) -> f64 {
    (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt()
}

/// The affine mean of the values clipped to the range, for the other half of everybody's budget.
fn affine(range: Bounds, people: &[Person], profile: &Profile, randomness: &mut Randomness) -> f64 {
    let grid = Grid::new(range);
    let level_sums = |level: &Level| LevelSums {
        label: None,
        epsilon: level.epsilon,
        count: level.count,
        sums: vec![ExactSum::default()],
        cells: CellCounts::default(),
    };
    let mut by_level: Vec<LevelSums> = profile.levels().iter().map(level_sums).collect();
    for (epsilon, value) in people {
        by_level[profile.position(*epsilon).unwrap()].sums[0].add(grid.index(*value).unwrap());
    }
    let table = LevelTable::new(None, Measure::Numbers(grid.into()), by_level).unwrap();
    let options = Options {
        estimator: Choice::Named(Estimator::Affine),
        share: Share::new(0.5).unwrap(),
        ..Options::default()
    };
    let plan = WeightedPlan::new(
        &WeightedRequest::new(Statistic::Mean, range, options).unwrap(),
        profile.clone(),
        Grid::new(range),
    )
    .unwrap();
    plan.release(table, randomness).unwrap().estimate()
}

/// The absolute errors of the mean of N(1000, 10²) in ascending order, one for every trial in which
/// a range was found.
fn errors(n: usize, trials: u64) -> Vec<f64> {
    let mut dice = Dice::new(n as u64, 0);
    let budgets = budgets(n, &mut dice);
    let profile = profile(&budgets);
    let plan = DiffusionPlan::new(&profile, Share::new(0.5).unwrap(), 0.1).unwrap();
    let trial = |seed| {
        let people: Vec<Person> =
            budgets.iter().map(|epsilon| (*epsilon, 1000.0 + 10.0 * dice.normal())).collect();
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
    let rmse = rmse(&errors);
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

/// Errors of the mean that hides participation, and how many answers were refused.
fn add_remove_trials(n: usize, (mu, sd): (f64, f64), count: u64) -> (Vec<f64>, usize) {
    let mut dice = Dice::new(n as u64 + 17, 0);
    let budgets = budgets(n, &mut dice);
    let plan = ReductionMean::new("0.01,1".parse().unwrap()).unwrap();
    let (mut errors, mut refused) = (Vec::new(), 0);
    for seed in 0..count {
        let people: Vec<Person> =
            budgets.iter().map(|budget| (*budget, mu + sd * dice.normal())).collect();
        match plan.release(&people, &mut Randomness::insecure(seed)) {
            Ok(answer) => {
                errors.push(answer.estimate - mu);
                for row in &answer.privacy {
                    assert!(row.spent.within(row.epsilon));
                }
            }
            Err(_) => refused += 1,
        }
    }
    (errors, refused)
}

/// Whoever counts people first, and then draws them, cannot be as good as weights.
#[test]
#[ignore = "takes seconds"]
fn hiding_participation_as_published_is_not_better() {
    for (n, count) in [(10_000, 30), (100_000, 7)] {
        let (published, refused) = add_remove_trials(n, (1000.0, 10.0), count);
        let mut dice = Dice::new(n as u64, 1);
        let budgets = budgets(n, &mut dice);
        let ours = Request::mean(Neighbors::AddRemove);
        let ours = UnboundedAddRemove::new("0.01,1".parse().unwrap(), ours).unwrap();
        let ours: Vec<f64> = (0..2 * count)
            .map(|seed| {
                let people =
                    budgets.iter().map(|budget| (*budget, 1000.0 + 10.0 * dice.normal())).collect();
                let mut records = MemoryRecords::new(people).unwrap();
                let release = ours.release(&mut records, &mut Randomness::insecure(seed)).unwrap();
                release.estimate() - 1000.0
            })
            .collect();
        println!("n = {n}: {:.4}, refused {refused}; ours {:.4}", rmse(&published), rmse(&ours));
        // Half as many trials: known to some 20 %.
        assert!(published.is_empty() || rmse(&published) > 0.7 * rmse(&ours));
    }
}

/// Few people or nobody: whatever comes of it, it is an answer or a refusal.
#[test]
fn hidden_people_may_be_too_few() {
    for n in [0, 1, 30, 400] {
        let (errors, refused) = add_remove_trials(n, (1e6, 1.0), 20);
        assert_eq!(errors.len() + refused, 20);
        assert!(n > 1 || refused >= 19, "{n}: {refused} refused");
    }
}

/// Nobody knows what clipping to a range did: there is no interval.
#[test]
fn a_found_range_leaves_no_interval() {
    let one = Epsilon::new(1.0).unwrap();
    let mut dice = Dice::new(11, 0);
    let people: Vec<Person> =
        (0..40_000).map(|_| (one, -20.0 * (1.0 - dice.uniform()).ln())).collect();
    let plan = DiffusionMean::new(profile_of(&people).unwrap()).unwrap();
    let answer = plan.release(&people, &mut Randomness::insecure(1)).unwrap();
    let add_remove = ReductionMean::new("0.5,1".parse().unwrap()).unwrap();
    let add_remove = add_remove.release(&people, &mut Randomness::insecure(1)).unwrap();
    for answer in [answer, add_remove] {
        assert!(answer.interval.is_none() && answer.risk.is_none());
        assert_eq!(answer.bounds.clamp(answer.estimate), answer.estimate);
    }
}

/// Cost of noisy numbers as a refusal states it, in per cent of every budget; 0 if it states none.
fn stated_cost(refused: &suum::Error) -> u32 {
    let text = refused.to_string();
    let Some((_, rest)) = text.split_once("which cost up to ") else { return 0 };
    rest.split_once(" % of every budget").unwrap().0.parse().unwrap()
}

/// Too few people are refused for nothing, by what is public; all else was decided from noisy
/// numbers.
#[test]
fn refusals_say_what_they_have_cost() {
    let one = Epsilon::new(1.0).unwrap();
    let refused = |people: &[Person], add_remove: bool, seed| -> Option<u32> {
        let mut randomness = Randomness::insecure(seed);
        let refused = if add_remove {
            let plan = ReductionMean::new("0.5,1".parse().unwrap()).unwrap();
            plan.release(people, &mut randomness).err()
        } else {
            match DiffusionMean::new(profile_of(people).unwrap()) {
                Ok(plan) => plan.release(people, &mut randomness).err(),
                Err(refused) => Some(refused),
            }
        };
        refused.map(|refused| stated_cost(&refused))
    };
    let mut dice = Dice::new(10, 0);
    let few: Vec<Person> = (0..10).map(|_| (one, 1e6 + dice.normal())).collect();
    let mut at_once = 0;
    for seed in 0..10 {
        assert_eq!(refused(&few, false, seed), Some(0));
        // Half buys the numbers of people. Noise may make them look like enough; then the search is
        // paid for as well.
        let add_remove = refused(&few, true, seed).unwrap();
        assert!(add_remove == 50 || add_remove == 75, "{add_remove}");
        at_once += u32::from(add_remove == 50);
    }
    assert!(at_once >= 5, "{at_once}");
    // The search fails where no power of two is the scale of most pairs; half of what is left is
    // spent by then.
    let costs = |n: usize, add_remove: bool| -> Vec<u32> {
        let power = |at: usize| 2f64.powi(((at * 7919) % 2001) as i32 - 1000);
        let people: Vec<Person> = (0..n).map(|at| (one, power(at))).collect();
        (0..30).filter_map(|seed| refused(&people, add_remove, seed)).collect()
    };
    let (open, add_remove) = (costs(1000, false), costs(2500, true));
    println!("{open:?} {add_remove:?}");
    assert!(open.iter().all(|cost| *cost == 50) && add_remove.iter().all(|cost| *cost == 75));
    assert!(!open.is_empty() && !add_remove.is_empty());
}

/// Whoever is not clipped spends nearly all, and public records are published as they are.
#[test]
fn both_halves_are_spent() {
    let levels = [(0.5, 3000), (f64::INFINITY, 50)];
    let people: Vec<Person> = levels
        .into_iter()
        .flat_map(|(epsilon, count)| {
            let epsilon = Epsilon::new(epsilon).unwrap();
            (0..count).map(move |at| (epsilon, f64::from(at * 7919 % 3000)))
        })
        .collect();
    let plan = DiffusionMean::new(profile_of(&people).unwrap()).unwrap();
    let half = plan.loss(Epsilon::new(0.5).unwrap()).rounded_up();
    assert!(half <= 0.5 && half > 0.45, "{half}");
    let public = plan.loss(Epsilon::PUBLIC);
    assert!(public.within(Epsilon::PUBLIC));
    assert_eq!(plan.loss(Epsilon::UNUSED), suum::Loss::ZERO);
}
