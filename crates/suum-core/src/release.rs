//! The release of a mean, a sum or a count: what may be published, with a certificate per cohort.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::{Serialize, Serializer};

use crate::interval::Interval;
use crate::mechanism::{CohortSums, Noisy};
use crate::session::Session;
use crate::{
    Bounds, Cohort, Epsilon, Error, FoundRange, LevelTable, Loss, Mechanism, Neighbors, Options,
    Plan, Randomness, Replacement, Request, Result, Statistic,
};

/// One line of the certificate: what the people of a cohort allowed, and what this release cost
/// each of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spending {
    /// The tier's name, or its ε where budgets are numbers.
    pub level: String,
    /// What each record allowed.
    #[serde(serialize_with = "written")]
    pub epsilon: Epsilon,
    /// How many records there are (public under replace-one).
    pub count: u64,
    /// The exact loss of each record; never above `epsilon`.
    pub spent: Loss,
    /// One record's (expected) share of the estimate; NaN where several statistics weigh records
    /// differently.
    pub weight: f64,
}

/// A budget as people would write it.
fn written<S: Serializer>(
    epsilon: &Epsilon,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    epsilon.written().serialize(serializer)
}

/// The error that the estimate is expected to have, in its units.
///
/// For a frequency the noise is that of the largest of all categories, and sampling that of the
/// worst.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExpectedError {
    /// The standard deviation of the noise.
    pub noise_sd: f64,
    /// The root of the sampling (or weighting) part of the risk.
    pub sampling_sd: f64,
    /// The root of the mean squared error, before any shrinkage or projection.
    pub rmse: f64,
}

/// What was found out about the variance before a mean was planned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LearnedVariance {
    /// The part of every budget that it cost; zero if it was not worth measuring.
    pub share: f64,
    /// A variance that the data exceed with a probability of at most 1/200, in squared units of the
    /// data. The mean was planned, and its interval made, as if it had been declared; `None` if it
    /// says no more than the bounds do.
    pub bound: Option<f64>,
}

/// A private number with everything about it that may be published, and nothing else.
///
/// The only private ingredient is the noisy sum; all else is a function of the public plan. It
/// serialises to the JSON of the command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Release {
    /// What was estimated.
    pub statistic: Statistic,
    /// The name of the value column, if there is one.
    pub column: Option<String>,
    /// The column that names persons, where a record is a person.
    pub person: Option<String>,
    /// What stands in place of missing values, if anything does.
    pub missing: Option<Replacement>,
    /// The variance that was measured first, where that was asked for.
    pub learned: Option<LearnedVariance>,
    /// The range that was found first, where no bounds were declared.
    pub range: Option<FoundRange>,
    /// The estimate, in units of the statistic.
    pub estimate: f64,
    /// A confidence interval for the estimand of the target; `None` where the bounds were learned
    /// from the data ([`no_interval`](Self::no_interval) says why).
    pub interval: Option<Interval>,
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
    /// Spends the budgets: adds the noise and turns exact sums into a publishable number.
    ///
    /// The table and the plan are consumed: one plan, one draw of noise, one release.
    ///
    /// # Errors
    ///
    /// Refuses a table whose profile or grid is not the one the plan was made for, and a plan for
    /// frequencies.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let bounds = Bounds::new(0.0, 10.0)?;
    /// let grid = Grid::new(bounds);
    /// let sum = ExactSum::from_raw(1000 * i128::from(grid.points()) / 4); // 1000 people, mean 2.5
    /// let cohort = Cohort {
    ///     label: None,
    ///     epsilon: Epsilon::new(1.0)?,
    ///     count: 1000,
    ///     sums: vec![sum],
    ///     cells: Default::default(),
    /// };
    /// let table =
    ///     LevelTable::new(Some("visits".into()), Measure::Numbers(grid.into()), vec![cohort])?;
    ///
    /// let request = Request::new(Statistic::Mean, bounds, Options::default())?;
    /// let plan = request.plan(table.profile()?)?;
    /// let release = plan.release(table, &mut Randomness::insecure(1))?;
    /// assert!((release.estimate - 2.5).abs() < 0.2);
    /// assert!(release.privacy[0].spent.within(Epsilon::new(1.0)?));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::known(self.allowed(), randomness);
        self.release_in(&table, &mut session)
    }

    /// As [`release`](Self::release), from a table of which other parts of the budget are still to
    /// be spent.
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        if table.grid() != Some(self.grid()) || self.request().categories().is_some() {
            return Err(Error::table("level table: its bounds or grid are not those of the plan")
                .with_hint("make the table with the same bounds, or plan with the table's"));
        }
        let share = self.noisy_shares(table, session)?.first().copied().unwrap_or(0.0);

        // From here on: post-processing of the noisy share and public facts.
        let bounds = self.setting().bounds;
        let unclamped = bounds.lower() + bounds.width() * share;
        let estimate = bounds.clamp(unclamped);
        let reach = self.reach();
        let interval = Interval {
            confidence: self.request().options().confidence,
            lower: bounds.clamp(estimate - reach),
            upper: bounds.clamp(estimate + reach),
        };
        let estimate = match self.shrinkage() {
            Some(shrinkage) => {
                bounds.midpoint() + shrinkage.factor * (estimate - bounds.midpoint())
            }
            None => estimate,
        };
        // Widening covers no less, and an estimate outside its own interval would puzzle everybody.
        let interval = Interval {
            lower: interval.lower.min(estimate),
            upper: interval.upper.max(estimate),
            ..interval
        };
        let unit = self.unit();
        Ok(Release {
            statistic: self.request().statistic(),
            column: table.column().map(str::to_owned),
            person: table.person().map(str::to_owned),
            missing: table.missing().cloned(),
            learned: None,
            range: None,
            estimate: estimate * unit,
            interval: Some(Interval {
                lower: interval.lower * unit,
                upper: interval.upper * unit,
                ..interval
            }),
            error: self.expected_error(),
            privacy: self.certificate(table, session),
            plan: Some(self),
            private: session.is_private(),
        })
    }

    /// Runs the mechanism on the table: the estimate as a share of the range, per component.
    ///
    /// The one call from which private numbers reach post-processing, with noise.
    pub(crate) fn noisy_shares(
        &self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Vec<f64>> {
        table.check_for(self.allowed())?;
        session.begin(self.part().share());
        let cohorts: Vec<CohortSums<'_>> = table
            .cohorts()
            .iter()
            .filter_map(|cohort| {
                Some(CohortSums {
                    position: self.position(cohort.epsilon)?,
                    count: cohort.count,
                    sums: &cohort.sums,
                })
            })
            .collect();
        Ok(self.shares(session.measure(&self.measurement(), cohorts)?))
    }

    /// Noisy sums as shares of the range.
    fn shares(&self, noisy: Noisy) -> Vec<f64> {
        let ratio = |numerator: IBig, denominator: UBig| {
            RBig::from_parts(numerator, denominator).to_f64().value()
        };
        // One step of the sums as a share of the range.
        let points = if self.setting().categories.is_some() {
            UBig::ONE
        } else {
            self.grid().points().into()
        };
        match (self.mechanism(), noisy) {
            (Mechanism::WeightedSum(weighted), Noisy::Total(components)) => {
                let whole = weighted.total_weight() * points;
                components.into_iter().map(|noisy| ratio(noisy, whole.clone())).collect()
            }
            (_, Noisy::Total(components)) => {
                components.into_iter().map(|noisy| ratio(noisy, points.clone())).collect()
            }
            (mechanism, Noisy::PerLevel(levels)) => {
                let rappor = matches!(mechanism, Mechanism::Rappor(_));
                let points = match mechanism {
                    Mechanism::LevelSums(sums) => points * UBig::from(sums.steps()),
                    _ => points,
                };
                let mut shares = vec![0.0; self.setting().categories.unwrap_or(1)];
                let weights = self.chosen().design.weights.per_level();
                for ((level, components), weight) in
                    self.setting().profile.levels().iter().zip(levels).zip(weights)
                {
                    for (share, noisy) in shares.iter_mut().zip(components) {
                        let sum = ratio(noisy, points.clone());
                        *share += weight
                            * if rappor {
                                debiased(sum, level.count as f64, level.epsilon)
                            } else {
                                sum
                            };
                    }
                }
                shares
            }
        }
    }

    /// The certificate: what each cohort allowed and lost.
    pub(crate) fn certificate(&self, table: &LevelTable, session: &Session<'_>) -> Vec<Spending> {
        let weights = self.chosen().design.weights.per_level();
        table
            .cohorts()
            .iter()
            .filter_map(|cohort| {
                let position = self.position(cohort.epsilon)?;
                let spent = session.account().spent_in_part(cohort.epsilon);
                Some(spending(cohort, spent, weights[position]))
            })
            .collect()
    }

    pub(crate) fn expected_error(&self) -> ExpectedError {
        let (risk, unit) = (self.chosen().risk, self.unit());
        ExpectedError {
            noise_sd: risk.noise_sd() * unit,
            sampling_sd: risk.sampling_sd() * unit,
            rmse: risk.rmse() * unit,
        }
    }
}

/// Why a mean without declared bounds has no interval.
pub(crate) const CLIPPED: &str = "the bounds were learned from the data, and values beyond them \
    were moved to them; by how much that changes the mean is not known, and it can be many times \
    the expected error";

/// Σ coth(ε/4)·(bit − f) over n flipped bits of which `ones` are set, with f = 1/(1 + e^{ε/2}).
fn debiased(ones: f64, n: f64, epsilon: Epsilon) -> f64 {
    if epsilon.is_public() {
        return ones;
    }
    if epsilon.is_unused() {
        return 0.0;
    }
    let epsilon = epsilon.get();
    (ones - n / (1.0 + (epsilon / 2.0).exp())) / (epsilon / 4.0).tanh()
}

pub(crate) fn spending(cohort: &Cohort, spent: Loss, weight: f64) -> Spending {
    Spending {
        level: cohort.label.clone().unwrap_or_else(|| cohort.epsilon.written().to_string()),
        epsilon: cohort.epsilon,
        count: cohort.count,
        spent,
        weight,
    }
}

impl Release {
    /// The number of records, which under replace-one neighbours is public and costs nobody
    /// anything.
    ///
    /// # Errors
    ///
    /// Refuses options that make no sense.
    pub fn count(table: &LevelTable, options: &Options) -> Result<Self> {
        // The bounds play no part in a count.
        Request::new(Statistic::Count, Bounds::UNIT, options.clone())?;
        let n = table.records() as f64;
        Ok(Self {
            statistic: Statistic::Count,
            column: None,
            person: table.person().map(str::to_owned),
            missing: table.missing().cloned(),
            learned: None,
            range: None,
            estimate: n,
            interval: Some(Interval { confidence: options.confidence, lower: n, upper: n }),
            error: ExpectedError { noise_sd: 0.0, sampling_sd: 0.0, rmse: 0.0 },
            privacy: table
                .cohorts()
                .iter()
                .map(|cohort| spending(cohort, Loss::ZERO, 0.0))
                .collect(),
            plan: None,
            private: true,
        })
    }

    /// Why there is no interval; `None` if there is one.
    pub fn no_interval(&self) -> Option<&'static str> {
        self.interval.is_none().then_some(CLIPPED)
    }

    /// Which datasets the release does not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        self.plan.as_ref().map_or(Neighbors::ReplaceOne, |plan| plan.request().options().neighbors)
    }
}
