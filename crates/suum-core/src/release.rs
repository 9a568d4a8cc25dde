//! The release: what may be published, with a certificate per cohort.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::Serialize;

use crate::interval::{self, Interval};
use crate::{
    Epsilon, Error, LevelTable, Loss, Neighbors, Options, Plan, Randomness, Request, Result, Risk, Statistic,
    Target,
};

/// One line of the certificate: what the people of a cohort allowed, and what this release cost each of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spending {
    /// The tier's name, or its ε where budgets are numbers.
    pub level: String,
    /// What each record allowed.
    pub epsilon: Epsilon,
    /// How many records there are (public under replace-one).
    pub count: u64,
    /// The exact loss of each record; never above `epsilon`.
    pub spent: Loss,
    /// One record's share of the estimate.
    pub weight: f64,
}

/// The error that the estimate is expected to have, in its units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExpectedError {
    /// The standard deviation of the noise.
    pub noise_sd: f64,
    /// The root of the sampling (or weighting) part of the risk.
    pub sampling_sd: f64,
    /// The root of the mean squared error, before any shrinkage.
    pub rmse: f64,
}

/// A private estimate with everything about it that may be published, and nothing else.
///
/// The only private ingredient is the noisy sum; all else is a function of the public plan. It serialises to
/// the JSON of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Release {
    /// What was estimated.
    pub statistic: Statistic,
    /// The name of the value column, if there is one.
    pub column: Option<String>,
    /// The estimate, in units of the statistic.
    pub estimate: f64,
    /// A confidence interval for the estimand of the target.
    pub interval: Interval,
    /// The expected error.
    pub error: ExpectedError,
    /// Per cohort: allowed and spent.
    pub privacy: Vec<Spending>,
    /// The plan that was followed; `None` for a count, which needs none.
    pub plan: Option<Plan>,
    /// Whether the noise came from secret entropy. If not, the release protects nobody.
    pub private: bool,
}

impl Plan {
    /// Spends the budgets: adds the noise and turns exact sums into a publishable release.
    ///
    /// The table and the plan are consumed: one plan, one draw of noise, one release.
    ///
    /// # Errors
    ///
    /// Refuses a table whose profile or grid is not the one the plan was made for.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let bounds = Bounds::new(0.0, 10.0)?;
    /// let grid = Grid::new(bounds);
    /// let sum = ExactSum::from_raw(1000 * i128::from(grid.points()) / 4); // 1000 people, mean 2.5
    /// let cohort = Cohort { label: None, epsilon: Epsilon::new(1.0)?, count: 1000, sum };
    /// let table = LevelTable::new(Some("visits".into()), Some(grid), vec![cohort])?;
    ///
    /// let request = Request::new(Statistic::Mean, bounds, Options::default())?;
    /// let plan = request.plan(table.profile()?)?;
    /// let release = plan.release(table, &mut Randomness::insecure(1))?;
    /// assert!((release.estimate - 2.5).abs() < 0.2);
    /// assert!(release.privacy[0].spent.within(Epsilon::new(1.0)?));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let grid = self.grid();
        if table.grid() != Some(grid) {
            return Err(Error::table("level table: its bounds or grid are not those of the plan")
                .with_hint("make the table with the same bounds, or plan with the table's"));
        }
        let profile = &self.setting().profile;
        if table.profile()? != *profile {
            return Err(Error::table("level table: its levels and counts are not those of the plan"));
        }
        let positions: Vec<usize> =
            table.cohorts().iter().filter_map(|cohort| profile.position(cohort.epsilon)).collect();
        let sums = positions.iter().copied().zip(table.cohorts().iter().map(|cohort| cohort.sum.clone()));
        let noisy = self.mechanism().release(sums, randomness);

        // From here on: post-processing of the noisy sum and public facts.
        let bounds = self.setting().bounds;
        let estimate = bounds.clamp(bounds.lower() + bounds.width() * self.noisy_share(noisy));
        let interval = self.interval(estimate);
        let estimate = match self.shrinkage() {
            Some(shrinkage) => bounds.midpoint() + shrinkage.factor * (estimate - bounds.midpoint()),
            None => estimate,
        };
        let per_record = match self.request().statistic() {
            Statistic::Sum => self.setting().records(),
            Statistic::Mean | Statistic::Count => 1.0,
        };
        let privacy = table
            .cohorts()
            .iter()
            .zip(positions)
            .map(|(cohort, position)| Spending {
                level: cohort.label.clone().unwrap_or_else(|| cohort.epsilon.to_string()),
                epsilon: cohort.epsilon,
                count: cohort.count,
                spent: self.mechanism().loss(position),
                weight: self.realised_weight(position),
            })
            .collect();
        Ok(Release {
            statistic: self.request().statistic(),
            column: table.column().map(str::to_owned),
            estimate: estimate * per_record,
            interval: Interval {
                lower: interval.lower * per_record,
                upper: interval.upper * per_record,
                ..interval
            },
            error: ExpectedError::of(self.chosen().risk, per_record),
            privacy,
            plan: Some(self),
            private: randomness.is_private(),
        })
    }

    /// (A + K)/(G·Σ W), correctly rounded: the estimate as a share of the range.
    fn noisy_share(&self, noisy: IBig) -> f64 {
        let whole = self.mechanism().total_weight() * UBig::from(self.mechanism().points());
        RBig::from_parts(noisy, whole).to_f64().value()
    }

    /// One record's share of the estimate, as the integers have it.
    fn realised_weight(&self, position: usize) -> f64 {
        let total = self.mechanism().total_weight().clone();
        match self.mechanism().weights().get(position) {
            Some(weight) => RBig::from_parts(IBig::from(weight.clone()), total).to_f64().value(),
            None => 0.0,
        }
    }

    /// The interval around an estimate of the mean.
    ///
    /// Noise and the normal approximation of the sampling error together, plus half a step of the coarsest
    /// lattice the weighted sum can move on (a continuity correction: without it a two-valued population is
    /// covered too rarely) and half a step of the grid. For `dataset-correlated` the weighting error is
    /// added at its worst instead, which is a guarantee.
    fn interval(&self, estimate: f64) -> Interval {
        let setting = self.setting();
        let confidence = self.request().options().confidence;
        let candidate = self.chosen();
        let weights = &candidate.design.weights;
        let width = setting.bounds.width();
        let eta = width * weights.noise(&setting.profile);
        let sd = candidate.risk.sampling_sd();
        let least = weights.per_level().iter().copied().fold(f64::INFINITY, f64::min);
        let reach = match setting.target {
            Target::Population => interval::half_width(confidence, eta, sd) + width * weights.largest() / 2.0,
            Target::Dataset => {
                interval::half_width(confidence, eta, sd) + width * (weights.largest() - least) / 2.0
            }
            Target::DatasetCorrelated => interval::half_width(confidence, eta, 0.0) + sd,
        } + width / (2.0 * self.grid().points() as f64);
        Interval {
            confidence,
            lower: setting.bounds.clamp(estimate - reach),
            upper: setting.bounds.clamp(estimate + reach),
        }
    }
}

impl ExpectedError {
    fn of(risk: Risk, per_record: f64) -> Self {
        Self {
            noise_sd: risk.noise_sd() * per_record,
            sampling_sd: risk.sampling_sd() * per_record,
            rmse: risk.rmse() * per_record,
        }
    }
}

impl Release {
    /// The number of records, which under replace-one neighbours is public and costs nobody anything.
    ///
    /// # Errors
    ///
    /// None at present: under replace-one a count is always possible.
    pub fn count(table: &LevelTable, options: &Options) -> Result<Self> {
        // The bounds play no part in a count.
        Request::new(Statistic::Count, crate::Bounds::UNIT, options.clone())?;
        let n = table.records() as f64;
        let spending = |cohort: &crate::Cohort| Spending {
            level: cohort.label.clone().unwrap_or_else(|| cohort.epsilon.to_string()),
            epsilon: cohort.epsilon,
            count: cohort.count,
            spent: Loss::ZERO,
            weight: 0.0,
        };
        Ok(Self {
            statistic: Statistic::Count,
            column: None,
            estimate: n,
            interval: Interval { confidence: options.confidence, lower: n, upper: n },
            error: ExpectedError { noise_sd: 0.0, sampling_sd: 0.0, rmse: 0.0 },
            privacy: table.cohorts().iter().map(spending).collect(),
            plan: None,
            private: true,
        })
    }

    /// Which datasets the release does not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.plan.as_ref().map_or(Neighbors::ReplaceOne, |plan| plan.request().options().neighbors)
    }
}
