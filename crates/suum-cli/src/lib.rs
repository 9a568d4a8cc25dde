//! The `suum` command: a thin layer that reads a [`suum::Job`] from words, and prints its
//! [`Answer`].
//!
//! The words name the options of a query, which [`suum::Query`] describes and gives a meaning.
//!
//! # Example
//!
//! ```
//! let words = ["plan", "--profile", "0.1:3400,inf:23", "--target", "dataset"];
//! let answer = suum_cli::answer(suum_cli::parse(words)?, suum::JobInputs::default())?;
//! assert!(answer.text().contains("expected error"));
//! assert!(answer.json()?.contains("\"target\": \"dataset\""));
//! # Ok::<(), suum::Error>(())
//! ```
//!
//! # What is where
//!
//! `arguments/` makes options of a command of those of a query (`statistic_arguments`); its
//! `sections` says what is in which part of a help. `command/`, `output` and `progress` make a job
//! of them by name, and print its answer; `report` is the file of `--report`.

mod arguments;
mod command;
mod option;
mod output;
mod progress;
mod report;
mod usage;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{LazyLock, Mutex, PoisonError};

use clap::FromArgMatches;
use clap::error::ErrorKind;
use suum::{Answer, CommandLine, Job, JobInputs, Result, View};

use crate::arguments::commands;

pub use arguments::Suum;
pub use option::{CommandOption, options};

/// All commands and their options, built once: building takes longer than reading a command.
static COMMANDS: LazyLock<Mutex<clap::Command>> = LazyLock::new(|| Mutex::new(commands()));

/// Reads the words of a command line, without the name of the program before them.
///
/// # Errors
///
/// Refuses commands and options that do not exist, and options that do not go together.
pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Suum> {
    let mut commands = COMMANDS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = commands.try_get_matches_from_mut(std::iter::once("suum").chain(words));
    let asked = found.and_then(|mut found| Suum::from_arg_matches_mut(&mut found));
    let asked = asked.map_err(|usage| usage::refusal(usage, &mut commands))?;
    asked.command.check_usage()?;
    Ok(asked)
}

impl Suum {
    /// Length of the text of an answer, and the order of its shares.
    pub fn view(&self) -> View {
        self.command.view()
    }
}

/// Runs a command and returns its answer.
///
/// # Errors
///
/// Fails if the statistic refuses.
pub fn answer(asked: Suum, given: JobInputs) -> Result<Answer> {
    command::run(asked.command, given)
}

/// Job of a command; `None` if it requests no release.
///
/// # Errors
///
/// Fails if the query refuses.
///
/// # Example
///
/// ```
/// let words = ["count", "people.csv", "--epsilon", "eps"];
/// let job = suum_cli::job(&suum_cli::parse(words)?)?;
/// assert_eq!(job, Some(suum::query("people.csv").epsilon("eps")));
/// # Ok::<(), suum::Error>(())
/// ```
pub fn job(asked: &Suum) -> Result<Option<Job>> {
    command::entries_of_release(&asked.command)?.map(Job::new).transpose()
}

/// Runs the `suum` command. Exit codes: 0 done, 1 refused or failed, 2 usage (by clap).
pub fn main() -> ExitCode {
    ExitCode::from(run(&std::env::args_os().collect::<Vec<_>>()))
}

/// Runs the command like [`main`] with these words, the first of which is the name of the program:
/// for programs that embed the command. All output is written when it returns.
pub fn run(words: &[OsString]) -> u8 {
    let code = done(words);
    // If the program ends without Rust's shutdown, a last line could remain in the buffer. A
    // failure means that the other end was closed.
    let _ = io::stdout().flush();
    code
}

fn done(words: &[OsString]) -> u8 {
    // With -h there is a line for each option.
    let in_short = words.iter().any(|word| word == "-h");
    let mut commands = if in_short { arguments::in_short(commands()) } else { commands() };
    let found = commands.try_get_matches_from_mut(words);
    let asked = match found.and_then(|mut found| Suum::from_arg_matches_mut(&mut found)) {
        Ok(asked) => asked,
        Err(usage) if usage.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            output::example(&usage, words.len() < 2);
            return 2;
        }
        Err(usage) if usage.use_stderr() => {
            output::complain(&usage::refusal(usage, &mut commands), &CommandLine);
            return 2;
        }
        Err(help) => {
            // Or the version. They are no failure, and go to standard output.
            let _ = help.print();
            return 0;
        }
    };
    if let Err(error) = asked.command.check_usage() {
        output::complain(&error, &CommandLine);
        return 2;
    }
    let (format, view) = (asked.command.format(), asked.view());
    let voice = asked.command.voice();
    match answer(asked, JobInputs::default()).and_then(|answer| output::say(&answer, format, view))
    {
        Ok(()) => 0,
        Err(error) => {
            output::complain(&error, voice);
            1
        }
    }
}
