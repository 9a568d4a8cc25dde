//! Data on standard output, messages on standard error.

use std::io::{self, ErrorKind, Write};

use suum::{Error, Result};

/// Prints a finished text. A reader that has gone away is no failure.
pub(crate) fn print(text: &str) -> Result<()> {
    write_with(|out| out.write_all(text.as_bytes()))
}

/// Lets `write` write to standard output.
pub(crate) fn write_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = io::stdout().lock();
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::io(format!("standard output: {}", error.kind())))
        }
        _ => Ok(()),
    }
}

/// Says what was refused and what to change.
pub(crate) fn complain(error: &Error) {
    eprintln!("error: {error}");
    if let Some(text) = error.hint() {
        hint(text);
    }
}

/// Says what to change.
pub(crate) fn hint(text: &str) {
    eprintln!("hint: {text}");
}

/// Warns.
pub(crate) fn warn(text: &str) {
    eprintln!("warning: {text}");
}
