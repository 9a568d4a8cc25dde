//! Text in Latin-1, read as UTF-8.

use std::io::{self, Read};

/// Characters of Windows-1252 at 0x80 to 0x9F. Five of these bytes are no characters there, and are
/// the control characters of Latin-1.
const PRINTED: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Number of bytes read at a time.
const BYTES: usize = 1 << 16;

/// Reader that converts Latin-1 to UTF-8.
pub(super) struct Latin<R> {
    reader: R,
    bytes: Vec<u8>,
    text: Vec<u8>,
    /// Number of bytes of `text` that have been returned.
    taken: usize,
}

impl<R: Read> Latin<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, bytes: vec![0; BYTES], text: Vec::new(), taken: 0 }
    }

    fn read_more(&mut self) -> io::Result<()> {
        let read = self.reader.read(&mut self.bytes)?;
        self.text.clear();
        self.taken = 0;
        for byte in &self.bytes[..read] {
            match byte {
                0..=0x7f => self.text.push(*byte),
                _ => {
                    let printed = PRINTED.get(usize::from(*byte - 0x80));
                    let character = printed.copied().unwrap_or(char::from(*byte));
                    self.text.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Latin<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.text.len() {
            self.read_more()?;
        }
        let rest = &self.text[self.taken..];
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> String {
        let mut text = String::new();
        Latin::new(bytes).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn letters_quotes_and_the_euro() {
        assert_eq!(read(b"\xe9t\xe9, 5 \x80 \x93so\x94 \xff"), "été, 5 € “so” ÿ");
    }

    proptest! {
        #[test]
        fn every_byte_is_a_character(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let text = read(&bytes);
            prop_assert_eq!(text.chars().count(), bytes.len());
            for (character, byte) in text.chars().zip(&bytes) {
                let same = character == char::from(*byte);
                prop_assert!(same || (0x80..0xa0).contains(byte));
            }
        }
    }
}
