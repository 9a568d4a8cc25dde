//! Against the published estimators, on the settings they were published with (CC24 Table 4).
//!
//! Estimators that are compared see the same data and the same random numbers, so their errors can
//! be compared more finely than each could be measured. The salary and cancer files are replaced by
//! data of the published shape.

use suum::simulation::{Data, Dice, Errors, Simulation};
use suum::{
    Candidate, Categories, Epsilon, Level, Options, PostProcessing, Profile, Target, WeightedPlan,
    WeightedRequest,
};

/// The columns of the table besides the HPF variant of each row.
const COLUMNS: [&str; 5] = ["hpf-a", "proportional", "uniform", "sample", "local"];

/// Budgets and categories of n records, in ascending order of ε as in a profile.
struct Records {
    profile: Profile,
    categories: Vec<usize>,
    k: usize,
}

impl Records {
    fn new(k: usize, mut records: Vec<(f64, usize)>) -> Self {
        records.sort_by(|a, b| a.0.total_cmp(&b.0));
        let level = |(epsilon, _): &(f64, usize)| Level {
            epsilon: Epsilon::new(*epsilon).unwrap(),
            count: 1,
        };
        let profile = Profile::new(records.iter().map(level)).unwrap();
        Self { profile, categories: records.into_iter().map(|(_, category)| category).collect(), k }
    }

    /// log ε uniform on [−5, 5], categories with the given shares, unrelated to ε.
    fn uncorrelated(n: usize, shares: &[f64], seed: u64) -> Self {
        let mut dice = Dice::new(seed, 0);
        let record = |dice: &mut Dice| ((10.0 * dice.uniform() - 5.0).exp(), draw(shares, dice));
        Self::new(shares.len(), (0..n).map(|_| record(&mut dice)).collect())
    }

    /// Salaries in 12 bins, people in the middle less private: log ε ~ −|i − 6.5| + U[−3, 3] for
    /// bin i.
    fn salaries(n: usize, seed: u64) -> Self {
        let shares: Vec<f64> =
            (1..=12).map(|i| (-(f64::from(i) - 4.0).powi(2) / 12.0).exp()).collect();
        let mut dice = Dice::new(seed, 0);
        let record = |dice: &mut Dice| {
            let bin = draw(&shares, dice);
            let centre = -(bin as f64 + 1.0 - 6.5).abs();
            ((centre + 6.0 * dice.uniform() - 3.0).exp(), bin)
        };
        Self::new(12, (0..n).map(|_| record(&mut dice)).collect())
    }

    /// Equal categories, log ε uniform on an interval of width 6 that moves up with the category.
    fn shifted(n: usize, k: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed, 0);
        let record = |dice: &mut Dice| {
            let category = dice.below(k);
            let centre = 4.0 * (category as f64 + 0.5) / k as f64 - 2.0;
            ((centre + 6.0 * dice.uniform() - 3.0).exp(), category)
        };
        Self::new(k, (0..n).map(|_| record(&mut dice)).collect())
    }

    fn plan(&self, target: Target) -> WeightedPlan {
        let names = (0..self.k).map(|category| category.to_string()).collect();
        // Clamped, as published, for all alike.
        let options = Options { target, post: PostProcessing::Clamp, ..Options::default() };
        let request = WeightedRequest::frequency(Categories::new(names).unwrap(), options).unwrap();
        request.plan(self.profile.clone()).unwrap()
    }

    /// The errors of all of them, with the same data and random numbers.
    fn errors(&self, plan: &WeightedPlan, candidates: &[&Candidate], trials: usize) -> Vec<Errors> {
        let data = match plan.setting().target {
            Target::DatasetCorrelated => Data::Fixed(self.categories.clone()),
            _ => Data::Permuted(self.categories.clone()),
        };
        let simulation = Simulation { trials, seed: 2024, released: true };
        let contenders: Vec<_> = candidates.iter().map(|candidate| (plan, *candidate)).collect();
        simulation.frequencies(&contenders, &data).unwrap()
    }
}

/// The estimator of this name, also one for study.
fn named<'a>(plan: &'a WeightedPlan, name: &str) -> &'a Candidate {
    plan.candidates().iter().find(|candidate| candidate.estimator.name() == name).unwrap()
}

fn draw(shares: &[f64], dice: &mut Dice) -> usize {
    let mut rest = dice.uniform() * shares.iter().sum::<f64>();
    shares
        .iter()
        .position(|share| {
            rest -= share;
            rest < 0.0
        })
        .unwrap_or(shares.len() - 1)
}

fn equal(k: usize) -> Vec<f64> {
    vec![1.0; k]
}

/// Mean and standard error of the difference ours² − factor·theirs², trial by trial.
fn paired(ours: &Errors, theirs: &Errors, factor: f64) -> (f64, f64) {
    let pairs = ours.all().iter().zip(theirs.all());
    let differences: Vec<f64> = pairs.map(|(a, b)| a * a - factor * b * b).collect();
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// The mean squared largest error against that of HPF-A, the best published variant here: at most
/// 0.75 of it for 5 categories, 0.9 for 20.
///
/// Passes if the difference is below zero by three standard errors: false alarm 1.3e-3 at the
/// boundary. No clip level does much better: for 20 categories the best in hindsight reaches 0.77
/// to 0.87, depending on their shares.
#[test]
#[ignore = "takes seconds"]
fn auto_beats_hpf_a() {
    for (k, shares, factor) in [
        (5, equal(5), 0.75),
        (5, (0..5).map(|i| 0.8f64.powi(i)).collect(), 0.75),
        (20, equal(20), 0.9),
        (20, (0..20).map(|i| 0.8f64.powi(i)).collect(), 0.9),
    ] {
        let records = Records::uncorrelated(10_000, &shares, 7);
        let plan = records.plan(Target::Dataset);
        let errors = records.errors(&plan, &[plan.chosen(), named(&plan, "hpf-a")], 4000);
        let [ours, theirs] = &errors[..] else { panic!("two lists") };
        let (difference, error) = paired(ours, theirs, factor);
        let ratio = ours.mean_squared().0 / theirs.mean_squared().0;
        assert!(
            difference + 3.0 * error < 0.0,
            "k = {k}: ratio {ratio}, {difference:e} ± {error:e}"
        );
        // The same check fails for a claim that is not true.
        let (difference, error) = paired(ours, theirs, factor - 0.15);
        assert!(difference - 3.0 * error > 0.0, "k = {k}: ratio {ratio}");
    }
}

/// Never worse than a published variant, in either measure of the table.
fn never_worse(name: &str, records: &Records, target: Target, published: &[&str], trials: usize) {
    let plan = records.plan(target);
    let rivals = published.iter().map(|rival| named(&plan, rival));
    let all: Vec<&Candidate> = [plan.chosen()].into_iter().chain(rivals).collect();
    let errors = records.errors(&plan, &all, trials);
    let (auto, rivals) = errors.split_first().unwrap();
    for (rival, theirs) in published.iter().zip(rivals) {
        let (difference, error) = paired(auto, theirs, 1.0);
        assert!(difference <= 3.0 * error, "{name} against {rival}: {difference:e} ± {error:e}");
        // The 95 % quantile of 300 trials varies by some 5 %.
        let (ours, their) = (auto.quantile(0.95), theirs.quantile(0.95));
        assert!(ours <= 1.1 * their, "{name} against {rival}: {ours} {their}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn auto_is_never_worse_where_budgets_are_uncorrelated() {
    let cancer = [0.24, 0.19, 0.15, 0.12, 0.09, 0.07, 0.05, 0.04, 0.03, 0.02];
    let all = [
        &["hpf-cp", "hpf-ce", "hpf-up", "hpf-ue", "hpf-cp-t", "hpf-ce-t", "hpf-up-t", "hpf-ue-t"],
        &COLUMNS[..],
    ];
    for (name, records) in [
        ("cancer types", Records::uncorrelated(17_000, &cancer, 1)),
        ("(10000, 5)", Records::uncorrelated(10_000, &equal(5), 2)),
        ("(10000, 20)", Records::uncorrelated(10_000, &equal(20), 3)),
    ] {
        never_worse(name, &records, Target::Dataset, &all.concat(), 300);
    }
}

/// The correlated rows: HPF-CP or HPF-CE, and the other columns.
///
/// For the synthetic rows the paper does not say how budgets depend on categories, and the worst
/// case that `auto` guards against is not the data we make up: there only the variants with the
/// same aim are compared.
#[test]
#[ignore = "takes seconds"]
fn auto_is_never_worse_where_budgets_go_with_values() {
    let variants = ["hpf-cp", "hpf-ce", "hpf-cp-t", "hpf-ce-t"];
    let salaries = Records::salaries(50_000, 4);
    never_worse(
        "salaries",
        &salaries,
        Target::DatasetCorrelated,
        &[&variants[..], &COLUMNS].concat(),
        200,
    );
    for (name, records) in [
        ("(10000, 5)", Records::shifted(10_000, 5, 5)),
        ("(10000, 20)", Records::shifted(10_000, 20, 6)),
    ] {
        never_worse(name, &records, Target::DatasetCorrelated, &variants, 300);
    }
}
