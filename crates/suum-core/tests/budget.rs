//! Nobody loses more than they allowed, decided by a second implementation of exact arithmetic.
//!
//! The integers reach this file as decimal text and the budgets as the bits of a double; everything is
//! recomputed with num-bigint and num-rational.
#![allow(clippy::unwrap_used)]

mod common;

use common::{config, profiles};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;
use suum_core::{
    Bounds, Choice, Cohort, Epsilon, Estimator, ExactSum, Grid, LevelTable, Loss, Options, Plan, Profile,
    Randomness, Request, Statistic, Target,
};

const TARGETS: [Target; 3] = [Target::Population, Target::Dataset, Target::DatasetCorrelated];

fn plan(profile: &Profile, target: Target, estimator: Estimator) -> Plan {
    let options = Options { target, estimator: Choice::Named(estimator), ..Options::default() };
    Request::new(Statistic::Mean, Bounds::UNIT, options).unwrap().plan(profile.clone()).unwrap()
}

/// ε as the rational number mantissa·2^exponent that its bits stand for.
fn budget(epsilon: Epsilon) -> Option<BigRational> {
    let bits = epsilon.get().to_bits();
    let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    if exponent == 0x7ff {
        return None;
    }
    let mantissa = BigInt::from(if exponent == 0 { fraction } else { fraction | (1 << 52) });
    let shift = exponent.max(1) as i64 - 1075;
    let power = BigInt::from(1) << shift.unsigned_abs();
    Some(if shift < 0 { BigRational::new(mantissa, power) } else { BigRational::from(mantissa * power) })
}

fn integer(text: impl ToString) -> BigInt {
    text.to_string().parse().unwrap()
}

/// The leading 64 bits as a double, times what was cut off.
fn double(value: &BigInt) -> f64 {
    let value: &BigUint = value.magnitude();
    let cut = value.bits().saturating_sub(64);
    let leading = (value >> cut).iter_u64_digits().next().unwrap_or(0);
    leading as f64 * 2f64.powi(cut as i32)
}

/// The integer law: the noise is enough for every level, and not an integer step more than that.
fn keeps_every_budget(plan: &Plan) -> Result<(), TestCaseError> {
    let mechanism = plan.mechanism();
    let scale = integer(mechanism.scale());
    let points = BigInt::from(plan.grid().points());
    let none = BigInt::from(0);
    prop_assert_eq!(mechanism.points(), plan.grid().points());
    let mut tight = false;
    let mut total = none.clone();
    for (position, level) in plan.setting().profile.levels().iter().enumerate() {
        let weight = integer(&mechanism.weights()[position]);
        prop_assert!(weight >= none);
        total += &weight * BigInt::from(level.count);
        let moved = BigRational::from(&weight * &points);
        let loss = mechanism.loss(position);
        prop_assert!(loss.within(level.epsilon));
        prop_assert!(loss.rounded_up() <= level.epsilon.get());
        match budget(level.epsilon) {
            Some(epsilon) => {
                prop_assert!(moved <= &epsilon * &scale, "level {}: W·G > b·ε", position);
                // One step less noise would be too little for this level.
                tight |= moved > &epsilon * (&scale - 1);
            }
            None => {
                let limited = matches!(loss, Loss::Finite(_));
                prop_assert_eq!(limited, scale > none || weight == none, "public level {}", position);
            }
        }
        if let Loss::Finite(_) = loss {
            let certified: BigRational = loss.to_string().parse().unwrap();
            let spent = if weight == none { moved } else { moved / &scale };
            prop_assert_eq!(certified, spent);
        }
    }
    prop_assert!(tight || scale == none, "b is not the least");
    prop_assert_eq!(integer(mechanism.total_weight()), total);
    Ok(())
}

/// Risk of the integers against the risk of the plan, both as root mean squared errors.
fn keeps_the_risk(plan: &Plan) -> Result<(), TestCaseError> {
    let mechanism = plan.mechanism();
    let (setting, n) = (plan.setting(), plan.setting().profile.records() as f64);
    let total = double(&integer(mechanism.total_weight()));
    let (mut norm, mut squared, mut absolute) = (0.0, 0.0, 0.0);
    for (level, weight) in setting.profile.levels().iter().zip(mechanism.weights()) {
        let weight = double(&integer(weight)) / total;
        let (count, distance) = (level.count as f64, weight - 1.0 / n);
        norm += count * weight * weight;
        squared += count * distance * distance;
        absolute += count * distance.abs();
    }
    let sampling = match setting.target {
        Target::Population => 0.25 * norm,
        Target::Dataset if n > 1.0 => 0.25 * n / (n - 1.0) * squared,
        Target::Dataset => 0.0,
        Target::DatasetCorrelated => 0.25 * absolute * absolute,
    };
    let eta = double(&integer(mechanism.scale())) / (mechanism.points() as f64 * total);
    let realised = (sampling + 2.0 * eta * eta).sqrt();
    let planned = plan.chosen().risk.rmse();
    // Weights keep 40 binary digits, so a distance of nearly equal weights is right to 2^-40 of the range.
    let rounding = if setting.target == Target::Population { 0.0 } else { 2f64.powi(-40) };
    prop_assert!((realised - planned).abs() <= 4e-10 * planned + rounding, "{:e} {:e}", realised, planned);
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn every_estimator_keeps_every_budget(profile in profiles()) {
        for target in TARGETS {
            for estimator in Estimator::ALL {
                let plan = plan(&profile, target, estimator);
                prop_assert_eq!(plan.chosen().estimator, estimator);
                keeps_every_budget(&plan)?;
                keeps_the_risk(&plan)?;
            }
        }
    }

    #[test]
    fn a_release_certifies_what_it_spent(
        profile in profiles(), seed: u64, share in 0.0..=1.0_f64, which in 0..Estimator::ALL.len(),
    ) {
        let grid = Grid::new(Bounds::UNIT);
        let sum = |count: u64| (share * count as f64) as i128 * i128::from(grid.points());
        let cohorts = profile.levels().iter().map(|level| Cohort {
            label: None,
            epsilon: level.epsilon,
            count: level.count,
            sum: ExactSum::from_raw(sum(level.count)),
        });
        let table = LevelTable::new(None, Some(grid), cohorts.collect()).unwrap();
        for target in TARGETS {
            let plan = plan(&profile, target, Estimator::ALL[which]);
            let losses: Vec<Loss> = plan.losses().collect();
            let release = plan.release(table.clone(), &mut Randomness::insecure(seed)).unwrap();
            prop_assert_eq!(release.privacy.len(), losses.len());
            for (line, loss) in release.privacy.iter().zip(losses) {
                prop_assert!(line.spent.within(line.epsilon));
                prop_assert_eq!(&line.spent, &loss);
                if let (Loss::Finite(_), Some(epsilon)) = (&loss, budget(line.epsilon)) {
                    prop_assert!(loss.to_string().parse::<BigRational>().unwrap() <= epsilon);
                }
            }
            let weights: f64 = release.privacy.iter().map(|line| line.count as f64 * line.weight).sum();
            prop_assert!((weights - 1.0).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&release.estimate));
        }
    }
}

/// Extreme budgets, for which planning in floating point comes closest to its limits.
#[test]
fn extreme_profiles_keep_every_budget() {
    for text in [
        "1e-100:1,1e100:1",
        "1e-100:1000000,1e-99:3,1e100:1,inf:1",
        "0:3,1e-100:1",
        "1e100:1000000",
        "inf:1,1e-100:9000000000000000000",
        "0.1:1,0.10000000000000002:1",
        // Powers of two, for which W·G/ε is an integer and must not be rounded up any further.
        "1:7",
        "0.0625:3,0.5:4,2:9",
        "1e-12:1,1e12:9000000000000000000",
    ] {
        let profile: Profile = text.parse().unwrap();
        for target in TARGETS {
            for estimator in Estimator::ALL {
                let plan = plan(&profile, target, estimator);
                let place = format!("{text} {target:?} {estimator}");
                keeps_every_budget(&plan).unwrap_or_else(|error| unreachable!("{place}: {error}"));
            }
        }
    }
}
