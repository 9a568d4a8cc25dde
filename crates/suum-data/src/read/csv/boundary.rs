//! Position at which a block may be cut: after its last complete record.

use memchr::{memchr, memrchr};

/// Finds record ends in a growing buffer that begins at the start of a record.
///
/// Without a quote in the buffer every line end ends a record. With quotes, a small machine follows
/// them by the rules of `csv-core`: a quote opens only at the start of a cell, a doubled quote
/// inside stands for itself, and a cell goes on unquoted after its closing quote.
pub(super) struct Boundary {
    delimiter: u8,
    state: State,
    // Bytes the machine has seen; none while there was no quote.
    seen: usize,
    cut: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    CellStart,
    Unquoted,
    Quoted,
    QuoteInQuoted,
}

impl Boundary {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, state: State::CellStart, seen: 0, cut: None }
    }

    /// Returns the end of the last complete record of the buffer, which begins with the bytes of
    /// earlier calls.
    ///
    /// A carriage return at the very end is not taken for a record end: its line feed may follow.
    pub(super) fn last_record_end(&mut self, buffer: &[u8]) -> Option<usize> {
        if self.seen == 0 && memchr(b'"', buffer).is_none() {
            if let Some(line_feed) = memrchr(b'\n', buffer) {
                return Some(line_feed + 1);
            }
            let before_last = &buffer[..buffer.len().saturating_sub(1)];
            return memrchr(b'\r', before_last).map(|carriage_return| carriage_return + 1);
        }
        self.follow(buffer);
        self.cut
    }

    /// Returns true if the buffer, which holds all remaining bytes, ends inside a quoted cell.
    pub(super) fn ends_inside_quotes(&mut self, buffer: &[u8]) -> bool {
        if self.seen == 0 && memchr(b'"', buffer).is_none() {
            return false;
        }
        self.follow(buffer);
        self.state == State::Quoted
    }

    fn follow(&mut self, buffer: &[u8]) {
        let mut at = self.seen;
        while at < buffer.len() {
            if self.state == State::Quoted {
                match memchr(b'"', &buffer[at..]) {
                    Some(distance) => at += distance,
                    None => break,
                }
            }
            let byte = buffer[at];
            at += 1;
            self.state = match (self.state, byte) {
                (State::Quoted, _) => State::QuoteInQuoted,
                (State::CellStart | State::QuoteInQuoted, b'"') => State::Quoted,
                (_, byte) if byte == self.delimiter => State::CellStart,
                (_, b'\n') => {
                    self.cut = Some(at);
                    State::CellStart
                }
                (_, b'\r') => {
                    if buffer.get(at).is_some_and(|next| *next != b'\n') {
                        self.cut = Some(at);
                    }
                    State::CellStart
                }
                _ => State::Unquoted,
            };
        }
        self.seen = buffer.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Option<usize> {
        Boundary::new(b',').last_record_end(text.as_bytes())
    }

    #[test]
    fn cuts_behind_the_last_complete_record() {
        assert_eq!(cut("a,b"), None);
        assert_eq!(cut("a\nb\nc"), Some(4));
        assert_eq!(cut("a\rb\rc\r"), Some(4), "a line feed may follow the last byte");
        assert_eq!(cut("a\r\n"), Some(3));
        assert_eq!(cut("a\n\"b\nc"), Some(2), "a line end inside quotes ends nothing");
        assert_eq!(cut("a\n\"b\n\"\"\"\nc"), Some(9));
        assert_eq!(cut("a\"\nb"), Some(3), "a quote inside a cell is a plain character");
        assert_eq!(cut("\"a\"b\"\nc"), Some(6), "so is one behind the closing quote");
    }

    #[test]
    fn a_cell_begins_behind_its_own_delimiter() {
        let cut = |text: &str| Boundary::new(b';').last_record_end(text.as_bytes());
        assert_eq!(cut("a;\"b\nc"), None);
        assert_eq!(cut("a,\"b\nc"), Some(5), "a quote inside a cell is a plain character");
    }

    #[test]
    fn goes_on_where_it_stopped() {
        let text = b"\"a\nb\",c\r\nd,\"e\n\"";
        for first in 0..text.len() {
            let mut boundary = Boundary::new(b',');
            boundary.last_record_end(&text[..first]);
            assert_eq!(boundary.last_record_end(text), Some(9), "{first}");
        }
    }
}
