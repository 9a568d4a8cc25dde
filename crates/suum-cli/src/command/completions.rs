//! `suum completions`.

use suum::Answer;

use crate::arguments::commands;

pub(crate) fn run(shell: clap_complete::Shell) -> Answer {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut commands(), "suum", &mut text);
    Answer::words(String::from_utf8_lossy(&text).into_owned())
}
