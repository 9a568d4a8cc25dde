//! Intervals cover what they claim to cover, at least as often as they claim.
//!
//! Every trial is a real release of simulated values. A coverage passes if it is at least
//! confidence − 4·√(c(1−c)/trials). An interval of exactly the stated confidence misses that with
//! probability 3.2e-5, so the 2000 or so checks together raise a false alarm with probability 7 %
//! at most whenever seeds or draws change. Power: one interval of 95 % that covers 87 % is caught
//! with probability 0.98 in 400 trials, and one that covers 82 % in 160.

use suum_core::{
    Bounds, Categories, Choice, Crosstab, Epsilon, Estimate, Estimator, ExactSum, Interval,
    LevelSums, LevelTable, Measure, Neighbors, Options, Quantity, Randomness, Release, Request,
    Target,
};
use suum_testing::Extent;

use super::people::{Asked, Person, declared};
use crate::dice::Dice;

/// Trials for every combination: 400, or 160 outside of `ci` and `long`.
fn trials() -> u32 {
    Extent::get().trials(400)
}
const CONFIDENCES: [f64; 3] = [0.5, 0.8, 0.95];

/// How a value in [0, 1] is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Values {
    Bernoulli(f64),
    Uniform,
    /// The fifth power of a uniform number: most values near 0.
    Skewed,
    Constant(f64),
}

const VALUES: [Values; 5] = [
    Values::Bernoulli(0.5),
    Values::Bernoulli(0.03),
    Values::Uniform,
    Values::Skewed,
    Values::Constant(0.3),
];

impl Values {
    fn draw(self, dice: &mut Dice) -> f64 {
        let u = dice.roll();
        match self {
            Values::Bernoulli(p) => f64::from(u < p),
            Values::Uniform => u,
            Values::Skewed => u * u * u * u * u,
            Values::Constant(value) => value,
        }
    }

    fn mean(self) -> f64 {
        match self {
            Values::Bernoulli(p) => p,
            Values::Uniform => 0.5,
            Values::Skewed => 1.0 / 6.0,
            Values::Constant(value) => value,
        }
    }

    fn variance(self) -> f64 {
        match self {
            Values::Bernoulli(p) => p * (1.0 - p),
            Values::Uniform => 1.0 / 12.0,
            Values::Skewed => 1.0 / 11.0 - 1.0 / 36.0,
            Values::Constant(_) => 0.0,
        }
    }

    /// The share of values below a third, between, and above two thirds.
    fn thirds(self) -> [f64; 3] {
        let below = |x: f64| match self {
            Values::Bernoulli(p) => 1.0 - p,
            Values::Uniform => x,
            Values::Skewed => x.powf(0.2),
            Values::Constant(value) => f64::from(u8::from(value < x)),
        };
        let (one, two) = (below(1.0 / 3.0), below(2.0 / 3.0));
        [one, two - one, 1.0 - two]
    }

    /// The quantile; no two-valued data are asked for at their jump.
    fn quantile(self, q: f64) -> f64 {
        match self {
            Values::Bernoulli(p) => f64::from(q > 1.0 - p),
            Values::Uniform => q,
            Values::Skewed => q.powi(5),
            Values::Constant(value) => value,
        }
    }
}

/// Declared budgets and who has them: crowds, a handful of generous people, and too few for
/// anything.
const COUNTS: [(&str, &[(f64, usize)]); 9] = [
    ("a=1", &[(1.0, 50)]),
    ("a=0.05,b=0.4,c=2", &[(0.05, 300), (0.4, 100), (2.0, 20)]),
    ("a=0.01,b=4", &[(0.01, 1000), (4.0, 3)]),
    ("0.01,1", &[(0.012, 200), (0.1, 200), (0.7, 100)]),
    ("a=0.05", &[(0.05, 100)]),
    ("0.1,inf", &[(0.1, 100), (f64::INFINITY, 20)]),
    ("0.01,10", &[(0.02, 20), (3.0, 2)]),
    ("a=inf", &[(f64::INFINITY, 2)]),
    ("a=8", &[(8.0, 15)]),
];

/// Covered, and asked, for every confidence; everything that one table is asked for is counted on
/// its own.
struct Coverage {
    covered: Vec<[u32; 3]>,
}

impl Coverage {
    fn measure(trials: u32, things: usize, mut trial: impl FnMut(f64, u64) -> Vec<bool>) -> Self {
        let mut covered = vec![[0; 3]; things];
        for number in 0..trials {
            for (at, confidence) in CONFIDENCES.into_iter().enumerate() {
                let seen = trial(confidence, u64::from(number));
                covered
                    .iter_mut()
                    .zip(seen)
                    .for_each(|(covered, hit)| covered[at] += u32::from(hit));
            }
        }
        Self { covered }
    }

    fn check(&self, trials: u32, name: &str) {
        for (thing, covered) in self.covered.iter().enumerate() {
            for (covered, confidence) in covered.iter().zip(CONFIDENCES) {
                let share = f64::from(*covered) / f64::from(trials);
                let least =
                    confidence - 4.0 * (confidence * (1.0 - confidence) / f64::from(trials)).sqrt();
                assert!(share >= least, "{name}, number {thing} at {confidence}: {share}");
            }
        }
    }
}

fn holds(interval: Interval, truth: f64) -> bool {
    // The grid rounds constants.
    (interval.lower - 1e-9..=interval.upper + 1e-9).contains(&truth)
}

fn people(counts: &[(f64, usize)], values: Values, dice: &mut Dice) -> Vec<Person> {
    let mut people = Vec::new();
    for (epsilon, count) in counts {
        people.extend((0..*count).map(|_| (*epsilon, values.draw(dice))));
    }
    people
}

fn check(asked: Asked, options: Options, covers: impl Fn(&Release, Values, f64) -> Vec<bool>) {
    // Both kinds of neighbours differ in the noise: fewer crowds tell whether that is known.
    let both = options.neighbors == Neighbors::Both;
    let some = |number: &usize| !both || number % 3 != 1;
    for (number, (budgets, counts)) in COUNTS.into_iter().enumerate().filter(|(at, _)| some(at)) {
        for (other, values) in VALUES.into_iter().enumerate().filter(|(at, _)| !both || at % 2 == 1)
        {
            let mut dice = Dice((100 * number + other) as u64);
            let mut randomness = Randomness::insecure((100 * number + other) as u64);
            let n = counts.iter().map(|(_, count)| *count).sum::<usize>() as f64;
            let mut table = asked.table(&[]);
            let mut drawn = u64::MAX;
            let things = covers(
                &asked
                    .request(budgets, options.clone())
                    .release(table.clone(), &mut randomness)
                    .unwrap(),
                values,
                n,
            )
            .len();
            let coverage = Coverage::measure(trials(), things, |confidence, trial| {
                if trial != drawn {
                    table = asked.table(&people(counts, values, &mut dice));
                    drawn = trial;
                }
                let request = asked.request(budgets, Options { confidence, ..options.clone() });
                covers(&request.release(table.clone(), &mut randomness).unwrap(), values, n)
            });
            coverage.check(trials(), &format!("{asked:?} of {values:?} in {budgets} {counts:?}"));
        }
    }
}

#[test]
#[ignore = "takes seconds"]
fn means_are_covered() {
    check(Asked::Mean, Options::add_remove(), |release, values, _| {
        vec![holds(release.interval().unwrap(), values.mean())]
    });
}

#[test]
#[ignore = "takes seconds"]
fn means_with_other_weights_are_covered() {
    let named =
        |estimator| Options { estimator: Choice::Named(estimator), ..Options::add_remove() };
    let clipped = Options { clip: Some(Epsilon::new(1.0).unwrap()), ..Options::add_remove() };
    for options in [named(Estimator::Uniform), clipped] {
        check(Asked::Mean, options, |release, values, _| {
            vec![holds(release.interval().unwrap(), values.mean())]
        });
    }
}

#[test]
#[ignore = "takes seconds"]
fn sums_and_counts_are_covered() {
    check(Asked::Sum, Options::add_remove(), |release, values, n| {
        vec![holds(release.interval().unwrap(), n * values.mean())]
    });
    check(Asked::Count, Options::add_remove(), |release, _, n| {
        vec![holds(release.interval().unwrap(), n)]
    });
}

#[test]
#[ignore = "takes seconds"]
fn variances_are_covered() {
    check(Asked::Variance, Options::add_remove(), |release, values, _| {
        let [variance, deviation, mean] = &release.estimates[..] else { panic!() };
        let holds = |one: &Estimate, truth| holds(one.interval.unwrap(), truth);
        vec![
            holds(variance, values.variance()),
            holds(deviation, values.variance().sqrt()),
            holds(mean, values.mean()),
        ]
    });
}

#[test]
#[ignore = "takes seconds"]
fn frequencies_are_covered() {
    check(Asked::Frequency, Options::add_remove(), |release, values, _| {
        let shares = release.estimates.iter().zip(values.thirds());
        shares.map(|(frequency, share)| holds(frequency.interval.unwrap(), share)).collect()
    });
}

/// The cells of a table of two rows and three columns, in which a uniform number lies.
fn crossed() -> Categories {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let labels = [names(&["rare", "frequent"]), names(&["a", "b", "c"])];
    Categories::crossed(Crosstab::new(["row".into(), "column".into()], labels).unwrap()).unwrap()
}

/// The shares of the first row, and of the first two columns.
const MARGINS: [f64; 3] = [0.04, 0.5, 0.3];

fn in_cells(counts: &[(f64, usize)], dice: &mut Dice) -> LevelTable {
    let level_sums = |(epsilon, count): &(f64, usize)| {
        let mut sums = vec![ExactSum::default(); 6];
        for _ in 0..*count {
            let (row, column) = (usize::from(dice.roll() >= MARGINS[0]), dice.roll());
            let column = match column {
                u if u < MARGINS[1] => 0,
                u => 1 + usize::from(u >= MARGINS[1] + MARGINS[2]),
            };
            sums[3 * row + column].add(1);
        }
        let (epsilon, cells) = (Epsilon::new(*epsilon).unwrap(), Default::default());
        LevelSums { label: None, epsilon, count: *count as u64, sums, cells }
    };
    let by_level = counts.iter().map(level_sums).collect();
    LevelTable::possibly_empty(None, Measure::Categories(crossed()), by_level).unwrap()
}

/// Margins are sums of cells, whose noises are independent here, over a noisy number of people.
#[test]
#[ignore = "takes seconds"]
fn margins_are_covered() {
    let [rare, a, b] = MARGINS;
    let truths = [rare, 1.0 - rare, a, b, 1.0 - a - b];
    for (number, (budgets, counts)) in COUNTS.into_iter().enumerate() {
        let relations: &[Neighbors] = match number % 3 {
            1 => &[Neighbors::AddRemove],
            _ => &[Neighbors::AddRemove, Neighbors::Both],
        };
        for &neighbors in relations {
            let seed = 7000 + number as u64;
            let (mut dice, mut randomness) = (Dice(seed), Randomness::insecure(seed));
            let (mut table, mut drawn) = (in_cells(counts, &mut dice), 0);
            let coverage = Coverage::measure(trials(), truths.len(), |confidence, trial| {
                if trial != drawn {
                    (table, drawn) = (in_cells(counts, &mut dice), trial);
                }
                let options = Options { confidence, neighbors, ..Options::add_remove() };
                let request = Request::frequency(crossed(), options)
                    .add_remove(Bounds::UNIT, declared(budgets));
                let released = request.unwrap().release(table.clone(), &mut randomness).unwrap();
                let margins = released.margins.iter().flat_map(|margin| &margin.shares);
                let margins = margins.map(|one| one.interval.unwrap());
                margins.zip(truths).map(|(interval, truth)| holds(interval, truth)).collect()
            });
            coverage.check(trials(), &format!("{neighbors:?} margins in {budgets} {counts:?}"));
        }
    }
}

#[test]
#[ignore = "takes seconds"]
fn quantiles_are_covered() {
    for interval_share in [None, Some(0.3)] {
        let options = Options { interval_share, ..Options::add_remove() };
        check(Asked::Quantiles, options, |release, values, _| {
            let quantiles = release.estimates.iter();
            quantiles
                .map(|quantile| {
                    // The jump of fair coins is everywhere between their values.
                    let Quantity::Quantile(rank) = quantile.of else { panic!("{quantile:?}") };
                    let all = values == Values::Bernoulli(0.5) && rank.get() == 0.5;
                    let truth = values.quantile(rank.get());
                    quantile.interval.is_none_or(|interval| match all {
                        true => holds(interval, 0.0) && holds(interval, 1.0),
                        false => holds(interval, truth),
                    })
                })
                .collect()
        });
    }
}

#[test]
#[ignore = "takes seconds"]
fn everything_is_covered_with_both() {
    let both = Options { neighbors: Neighbors::Both, ..Options::add_remove() };
    check(Asked::Variance, both.clone(), |release, values, _| {
        let truths = [values.variance(), values.variance().sqrt(), values.mean()];
        let all = release.estimates.iter().zip(truths);
        all.map(|(one, truth)| holds(one.interval.unwrap(), truth)).collect()
    });
    check(Asked::Sum, both.clone(), |release, values, n| {
        vec![holds(release.interval().unwrap(), n * values.mean())]
    });
    check(Asked::Frequency, both.clone(), |release, values, _| {
        let shares = release.estimates.iter().zip(values.thirds());
        shares.map(|(frequency, share)| holds(frequency.interval.unwrap(), share)).collect()
    });
    let known = Options { variance: Some(0.25), ..both.clone() };
    check(Asked::Mean, known, |release, values, _| {
        vec![holds(release.interval().unwrap(), values.mean())]
    });
    check(Asked::Mean, both, |release, values, _| {
        vec![holds(release.interval().unwrap(), values.mean())]
    });
}

/// A dataset's own mean, with budgets in random order among the values.
#[test]
#[ignore = "takes seconds"]
fn datasets_are_covered() {
    let options = Options { target: Target::Dataset, ..Options::add_remove() };
    for (number, (budgets, counts)) in COUNTS.into_iter().enumerate() {
        for values in [Values::Bernoulli(0.5), Values::Bernoulli(0.03), Values::Skewed] {
            let mut dice = Dice(number as u64);
            let mut randomness = Randomness::insecure(number as u64);
            let coverage = Coverage::measure(trials(), 1, |confidence, _| {
                let people = people(counts, values, &mut dice);
                let mean = people.iter().map(|(_, value)| value).sum::<f64>() / people.len() as f64;
                let request =
                    Asked::Mean.request(budgets, Options { confidence, ..options.clone() });
                let release = request.release(Asked::Mean.table(&people), &mut randomness).unwrap();
                vec![holds(release.interval().unwrap(), mean)]
            });
            coverage.check(trials(), &format!("dataset of {values:?} in {budgets} {counts:?}"));
        }
    }
}
