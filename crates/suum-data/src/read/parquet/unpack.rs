//! Decompression of Snappy pages, one after the other in the same memory.

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::file::metadata::ColumnChunkMetaData;

/// Largest ratio of decompressed to compressed size. A copy element of Snappy writes at most 64
/// bytes for 3, so a page that claims more is damaged.
const MOST_TIMES: usize = 22;

/// Decompressor of pages, if they are compressed.
///
/// The parquet crate would allocate memory for every page, and fill it with zeros first.
pub(super) struct Unpack {
    is_packed: bool,
    /// Memory of earlier pages, for reuse.
    room: Vec<u8>,
}

impl Unpack {
    /// Creates a decompressor for the pages of a column, and metadata with which the crate's page
    /// reader does not decompress Snappy pages; pages of other codecs it decompresses itself.
    pub(super) fn for_chunk(chunk: &ColumnChunkMetaData) -> Option<(Self, ColumnChunkMetaData)> {
        let is_packed = chunk.compression() == Compression::SNAPPY;
        let unpack = Self { is_packed, room: Vec::new() };
        if !is_packed {
            return Some((unpack, chunk.clone()));
        }
        let as_it_is = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED);
        Some((unpack, as_it_is.build().ok()?))
    }

    /// Returns the decompressed page; `None` if it cannot be decompressed.
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

    /// Takes back the memory of a page that was read.
    pub(super) fn give_back(&mut self, page: Vec<u8>) {
        if self.is_packed {
            self.room = page;
        }
    }
}
