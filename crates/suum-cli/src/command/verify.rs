//! `suum verify`.

use std::io::Read;

use suum::{Answer, Error, Result};

use crate::arguments::VerifyArguments;

/// Computes the certificate of a release again, from a file or standard input.
pub(super) fn run(arguments: &VerifyArguments) -> Result<Answer> {
    if arguments.file != "-" {
        return suum::verify_file(arguments.file.as_ref());
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| {
        Error::io(format!("standard input: it cannot be read ({})", error.kind()))
            .with_hint("pipe the JSON of a release into it, or name a file")
    })?;
    suum::verify_release(&text)
}
