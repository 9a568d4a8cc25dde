//! `suum levels`.

use suum::{CategoryColumn, Error, Numbers, Result, Value};

use crate::answer::Answer;
use crate::arguments::{CellArguments, CountedArguments, LevelsArguments, ValueArguments};
use crate::{input, output};

pub(crate) fn run(arguments: &LevelsArguments) -> Result<Answer> {
    let table = input::level_table(&arguments.input, value(&arguments.counted)?, arguments.quiet)?;
    if !arguments.quiet {
        output::warn(
            "a level table holds raw sums and is not private; keep it as safe as the data",
        );
    }
    let mut text = Vec::new();
    suum::write_levels(&table, &mut text)?;
    Ok(Answer::words(String::from_utf8_lossy(&text).into_owned()))
}

/// The column to add up or to count, and what is asked of it; `None` if only choices are counted.
pub(crate) fn value(arguments: &CountedArguments) -> Result<Option<Value>> {
    let CountedArguments { value, bounds, missing, categories, squares, cells } = arguments;
    match (value, bounds, input::classes(categories)?) {
        (None, None, None) => Ok(None),
        (_, Some(_), Some(_)) => {
            Err(Error::request("levels: bounds are for numbers, categories for frequencies")
                .with_hint("give --bounds, or --categories or --bins"))
        }
        (_, None, Some(classes)) => {
            let column = input::column_name(value.as_ref())?;
            Ok(Some(Value::Category(CategoryColumn { column, classes, missing: missing.clone() })))
        }
        (_, _, None) => {
            let missing =
                missing.as_ref().map(|missing| missing.trim().parse()).transpose().map_err(
                    |_| {
                        Error::parameter("missing: expected a number")
                            .with_hint("for example --missing 0")
                    },
                )?;
            let column = ValueArguments { value: value.clone(), bounds: bounds.clone(), missing };
            let numbers = input::number_column(&column, |grid| {
                let CellArguments { step, cells: count, rows } = cells;
                let counted = step.is_some() || count.is_some() || rows.is_some();
                let cells = match counted {
                    true => Some(input::cells(cells, grid.bounds())?),
                    false => None,
                };
                Ok(Numbers { grid, squares: *squares, cells })
            })?;
            Ok(Some(numbers))
        }
    }
}
