//! People of CC24: budgets, categories and values, from files or made up.

use serde::Deserialize;
use suum::simulation::{Data, Dice};
use suum::{Epsilon, Level, Profile, Result};

use crate::files::Files;

/// Kind of made-up people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// Salaries in 12 bins; those in the middle are less private.
    Salaries,
    /// Types of cancer; budgets are unrelated to them.
    Cancers,
    /// Equally likely categories; people in later ones are less private.
    Shifted,
    /// Equally likely categories; budgets are unrelated to them.
    Equal,
}

/// Dataset of a table, with the numbers that are printed for it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dataset {
    pub(crate) name: String,
    pub(crate) people: Kind,
    pub(crate) size: usize,
    pub(crate) categories: usize,
    /// True if budgets are correlated with values, and data keep their order in all trials.
    pub(crate) correlated: bool,
    pub(crate) quantiles: Vec<f64>,
    pub(crate) mean_squares: Vec<f64>,
}

/// People in ascending order of their budgets, as in a profile.
pub(crate) struct People {
    pub(crate) profile: Profile,
    categories: Vec<usize>,
    // In [0, 1], in the category's part of it.
    values: Vec<f64>,
    pub(crate) count_of_categories: usize,
}

/// Person before all are sorted.
struct Person {
    log_epsilon: f64,
    category: usize,
    value: f64,
}

impl People {
    /// Draws `size` people of a kind, from a file if there is one.
    pub(crate) fn draw(
        kind: Kind,
        size: usize,
        categories: usize,
        files: &Files,
        seed: u64,
    ) -> Result<Self> {
        let mut dice = Dice::new(seed, 0);
        let people = match kind {
            Kind::Salaries => match files.salaries(size, &mut dice)? {
                Some(pays) => {
                    pays.into_iter().map(|pay| salaried(pay, categories, &mut dice)).collect()
                }
                None => {
                    let shares: Vec<f64> = (1..=categories)
                        .map(|bin| (-(bin as f64 - 4.0).powi(2) / 12.0).exp())
                        .collect();
                    let pay = |dice: &mut Dice| {
                        let bin = pick(&shares, dice) as f64;
                        (bin + dice.uniform()) / categories as f64
                    };
                    let person = |_| {
                        let pay = pay(&mut dice);
                        salaried(pay, categories, &mut dice)
                    };
                    (0..size).map(person).collect()
                }
            },
            Kind::Cancers => {
                let (types, found) = match files.cancers()? {
                    Some((types, names)) => (types, names),
                    None => {
                        let shares = [0.24, 0.19, 0.15, 0.12, 0.09, 0.07, 0.05, 0.04, 0.03, 0.02];
                        ((0..size).map(|_| pick(&shares, &mut dice)).collect(), shares.len())
                    }
                };
                let people = types
                    .into_iter()
                    .map(|category| unrelated(category, found, &mut dice))
                    .collect();
                return Self::new(people, found);
            }
            Kind::Shifted => (0..size).map(|_| shifted(categories, &mut dice)).collect(),
            Kind::Equal => {
                let person = |_| {
                    let category = dice.below(categories);
                    unrelated(category, categories, &mut dice)
                };
                (0..size).map(person).collect()
            }
        };
        Self::new(people, categories)
    }

    fn new(mut people: Vec<Person>, count_of_categories: usize) -> Result<Self> {
        people.sort_by(|a, b| a.log_epsilon.total_cmp(&b.log_epsilon));
        let level = |person: &Person| {
            Ok(Level { epsilon: Epsilon::new(person.log_epsilon.exp())?, count: 1 })
        };
        Ok(Self {
            profile: Profile::new(people.iter().map(level).collect::<Result<Vec<_>>>()?)?,
            categories: people.iter().map(|person| person.category).collect(),
            values: people.iter().map(|person| person.value).collect(),
            count_of_categories,
        })
    }

    /// Difference between the mean of all values with these weights, one per person in ascending
    /// order of budgets and adding up to 1, and their unweighted mean.
    pub(crate) fn bias(&self, weights: &[f64]) -> f64 {
        let weighted: f64 = self.values.iter().zip(weights).map(|(value, w)| value * w).sum();
        weighted - self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// Categories of all people; in another order in every trial, unless they are correlated with
    /// budgets.
    pub(crate) fn categories(&self, correlated: bool) -> Data<usize> {
        let categories = self.categories.clone();
        if correlated { Data::Fixed(categories) } else { Data::Permuted(categories) }
    }

    /// Values of all people.
    pub(crate) fn values(&self, correlated: bool) -> Data<f64> {
        let values = self.values.clone();
        if correlated { Data::Fixed(values) } else { Data::Permuted(values) }
    }
}

/// Draws log ε ~ −|i − 6.5| + U[−3, 3] for pay in bin i of 12 (CC24 Appendix B.1).
fn salaried(pay: f64, categories: usize, dice: &mut Dice) -> Person {
    let bin = ((pay * categories as f64) as usize).min(categories - 1);
    let middle = -(bin as f64 + 1.0 - (categories as f64 + 1.0) / 2.0).abs();
    Person { log_epsilon: middle + 6.0 * dice.uniform() - 3.0, category: bin, value: pay }
}

/// Draws log ε uniformly from an interval of width 6 that moves up from around −2 to around 2 with
/// the category.
fn shifted(categories: usize, dice: &mut Dice) -> Person {
    let category = dice.below(categories);
    let middle = 4.0 * (category as f64 + 0.5) / categories as f64 - 2.0;
    let log_epsilon = middle + 6.0 * dice.uniform() - 3.0;
    Person { log_epsilon, category, value: (category as f64 + dice.uniform()) / categories as f64 }
}

/// Draws log ε ~ U[−5, 5].
fn unrelated(category: usize, categories: usize, dice: &mut Dice) -> Person {
    let log_epsilon = 10.0 * dice.uniform() - 5.0;
    Person { log_epsilon, category, value: (category as f64 + dice.uniform()) / categories as f64 }
}

/// Draws a position, with probabilities in proportion to the shares.
fn pick(shares: &[f64], dice: &mut Dice) -> usize {
    let mut rest = dice.uniform() * shares.iter().sum::<f64>();
    let found = shares.iter().position(|share| {
        rest -= share;
        rest < 0.0
    });
    found.unwrap_or(shares.len() - 1)
}
