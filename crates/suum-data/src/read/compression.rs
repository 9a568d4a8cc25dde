//! Compressed files, decompressed while they are read.

use std::fs::File;
use std::io::{self, BufRead, Chain, Cursor, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;

use crate::cells::fault::{Fault, Unpacking};
use crate::read::progress::Progress;

/// Compression format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstandard,
}

impl Compression {
    /// Format of files with this extension, in lower case.
    pub(crate) fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstandard),
            _ => None,
        }
    }

    /// Format of files that begin with these bytes.
    pub(crate) fn from_start(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstandard),
            _ => None,
        }
    }

    /// Opens a file for reading its decompressed contents; several compressed members may follow
    /// each other. Progress counts the bytes of the file itself.
    pub(crate) fn open<'a>(
        self,
        path: &Path,
        progress: &'a Progress,
    ) -> Result<Box<dyn Read + Send + 'a>, Fault> {
        let mut file = CountedBytes { file: File::open(path)?, progress };
        let mut start = Vec::new();
        file.by_ref().take(4).read_to_end(&mut start)?;
        if start.is_empty() {
            return Err(Fault::Empty);
        }
        if Self::from_start(&start) != Some(self) {
            return Err(Fault::NotPacked);
        }
        let file = Cursor::new(start).chain(file);
        // Larger than a file needs while it is unpacked; both crates keep less than that at a time.
        Ok(match self {
            Self::Gzip => {
                Box::new(MarkedErrors(Gzip::new(io::BufReader::with_capacity(1 << 17, file))))
            }
            Self::Zstandard => Box::new(MarkedErrors(zstd::stream::read::Decoder::new(file)?)),
        })
    }
}

/// Reader of a compressed file that marks errors of decompression; errors of reading have other
/// kinds.
struct MarkedErrors<R>(R);

impl<R: Read> Read for MarkedErrors<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
        self.0.read(bytes).map_err(|error| match error.kind() {
            kind @ (UnexpectedEof | InvalidInput | InvalidData | Other) => {
                io::Error::new(kind, Unpacking)
            }
            _ => error,
        })
    }
}

/// Compressed file, preceded by its first bytes, which were inspected.
type PackedBytes<'a> = io::BufReader<Chain<Cursor<Vec<u8>>, CountedBytes<'a>>>;

/// Reader of a gzip file with any number of members. Zeros after a member, which fill up a block of
/// a tape or a disk, are skipped.
struct Gzip<'a>(Option<GzDecoder<PackedBytes<'a>>>);

impl<'a> Gzip<'a> {
    fn new(file: PackedBytes<'a>) -> Self {
        Self(Some(GzDecoder::new(file)))
    }
}

impl Read for Gzip<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let read = member.read(bytes)?;
            if read > 0 || bytes.is_empty() {
                return Ok(read);
            }
            self.0 =
                self.0.take().map(GzDecoder::into_inner).map(next_member).transpose()?.flatten();
        }
        Ok(0)
    }
}

/// Next member of a file, if there is one.
fn next_member(mut file: PackedBytes) -> io::Result<Option<GzDecoder<PackedBytes>>> {
    loop {
        let ahead = file.fill_buf()?;
        if ahead.is_empty() {
            return Ok(None);
        }
        let zeros = ahead.iter().take_while(|byte| **byte == 0).count();
        let is_over = zeros < ahead.len();
        file.consume(zeros);
        if is_over {
            return Ok(Some(GzDecoder::new(file)));
        }
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
