//! Data on standard output, messages on standard error.

use std::io::{self, ErrorKind, Write};

use suum::{Answer, Error, Result};

use crate::arguments::Format;

/// Prints an answer in the format asked for. A reader that has gone away is no failure.
pub(crate) fn say(answer: &Answer, format: Format) -> Result<()> {
    answer.warnings().iter().for_each(|warning| warn(warning));
    let said = match format {
        Format::Text => answer.text(),
        Format::Json => answer.json()?,
    };
    let mut out = io::stdout().lock();
    match out.write_all(said.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            return Err(Error::io(format!("standard output: {}", error.kind())).with_hint(
                "make room where it is written to; a release that was charged to a ledger stays \
                charged",
            ));
        }
        _ => {}
    }
    answer.refusal().cloned().map_or(Ok(()), Err)
}

/// Says what was refused and what to change.
pub(crate) fn complain(error: &Error) {
    tell("error", &error.to_string());
    if let Some(text) = error.hint() {
        hint(text);
    }
}

/// Says what to change.
pub(crate) fn hint(text: &str) {
    tell("hint", text);
}

/// Warns.
pub(crate) fn warn(text: &str) {
    tell("warning", text);
}

/// A message on standard error. Whoever has closed that wants to hear nothing.
fn tell(what: &str, text: &str) {
    let _ = writeln!(io::stderr(), "{what}: {text}");
}
