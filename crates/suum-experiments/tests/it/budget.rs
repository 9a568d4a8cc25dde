//! Nobody loses more than they allowed, decided by a second implementation of exact arithmetic.
//!
//! The integers reach this file as decimal text and the budgets as the bits of a double; everything
//! is recomputed with num-bigint and num-rational.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;
use suum::{
    Bounds, Epsilon, Estimator, Grid, Loss, Method, Profile, Randomness, SampleThreshold, Setting,
    Share, Target,
};
use suum_experiments::published::{
    DiffusionPlan, PublishedEstimator, Question, SampleMean, SampledSum, SamplingProbability,
    StretchMean,
};

use crate::people::{config, epsilon_of, people_of, profiles};

type Checked = Result<(), TestCaseError>;

/// ε as the rational number that its bits stand for; `None` if public.
fn budget(epsilon: Epsilon) -> Option<BigRational> {
    exact(epsilon.get())
}

/// A double as the fraction it is; `None` if infinite.
fn exact(double: f64) -> Option<BigRational> {
    BigRational::from_float(double)
}

/// An integer of the crate, by way of its decimal text.
fn integer(text: impl ToString) -> BigInt {
    text.to_string().parse().unwrap()
}

/// A loss as a fraction; `None` if unlimited.
fn certified(loss: &Loss) -> Option<BigRational> {
    matches!(loss, Loss::Finite(_)).then(|| loss.to_string().parse().unwrap())
}

/// The leading 64 bits as a double, times what was cut off.
fn double(value: &BigInt) -> f64 {
    let value: &BigUint = value.magnitude();
    let cut = value.bits().saturating_sub(64);
    let leading = (value >> cut).iter_u64_digits().next().unwrap_or(0);
    leading as f64 * 2f64.powi(cut as i32)
}

fn ratio(value: &BigRational) -> f64 {
    double(value.numer()) / double(value.denom())
}

/// e^x − 1 lies between these, for 0 < x ≤ 64: K terms of its series by Horner's rule, in one exact
/// fraction without any rounding, and the same plus twice the next term (each further term is at
/// most half the one before).
fn exponential_minus_one(x: &BigRational) -> (BigRational, BigRational) {
    let (p, q) = (x.numer(), x.denom());
    let terms = 40 + 4 * ratio(x).ceil() as u32;
    let (mut numerator, mut denominator) = (BigInt::from(1), BigInt::from(1));
    let (mut power, mut factorial) = (BigInt::from(2), BigInt::from(1));
    for k in (2..=terms).rev() {
        // 1 + x/k·(…)
        let whole = q * k * &denominator;
        numerator = p * &numerator + &whole;
        denominator = whole;
    }
    for k in 1..=terms + 1 {
        power *= p;
        factorial *= q * k;
    }
    let low = BigRational::new_raw(p * numerator, q * denominator);
    let rest = BigRational::new_raw(power, factorial);
    let high = BigRational::new_raw(
        low.numer() * rest.denom() + rest.numer() * low.denom(),
        low.denom() * rest.denom(),
    );
    (low, high)
}

/// Returns true if p·(e^t − 1) ≤ e^ε − 1 is certain, with p = `digits`/2^64.
fn sampling_is_within(digits: u128, t: &BigRational, epsilon: &BigRational) -> bool {
    let (_, most) = exponential_minus_one(t);
    let (allowed, _) = exponential_minus_one(epsilon);
    BigInt::from(digits) * most.numer() * allowed.denom() <= (allowed.numer() * most.denom()) << 64
}

/// Threshold t that the design of `sample` sets for this setting, at most 50.
fn threshold_of(profile: &Profile, threshold: SampleThreshold) -> f64 {
    let setting = Setting {
        sample_threshold: threshold,
        ..Setting::new(profile.clone(), Bounds::UNIT, Target::Population)
    };
    let design = Estimator::Sample.design(&setting).unwrap();
    let Method::Sample { threshold, .. } = design.method else { panic!("no sample") };
    threshold
}

/// A random sample: the noise keeps the threshold, and the sampling brings it down to every budget.
/// `exactly` decides exponentials in rational arithmetic too.
fn sampled_sum(profile: &Profile, mean: &SampleMean, threshold: f64, exactly: bool) -> Checked {
    let mechanism = mean.sum();
    let sensitivity = BigInt::from(2 * Grid::new(Bounds::UNIT).points());
    prop_assert_eq!(&integer(mechanism.sensitivity()), &sensitivity);
    let scale = integer(mechanism.scale());
    let spent = match exact(threshold) {
        Some(threshold) => {
            let sensitivity = BigRational::from(sensitivity);
            prop_assert!(sensitivity <= &threshold * &scale, "M > b·t");
            prop_assert!(sensitivity > &threshold * (&scale - 1), "b is not the least");
            Some(sensitivity / &scale)
        }
        None => {
            prop_assert_eq!(&scale, &BigInt::from(0));
            None
        }
    };
    let mut expected = BigInt::from(0);
    for level in profile.levels() {
        let (probability, loss) =
            (mechanism.sampling_probability(level.epsilon), mechanism.loss(level.epsilon));
        prop_assert!(loss.within(level.epsilon) && mean.loss(level.epsilon) == loss);
        let digits = probability.numerator();
        expected += BigInt::from(digits) * BigInt::from(level.count);
        let p = digits as f64 / 2f64.powi(64);
        match (budget(level.epsilon), &spent) {
            (_, _) if probability == SamplingProbability::NEVER => {
                prop_assert_eq!(&loss, &Loss::ZERO)
            }
            (epsilon, _) if probability.is_always() => {
                prop_assert!(
                    epsilon.zip(spent.clone()).is_none_or(|(epsilon, spent)| spent <= epsilon)
                );
                prop_assert_eq!(certified(&loss), spent.clone());
            }
            (Some(epsilon), Some(spent)) => {
                prop_assert_eq!(certified(&loss), Some(epsilon.clone()));
                let (now, allowed) = (ratio(spent).exp_m1(), ratio(&epsilon).exp_m1());
                prop_assert!(p * now <= allowed * (1.0 + 1e-12), "{}: {:e}", level.epsilon, p);
                if exactly {
                    prop_assert!(
                        sampling_is_within(digits, spent, &epsilon),
                        "{}: {:e}",
                        level.epsilon,
                        p
                    );
                }
            }
            other => prop_assert!(false, "kept with probability {:e}: {:?}", p, other),
        }
        // And no less often than allowed.
        let ideal =
            (level.epsilon.get().min(700.0).exp_m1() / threshold.min(700.0).exp_m1()).min(1.0);
        if !threshold.is_infinite() {
            prop_assert!(p >= ideal * (1.0 - 1e-12) - 2f64.powi(-63), "{:e} {:e}", p, ideal);
        }
    }
    prop_assert_eq!(integer(mechanism.expected()), expected.clone());
    // The noise of the integers is that of the exact risk.
    let step = 2f64.sqrt()
        / (2.0 * Grid::new(Bounds::UNIT).points() as f64 * double(&expected) / 2f64.powi(64));
    let (realised, planned) = (double(&scale) * step, mean.risk().noise_sd());
    // A probability is cut to 64 digits, and at most two units below what it should be.
    let cut = 2.0 * profile.records() as f64 / double(&expected);
    let most = (4e-10 + cut) * planned + step;
    prop_assert!((realised - planned).abs() <= most, "{realised:e} {planned:e}");
    Ok(())
}

/// A stretched mean: every record loses its budget, and the noise is that of the exact risk.
fn stretched_sum(profile: &Profile, mean: &StretchMean) -> Checked {
    let points = BigInt::from(Grid::new(Bounds::UNIT).points());
    let (scale, whole) = (integer(mean.sum().scale()), integer(mean.sum().whole()));
    let mut largest = BigRational::from(BigInt::from(0));
    for level in profile.levels() {
        let epsilon = budget(level.epsilon).unwrap();
        prop_assert_eq!(certified(&mean.loss(level.epsilon)), Some(epsilon.clone()));
        prop_assert!(mean.loss(level.epsilon).within(level.epsilon));
        largest = largest.max(epsilon);
    }
    // b = D·G, and the whole is n·max ε·b.
    prop_assert_eq!(&scale % &points, BigInt::from(0));
    let records = BigRational::from(BigInt::from(profile.records()));
    prop_assert_eq!(BigRational::from(whole.clone()), largest * &scale * records);
    let (realised, planned) =
        (2f64.sqrt() * double(&scale) / double(&whole), mean.risk().noise_sd());
    prop_assert!((realised - planned).abs() <= 1e-9 * planned, "{realised:e} {planned:e}");
    Ok(())
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn every_sample_threshold_keeps_every_budget(
        profile in profiles(),
        exponent in -12.0..3.0_f64,
    ) {
        let at = |epsilon: f64| SampleThreshold::At(epsilon_of(epsilon));
        for threshold in [
            SampleThreshold::Min,
            SampleThreshold::Mean,
            SampleThreshold::Max,
            SampleThreshold::Optimal,
            at(10f64.powf(exponent)),
            at(1.0),
            at(f64::INFINITY),
        ] {
            let t = threshold_of(&profile, threshold);
            // A threshold so high that nobody would be kept is refused.
            match SampleMean::new(profile.clone(), Bounds::UNIT, threshold) {
                Ok(mean) => sampled_sum(&profile, &mean, t, true)?,
                Err(refused) => {
                    let budgets = profile.levels().iter().map(|level| level.epsilon.get());
                    let most = budgets.fold(0.0, f64::max);
                    prop_assert!(matches!(threshold, SampleThreshold::At(_)), "{threshold:?}");
                    prop_assert!(most.exp_m1() / t.exp_m1() < 2f64.powi(-63), "{}", refused);
                }
            }
        }
    }

    #[test]
    fn every_stretched_mean_spends_every_budget(profile in profiles()) {
        let public = profile.levels().iter().any(|level| level.epsilon.is_public());
        match StretchMean::new(profile.clone(), Bounds::UNIT) {
            Ok(mean) => stretched_sum(&profile, &mean)?,
            Err(refused) => prop_assert!(public && refused.fix().is_some(), "{refused}"),
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
        "1:7",
        "0.0625:3,0.5:4,2:9",
        "1e-12:1,1e12:9000000000000000000",
        // Around the largest threshold of a sample.
        "49.99999:3,50:2,50.00001:5,1:9",
    ] {
        let profile: Profile = text.parse().unwrap();
        let mean =
            SampleMean::new(profile.clone(), Bounds::UNIT, SampleThreshold::Optimal).unwrap();
        let t = threshold_of(&profile, SampleThreshold::Optimal);
        sampled_sum(&profile, &mean, t, true).unwrap_or_else(|error| panic!("{text}: {error}"));
        if let Ok(mean) = StretchMean::new(profile.clone(), Bounds::UNIT) {
            stretched_sum(&profile, &mean).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }
}

/// The exact check tells a probability that is too large by 2^-64 from the largest one allowed.
#[test]
fn the_exponential_check_is_sharp() {
    // Powers of two, so that M = b·t: nothing is left over from rounding the scale.
    let profile: Profile = "0.25:10,0.5:20,1:30,8:4".parse().unwrap();
    let eight = BigRational::from(BigInt::from(8));
    let mechanism = SampledSum::new(&profile, epsilon_of(8.0), 1 << 30);
    for level in &profile.levels()[..3] {
        let digits = mechanism.sampling_probability(level.epsilon).numerator();
        let epsilon = budget(level.epsilon).unwrap();
        assert!(sampling_is_within(digits, &eight, &epsilon));
        assert!(!sampling_is_within(digits + 1, &eight, &epsilon));
    }
    let (low, high) = exponential_minus_one(&BigRational::from(BigInt::from(1)));
    assert!(low < high);
    assert!(
        (ratio(&low) - 1f64.exp_m1()).abs() < 1e-15 && (ratio(&high) - 1f64.exp_m1()).abs() < 1e-15
    );
}

proptest! {
    #![proptest_config(config(40))]

    /// Diffusion: the searches keep τ, and keeping by chance brings it down to everybody's share.
    #[test]
    fn diffusion_keeps_every_share(profile in profiles(), share in 0.01..1.0_f64) {
        let share = Share::new(share).unwrap();
        let plan = DiffusionPlan::new(&profile, share, 0.1).unwrap();
        let tau = exact(plan.diffusion().level().get()).unwrap();
        let stages = certified(&plan.stages()).unwrap();
        prop_assert!(stages <= tau && ratio(&stages) > ratio(&tau) * (1.0 - 1e-14));
        for level in profile.levels() {
            let (probability, loss) =
                (plan.diffusion().sampling_probability(level.epsilon), plan.loss(level.epsilon));
            let loss = certified(&loss).unwrap();
            prop_assert!(loss <= tau);
            let Some(allowed) = budget(level.epsilon) else {
                prop_assert!(probability.is_always());
                continue;
            };
            let allowed = allowed * exact(share.get()).unwrap();
            prop_assert!(loss <= allowed);
            if probability == SamplingProbability::NEVER {
                prop_assert_eq!(loss, BigRational::from(BigInt::from(0)));
            } else if !probability.is_always() {
                prop_assert!(sampling_is_within(probability.numerator(), &tau, &allowed));
                prop_assert!(sampling_is_within(probability.numerator(), &tau, &loss));
            } else {
                prop_assert!(tau <= allowed);
            }
        }
    }

    /// Every published estimator, by what its answers certify.
    #[test]
    fn an_answer_certifies_at_most_what_was_allowed(
        profile in profiles(),
        seed: u64,
        high in 0.0..1.0_f64,
    ) {
        let levels = profile.levels().iter();
        let few = levels.map(|level| suum::Level { count: level.count.min(2000), ..*level });
        let people = people_of(&Profile::new(few).unwrap(), |at| high * (at % 3) as f64);
        for estimator in PublishedEstimator::ALL {
            let bounded =
                matches!(estimator, PublishedEstimator::Sample | PublishedEstimator::Stretch);
            let hides = estimator == PublishedEstimator::GaussianReduction;
            let question = Question {
                bounds: bounded.then_some(Bounds::UNIT),
                threshold: None,
                budgets: hides.then(|| "0.001,inf".parse().unwrap()),
            };
            let mut randomness = Randomness::insecure(seed);
            let Ok(answer) = estimator.mean(&people, &question, &mut randomness) else { continue };
            prop_assert!(!answer.private && !answer.privacy.is_empty());
            for row in &answer.privacy {
                if let (Some(spent), Some(allowed)) = (certified(&row.spent), budget(row.epsilon)) {
                    prop_assert!(spent <= allowed, "{estimator} {}", row.epsilon);
                }
                prop_assert!(row.spent.within(row.epsilon), "{estimator} {}", row.epsilon);
                prop_assert_eq!(row.count.is_none(), hides);
            }
        }
    }
}
