//! The exact risk of every estimator is what simulation finds, on the data that are worst for it.
//!
//! A check fails if the simulated mean squared error is more than 5 standard errors from the exact
//! risk: for a right formula a false alarm of 6e-7 each, of 5e-4 for all checks together, whenever
//! seeds change.

use suum::simulation::{Data, Simulation};
use suum::{
    Bounds, Candidate, Estimator, Method, Options, Profile, Statistic, Target, WeightedPlan,
    WeightedRequest,
};

const TARGETS: [Target; 3] = [Target::Population, Target::Dataset, Target::DatasetCorrelated];
const TRIALS: usize = 4000;

/// Even numbers of records, so that half of them can be at each end of the bounds.
fn profiles() -> Vec<Profile> {
    let distinct: Vec<String> = (0..60).map(|i| format!("{:e}:1", 0.02 * 1.1f64.powi(i))).collect();
    let mut texts: Vec<String> = [
        "1:50",
        "0.5:1,1:1",
        "inf:40",
        "0.05:90,inf:10",
        "0.1:60,1:30,inf:4",
        "1e-6:1,1:99",
        "0.01:30,0.3:30,5:30",
        "0:20,0.5:60,2:20",
        "2:4,inf:2",
        "0.2:100,0.21:100",
        "8:30,0.8:40",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.push(distinct.join(","));
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// A plan that compares all estimators that make sense here, also those for study.
fn planned(profile: &Profile, target: Target, categories: Option<&str>) -> WeightedPlan {
    let options = Options { target, ..Options::default() };
    let request = match categories {
        Some(names) => WeightedRequest::frequency(names.parse().unwrap(), options).unwrap(),
        None => {
            WeightedRequest::new(Statistic::Mean, Bounds::new(-2.0, 8.0).unwrap(), options).unwrap()
        }
    };
    let plan = request.plan(profile.clone()).unwrap();
    for estimator in Estimator::ALL {
        let senseless = estimator == Estimator::Stretch
            || estimator == Estimator::Typical && target == Target::DatasetCorrelated;
        let is_compared = plan.candidates().iter().any(|one| one.estimator == estimator);
        let serves = estimator.serves(categories.is_some());
        assert!(is_compared == serves || serves && senseless, "{estimator}");
    }
    plan
}

/// The candidates that have the same worst data. Where budgets go with values, these depend on the
/// weights; and weights that are not one in all have worst data of their own.
fn alike(plan: &WeightedPlan) -> Vec<Vec<&Candidate>> {
    let correlated = plan.setting().target == Target::DatasetCorrelated;
    let alone = |one: &&Candidate| correlated || one.design.method == Method::Stretch;
    let (alone, together): (Vec<_>, Vec<_>) = plan.candidates().iter().partition(alone);
    let mut groups: Vec<_> = alone.into_iter().map(|one| vec![one]).collect();
    groups.extend(Some(together).filter(|together| !together.is_empty()));
    groups
}

/// Plan and candidate as a simulation takes them.
fn contenders<'a>(
    plan: &'a WeightedPlan,
    candidates: &[&'a Candidate],
) -> Vec<(&'a WeightedPlan, &'a Candidate)> {
    candidates.iter().map(|candidate| (plan, *candidate)).collect()
}

/// The values in [−2, 8] that are worst for the plan's weights.
fn worst_data(plan: &WeightedPlan, candidate: &Candidate) -> Data<f64> {
    let setting = plan.setting();
    let n = setting.profile.records() as usize;
    let weights = candidate.design.weights.per_level();
    let stretch = candidate.design.method == Method::Stretch;
    match setting.target {
        Target::Population => {
            let share = if stretch { worst_share(plan, candidate) } else { 0.5 };
            Data::independent(
                move |dice| if dice.uniform() < share { 8.0 } else { -2.0 },
                vec![-2.0 + 10.0 * share],
            )
        }
        Target::Dataset => {
            let ones = if stretch {
                (worst_share(plan, candidate) * n as f64).round() as usize
            } else {
                n / 2
            };
            Data::Permuted((0..n).map(|i| if i < ones { 8.0 } else { -2.0 }).collect())
        }
        Target::DatasetCorrelated => {
            let equal = 1.0 / n as f64;
            let high = |weight: f64| if stretch || weight > equal { 8.0 } else { -2.0 };
            let levels = setting.profile.levels().iter().zip(weights);
            Data::Fixed(
                levels
                    .flat_map(|(level, weight)| {
                        std::iter::repeat_n(high(*weight), level.count as usize)
                    })
                    .collect(),
            )
        }
    }
}

/// The share m of values at the upper bound that is worst for weights that sum to A: the largest
/// value of (1 − A)²m² + S·m(1 − m), looked for on a grid.
fn worst_share(plan: &WeightedPlan, candidate: &Candidate) -> f64 {
    let setting = plan.setting();
    let weights = candidate.design.weights.per_level();
    let n = setting.profile.records() as f64;
    let levels =
        || setting.profile.levels().iter().zip(weights).map(|(level, w)| (level.count as f64, *w));
    let total: f64 = levels().map(|(count, w)| count * w).sum();
    let spread: f64 = match setting.target {
        Target::Population => levels().map(|(count, w)| count * w * w).sum(),
        _ => {
            n / (n - 1.0) * levels().map(|(count, w)| count * (w - total / n).powi(2)).sum::<f64>()
        }
    };
    let error = |m: f64| (1.0 - total).powi(2) * m * m + spread * m * (1.0 - m);
    let grid = (0..=1000).map(|i| f64::from(i) / 1000.0);
    grid.max_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap()
}

#[test]
#[ignore = "takes seconds"]
fn means() {
    let mut checked = 0;
    for (index, profile) in profiles().iter().enumerate() {
        for target in TARGETS {
            let plan = planned(profile, target, None);
            for candidates in alike(&plan) {
                let simulation = Simulation { trials: TRIALS, seed: index as u64, released: false };
                let data = worst_data(&plan, candidates[0]);
                let errors = simulation.means(&contenders(&plan, &candidates), &data).unwrap();
                for (candidate, errors) in candidates.into_iter().zip(errors) {
                    let (mse, error) = errors.mean_squared();
                    let risk = candidate.risk.total();
                    // A worst share that is rounded to whole records costs `stretch` a little.
                    let rounding = match candidate.estimator {
                        Estimator::Stretch => 0.02 * risk,
                        _ => 1e-9 * risk + 1e-24,
                    };
                    assert!(
                        (mse - risk).abs() <= 5.0 * error + rounding,
                        "{profile} {} {}: simulated {mse:e} ± {error:e}, exact {risk:e}",
                        target.name(),
                        candidate.estimator,
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 550, "{checked}");
}

/// All records in one category: nothing is left of the error but noise (and who was sampled).
#[test]
#[ignore = "takes seconds"]
fn noise_of_frequencies() {
    for (index, profile) in profiles().iter().enumerate() {
        for names in ["a,b", "a,b,c,d,e,f,g"] {
            let plan = planned(profile, Target::Dataset, Some(names));
            let examined = |one: &&Candidate| match one.estimator {
                // What a random sample loses depends on the category; its noise is that of the
                // others' formula.
                Estimator::Sample => false,
                // Its moment is a normal approximation, which a handful of flipped bits is not.
                Estimator::Local => profile.records() >= 40,
                _ => true,
            };
            let candidates: Vec<&Candidate> = plan.candidates().iter().filter(examined).collect();
            let data = Data::Fixed(vec![0; profile.records() as usize]);
            let simulation = Simulation { trials: TRIALS, seed: index as u64, released: false };
            let errors = simulation.frequencies(&contenders(&plan, &candidates), &data).unwrap();
            for (candidate, errors) in candidates.into_iter().zip(errors) {
                let estimator = candidate.estimator;
                let (mse, error) = errors.mean_squared();
                let noise = candidate.risk.noise;
                let approximation = if estimator == Estimator::Local { 0.05 } else { 0.005 };
                assert!(
                    (mse - noise).abs() <= 5.0 * error + approximation * noise + 1e-18,
                    "{profile} {names} {estimator}: simulated {mse:e} ± {error:e}, exact {noise:e}"
                );
            }
        }
    }
}

/// Budgets so large that noise is nothing, and two categories: what is left of the error is
/// sampling.
#[test]
#[ignore = "takes seconds"]
fn sampling_of_frequencies() {
    let profiles = ["1e6:30,3e7:20", "1e7:40,inf:10", "0:20,1e6:40", "inf:60"];
    for (index, text) in profiles.iter().enumerate() {
        let profile: Profile = text.parse().unwrap();
        let n = profile.records() as usize;
        for target in TARGETS {
            let plan = planned(&profile, target, Some("a,b"));
            for mut candidates in alike(&plan) {
                // Its threshold is at most 50, so it is never without noise.
                candidates.retain(|one| one.estimator != Estimator::Sample);
                let Some(first) = candidates.first() else { continue };
                let weights = first.design.weights.per_level();
                let data = match target {
                    Target::Population => {
                        Data::independent(|dice| usize::from(dice.uniform() < 0.5), vec![0.5, 0.5])
                    }
                    Target::Dataset => Data::Permuted((0..n).map(|i| i % 2).collect()),
                    Target::DatasetCorrelated => {
                        let levels = profile.levels().iter().zip(weights);
                        let category = |weight: f64| usize::from(weight > 1.0 / n as f64);
                        let repeated = |(level, weight): (&suum::Level, &f64)| {
                            std::iter::repeat_n(category(*weight), level.count as usize)
                        };
                        Data::Fixed(levels.flat_map(repeated).collect())
                    }
                };
                let simulation = Simulation { trials: TRIALS, seed: index as u64, released: false };
                let errors =
                    simulation.frequencies(&contenders(&plan, &candidates), &data).unwrap();
                for (candidate, errors) in candidates.into_iter().zip(errors) {
                    let (mse, error) = errors.mean_squared();
                    let risk = candidate.risk.total();
                    assert!(
                        (mse - risk).abs() <= 5.0 * error + 1e-6 * risk + 1e-12,
                        "{text} {} {}: simulated {mse:e} ± {error:e}, exact {risk:e}",
                        target.name(),
                        candidate.estimator,
                    );
                }
            }
        }
    }
}

/// A formula that is 10 % off is noticed: the check is not too kind.
#[test]
#[ignore = "takes seconds"]
fn a_wrong_risk_is_rejected() {
    let profile: Profile = "0.1:60,1:30,inf:4".parse().unwrap();
    let plan = planned(&profile, Target::Population, None);
    for candidates in alike(&plan) {
        let simulation = Simulation { trials: 20_000, seed: 9, released: false };
        let data = worst_data(&plan, candidates[0]);
        let errors = simulation.means(&contenders(&plan, &candidates), &data).unwrap();
        for (candidate, errors) in candidates.into_iter().zip(errors) {
            let (mse, error) = errors.mean_squared();
            let risk = candidate.risk.total();
            assert!(
                (mse - 0.9 * risk).abs() > 5.0 * error && (mse - 1.1 * risk).abs() > 5.0 * error,
                "{}",
                candidate.estimator
            );
        }
    }
}

#[test]
fn errors_depend_on_the_seed_alone() {
    let profile = "0.1:60,1:30".parse().unwrap();
    let plan = planned(&profile, Target::Dataset, None);
    let affine = plan.candidates().iter().find(|one| one.estimator == Estimator::Affine).unwrap();
    let run = |seed| {
        let simulation = Simulation { trials: 1000, seed, released: true };
        simulation.means(&[(&plan, affine)], &worst_data(&plan, affine)).unwrap()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_simulation_ends_when_somebody_cancels_it() {
    let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())
        .unwrap()
        .plan("1:10".parse().unwrap())
        .unwrap();
    let simulation = Simulation { trials: 1000, seed: 1, released: false };
    let data = Data::Fixed(vec![0.5; 10]);
    let progress = suum::Progress::default();
    assert_eq!(
        simulation.mean_unless(&plan, &data, &progress).unwrap(),
        simulation.mean(&plan, &data).unwrap()
    );
    progress.cancel();
    let refused = simulation.mean_unless(&plan, &data, &progress).unwrap_err();
    assert_eq!(refused.to_string(), "simulation: it was cancelled");
}
