//! A file without a name.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// File in the folder for temporary files, created when it is first written to.
///
/// It has no name, and is deleted when the process ends.
#[derive(Default)]
pub(crate) struct Temporary(Option<File>);

impl Temporary {
    /// Appends bytes and returns their position.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let file = match &mut self.0 {
            Some(file) => file,
            None => self.0.insert(tempfile::tempfile()?),
        };
        let end = file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)?;
        Ok(end)
    }

    /// Fills `bytes` with the contents at a position.
    pub(crate) fn read(&mut self, place: u64, bytes: &mut [u8]) -> io::Result<()> {
        let file = self.0.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read_in_any_order() {
        let mut file = Temporary::default();
        assert!(file.read(0, &mut [0]).is_err(), "nothing has been written");
        let places: Vec<u64> =
            [b"one", b"two"].iter().map(|word| file.append(*word).unwrap()).collect();
        for (place, word) in places.into_iter().zip([b"one", b"two"]).rev() {
            let mut bytes = [0; 3];
            file.read(place, &mut bytes).unwrap();
            assert_eq!(&bytes, word);
        }
        assert!(file.read(4, &mut [0; 3]).is_err(), "the file ends before");
        assert_eq!(file.append(b"x").unwrap(), 6);
    }
}
