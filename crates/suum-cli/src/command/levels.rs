//! `suum levels`.

use suum::{Error, Numbers, Result};

use crate::arguments::{CellArguments, LevelsArguments};
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
        _ => Some(input::number_column(numbers, |grid| {
            let CellArguments { step, cells, rows } = &arguments.cells;
            let counted = step.is_some() || cells.is_some() || rows.is_some();
            let cells = match counted {
                true => Some(input::cells(&arguments.cells, grid.bounds())?),
                false => None,
            };
            Ok(Numbers { grid, squares: arguments.squares, cells })
        })?),
    };
    let table = input::level_table(&arguments.input, value, arguments.quiet)?;
    if !arguments.quiet {
        output::warn("a level table holds raw sums and is not private; keep it as safe as the data");
    }
    let mut text = Vec::new();
    suum::write_levels(&table, &mut text)?;
    output::write_with(|out| out.write_all(&text))
}
