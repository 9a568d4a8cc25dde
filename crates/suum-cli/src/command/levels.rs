//! `suum levels`.

use suum::{Error, Result};

use crate::arguments::LevelsArguments;
use crate::{input, output};

pub(crate) fn run(arguments: &LevelsArguments) -> Result<()> {
    let (numbers, classes) = (&arguments.value, input::classes(&arguments.categories)?);
    let value = match (&numbers.value, &numbers.bounds, classes) {
        (None, None, None) => None,
        (_, Some(_), Some(_)) => {
            return Err(Error::request("levels: bounds are for numbers, categories for frequencies")
                .with_hint("give --bounds, or --categories or --bins"));
        }
        (_, _, Some(classes)) => Some(input::counted_column(numbers, classes)?),
        _ => Some(input::number_column(numbers)?),
    };
    let table = input::level_table(&arguments.input, value, arguments.quiet)?;
    if !arguments.quiet {
        output::warn("a level table holds raw sums and is not private; keep it as safe as the data");
    }
    let mut text = Vec::new();
    suum::write_levels(&table, &mut text)?;
    output::write_with(|out| out.write_all(&text))
}
