//! `suum verify`, and the releases that are verified.

use std::fs;
use std::io::{self, Read};

use suum::{Answer, Error, Place, Result};

use crate::arguments::VerifyArguments;

/// Recomputes the certificate of a release.
pub(super) fn run(arguments: &VerifyArguments) -> Result<Answer> {
    suum::verify_release(&text(&arguments.file)?)
}

/// JSON of a release, from a file or from standard input.
pub(super) fn text(file: &str) -> Result<String> {
    if file != "-" {
        return fs::read_to_string(file).map_err(|error| {
            Error::io(Place::file(file), format!("it cannot be read ({})", error.kind()))
                .with_fix("name a file with the JSON of a release")
        });
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(|error| {
        Error::io("standard input", format!("it cannot be read ({})", error.kind()))
            .with_fix("pipe the JSON of a release into it, or name a file")
    })?;
    Ok(text)
}
