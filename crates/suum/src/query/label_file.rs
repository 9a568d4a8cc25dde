//! Labels from a file: `@FILE` in place of a list of categories or groups.

use std::fs::File;
use std::io::{ErrorKind, Read};

use suum_core::{Error, OptionName, Phrase, Result, say};

use crate::query::Labels;

/// Largest size of a file of labels in bytes: 65 536 labels of 512 bytes.
const MOST_BYTES: u64 = 32 << 20;

/// File that a text names, if it names one.
pub(super) fn named(text: &str) -> Option<&str> {
    text.strip_prefix('@')
}

/// Reads the labels in a file, one per line, without the spaces around them; blank lines are
/// skipped. There is no header, and a comma or a quote is a part of a label.
///
/// # Errors
///
/// Refuses a file that cannot be read, is not UTF-8, is larger than 32 MiB or has no labels.
pub(super) fn read(option: OptionName, path: &str) -> Result<Labels> {
    let refuse = |what: Phrase| {
        Error::io(option, say(path.to_owned()).then(what))
            .with_fix("name a text file with a label on each line: @FILE")
    };
    let mut text = String::new();
    let file =
        File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text));
    match file {
        Ok(bytes) if bytes as u64 > MOST_BYTES => return Err(refuse(say("is larger than 32 MiB"))),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            return Err(refuse(say("is not UTF-8")));
        }
        Err(error) => return Err(refuse(say(format!("cannot be read ({})", error.kind())))),
    }
    // Lines end as they do in CSV.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.split(['\n', '\r']).map(str::trim);
    let labels: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    match labels.is_empty() {
        true => Err(refuse(say("has no labels"))),
        false => Ok(Labels(labels)),
    }
}

#[cfg(test)]
mod tests {
    use suum_core::option;

    use super::*;

    #[test]
    fn reads_lines_whatever_ends_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.txt");
        for text in ["a\nb, c\n", "a\rb, c\r", "\u{feff}a\r\n\r\n b, c \r\n", "a\r\rb, c"] {
            std::fs::write(&path, text).unwrap();
            let Labels(labels) = read(option::CATEGORIES, path.to_str().unwrap()).unwrap();
            assert_eq!(labels, ["a", "b, c"], "{text:?}");
        }
    }
}
