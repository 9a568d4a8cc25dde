//! `suum count`.

use suum::{Options, Result};

use crate::arguments::{CountArguments, Format};
use crate::{input, output};

pub(crate) fn run(arguments: &CountArguments) -> Result<()> {
    let options = Options { neighbors: input::neighbors(arguments.neighbors), ..Options::default() };
    let table = input::level_table(&arguments.input, None, arguments.output.quiet)?;
    let release = suum::count(&table, &options)?;
    match arguments.output.format {
        Format::Text => output::print(&suum_report::release_text(&release)),
        Format::Json => output::print(&suum_report::json(&release)?),
    }
}
