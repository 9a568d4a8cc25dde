//! Labels from a file: `@FILE` in place of a list of categories or groups.

use suum_core::{Error, OptionName, Result, say};

use crate::query::Labels;
use crate::text_file;

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
    let refuse = |what: String| {
        Error::io(option, say(path.to_owned()).say(what))
            .with_fix("name a text file with a label on each line: @FILE")
    };
    let text = text_file::read(path).map_err(refuse)?;
    // Lines end as they do in CSV.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.split(['\n', '\r']).map(str::trim);
    let labels: Vec<String> = lines.filter(|line| !line.is_empty()).map(str::to_owned).collect();
    match labels.is_empty() {
        true => Err(refuse("has no labels".to_owned())),
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
