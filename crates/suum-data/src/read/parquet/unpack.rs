//! The bytes of pages that are packed with Snappy, one after the other in the same memory.

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::file::metadata::ColumnChunkMetaData;

/// A copy of Snappy writes at most 64 bytes for 3: nothing is longer than that many times its
/// packed form, whatever a damaged file says.
const MOST_TIMES: usize = 22;

/// Unpacks pages, if they are packed.
///
/// The parquet crate asks for the memory of every page, and fills it with zeros first.
pub(super) struct Unpack {
    is_packed: bool,
    /// Memory of pages before.
    room: Vec<u8>,
}

impl Unpack {
    /// For the pages of a column, and the same column for a reader that does not unpack them: of
    /// other ways to pack it does.
    pub(super) fn of(chunk: &ColumnChunkMetaData) -> Option<(Self, ColumnChunkMetaData)> {
        let is_packed = chunk.compression() == Compression::SNAPPY;
        let unpack = Self { is_packed, room: Vec::new() };
        if !is_packed {
            return Some((unpack, chunk.clone()));
        }
        let as_it_is = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED);
        Some((unpack, as_it_is.build().ok()?))
    }

    /// What a page holds; `None` if that cannot be unpacked.
    pub(super) fn page(&mut self, bytes: Bytes) -> Option<Vec<u8>> {
        // A page without values has no bytes at all.
        if !self.is_packed || bytes.is_empty() {
            return Some(bytes.into());
        }
        let length = snap::raw::decompress_len(&bytes).ok()?;
        if length > bytes.len().saturating_mul(MOST_TIMES) {
            return None;
        }
        let mut page = std::mem::take(&mut self.room);
        page.resize(length, 0);
        let written = snap::raw::Decoder::new().decompress(&bytes, &mut page).ok()?;
        (written == length).then_some(page)
    }

    /// Takes the memory of a page that was read.
    pub(super) fn give_back(&mut self, page: Vec<u8>) {
        if self.is_packed {
            self.room = page;
        }
    }
}
