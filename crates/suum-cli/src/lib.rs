//! The `suum` command: a thin layer that makes a [`suum::Job`] of words, and prints its
//! [`Answer`].
//!
//! `arguments` declares what the words are. They say a query by name, which [`suum::Query`] gives a
//! meaning.
//!
//! # Example
//!
//! ```
//! let words = ["plan", "--profile", "0.1:3400,inf:23", "--target", "dataset"];
//! let answer = suum_cli::answer(suum_cli::parse(words)?, suum::Given::default())?;
//! assert!(answer.text().contains("expected error"));
//! assert!(answer.json()?.contains("\"target\": \"dataset\""));
//! # Ok::<(), suum::Error>(())
//! ```

mod arguments;
mod command;
mod option;
mod output;
mod progress;
mod report;

use std::process::ExitCode;
use std::sync::{LazyLock, Mutex, PoisonError};

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use suum::{Answer, Error, Given, Job, Result, View};

pub use arguments::Suum;
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

impl Suum {
    /// How much of an answer is asked for as text, and in which order.
    pub fn view(&self) -> View {
        self.command.view()
    }
}

/// What the command has to say.
///
/// # Errors
///
/// What the statistic refuses.
pub fn answer(asked: Suum, given: Given) -> Result<Answer> {
    command::run(asked.command, given)
}

/// The job that a command asks for; `None` if it asks for no release.
///
/// # Errors
///
/// What the query refuses.
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

/// The `suum` command. Exit codes: 0 done, 1 refused or failed, 2 usage (by clap).
pub fn main() -> ExitCode {
    let asked = match Suum::try_parse() {
        Ok(asked) => asked,
        Err(usage) if usage.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            output::example(&usage);
            return ExitCode::from(2);
        }
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
    let (format, view) = (asked.command.format(), asked.view());
    match answer(asked, Given::default()).and_then(|answer| output::say(&answer, format, view)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(1)
        }
    }
}
