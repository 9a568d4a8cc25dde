//! Simulations of one column with its bounds and people, by each method.

use rayon::prelude::*;
use suum::simulation::Dice;
use suum::{
    Bounds, Choice, Epsilon, Estimator, Grid, Level, MemoryRecords, Numbers, Options, Profile,
    Randomness, Records, Result, Statistic, Target, WeightedRequest,
};

use super::super::quantile::quantile;
use crate::outcome::Role;

/// Column, bounds and people.
pub(super) struct Cell {
    pub(super) name: String,
    pub(super) values: Vec<f64>,
    pub(super) bounds: Bounds,
    pub(super) budgets: Vec<Epsilon>,
    /// Target of the mean.
    pub(super) target: Target,
}

/// Results of each method in a cell.
pub(super) struct CellResult {
    pub(super) name: String,
    /// Least error in hindsight.
    pub(super) hindsight: f64,
    pub(super) ways: Vec<Way>,
}

/// Error, median half-width, and coverage of the interval.
pub(super) struct Way {
    pub(super) rmse: f64,
    pub(super) half_width: f64,
    pub(super) coverage: f64,
}

/// Methods that are compared: the worst case, one for an ordinary spread that is measured, the
/// default, and a variance that is known.
pub(super) const WAYS: [(&str, Role); 4] = [
    ("worst case", Role::Theirs),
    ("without learning", Role::Theirs),
    ("default", Role::Auto),
    ("known variance", Role::Bound),
];
pub(super) const DEFAULT: usize = 2;
pub(super) const KNOWN: usize = 3;

/// Quantiles that values are clamped to, in hindsight.
const QUANTILES: [f64; 7] = [0.0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1];

impl Cell {
    pub(super) fn measure(&self, trials: usize, seed: u64) -> Result<CellResult> {
        let truth = mean(&self.values);
        let variance = self.values.iter().map(|x| (x - truth).powi(2)).sum::<f64>();
        let variance = variance / self.values.len() as f64;
        let of = |change: &dyn Fn(&mut Options)| {
            let mut options = Options { target: self.target, ..Options::default() };
            change(&mut options);
            WeightedRequest::new(Statistic::Mean, self.bounds, options)
        };
        let worst = self.bounds.width() * self.bounds.width() / 4.0;
        let affine = Choice::Named(Estimator::Affine);
        let requests = [
            (of(&|options| options.estimator = affine)?, false),
            (of(&|_| {})?, true),
            (of(&|options| options.adapt = true)?, true),
            (
                of(&|options| {
                    options.estimator = affine;
                    options.variance = Some(variance.min(worst));
                })?,
                false,
            ),
        ];
        let trial = |trial: u64| self.trial(&requests, seed ^ trial);
        let trials: Vec<[Trial; WAYS.len()]> =
            (0..trials as u64).into_par_iter().map(trial).collect::<Result<_>>()?;
        let ways = (0..WAYS.len()).map(|way| Way::from_trials(trials.iter().map(|all| &all[way])));
        Ok(CellResult {
            name: self.name.clone(),
            hindsight: self.hindsight(truth)?,
            ways: ways.collect(),
        })
    }

    /// One draw of the records, and a release by each method.
    fn trial(
        &self,
        requests: &[(WeightedRequest, bool); WAYS.len()],
        seed: u64,
    ) -> Result<[Trial; WAYS.len()]> {
        let mut dice = Dice::new(seed, 0);
        let mut draw = || {
            let at = (dice.uniform() * self.values.len() as f64) as usize;
            self.values[at.min(self.values.len() - 1)]
        };
        let rows: Vec<(Epsilon, f64)> =
            self.budgets.iter().map(|budget| (*budget, draw())).collect();
        let drawn = rows.iter().map(|(_, value)| *value).collect::<Vec<f64>>();
        let truth = mean(if self.target == Target::Dataset { &drawn } else { &self.values });
        let mut records = MemoryRecords::new(rows)?;
        let mut trials = [Trial::default(); WAYS.len()];
        for ((request, squares), trial) in requests.iter().zip(&mut trials) {
            let numbers = request.numbers(Grid::new(self.bounds));
            // The worst case knows nothing of the spread.
            let numbers = Numbers { squares: *squares, ..numbers };
            let table = records.table(numbers)?;
            let plan = suum::WeightedPlan::new(request, table.profile()?, numbers)?;
            let release = plan.release(table, &mut Randomness::insecure(seed))?;
            *trial = Trial {
                error: release.estimate() - truth,
                half_width: release
                    .interval()
                    .map_or(f64::NAN, |interval| (interval.upper - interval.lower) / 2.0),
                is_covered: release
                    .interval()
                    .is_some_and(|interval| interval.lower <= truth && truth <= interval.upper),
            };
        }
        Ok(trials)
    }

    /// Least error of clamping to two quantiles of the column, with the best weights for the
    /// variance inside.
    fn hindsight(&self, truth: f64) -> Result<f64> {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| ((share * sorted.len() as f64) as usize).min(sorted.len() - 1);
        let profile = profile(&self.budgets)?;
        let mut least = f64::INFINITY;
        for below in QUANTILES {
            for above in QUANTILES {
                let (low, high) = (sorted[at(below)], sorted[sorted.len() - 1 - at(above)]);
                let Ok(bounds) = Bounds::new(low, high) else { continue };
                let n = sorted.len() as f64;
                let mean = sorted.iter().map(|x| bounds.clamp(*x)).sum::<f64>() / n;
                let squares = sorted.iter().map(|x| (bounds.clamp(*x) - mean).powi(2));
                let variance = squares.sum::<f64>() / n;
                let largest = bounds.width() * bounds.width() / 4.0;
                let options = Options {
                    estimator: Choice::Named(Estimator::Affine),
                    variance: Some(variance.clamp(largest * 1e-9, largest)),
                    target: self.target,
                    ..Options::default()
                };
                let plan = WeightedRequest::new(Statistic::Mean, bounds, options)?
                    .plan(profile.clone())?;
                least = least.min(plan.chosen().risk.total() + (mean - truth).powi(2));
            }
        }
        Ok(least.sqrt())
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Profile of people with these budgets.
pub(super) fn profile(budgets: &[Epsilon]) -> Result<Profile> {
    Profile::new(budgets.iter().map(|epsilon| Level { epsilon: *epsilon, count: 1 }))
}

/// One release.
#[derive(Debug, Clone, Copy, Default)]
struct Trial {
    error: f64,
    half_width: f64,
    is_covered: bool,
}

impl Way {
    fn from_trials<'t>(trials: impl Iterator<Item = &'t Trial>) -> Self {
        let trials: Vec<&Trial> = trials.collect();
        let n = trials.len() as f64;
        let squares: f64 = trials.iter().map(|trial| trial.error * trial.error).sum();
        let covered = trials.iter().filter(|trial| trial.is_covered).count();
        let widths = trials.iter().map(|trial| trial.half_width);
        Self {
            rmse: (squares / n).sqrt(),
            half_width: quantile(widths.collect(), 0.5),
            coverage: covered as f64 / n,
        }
    }
}
