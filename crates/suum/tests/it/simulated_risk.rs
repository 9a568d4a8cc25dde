//! The exact risk of every estimator is what simulation finds, on the data that are worst for it.
//!
//! A check fails if the simulated mean squared error is more than 5 standard errors from the exact
//! risk: for a right formula a false alarm of 6e-7 each, of 5e-4 for all checks together, whenever
//! seeds change.

use suum::simulation::{Data, Errors, Simulation};
use suum::{
    Bounds, Candidate, Estimator, Method, Options, Profile, Request, Result, Statistic, Target,
    WeightedPlan,
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

/// An estimator as a plan compares it; that may be one for study.
struct Compared {
    plan: WeightedPlan,
    candidate: Candidate,
}

impl Compared {
    fn mean(&self, simulation: Simulation, data: &Data<f64>) -> Result<Errors> {
        let mut errors = simulation.means(&[(&self.plan, &self.candidate)], data)?;
        Ok(errors.swap_remove(0))
    }

    fn frequency(&self, simulation: Simulation, data: &Data<usize>) -> Result<Errors> {
        let mut errors = simulation.frequencies(&[(&self.plan, &self.candidate)], data)?;
        Ok(errors.swap_remove(0))
    }
}

/// The estimator as it is compared, or `None` where it makes no sense.
fn compared(
    profile: &Profile,
    target: Target,
    estimator: Estimator,
    categories: Option<&str>,
) -> Option<Compared> {
    let options = Options { target, ..Options::default() };
    let request = match categories {
        Some(names) => Request::frequency(names.parse().unwrap(), options).unwrap(),
        None => Request::new(Statistic::Mean, Bounds::new(-2.0, 8.0).unwrap(), options).unwrap(),
    };
    let plan = request.plan(profile.clone()).unwrap();
    let candidate = plan.candidates().iter().find(|one| one.estimator == estimator).cloned();
    let senseless = estimator == Estimator::Stretch
        || estimator == Estimator::Typical && target == Target::DatasetCorrelated;
    assert!(candidate.is_some() || senseless, "{estimator}");
    Some(Compared { candidate: candidate?, plan })
}

/// The values in [−2, 8] that are worst for the plan's weights.
fn worst_data(compared: &Compared) -> Data<f64> {
    let Compared { plan, candidate } = compared;
    let setting = plan.setting();
    let n = setting.profile.records() as usize;
    let weights = candidate.design.weights.per_level();
    let stretch = candidate.design.method == Method::Stretch;
    match setting.target {
        Target::Population => {
            let share = if stretch { worst_share(compared) } else { 0.5 };
            Data::independent(
                move |dice| if dice.uniform() < share { 8.0 } else { -2.0 },
                vec![-2.0 + 10.0 * share],
            )
        }
        Target::Dataset => {
            let ones =
                if stretch { (worst_share(compared) * n as f64).round() as usize } else { n / 2 };
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
fn worst_share(compared: &Compared) -> f64 {
    let Compared { plan, candidate } = compared;
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
            for estimator in Estimator::ALL.into_iter().filter(|estimator| estimator.serves(false))
            {
                let Some(compared) = compared(profile, target, estimator, None) else { continue };
                let simulation = Simulation { trials: TRIALS, seed: index as u64, released: false };
                let (mse, error) =
                    compared.mean(simulation, &worst_data(&compared)).unwrap().mean_squared();
                let risk = compared.candidate.risk.total();
                // A worst share that is rounded to whole records costs `stretch` a little.
                let rounding =
                    if estimator == Estimator::Stretch { 0.02 * risk } else { 1e-9 * risk + 1e-24 };
                assert!(
                    (mse - risk).abs() <= 5.0 * error + rounding,
                    "{profile} {} {estimator}: simulated {mse:e} ± {error:e}, exact {risk:e}",
                    target.name(),
                );
                checked += 1;
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
            for estimator in Estimator::ALL.into_iter().filter(|estimator| estimator.serves(true)) {
                // What a random sample loses depends on the category; its noise is that of the
                // others' formula.
                if estimator == Estimator::Sample {
                    continue;
                }
                // The moment of `local` is a normal approximation, which a handful of flipped bits
                // is not.
                if estimator == Estimator::Local && profile.records() < 40 {
                    continue;
                }
                let compared = compared(profile, Target::Dataset, estimator, Some(names)).unwrap();
                let data = Data::Fixed(vec![0; profile.records() as usize]);
                let simulation = Simulation { trials: TRIALS, seed: index as u64, released: false };
                let (mse, error) = compared.frequency(simulation, &data).unwrap().mean_squared();
                let noise = compared.candidate.risk.noise;
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
            for estimator in Estimator::ALL.into_iter().filter(|estimator| estimator.serves(true)) {
                // Its threshold is at most 50, so it is never without noise.
                if estimator == Estimator::Sample {
                    continue;
                }
                let compared = compared(&profile, target, estimator, Some("a,b")).unwrap();
                let weights = compared.candidate.design.weights.per_level();
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
                let (mse, error) = compared.frequency(simulation, &data).unwrap().mean_squared();
                let risk = compared.candidate.risk.total();
                assert!(
                    (mse - risk).abs() <= 5.0 * error + 1e-6 * risk + 1e-12,
                    "{text} {} {estimator}: simulated {mse:e} ± {error:e}, exact {risk:e}",
                    target.name(),
                );
            }
        }
    }
}

/// A formula that is 10 % off is noticed: the check is not too kind.
#[test]
#[ignore = "takes seconds"]
fn a_wrong_risk_is_rejected() {
    let profile: Profile = "0.1:60,1:30,inf:4".parse().unwrap();
    for estimator in Estimator::ALL.into_iter().filter(|estimator| estimator.serves(false)) {
        let Some(compared) = compared(&profile, Target::Population, estimator, None) else {
            continue;
        };
        let simulation = Simulation { trials: 20_000, seed: 9, released: false };
        let (mse, error) =
            compared.mean(simulation, &worst_data(&compared)).unwrap().mean_squared();
        let risk = compared.candidate.risk.total();
        assert!(
            (mse - 0.9 * risk).abs() > 5.0 * error && (mse - 1.1 * risk).abs() > 5.0 * error,
            "{estimator}"
        );
    }
}

#[test]
fn errors_depend_on_the_seed_alone() {
    let profile = "0.1:60,1:30".parse().unwrap();
    let compared = compared(&profile, Target::Dataset, Estimator::Affine, None).unwrap();
    let run = |seed| {
        let simulation = Simulation { trials: 1000, seed, released: true };
        compared.mean(simulation, &worst_data(&compared)).unwrap()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_simulation_ends_when_somebody_cancels_it() {
    let plan =
        suum::plan(Statistic::Mean, "1:10".parse().unwrap(), Bounds::UNIT, &Options::default())
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
