//! What may be published, with a certificate of what it cost everybody.

mod caveats;
mod difference;
mod estimate;
mod groups;
mod json;
mod margin;
mod procedure;
mod releases;
mod rho;
mod spending;

pub(crate) use caveats::CLIPPED;
pub use difference::Difference;
pub use estimate::Estimate;
pub use groups::GroupReleases;
pub(crate) use json::{ComparedRecord, PartRecords, Record, SplitRecord};
pub use margin::Margin;
pub use procedure::{AddRemoveProcedure, Noise, QuantileSplit};
pub(crate) use procedure::{AnyProcedure, Exact};
pub use releases::{Releases, Survey, SurveyAnswer, SurveySplit};
pub use spending::{Spending, largest_losses};

use std::sync::Arc;

use serde::Serialize;

use crate::TierAnswers;
use crate::answer::interval::Interval;
use crate::private::part::Part;
use crate::private::session::Session;
use crate::statistics::weighted::Errors;
use crate::{
    Bounds, Categories, Crosstab, Error, FoundRange, GroupName, LearnedRange, LevelSums,
    LevelTable, Loss, MeasuredSpread, MeasurementEntry, Neighbors, Options, Procedure, Quantity,
    Replacement, Result, Statistic, TimeScale, WeightedRequest,
};

/// The error that the estimate is expected to have, in its units.
///
/// For a frequency the noise is that of the largest of all categories, and sampling that of the
/// worst; for quantiles both are of the rank, as a share of all records. Where it hides who takes
/// part it comes from noisy numbers, and is NaN where nothing is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ExpectedError {
    /// The standard deviation of the noise.
    pub noise_sd: f64,
    /// The root of the sampling (or weighting) part of the risk.
    pub sampling_sd: f64,
    /// The root of the mean squared error, before any shrinkage or projection.
    pub rmse: f64,
}

/// What was measured beside the statistic itself, or before it with its own part of every budget.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A range, where no bounds were declared.
    Range(FoundRange),
    /// The range to which the values of a mean were clamped, which it learned first.
    LearnedRange(Box<LearnedRange>),
    /// The spread of the values, beside their mean.
    Spread(MeasuredSpread),
    /// The means of all tiers, each with its own noise, of which the estimate is made.
    TiersApart(Box<TierAnswers>),
}

/// A private statistic with everything about it that may be published, and nothing else.
///
/// All statistics have the same release. What differs between them is which quantities it has
/// estimates of, and how they were made. It serialises to the JSON of the command line.
///
/// Where it hides who takes part, estimates, intervals, errors and τ depend on data through noise
/// alone, and how many records there are, which budgets occur and what anybody weighs is not in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Release {
    /// The name of the value column, if there is one.
    pub column: Option<String>,
    /// The column that names persons, where a record is a person.
    pub person: Option<String>,
    /// What became of missing values, if they were not refused.
    pub missing: Option<Replacement>,
    /// The estimates: of a mean, sum, count or variance that one first; of frequencies and
    /// quantiles one for each, in the order asked for.
    pub estimates: Vec<Estimate>,
    /// The margins of a table of two columns, of which the estimates are the cells; else none.
    pub margins: Vec<Margin>,
    /// The expected error; of several statistics each [part](crate::SummaryPart) has its own.
    pub error: Option<ExpectedError>,
    /// What else was measured, most of it first.
    pub steps: Vec<Step>,
    /// The errors below and above the estimate of a mean or a sum, at the ends of its interval,
    /// where they can be put together with those of another one.
    pub(crate) ends: Option<Vec<Errors>>,
    /// For every level what it allowed, and what it spent on everything together.
    pub privacy: Vec<Spending>,
    /// Every measurement that was paid for, in order.
    pub measurements: Vec<Arc<MeasurementEntry>>,
    /// How the estimates were made.
    pub procedure: Procedure,
    /// Whether the noise came from secret entropy. If not, the release protects nobody.
    pub private: bool,
}

impl Release {
    /// A release from this table, of which the session tells who paid for it and whether its noise
    /// was secret.
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

    /// The number of records, which under replace-one neighbours is public and costs nobody
    /// anything.
    ///
    /// # Errors
    ///
    /// Refuses options that make no sense, and a table that leaves records without a value out.
    pub fn count(table: &LevelTable, options: &Options) -> Result<Self> {
        table.check_public()?;
        // The bounds play no part in a count.
        WeightedRequest::new(Statistic::Count, Bounds::UNIT, options.clone())?;
        let n = table.records() as f64;
        let interval = Interval { confidence: options.confidence, lower: n, upper: n };
        let by_level = table.by_level().iter();
        Ok(Self {
            column: None,
            person: table.person().map(str::to_owned),
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
                .map(|level_sums| Spending::of(level_sums, Loss::ZERO, Some(0.0)))
                .collect(),
            measurements: Vec::new(),
            procedure: Procedure::Exact,
            private: true,
        })
    }

    /// Whether a record is a person with the total of their rows, so that bounds are those of a
    /// total.
    pub fn counts_totals(&self) -> bool {
        self.person.is_some() && self.statistic() == Statistic::Sum.name()
    }

    /// The statistic's name on the command line and in JSON.
    pub fn statistic(&self) -> &'static str {
        self.procedure.any().facts().statistic
    }

    /// The first estimate: that of a mean, sum, count or variance; of several shares, quantiles or
    /// statistics the first of them. NaN if there is none.
    pub fn estimate(&self) -> f64 {
        self.estimates.first().map_or(f64::NAN, |one| one.estimate)
    }

    /// The interval of the first estimate, if it has one ([`no_interval`](Self::no_interval) says
    /// why it has not).
    pub fn interval(&self) -> Option<Interval> {
        self.estimates.first().and_then(|one| one.interval)
    }

    /// The estimate of this quantity, if there is one.
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

    /// Whether the confidence of its intervals is that of all of them together: of frequencies and
    /// of quantiles, if that was asked for. Otherwise each interval holds alone.
    pub fn is_simultaneous(&self) -> bool {
        self.procedure.any().facts().options.is_some_and(|options| options.simultaneous)
    }

    /// The name of the value column, or of both columns of a table.
    pub(crate) fn columns(&self) -> Option<GroupName> {
        let crossed = self.crosstab().map(Crosstab::name);
        crossed.or_else(|| self.column.clone().map(GroupName::from))
    }

    /// The table of two columns that was counted, if one was.
    pub fn crosstab(&self) -> Option<&Crosstab> {
        self.procedure.any().facts().categories.and_then(Categories::crosstab)
    }

    /// The range that was found first, where no bounds were declared.
    pub fn range(&self) -> Option<&FoundRange> {
        self.steps.iter().find_map(|step| match step {
            Step::Range(range) => Some(range),
            _ => None,
        })
    }

    /// What the expected error assumes of the values; nothing where they have declared bounds, of
    /// ranks, and of several statistics, of which each part says its own.
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

    /// Whether a mean or a sum was planned for what a range tells, which was found first.
    pub fn is_planned_in_range(&self) -> bool {
        let options = self.procedure.any().facts().options;
        let planned = options.is_some_and(|options| options.variance.is_some());
        (planned || self.learned_range().is_some()) && self.range().is_some()
    }

    /// The spread of the values, where it was measured beside their mean.
    pub fn spread(&self) -> Option<&MeasuredSpread> {
        self.steps.iter().find_map(|step| match step {
            Step::Spread(spread) => Some(spread),
            _ => None,
        })
    }

    /// The means of tiers, where each was measured apart.
    pub fn tiers_apart(&self) -> Option<&TierAnswers> {
        self.steps.iter().find_map(|step| match step {
            Step::TiersApart(answers) => Some(&**answers),
            _ => None,
        })
    }

    /// The range to which the values of a mean were clamped, where it learned one first.
    pub fn learned_range(&self) -> Option<&LearnedRange> {
        self.steps.iter().find_map(|step| match step {
            Step::LearnedRange(learned_range) => Some(&**learned_range),
            _ => None,
        })
    }

    /// The bounds that values were moved into, where they were declared.
    pub fn bounds(&self) -> Option<Bounds> {
        self.procedure.any().facts().bounds.filter(|_| self.range().is_none())
    }

    /// In what dates or times count, if values are some.
    pub fn scale(&self) -> Option<TimeScale> {
        self.bounds()?.scale()
    }

    /// Returns true if the estimates keep the shares of strata.
    pub fn keeps_strata(&self) -> bool {
        self.procedure.any().facts().options.is_some_and(|options| options.strata.is_some())
    }

    /// Which datasets the release does not tell apart.
    pub fn neighbors(&self) -> Neighbors {
        match self.procedure.parts() {
            // All are of one kind.
            [part, ..] => part.release.neighbors(),
            [] => {
                let options = self.procedure.any().facts().options;
                options.map_or_else(Neighbors::default, |options| options.neighbors)
            }
        }
    }

    /// Says that bounds were found first, and takes back what follows from declared bounds only:
    /// values beyond them were moved to them, by nobody knows how much. Ranks keep their order, so
    /// the intervals of quantiles hold inside the range.
    pub(crate) fn found_in(&mut self, range: FoundRange) {
        self.steps.push(Step::Range(range));
        self.ends = None;
        for one in &mut self.estimates {
            if !matches!(one.of, Quantity::Quantile(_)) {
                one.interval = None;
                one.sensitivity = None;
            }
        }
        if let Procedure::Summary(summary) = &mut self.procedure {
            summary.parts.iter_mut().for_each(|part| part.release.found_in(range));
        }
    }

    /// As [`found_in`](Self::found_in), where a mean has learned inside the range: its interval
    /// allows for what that cut off.
    pub(crate) fn learned_in(&mut self, range: FoundRange) {
        self.steps.push(Step::Range(range));
    }

    /// Charges every level with all that the session has paid for, and not with the last part of
    /// it alone.
    pub(crate) fn charge_all(&mut self, session: &Session<'_>) {
        for row in &mut self.privacy {
            row.spent = session.account().spent(row.epsilon);
        }
        self.measurements = session.account().measured();
    }
}

/// The certificate of a part of a release: what the records of each level lost by it, and what
/// they weigh.
///
/// # Errors
///
/// If a level of the table has none of these weights, which is a bug: it would have no line.
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
        Ok(Spending::of(level_sums, spent, Some(*weight)))
    };
    let lines = part.by_level(table)?.into_iter().map(line).collect::<Result<Vec<_>>>()?;
    // Of a level in several strata the most that it lost in any.
    Ok(if part.profile().is_stratified() { largest_losses(lines) } else { lines })
}
