//! Releases: results that may be published, with a certificate of what they cost.

mod caveats;
mod difference;
mod estimate;
mod groups;
mod json;
mod margin;
mod memberships;
mod procedure;
mod releases;
mod rho;
mod spending;

pub(crate) use caveats::CLIPPED;
pub use difference::Difference;
pub use estimate::Estimate;
pub use groups::{GroupReleases, SmallGroups};
pub(crate) use json::{ComparedRecord, PartRecords, Record, SplitRecord};
pub use margin::Margin;
pub use memberships::{MemberKind, Memberships};
pub use procedure::{AddRemoveProcedure, Noise, QuantileSplit};
pub(crate) use procedure::{AnyProcedure, Exact};
pub use releases::{AnswerRole, Releases, Survey, SurveyAnswer, SurveySplit};
pub use spending::{Spending, largest_losses};

use std::sync::Arc;

use serde::Serialize;

use crate::TierAnswers;
use crate::answer::interval::Interval;
use crate::private::part::Part;
use crate::private::session::Session;
use crate::statistics::weighted::Errors;
use crate::{
    Bounds, Categories, Crosstab, Error, FoundCategories, FoundRange, GroupName, LearnedRange,
    LevelSums, LevelTable, Loss, MeasuredSpread, MeasurementEntry, Neighbors, Options, PersonValue,
    Procedure, Quantity, Replacement, Result, Statistic, TimeScale, WeightedRequest,
};

/// Expected error of the estimate, in its units.
///
/// For a frequency the noise is that of the largest of all categories, and sampling that of the
/// worst; for quantiles both are of the rank, as a share of all records. Under add-remove it is
/// computed from noisy numbers, and is NaN if nothing is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExpectedError {
    /// Standard deviation of the noise.
    pub noise_sd: f64,
    /// Root of the sampling (or weighting) part of the risk.
    pub sampling_sd: f64,
    /// Root mean squared error, before any shrinkage or projection.
    pub rmse: f64,
}

/// Further result of a release: measured along with the statistic, or before it with its own part
/// of every budget.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Range that was found, if no bounds were declared.
    Range(FoundRange),
    /// Range that a mean learned first, to which its values were clamped.
    LearnedRange(Box<LearnedRange>),
    /// Spread of the values, measured along with their mean.
    Spread(MeasuredSpread),
    /// Means of all tiers, each with its own noise, from which the estimate is computed.
    TiersApart(Box<TierAnswers>),
    /// Categories that were found, with their noisy counts.
    Categories(Box<FoundCategories>),
}

/// Private statistic, with everything about it that may be published, and nothing else.
///
/// All statistics have the same type of release. They differ in the quantities that they estimate,
/// and in the procedure. It serialises to the JSON of the command line.
///
/// Under add-remove, estimates, intervals, errors and τ depend on data through noise alone, and a
/// release does not hold the number of records, the budgets that occur, or anybody's weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Release {
    /// Name of the value column, if there is one.
    pub column: Option<String>,
    /// Column that names persons, if records are persons.
    pub person: Option<String>,
    /// Value that the rows of a person were combined into.
    pub(crate) combined: PersonValue,
    /// Treatment of missing values, if they were not refused.
    pub missing: Option<Replacement>,
    /// Estimates: of a mean, sum, count or variance that one first; of frequencies and quantiles
    /// one for each, in the order asked for.
    pub estimates: Vec<Estimate>,
    /// Margins of a table of two columns, if the estimates are its cells; otherwise empty.
    pub margins: Vec<Margin>,
    /// Expected error; `None` for several statistics, whose [parts](crate::SummaryPart) have their
    /// own.
    pub error: Option<ExpectedError>,
    /// Further results, most of which were measured first.
    pub steps: Vec<Step>,
    /// Errors below and above the estimate of a mean or a sum, at the ends of its interval, if they
    /// can be combined with those of another one.
    pub(crate) ends: Option<Vec<Errors>>,
    /// Budget and spending of every level, on everything together.
    pub privacy: Vec<Spending>,
    /// Measurements that were paid for, in order.
    pub measurements: Vec<Arc<MeasurementEntry>>,
    /// Procedure of the estimates.
    pub procedure: Procedure,
    /// True if the noise came from secret entropy. Otherwise the release protects nobody.
    pub private: bool,
}

impl Release {
    /// Returns a release from this table. Its certificate and the privacy of its noise come from
    /// the session.
    pub(crate) fn new(
        table: &LevelTable,
        session: &Session<'_>,
        estimates: Vec<Estimate>,
        error: Option<ExpectedError>,
        privacy: Vec<Spending>,
        procedure: Procedure,
    ) -> Self {
        Self {
            column: table.column().map(str::to_owned),
            person: table.person().map(str::to_owned),
            combined: table.person_value(),
            missing: table.missing().cloned(),
            estimates,
            margins: Vec::new(),
            error,
            steps: Vec::new(),
            ends: None,
            privacy,
            measurements: session.account().measured_in_part(),
            procedure,
            private: session.is_private(),
        }
    }

    /// Returns the release of the number of records, which under replace-one neighbours is public
    /// and costs nothing.
    ///
    /// # Errors
    ///
    /// Refuses options that make no sense, and a table that leaves records without a value out.
    pub fn count(table: &LevelTable, options: &Options) -> Result<Self> {
        table.check_public()?;
        // A count does not depend on the bounds.
        WeightedRequest::new(Statistic::Count, Bounds::UNIT, options.clone())?;
        let n = table.records() as f64;
        let interval = Interval { confidence: options.confidence, lower: n, upper: n };
        let by_level = table.by_level().iter();
        Ok(Self {
            column: None,
            person: table.person().map(str::to_owned),
            combined: table.person_value(),
            missing: table.missing().cloned(),
            estimates: vec![Estimate {
                of: Quantity::Count,
                estimate: n,
                interval: Some(interval),
                sensitivity: None,
            }],
            margins: Vec::new(),
            error: Some(ExpectedError { noise_sd: 0.0, sampling_sd: 0.0, rmse: 0.0 }),
            steps: Vec::new(),
            ends: None,
            privacy: by_level
                .map(|level_sums| Spending::new(level_sums, Loss::ZERO, Some(0.0)))
                .collect(),
            measurements: Vec::new(),
            procedure: Procedure::Exact,
            private: true,
        })
    }

    /// Returns true if a record is a person with the total of their rows, so that bounds are those
    /// of a total.
    pub fn counts_totals(&self) -> bool {
        self.person.is_some() && self.person_value() == PersonValue::Total
    }

    /// Returns the number that a person counts with, as it was asked for; `None` for the default
    /// of the statistic.
    pub fn per_person(&self) -> Option<PersonValue> {
        match self.procedure.parts() {
            // All were asked for alike.
            [part, ..] => part.release.per_person(),
            [] => self.procedure.any().facts().options.and_then(|options| options.per_person),
        }
    }

    /// Returns the value that a person counts with, where records are persons with values.
    pub fn person_value(&self) -> PersonValue {
        if self.combined.is_of_categories() {
            return self.combined;
        }
        let usual = match self.statistic() == Statistic::Sum.name() {
            true => PersonValue::Total,
            false => PersonValue::Rows,
        };
        self.per_person().unwrap_or(usual)
    }

    /// Returns the name of the statistic on the command line and in JSON.
    pub fn statistic(&self) -> &'static str {
        self.procedure.any().facts().statistic
    }

    /// Returns the first estimate: that of a mean, sum, count or variance; of several shares,
    /// quantiles or statistics the first of them. NaN if there is none.
    pub fn estimate(&self) -> f64 {
        self.estimates.first().map_or(f64::NAN, |one| one.estimate)
    }

    /// Returns the interval of the first estimate, if it has one
    /// ([`no_interval`](Self::no_interval) tells why it has none).
    pub fn interval(&self) -> Option<Interval> {
        self.estimates.first().and_then(|one| one.interval)
    }

    /// Returns the estimate of this quantity, if there is one.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::*;
    ///
    /// let release = Release::count(
    ///     &LevelTable::possibly_empty(None, Measure::Nothing, vec![])?,
    ///     &Options::default(),
    /// )?;
    /// assert_eq!(release.estimate_of(&Quantity::Count).map(|count| count.estimate), Some(0.0));
    /// assert!(release.estimate_of(&Quantity::Mean).is_none());
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn estimate_of(&self, quantity: &Quantity) -> Option<&Estimate> {
        self.estimates.iter().find(|one| one.of == *quantity)
    }

    /// Returns true if the confidence of the intervals is that of all of them together: for
    /// frequencies and quantiles, if that was requested. Otherwise each interval holds alone.
    pub fn is_simultaneous(&self) -> bool {
        self.procedure.any().facts().options.is_some_and(|options| options.simultaneous)
    }

    /// Returns the name of the value column, or of both columns of a table.
    pub(crate) fn columns(&self) -> Option<GroupName> {
        let crossed = self.crosstab().map(Crosstab::name);
        crossed.or_else(|| self.column.clone().map(GroupName::from))
    }

    /// Returns the table of two columns that was counted, if any.
    pub fn crosstab(&self) -> Option<&Crosstab> {
        self.procedure.any().facts().categories.and_then(Categories::crosstab)
    }

    /// Returns the range that was found first, if no bounds were declared.
    pub fn range(&self) -> Option<&FoundRange> {
        self.steps.iter().find_map(|step| match step {
            Step::Range(range) => Some(range),
            _ => None,
        })
    }

    /// Returns the assumption of the expected error about the values; `None` for values with
    /// declared bounds, for ranks, and for several statistics, whose parts have their own.
    pub fn error_assumes(&self) -> Option<&'static str> {
        let range = self.range().filter(|_| self.error.is_some())?;
        match &self.estimates.first()?.of {
            Quantity::Quantile(_) => None,
            _ if self.is_planned_in_range() && self.learned_range().is_none() => {
                Some(range.error_assumes())
            }
            _ => Some("no value beyond the range"),
        }
    }

    /// Returns true if a mean or a sum was planned from the range that was found first.
    pub fn is_planned_in_range(&self) -> bool {
        let options = self.procedure.any().facts().options;
        let planned = options.is_some_and(|options| options.variance.is_some());
        (planned || self.learned_range().is_some()) && self.range().is_some()
    }

    /// Returns the spread of the values, if it was measured along with their mean.
    pub fn spread(&self) -> Option<&MeasuredSpread> {
        self.steps.iter().find_map(|step| match step {
            Step::Spread(spread) => Some(spread),
            _ => None,
        })
    }

    /// Returns the means of tiers, if each was measured apart.
    pub fn tiers_apart(&self) -> Option<&TierAnswers> {
        self.steps.iter().find_map(|step| match step {
            Step::TiersApart(answers) => Some(&**answers),
            _ => None,
        })
    }

    /// Returns the noisy counts of categories that were found, if none was declared.
    pub fn found_categories(&self) -> Option<&FoundCategories> {
        self.steps.iter().find_map(|step| match step {
            Step::Categories(found) => Some(&**found),
            _ => None,
        })
    }

    /// Returns the range to which the values of a mean were clamped, if it learned one first.
    pub fn learned_range(&self) -> Option<&LearnedRange> {
        self.steps.iter().find_map(|step| match step {
            Step::LearnedRange(learned_range) => Some(&**learned_range),
            _ => None,
        })
    }

    /// Returns the bounds to which values were clamped, if they were declared.
    pub fn bounds(&self) -> Option<Bounds> {
        self.procedure.any().facts().bounds.filter(|_| self.range().is_none())
    }

    /// Returns the scale of dates or times, if values are dates or times.
    pub fn scale(&self) -> Option<TimeScale> {
        self.bounds()?.scale()
    }

    /// Returns true if the estimates keep the shares of strata.
    pub fn keeps_strata(&self) -> bool {
        self.procedure.any().facts().options.is_some_and(|options| options.strata.is_some())
    }

    /// Returns the relation between datasets that the release does not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        match self.procedure.parts() {
            // All parts have the same relation.
            [part, ..] => part.release.neighbors(),
            [] => {
                let options = self.procedure.any().facts().options;
                options.map_or_else(Neighbors::default, |options| options.neighbors)
            }
        }
    }

    /// Records that bounds were found first, and removes results that hold for declared bounds
    /// only: values beyond them were clamped, with an unknown effect. Ranks keep their order, so
    /// the intervals of quantiles hold inside the range.
    pub(crate) fn record_found_range(&mut self, range: FoundRange) {
        self.steps.push(Step::Range(range));
        self.ends = None;
        for one in &mut self.estimates {
            if !matches!(one.of, Quantity::Quantile(_)) {
                one.interval = None;
                one.sensitivity = None;
            }
        }
        if let Procedure::Summary(summary) = &mut self.procedure {
            summary.parts.iter_mut().for_each(|part| part.release.record_found_range(range));
        }
    }

    /// Records that bounds were found first, for a mean that learned inside the range: its interval
    /// allows for the values that were cut off. See
    /// [`record_found_range`](Self::record_found_range).
    pub(crate) fn learned_in(&mut self, range: FoundRange) {
        self.steps.push(Step::Range(range));
    }

    /// Charges every level with everything that the session has paid for, not only with the last
    /// part of it.
    pub(crate) fn charge_all(&mut self, session: &Session<'_>) {
        for row in &mut self.privacy {
            row.spent = session.account().spent(row.epsilon);
        }
        self.measurements = session.account().measured();
    }
}

/// Returns the certificate of a part of a release: the losses and the weights of the records of
/// each level.
///
/// # Errors
///
/// If a level of the table has no weight, which is a bug: it would have no row.
pub(crate) fn certificate(
    table: &LevelTable,
    part: &Part,
    weights: &[f64],
    session: &Session<'_>,
) -> Result<Vec<Spending>> {
    let line = |(position, level_sums): (usize, &LevelSums)| {
        let weight = weights
            .get(position)
            .ok_or_else(|| Error::internal("a level of the plan has no weight"))?;
        let spent = session.account().spent_in_part(level_sums.epsilon);
        Ok(Spending::new(level_sums, spent, Some(*weight)))
    };
    let lines = part.by_level(table)?.into_iter().map(line).collect::<Result<Vec<_>>>()?;
    // A level in several strata gets its largest loss.
    Ok(if part.profile().is_stratified() { largest_losses(lines) } else { lines })
}
