//! Simulation: errors of an estimator on made-up data. Nothing here protects anybody.
//!
//! Trials use fast floating-point noise and know the truth; they share the weights of a plan with a
//! release, and nothing else. Results depend on the seed alone, not on the number of threads.

mod data;
mod dice;
mod errors;
mod shape;
mod trial;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use suum_core::{Candidate, Design, Error, Result, WeightedPlan};
use suum_data::Progress;

pub use data::Data;
pub use dice::Dice;
pub use errors::Errors;
pub(crate) use shape::ScaledShape;
pub use shape::Shape;

/// Number of trials, and their seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simulation {
    /// Number of trials; at least one.
    pub trials: usize,
    /// Seed. Equal seeds give equal errors.
    pub seed: u64,
    /// True if estimates are taken as they would be released: clamped to the bounds, frequencies
    /// post-processed as the plan's request says. Exact risks are those of raw estimates.
    pub released: bool,
}

/// Number of trials that share a stream of random numbers for their data.
const CHUNK: usize = 64;
/// First stream of the noise of trials, beyond those of data.
const NOISE: u64 = 1 << 40;

impl Simulation {
    /// Errors of a mean: estimate minus truth, in units of the data.
    ///
    /// # Errors
    ///
    /// Refuses a plan for frequencies, data of another size than the profile's, and zero trials.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::simulation::{Data, Simulation};
    /// use suum::{Bounds, Options, Statistic, WeightedRequest};
    ///
    /// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// let plan = request.plan("0.5:100,inf:5".parse()?)?;
    /// let coins = Data::independent(|dice| f64::from(u8::from(dice.uniform() < 0.5)), vec![0.5]);
    /// let errors = Simulation { trials: 2000, seed: 1, released: false }.mean(&plan, &coins)?;
    /// let (mse, standard_error) = errors.mean_squared();
    /// assert!((mse - plan.chosen().risk.total()).abs() < 5.0 * standard_error);
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn mean(self, plan: &WeightedPlan, data: &Data<f64>) -> Result<Errors> {
        self.mean_unless(plan, data, &Progress::default())
    }

    /// Errors of a mean, like [`mean`](Self::mean), unless `progress` is cancelled; it is not used
    /// for anything else.
    ///
    /// # Errors
    ///
    /// Fails like [`mean`](Self::mean), and soon after a cancellation.
    pub fn mean_unless(
        self,
        plan: &WeightedPlan,
        data: &Data<f64>,
        progress: &Progress,
    ) -> Result<Errors> {
        self.means_unless(&[(plan, plan.chosen())], data, progress)
            .map(|mut errors| errors.swap_remove(0))
    }

    /// Errors of several means, each of a plan and one of the estimators that it compares, in their
    /// order. In every trial all of them see the same data and the same random numbers, so that
    /// they can be compared more finely than each is known.
    ///
    /// # Errors
    ///
    /// Fails like [`Simulation::mean`].
    ///
    /// # Example
    ///
    /// ```
    /// use suum::simulation::{Data, Simulation};
    /// use suum::{Bounds, Options, Statistic, WeightedRequest};
    ///
    /// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// let plan = request.plan("0.1:50,1:50".parse()?)?;
    /// let all: Vec<_> = plan.candidates().iter().map(|candidate| (&plan, candidate)).collect();
    /// let simulation = Simulation { trials: 500, seed: 1, released: false };
    /// let errors = simulation.means(&all, &Data::Fixed(vec![0.3; 100]))?;
    /// assert_eq!(errors.len(), plan.candidates().len());
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn means(
        self,
        contenders: &[(&WeightedPlan, &Candidate)],
        data: &Data<f64>,
    ) -> Result<Vec<Errors>> {
        self.means_unless(contenders, data, &Progress::default())
    }

    fn means_unless(
        self,
        contenders: &[(&WeightedPlan, &Candidate)],
        data: &Data<f64>,
        progress: &Progress,
    ) -> Result<Vec<Errors>> {
        for (plan, _) in contenders {
            if plan.setting().categories.is_some() {
                return Err(Error::request("simulation", "the plan is for frequencies").with_fix(
                    "use Simulation::frequency, or Simulation::frequencies for several",
                ));
            }
        }
        self.run(contenders, data, trial::mean, progress)
    }

    /// Errors of frequencies: the largest absolute error over the categories.
    ///
    /// # Errors
    ///
    /// Refuses a plan for a mean, data of another size than the profile's, and zero trials.
    pub fn frequency(self, plan: &WeightedPlan, data: &Data<usize>) -> Result<Errors> {
        self.frequency_unless(plan, data, &Progress::default())
    }

    /// Errors of frequencies, like [`frequency`](Self::frequency), unless `progress` is cancelled;
    /// it is not used for anything else.
    ///
    /// # Errors
    ///
    /// Fails like [`frequency`](Self::frequency), and soon after a cancellation.
    pub fn frequency_unless(
        self,
        plan: &WeightedPlan,
        data: &Data<usize>,
        progress: &Progress,
    ) -> Result<Errors> {
        self.frequencies_unless(&[(plan, plan.chosen())], data, progress)
            .map(|mut errors| errors.swap_remove(0))
    }

    /// Errors of several frequencies, each of a plan and one of the estimators that it compares,
    /// all with the same data and random numbers.
    ///
    /// # Errors
    ///
    /// Fails like [`Simulation::frequency`].
    pub fn frequencies(
        self,
        contenders: &[(&WeightedPlan, &Candidate)],
        data: &Data<usize>,
    ) -> Result<Vec<Errors>> {
        self.frequencies_unless(contenders, data, &Progress::default())
    }

    fn frequencies_unless(
        self,
        contenders: &[(&WeightedPlan, &Candidate)],
        data: &Data<usize>,
        progress: &Progress,
    ) -> Result<Vec<Errors>> {
        for (plan, _) in contenders {
            let Some(categories) = plan.setting().categories else {
                return Err(Error::request("simulation", "the plan is for a mean")
                    .with_fix("use Simulation::mean, or Simulation::means for several"));
            };
            if data.truth().is_some_and(|truth| truth.len() != categories)
                || data.exceeds(categories)
            {
                return Err(Error::request(
                    "simulation",
                    "the data have other categories than the plan",
                )
                .with_fix(
                    "number categories from 0 on as the plan does, and give the truth of each",
                ));
            }
        }
        self.run(contenders, data, trial::frequency, progress)
    }

    /// Errors of all designs over all trials.
    fn run<T: Copy + Sync>(
        self,
        contenders: &[(&WeightedPlan, &Candidate)],
        data: &Data<T>,
        trial: Trial<T>,
        progress: &Progress,
    ) -> Result<Vec<Errors>>
    where
        Data<T>: Sync,
    {
        if self.trials == 0 {
            return Err(Error::parameter("simulation", "there must be at least one trial")
                .with_fix("for example 1000 trials"));
        }
        let sizes = || contenders.iter().map(|(plan, _)| plan.setting().profile.records());
        let records = sizes().next().unwrap_or(0);
        if sizes().any(|n| n != records) || data.records().is_some_and(|n| n as u64 != records) {
            return Err(Error::request(
                "simulation",
                "the data have another number of records than the profile",
            )
            .with_fix(
                "give one value for each person of the profile, and compare plans for one profile",
            ));
        }
        let chunks = (0..self.trials.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                if progress.is_cancelled() {
                    return Err(
                        Error::request("simulation", "it was cancelled").with_fix("start it again")
                    );
                }
                let mut dice = Dice::new(self.seed, chunk as u64);
                let trials = CHUNK.min(self.trials - chunk * CHUNK);
                let mut errors = vec![Vec::with_capacity(trials); contenders.len()];
                let mut values = Vec::new();
                for number in 0..trials {
                    data.fill(records as usize, &mut dice, &mut values);
                    let noise = Dice::new(self.seed, NOISE + (chunk * CHUNK + number) as u64);
                    for ((plan, candidate), errors) in contenders.iter().zip(&mut errors) {
                        let (design, truth) = (&candidate.design, data.truth());
                        errors.push(trial(
                            plan,
                            design,
                            &values,
                            truth,
                            self.released,
                            &mut noise.clone(),
                        ));
                    }
                }
                Ok(errors)
            })
            .collect::<Result<Vec<Vec<Vec<f64>>>>>()?;
        let of =
            |index: usize| chunks.iter().flat_map(|chunk| chunk[index].iter().copied()).collect();
        Ok((0..contenders.len()).map(|index| Errors::new(of(index))).collect())
    }
}

/// Function that computes the error of one trial: of a plan and one of its designs, with these
/// values and this truth, as released or not.
type Trial<T> = fn(&WeightedPlan, &Design, &[T], Option<&[f64]>, bool, &mut Dice) -> f64;
