//! `suum levels`.

use suum::{Error, Numbers, Result, Value};

use crate::answer::Answer;
use crate::arguments::{CategoryArguments, CellArguments, LevelsArguments, ValueArguments};
use crate::{input, output};

pub(crate) fn run(arguments: &LevelsArguments) -> Result<Answer> {
    let value = value(&arguments.value, &arguments.categories, &arguments.cells, arguments.squares)?;
    let table = input::level_table(&arguments.input, value, arguments.quiet)?;
    if !arguments.quiet {
        output::warn("a level table holds raw sums and is not private; keep it as safe as the data");
    }
    let mut text = Vec::new();
    suum::write_levels(&table, &mut text)?;
    Ok(Answer::words(String::from_utf8_lossy(&text).into_owned()))
}

/// The column to add up or to count, and what is asked of it; `None` if only choices are counted.
pub(crate) fn value(
    numbers: &ValueArguments,
    categories: &CategoryArguments,
    asked: &CellArguments,
    squares: bool,
) -> Result<Option<Value>> {
    match (&numbers.value, &numbers.bounds, input::classes(categories)?) {
        (None, None, None) => Ok(None),
        (_, Some(_), Some(_)) => {
            Err(Error::request("levels: bounds are for numbers, categories for frequencies")
                .with_hint("give --bounds, or --categories or --bins"))
        }
        (_, _, Some(classes)) => input::counted_column(numbers, classes).map(Some),
        _ => {
            let value = input::number_column(numbers, |grid| {
                let CellArguments { step, cells, rows } = asked;
                let counted = step.is_some() || cells.is_some() || rows.is_some();
                let cells = match counted {
                    true => Some(input::cells(asked, grid.bounds())?),
                    false => None,
                };
                Ok(Numbers { grid, squares, cells })
            })?;
            Ok(Some(value))
        }
    }
}
