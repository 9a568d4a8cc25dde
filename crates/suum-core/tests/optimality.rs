//! Nothing beats the optimisers: random and perturbed weights, other clip levels, other estimators.
//!
//! All objectives are computed here, from their definitions and from nothing but ε, counts and weights.
#![allow(clippy::unwrap_used)]

mod common;
mod dice;

use common::{config, profiles};
use dice::Dice;
use proptest::prelude::*;
use suum_core::{Bounds, Estimator, Hpm, Options, Profile, Request, Setting, Statistic, Target};

const TARGETS: [Target; 3] = [Target::Population, Target::Dataset, Target::DatasetCorrelated];

/// Part of an objective: how far weights are from those without privacy.
#[derive(Debug, Clone, Copy)]
enum Sampling {
    /// a·Σ w²
    Norm(f64),
    /// a·Σ (w − 1/n)²
    SquaredDistance(f64),
    /// a·(Σ |w − 1/n|)²
    Distance(f64),
}

/// An objective: the least of the sampling terms plus `noise`·max(w/ε)².
#[derive(Debug)]
struct Objective {
    sampling: Vec<Sampling>,
    noise: f64,
}

impl Sampling {
    fn of(self, profile: &Profile, weights: &[f64]) -> f64 {
        let equal = 1.0 / profile.records() as f64;
        let sum = |term: &dyn Fn(f64) -> f64| -> f64 {
            profile.levels().iter().zip(weights).map(|(level, w)| level.count as f64 * term(*w)).sum()
        };
        match self {
            Sampling::Norm(a) => a * sum(&|w| w * w),
            Sampling::SquaredDistance(a) => a * sum(&|w| (w - equal) * (w - equal)),
            Sampling::Distance(a) => a * sum(&|w| (w - equal).abs()).powi(2),
        }
    }

    /// What rounding every weight to a double can do to the root of the term.
    fn rounding(self, n: f64) -> f64 {
        match self {
            Sampling::Norm(_) => 0.0,
            Sampling::SquaredDistance(a) => 1e-15 * (a / n).sqrt(),
            Sampling::Distance(a) => 1e-15 * a.sqrt(),
        }
    }
}

impl Objective {
    fn of(&self, profile: &Profile, weights: &[f64]) -> f64 {
        let mut largest: f64 = 0.0;
        for (level, weight) in profile.levels().iter().zip(weights) {
            if *weight > 0.0 {
                largest = largest.max(weight / level.epsilon.get());
            }
        }
        let sampling = self.sampling.iter().map(|term| term.of(profile, weights));
        sampling.fold(f64::INFINITY, f64::min) + self.noise * largest * largest
    }

    /// Whether `value` is at most `other`, up to nine digits and the rounding of the weights.
    fn at_most(&self, profile: &Profile, value: f64, other: f64) -> bool {
        let n = profile.records() as f64;
        let rounding = self.sampling.iter().map(|term| term.rounding(n)).fold(0.0, f64::max);
        value.sqrt() <= other.sqrt() * (1.0 + 1e-9) + rounding
    }
}

/// The exact risk of the target, with h = 1.
fn exact_risk(target: Target, n: f64, variance: f64) -> Objective {
    let sampling = match target {
        Target::Population => Sampling::Norm(variance),
        Target::Dataset if n > 1.0 => Sampling::SquaredDistance(n / (n - 1.0) * variance),
        Target::Dataset => Sampling::SquaredDistance(0.0),
        Target::DatasetCorrelated => Sampling::Distance(0.25),
    };
    Objective { sampling: vec![sampling], noise: 2.0 }
}

/// CC24's objective of a variant: L = ln(1/β) or 1.
fn published(variant: Hpm, n: f64, beta: f64) -> Objective {
    let l = match variant {
        Hpm::Cp | Hpm::Up | Hpm::CpT | Hpm::UpT => -beta.ln(),
        Hpm::A | Hpm::Ce | Hpm::Ue | Hpm::CeT | Hpm::UeT => 1.0,
    };
    let distance = match variant {
        Hpm::CpT | Hpm::CeT | Hpm::UpT | Hpm::UeT => Sampling::SquaredDistance(n),
        _ => Sampling::Distance(1.0),
    };
    let mut sampling = vec![distance];
    if matches!(variant, Hpm::Up | Hpm::Ue | Hpm::UpT | Hpm::UeT) {
        sampling.push(Sampling::Norm(l));
    }
    Objective { sampling, noise: l * l }
}

/// 10^x with x uniform.
fn decade(dice: &mut Dice, from: f64, to: f64) -> f64 {
    10f64.powf(from + (to - from) * dice.roll())
}

/// Weights in the ratio of `shares`, zero where ε = 0; `None` if all are zero.
fn feasible(profile: &Profile, shares: impl Fn(usize, f64) -> f64) -> Option<Vec<f64>> {
    let mut weights: Vec<f64> = profile
        .levels()
        .iter()
        .enumerate()
        .map(
            |(position, level)| {
                if level.epsilon.is_unused() { 0.0 } else { shares(position, level.epsilon.get()) }
            },
        )
        .collect();
    let total: f64 = profile.levels().iter().zip(&weights).map(|(level, w)| level.count as f64 * w).sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    (total > 0.0 && total.is_finite()).then_some(weights)
}

/// Weights that might beat `best`: anything feasible, its neighbours, and other clip levels.
fn challengers(profile: &Profile, best: &[f64], seed: u64) -> Vec<Vec<f64>> {
    let mut dice = Dice(seed);
    let levels = profile.levels();
    let mut all = Vec::new();
    for _ in 0..12 {
        let random: Vec<f64> = levels.iter().map(|_| decade(&mut dice, -4.0, 0.0)).collect();
        all.extend(feasible(profile, |position, _| random[position]));
        all.extend(feasible(profile, |position, epsilon| random[position] * epsilon.min(1e3)));
        // A random part of the levels, all alike.
        all.extend(feasible(profile, |position, _| f64::from(random[position] > 1e-2)));
    }
    for _ in 0..24 {
        // A part of a level's mass goes to another level: from almost nothing to all of it.
        let (from, to) = (dice.pick(levels.len()), dice.pick(levels.len()));
        if from == to || levels[to].epsilon.is_unused() {
            continue;
        }
        let part = decade(&mut dice, -8.0, 0.0);
        let mut moved = best.to_vec();
        let mass = part * best[from] * levels[from].count as f64;
        moved[from] -= mass / levels[from].count as f64;
        moved[to] += mass / levels[to].count as f64;
        all.push(moved);
    }
    for level in profile.usable() {
        // Clip levels at, around and far from the budgets.
        let middle = if level.epsilon.is_public() { 1.0 } else { level.epsilon.get() };
        for tau in [middle, middle * decade(&mut dice, -1.0, 1.0), middle * decade(&mut dice, -6.0, 6.0)] {
            all.extend(feasible(profile, |_, epsilon| epsilon.min(tau)));
        }
    }
    all
}

/// Checks `best` against every challenger.
fn unbeaten(
    name: &str,
    objective: &Objective,
    profile: &Profile,
    best: &[f64],
    seed: u64,
) -> Result<(), TestCaseError> {
    let mass: f64 = profile.levels().iter().zip(best).map(|(level, w)| level.count as f64 * w).sum();
    prop_assert!((mass - 1.0).abs() < 1e-12 && best.iter().all(|weight| *weight >= 0.0));
    let value = objective.of(profile, best);
    for other in challengers(profile, best, seed) {
        let reached = objective.of(profile, &other);
        prop_assert!(
            objective.at_most(profile, value, reached),
            "{name} on {profile}: {value:e} is beaten by {reached:e} with {other:?} against {best:?}"
        );
    }
    Ok(())
}

fn options(target: Target, variance: Option<f64>) -> Options {
    Options {
        target,
        variance: variance.filter(|_| target != Target::DatasetCorrelated),
        ..Options::default()
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn affine_has_the_least_exact_risk(profile in profiles(), seed: u64, share in -6.0..0.0_f64) {
        for target in TARGETS {
            for variance in [0.25, 0.25 * 10f64.powf(share)] {
                let mut setting = Setting::new(profile.clone(), Bounds::UNIT, target);
                if target != Target::DatasetCorrelated {
                    setting.variance = variance;
                }
                let design = Estimator::Affine.design(&setting).unwrap();
                let objective = exact_risk(target, profile.records() as f64, variance);
                let weights = design.weights.per_level();
                unbeaten(target.name(), &objective, &profile, weights, seed)?;
                let (ours, theirs) = (design.risk(&setting).total(), objective.of(&profile, weights));
                prop_assert!((ours - theirs).abs() <= 1e-12 * theirs, "{ours:e} {theirs:e}");
            }
        }
    }

    #[test]
    fn threshold_is_the_best_of_all_thresholds(profile in profiles(), share in -6.0..0.0_f64) {
        let n = profile.records() as f64;
        for target in TARGETS {
            let mut setting = Setting::new(profile.clone(), Bounds::UNIT, target);
            if target != Target::DatasetCorrelated {
                setting.variance = 0.25 * 10f64.powf(share);
            }
            let objective = exact_risk(target, n, setting.variance);
            let design = Estimator::Threshold.design(&setting).unwrap();
            let value = objective.of(&profile, design.weights.per_level());
            for level in profile.usable() {
                let kept = |_, epsilon: f64| f64::from(epsilon >= level.epsilon.get());
                let other = objective.of(&profile, &feasible(&profile, kept).unwrap());
                prop_assert!(objective.at_most(&profile, value, other), "{profile} {}", level.epsilon);
            }
        }
    }

    #[test]
    fn hpm_variants_minimise_their_published_objectives(
        profile in profiles(), seed: u64, beta in 1e-6..0.999_f64,
    ) {
        for estimator in Estimator::ALL {
            let Estimator::Hpm(variant) = estimator else { continue };
            if variant == Hpm::A {
                continue;
            }
            let mut setting = Setting::new(profile.clone(), Bounds::UNIT, Target::Population);
            setting.beta = beta;
            let design = estimator.design(&setting).unwrap();
            let objective = published(variant, profile.records() as f64, beta);
            let weights = design.weights.per_level();
            unbeaten(estimator.name(), &objective, &profile, weights, seed)?;
            let (ours, theirs) = (design.objective.unwrap(), objective.of(&profile, weights));
            prop_assert!(objective.at_most(&profile, ours, theirs), "{estimator}: {ours:e} {theirs:e}");
            prop_assert!(objective.at_most(&profile, theirs, ours), "{estimator}: {ours:e} {theirs:e}");
        }
    }

    #[test]
    fn auto_is_never_worse_than_a_listed_estimator(
        profile in profiles(), variance in prop::option::of(1e-6..0.25_f64),
    ) {
        for target in TARGETS {
            let request = Request::new(Statistic::Mean, Bounds::UNIT, options(target, variance)).unwrap();
            let plan = request.plan(profile.clone()).unwrap();
            let chosen = plan.chosen().risk.total();
            let objective = exact_risk(target, profile.records() as f64, plan.setting().variance);
            for candidate in plan.candidates() {
                let risk = candidate.risk.total();
                prop_assert!(chosen <= risk * (1.0 + 1.001e-12), "{profile} {}", candidate.estimator);
                let truth = objective.of(&profile, candidate.design.weights.per_level());
                prop_assert!((risk - truth).abs() <= 1e-12 * truth, "{profile} {}", candidate.estimator);
                if let Some(bound) = plan.lower_bound() {
                    prop_assert!(bound <= risk, "{profile} {}: {bound:e} {risk:e}", candidate.estimator);
                }
            }
            prop_assert_eq!(plan.lower_bound().is_some(), target == Target::Population);
        }
    }

    #[test]
    fn personalisation_gains_at_least_nothing_and_at_most_the_bound(
        profile in profiles(), variance in prop::option::of(1e-6..0.25_f64),
    ) {
        let request =
            Request::new(Statistic::Mean, Bounds::UNIT, options(Target::Population, variance)).unwrap();
        let plan = request.plan(profile.clone()).unwrap();
        let gain = plan.personalization_gain().unwrap();
        let bound = plan.ratio_bound().unwrap();
        prop_assert!((1.0 - 1e-12..=bound * (1.0 + 1e-9)).contains(&gain), "{}: {} {}", profile, gain, bound);
    }
}

/// The family on which a threshold loses most (CZ26 Theorem 3): the bound is not far above what is reached.
#[test]
fn the_equal_revenue_family_comes_near_the_bound() {
    for levels in 1..=24 {
        let text: Vec<String> = (0..levels).map(|i| format!("{:e}:{}", 0.5f64.powi(i), 1u64 << i)).collect();
        let request = Request::new(Statistic::Mean, Bounds::UNIT, Options::default()).unwrap();
        let plan = request.plan(text.join(",").parse().unwrap()).unwrap();
        let gain = plan.personalization_gain().unwrap();
        let squared = f64::from(levels * levels);
        assert!(
            gain >= (squared / 5.0).min(1.0) - 1e-12 && gain <= squared * (1.0 + 1e-9),
            "{levels}: {gain}"
        );
        assert!(levels < 5 || gain >= squared / 5.0, "{levels}: {gain}");
    }
}
