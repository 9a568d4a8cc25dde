//! Conversion of a release into its JSON record.

use super::{
    Answers, DateRecord, EstimateRecord, LearnedRangeRecord, MarginRecord, MethodRecord,
    QuantileRecord, Record, ShareRecord,
};
use crate::answer::release::{Estimate, Release};
use crate::plan::record::ErrorRecord;
use crate::{GroupName, Procedure, Quantity, SensitivityRecord, TimeScale};

impl<'a> Record<'a> {
    pub(super) fn from_release(release: &'a Release) -> Self {
        let facts = release.procedure.any().facts();
        let mut record = Self {
            statistic: release.statistic(),
            column: release.columns(),
            person: release.person.as_deref(),
            contribution: release.contribution(),
            bounds_of: release.counts_totals().then_some("total of each person"),
            unit: release.scale().map(|scale| scale.to_string()),
            answers: Answers::from_release(release),
            post: None,
            simultaneous: None,
            no_interval: release.no_interval().map(Some),
            protects: release.protects(),
            missing: release.missing.as_ref(),
            assumes: release.assumptions(),
            uninformative: release.uninformative(),
            error: release.error.map(ErrorRecord::from_error),
            error_assumes: release.error_assumes(),
            spread: release.spread(),
            learned_range: release.learned_range().map(LearnedRangeRecord::from_range),
            tiers_apart: release.tiers_apart(),
            found_categories: release.found_categories(),
            method: MethodRecord {
                estimator: None,
                range: release.range(),
                target: facts.options.map(|options| options.target),
                tiers_differ: facts.options.and_then(|options| options.tiers_differ),
                neighbors: Some(release.neighbors()),
                bounds: facts.bounds,
                cells: None,
                rows: None,
            },
            strata: None,
            privacy: &release.privacy,
            measurements: release.measurements.iter().map(|one| &**one).collect(),
            noise: None,
            split: None,
            together: None,
            shrinkage: None,
            compared: None,
            parts: None,
            private: release.private,
        };
        release.procedure.any().fill(release, &mut record);
        record
    }
}

impl Release {
    /// Returns the value that a person with several rows counts with.
    fn contribution(&self) -> Option<&'static str> {
        self.person.as_ref()?;
        // Each part of a summary has its own.
        if !self.procedure.parts().is_empty() {
            return None;
        }
        Some(match self.estimates.first()?.of {
            Quantity::Quantile(_) if !self.person_value().is_one_number() => "rows by rank",
            _ => self.person_value().contribution(),
        })
    }
}

impl<'a> Answers<'a> {
    fn from_release(release: &'a Release) -> Self {
        let scale = release.scale();
        let record = |one: &Estimate| EstimateRecord::from_estimate(one, scale);
        let of = |quantity| release.estimate_of(&quantity).map(record);
        let first = || match release.estimates.first() {
            Some(one) => record(one),
            None => EstimateRecord {
                estimate: f64::NAN,
                interval: None,
                iso8601: None,
                sensitivity: None,
            },
        };
        let estimates = || release.estimates.iter();
        let quantiles = || {
            let quantiles = estimates().filter_map(|one| match one.of {
                Quantity::Quantile(q) => Some(QuantileRecord { q, quantile: record(one) }),
                _ => None,
            });
            quantiles.collect()
        };
        if let Procedure::Summary(summary) = &release.procedure {
            return Self::Summary {
                statistics: summary.statistics.names(),
                mean: of(Quantity::Mean),
                variance: of(Quantity::Variance),
                deviation: of(Quantity::Deviation),
                quantiles: quantiles(),
            };
        }
        match release.estimates.first().map(|one| &one.of) {
            Some(Quantity::Quantile(_)) => Self::Quantiles { quantiles: quantiles() },
            Some(Quantity::Share(_) | Quantity::OtherShares) => {
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
                let others = of(Quantity::OtherShares);
                Self::Frequencies { frequencies: shares, others, margins: margins.collect() }
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
        // A share is never a date.
        Self { category, share: EstimateRecord::from_estimate(one, None) }
    }

    /// Returns the records of the shares of one column.
    fn all(shares: &[Estimate]) -> Vec<Self> {
        let share = |one: &Estimate| match &one.of {
            Quantity::Share(category) => Some(Self::new(GroupName::from(category.clone()), one)),
            _ => None,
        };
        shares.iter().filter_map(share).collect()
    }
}

impl EstimateRecord {
    fn from_estimate(one: &Estimate, scale: Option<TimeScale>) -> Self {
        let dated = |scale: TimeScale| {
            let ends = one.interval.map(|interval| [interval.lower, interval.upper]);
            let [lower, upper] = ends.map_or([None, None], |ends| ends.map(Some));
            let text = |number: f64| scale.text(number);
            DateRecord {
                estimate: text(one.estimate),
                lower: lower.map(text),
                upper: upper.map(text),
            }
        };
        Self {
            estimate: one.estimate,
            interval: one.interval,
            iso8601: scale.filter(|_| one.of.is_value()).map(dated),
            sensitivity: one.sensitivity.as_deref().map(SensitivityRecord::from),
        }
    }
}
