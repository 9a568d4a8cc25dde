//! The command line.

mod arguments;
mod mean;
mod measured;
mod people;
mod progress;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use suum::{CommandLine, Error, Result};

use arguments::{Arguments, Command};

/// Runs the program. Exit codes: 0 done, 1 refused or failed, 2 usage (by clap).
pub(crate) fn main() -> ExitCode {
    let asked = match Arguments::try_parse() {
        Ok(asked) => asked,
        Err(usage) => {
            // Help and version come this way too; they are no failure and go to standard output.
            let failed = usage.use_stderr();
            let _ = usage.print();
            if failed {
                tell("hint", "suum-experiments --help lists the commands and their options");
            }
            return ExitCode::from(if failed { 2 } else { 0 });
        }
    };
    match answer(&asked.command).and_then(|said| say(&said)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(refused) => {
            tell("error", &refused.render_for(&CommandLine));
            if let Some(fix) = refused.fix() {
                tell("hint", &fix.render_for(&CommandLine));
            }
            ExitCode::from(1)
        }
    }
}

fn answer(command: &Command) -> Result<String> {
    match command {
        Command::List => Ok(measured::list()),
        Command::Run { id, arguments } => measured::run(id, arguments),
        Command::All { arguments } => measured::run(measured::ALL, arguments),
        Command::Mean(arguments) => mean::run(arguments),
    }
}

/// Prints an answer. A closed pipe is not a failure.
fn say(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::io("standard output", format!("{}", error.kind()))
                .with_fix("make room where it is written to"))
        }
        _ => Ok(()),
    }
}

/// Prints a message on standard error. Failures to write it are ignored.
fn tell(what: &str, text: &str) {
    let _ = writeln!(io::stderr(), "{what}: {text}");
}
