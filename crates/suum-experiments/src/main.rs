//! The `suum-experiments` command: the papers' tables and figures measured anew, and published
//! algorithms on a file of one's own, for study.

mod program;

use std::process::ExitCode;

fn main() -> ExitCode {
    program::main()
}
