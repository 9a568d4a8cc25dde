//! `suum mean` and `suum sum`.

use suum::{Randomness, Result, Statistic};

use crate::arguments::{Format, ReleaseArguments};
use crate::{input, output};

pub(crate) fn run(statistic: Statistic, arguments: &ReleaseArguments) -> Result<()> {
    let options = input::options(&arguments.options)?;
    // Before the data are read: a request that makes no sense should not have to wait for them.
    suum::Request::new(statistic, suum::Bounds::UNIT, suum::Options { variance: None, ..options.clone() })?;
    let table = input::level_table(&arguments.input, Some(&arguments.value), arguments.output.quiet)?;
    let mut randomness = match arguments.insecure_seed {
        Some(seed) => Randomness::insecure(seed),
        None => suum::entropy()?,
    };
    let release = match statistic {
        Statistic::Sum => suum::sum(table, &options, &mut randomness)?,
        _ => suum::mean(table, &options, &mut randomness)?,
    };
    match arguments.output.format {
        Format::Text => output::print(&suum_report::release_text(&release)),
        Format::Json => output::print(&suum_report::json(&release)?),
    }
}
