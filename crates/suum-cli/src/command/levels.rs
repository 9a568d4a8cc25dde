//! `suum levels` and `suum levels-sql`.

use suum::{Answer, JobInputs, Levels, Result};

use super::entries;
use crate::arguments::{LevelsArguments, LevelsSqlArguments};
use crate::output;

/// Prints the table as a file. It is not private, which is reported before it is read.
pub(crate) fn run(arguments: &LevelsArguments, given: JobInputs) -> Result<Answer> {
    let mut said = arguments.said.clone();
    said.0.insert("totals".to_owned(), arguments.totals.into());
    let answer = Levels::new(entries(&said)?)?.read(given)?;
    if arguments.quiet {
        return Ok(answer.with_warnings(Vec::new()));
    }
    output::warn("a level table holds raw sums and is not private; keep it as safe as the data");
    Ok(answer)
}

/// Prints the query that computes it.
pub(crate) fn run_sql(arguments: &LevelsSqlArguments) -> Result<Answer> {
    Levels::new(entries(&arguments.said)?)?.sql(arguments.dialect.parse()?).map(Answer::words)
}
