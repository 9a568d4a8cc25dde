//! What of a release becomes which part of its JSON.

use std::borrow::Cow;

use super::{
    Answers, ComparedRecord, Dated, EstimateRecord, LearnedRangeRecord, MarginRecord, MethodRecord,
    Parts, QuantileRecord, Record, ShareRecord, Split,
};
use crate::quantile::{Compared as ComparedQuantiles, noise as noise_of_quantiles};
use crate::record::{
    Compared, ErrorRecord, EstimatorRecord, NoiseRecord, ShareOfBudget, ShrinkageRecord,
};
use crate::release::{AddRemoveProcedure, Estimate, Noise, Procedure, Quantity, Release};
use crate::variance::noise as noise_of_variance;
use crate::{GroupName, Neighbors, QuantilePlan, RangePlan, TimeScale, WeightedPlan};

impl<'a> Record<'a> {
    pub(super) fn of(release: &'a Release) -> Self {
        let record = Self {
            statistic: release.statistic(),
            column: release.columns(),
            person: release.person.as_deref(),
            contribution: release.contribution(),
            bounds_of: release.counts_totals().then_some("total of each person"),
            unit: release.scale().map(|scale| scale.to_string()),
            answers: Answers::of(release),
            post: None,
            simultaneous: None,
            no_interval: release.no_interval().map(Some),
            protects: release.protects(),
            missing: release.missing.as_ref(),
            assumes: release.assumptions(),
            uninformative: release.uninformative(),
            error: release.error.map(ErrorRecord::of),
            error_assumes: release.error_assumes(),
            spread: release.spread(),
            learned_range: release.learned_range().map(LearnedRangeRecord::of),
            interval_regular: release.learned_range().and_then(|learned| learned.regular),
            method: MethodRecord::default(),
            strata: None,
            privacy: &release.privacy,
            measurements: &release.measurements,
            noise: None,
            split: None,
            together: None,
            shrinkage: None,
            compared: None,
            parts: None,
            private: release.private,
        };
        let mut record = match &release.procedure {
            Procedure::Exact => record.exact(),
            Procedure::Weighted(plan) => {
                let in_range = release.is_planned_in_range();
                record.weighted(plan, in_range, release.learned_range().is_some())
            }
            Procedure::Quantiles(plan) => record.quantiles(plan),
            Procedure::Variance(plan) => {
                let options = plan.request().options();
                let method = MethodRecord {
                    estimator: Some(EstimatorRecord::new("affine", Some(plan.tau()))),
                    target: Some(options.target),
                    neighbors: Some(options.neighbors),
                    bounds: Some(plan.request().bounds()),
                    ..MethodRecord::default()
                };
                Self { method, noise: Some(noise_of_variance(plan)), ..record }
            }
            Procedure::Summary { bounds, parts, .. } => {
                let part = |statistic: &str| {
                    let mut releases = parts.iter().map(|part| &part.release);
                    releases.find(|release| release.statistic() == statistic)
                };
                let shares = parts.iter().map(|part| (part.measured, part.share));
                let method = MethodRecord {
                    neighbors: Some(release.neighbors()),
                    bounds: Some(*bounds),
                    ..MethodRecord::default()
                };
                let parts = Parts {
                    mean: part("mean"),
                    variance: part("variance"),
                    quantile: part("quantile"),
                };
                let split = Some(Split::Summary(shares.map(ShareOfBudget::of).collect()));
                Self { method, split, parts: Some(parts), ..record }
            }
            Procedure::AddRemove(how) => record.add_remove(how, release),
        };
        record.method.range = release.range();
        record
    }

    fn exact(self) -> Self {
        let method = MethodRecord {
            estimator: Some(EstimatorRecord::new("exact", None)),
            neighbors: Some(Neighbors::ReplaceOne),
            ..MethodRecord::default()
        };
        Self { method, noise: Some(NoiseRecord::none()), ..self }
    }

    fn weighted(self, plan: &'a WeightedPlan, in_range: bool, adapted: bool) -> Self {
        let (chosen, options) = (plan.chosen(), plan.request().options());
        let name = if in_range { RangePlan::NAME } else { chosen.estimator.name() };
        let categories = plan.setting().categories.is_some();
        let method = MethodRecord {
            estimator: Some(EstimatorRecord::new(name, chosen.design.tau)),
            target: Some(plan.setting().target),
            neighbors: Some(options.neighbors),
            bounds: (!categories).then_some(plan.request().bounds()),
            ..MethodRecord::default()
        };
        let shrinkage = plan.shrinkage().map(|one| ShrinkageRecord::of(one, plan.unit()));
        // Inside a range that was found or learned there is only one choice.
        let compared = (!in_range && !adapted).then_some(ComparedRecord::Weighted(Compared(plan)));
        let noise = Some(NoiseRecord::of(plan));
        let post = categories.then_some(options.post);
        let simultaneous = categories.then_some(options.simultaneous);
        let strata = plan.stratified();
        Self { method, post, simultaneous, noise, shrinkage, compared, strata, ..self }
    }

    fn quantiles(self, plan: &'a QuantilePlan) -> Self {
        let (request, chosen) = (plan.request(), plan.chosen());
        let method = MethodRecord {
            estimator: Some(EstimatorRecord::new(chosen.estimator.name(), chosen.tau)),
            target: Some(request.options().target),
            neighbors: Some(request.options().neighbors),
            bounds: Some(request.bounds()),
            cells: Some(request.cells().steps()),
            rows: Some(request.cells().rows()),
            ..MethodRecord::default()
        };
        Self {
            method,
            noise: Some(noise_of_quantiles(plan)),
            split: Some(Split::Quantiles(plan.split().collect())),
            simultaneous: (request.ranks().len() > 1).then_some(request.options().simultaneous),
            together: plan.together(),
            compared: Some(ComparedRecord::Quantiles(ComparedQuantiles(plan))),
            strata: plan.stratified().cloned(),
            ..self
        }
    }

    fn add_remove(self, how: &'a AddRemoveProcedure, release: &'a Release) -> Self {
        let (request, options) = (&how.request, how.request.options());
        let cells = request.cells();
        let name = match release.is_planned_in_range() {
            true => RangePlan::NAME,
            false => request.estimator().name(),
        };
        let method = MethodRecord {
            estimator: Some(EstimatorRecord::new(name, Some(how.tau))),
            target: Some(options.target),
            neighbors: Some(options.neighbors),
            bounds: request.bounds(),
            cells: cells.map(|cells| cells.steps()),
            rows: cells.map(|cells| cells.rows()),
            ..MethodRecord::default()
        };
        // Which quantiles have an interval depends on noisy numbers; the form of a release does
        // not.
        let no_interval = match cells {
            Some(_) => Some(release.no_interval()),
            None => self.no_interval,
        };
        let Noise { distribution, scale, grid } = &how.noise;
        let noise = NoiseRecord { distribution, scale: scale.to_string(), grid: *grid };
        Self {
            method,
            post: request.categories().map(|_| options.post),
            simultaneous: (request.categories().is_some() || request.quantile_count() > 1)
                .then_some(options.simultaneous),
            no_interval,
            noise: Some(noise),
            split: cells.map(|_| Split::Quantiles(Cow::Borrowed(&how.split))),
            together: how.together,
            ..self
        }
    }
}

impl Release {
    /// With what a person counts who has many rows.
    fn contribution(&self) -> Option<&'static str> {
        self.person.as_ref()?;
        // Each part of a summary says its own.
        if matches!(self.procedure, Procedure::Summary { .. }) {
            return None;
        }
        Some(match self.estimates.first()?.of {
            Quantity::Share(_) => "most frequent category",
            Quantity::Quantile(_) => "rows by rank",
            Quantity::Sum => "total of rows",
            _ => "mean of rows",
        })
    }
}

impl<'a> Answers<'a> {
    fn of(release: &'a Release) -> Self {
        let scale = release.scale();
        let record = |one: &Estimate| EstimateRecord::of(one, scale);
        let of = |quantity| release.estimate_of(&quantity).map(record);
        let first = || match release.estimates.first() {
            Some(one) => record(one),
            None => EstimateRecord { estimate: f64::NAN, interval: None, iso8601: None },
        };
        let estimates = || release.estimates.iter();
        let quantiles = || {
            let quantiles = estimates().filter_map(|one| match one.of {
                Quantity::Quantile(q) => Some(QuantileRecord { q, quantile: record(one) }),
                _ => None,
            });
            quantiles.collect()
        };
        if let Procedure::Summary { statistics, .. } = &release.procedure {
            return Self::Summary {
                statistics: statistics.names(),
                mean: of(Quantity::Mean),
                variance: of(Quantity::Variance),
                deviation: of(Quantity::Deviation),
                quantiles: quantiles(),
            };
        }
        match release.estimates.first().map(|one| &one.of) {
            Some(Quantity::Quantile(_)) => Self::Quantiles { quantiles: quantiles() },
            Some(Quantity::Share(_)) => {
                let shares = match release.crosstab() {
                    Some(crosstab) => crosstab
                        .cells()
                        .zip(estimates())
                        .map(|(category, one)| ShareRecord::new(category, one))
                        .collect(),
                    None => ShareRecord::all(&release.estimates),
                };
                let margins = release.margins.iter().map(|margin| MarginRecord {
                    column: &margin.column,
                    shares: ShareRecord::all(&margin.shares),
                });
                Self::Frequencies { frequencies: shares, margins: margins.collect() }
            }
            Some(Quantity::Variance) => Self::Variance {
                variance: first(),
                deviation: of(Quantity::Deviation),
                mean: of(Quantity::Mean),
            },
            _ => Self::Number(first()),
        }
    }
}

impl ShareRecord {
    fn new(category: GroupName, one: &Estimate) -> Self {
        // A share is no date.
        Self { category, share: EstimateRecord::of(one, None) }
    }

    /// Those of one column.
    fn all(shares: &[Estimate]) -> Vec<Self> {
        let share = |one: &Estimate| match &one.of {
            Quantity::Share(category) => Some(Self::new(GroupName::from(category.clone()), one)),
            _ => None,
        };
        shares.iter().filter_map(share).collect()
    }
}

impl EstimateRecord {
    fn of(one: &Estimate, scale: Option<TimeScale>) -> Self {
        let dated = |scale: TimeScale| {
            let ends = one.interval.map(|interval| [interval.lower, interval.upper]);
            let [lower, upper] = ends.map_or([None, None], |ends| ends.map(Some));
            let text = |number: f64| scale.text(number);
            Dated { estimate: text(one.estimate), lower: lower.map(text), upper: upper.map(text) }
        };
        Self {
            estimate: one.estimate,
            interval: one.interval,
            iso8601: scale.filter(|_| one.of.is_value()).map(dated),
        }
    }
}
