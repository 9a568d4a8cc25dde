//! The `suum` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    suum_cli::main()
}
