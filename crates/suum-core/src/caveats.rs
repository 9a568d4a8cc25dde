//! What a release says of its own limits.

use crate::assumption::{Assumption, EQUAL, of_target};
use crate::{
    AddRemoveAnswer, AddRemoveRelease, Bounds, Estimator, ExpectedError, FrequencyRelease,
    Interval, LearnedVariance, Protected, Quantile, QuantileRelease, Release, Replacement,
    SummaryRelease, Target, VarianceRelease,
};

/// What every release says of its own limits: whom it protects, what stands in place of missing
/// values, what its intervals take for granted, and which of its answers say next to nothing.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let grid = Grid::new(Bounds::new(0.0, 10.0)?);
/// let sums = vec![ExactSum::from_raw(i128::from(grid.points()))];
/// let two = Cohort {
///     label: None,
///     epsilon: Epsilon::new(0.1)?,
///     count: 2,
///     sums,
///     cells: Default::default(),
/// };
/// let table = LevelTable::new(None, Measure::Numbers(grid.into()), vec![two])?;
/// let request = Request::new(Statistic::Mean, grid.bounds(), Options::default())?;
/// let release =
///     request.plan(table.profile()?)?.release(table, &mut Randomness::insecure(1))?;
/// assert_eq!(release.uninformative(), ["mean"]);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub trait Caveats {
    /// Whom the guarantee is about.
    fn protects(&self) -> Protected;

    /// What stands in place of missing values, if anything does.
    fn missing(&self) -> Option<&Replacement>;

    /// What the intervals take for granted; nothing, where all numbers are exact.
    fn assumptions(&self) -> Vec<Assumption>;

    /// The answers whose intervals are nearly all that the answer can be at all: a statistic, a
    /// category, or a quantile such as `0.5`.
    fn uninformative(&self) -> Vec<String>;
}

impl Caveats for Release {
    fn protects(&self) -> Protected {
        Protected::by(self.person.as_deref())
    }

    fn missing(&self) -> Option<&Replacement> {
        self.missing.as_ref()
    }

    fn assumptions(&self) -> Vec<Assumption> {
        let Some(plan) = self.plan.as_ref().filter(|_| self.interval.is_some()) else {
            return Vec::new();
        };
        let mut assumed = plan.assumptions(self.protects());
        // What was declared to the plan is a bound that was bought.
        if matches!(self.learned, Some(LearnedVariance { bound: Some(_), .. })) {
            assumed.retain(|one| !matches!(one, Assumption::DeclaredVariance(_)));
            assumed.push(Assumption::PrivateVariance);
        }
        assumed
    }

    fn uninformative(&self) -> Vec<String> {
        let (Some(plan), Some(interval)) = (&self.plan, self.interval) else { return Vec::new() };
        let (bounds, unit) = (plan.setting().bounds, plan.unit());
        let all = (bounds.lower() * unit, bounds.upper() * unit);
        let useless = interval.is_nearly_all_of(all.0, all.1);
        useless.then(|| self.statistic.name().to_owned()).into_iter().collect()
    }
}

impl Caveats for FrequencyRelease {
    fn protects(&self) -> Protected {
        Protected::by(self.person.as_deref())
    }

    fn missing(&self) -> Option<&Replacement> {
        self.missing.as_ref()
    }

    fn assumptions(&self) -> Vec<Assumption> {
        self.plan.assumptions(self.protects())
    }

    fn uninformative(&self) -> Vec<String> {
        names(
            self.frequencies
                .iter()
                .map(|one| (one.category.clone(), Some(one.interval), Bounds::UNIT)),
        )
    }
}

impl Caveats for QuantileRelease {
    fn protects(&self) -> Protected {
        Protected::by(self.person.as_deref())
    }

    fn missing(&self) -> Option<&Replacement> {
        self.missing.as_ref()
    }

    fn assumptions(&self) -> Vec<Assumption> {
        if self.quantiles.iter().all(|one| one.interval.is_none()) {
            return Vec::new();
        }
        let equal = self.plan.chosen().weights.distance(self.plan.profile()) < EQUAL;
        let target = self.plan.request().options().target;
        let mut assumed = of_target(target, self.protects(), equal);
        // Ranks are bounded without an approximation.
        assumed.retain(|one| *one != Assumption::SamplingIsNormal);
        assumed.extend(self.plan.request().options().whole.then_some(Assumption::OnStep));
        assumed
    }

    fn uninformative(&self) -> Vec<String> {
        useless_quantiles(&self.quantiles, self.plan.request().bounds(), &self.error)
    }
}

impl Caveats for VarianceRelease {
    fn protects(&self) -> Protected {
        Protected::by(self.person.as_deref())
    }

    fn missing(&self) -> Option<&Replacement> {
        self.missing.as_ref()
    }

    fn assumptions(&self) -> Vec<Assumption> {
        let equal = self.plan.weights().distance(self.plan.profile()) < EQUAL;
        let mut assumed = of_target(self.plan.request().options().target, self.protects(), equal);
        // The noises of the sum and of the squares.
        assumed.extend((self.plan.noise_scale() > 0.0).then_some(Assumption::NoiseIsNormal));
        assumed
    }

    fn uninformative(&self) -> Vec<String> {
        let bounds = self.plan.request().bounds();
        let half = bounds.width() / 2.0;
        let says_nothing = [
            ("variance", self.variance.interval.is_nearly_all_of(0.0, half * half)),
            ("deviation", self.deviation.interval.is_nearly_all_of(0.0, half)),
            ("mean", self.mean.interval.is_nearly_all_of(bounds.lower(), bounds.upper())),
        ];
        let useless = says_nothing.into_iter().filter(|(_, useless)| *useless);
        useless.map(|(name, _)| name.to_owned()).collect()
    }
}

impl Caveats for SummaryRelease {
    fn protects(&self) -> Protected {
        Protected::by(self.person.as_deref())
    }

    fn missing(&self) -> Option<&Replacement> {
        self.missing.as_ref()
    }

    fn assumptions(&self) -> Vec<Assumption> {
        let mut assumed = Vec::new();
        let parts = [
            self.mean.as_ref().map(Release::assumptions),
            self.variance.as_ref().map(VarianceRelease::assumptions),
            self.quantiles.as_ref().map(QuantileRelease::assumptions),
        ];
        for one in parts.into_iter().flatten().flatten() {
            if !assumed.contains(&one) {
                assumed.push(one);
            }
        }
        assumed
    }

    fn uninformative(&self) -> Vec<String> {
        let parts = [
            self.mean.as_ref().map(Release::uninformative),
            self.variance.as_ref().map(VarianceRelease::uninformative),
            self.quantiles.as_ref().map(QuantileRelease::uninformative),
        ];
        let all = parts.into_iter().flatten().flatten();
        all.filter(|name| self.statistics.mean || name != "mean").collect()
    }
}

impl Caveats for AddRemoveRelease {
    fn protects(&self) -> Protected {
        Protected::by(self.person.as_deref())
    }

    fn missing(&self) -> Option<&Replacement> {
        self.missing.as_ref()
    }

    fn assumptions(&self) -> Vec<Assumption> {
        let noises = match &self.answer {
            AddRemoveAnswer::Number { interval: None, .. } => return Vec::new(),
            AddRemoveAnswer::Frequencies { frequencies, .. } => frequencies.len(),
            _ => 1,
        };
        // The law of two noises together is known exactly; of more it is not.
        let normal = (noises > 2).then_some(Assumption::NoiseIsNormal);
        // No sampling error: a count, or equal weights and the target dataset. What is assumed must
        // not depend on the data, so the error itself is not asked.
        let equal = self.target == Target::Dataset && self.estimator == Estimator::Uniform;
        if self.statistic == "count" || equal {
            return normal.into_iter().collect();
        }
        let mut assumed = of_target(self.target, self.protects(), false);
        assumed.retain(|one| *one != Assumption::SamplingIsNormal);
        // Ranks are bounded without an approximation.
        if !matches!(self.answer, AddRemoveAnswer::Quantiles { .. }) {
            assumed.push(Assumption::SamplingIsEstimated);
        }
        assumed.extend(normal);
        let on_steps = matches!(self.answer, AddRemoveAnswer::Quantiles { on_steps: true, .. });
        assumed.extend(on_steps.then_some(Assumption::OnStep));
        assumed
    }

    fn uninformative(&self) -> Vec<String> {
        match &self.answer {
            AddRemoveAnswer::Number { interval: None, .. } => Vec::new(),
            AddRemoveAnswer::Number { interval: Some(interval), .. } => {
                let useless = match self.bounds.filter(|_| self.statistic == "mean") {
                    Some(bounds) => interval.is_nearly_all_of(bounds.lower(), bounds.upper()),
                    // Sums and counts have no largest value.
                    None => !(interval.upper - interval.lower).is_finite(),
                };
                useless.then(|| self.statistic.to_owned()).into_iter().collect()
            }
            AddRemoveAnswer::Frequencies { frequencies, .. } => names(
                frequencies
                    .iter()
                    .map(|one| (one.category.clone(), Some(one.interval), Bounds::UNIT)),
            ),
            AddRemoveAnswer::Quantiles { quantiles, .. } => {
                useless_quantiles(quantiles, self.bounds.unwrap_or(Bounds::UNIT), &self.error)
            }
        }
    }
}

/// The expected error of a rank, as a share of all records, from which on an estimate without an
/// interval says next to nothing: a rank drawn blindly is off by 0.29 or more.
const BLIND: f64 = 0.25;

/// The quantiles whose intervals are nearly all of the bounds; and, where there is no interval, all
/// whose rank is expected to be about as far off as a blind guess.
fn useless_quantiles(quantiles: &[Quantile], bounds: Bounds, error: &ExpectedError) -> Vec<String> {
    let says_nothing = |one: &&Quantile| match one.interval {
        Some(interval) => interval.is_nearly_all_of(bounds.lower(), bounds.upper()),
        None => error.rmse >= BLIND,
    };
    quantiles.iter().filter(says_nothing).map(|one| one.q.to_string()).collect()
}

/// The names of the answers whose intervals are nearly all that the answer can be at all.
fn names(answers: impl IntoIterator<Item = (String, Option<Interval>, Bounds)>) -> Vec<String> {
    let says_nothing = |interval: Option<Interval>, all: Bounds| {
        interval.is_some_and(|interval| interval.is_nearly_all_of(all.lower(), all.upper()))
    };
    let answers = answers.into_iter();
    let useless = answers.filter(|(_, interval, all)| says_nothing(*interval, *all));
    useless.map(|(name, _, _)| name).collect()
}
