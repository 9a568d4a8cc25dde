//! Means without declared bounds: how often a range is found, how accurate the mean is, and what it
//! costs.

use crate::dice::Dice;
use proptest::prelude::*;
use suum_core::{
    Bounds, Cells, Choice, Epsilon, Estimand, Estimator, Grid, Level, Loss, MemoryRecords,
    Neighbors, Options, Profile, Quantity, Randomness, Rank, Records, Request, Split, Statistic,
    Statistics, Target, UnboundedAddRemove, UnboundedPlan, WeightedRequest,
};
use suum_testing::Extent;

/// The mean, where who takes part is public.
fn mean() -> Request {
    Request::mean(Neighbors::ReplaceOne)
}

/// The mean, where it must not show who takes part.
fn add_remove_mean() -> Request {
    Request::mean(Neighbors::AddRemove)
}

/// Everything that can be asked of numbers without bounds.
fn all_requests(neighbors: Neighbors) -> Vec<Request> {
    let options = Options { neighbors, ..Options::default() };
    let quantile = Options { neighbors, ..Options::default() };
    let variance = Options { neighbors, ..Options::default() };
    let summary = Options { neighbors, ..Options::default() };
    let cells = Cells::new(4096).unwrap();
    let several = |statistics: &str| {
        let statistics: Statistics = statistics.parse().unwrap();
        let split = Split::even(&statistics);
        Request::summary(cells, (statistics, split), summary.clone())
    };
    vec![
        Request::mean(options.clone()),
        Request::sum(options),
        Request::quantiles(cells, vec![Rank::MEDIAN], quantile.clone()),
        Request::quantiles(
            cells,
            vec![Rank::new(1, 10).unwrap(), Rank::new(9, 10).unwrap()],
            quantile,
        ),
        Request::variance(variance),
        several("mean,q50"),
        several("mean,variance,q25,q75"),
    ]
}

/// A standard normal number (Box and Muller).
fn normal(dice: &mut Dice) -> f64 {
    (-2.0 * (1.0 - dice.roll()).ln()).sqrt() * (std::f64::consts::TAU * dice.roll()).cos()
}

/// Budgets with log ε uniform between ln 0.01 and 0, of which there are at most 64: that there can
/// be thousands is for few tests, since each of them costs more than a record.
fn budgets(n: usize, dice: &mut Dice) -> Vec<Epsilon> {
    let step = |roll: f64| (roll * 64.0).floor() / 64.0;
    (0..n).map(|_| Epsilon::new(0.01f64.powf(step(dice.roll()))).unwrap()).collect()
}

/// As [`budgets`], hardly two of which are the same.
fn many_budgets(n: usize, dice: &mut Dice) -> Vec<Epsilon> {
    (0..n).map(|_| Epsilon::new(0.01f64.powf(dice.roll())).unwrap().coarse()).collect()
}

fn profile(budgets: &[Epsilon]) -> Profile {
    Profile::new(budgets.iter().map(|budget| Level { epsilon: *budget, count: 1 })).unwrap()
}

fn rmse(errors: &[f64]) -> f64 {
    (errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64).sqrt()
}

/// What became of the mean of N(mu, sd²) in several trials: our errors, those of `affine` told mu ±
/// 3 sd, and how often there was no range.
struct Trials {
    ours: Vec<f64>,
    told: Vec<f64>,
    refused: usize,
}

fn trials(n: usize, place: (f64, f64), count: u64) -> Trials {
    let plan = UnboundedPlan::new(mean(), profile(&budgets_of(n)));
    let (mut ours, mut refused) = (Vec::new(), 0);
    in_trials(n, place, count, |seed, records| {
        match plan.as_ref().map(|plan| plan.release(records, &mut Randomness::insecure(!seed))) {
            Ok(Ok(release)) => ours.push(release.estimate() - place.0),
            _ => refused += 1,
        }
    });
    Trials { ours, told: affine_errors(n, place, count), refused }
}

/// The budgets of trials with so many records.
fn budgets_of(n: usize) -> Vec<Epsilon> {
    budgets(n, &mut Dice(n as u64 + 17))
}

/// The records of several trials of N(mu, sd²), the same whoever asks.
fn in_trials(
    n: usize,
    (mu, sd): (f64, f64),
    count: u64,
    mut trial: impl FnMut(u64, &mut MemoryRecords),
) {
    let mut dice = Dice(n as u64 + 17);
    let budgets = budgets(n, &mut dice);
    for seed in 0..count {
        let records = budgets.iter().map(|budget| (*budget, mu + sd * normal(&mut dice))).collect();
        trial(seed, &mut MemoryRecords::new(records).unwrap());
    }
}

/// The errors of `affine` in these trials, told mu ± 3 sd.
fn affine_errors(n: usize, (mu, sd): (f64, f64), count: u64) -> Vec<f64> {
    let bounds = Bounds::new(mu - 3.0 * sd, mu + 3.0 * sd).unwrap();
    let options = Options {
        estimator: Choice::Named(Estimator::Affine),
        variance: Some(sd * sd),
        ..Options::default()
    };
    let request = WeightedRequest::new(Statistic::Mean, bounds, options).unwrap();
    let plan = request.plan(profile(&budgets_of(n))).unwrap();
    let mut errors = Vec::new();
    in_trials(n, (mu, sd), count, |seed, records| {
        let table = records.table(Grid::new(bounds).into()).unwrap();
        let release = plan.clone().release(table, &mut Randomness::insecure(seed)).unwrap();
        errors.push(release.estimate() - mu);
    });
    errors
}

#[test]
#[ignore = "takes seconds"]
fn as_accurate_as_the_mean_that_is_told_the_range() {
    for (n, count) in [(10_000, 120), (100_000, 30)] {
        let trials = trials(n, (1000.0, 10.0), count);
        let ratio = rmse(&trials.ours) / rmse(&trials.told);
        println!(
            "n = {n}: {:.4} against {:.4}, ratio {ratio:.3}; refused {}",
            rmse(&trials.ours),
            rmse(&trials.told),
            trials.refused
        );
        assert_eq!(trials.refused, 0);
        assert!(ratio <= 1.2, "n = {n}: {ratio}");
    }
}

/// Errors of the mean that hides participation in these trials, and how many releases were refused.
fn add_remove_trials(n: usize, place: (f64, f64), count: u64) -> (Vec<f64>, usize) {
    let request = UnboundedAddRemove::new("0.01,1".parse().unwrap(), add_remove_mean()).unwrap();
    let (mut errors, mut refused) = (Vec::new(), 0);
    in_trials(n, place, count, |seed, records| {
        match request.release(records, &mut Randomness::insecure(!seed)) {
            Ok(release) => {
                errors.push(release.estimate() - place.0);
                for row in &release.privacy {
                    assert!(row.spent.within(row.epsilon));
                    // Nothing is left unused on purpose, but what is clipped, and what rounding to
                    // powers of two leaves.
                    let rounded = row.epsilon.get() > 0.05;
                    assert!(rounded || row.spent.rounded_up() > 0.9 * row.epsilon.get());
                }
            }
            Err(_) => refused += 1,
        }
    });
    (errors, refused)
}

#[test]
#[ignore = "takes seconds"]
fn hiding_participation_costs_little() {
    for (n, count) in [(10_000, 60), (100_000, 15)] {
        let told = rmse(&affine_errors(n, (1000.0, 10.0), count));
        let (ours, refused) = add_remove_trials(n, (1000.0, 10.0), count);
        let ratio = rmse(&ours) / told;
        println!("n = {n}: {:.4}, ratio {ratio:.3}, refused {refused}", rmse(&ours));
        assert!(refused == 0 && ratio <= 1.3);
    }
}

#[test]
fn hidden_people_who_are_too_few_are_refused() {
    for n in [0, 1, 30, 400] {
        let (errors, refused) = add_remove_trials(n, (1e6, 1.0), 20);
        let wild = errors.iter().filter(|error| error.abs() > 1000.0).count();
        println!("n = {n}: refused {refused} of 20, wild {wild}");
        assert!(wild <= 1, "{n}: {wild}");
    }
}

#[test]
fn too_little_data_is_refused_and_not_guessed() {
    let trials = trials(400, (1e6, 1.0), 60);
    let wild = trials.ours.iter().filter(|error| error.abs() > 1000.0).count();
    println!("refused {} of 60, wild {wild}", trials.refused);
    assert!(wild <= 2, "{wild} of {}", trials.ours.len());
}

#[test]
#[ignore = "takes seconds"]
fn place_and_scale_do_not_matter() {
    for (mu, sd) in [(0.0, 1.0), (-3e-9, 1e-12), (2e9, 2e3), (-1e4, 1e-1)] {
        let trials = trials(5000, (mu, sd), 12);
        let ratio = rmse(&trials.ours) / rmse(&trials.told);
        assert!(
            trials.refused == 0 && ratio < 2.0,
            "{mu} ± {sd}: {ratio}, refused {}",
            trials.refused
        );
    }
}

#[test]
fn data_without_a_middle_or_a_spread_are_refused() {
    let one = Epsilon::new(1.0).unwrap();
    let plan = UnboundedPlan::new(mean(), "1:3000".parse().unwrap()).unwrap();
    let constant = |i: u32| f64::from(i % 50 / 49);
    let beyond = |i: u32| 1e30 * f64::from(i);
    for values in [&constant as &dyn Fn(u32) -> f64, &beyond] {
        let mut records =
            MemoryRecords::new((0..3000).map(|i| (one, values(i))).collect()).unwrap();
        for seed in 0..20 {
            let refused = plan.release(&mut records, &mut Randomness::insecure(seed)).unwrap_err();
            assert!(refused.to_string().starts_with("bounds: not enough for a range"), "{refused}");
        }
    }
}

#[test]
fn order_does_not_matter() {
    let mut dice = Dice(5);
    let budgets = many_budgets(4000, &mut dice);
    let mut people: Vec<_> =
        budgets.iter().map(|budget| (*budget, 20.0 + normal(&mut dice))).collect();
    let plan = UnboundedPlan::new(mean(), profile(&budgets)).unwrap();
    let release = |people: &[(Epsilon, f64)]| {
        let mut records = MemoryRecords::new(people.to_vec()).unwrap();
        plan.release(&mut records, &mut Randomness::insecure(4)).unwrap()
    };
    let first = release(&people);
    people.reverse();
    people.sort_by_key(|(budget, _)| *budget);
    assert_eq!(release(&people), first);
}

/// A shape of data: its name, its mean, and how to draw a value.
type Shape = (&'static str, f64, fn(&mut Dice) -> f64);

const SHAPES: [Shape; 4] = [
    ("normal", 1000.0, |dice| 1000.0 + 10.0 * normal(dice)),
    ("student-t3", 1000.0, |dice| {
        let square: f64 = (0..3).map(|_| normal(dice).powi(2)).sum();
        1000.0 + 10.0 * normal(dice) / (square / 3.0).sqrt()
    }),
    ("exponential", 10.0, |dice| -10.0 * (1.0 - dice.roll()).ln()),
    ("log-normal", 1.648_721_270_700_128_2, |dice| normal(dice).exp()),
];

// The table of docs/mechanisms/gaussian.md: shown with `cargo test -p suum-core --test it shapes --
// --nocapture`.
#[test]
#[ignore = "takes seconds"]
fn heavy_tails_cost_little_and_skewed_ones_are_biased() {
    println!("shape         n       error   bias    without privacy");
    for (shape, mean, draw) in SHAPES {
        for (n, count) in [(10_000, 40), (100_000, 8)] {
            let mut dice = Dice(n as u64);
            let budgets = budgets(n, &mut dice);
            let plan = UnboundedPlan::new(Request::mean(Neighbors::ReplaceOne), profile(&budgets))
                .unwrap();
            let (mut errors, mut plain) = (Vec::new(), Vec::new());
            for seed in 0..count {
                let people: Vec<_> =
                    budgets.iter().map(|budget| (*budget, draw(&mut dice))).collect();
                plain.push(people.iter().map(|person| person.1).sum::<f64>() / n as f64 - mean);
                let mut records = MemoryRecords::new(people).unwrap();
                let release = plan.release(&mut records, &mut Randomness::insecure(seed)).unwrap();
                errors.push(release.estimate() - mean);
            }
            let bias = errors.iter().sum::<f64>() / count as f64;
            println!("{shape:12} {n:6} {:8.3} {bias:8.3} {:8.3}", rmse(&errors), rmse(&plain));
            match shape {
                "normal" | "student-t3" => {
                    assert!(rmse(&errors) < 2.2 * rmse(&plain), "{shape}, {n}")
                }
                _ => assert!(bias < 0.0, "{shape}, {n}: {bias}"),
            }
        }
    }
}

/// Whatever the shape, nobody knows what clipping did: there is no interval, and the release says
/// so.
#[test]
fn a_learned_range_leaves_no_interval() {
    let mut dice = Dice(11);
    let one = Epsilon::new(1.0).unwrap();
    let people: Vec<_> = (0..4000).map(|_| (one, -20.0 * (1.0 - dice.roll()).ln())).collect();
    let mut records = MemoryRecords::new(people).unwrap();
    let plan = UnboundedPlan::new(mean(), "1:4000".parse().unwrap()).unwrap();
    let release = plan.release(&mut records, &mut Randomness::insecure(1)).unwrap();
    let add_remove = UnboundedAddRemove::new("0.5,1".parse().unwrap(), add_remove_mean()).unwrap();
    let add_remove = add_remove.release(&mut records, &mut Randomness::insecure(1)).unwrap();
    assert!(release.interval().is_none() && add_remove.interval().is_none());
    assert!(release.range().is_some() && add_remove.range().is_some());
    for release in
        [serde_json::to_value(&release).unwrap(), serde_json::to_value(&add_remove).unwrap()]
    {
        assert!(release["interval"].is_null(), "{release}");
        assert!(release["no_interval"].as_str().unwrap().contains("learned from the data"));
        assert!(release["error_assumes"].is_string());
    }
}

/// What a refusal says that noisy numbers have cost, in per cent of every budget; 0 if nothing.
fn stated_cost(refused: &suum_core::Error) -> u32 {
    let text = refused.to_string();
    let Some((_, rest)) = text.split_once("which cost up to ") else { return 0 };
    rest.split_once(" % of every budget").unwrap().0.parse().unwrap()
}

/// Under replace-one neighbours too few people are refused for nothing, by what is public; all else
/// was decided from noisy numbers.
#[test]
fn refusals_say_what_they_have_cost() {
    let one = Epsilon::new(1.0).unwrap();
    // So many people around a million, or nearly all at one value, which has no spread.
    let around = |n: usize| -> Vec<(Epsilon, f64)> {
        let mut dice = Dice(n as u64);
        (0..n).map(|_| (one, 1e6 + normal(&mut dice))).collect()
    };
    let equal = |n: usize| -> Vec<(Epsilon, f64)> {
        (0..n).map(|at| (one, if at % 10 == 0 { at as f64 } else { 5.0 })).collect()
    };
    let refused = |people: &[(Epsilon, f64)], add_remove: bool, seed| -> Option<u32> {
        let mut records = MemoryRecords::new(people.to_vec()).unwrap();
        let mut randomness = Randomness::insecure(seed);
        let refused = if add_remove {
            let request =
                UnboundedAddRemove::new("0.5,1".parse().unwrap(), add_remove_mean()).unwrap();
            request.release(&mut records, &mut randomness).err()
        } else {
            match UnboundedPlan::new(mean(), profile_of(people)) {
                Ok(plan) => plan.release(&mut records, &mut randomness).err(),
                Err(refused) => Some(refused),
            }
        };
        refused.map(|refused| stated_cost(&refused))
    };
    let mut first = Vec::new();
    for seed in 0..10 {
        // Too few, which is public, or noisy: a twentieth buys the profile.
        assert_eq!(refused(&around(10), false, seed), Some(0));
        // Noise may make them look like enough; then the search is paid for as well.
        let add_remove = refused(&around(10), true, seed).unwrap();
        assert!(add_remove == 5 || (30..=80).contains(&add_remove), "{add_remove:?}");
        first.push(add_remove == 5);
        // Enough people, and no spread: the whole search.
        let found = refused(&equal(4000), false, seed).unwrap();
        let add_remove = refused(&equal(4000), true, seed).unwrap();
        assert!((2..20).contains(&found) && (7..30).contains(&add_remove), "{found} {add_remove}");
    }
    assert!(first.iter().filter(|at_once| **at_once).count() >= 5, "{first:?}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(Extent::get().cases(40))
    })]
    #[test]
    fn nobody_spends_more_than_they_allow(
        levels in prop::collection::vec((-6.0..4.0_f64, 1u64..100_000), 1..6),
        public in 0u64..3,
        unused in 0u64..3,
        which in any::<usize>(),
    ) {
        let mut levels: Vec<Level> = levels
            .into_iter()
            .map(|(log, count)| Level { epsilon: Epsilon::new(log.exp()).unwrap(), count })
            .collect();
        levels.extend((public > 0).then_some(Level { epsilon: Epsilon::PUBLIC, count: public }));
        levels.extend((unused > 0).then_some(Level { epsilon: Epsilon::UNUSED, count: unused }));
        let profile = Profile::new(levels).unwrap();
        let people = profile
            .levels()
            .iter()
            .flat_map(|level| (0..level.count.min(3000)).map(|i| (level.epsilon, i as f64)));
        let people: Vec<_> = people.collect();
        let thinned = profile_of(&people);
        let requests = all_requests(Neighbors::ReplaceOne);
        let request = &requests[which % requests.len()];
        for profile in [&profile, &thinned] {
            let Ok(plan) = UnboundedPlan::new(request.clone(), profile.clone()) else { continue };
            for level in profile.levels() {
                prop_assert!(plan.loss_of(level.epsilon).within(level.epsilon));
            }
            let shares = plan.search().shares();
            let all = [shares.centre, shares.radius, shares.check, shares.statistic]
                .map(|share| exact(share.get()));
            prop_assert!(all.into_iter().sum::<num_rational::BigRational>() <= exact(1.0));
        }
        let Ok(plan) = UnboundedPlan::new(request.clone(), thinned) else { return Ok(()) };
        let mut records = MemoryRecords::new(people).unwrap();
        let Ok(release) = plan.release(&mut records, &mut Randomness::insecure(1)) else {
            return Ok(());
        };
        for row in &release.privacy {
            prop_assert!(row.spent.within(row.epsilon), "{} of {}", row.spent, row.epsilon);
            // Ranks cost what was planned, whatever the range; weights of sums are made for it.
            if matches!(request.asked, Estimand::Quantiles { .. }) {
                let planned = plan.loss_of(row.epsilon).rounded_up();
                let spent = row.spent.rounded_up();
                prop_assert!(spent == planned || (spent / planned - 1.0).abs() < 1e-3);
            }
            // Whoever is not clipped spends nearly all.
            if let (Loss::Finite(_), Estimand::Mean, true) = (
                &row.spent,
                &request.asked,
                row.epsilon == release.privacy[0].epsilon && !row.epsilon.is_unused(),
            ) {
                prop_assert!(
                    row.epsilon.get() > 1.0 || row.spent.rounded_up() > 0.9 * row.epsilon.get()
                );
            }
        }
    }

    #[test]
    fn nobody_hidden_spends_more_than_they_allow(
        levels in prop::collection::vec((-4.6..2.0_f64, 1usize..3000), 1..4),
        which in any::<usize>(),
    ) {
        let people: Vec<_> = levels
            .into_iter()
            .flat_map(|(log, count)| {
                let epsilon = Epsilon::new(log.exp()).unwrap();
                (0..count).map(move |i| (epsilon, i as f64))
            })
            .collect();
        let requests = all_requests(Neighbors::AddRemove);
        let request = requests[which % requests.len()].clone();
        let request = UnboundedAddRemove::new("0.01,8".parse().unwrap(), request).unwrap();
        let mut records = MemoryRecords::new(people).unwrap();
        let Ok(release) = request.release(&mut records, &mut Randomness::insecure(1)) else {
            return Ok(());
        };
        prop_assert!(release.range().is_some());
        for row in &release.privacy {
            prop_assert!(row.spent.within(row.epsilon), "{} of {}", row.spent, row.epsilon);
        }
    }
}

#[test]
fn neighbours_of_one_kind_are_not_those_of_the_other() {
    for request in all_requests(Neighbors::AddRemove) {
        assert!(UnboundedPlan::new(request, "1:5000".parse().unwrap()).is_err());
    }
    for request in all_requests(Neighbors::ReplaceOne) {
        assert!(UnboundedAddRemove::new("0.01,8".parse().unwrap(), request).is_err());
    }
}

/// Every statistic of normal and of skewed data is about what it is of the sample, for both kinds
/// of neighbours; quantiles have intervals, and these cover.
#[test]
fn every_statistic_finds_its_range() {
    let one = Epsilon::new(1.0).unwrap();
    for (shape, skewed) in [("normal", false), ("log-normal", true)] {
        let mut dice = Dice(77);
        let value = |dice: &mut Dice| match skewed {
            false => 500.0 + 20.0 * normal(dice),
            true => (3.0 + 0.5 * normal(dice)).exp(),
        };
        let values: Vec<f64> = (0..20_000).map(|_| value(&mut dice)).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |rank: f64| sorted[(rank * n) as usize];
        let mut records =
            MemoryRecords::new(values.iter().map(|value| (one, *value)).collect()).unwrap();
        let check = |release: &suum_core::Release| {
            assert!(release.range().is_some());
            for found in &release.estimates {
                let (expected, most) = match &found.of {
                    Quantity::Mean => (mean, 0.02 * mean),
                    Quantity::Sum => (n * mean, 0.02 * n * mean),
                    Quantity::Variance => (variance, 0.15 * variance),
                    Quantity::Deviation => (variance.sqrt(), 0.08 * variance.sqrt()),
                    Quantity::Quantile(rank) => (at(rank.get()), 0.05 * at(rank.get())),
                    of => panic!("{of}"),
                };
                let (of, estimate) = (&found.of, found.estimate);
                assert!((estimate - expected).abs() < most, "{shape} {of}: {estimate} {expected}");
                match (&found.of, found.interval) {
                    (Quantity::Quantile(_), Some(interval)) => {
                        assert!(interval.lower <= expected && expected <= interval.upper);
                        let said = serde_json::to_string(release).unwrap();
                        assert!(said.contains("inside the range that was found"));
                    }
                    (_, interval) => assert_eq!(interval, None, "{shape} {of}"),
                }
            }
        };
        for request in all_requests(Neighbors::ReplaceOne) {
            let plan = UnboundedPlan::new(request, "1:20000".parse().unwrap()).unwrap();
            check(&plan.release(&mut records, &mut Randomness::insecure(3)).unwrap());
        }
        for request in all_requests(Neighbors::AddRemove) {
            let request = UnboundedAddRemove::new("0.5,1".parse().unwrap(), request).unwrap();
            check(&request.release(&mut records, &mut Randomness::insecure(3)).unwrap());
        }
    }
}

fn profile_of(people: &[(Epsilon, f64)]) -> Profile {
    Profile::new(people.iter().map(|(epsilon, _)| Level { epsilon: *epsilon, count: 1 })).unwrap()
}

/// A double as the fraction it is, by another implementation of big numbers.
fn exact(x: f64) -> num_rational::BigRational {
    num_rational::BigRational::from_float(x).unwrap()
}

/// The mean that learns in the range that was found.
fn learning(target: Target) -> Request {
    Request::mean(Options { adapt: true, target, ..Options::default() })
}

/// The visits of the example, about: one in a hundred is above 20.
fn visits(dice: &mut Dice) -> f64 {
    (4.0 * (1.0 - dice.roll()).powf(-0.4) * -(1.0 - dice.roll()).ln()).floor()
}

/// A mean that learns has intervals that contain what clipping does to skewed data. An interval
/// that holds in 87 % passes once in fifty times; one that leaves out the bias never: that alone
/// is three times the error that is expected without it.
#[test]
#[ignore = "takes seconds"]
fn intervals_contain_the_bias_of_skewed_data() {
    const TRIALS: u64 = 100;
    let pareto: fn(&mut Dice) -> f64 = |dice| (1.0 - dice.roll()).powf(-0.4);
    let visits: fn(&mut Dice) -> f64 = visits;
    let skewed = [SHAPES[2].2, SHAPES[3].2, pareto, visits]
        .into_iter()
        .zip([Target::Population, Target::Dataset].into_iter().cycle());
    let profile: Profile = "1:1000".parse().unwrap();
    let (mut held, mut all) = (0, 0);
    for (at, (draw, target)) in skewed.enumerate() {
        let mut dice = Dice(at as u64);
        let mut far = Dice(77);
        let mean = (0..400_000).map(|_| draw(&mut far)).sum::<f64>() / 400_000.0;
        let plan = UnboundedPlan::new(learning(target), profile.clone()).unwrap();
        assert!(plan.learns());
        for seed in 0..TRIALS {
            let one = Epsilon::new(1.0).unwrap();
            let people: Vec<_> = (0..1000).map(|_| (one, draw(&mut dice))).collect();
            let of_data = people.iter().map(|one| one.1).sum::<f64>() / 1000.0;
            let truth = if target == Target::Dataset { of_data } else { mean };
            let mut records = MemoryRecords::new(people).unwrap();
            let Ok(release) = plan.release(&mut records, &mut Randomness::insecure(seed)) else {
                continue;
            };
            assert!(release.privacy[0].spent.within(one));
            let interval = release.interval().unwrap();
            held += u32::from(interval.lower <= truth && truth <= interval.upper);
            all += 1;
        }
    }
    let share = f64::from(held) / f64::from(all);
    let least = 0.95 - 4.0 * (0.95 * 0.05 / f64::from(all)).sqrt();
    assert!(all > 390 && share >= least, "{held} of {all}");
}

/// Nobody loses more than they allow, search included, and what the plan says is the most.
#[test]
fn a_mean_that_learns_anywhere_spends_what_is_allowed() {
    for text in ["0.2:3000,2:300", "0.05:400,1:900,inf:40", "0.01:300"] {
        let profile: Profile = text.parse().unwrap();
        let Ok(plan) = UnboundedPlan::new(learning(Target::Population), profile.clone()) else {
            continue;
        };
        let mut dice = Dice(3);
        let levels = profile.levels().iter();
        let people = levels.flat_map(|level| vec![level.epsilon; level.count as usize]);
        let people: Vec<_> = people.map(|epsilon| (epsilon, (SHAPES[2].2)(&mut dice))).collect();
        let mut records = MemoryRecords::new(people).unwrap();
        let release = plan.release(&mut records, &mut Randomness::insecure(1)).unwrap();
        assert_eq!(plan.learns(), release.interval().is_some(), "{text}");
        for row in &release.privacy {
            assert!(row.spent.within(row.epsilon), "{text}");
            let most = plan.loss_of(row.epsilon).rounded_up();
            assert!(row.spent.rounded_up() <= most, "{text}");
        }
    }
}
