//! `suum mean` and `suum sum`.

use suum::{Bounds, Choice, Error, Estimator, Numbers, Options, Request, Result, Split, Statistic};

use crate::arguments::ReleaseArguments;
use crate::grouped::{self, Released};
use crate::input;

pub(crate) fn run(statistic: Statistic, arguments: &ReleaseArguments) -> Result<()> {
    let options = input::mean_options(&arguments.options, &arguments.mean)?;
    // Before the data are read: a request that makes no sense should not have to wait for them. Without bounds
    // (they may be those of a level table) everything but the variance can be checked.
    match &arguments.value.bounds {
        Some(bounds) => Request::new(statistic, bounds.parse()?, options.clone())?,
        None => Request::new(statistic, Bounds::UNIT, Options { variance: None, ..options.clone() })?,
    };
    let mut randomness = input::randomness(&arguments.seed)?;
    let quiet = arguments.output.quiet;

    let private_variance = split(statistic, arguments)?;
    let group = grouped::column(&arguments.groups, arguments.other.group.as_ref())?;

    let released = if options.estimator == Choice::Named(Estimator::Sample) {
        input::check_twice_readable(&arguments.input, &arguments.groups)?;
        if private_variance.is_some() {
            return Err(Error::request("variance: private is not for the estimator sample")
                .with_hint("choose another estimator, or declare a variance"));
        }
        let value = input::number_column(&arguments.value, |grid| Ok(grid.into()))?;
        let bounds = value.bounds();
        let planned = |profile| suum::plan(statistic, profile, bounds, &options);
        let (plan, table) = input::sampled(&arguments.input, value, quiet, &randomness, planned)?;
        Released::One(plan.release(table, &mut randomness)?)
    } else {
        let numbers = |grid| Ok(Numbers { grid, squares: private_variance.is_some(), cells: None });
        let tables = input::number_tables(&arguments.input, &arguments.value, group, quiet, numbers)?;
        tables.release(|table| match (private_variance, statistic) {
            (Some(split), _) => {
                suum::mean_with_private_variance(statistic, table, &options, split, &mut randomness)
            }
            (None, Statistic::Sum) => suum::sum(table, &options, &mut randomness),
            (None, _) => suum::mean(table, &options, &mut randomness),
        })?
    };
    released.print(statistic.name(), arguments.output.format, suum_report::release_text)
}

/// How every budget is split between a private variance and the mean after it; `None` without one.
fn split(statistic: Statistic, arguments: &ReleaseArguments) -> Result<Option<Split>> {
    let private = arguments.mean.variance.as_deref() == Some("private");
    match (private, &arguments.split.split) {
        (true, Some(text)) => Split::private_variance().with(text).map(Some),
        (true, None) => Ok(Some(Split::private_variance())),
        (false, None) => Ok(None),
        (false, Some(_)) => Err(Error::request(format!(
            "split: there is nothing to split a {}'s budget for",
            statistic.name()
        ))
        .with_hint("leave --split out, or add --variance private")),
    }
}
