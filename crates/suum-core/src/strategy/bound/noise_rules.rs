//! Lower bound where noise rules: the Bayes risk of Laplace noise, which no private result beats.

use std::cmp::Ordering;

use super::people::{People, pair_width};
use crate::Target;

/// Returns a lower bound on the worst-case RMSE, in units of the range; 0 if there are too many
/// records of very different budgets. `known` is another lower bound for the mean of the
/// distribution, near which priors are tried.
///
/// # Formula
///
/// Records are drawn with P(hi) = θ, and θ from any prior. Of all results that change by at most a
/// factor e^t between two points that are t apart, Laplace noise of scale 1 on those points has the
/// least Bayes risk, whatever the prior is. There are two such lines of points:
///
/// * *θ itself*. The m most relaxed records are given away, and for all others the distance is
///   t(θ) = Σ n_j ∫ κ(ε_j), κ(ε) = (e^ε − 1)/(1 + min(θ, 1 − θ)(e^ε − 1)).
/// * *The number of ones*, if all records have the largest budget ε: one more is 2·ln((1 + e^ε)/2)
///   away. It has the error of sampling, too.
///
/// Priors have atoms at both ends, nothing beside them, and cos² between; the best of some is
/// taken.
///
/// `docs/mechanisms/lower-bounds.md` derives it.
pub(super) fn noise_rules(people: &People, variance: f64, target: Target, known: f64) -> f64 {
    if known <= 0.0 {
        return 0.0;
    }
    let width = pair_width(variance);
    let people = people.raised(LEVELS);
    let mut lines = Line::of_probabilities(&people);
    lines.extend(Line::of_number(&people));
    let square = lines.iter().map(|line| line.best(known / width)).fold(0.0, f64::max);
    let deviation = width / (2.0 * (people.records() as f64).sqrt());
    People::for_target(target, width * square.sqrt(), deviation)
}

/// Largest number of levels; more are joined, at the largest budget of each.
const LEVELS: usize = 64;

/// Largest number of records that are given away, in all lines together.
const MOST_KNOWN: u64 = 150;

/// Largest number of records whose ones are counted.
const MOST_COUNTED: u64 = 100_000;

/// Largest budget of a record that is not given away; e^ε is a number.
const LARGEST: f64 = 30.0;

/// Points of data between which a private result changes little.
enum Line {
    /// Probabilities of a one, with the budgets of some records and their numbers, and the number
    /// of those that are given away.
    Probability { budgets: Vec<(f64, f64)>, known: u64 },
    /// Numbers of ones among as many records, with exp(−t) of the distance between two of them.
    Number { records: u64, kept: f64 },
}

/// Prior of θ, on [½ − δ, ½ + δ].
#[derive(Clone, Copy)]
struct Prior {
    /// Probability of each end.
    ends: f64,
    /// Part of the interval beside each end that has no probability.
    empty: f64,
    /// Part by which cos² is wider than the interval.
    wider: f64,
}

/// Priors that are the best for some profiles.
const PRIORS: [Prior; 5] = [
    Prior { ends: 0.25, empty: 0.24, wider: 0.0 },
    Prior { ends: 0.12, empty: 0.14, wider: 1.0 },
    Prior { ends: 0.03, empty: 0.07, wider: 0.3 },
    Prior { ends: 0.012, empty: 0.038, wider: 0.2 },
    Prior { ends: 0.0, empty: 0.0, wider: 0.0 },
];

/// Half-widths of the prior's interval that are tried, in units of a known bound.
const HALF_WIDTHS: std::ops::Range<f64> = 3.0..20.0;

/// Number of steps of the prior on either side of ½.
const STEPS: usize = 64;

impl Line {
    /// Lines of probabilities, for different numbers of records that are given away: those that
    /// leave the least information, (Σ ε)² + 4m, first, as long as there are not too many.
    fn of_probabilities(people: &People) -> Vec<Self> {
        let used: Vec<(f64, u64)> = people
            .levels
            .iter()
            .map(|level| (level.epsilon, level.count))
            .filter(|(epsilon, _)| *epsilon > 0.0)
            .collect();
        let (mut sum, mut known) = (0.0, people.usable());
        let mut splits = Vec::new();
        for (at, (epsilon, count)) in used.iter().enumerate() {
            if *epsilon > LARGEST {
                break;
            }
            sum += epsilon * *count as f64;
            known -= count;
            splits.push((sum * sum + 4.0 * known as f64, at + 1, known));
        }
        splits.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut left = MOST_KNOWN;
        let lines = splits.into_iter().filter_map(|(_, kept, known)| {
            left = left.checked_sub(known + 1)?;
            let budgets = used[..kept].iter().map(|(epsilon, count)| (*epsilon, *count as f64));
            Some(Self::Probability { budgets: budgets.collect(), known })
        });
        lines.collect()
    }

    /// Line of numbers of ones; `None` if there are too many records, or public ones.
    fn of_number(people: &People) -> Option<Self> {
        let most = people.levels.last()?.epsilon;
        let records = people.usable();
        let sum: f64 = people.levels.iter().map(|level| level.epsilon * level.count as f64).sum();
        // With a third of the largest budget on average another line is better.
        let are_alike = sum >= records as f64 * most / 3.0;
        let kept = 2.0 / (1.0 + most.exp());
        (records > 0 && records <= MOST_COUNTED && most <= LARGEST && are_alike)
            .then_some(Self::Number { records, kept: kept * kept })
    }

    /// Largest Bayes risk of some priors, a lower bound on the worst-case squared error.
    fn best(&self, known: f64) -> f64 {
        let all = std::iter::successors(Some(0.5), |half_width| {
            Some(half_width * std::f64::consts::FRAC_1_SQRT_2)
        });
        let below = all.skip_while(|half_width| {
            *half_width * std::f64::consts::FRAC_1_SQRT_2 > HALF_WIDTHS.end * known
        });
        let tried = below.take_while(|half_width| *half_width >= HALF_WIDTHS.start * known);
        let risk = |half_width: f64| {
            let grid = self.grid(half_width);
            PRIORS.into_iter().map(|prior| grid.risk(prior)).fold(0.0, f64::max)
        };
        // Where nearly nothing is known, the whole interval.
        tried.map(risk).fold(risk(0.5), f64::max)
    }

    /// Grid of θ in [½ − `half_width`, ½ + `half_width`].
    fn grid(&self, half_width: f64) -> Grid {
        let (half_steps, step) = (STEPS, half_width / STEPS as f64);
        let offsets: Vec<f64> =
            (0..=2 * half_steps).map(|at| step * (at as f64 - half_steps as f64)).collect();
        match self {
            Self::Probability { budgets, known } => {
                // Of the lower half, from the end to the middle.
                let below = |at: usize| -> f64 {
                    let theta = (0.5 + offsets[at]).max(0.0);
                    let part = |(epsilon, count): &(f64, f64)| {
                        let odds = epsilon.exp_m1();
                        count * (odds * step / (1.0 + odds * theta)).ln_1p()
                    };
                    budgets.iter().map(part).sum()
                };
                let lower: Vec<f64> = (0..half_steps).map(|at| (-below(at)).exp()).collect();
                let upper = lower.iter().rev().copied().collect::<Vec<_>>();
                let kept = [lower, upper].concat();
                let of_known = offsets.iter().map(|offset| Binomial::new(*known, 0.5 + offset));
                Grid::Probability { offsets: offsets.clone(), kept, of_known: of_known.collect() }
            }
            Self::Number { records, kept } => {
                let numbers = offsets.iter().map(|offset| Binomial::new(*records, 0.5 + offset));
                Grid::Number { numbers: numbers.collect(), offsets: offsets.clone(), kept: *kept }
            }
        }
    }
}

/// Points of θ, as θ − ½, with what is drawn from each.
enum Grid {
    /// `kept` are exp(−t) of the distances of neighbours; the records that are given away have as
    /// many ones.
    Probability { offsets: Vec<f64>, kept: Vec<f64>, of_known: Vec<Binomial> },
    /// Numbers of ones, and exp(−t) of the distance of two that follow each other.
    Number { offsets: Vec<f64>, numbers: Vec<Binomial>, kept: f64 },
}

impl Grid {
    /// Bayes risk with this prior.
    fn risk(&self, prior: Prior) -> f64 {
        match self {
            Self::Probability { offsets, kept, of_known } => {
                let weights = prior.weights(offsets.len());
                let (first, last) = Binomial::range(of_known);
                let of_outcome = |outcome: u64| {
                    let likely = |(weight, law): (&f64, &Binomial)| weight * law.of(outcome);
                    let weights: Vec<f64> = weights.iter().zip(of_known).map(likely).collect();
                    with_laplace(&weights, offsets, kept)
                };
                // As many zeros are as likely as so many ones.
                let times = |outcome: u64| match outcome.cmp(&(first + last - outcome)) {
                    Ordering::Less => 2.0,
                    Ordering::Equal => 1.0,
                    Ordering::Greater => 0.0,
                };
                let lower = first..=first + (last - first) / 2;
                lower.map(|outcome| times(outcome) * of_outcome(outcome)).sum()
            }
            Self::Number { offsets, numbers, kept } => {
                let weights = prior.weights(offsets.len());
                let (first, last) = Binomial::range(numbers);
                let states = (last - first + 1) as usize;
                let (mut mass, mut sum) = (vec![0.0; states], vec![0.0; states]);
                let mut squares = vec![0.0; states];
                for ((weight, offset), law) in weights.iter().zip(offsets).zip(numbers) {
                    let begin = (law.first - first) as usize;
                    for (at, probability) in law.probabilities.iter().enumerate() {
                        let joint = weight * probability;
                        mass[begin + at] += joint;
                        sum[begin + at] += joint * offset;
                        squares[begin + at] += joint * offset * offset;
                    }
                }
                let of_state = |((mass, sum), square): ((&f64, &f64), &f64)| {
                    if *mass > 0.0 { square - sum * sum / mass } else { 0.0 }
                };
                let of_states = mass.iter().zip(&sum).zip(&squares);
                let sampling: f64 = of_states.map(of_state).sum();
                let mean = |(mass, sum): (&f64, &f64)| if *mass > 0.0 { sum / mass } else { 0.0 };
                let targets: Vec<f64> = mass.iter().zip(&sum).map(mean).collect();
                sampling + with_laplace(&mass, &targets, &vec![*kept; states.saturating_sub(1)])
            }
        }
    }
}

impl Prior {
    /// Probabilities of equally spaced points.
    fn weights(self, points: usize) -> Vec<f64> {
        let last = (points - 1) as f64;
        let density = |at: usize| {
            let place = at as f64 / last;
            let is_inside = place >= self.empty && place <= 1.0 - self.empty;
            let angle = std::f64::consts::PI * (place - 0.5) / (1.0 + self.wider);
            if is_inside { angle.cos().powi(2) } else { 0.0 }
        };
        let mut weights: Vec<f64> = (0..points).map(density).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight *= (1.0 - 2.0 * self.ends) / sum);
        weights[0] += self.ends;
        weights[points - 1] += self.ends;
        weights
    }
}

/// Bayes risk for these targets of Laplace noise of scale 1 on points whose neighbours have exp(−t)
/// = `kept`, with weights that need not add up to 1.
///
/// The result is one of the points: point k for a true point i with probability a_k·exp(−|t_k −
/// t_i|), which tells no less than the noisy number itself.
fn with_laplace(weights: &[f64], targets: &[f64], kept: &[f64]) -> f64 {
    let sums = |at: usize| [weights[at], weights[at] * targets[at], 0.0];
    let with_square = |at: usize| {
        let [weight, product, _] = sums(at);
        [weight, product, product * targets[at]]
    };
    let points = weights.len();
    // Sums over all points above, each times its exp(−|t_k − t_i|).
    let mut above = vec![[0.0; 3]; points];
    for at in (0..points.saturating_sub(1)).rev() {
        let (next, more) = (with_square(at + 1), above[at + 1]);
        above[at] = std::array::from_fn(|i| (next[i] + more[i]) * kept[at]);
    }
    // tanh(t/2) of the distance to each side; 1 beyond the ends.
    let half = |at: Option<usize>| match at.and_then(|at| kept.get(at)) {
        Some(kept) => (1.0 - kept) / (1.0 + kept),
        None => 1.0,
    };
    let (mut below, mut risk) = ([0.0; 3], 0.0);
    for (at, above) in above.iter().enumerate() {
        let own = with_square(at);
        let before = at.checked_sub(1).map_or(0.0, |before| kept[before]);
        below = std::array::from_fn(|i| below[i] * before + own[i]);
        let [mass, sum, square]: [f64; 3] = std::array::from_fn(|i| below[i] + above[i]);
        if mass > 0.0 {
            let noise = (half(at.checked_sub(1)) + half(Some(at))) / 2.0;
            risk += noise * (square - sum * sum / mass).max(0.0);
        }
    }
    risk
}

/// Probabilities of the likely numbers of ones among some records.
struct Binomial {
    first: u64,
    probabilities: Vec<f64>,
}

/// Number of standard deviations, and of more ones, beyond which numbers are left out: so the risk
/// is never larger.
const LIKELY: (f64, f64) = (8.0, 20.0);

impl Binomial {
    fn new(records: u64, probability: f64) -> Self {
        let n = records as f64;
        let p = probability.clamp(0.0, 1.0);
        if records == 0 || p == 0.0 || p == 1.0 {
            let first = if p == 1.0 { records } else { 0 };
            return Self { first, probabilities: vec![1.0] };
        }
        let reach = LIKELY.0 * (n * p * (1.0 - p)).sqrt() + LIKELY.1;
        let first = (n * p - reach).floor().max(0.0) as u64;
        let last = (n * p + reach).ceil().min(n) as u64;
        let mode = ((n + 1.0) * p).floor().min(n) as u64;
        let k = mode as f64;
        let choose = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
        let peak = (choose + k * p.ln() + (n - k) * (-p).ln_1p()).exp();
        let odds = p / (1.0 - p);
        let mut probabilities = vec![0.0; (last - first + 1) as usize];
        probabilities[(mode - first) as usize] = peak;
        let mut here = peak;
        for number in mode + 1..=last {
            here *= odds * (n - number as f64 + 1.0) / number as f64;
            probabilities[(number - first) as usize] = here;
        }
        here = peak;
        for number in (first..mode).rev() {
            here *= (number as f64 + 1.0) / (odds * (n - number as f64));
            probabilities[(number - first) as usize] = here;
        }
        Self { first, probabilities }
    }

    fn of(&self, number: u64) -> f64 {
        let place = number.checked_sub(self.first).map(|place| place as usize);
        place.and_then(|place| self.probabilities.get(place)).copied().unwrap_or(0.0)
    }

    /// First and last number that is likely under one of these laws.
    fn range(laws: &[Self]) -> (u64, u64) {
        let last = |law: &Self| law.first + law.probabilities.len() as u64 - 1;
        let first = laws.iter().map(|law| law.first).min().unwrap_or(0);
        (first, laws.iter().map(last).max().unwrap_or(0))
    }
}
