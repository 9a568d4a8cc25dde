//! `suum mean` and `suum sum`.

use suum::{Bounds, Choice, Estimator, Options, Request, Result, Statistic};

use crate::arguments::{Format, ReleaseArguments};
use crate::{input, output};

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

    let release = if options.estimator == Choice::Named(Estimator::Sample) {
        input::check_twice_readable(&arguments.input)?;
        let value = input::number_column(&arguments.value)?;
        let bounds = value.bounds();
        let planned = |profile| suum::plan(statistic, profile, bounds, &options);
        let (plan, table) = input::sampled(&arguments.input, value, quiet, &randomness, planned)?;
        plan.release(table, &mut randomness)?
    } else {
        let value = match arguments.input.from_levels {
            Some(_) => None,
            None => Some(input::number_column(&arguments.value)?),
        };
        let table = input::level_table(&arguments.input, value, quiet)?;
        input::check_column(&table, arguments.value.value.as_deref())?;
        input::check_bounds(&table, arguments.value.bounds.as_deref())?;
        match statistic {
            Statistic::Sum => suum::sum(table, &options, &mut randomness)?,
            _ => suum::mean(table, &options, &mut randomness)?,
        }
    };
    match arguments.output.format {
        Format::Text => output::print(&suum_report::release_text(&release)),
        Format::Json => output::print(&suum_report::json(&release)?),
    }
}
