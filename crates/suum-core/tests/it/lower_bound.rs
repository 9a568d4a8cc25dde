//! The lower bounds against minimax risks by linear programming, the exact risks of all estimators,
//! and a second computation.

use crate::common::{TARGETS, config, profiles};
use proptest::prelude::*;
use serde::Deserialize;
use suum_core::{
    Bounds, Categories, Epsilon, Estimator, Level, Neighbors, Options, Profile, Request, Setting,
    Shrinkage, Target, lower_bound,
};

fn setting(profile: &str, target: Target) -> Setting {
    Setting::new(profile.parse().unwrap(), Bounds::UNIT, target)
}

/// The bound; 0 where there is none.
fn bound(setting: &Setting) -> f64 {
    lower_bound(setting, Neighbors::ReplaceOne).unwrap_or(0.0)
}

/// The risk of `affine` over the bound.
fn gap(profile: &str, target: Target) -> f64 {
    let setting = setting(profile, target);
    Estimator::Affine.design(&setting).unwrap().risk(&setting).total() / bound(&setting)
}

/// The least worst-case risk for few records, by `data/minimax.py`.
#[derive(Deserialize)]
struct Minimax {
    profile: String,
    target: String,
    variance: f64,
    minimax: f64,
}

impl Minimax {
    fn all() -> Vec<Self> {
        serde_json::from_str(include_str!("data/minimax.json")).unwrap()
    }

    fn setting(&self) -> Setting {
        let setting = setting(&self.profile, self.target.parse().unwrap());
        Setting { variance: self.variance, ..setting }
    }
}

#[test]
fn never_above_the_minimax_risk_of_few_records() {
    let mut largest = [0.0f64; 2];
    for row in Minimax::all() {
        let (case, bound) = (format!("{} {}", row.profile, row.target), bound(&row.setting()));
        // Six digits are kept of what the programs found.
        assert!(bound <= row.minimax * (1.0 + 1e-5) + 1e-12, "{case}: {bound} {}", row.minimax);
        let whole = row.variance == 0.25;
        match row.setting().target {
            Target::Population if whole => largest[0] = largest[0].max(row.minimax / bound),
            Target::DatasetCorrelated if bound > 0.0 => {
                largest[1] = largest[1].max(row.minimax / bound)
            }
            _ => {}
        }
    }
    assert!(largest[0] < 2.5, "the bound of some population is loose: {}", largest[0]);
}

/// A second computation for the target `population` and any distribution, with probabilities in
/// place of θ, hyperbolic sines in place of 1/(e^ε − 1), and means over the prior by summing up.
struct Reference {
    /// What one record's share of the information is multiplied by; 1, or wrong.
    let_through: f64,
    /// What the prior's information is multiplied by; 1, or wrong.
    prior: f64,
}

impl Reference {
    const RIGHT: Self = Self { let_through: 1.0, prior: 1.0 };

    fn bound(&self, profile: &Profile) -> f64 {
        // Half-widths of the range of probabilities.
        let widths = (1..30).flat_map(|i| {
            let part = f64::from(i) / 30.0;
            [0.5 * part, 0.5 * part.powi(6), 0.5 * (1.0 - 0.001 * part)]
        });
        let usable: u64 = profile.usable().iter().map(|level| level.count).sum();
        let without_privacy = 0.25 / (1.0 + (usable as f64).sqrt()).powi(2);
        widths.map(|width| self.at(profile, width)).fold(without_privacy, f64::max)
    }

    fn at(&self, profile: &Profile, width: f64) -> f64 {
        let steps = 100;
        let half_step = std::f64::consts::PI / f64::from(2 * steps);
        let mean = |uniform: bool, of: &dyn Fn(f64) -> f64| -> f64 {
            let (sum, weights) = (0..steps).fold((0.0, 0.0), |(sum, weights), i| {
                let x = (2.0 * f64::from(i) + 1.0) / f64::from(steps) - 1.0;
                let weight =
                    if uniform { 1.0 } else { (x * half_step * f64::from(steps)).cos().powi(2) };
                let p = 0.5 + width * x;
                (sum + weight * of(p * (1.0 - p)), weights + weight)
            });
            sum / weights
        };
        let information = |uniform: bool| {
            let public = mean(uniform, &|v| 1.0 / v);
            let (mut sum, mut rest) = (0.0f64, profile.records() as f64);
            let mut least = public * rest;
            for level in profile.levels() {
                let sinh = f64::sinh(level.epsilon.get().min(600.0) / 2.0);
                let hidden = if sinh == 0.0 { f64::INFINITY } else { 0.25 / sinh / sinh };
                let root = self.let_through * mean(uniform, &|v| 1.0 / (v + hidden)).sqrt();
                // Hundredths of a level.
                for _ in 0..100 {
                    let part = level.count as f64 / 100.0;
                    sum += part * root;
                    rest -= part;
                    least = least.min(sum * sum + public * rest.max(0.0));
                }
            }
            least
        };
        let of_prior = self.prior * (std::f64::consts::PI / width).powi(2);
        let cosine = 1.0 / (information(false) + of_prior);
        let uniform = 1.0 / (information(true).sqrt() + self.prior / width).powi(2);
        cosine.max(uniform)
    }
}

/// Of all sizes: where noise rules, where sampling rules, and where both matter.
const SIZES: [&str; 14] = [
    "0.01:1000",
    "0.1:1000",
    "1:1000",
    "0.03:1000",
    "0.3:60",
    "3:20",
    "0.5:10",
    "0.001:10000,inf:12",
    "0.001:100000,1:100",
    "0.01:6835,0.1:8767,1:4028,inf:560",
    "1e-6:1000000,0.2:3000",
    "0:500,0.02:800",
    "0.001:1000000000",
    "0.1:100,0.2:100,0.4:100,0.8:100,1.6:100,3.2:100",
];

/// A second computation of the bound where noise rules, with noise that is integrated in place of
/// sums over a grid, and few priors.
struct NoiseReference {
    /// Factor of the distance between two probabilities, or two numbers of ones; 1, or wrong.
    distance: f64,
}

/// Likelihoods and targets of states on a line, whose places ascend.
struct States {
    places: Vec<f64>,
    weights: Vec<f64>,
    targets: Vec<f64>,
}

impl States {
    /// Bayes error of Laplace noise of scale 1, by Simpson's rule between two places, and beyond
    /// the ends at once.
    fn error(&self) -> f64 {
        const PARTS: usize = 4;
        let left = |y: f64| {
            let mut sums = [0.0; 3];
            for ((place, weight), target) in
                self.places.iter().zip(&self.weights).zip(&self.targets)
            {
                let density = weight * (-(y - place).abs()).exp() / 2.0;
                sums[0] += density;
                sums[1] += density * target;
                sums[2] += density * target * target;
            }
            if sums[0] > 0.0 { (sums[2] - sums[1] * sums[1] / sums[0]).max(0.0) } else { 0.0 }
        };
        let (first, last) = (self.places[0], self.places[self.places.len() - 1]);
        let between = self.places.windows(2).map(|pair| {
            let step = (pair[1] - pair[0]) / PARTS as f64;
            let at = |part: usize| left(pair[0] + step * part as f64);
            (0..PARTS / 2)
                .map(|two| step / 3.0 * (at(2 * two) + 4.0 * at(2 * two + 1) + at(2 * two + 2)))
                .sum::<f64>()
        });
        // All densities fall alike beyond the ends.
        left(first) + between.sum::<f64>() + left(last)
    }
}

/// ln P(k of n) for a probability p.
fn ln_binomial(k: u64, n: u64, p: f64) -> f64 {
    let factorial = |n: u64| libm::lgamma(n as f64 + 1.0);
    let of = |times: u64, p: f64| if times == 0 { 0.0 } else { times as f64 * p.ln() };
    factorial(n) - factorial(k) - factorial(n - k) + of(k, p) + of(n - k, 1.0 - p)
}

impl NoiseReference {
    const RIGHT: Self = Self { distance: 1.0 };

    /// Points and probabilities of a prior: two ends, and cos² between.
    fn prior(half_width: f64, ends: f64, empty: f64) -> Vec<(f64, f64)> {
        let points = 90;
        let place = |i: usize| i as f64 / points as f64;
        let inside = |x: f64| x >= empty && x <= 1.0 - empty;
        let density = |x: f64| if inside(x) { (2.5 * (x - 0.5)).cos().powi(2) } else { 0.0 };
        let sum: f64 = (0..=points).map(|i| density(place(i))).sum();
        let of = |i: usize| {
            let x = place(i);
            let end = if i == 0 || i == points { ends } else { 0.0 };
            (0.5 + half_width * (2.0 * x - 1.0), end + (1.0 - 2.0 * ends) * density(x) / sum)
        };
        (0..=points).map(of).collect()
    }

    /// The most of some priors, for profiles of one level, and of one with few others given away.
    fn bound(&self, profile: &Profile) -> f64 {
        let usable = profile.usable();
        let [strict, others @ ..] = usable else { return 0.0 };
        let given: u64 = others.iter().map(|level| level.count).sum();
        let (epsilon, records) = (strict.epsilon.get(), strict.count);
        if given > 100 || epsilon == 0.0 || records as f64 * epsilon < 5.0 {
            return 0.0;
        }
        let mut best: f64 = 0.0;
        for (ends, empty) in [(0.25, 0.24), (0.12, 0.14), (0.03, 0.07), (0.01, 0.03)] {
            for half_width in [0.5, 0.35, 0.25] {
                let prior = Self::prior(half_width, ends, empty);
                let by_probability = self.by_probability(&prior, epsilon, records, given);
                best = best.max(by_probability);
                if given == 0 && records <= 1000 {
                    best = best.max(self.by_number(&prior, epsilon, records));
                }
            }
        }
        best
    }

    fn by_probability(&self, prior: &[(f64, f64)], epsilon: f64, n: u64, given: u64) -> f64 {
        let odds = epsilon.exp_m1();
        // ∫ κ by the trapezoidal rule: its steps are small.
        let rate = |theta: f64| odds / (1.0 + theta.min(1.0 - theta) * odds);
        let mut places = vec![0.0];
        for pair in prior.windows(2) {
            let (one, next) = (pair[0].0, pair[1].0);
            let middle = (rate(one) + 4.0 * rate((one + next) / 2.0) + rate(next)) / 6.0;
            places
                .push(places[places.len() - 1] + self.distance * n as f64 * middle * (next - one));
        }
        let of_outcome = |ones: u64| {
            let likely = |(theta, weight): &(f64, f64)| match given {
                0 => *weight,
                _ if *theta <= 0.0 => {
                    if ones == 0 {
                        *weight
                    } else {
                        0.0
                    }
                }
                _ if *theta >= 1.0 => {
                    if ones == given {
                        *weight
                    } else {
                        0.0
                    }
                }
                _ => weight * ln_binomial(ones, given, *theta).exp(),
            };
            States {
                places: places.clone(),
                weights: prior.iter().map(likely).collect(),
                targets: prior.iter().map(|(theta, _)| theta - 0.5).collect(),
            }
        };
        (0..=given).map(|ones| of_outcome(ones).error()).sum()
    }

    fn by_number(&self, prior: &[(f64, f64)], epsilon: f64, n: u64) -> f64 {
        let step = self.distance * 2.0 * ((1.0 + epsilon.exp()) / 2.0).ln();
        let (mut states, mut sampling) =
            (States { places: vec![], weights: vec![], targets: vec![] }, 0.0);
        for ones in 0..=n {
            let mut sums = [0.0; 3];
            for (theta, weight) in prior {
                let theta = theta.clamp(1e-12, 1.0 - 1e-12);
                let joint = weight * ln_binomial(ones, n, theta).exp();
                let target = theta - 0.5;
                sums[0] += joint;
                sums[1] += joint * target;
                sums[2] += joint * target * target;
            }
            if sums[0] > 1e-15 {
                sampling += sums[2] - sums[1] * sums[1] / sums[0];
                states.places.push(ones as f64 * step);
                states.weights.push(sums[0]);
                states.targets.push(sums[1] / sums[0]);
            }
        }
        sampling + states.error()
    }
}

/// Whether these bounds are those of the second computation, which knows the means over the prior
/// exactly and tries fewer families.
fn agree(ours: f64, reference: f64) -> bool {
    (0.96..=1.02).contains(&(ours / reference))
}

#[test]
fn agrees_with_a_second_computation() {
    for profile in SIZES {
        let setting = setting(profile, Target::Population);
        let reference = Reference::RIGHT.bound(&setting.profile);
        let reference = reference.max(NoiseReference::RIGHT.bound(&setting.profile));
        let ours = bound(&setting);
        assert!(agree(ours, reference), "{profile}: {ours:e} {reference:e}");
    }
}

/// The tests above notice a bound that is slightly wrong.
#[test]
fn slightly_wrong_bounds_are_noticed() {
    // A tenth less of what budgets let through, where noise rules.
    let leaky = Reference { let_through: 0.9, ..Reference::RIGHT };
    for profile in ["0.01:1000", "0.03:1000", "0.001:10000,inf:12"] {
        let profile: Profile = profile.parse().unwrap();
        assert!(!agree(leaky.bound(&profile), Reference::RIGHT.bound(&profile)), "{profile}");
    }
    let far = NoiseReference { distance: 1.1 };
    for profile in ["0.01:1000", "0.03:1000", "0.001:10000,inf:12"] {
        let profile: Profile = profile.parse().unwrap();
        let [wrong, right] = [&far, &NoiseReference::RIGHT].map(|all| all.bound(&profile));
        assert!(!agree(wrong, right) && wrong < right, "{profile}");
    }
    // A prior that tells nothing.
    let forgotten = Reference { prior: 0.0, ..Reference::RIGHT };
    let population = |row: &Minimax| row.target == "population" && row.variance == 0.25;
    let rows: Vec<Minimax> = Minimax::all().into_iter().filter(population).collect();
    let above = |reference: &Reference| {
        let wrong = |row: &&Minimax| reference.bound(&row.setting().profile) > row.minimax * 1.0001;
        rows.iter().filter(wrong).count()
    };
    assert_eq!(above(&Reference::RIGHT), 0);
    assert!(above(&forgotten) > rows.len() / 2);
    // Half of the prior's information, in some.
    assert!(above(&Reference { prior: 0.25, ..Reference::RIGHT }) > 0);
}

/// What plans print of the profiles that people ask about.
#[test]
fn gaps_are_small() {
    let near = |profile: &str, expected: f64| {
        let gap = gap(profile, Target::Population);
        assert!((gap / expected - 1.0).abs() < 0.005, "{profile}: {gap}");
    };
    near("0.01:6835,0.1:8767,1:4028,inf:560", 1.067);
    near("0.1:1000", 1.092);
    near("1:1000", 1.071);
    near("0.01:1000", 1.35);
    near("0.03:1000", 1.1);
    near("0.001:100000,1:100", 1.056);
    near("0.001:10000,inf:12", 1.434);
    near("0.01:100000", 1.024);
    near("0.3:60", 1.417);
    near("0.001:1000000000", 1.007);
}

/// Sampling is at least half of the risk, the error below a tenth of the bounds, and records are a
/// thousand or more.
#[test]
fn gaps_are_small_where_sampling_dominates() {
    let mut tried = 0;
    for records in [1000, 10_000, 100_000, 1_000_000] {
        for epsilon in [0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0] {
            for public in [0, records / 100, records / 10] {
                let profile = match public {
                    0 => format!("{epsilon}:{records}"),
                    public => format!("{epsilon}:{records},inf:{public}"),
                };
                let setting = setting(&profile, Target::Population);
                let risk = Estimator::Affine.design(&setting).unwrap().risk(&setting);
                if risk.sampling < risk.noise || risk.total() > 0.01 {
                    continue;
                }
                tried += 1;
                let gap = risk.total() / bound(&setting);
                assert!((1.0..=1.9).contains(&gap), "{profile}: {gap}");
            }
        }
    }
    assert!(tried > 40, "{tried}");
}

/// Budgets that add up to 5 or more.
#[test]
fn gaps_are_at_most_6_on_many_profiles() {
    for profile in SIZES {
        let gap = gap(profile, Target::Population);
        assert!((1.0..=2.6).contains(&gap), "{profile}: {gap}");
    }
    for profile in
        ["0.01:1000", "0.03:1000", "0.1:1000", "0.001:10000,inf:12", "0.001:100000,1:100"]
    {
        for target in [Target::Dataset, Target::DatasetCorrelated] {
            let gap = gap(profile, target);
            assert!((1.0..=6.0).contains(&gap), "{profile} {target:?}: {gap}");
        }
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn never_above_the_risk_of_any_estimator(
        profile in profiles(),
        variance in prop::option::of(1e-6..0.25_f64),
        categories in prop::option::of(2usize..20),
    ) {
        for target in TARGETS {
            let mut setting = match categories {
                Some(categories) => Setting::frequency(profile.clone(), categories, target),
                None => Setting::new(profile.clone(), Bounds::UNIT, target),
            };
            if let Some(variance) = variance
                && categories.is_none()
                && target != Target::DatasetCorrelated
            {
                setting.variance = variance;
            }
            let bound = bound(&setting);
            prop_assert!(bound.is_finite());
            for estimator in Estimator::ALL {
                if !estimator.serves(categories.is_some()) {
                    continue;
                }
                let Ok(design) = estimator.design(&setting) else { continue };
                let risk = design.risk(&setting).total();
                prop_assert!(bound <= risk, "{profile} {estimator}: {bound:e} {risk:e}");
                if estimator != Estimator::Stretch && categories.is_none() {
                    let shrunk = Shrinkage::optimal(&setting, &design).risk;
                    prop_assert!(bound <= shrunk, "{profile} {estimator}: {bound:e} {shrunk:e}");
                }
            }
        }
    }

    #[test]
    fn less_where_a_change_of_value_costs_twice_epsilon(profile in profiles()) {
        for target in TARGETS {
            let setting = Setting::new(profile.clone(), Bounds::UNIT, target);
            let [replace, both, add_remove] =
                [Neighbors::ReplaceOne, Neighbors::Both, Neighbors::AddRemove]
                    .map(|neighbors| lower_bound(&setting, neighbors).unwrap_or(0.0));
            prop_assert_eq!(replace, both);
            prop_assert!(add_remove <= replace * (1.0 + 1e-6), "{add_remove:e} {replace:e}");
            let twice = |level: &Level| Level {
                epsilon: Epsilon::new(2.0 * level.epsilon.get()).unwrap(),
                ..*level
            };
            let doubled = Profile::new(profile.levels().iter().map(twice)).unwrap();
            prop_assert_eq!(add_remove, bound(&Setting { profile: doubled, ..setting }));
        }
    }

    /// Estimators can ignore people, and budgets.
    #[test]
    fn never_above_with_more_budget_or_more_people(
        profile in profiles(), which in 0usize..8, factor in 1.0..10.0_f64, more in 0..30u64,
    ) {
        let mut levels = profile.levels().to_vec();
        let which = which % levels.len();
        let epsilon = (levels[which].epsilon.get() * factor).min(1e100);
        let public = levels[which].epsilon.is_public();
        levels[which].epsilon =
            if public { Epsilon::PUBLIC } else { Epsilon::new(epsilon).unwrap() };
        levels[which].count += more;
        let population = |profile| Setting::new(profile, Bounds::UNIT, Target::Population);
        let (before, after) =
            (bound(&population(profile)), bound(&population(Profile::new(levels).unwrap())));
        prop_assert!(after <= before * (1.0 + 1e-4), "{after:e} {before:e}");
    }
}

/// A plan that hides who takes part has the bound for a change of value that costs 2ε, or ε with
/// `both`; of frequencies no gap, since what is expected is not their worst case.
#[test]
fn plans_that_hide_who_takes_part_have_bounds() {
    let assumed: Profile = "0.01:5000,0.1:4000,1:1000".parse().unwrap();
    for (neighbors, factor) in [(Neighbors::AddRemove, 2.0), (Neighbors::Both, 1.0)] {
        let options = Options { neighbors, ..Options::add_remove() };
        let budgets = || "0.01,1".parse().unwrap();
        let mean = Request::mean(options.clone()).add_remove(Bounds::UNIT, budgets()).unwrap();
        let plan = mean.expected(assumed.clone()).unwrap();
        let levels = assumed.levels().iter().map(|level| Level {
            epsilon: Epsilon::new(factor * level.epsilon.get()).unwrap(),
            ..*level
        });
        let changed = Profile::new(levels).unwrap();
        let expected = bound(&Setting::new(changed, Bounds::UNIT, Target::Population));
        assert_eq!(plan.lower_bound(), Some(expected));
        let risk = plan.chosen().error.rmse.powi(2);
        let gap = plan.gap().unwrap();
        assert!((gap * expected / risk - 1.0).abs() < 1e-12 && (1.0..20.0).contains(&gap), "{gap}");

        let categories = Categories::new(["a", "b", "c"].map(String::from).to_vec()).unwrap();
        let shares = Request::frequency(categories, options.clone())
            .add_remove(Bounds::UNIT, budgets())
            .unwrap();
        let plan = shares.expected(assumed.clone()).unwrap();
        assert!((plan.lower_bound().unwrap() / expected - 1.0).abs() < 1e-12);
        assert_eq!(plan.gap(), None);
        let count = Request::count(options).add_remove(Bounds::UNIT, budgets()).unwrap();
        assert_eq!(count.expected(assumed.clone()).unwrap().lower_bound(), None);
    }
}

/// Where budgets or counts are as small or as large as can be.
#[test]
fn is_a_number_at_the_ends_of_what_can_be() {
    for profile in [
        "1e-100:1",
        "1e100:1",
        "0:3",
        "inf:9223372036854775808",
        "1e-100:9223372036854775807,inf:1",
        "1e-12:1000000,1e12:1",
        "700:3,720:3,1e100:2,inf:1",
        "0:1,1e-30:4611686018427387904,1:4611686018427387903",
    ] {
        for target in TARGETS {
            let bound = lower_bound(&setting(profile, target), Neighbors::AddRemove);
            assert!(bound.is_none_or(|bound| bound > 0.0 && bound <= 0.25), "{profile} {bound:?}");
            assert!(bound.is_some() || target != Target::Population, "{profile}");
        }
    }
    // Nothing is claimed of the mean of public records.
    for target in [Target::Dataset, Target::DatasetCorrelated] {
        assert_eq!(lower_bound(&setting("inf:7", target), Neighbors::ReplaceOne), None);
    }
}

/// Ten thousand levels are searched on a selection of them.
#[test]
fn many_levels_are_as_good_as_few() {
    let levels = |many: u32, each: u64| {
        let level = |i: u32| {
            let exponent = -4.0 + 5.0 * f64::from(i) / f64::from(many);
            Level { epsilon: Epsilon::new(10f64.powf(exponent)).unwrap(), count: each }
        };
        Profile::new((0..many).map(level)).unwrap()
    };
    for variance in [0.25, 0.01] {
        let of = |profile| {
            let setting = Setting::new(profile, Bounds::UNIT, Target::Population);
            bound(&Setting { variance, ..setting })
        };
        let (many, few) = (of(levels(10_000, 1)), of(levels(200, 50)));
        assert!((many / few - 1.0).abs() < 0.03, "{variance}: {many:e} {few:e}");
    }
}

/// Units of the data: the bound scales with the squared width.
#[test]
fn scales_with_the_bounds() {
    for variance in [0.25, 0.01] {
        let unit = setting("0.1:20,1:20", Target::Population);
        let unit = Setting { variance, ..unit };
        let bounds = Bounds::new(-50.0, 150.0).unwrap();
        let wide = Setting { bounds, variance: variance * 40_000.0, ..unit.clone() };
        assert!((bound(&wide) / bound(&unit) / 40_000.0 - 1.0).abs() < 1e-9);
    }
}
