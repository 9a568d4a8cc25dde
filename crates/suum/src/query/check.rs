//! Questions that are released beside an answer: the number of values at each bound or beyond
//! (`--check-bounds`), and the sizes of groups whose number of records is private
//! (`--suppress-below`).

use suum_core::{Error, PersonValue, Phrase, Result, for_example, leave_out, option, say};
use suum_data::CategoryRule;

use super::{Missing, Query, Range};
use crate::statistic::StatisticName;

/// Largest part of the budgets that a check may have.
const MOST: f64 = 0.5;

/// Category of records without a value.
const NO_VALUE: &str = "no value";

/// Part of the budgets that counts the records of groups.
const OF_SIZES: f64 = 0.05;

/// Query that is answered beside another one.
pub(crate) struct BesideAnswer {
    pub(crate) query: Query,
    /// Part of the other query's budget.
    pub(crate) share: f64,
}

impl Query {
    /// Refuses to check bounds that are not declared, or not those of a value.
    pub(crate) fn check_checked(&self) -> Result<()> {
        let Some(share) = self.check_bounds else { return Ok(()) };
        let refuse = |what: &'static str, fix: Phrase| {
            Err(Error::request(option::CHECK_BOUNDS, what).with_fix(fix))
        };
        if !(share > 0.0 && share <= MOST) {
            let hint = for_example(option::CHECK_BOUNDS, "0.1")
                .say(", a tenth; without a number it is 0.05");
            return refuse("it is a part of the budgets, above 0 and at most 0.5", hint);
        }
        let of_rows = match self.person_value() {
            None => self.statistic != StatisticName::Sum,
            Some(value) => value == PersonValue::Mean,
        };
        match (self.bounds, &self.statistic) {
            (Some(Range::Auto), _) => refuse(
                "no bounds are declared",
                say("leave")
                    .option(option::CHECK_BOUNDS)
                    .say("out: a range is found with")
                    .set(option::BOUNDS, "auto"),
            ),
            (_, StatisticName::Sum) if self.person.is_some() && !of_rows => refuse(
                "the bounds are those of the total of a person's rows",
                leave_out(option::CHECK_BOUNDS).say(", or check those of a mean"),
            ),
            _ if !of_rows && self.per_person.is_some() => refuse(
                "the bounds are those of one number for a person, and it would count rows",
                leave_out(option::CHECK_BOUNDS).say(", or check those of a mean"),
            ),
            _ => Ok(()),
        }
    }

    /// Check of the bounds, if it is requested.
    ///
    /// If it is hidden who has a value, records without one are counted, too.
    pub(crate) fn bounds_check(&self) -> Result<Option<BesideAnswer>> {
        let (Some(share), Some(bounds)) = (self.check_bounds, self.declared_bounds()?) else {
            return Ok(None);
        };
        let (missing, other) = match (&self.missing, self.missing_number()?) {
            (Some(missing), _) if missing.excludes() => {
                (Some(NO_VALUE.to_owned()), Some(NO_VALUE.to_owned()))
            }
            (_, Some(number)) => {
                let places = CategoryRule::at_bounds(bounds, None)?;
                let place = places.place_of(number).map(str::to_owned);
                (place, None)
            }
            _ => (None, None),
        };
        let query = Self {
            statistic: StatisticName::Frequency,
            value: self.value.clone(),
            bounds: self.bounds,
            missing: missing.map(Missing),
            other,
            null: self.null.clone(),
            clip: self.clip,
            target: self.target,
            ..self.of_people()
        };
        Ok(Some(BesideAnswer { query, share }))
    }

    /// Returns true if the records of groups are counted with noise before the answer: small groups
    /// are to be left out, and how many records a group has is private.
    pub(crate) fn counts_groups(&self) -> bool {
        self.suppress_below.is_some() && self.neighbors.hides_participation()
    }

    /// Number of records of each group, with or without a value, if it is
    /// [needed](Self::counts_groups).
    pub(crate) fn group_sizes(&self) -> Option<BesideAnswer> {
        let query = Self {
            statistic: StatisticName::Count,
            group_by: self.group_by.clone(),
            groups: self.groups.clone(),
            other_group: self.other_group.clone(),
            max_groups: self.max_groups,
            suppress_below: self.suppress_below,
            ..self.of_people()
        };
        self.counts_groups().then_some(BesideAnswer { query, share: OF_SIZES })
    }

    /// Query without a question, of the same people with the same budgets.
    fn of_people(&self) -> Self {
        Self {
            privacy: self.privacy.clone(),
            levels: self.levels.clone(),
            missing_consent: self.missing_consent.clone(),
            epsilon: self.epsilon.clone(),
            person: self.person.clone(),
            epsilon_range: self.epsilon_range,
            neighbors: self.neighbors,
            confidence: self.confidence,
            insecure_seed: self.insecure_seed,
            ..Self::default()
        }
    }
}
