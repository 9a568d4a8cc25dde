//! Text of small files that people write: studies, and lists of labels.

use std::fs::File;
use std::io::{ErrorKind, Read};

/// Largest size of such a file in bytes: 65 536 labels of 512 bytes.
const MOST_BYTES: u64 = 32 << 20;

/// Reads a file of text.
///
/// # Errors
///
/// Says what is wrong with a file that cannot be read, is not UTF-8 or is larger than 32 MiB.
pub(crate) fn read(path: &str) -> Result<String, String> {
    let mut text = String::new();
    let file =
        File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text));
    match file {
        Ok(bytes) if bytes as u64 > MOST_BYTES => Err("is larger than 32 MiB".to_owned()),
        Ok(_) => Ok(text),
        Err(error) if error.kind() == ErrorKind::InvalidData => Err("is not UTF-8".to_owned()),
        Err(error) => Err(format!("cannot be read ({})", error.kind())),
    }
}
