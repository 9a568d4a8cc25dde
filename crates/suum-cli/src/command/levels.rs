//! `suum levels`.

use suum::Result;

use crate::arguments::LevelsArguments;
use crate::{input, output};

pub(crate) fn run(arguments: &LevelsArguments) -> Result<()> {
    let value = (arguments.value.value.is_some() || arguments.value.bounds.is_some()).then_some(&arguments.value);
    let table = input::level_table(&arguments.input, value, arguments.quiet)?;
    if !arguments.quiet {
        output::warn("a level table holds raw sums and is not private; keep it as safe as the data");
    }
    let mut text = Vec::new();
    suum::write_levels(&table, &mut text)?;
    output::write_with(|out| out.write_all(&text))
}
