//! Compressed files, read as they are unpacked.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::read::progress::Progress;

/// How a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstandard,
}

impl Compression {
    /// That of files whose names end like this, in lower case.
    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstandard),
            _ => None,
        }
    }

    /// That of files which begin like this.
    pub(crate) fn of_start(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd] => Some(Self::Zstandard),
            _ => None,
        }
    }

    /// What is in the file, of which any number may be packed one behind the other. The bytes of
    /// the file itself are progress.
    pub(crate) fn open<'a>(
        self,
        path: &Path,
        progress: &'a Progress,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        let file = CountedBytes { file: File::open(path)?, progress };
        // Larger than a file needs while it is unpacked; both crates keep less than that at a time.
        Ok(match self {
            Self::Gzip => {
                Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(1 << 17, file)))
            }
            Self::Zstandard => Box::new(zstd::stream::read::Decoder::new(file)?),
        })
    }
}

struct CountedBytes<'a> {
    file: File,
    progress: &'a Progress,
}

impl Read for CountedBytes<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.progress.add(read as u64);
        Ok(read)
    }
}
