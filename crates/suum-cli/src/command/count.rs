//! `suum count`.

use suum::{AddRemoveOptions, AddRemoveRequest, Options, Result};

use crate::answer::Answer;
use crate::arguments::CountArguments;
use crate::{grouped, hidden, input, metering};

pub(crate) fn run(arguments: &CountArguments) -> Result<Answer> {
    if hidden::is_wanted(arguments.neighbors, &arguments.hidden)? {
        return count_hidden(arguments);
    }
    let options =
        Options { neighbors: input::neighbors(arguments.neighbors), ..Options::default() };
    let group = grouped::column(&arguments.groups, arguments.other.group.as_ref())?;
    let tables = input::tables(&arguments.input, None, group, arguments.output.quiet)?;
    let released = tables.release(|table| suum::count(&table, &options))?;
    // Free, but from now on exact numbers of the columns are public.
    metering::publish(&arguments.input)?;
    Ok(released.answer("count", suum_report::release_text))
}

/// Counts with noise, where it must not show who takes part.
fn count_hidden(arguments: &CountArguments) -> Result<Answer> {
    hidden::check(&arguments.groups)?;
    let budgets = hidden::budgets(&arguments.input, &arguments.hidden)?;
    let options =
        AddRemoveOptions { confidence: arguments.confidence, ..AddRemoveOptions::default() };
    let options = hidden::with_clip(options, &arguments.hidden)?;
    let request = AddRemoveRequest::count(budgets.clone(), options)?;
    let table = hidden::table(&arguments.input, &budgets, None)?;
    hidden::release(&arguments.input, &request, table, &arguments.seed)
}
