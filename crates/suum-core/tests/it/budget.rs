//! Nobody loses more than they allowed, decided by a second implementation of exact arithmetic.
//!
//! The integers reach this file as decimal text and the budgets as the bits of a double; everything
//! is recomputed with num-bigint and num-rational. An estimator is covered by being in
//! [`Estimator::ALL`].

use crate::common::exact::{budget, certified, exact, integer};
use crate::common::{TARGETS, config, profiles, request};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;
use suum_core::{
    Choice, Cohort, DiffusionPlan, Epsilon, Estimator, ExactSum, Keep, Level, LevelTable, Loss,
    Measure, Mechanism, Method, Options, Plan, Profile, Randomness, SampleThreshold, Sampled,
    SampledSum, Share, Spending, Target, WeightedSum,
};

/// Means, and frequencies over two and five categories.
const STATISTICS: [Option<usize>; 3] = [None, Some(2), Some(5)];

type Checked = Result<(), TestCaseError>;

/// What is planned besides the profile: the statistic, by its number of categories, and the
/// options.
#[derive(Debug, Clone, Copy)]
struct Wish {
    categories: Option<usize>,
    target: Target,
    threshold: SampleThreshold,
}

impl Wish {
    fn new(categories: Option<usize>, target: Target) -> Self {
        Self { categories, target, threshold: SampleThreshold::Optimal }
    }

    fn options(self, estimator: Choice) -> Options {
        Options {
            target: self.target,
            estimator,
            sample_threshold: self.threshold,
            ..Options::default()
        }
    }

    /// The estimators that must have a plan: all for the statistic, except stretch where somebody
    /// is public.
    fn estimators(self, profile: &Profile) -> impl Iterator<Item = Estimator> + use<> {
        let public = profile.levels().iter().any(|level| level.epsilon.is_public());
        Estimator::ALL.into_iter().filter(move |estimator| {
            estimator.serves(self.categories.is_some())
                && !(public && *estimator == Estimator::Stretch)
        })
    }

    fn plan(self, profile: &Profile, estimator: Estimator) -> Plan {
        let request = request(self.categories, self.options(Choice::Named(estimator)));
        let plan = request
            .plan(profile.clone())
            .unwrap_or_else(|error| panic!("{profile} {self:?}: {error}"));
        assert_eq!(plan.chosen().estimator, estimator);
        plan
    }

    /// M: by how much one record of weight 1 can move the sums.
    fn moves(self, plan: &Plan) -> BigInt {
        BigInt::from(if self.categories.is_some() { 2 } else { plan.grid().points() })
    }
}

fn zero() -> BigInt {
    BigInt::from(0)
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

/// Whether p·(e^t − 1) ≤ e^ε − 1 for sure, with p = `digits`/2^64.
fn sampling_is_within(digits: u128, t: &BigRational, epsilon: &BigRational) -> bool {
    let (_, most) = exponential_minus_one(t);
    let (allowed, _) = exponential_minus_one(epsilon);
    BigInt::from(digits) * most.numer() * allowed.denom() <= (allowed.numer() * most.denom()) << 64
}

/// One weighted sum: the noise is enough for every level, and not an integer step more than that.
fn weighted_sum(plan: &Plan, mechanism: &WeightedSum, moves: &BigInt) -> Checked {
    let scale = integer(mechanism.scale());
    prop_assert_eq!(&BigInt::from(mechanism.moves()), moves);
    let (mut tight, mut total, mut largest) = (false, zero(), zero());
    for (position, level) in plan.setting().profile.levels().iter().enumerate() {
        let weight = integer(&mechanism.weights()[position]);
        prop_assert!(weight >= zero());
        total += &weight * BigInt::from(level.count);
        let moved = BigRational::from(&weight * moves);
        let loss = mechanism.loss(position);
        match budget(level.epsilon) {
            Some(epsilon) => {
                prop_assert!(moved <= &epsilon * &scale, "level {}: W·M > b·ε", position);
                // One step less noise would be too little for this level.
                tight |= moved > &epsilon * (&scale - 1);
            }
            None => {
                let limited = matches!(loss, Loss::Finite(_));
                prop_assert_eq!(
                    limited,
                    scale > zero() || weight == zero(),
                    "public level {}",
                    position
                );
            }
        }
        if let Some(certified) = certified(&loss) {
            prop_assert_eq!(certified, if weight == zero() { moved } else { moved / &scale });
        }
        largest = largest.max(weight);
    }
    prop_assert!(tight || scale == zero(), "b is not the least");
    if plan.chosen().estimator == Estimator::Stretch {
        // Everybody counts as much as the most public person, whose value is not shrunk.
        total = largest * BigInt::from(plan.setting().profile.records());
    }
    prop_assert_eq!(integer(mechanism.total_weight()), total);
    Ok(())
}

/// Noise of its own for every level or record: each scale is enough and the least.
fn own_noise(plan: &Plan, scales: impl Iterator<Item = BigInt>, moves: &BigInt) -> Checked {
    let levels = plan.setting().profile.levels();
    let scales: Vec<BigInt> = scales.collect();
    prop_assert_eq!(scales.len(), levels.len());
    let moves = BigRational::from(moves.clone());
    for (position, (level, scale)) in levels.iter().zip(&scales).enumerate() {
        let loss = plan.mechanism().loss(position);
        match budget(level.epsilon) {
            None => prop_assert!(*scale == zero() && loss == Loss::Unlimited),
            Some(_) if level.epsilon.is_unused() => {
                prop_assert!(*scale == zero() && loss == Loss::ZERO)
            }
            Some(epsilon) => {
                prop_assert!(moves <= &epsilon * scale, "level {}: M > b·ε", position);
                prop_assert!(
                    moves > &epsilon * (scale - 1),
                    "level {}: b is not the least",
                    position
                );
                prop_assert_eq!(certified(&loss), Some(&moves / scale));
            }
        }
    }
    Ok(())
}

/// A random sample: the noise keeps the threshold, and the sampling brings it down to every budget.
fn sampled_sum(plan: &Plan, mechanism: &SampledSum, moves: &BigInt, exactly: bool) -> Checked {
    let Method::Sample { threshold, .. } = &plan.chosen().design.method else {
        panic!("no sample")
    };
    // Centred values are 2g − G, or 2^20·(k·e − 1).
    let moves = moves * BigInt::from(plan.setting().categories.unwrap_or(2));
    prop_assert_eq!(&integer(mechanism.moves()), &moves);
    let scale = integer(mechanism.scale());
    let spent = match exact(*threshold) {
        Some(threshold) => {
            let moves = BigRational::from(moves);
            prop_assert!(moves <= &threshold * &scale, "M > b·t");
            prop_assert!(moves > &threshold * (&scale - 1), "b is not the least");
            Some(moves / &scale)
        }
        None => {
            prop_assert_eq!(&scale, &zero());
            None
        }
    };
    let mut expected = zero();
    for (position, level) in plan.setting().profile.levels().iter().enumerate() {
        let (keep, loss) = (mechanism.keep(level.epsilon), mechanism.loss(position));
        let digits = keep.numerator();
        expected += BigInt::from(digits) * BigInt::from(level.count);
        let p = digits as f64 / 2f64.powi(64);
        match (budget(level.epsilon), &spent) {
            (_, _) if keep == Keep::NEVER => prop_assert_eq!(&loss, &Loss::ZERO),
            (epsilon, _) if keep.is_always() => {
                prop_assert!(
                    epsilon.zip(spent.clone()).is_none_or(|(epsilon, spent)| spent <= epsilon)
                );
                prop_assert_eq!(certified(&loss), spent.clone());
            }
            (Some(epsilon), Some(spent)) => {
                prop_assert_eq!(certified(&loss), Some(epsilon.clone()));
                let (now, allowed) = (ratio(spent).exp_m1(), ratio(&epsilon).exp_m1());
                prop_assert!(p * now <= allowed * (1.0 + 1e-12), "level {}: {:e}", position, p);
                if exactly {
                    prop_assert!(
                        sampling_is_within(digits, spent, &epsilon),
                        "level {}: {:e}",
                        position,
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
    prop_assert_eq!(integer(mechanism.expected()), expected);
    Ok(())
}

/// The integer law of whatever mechanism the plan has; `exactly` decides exponentials in rational
/// arithmetic too.
fn keeps_every_budget(plan: &Plan, wish: Wish, exactly: bool) -> Checked {
    let moves = wish.moves(plan);
    // Counts are taken 2^20 times where no integer weights make the noise fine.
    let fine = &moves * BigInt::from(if wish.categories.is_some() { 1 << 20 } else { 1 });
    for (position, level) in plan.setting().profile.levels().iter().enumerate() {
        let loss = plan.mechanism().loss(position);
        prop_assert!(loss.within(level.epsilon));
        prop_assert!(loss.rounded_up() <= level.epsilon.get());
        if let (Some(spent), Some(epsilon)) = (certified(&loss), budget(level.epsilon)) {
            prop_assert!(spent <= epsilon);
        }
    }
    match plan.mechanism() {
        Mechanism::WeightedSum(mechanism) => weighted_sum(plan, mechanism, &moves),
        Mechanism::LevelSums(mechanism) => {
            prop_assert_eq!(&BigInt::from(mechanism.moves()), &fine);
            own_noise(plan, mechanism.scales().iter().map(integer), &fine)
        }
        Mechanism::LocalLaplace(mechanism) => {
            own_noise(plan, mechanism.scales().iter().map(integer), &moves)
        }
        Mechanism::SampledSum(mechanism) => sampled_sum(plan, mechanism, &fine, exactly),
        Mechanism::Rappor(mechanism) => {
            for (position, level) in plan.setting().profile.levels().iter().enumerate() {
                prop_assert_eq!(certified(&mechanism.loss(position)), budget(level.epsilon));
            }
            Ok(())
        }
    }
}

/// The noise of the integers against that of the plan, both as standard deviations.
///
/// Weights keep 40 binary digits, and scales are rounded up by less than one.
fn keeps_the_noise(plan: &Plan, wish: Wish) -> Checked {
    let levels = plan.setting().profile.levels();
    let points = if wish.categories.is_some() { 1.0 } else { plan.grid().points() as f64 };
    // E max L² over k standard Laplace variables.
    let shape = wish.categories.map_or(2.0, |k| {
        let (first, second) = harmonic(k);
        first * first + second
    });
    let (realised, rounding) = match plan.mechanism() {
        Mechanism::WeightedSum(mechanism) => {
            let total = double(&integer(mechanism.total_weight()));
            let step = shape.sqrt() / (points * total);
            (double(&integer(mechanism.scale())) * step, step)
        }
        Mechanism::SampledSum(mechanism) if wish.categories.is_none() => {
            let step = 2f64.sqrt()
                / (2.0 * points * double(&integer(mechanism.expected())) / 2f64.powi(64));
            (double(&integer(mechanism.scale())) * step, step)
        }
        Mechanism::LevelSums(mechanism) if wish.categories.is_none() => {
            let Method::LevelSums { betas } = &plan.chosen().design.method else {
                panic!("no levels")
            };
            let steps =
                levels.iter().zip(betas).map(|(level, beta)| beta / (level.count as f64 * points));
            independent(steps, mechanism.scales().iter().map(integer))
        }
        Mechanism::LocalLaplace(mechanism) => {
            let weights = plan.chosen().design.weights.per_level();
            let steps = levels
                .iter()
                .zip(weights)
                .map(|(level, w)| w * (level.count as f64).sqrt() / points);
            independent(steps, mechanism.scales().iter().map(integer))
        }
        _ => return Ok(()),
    };
    let planned = plan.chosen().risk.noise_sd();
    let error = (realised - planned).abs();
    prop_assert!(error <= 4e-10 * planned + rounding, "{:e} {:e}", realised, planned);
    Ok(())
}

/// The root of Σ 2(step·scale)², and by how much one unit of every scale changes it at most.
fn independent(
    steps: impl Iterator<Item = f64>,
    scales: impl Iterator<Item = BigInt>,
) -> (f64, f64) {
    let (mut variance, mut rounding) = (0.0, 0.0);
    for (step, scale) in steps.zip(scales) {
        variance += 2.0 * (step * double(&scale)).powi(2);
        rounding += 2f64.sqrt() * step;
    }
    (variance.sqrt(), rounding)
}

/// H_k and Σ 1/j².
fn harmonic(k: usize) -> (f64, f64) {
    (1..=k)
        .map(|j| 1.0 / j as f64)
        .fold((0.0, 0.0), |(first, second), x| (first + x, second + x * x))
}

/// The sampling part of the integers against that of the plan, both as standard deviations.
fn keeps_the_sampling(plan: &Plan) -> Checked {
    let Mechanism::WeightedSum(mechanism) = plan.mechanism() else { return Ok(()) };
    if plan.chosen().estimator == Estimator::Stretch {
        return Ok(());
    }
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
    let realised = match setting.target {
        Target::Population => 0.25 * norm,
        Target::Dataset if n > 1.0 => 0.25 * n / (n - 1.0) * squared,
        Target::Dataset => 0.0,
        Target::DatasetCorrelated => 0.25 * absolute * absolute,
    }
    .sqrt();
    let planned = plan.chosen().risk.sampling_sd();
    // Weights keep 40 binary digits, so a distance of nearly equal weights is right to 2^-40 of the
    // range.
    let rounding = if setting.target == Target::Population { 0.0 } else { 2f64.powi(-40) };
    prop_assert!(
        (realised - planned).abs() <= 4e-10 * planned + rounding,
        "{:e} {:e}",
        realised,
        planned
    );
    Ok(())
}

fn every_estimator(profile: &Profile, categories: Option<usize>) -> Checked {
    for target in TARGETS {
        let wish = Wish::new(categories, target);
        for estimator in wish.estimators(profile) {
            let plan = wish.plan(profile, estimator);
            keeps_every_budget(&plan, wish, false)?;
            keeps_the_noise(&plan, wish)?;
            keeps_the_sampling(&plan)?;
        }
    }
    Ok(())
}

/// The same levels with at most `most` people each, for mechanisms that draw noise for every
/// record.
fn smaller(profile: &Profile, most: u64) -> Profile {
    let level = |level: &Level| Level { count: level.count.min(most), ..*level };
    Profile::new(profile.levels().iter().map(level)).unwrap()
}

/// Sums that the counts make possible, over a random sample if `sampled`.
fn table(plan: &Plan, share: f64) -> LevelTable {
    let sampled = matches!(plan.mechanism(), Mechanism::SampledSum(_));
    let measure = match plan.request().categories() {
        None => Measure::Numbers((*plan.grid()).into()),
        Some(categories) => Measure::Categories(categories.clone()),
    };
    let part = |count: i128| (share * count as f64) as i128;
    let cohorts = plan.setting().profile.levels().iter().map(|level| {
        let kept = if sampled { part(level.count.into()) } else { level.count.into() };
        let mut sums = match measure.sums() {
            1 => vec![part(kept) * i128::from(plan.grid().points())],
            k => [vec![0; k - 1], vec![kept - part(kept)]].concat(),
        };
        if measure.sums() > 1 {
            sums[0] = part(kept);
        }
        Cohort {
            label: None,
            epsilon: level.epsilon,
            count: level.count,
            sums: sums.into_iter().map(ExactSum::from_raw).collect(),
            cells: Default::default(),
            kept: sampled.then(|| ExactSum::from_raw(kept)),
        }
    });
    let table = LevelTable::new(None, measure.clone(), cohorts.collect()).unwrap();
    match plan.mechanism() {
        Mechanism::SampledSum(by) => table.with_sample(Sampled { by: by.clone(), private: false }),
        _ => table,
    }
}

/// The certificate of a real release, and whether what it publishes is in range.
fn certificate(plan: Plan, share: f64, seed: u64) -> (Vec<Spending>, bool) {
    let (table, mut randomness) = (table(&plan, share), Randomness::insecure(seed));
    if plan.request().categories().is_none() {
        let release = plan.release(table, &mut randomness).unwrap();
        let inside = (0.0..=1.0).contains(&release.estimate);
        return (release.privacy, inside);
    }
    let release = plan.release_frequencies(table, &mut randomness).unwrap();
    let total: f64 = release.frequencies.iter().map(|frequency| frequency.estimate).sum();
    let inside =
        release.frequencies.iter().all(|frequency| (0.0..=1.0).contains(&frequency.estimate));
    (release.privacy, inside && (total - 1.0).abs() < 1e-9)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn every_mean_keeps_every_budget(profile in profiles()) {
        every_estimator(&profile, None)?;
    }

    #[test]
    fn stretch_alone_is_excluded_and_only_with_public_records(profile in profiles()) {
        for target in TARGETS {
            for categories in [None, Some(3)] {
                let wish = Wish::new(categories, target);
                let plan =
                    request(categories, wish.options(Choice::Auto)).plan(profile.clone()).unwrap();
                let public = profile.levels().iter().any(|level| level.epsilon.is_public());
                let out: Vec<Estimator> =
                    plan.excluded().iter().map(|excluded| excluded.estimator).collect();
                prop_assert!(plan.excluded().iter().all(|excluded| !excluded.reason.is_empty()));
                let listed: Vec<Estimator> =
                    plan.candidates().iter().map(|c| c.estimator).collect();
                prop_assert_eq!(listed, wish.estimators(&profile).collect::<Vec<_>>());
                if public && categories.is_none() {
                    prop_assert_eq!(out, vec![Estimator::Stretch]);
                    let named = wish.options(Choice::Named(Estimator::Stretch));
                    prop_assert!(request(None, named).plan(profile.clone()).is_err());
                } else {
                    prop_assert!(out.is_empty());
                }
            }
        }
    }

    #[test]
    fn every_sample_threshold_keeps_every_budget(
        profile in profiles(),
        exponent in -12.0..3.0_f64,
    ) {
        let at = |epsilon: f64| SampleThreshold::At(Epsilon::new(epsilon).unwrap());
        for threshold in [
            SampleThreshold::Min,
            SampleThreshold::Mean,
            SampleThreshold::Max,
            SampleThreshold::Optimal,
            at(10f64.powf(exponent)),
            at(1.0),
            at(f64::INFINITY),
        ] {
            for categories in STATISTICS {
                let wish = Wish { threshold, ..Wish::new(categories, Target::Population) };
                let named = wish.options(Choice::Named(Estimator::Sample));
                // A threshold so high that nobody would be kept is refused.
                match request(categories, named).plan(profile.clone()) {
                    Ok(plan) => keeps_every_budget(&plan, wish, categories != Some(5))?,
                    Err(refused) => {
                        let most = profile
                            .levels()
                            .iter()
                            .map(|level| level.epsilon.get())
                            .fold(0.0, f64::max);
                        let t = match threshold {
                            SampleThreshold::At(epsilon) => epsilon.get().min(50.0),
                            other => {
                                return Err(TestCaseError::fail(format!(
                                    "{other:?}: \
                                    {refused}"
                                )));
                            }
                        };
                        prop_assert!(most.exp_m1() / t.exp_m1() < 2f64.powi(-63), "{}", refused);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn every_frequency_keeps_every_budget(profile in profiles()) {
        for categories in STATISTICS.into_iter().flatten() {
            every_estimator(&profile, Some(categories))?;
        }
    }

    #[test]
    fn a_release_certifies_what_it_spent(profile in profiles(), seed: u64, share in 0.0..=1.0_f64) {
        for categories in STATISTICS {
            for target in TARGETS {
                let wish = Wish::new(categories, target);
                for estimator in wish.estimators(&profile) {
                    let per_record = estimator == Estimator::Local;
                    let profile = if per_record { smaller(&profile, 20) } else { profile.clone() };
                    let plan = wish.plan(&profile, estimator);
                    let losses: Vec<Loss> = plan.losses().collect();
                    let weights = plan.chosen().design.weights.per_level().to_vec();
                    let (privacy, inside) = certificate(plan, share, seed);
                    prop_assert!(inside);
                    prop_assert_eq!(privacy.len(), losses.len());
                    for (line, loss) in privacy.iter().zip(losses) {
                        prop_assert!(line.spent.within(line.epsilon));
                        prop_assert_eq!(&line.spent, &loss);
                        if let (Some(spent), Some(epsilon)) =
                            (certified(&loss), budget(line.epsilon))
                        {
                            prop_assert!(spent <= epsilon);
                        }
                    }
                    let total: f64 =
                        privacy.iter().map(|line| line.count as f64 * line.weight).sum();
                    if estimator == Estimator::Stretch {
                        prop_assert!(total <= 1.0 + 1e-12);
                    } else {
                        prop_assert!((total - 1.0).abs() < 1e-12);
                    }
                    prop_assert_eq!(
                        privacy.iter().map(|line| line.weight).collect::<Vec<_>>(),
                        weights
                    );
                }
            }
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
        // Around the largest threshold of a sample.
        "49.99999:3,50:2,50.00001:5,1:9",
    ] {
        let profile: Profile = text.parse().unwrap();
        for target in TARGETS {
            for categories in STATISTICS {
                let wish = Wish::new(categories, target);
                for estimator in wish.estimators(&profile) {
                    let place = format!("{text} {target:?} {categories:?} {estimator}");
                    keeps_every_budget(&wish.plan(&profile, estimator), wish, true)
                        .unwrap_or_else(|error| unreachable!("{place}: {error}"));
                }
            }
        }
    }
}

/// The exact check tells a probability that is too large by 2^-64 from the largest one allowed.
#[test]
fn the_exponential_check_is_sharp() {
    // Powers of two, so that M = b·t: nothing is left over from rounding the scale.
    let profile: Profile = "0.25:10,0.5:20,1:30,8:4".parse().unwrap();
    let threshold = SampleThreshold::At(Epsilon::new(8.0).unwrap());
    for categories in [None, Some(4)] {
        let wish = Wish { threshold, ..Wish::new(categories, Target::Population) };
        let plan = wish.plan(&profile, Estimator::Sample);
        let Mechanism::SampledSum(mechanism) = plan.mechanism() else { panic!("no sample") };
        for level in &profile.levels()[..3] {
            let (digits, eight) =
                (mechanism.keep(level.epsilon).numerator(), BigRational::from(BigInt::from(8)));
            let epsilon = budget(level.epsilon).unwrap();
            assert!(sampling_is_within(digits, &eight, &epsilon));
            assert!(!sampling_is_within(digits + 1, &eight, &epsilon));
        }
    }
    let one = BigRational::from(BigInt::from(1));
    let (low, high) = exponential_minus_one(&one);
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
            let (keep, loss) = (plan.diffusion().keep(level.epsilon), plan.loss(level.epsilon));
            let loss = certified(&loss).unwrap();
            prop_assert!(loss <= tau);
            let Some(allowed) = budget(level.epsilon) else {
                prop_assert!(keep.is_always());
                continue;
            };
            let allowed = allowed * exact(share.get()).unwrap();
            prop_assert!(loss <= allowed);
            if keep == Keep::NEVER {
                prop_assert_eq!(loss, BigRational::from(zero()));
            } else if !keep.is_always() {
                prop_assert!(sampling_is_within(keep.numerator(), &tau, &allowed));
                prop_assert!(sampling_is_within(keep.numerator(), &tau, &loss));
            } else {
                prop_assert!(tau <= allowed);
            }
        }
    }
}
