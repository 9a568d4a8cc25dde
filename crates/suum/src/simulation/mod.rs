//! Simulation: what errors an estimator makes on data we make up. Nothing here protects anybody.
//!
//! Trials use fast floating-point noise and know the truth; they share the weights of a plan with a release, and
//! nothing else. Results depend on the seed alone, not on the number of threads.

mod data;
mod dice;
mod errors;
mod trial;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use suum_core::{Error, Plan, Result};

pub use data::Data;
pub use dice::Dice;
pub use errors::Errors;

/// How many trials are run, from which seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simulation {
    /// How many trials; at least one.
    pub trials: usize,
    /// The seed. The same seed gives the same errors.
    pub seed: u64,
    /// Whether estimates are taken as they would be released: clamped to the bounds, frequencies post-processed as
    /// the plan's request says. Exact risks are those of raw estimates.
    pub released: bool,
}

/// Trials that share a stream of random numbers.
const CHUNK: usize = 64;

impl Simulation {
    /// The errors of a mean: estimate minus truth, in units of the data.
    ///
    /// # Errors
    ///
    /// Refuses a plan for frequencies, data of another size than the profile's, and zero trials.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::simulation::{Data, Simulation};
    /// use suum::{Bounds, Options, Statistic};
    ///
    /// let plan = suum::plan(Statistic::Mean, "0.5:100,inf:5".parse()?, Bounds::UNIT, &Options::default())?;
    /// let coins = Data::independent(|dice| f64::from(u8::from(dice.uniform() < 0.5)), vec![0.5]);
    /// let errors = Simulation { trials: 2000, seed: 1, released: false }.mean(&plan, &coins)?;
    /// let (mse, standard_error) = errors.mean_squared();
    /// assert!((mse - plan.chosen().risk.total()).abs() < 5.0 * standard_error);
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn mean(self, plan: &Plan, data: &Data<f64>) -> Result<Errors> {
        if plan.setting().categories.is_some() {
            return Err(Error::request("simulation: the plan is for frequencies"));
        }
        self.check(plan, data)?;
        self.run(|dice| trial::mean(plan, data, self.released, dice))
    }

    /// The errors of frequencies: the largest absolute error over the categories.
    ///
    /// # Errors
    ///
    /// Refuses a plan for a mean, data of another size than the profile's, and zero trials.
    pub fn frequency(self, plan: &Plan, data: &Data<usize>) -> Result<Errors> {
        let Some(categories) = plan.setting().categories else {
            return Err(Error::request("simulation: the plan is for a mean"));
        };
        if data.truth().is_some_and(|truth| truth.len() != categories) || data.exceeds(categories) {
            return Err(Error::request("simulation: the data have other categories than the plan"));
        }
        self.check(plan, data)?;
        self.run(|dice| trial::frequency(plan, categories, data, self.released, dice))
    }

    fn check<T: Copy>(self, plan: &Plan, data: &Data<T>) -> Result<()> {
        if self.trials == 0 {
            return Err(Error::parameter("simulation: there must be at least one trial"));
        }
        let records = plan.setting().profile.records();
        if data.records().is_some_and(|n| n as u64 != records) {
            return Err(Error::request(
                "simulation: the data have another number of records than the profile",
            ));
        }
        Ok(())
    }

    fn run(self, trial: impl Fn(&mut Dice) -> f64 + Sync) -> Result<Errors> {
        let chunks: Vec<Vec<f64>> = (0..self.trials.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut dice = Dice::new(self.seed, chunk as u64);
                let trials = CHUNK.min(self.trials - chunk * CHUNK);
                (0..trials).map(|_| trial(&mut dice)).collect()
            })
            .collect();
        Ok(Errors::new(chunks.concat()))
    }
}
