//! `suum completions`.

use clap::CommandFactory;
use suum::Result;

use crate::arguments::Suum;
use crate::output;

pub(crate) fn run(shell: clap_complete::Shell) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Suum::command(), "suum", &mut text);
    output::write_with(|out| out.write_all(&text))
}
