//! The `suum` command.

mod arguments;
mod command;
mod input;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

/// Exit codes: 0 done, 1 refused or failed, 2 usage (by clap).
fn main() -> ExitCode {
    let arguments = arguments::Suum::parse();
    match command::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(1)
        }
    }
}
