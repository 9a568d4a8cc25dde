//! The statistics of suum with the options of its command line.
//!
//! The `suum` command and the Python package ask for a statistic in the same words, so that names,
//! defaults and what does not go together are declared once, in `arguments`. What they read may be
//! named in these words, or be handed over in memory ([`Given`]); what they say comes back as an
//! [`Answer`], to be printed or looked into.
//!
//! # Example
//!
//! ```
//! let words = ["plan", "--profile", "0.1:3400,inf:23", "--target", "dataset"];
//! let answer = suum_cli::answer(suum_cli::parse(words)?, suum_cli::Given::default())?;
//! assert!(answer.text().contains("affine"));
//! assert!(answer.json()?.contains("\"target\": \"dataset\""));
//! # Ok::<(), suum::Error>(())
//! ```

mod answer;
mod arguments;
mod columns;
mod command;
mod given;
mod grouped;
mod hidden;
mod input;
mod metering;
mod noted;
mod option;
mod output;
mod progress;
mod reading;
mod report;
mod statement;

use std::process::ExitCode;
use std::sync::{LazyLock, Mutex, PoisonError};

use clap::{CommandFactory, FromArgMatches, Parser};
use suum::{Error, Plan, Result};

pub use answer::Answer;
pub use arguments::Suum;
pub use given::{Batches, Given, Held};
pub use option::{CommandOption, options};

/// All commands and their options, put together once: that takes longer than to read a command.
static COMMANDS: LazyLock<Mutex<clap::Command>> = LazyLock::new(|| Mutex::new(Suum::command()));

/// Reads the words of a command line, without the name of the program before them.
///
/// # Errors
///
/// Refuses commands and options that do not exist, and options that do not go together.
pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Suum> {
    let mut commands = COMMANDS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = commands.try_get_matches_from_mut(std::iter::once("suum").chain(words));
    let asked = found.and_then(|mut found| Suum::from_arg_matches_mut(&mut found));
    asked.map_err(|usage| {
        let text = usage.format(&mut commands).render().to_string();
        // What follows is a tip on the shell, and how the command is used.
        let message = text.split("\n\n").next().unwrap_or_default().trim();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        Error::parameter(message.split_whitespace().collect::<Vec<_>>().join(" "))
            .with_hint("look up the options and their values in the help of the command")
    })
}

/// What the command has to say.
///
/// # Errors
///
/// What the statistic refuses.
pub fn answer(asked: Suum, given: Given) -> Result<Answer> {
    command::run(asked.command, given)
}

/// What a level table file holds, or the result of a level query, as `suum levels` writes it;
/// `None` if it is a result with a table for each group, for which there is no such file.
///
/// # Errors
///
/// Refuses what a statistic refuses that is given such a file, other than a table of nobody.
///
/// # Example
///
/// ```
/// let table = br#"{"format":"suum-levels","version":1,"records":1,
///     "levels":[{"epsilon":"inf","count":1}]}"#;
/// assert!(suum_cli::level_table(table)?.is_some_and(|text| text.contains("not private")));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn level_table(file: &[u8]) -> Result<Option<String>> {
    reading::rewritten(file)
}

/// The plan that `suum plan --profile …` would show, of a mean, a sum or frequencies.
///
/// # Errors
///
/// Refuses other commands and statistics, and what the plan refuses.
///
/// # Example
///
/// ```
/// let plan = suum_cli::plan(&suum_cli::parse(["plan", "--profile", "0.1:3400,inf:23"])?)?;
/// assert_eq!(plan.setting().profile.records(), 3423);
/// # Ok::<(), suum::Error>(())
/// ```
pub fn plan(asked: &Suum) -> Result<Plan> {
    command::planned(&asked.command)
}

/// What `suum audit` says of what an audit found.
pub fn audited(report: suum_audit::Report) -> Answer {
    command::audit::answer_of(report)
}

/// The `suum` command. Exit codes: 0 done, 1 refused or failed, 2 usage (by clap).
pub fn main() -> ExitCode {
    let asked = match Suum::try_parse() {
        Ok(asked) => asked,
        Err(usage) => {
            // Help and version come this way too; they are no failure and go to standard output.
            let failed = usage.use_stderr();
            let _ = usage.print();
            if failed {
                output::hint("suum --help lists the commands, suum COMMAND --help their options");
            }
            return ExitCode::from(if failed { 2 } else { 0 });
        }
    };
    let format = asked.command.format();
    let words =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let given = Given { words, ..Given::default() };
    match answer(asked, given).and_then(|answer| output::say(&answer, format)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(1)
        }
    }
}
