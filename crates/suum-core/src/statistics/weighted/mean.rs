//! Release of a mean, a sum or frequencies.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::sensitivity::Side;
use crate::answer::interval::Interval;
use crate::answer::release::{self, Estimate};
use crate::private::level_mechanism::ExactSums;
use crate::private::mechanism::Noisy;
use crate::private::session::Session;
use crate::{
    Epsilon, Error, ExpectedError, LevelTable, Mechanism, PersonValue, Procedure, Quantity,
    Randomness, Release, Result, Risk, Setting, Statistic, Step, WeightedPlan,
};

impl WeightedPlan {
    /// Spends the budgets: adds the noise and turns exact sums into a publishable number.
    ///
    /// The table and the plan are consumed: one plan, one draw of noise, one release.
    ///
    /// # Errors
    ///
    /// Refuses a table whose profile, grid or categories are not those the plan was made for.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let bounds = Bounds::new(0.0, 10.0)?;
    /// let grid = Grid::new(bounds);
    /// let sum = ExactSum::from_raw(1000 * i128::from(grid.points()) / 4); // 1000 people, mean 2.5
    /// let level_sums = LevelSums {
    ///     label: None,
    ///     epsilon: Epsilon::new(1.0)?,
    ///     count: 1000,
    ///     sums: vec![sum],
    ///     cells: Default::default(),
    /// };
    /// let table =
    ///     LevelTable::new(Some("visits".into()), Measure::Numbers(grid.into()),
    ///     vec![level_sums])?;
    ///
    /// let request = WeightedRequest::new(Statistic::Mean, bounds, Options::default())?;
    /// let plan = WeightedPlan::new(&request, table.profile()?, grid)?;
    /// let release = plan.release(table, &mut Randomness::insecure(1))?;
    /// assert!((release.estimate() - 2.5).abs() < 0.2);
    /// assert!(release.privacy[0].spent.within(Epsilon::new(1.0)?));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn release(self, table: LevelTable, randomness: &mut Randomness) -> Result<Release> {
        let mut session = Session::for_profile(self.allowed(), randomness);
        self.release_in(&table, &mut session)
    }

    /// Releases the statistic in a session that may have spent other parts of the budgets; see
    /// [`release`](Self::release).
    pub(crate) fn release_in(
        self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        if self.request().categories().is_some() {
            return self.release_shares_in(table, session);
        }
        if table.grid() != Some(self.grid()) {
            return Err(Error::table(
                "level table",
                "its bounds or grid are not those of the plan",
            )
            .with_fix("make the table with the same bounds, or plan with the table's"));
        }
        let usual = PersonValue::for_statistic(self.request().statistic());
        table.check_persons(self.request().options().person_value(usual))?;
        table.check_for(self.allowed())?;
        if let Some(adaptive) = self.adaptive() {
            session.begin(self.part().share());
            return adaptive.release(&self, table, session);
        }
        let has_spread = self.measures_spread() || self.apart().is_some();
        if has_spread && !table.numbers().is_some_and(|numbers| numbers.squares) {
            return Err(Error::table("level table", "it has no squares, and the plan has")
                .with_fix("make the table with squares, or plan with the table's numbers"));
        }
        if let Some(apart) = self.apart().cloned() {
            session.begin(self.part().share());
            return apart.release(self, table, session);
        }
        let shares = self.noisy_shares(table, session)?;
        let share = shares.first().copied().unwrap_or(0.0);

        // From here on: post-processing of the noisy share and public facts.
        let bounds = self.setting().bounds;
        let unclamped = bounds.lower() + bounds.width() * share;
        let estimate = bounds.clamp(unclamped);
        let spread = self.moments(&shares).map(|moments| self.spread(moments));
        let ends = match &spread {
            Some(spread) => self.half_widths_with(share, spread),
            None => [self.end(), self.end()],
        };
        let [below, above] = ends.each_ref().map(|end| end.half_width);
        let interval = Interval {
            confidence: self.request().options().confidence,
            lower: bounds.clamp(estimate - below),
            upper: bounds.clamp(estimate + above),
        };
        let estimate = match self.shrinkage() {
            Some(shrinkage) => {
                bounds.midpoint() + shrinkage.factor * (estimate - bounds.midpoint())
            }
            None => estimate,
        };
        // Widening keeps the coverage, and an estimate outside its own interval would be confusing.
        let interval = Interval {
            lower: interval.lower.min(estimate),
            upper: interval.upper.max(estimate),
            ..interval
        };
        let unit = self.unit();
        let interval =
            Interval { lower: interval.lower * unit, upper: interval.upper * unit, ..interval };
        let of = match self.request().statistic() {
            Statistic::Sum => Quantity::Sum,
            _ => Quantity::Mean,
        };
        let sides = [Side::Whole, Side::Whole];
        let estimate = estimate * unit;
        let sensitivity = self.sensitivity(share, (estimate, interval), spread.as_ref(), sides);
        let interval = Some(self.interval_of(interval, sensitivity.as_deref()));
        let estimate = Estimate { of, estimate, interval, sensitivity };
        let expected = spread.map(|spread| self.error_with(self.likely_variance(share, &spread)));
        // A shrunk estimate is not the centre of its interval.
        let ends = ends.map(|end| Some(end.errors?.times(unit)));
        let ends =
            ends.into_iter().collect::<Option<Vec<_>>>().filter(|_| self.shrinkage().is_none());
        let mut release = self.published(vec![estimate], table, session)?;
        release.ends = ends;
        if let Some(spread) = spread {
            release.error = expected;
            release.steps.push(Step::Spread(spread));
        }
        Ok(release)
    }

    /// Runs the mechanism on the table. Returns the estimate as a share of the range, per
    /// component; with a measured spread the mean, and that of the products.
    ///
    /// This is the only call from which private numbers reach post-processing, with noise.
    pub(crate) fn noisy_shares(
        &self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Vec<f64>> {
        table.check_for(self.allowed())?;
        session.begin(self.part().share());
        self.measured_shares(table, session)
    }

    /// Runs the mechanism in the current part of the session; see
    /// [`noisy_shares`](Self::noisy_shares).
    pub(crate) fn measured_shares(
        &self,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Vec<f64>> {
        let by_level = self.part().by_level(table)?.into_iter().map(ExactSums::from_level);
        Ok(self.shares(session.measure(&self.measurement(), by_level.collect())?))
    }

    /// Returns noisy sums as shares of the range.
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
            (Mechanism::Totals(totals), Noisy::Total(components)) => {
                let whole = totals.total_weight() * points;
                let factors = totals.question().noise_factors();
                let components = components.into_iter().zip(factors);
                components.map(|(noisy, factor)| ratio(noisy, &whole * factor)).collect()
            }
            (Mechanism::WeightedCounts(counts), Noisy::Total(components)) => {
                let whole = counts.total_weight();
                components.into_iter().map(|noisy| ratio(noisy, whole.clone())).collect()
            }
            (_, Noisy::Total(components)) => {
                components.into_iter().map(|noisy| ratio(noisy, points.clone())).collect()
            }
            (mechanism, Noisy::PerLevel(levels)) => {
                let rappor = matches!(mechanism, Mechanism::Rappor(_));
                let points = match mechanism {
                    Mechanism::LevelLaplace(sums) => points * UBig::from(sums.steps()),
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

    /// Builds the release of estimates by this plan, with a certificate of everything that it
    /// spent.
    pub(crate) fn published(
        self,
        estimates: Vec<Estimate>,
        table: &LevelTable,
        session: &Session<'_>,
    ) -> Result<Release> {
        let weights = self.chosen().design.weights.per_level();
        let privacy = release::certificate(table, self.part(), weights, session)?;
        let error = Some(self.expected_error());
        let procedure = Procedure::Weighted(Box::new(self));
        Ok(Release::new(table, session, estimates, error, privacy, procedure))
    }

    pub(crate) fn expected_error(&self) -> ExpectedError {
        self.error_of(self.chosen().risk)
    }

    /// Returns a noisy sum as a share of all weight times the steps of the grid.
    pub(crate) fn ratio(noisy: Vec<IBig>, weight: &UBig, points: u64) -> f64 {
        let noisy = noisy.into_iter().next().unwrap_or(IBig::ZERO);
        RBig::from_parts(noisy, weight * UBig::from(points)).to_f64().value()
    }

    /// Returns the expected error for values of this variance, in squared units of the data.
    pub(crate) fn error_with(&self, variance: f64) -> ExpectedError {
        let setting = Setting { variance, ..self.setting().clone() };
        self.error_of(self.chosen().design.risk(&setting))
    }

    fn error_of(&self, risk: Risk) -> ExpectedError {
        let unit = self.unit();
        ExpectedError {
            noise_sd: risk.noise_sd() * unit,
            sampling_sd: risk.sampling_sd() * unit,
            rmse: risk.rmse() * unit,
        }
    }
}

/// Returns Σ coth(ε/4)·(bit − f) over n flipped bits of which `ones` are set, with f = 1/(1 +
/// e^{ε/2}).
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
