//! `suum mean` and `suum sum`.

use suum::{
    AddRemoveRequest, Bounds, Error, Grid, Numbers, Options, Randomness, Request, Result, Split,
    Statistic,
};

use crate::answer::Answer;
use crate::arguments::ReleaseArguments;
use crate::command::unbounded;
use crate::grouped;
use crate::{hidden, input, metering};

pub(crate) fn run(statistic: Statistic, arguments: &ReleaseArguments) -> Result<Answer> {
    if input::wants_range(&arguments.value) {
        return unbounded::run(statistic, arguments);
    }
    if hidden::is_wanted(arguments.options.common.neighbors, &arguments.options.common.hidden)? {
        return run_hidden(statistic, arguments);
    }
    let options = input::mean_options(&arguments.options, &arguments.mean)?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    // Without bounds (they may be those of a level table) everything but the variance can be
    // checked.
    match &arguments.value.bounds {
        Some(bounds) => Request::new(statistic, bounds.parse()?, options.clone())?,
        None => {
            Request::new(statistic, Bounds::UNIT, Options { variance: None, ..options.clone() })?
        }
    };
    let randomness = input::randomness(&arguments.seed)?;
    let quiet = arguments.output.quiet;

    let private_variance = split(statistic, arguments)?;
    let group = grouped::column(&arguments.groups, arguments.other.group.as_ref())?;

    let (name, text) = (statistic.name(), suum_report::release_text);
    let numbers = |grid| Ok(Numbers { grid, squares: private_variance.is_some(), cells: None });
    let tables = input::number_tables(&arguments.input, &arguments.value, group, quiet, numbers)?;
    let tables = metering::aim(&arguments.input, tables, |table| {
        let bounds = table.grid().map_or(Bounds::UNIT, Grid::bounds);
        let plan = suum::plan(statistic, table.profile()?, bounds, &options)?;
        Ok(plan.chosen().risk.rmse() * plan.unit())
    })?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| match (private_variance, statistic) {
            (Some(split), _) => {
                suum::mean_with_private_variance(statistic, table, &options, split, randomness)
            }
            (None, Statistic::Sum) => suum::sum(table, &options, randomness),
            (None, _) => suum::mean(table, &options, randomness),
        })
    };
    grouped::publish(&arguments.input, name, randomness, draw, text)
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

/// A mean or sum of which it must not show who takes part.
fn run_hidden(statistic: Statistic, arguments: &ReleaseArguments) -> Result<Answer> {
    let declared = &arguments.options.common.hidden;
    hidden::check(&arguments.groups)?;
    if split(statistic, arguments)?.is_some() {
        return Err(Error::request(
            "variance: private is not available with --neighbors add-remove",
        )
        .with_hint("declare a variance, or use --neighbors replace"));
    }
    let budgets = hidden::budgets(&arguments.input, declared)?;
    let options = &input::mean_options(&arguments.options, &arguments.mean)?;
    let options = hidden::with_clip(options.try_into()?, declared)?;
    let bounds = input::bounds(&arguments.value)?;
    let request = match statistic {
        Statistic::Sum => AddRemoveRequest::sum(bounds, budgets.clone(), options)?,
        _ => AddRemoveRequest::mean(bounds, budgets.clone(), options)?,
    };
    let value = input::unless_counted(&arguments.input, || {
        input::number_column(&arguments.value, |grid| Ok(grid.into()))
    })?;
    let table = hidden::table(&arguments.input, &budgets, value)?;
    hidden::release(&arguments.input, &request, table, &arguments.seed)
}
