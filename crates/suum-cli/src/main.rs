//! The `suum` command.

mod arguments;
mod command;
mod grouped;
mod hidden;
mod input;
mod metering;
mod output;
mod place;
mod progress;
mod statement;

use std::process::ExitCode;

use clap::Parser;

/// Exit codes: 0 done, 1 refused or failed, 2 usage (by clap).
fn main() -> ExitCode {
    let arguments = match arguments::Suum::try_parse() {
        Ok(arguments) => arguments,
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
    match command::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(1)
        }
    }
}
