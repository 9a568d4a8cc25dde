//! `suum levels-sql`.

use suum::sql::{Dialect, LevelQuery};
use suum::{CategoryColumn, Error, Result, Scan, Value};

use super::levels;
use crate::answer::Answer;
use crate::arguments::{LevelsSqlArguments, ValueArguments};
use crate::{grouped, input, reading};

pub(crate) fn run(arguments: &LevelsSqlArguments) -> Result<Answer> {
    if arguments.input.data.is_some() || arguments.input.from_levels.is_some() {
        return Err(Error::request("data: nothing is read to print a query")
            .with_hint("leave DATA and --from-levels out, and name the table with --table"));
    }
    let dialect: Dialect = arguments.dialect.parse()?;
    let relation = reading::relation(&arguments.input)?.ok_or_else(|| {
        Error::parameter("table: it is not said what the query reads")
            .with_hint("add --table NAME, or --query \"SELECT …\"")
    })?;
    let value = value(arguments)?;
    let scan = Scan {
        person: arguments.input.person.clone(),
        group: grouped::column(&arguments.groups, arguments.other_group.as_ref())?,
        ..Scan::new(input::privacy_column(&arguments.input)?, value)
    };
    Ok(Answer::words(LevelQuery::new(dialect, &relation, &scan)?.sql().to_owned()))
}

/// The column to add up or to count.
fn value(arguments: &LevelsSqlArguments) -> Result<Option<Value>> {
    let LevelsSqlArguments { value, bounds, missing, categories, cells, squares, .. } = arguments;
    let numbers = |missing| ValueArguments { value: value.clone(), bounds: bounds.clone(), missing };
    if input::classes(categories)?.is_none() {
        let missing = missing.as_ref().map(|missing| missing.trim().parse()).transpose().map_err(|_| {
            Error::parameter("missing: expected a number").with_hint("for example --missing 0")
        })?;
        return levels::value(&numbers(missing), categories, cells, *squares);
    }
    Ok(match levels::value(&numbers(None), categories, cells, *squares)? {
        Some(Value::Category(column)) => {
            Some(Value::Category(CategoryColumn { missing: missing.clone(), ..column }))
        }
        other => other,
    })
}
