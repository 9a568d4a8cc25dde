//! `suum frequency`.

use suum::{AddRemoveRequest, Options, PostProcessing, Randomness, Request, Result};

use crate::answer::Answer;
use crate::arguments::{FrequencyArguments, PostArgument};
use crate::grouped;
use crate::{hidden, input, metering};

pub(crate) fn run(arguments: &FrequencyArguments) -> Result<Answer> {
    let post = match arguments.post {
        PostArgument::Simplex => PostProcessing::Simplex,
        PostArgument::Clamp => PostProcessing::Clamp,
        PostArgument::None => PostProcessing::None,
    };
    let options = Options { post, ..input::options(&arguments.options)? };
    let classes = input::classes(&arguments.categories)?;
    if hidden::is_wanted(arguments.options.common.neighbors, &arguments.options.common.hidden)? {
        return frequency_hidden(arguments, &options);
    }
    // Before the data are read: a request that makes no sense should not have to wait for them.
    if let Some(classes) = &classes {
        Request::frequency(classes.categories().clone(), options.clone())?;
    }
    let randomness = input::randomness(&arguments.seed)?;
    let quiet = arguments.output.quiet;

    let group = grouped::column(&arguments.groups, arguments.other_group.group.as_ref())?;

    let text = suum_report::frequency_text;
    let value = input::unless_counted(&arguments.input, || input::category_column(arguments))?;
    let tables = input::tables(&arguments.input, value, group, quiet)?;
    let tables = metering::aim(&arguments.input, tables, |table| {
        let categories = table.categories().cloned().ok_or_else(input::no_categories)?;
        Ok(suum::plan_frequency(table.profile()?, categories, &options)?.chosen().risk.rmse())
    })?;
    let draw = |randomness: &mut Randomness| {
        tables.release(|table| {
            input::check_column(&table, arguments.value.as_deref())?;
            input::check_categories(&table, classes.as_ref())?;
            suum::frequency(table, &options, randomness)
        })
    };
    grouped::publish(&arguments.input, "frequency", randomness, draw, text)
}

/// Shares of which it must not show who takes part.
fn frequency_hidden(arguments: &FrequencyArguments, options: &Options) -> Result<Answer> {
    let declared = &arguments.options.common.hidden;
    hidden::check(&arguments.groups)?;
    let budgets = hidden::budgets(&arguments.input, declared)?;
    let options = hidden::with_clip(options.try_into()?, declared)?;
    let categories = input::planned_categories(&arguments.categories, None)?;
    let request = AddRemoveRequest::frequency(categories, budgets.clone(), options)?;
    let value = input::unless_counted(&arguments.input, || input::category_column(arguments))?;
    let table = hidden::table(&arguments.input, &budgets, value)?;
    hidden::release(&arguments.input, &request, table, &arguments.seed)
}
