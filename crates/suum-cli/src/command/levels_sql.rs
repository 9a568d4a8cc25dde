//! `suum levels-sql`.

use suum::sql::{Dialect, LevelQuery};
use suum::{Error, Result, Scan};

use super::levels;
use crate::answer::Answer;
use crate::arguments::LevelsSqlArguments;
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
    let scan = Scan {
        person: arguments.input.person.clone(),
        group: grouped::column(&arguments.groups, arguments.other_group.group.as_ref())?,
        ..Scan::new(input::privacy_column(&arguments.input)?, levels::value(&arguments.counted)?)
    };
    Ok(Answer::words(LevelQuery::new(dialect, &relation, &scan)?.sql().to_owned()))
}
