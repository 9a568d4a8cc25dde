//! One CSV file in blocks that begin and end with whole records.

use std::io::Read;

use super::RECORD_BYTES;
use super::boundary::Boundary;
use super::latin::Latin;
use crate::cells::fault::Fault;
use crate::read::progress::Progress;
use crate::scan::csv_form::{CsvForm, Encoding};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whole records of one file.
pub(super) struct Block {
    pub(super) bytes: Vec<u8>,
    /// True if the file ends with this block, inside a quoted cell.
    pub(super) open_quote: bool,
}

/// Reads a file block by block.
pub(super) struct Blocks<'a> {
    reader: Box<dyn Read + Send + 'a>,
    size: usize,
    delimiter: u8,
    // The start of a record that was not complete in the last block.
    remainder: Vec<u8>,
    ended: bool,
    // Counter of bytes read, unless they are counted elsewhere.
    progress: Option<&'a Progress>,
}

impl<'a> Blocks<'a> {
    /// Starts reading; a byte order mark is skipped.
    pub(super) fn open(
        reader: Box<dyn Read + Send + 'a>,
        size: usize,
        form: CsvForm,
        progress: Option<&'a Progress>,
    ) -> Result<Self, Fault> {
        let reader = match form.encoding {
            Encoding::Utf8 => reader,
            Encoding::Latin1 => Box::new(Latin::new(reader)),
        };
        let mut blocks = Self {
            reader,
            size: size.max(1),
            delimiter: form.delimiter.byte(),
            remainder: Vec::new(),
            ended: false,
            progress,
        };
        let mut start = Vec::new();
        blocks.read_more(&mut start, BYTE_ORDER_MARK.len())?;
        if start.is_empty() {
            return Err(Fault::Empty);
        }
        if start != BYTE_ORDER_MARK {
            blocks.remainder = start;
        }
        Ok(blocks)
    }

    /// Returns the next block; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Block>, Fault> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.remainder);
        let mut boundary = Boundary::new(self.delimiter);
        loop {
            if self.read_more(&mut bytes, self.size)? < self.size {
                self.ended = true;
                let open_quote = boundary.ends_inside_quotes(&bytes);
                return Ok((!bytes.is_empty()).then_some(Block { bytes, open_quote }));
            }
            if let Some(end) = boundary.last_record_end(&bytes) {
                self.remainder = bytes.split_off(end);
                return Ok(Some(Block { bytes, open_quote: false }));
            }
            if bytes.len() > RECORD_BYTES {
                return Err(Fault::LongRecord);
            }
        }
    }

    /// Appends up to `size` bytes; fewer only at the end of the file.
    fn read_more(&mut self, bytes: &mut Vec<u8>, size: usize) -> Result<usize, Fault> {
        bytes.reserve(size);
        let read = self.reader.by_ref().take(size as u64).read_to_end(bytes)?;
        if let Some(progress) = self.progress {
            progress.add(read as u64);
        }
        Ok(read)
    }
}
