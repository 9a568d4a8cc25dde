//! Nobody loses more than they allowed, decided by a second implementation of exact arithmetic.
//!
//! The integers reach this file as decimal text and the budgets as the bits of a double; everything
//! is recomputed with num-bigint and num-rational. An estimator is covered by being in
//! [`Estimator::ALL`].

use crate::common::exact::{budget, certified, integer};
use crate::common::{TARGETS, config, profiles, request};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use proptest::prelude::*;
use suum_core::{
    Candidate, Choice, Estimator, ExactSum, Level, LevelSums, LevelTable, Loss, Measure, Mechanism,
    Method, Options, Profile, Randomness, Spending, Target, Totals, WeightedPlan,
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
}

impl Wish {
    fn new(categories: Option<usize>, target: Target) -> Self {
        Self { categories, target }
    }

    fn options(self, estimator: Choice) -> Options {
        Options { target: self.target, estimator, ..Options::default() }
    }

    /// The estimators that must be compared: all for the statistic, except stretch where somebody
    /// is public.
    fn compared(self, profile: &Profile) -> impl Iterator<Item = Estimator> + use<> {
        let public = profile.levels().iter().any(|level| level.epsilon.is_public());
        let correlated = self.target == Target::DatasetCorrelated;
        Estimator::ALL.into_iter().filter(move |estimator| {
            estimator.serves(self.categories.is_some())
                && !(public && *estimator == Estimator::Stretch)
                && !(correlated && *estimator == Estimator::Typical)
        })
    }

    /// The estimators that must have a plan: those that are not for study.
    fn estimators(self, profile: &Profile) -> impl Iterator<Item = Estimator> + use<> {
        self.compared(profile).filter(|estimator| !estimator.is_for_study())
    }

    fn plan(self, profile: &Profile, estimator: Estimator) -> WeightedPlan {
        let request = request(self.categories, self.options(Choice::Named(estimator)));
        let plan = request
            .plan(profile.clone())
            .unwrap_or_else(|error| panic!("{profile} {self:?}: {error}"));
        assert_eq!(plan.chosen().estimator, estimator);
        plan
    }

    /// M: by how much one record of weight 1 can move the sums.
    fn sensitivity(self, plan: &WeightedPlan) -> BigInt {
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

/// One weighted sum, or weighted counts whose noise adds up to zero.
struct OneNoise {
    weights: Vec<BigInt>,
    scale: BigInt,
    total: BigInt,
    /// What one record of weight 1 costs, times the scale.
    sensitivity: BigInt,
}

impl OneNoise {
    /// That of the plan, if it has one.
    fn from_plan(plan: &WeightedPlan) -> Option<Self> {
        let sum = |sum: &Totals| Self {
            weights: sum.weights().iter().map(integer).collect(),
            scale: integer(sum.scale()),
            total: integer(sum.total_weight()),
            sensitivity: integer(sum.sensitivity()),
        };
        match plan.mechanism() {
            Mechanism::Totals(totals) => Some(sum(totals)),
            // A record leaves one category and joins another: twice its weight, over a norm that
            // counts for half.
            Mechanism::WeightedCounts(counts) => Some(Self {
                weights: counts.weights().iter().map(integer).collect(),
                scale: integer(counts.scale()),
                total: integer(counts.total_weight()),
                sensitivity: BigInt::from(1),
            }),
            _ => None,
        }
    }

    /// The noise is enough for every level, and not an integer step more than that.
    fn keeps_every_budget(&self, plan: &WeightedPlan) -> Checked {
        let Self { weights, scale, total, sensitivity } = self;
        let (mut tight, mut sum) = (false, zero());
        for (position, level) in plan.setting().profile.levels().iter().enumerate() {
            let weight = &weights[position];
            prop_assert!(*weight >= zero());
            sum += weight * BigInt::from(level.count);
            let moved = BigRational::from(weight * sensitivity);
            let loss = plan.mechanism().loss(position);
            match budget(level.epsilon) {
                Some(epsilon) => {
                    prop_assert!(moved <= &epsilon * scale, "level {}: W·M > b·ε", position);
                    // One step less noise would be too little for this level.
                    tight |= moved > &epsilon * (scale - 1);
                }
                None => {
                    let limited = matches!(loss, Loss::Finite(_));
                    prop_assert_eq!(
                        limited,
                        *scale > zero() || *weight == zero(),
                        "public level {}",
                        position
                    );
                }
            }
            if let Some(certified) = certified(&loss) {
                prop_assert_eq!(certified, if *weight == zero() { moved } else { moved / scale });
            }
        }
        prop_assert!(tight || *scale == zero(), "b is not the least");
        prop_assert_eq!(total, &sum);
        Ok(())
    }
}

/// Noise of its own for every level or record: each scale is enough and the least.
fn own_noise(
    plan: &WeightedPlan,
    scales: impl Iterator<Item = BigInt>,
    sensitivity: &BigInt,
) -> Checked {
    let levels = plan.setting().profile.levels();
    let scales: Vec<BigInt> = scales.collect();
    prop_assert_eq!(scales.len(), levels.len());
    let sensitivity = BigRational::from(sensitivity.clone());
    for (position, (level, scale)) in levels.iter().zip(&scales).enumerate() {
        let loss = plan.mechanism().loss(position);
        match budget(level.epsilon) {
            None => prop_assert!(*scale == zero() && loss == Loss::Unlimited),
            Some(_) if level.epsilon.is_unused() => {
                prop_assert!(*scale == zero() && loss == Loss::ZERO)
            }
            Some(epsilon) => {
                prop_assert!(sensitivity <= &epsilon * scale, "level {}: M > b·ε", position);
                prop_assert!(
                    sensitivity > &epsilon * (scale - 1),
                    "level {}: b is not the least",
                    position
                );
                prop_assert_eq!(certified(&loss), Some(&sensitivity / scale));
            }
        }
    }
    Ok(())
}

/// The integer law of whatever mechanism the plan has.
fn keeps_every_budget(plan: &WeightedPlan, wish: Wish) -> Checked {
    let sensitivity = wish.sensitivity(plan);
    // Counts are taken 2^20 times where no integer weights make the noise fine.
    let fine = &sensitivity * BigInt::from(if wish.categories.is_some() { 1 << 20 } else { 1 });
    for (position, level) in plan.setting().profile.levels().iter().enumerate() {
        let loss = plan.mechanism().loss(position);
        prop_assert!(loss.within(level.epsilon));
        prop_assert!(loss.rounded_up() <= level.epsilon.get());
        if let (Some(spent), Some(epsilon)) = (certified(&loss), budget(level.epsilon)) {
            prop_assert!(spent <= epsilon);
        }
    }
    match plan.mechanism() {
        Mechanism::Totals(_) | Mechanism::WeightedCounts(_) => {
            if let (Mechanism::Totals(totals), true) = (plan.mechanism(), plan.measures_spread()) {
                let spread = integer(totals.scale()) * &sensitivity;
                prop_assert_eq!(totals.scales().nth(1).map(integer), Some(spread));
            }
            let noise = OneNoise::from_plan(plan).unwrap();
            prop_assert!(wish.categories.is_some() || noise.sensitivity == sensitivity);
            noise.keeps_every_budget(plan)
        }
        Mechanism::LevelLaplace(mechanism) => {
            prop_assert_eq!(&BigInt::from(mechanism.sensitivity()), &fine);
            own_noise(plan, mechanism.scales().iter().map(integer), &fine)
        }
        Mechanism::LocalLaplace(mechanism) => {
            own_noise(plan, mechanism.scales().iter().map(integer), &sensitivity)
        }
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
fn keeps_the_noise(plan: &WeightedPlan, wish: Wish) -> Checked {
    let levels = plan.setting().profile.levels();
    let points = if wish.categories.is_some() { 1.0 } else { plan.grid().points() as f64 };
    let (realised, rounding) = match plan.mechanism() {
        Mechanism::Totals(_) | Mechanism::WeightedCounts(_) => {
            let noise = OneNoise::from_plan(plan).unwrap();
            // Of noises that add up to zero that of the largest, from its reference values.
            let shape: f64 = match wish.categories {
                None | Some(2) => 2.0,
                Some(5) => 381.0 / 28.0,
                other => panic!("{other:?}"),
            };
            let step = shape.sqrt() / (points * double(&noise.total));
            (double(&noise.scale) * step, step)
        }
        Mechanism::LevelLaplace(mechanism) if wish.categories.is_none() => {
            let Method::LevelLaplace { level_weights } = &plan.chosen().design.method else {
                panic!("no levels")
            };
            let steps = levels
                .iter()
                .zip(level_weights)
                .map(|(level, level_weight)| level_weight / (level.count as f64 * points));
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

/// The sampling part of the integers against that of the plan, both as standard deviations.
fn keeps_the_sampling(plan: &WeightedPlan) -> Checked {
    let Some(noise) = OneNoise::from_plan(plan) else { return Ok(()) };
    let (setting, n) = (plan.setting(), plan.setting().profile.records() as f64);
    let total = double(&noise.total);
    let (mut norm, mut squared, mut absolute) = (0.0, 0.0, 0.0);
    for (level, weight) in setting.profile.levels().iter().zip(&noise.weights) {
        let weight = double(weight) / total;
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
            keeps_every_budget(&plan, wish)?;
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

/// Sums that the counts make possible.
fn table(plan: &WeightedPlan, share: f64) -> LevelTable {
    let measure = match plan.request().categories() {
        None => Measure::Numbers(plan.request().numbers(*plan.grid())),
        Some(categories) => Measure::Categories(categories.clone()),
    };
    let part = |count: i128| (share * count as f64) as i128;
    let by_level = plan.setting().profile.levels().iter().map(|level| {
        let (count, points) = (i128::from(level.count), i128::from(plan.grid().points()));
        let mut sums = vec![0; measure.sums()];
        match plan.request().categories() {
            // All are at one of the bounds.
            None => {
                sums[0] = part(count) * points;
                sums[1..].fill(count * points * points);
            }
            Some(_) => {
                *sums.last_mut().unwrap() = count - part(count);
                sums[0] = part(count);
            }
        }
        LevelSums {
            label: None,
            epsilon: level.epsilon,
            count: level.count,
            sums: sums.into_iter().map(ExactSum::from_raw).collect(),
            cells: Default::default(),
        }
    });
    LevelTable::new(None, measure.clone(), by_level.collect()).unwrap()
}

/// The certificate of a real release, and whether what it publishes is in range.
fn certificate(plan: WeightedPlan, share: f64, seed: u64) -> (Vec<Spending>, bool) {
    let (table, mut randomness) = (table(&plan, share), Randomness::insecure(seed));
    if plan.request().categories().is_none() {
        let release = plan.release(table, &mut randomness).unwrap();
        let inside = (0.0..=1.0).contains(&release.estimate());
        return (release.privacy, inside);
    }
    let release = plan.release(table, &mut randomness).unwrap();
    let total: f64 = release.estimates.iter().map(|frequency| frequency.estimate).sum();
    let inside =
        release.estimates.iter().all(|frequency| (0.0..=1.0).contains(&frequency.estimate));
    (release.privacy, inside && (total - 1.0).abs() < 1e-9)
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn every_mean_keeps_every_budget(profile in profiles()) {
        every_estimator(&profile, None)?;
    }

    #[test]
    fn all_are_compared_and_what_is_for_study_is_never_planned(profile in profiles()) {
        for target in TARGETS {
            for categories in [None, Some(3)] {
                let wish = Wish::new(categories, target);
                let plan =
                    request(categories, wish.options(Choice::Auto)).plan(profile.clone()).unwrap();
                let public = profile.levels().iter().any(|level| level.epsilon.is_public());
                let correlated = target == Target::DatasetCorrelated;
                let needless = |estimator: &Estimator| match estimator {
                    Estimator::Typical => correlated,
                    Estimator::Stretch => public,
                    _ => false,
                };
                let needless: Vec<_> = Estimator::ALL
                    .into_iter()
                    .filter(|one| one.serves(categories.is_some()) && needless(one))
                    .collect();
                let out: Vec<Estimator> =
                    plan.excluded().iter().map(|excluded| excluded.estimator).collect();
                prop_assert!(plan.excluded().iter().all(|excluded| !excluded.reason.is_empty()));
                let listed: Vec<Estimator> =
                    plan.candidates().iter().map(|c| c.estimator).collect();
                prop_assert_eq!(listed, wish.compared(&profile).collect::<Vec<_>>());
                prop_assert!(!plan.chosen().estimator.is_for_study());
                prop_assert_eq!(out, needless);
            }
        }
    }

    /// What is chosen without a look at the others is what a look at all of them chooses, to the
    /// last digit; and a plan is the same whether they were asked for or not.
    #[test]
    fn what_is_chosen_is_the_best_of_all_or_that_of_the_name(
        profile in profiles(),
        variance in prop::sample::select(vec![None, Some(0.25), Some(0.01)]),
    ) {
        for target in TARGETS {
            for categories in [None, Some(2), Some(3), Some(40)] {
                let wish = Wish::new(categories, target);
                let is_mean = categories.is_none() && target != Target::DatasetCorrelated;
                let options = |choice| Options {
                    variance: variance.filter(|_| is_mean),
                    ..wish.options(choice)
                };
                let plan =
                    |choice| request(categories, options(choice)).plan(profile.clone()).unwrap();
                let auto = plan(Choice::Auto);
                let unasked = auto.clone();
                let all = auto.candidates();
                let mut best = None::<&Candidate>;
                for one in all.iter().filter(|one| !one.estimator.is_for_study()) {
                    let risk = one.risk.total();
                    if best.is_none_or(|best| risk < best.risk.total() * (1.0 - 1e-12)) {
                        best = Some(one);
                    }
                }
                match is_mean && variance.is_none() {
                    true => prop_assert_eq!(auto.chosen().estimator, Estimator::Typical),
                    false => prop_assert_eq!(Some(auto.chosen()), best),
                }
                for one in all.iter().filter(|one| !one.estimator.is_for_study()) {
                    let named = plan(Choice::Named(one.estimator));
                    prop_assert_eq!(named.chosen(), one);
                    prop_assert_eq!(named.candidates(), all);
                }
                prop_assert_eq!(unasked, auto);
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
                    let share = |line: &Spending| line.count.unwrap() as f64 * line.weight.unwrap();
                    let total: f64 = privacy.iter().map(share).sum();
                    prop_assert!((total - 1.0).abs() < 1e-12);
                    prop_assert_eq!(
                        privacy.iter().filter_map(|line| line.weight).collect::<Vec<_>>(),
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
        // Around the largest threshold that a sample is compared at.
        "49.99999:3,50:2,50.00001:5,1:9",
    ] {
        let profile: Profile = text.parse().unwrap();
        for target in TARGETS {
            for categories in STATISTICS {
                let wish = Wish::new(categories, target);
                for estimator in wish.estimators(&profile) {
                    let place = format!("{text} {target:?} {categories:?} {estimator}");
                    keeps_every_budget(&wish.plan(&profile, estimator), wish)
                        .unwrap_or_else(|error| unreachable!("{place}: {error}"));
                }
            }
        }
    }
}
