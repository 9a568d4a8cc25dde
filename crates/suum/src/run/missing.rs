//! Report of all missing required options together.

use suum_core::{Command, Error, OptionName, Result, option, say};

use crate::statistic::StatisticName;
use crate::{Job, JobInputs};

/// Refuses a job that lacks two required options or more. A single one is reported when the options
/// are read.
pub(super) fn check(job: &Job, given: &JobInputs) -> Result<()> {
    let query = &job.query;
    // A level table has all of it.
    if job.source.from_levels.is_some() || given.levels.is_some() {
        return Ok(());
    }
    let has_data = job.source.data.is_some() || given.records.is_some();
    let (value, range, options) = match &query.statistic {
        StatisticName::Count => (true, true, &[][..]),
        StatisticName::Frequency => {
            let has_column = query.value.is_some() || query.crosstab.is_some();
            (has_column, query.categories.is_some() || query.bins.is_some(), SHARES)
        }
        _ => (query.value.is_some(), query.bounds.is_some(), NUMBERS),
    };
    let range_name =
        if query.statistic == StatisticName::Frequency { "categories" } else { "bounds" };
    let budgets = query.privacy.is_some() || query.epsilon.is_some();
    let lacking: Vec<&str> =
        [("data", has_data), ("value", value), (range_name, range), ("privacy", budgets)]
            .into_iter()
            .filter_map(|(name, is_there)| (!is_there).then_some(name))
            .collect();
    let (Some((last, before)), 2..) = (lacking.split_last(), lacking.len()) else {
        return Ok(());
    };
    let name = query.statistic.name();
    let tiers =
        [(option::PRIVACY, "consent"), (option::LEVELS, "strict=0.1,standard=1,public=inf")];
    let settings = [options, &tiers[..]].concat();
    Err(Error::parameter(name, format!("{} and {last} are missing", before.join(", "))).with_fix(
        say("for example:")
            .command(Command::for_data(name, "people.csv", &settings, false))
            .say("(or")
            .set(option::EPSILON, "COL")
            .say(")"),
    ))
}

/// Options with values, as an example.
type Example = [(OptionName, &'static str)];

/// Options that statistics of numbers need.
const NUMBERS: &Example = &[(option::VALUE, "age"), (option::BOUNDS, "0,120")];

/// Options that frequencies need.
const SHARES: &Example = &[(option::VALUE, "town"), (option::CATEGORIES, "A,B,C")];
