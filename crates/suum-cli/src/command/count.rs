//! `suum count`.

use suum::{Options, Result};

use crate::arguments::CountArguments;
use crate::{grouped, input};

pub(crate) fn run(arguments: &CountArguments) -> Result<()> {
    let options = Options { neighbors: input::neighbors(arguments.neighbors), ..Options::default() };
    let group = grouped::column(&arguments.groups, arguments.other.group.as_ref())?;
    let tables = input::tables(&arguments.input, None, group, arguments.output.quiet)?;
    let released = tables.release(|table| suum::count(&table, &options))?;
    released.print("count", arguments.output.format, suum_report::release_text)
}
