//! Text format of `COPY … TO STDOUT`: a line per row, cells between tabs, `\N` for NULL.

use suum_core::{Error, Result};

/// Parser of rows, one after the other, in the same memory.
pub(super) struct Rows {
    columns: usize,
    text: Vec<u8>,
    /// End of each cell in the text; `None` for NULL.
    ends: Vec<Option<usize>>,
}

impl Rows {
    /// Creates a parser for rows of `columns` cells.
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, text: Vec::new(), ends: Vec::new() }
    }

    /// Parses the cells of a line, with or without its line end.
    ///
    /// # Errors
    ///
    /// Fails if the line is not of that form, or not UTF-8, as text of a database without an
    /// encoding can be.
    pub(super) fn cells(&mut self, line: &[u8]) -> Result<Vec<Option<&str>>> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        self.text.clear();
        self.ends.clear();
        for cell in line.split(|byte| *byte == b'\t') {
            let end = if cell == b"\\N" {
                None
            } else {
                unescape(cell, &mut self.text)?;
                Some(self.text.len())
            };
            self.ends.push(end);
        }
        if self.ends.len() != self.columns {
            return Err(garbled());
        }
        let mut cells = Vec::with_capacity(self.columns);
        let mut start = 0;
        for end in &self.ends {
            cells.push(match end {
                None => None,
                Some(end) => {
                    let cell = std::str::from_utf8(&self.text[start..*end]).map_err(|_| {
                        Error::data("PostgreSQL", "a text is not UTF-8").with_fix(
                            "give the database an encoding other than SQL_ASCII, or convert the \
                            column",
                        )
                    })?;
                    start = *end;
                    Some(cell)
                }
            });
        }
        Ok(cells)
    }
}

fn unescape(cell: &[u8], text: &mut Vec<u8>) -> Result<()> {
    let mut parts = cell.split(|byte| *byte == b'\\');
    // Text before the first backslash is literal.
    text.extend_from_slice(parts.next().unwrap_or_default());
    while let Some(part) = parts.next() {
        let Some((first, rest)) = part.split_first() else {
            // Two backslashes stand for one; what follows them is as it is.
            text.push(b'\\');
            text.extend_from_slice(parts.next().ok_or_else(garbled)?);
            continue;
        };
        text.push(match first {
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            _ => return Err(garbled()),
        });
        text.extend_from_slice(rest);
    }
    Ok(())
}

fn garbled() -> Error {
    Error::io("PostgreSQL", "the server sent rows that are not of the form of COPY")
        .with_fix("connect to the server itself and not by way of a proxy")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Writes a row as the server does.
    fn written(cells: &[Option<String>]) -> String {
        let cell = |cell: &Option<String>| match cell {
            None => "\\N".to_owned(),
            Some(text) => {
                let mut text = text.replace('\\', "\\\\");
                for (character, letter) in [
                    ('\u{8}', 'b'),
                    ('\u{c}', 'f'),
                    ('\n', 'n'),
                    ('\r', 'r'),
                    ('\t', 't'),
                    ('\u{b}', 'v'),
                ] {
                    text = text.replace(character, &format!("\\{letter}"));
                }
                text
            }
        };
        cells.iter().map(cell).collect::<Vec<_>>().join("\t") + "\n"
    }

    proptest! {
        #[test]
        fn rows_come_back(
            cells in prop::collection::vec(
                prop::option::of("[\\\\bnrtfvN\n\r\t\u{8}\u{b}\u{c}é'\"]{0,6}"),
                1..5,
            ),
        ) {
            let mut rows = Rows::new(cells.len());
            let line = written(&cells);
            let read: Vec<_> = rows
                .cells(line.as_bytes())
                .unwrap()
                .iter()
                .map(|cell| cell.map(str::to_owned))
                .collect();
            prop_assert_eq!(read, cells);
        }

        #[test]
        fn no_line_makes_it_panic(
            line in prop::collection::vec(
                prop::sample::select(b"\\\\Nnx\t\n\xc3\xa9".to_vec()),
                0..12,
            ),
        ) {
            let _ = Rows::new(2).cells(&line);
        }
    }

    #[test]
    fn what_is_not_of_the_form_is_refused() {
        for line in [&b"a"[..], b"a\tb\tc\n", b"a\\\tb", b"\\x\tb", b"\xff\tb"] {
            let refused = Rows::new(2).cells(line).unwrap_err();
            assert!(refused.fix().is_some(), "{refused}");
        }
        assert_eq!(Rows::new(2).cells(b"\t\\N\n").unwrap(), [Some(""), None]);
    }
}
