//! The records of a block, as `csv-core` reads them.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// A CSV parser with room for one record.
pub(super) struct Records {
    parser: Reader,
    cells: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
}

/// Result of [`Records::next`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NextRecord {
    Record,
    /// A record with more cells than the parser was told to expect.
    TooManyCells,
    End,
}

impl Records {
    pub(super) fn new(delimiter: u8) -> Self {
        let parser = ReaderBuilder::new().delimiter(delimiter).build();
        Self { parser, cells: vec![0; 1024], ends: Vec::new(), count: 0 }
    }

    /// Starts a block whose records should have `columns` cells.
    pub(super) fn start(&mut self, columns: usize) {
        self.parser.reset();
        // One more, so that a record with too many cells can be told from a good one.
        self.ends.resize(columns + 1, 0);
        // A parser skips a byte order mark at the start of its input. Only that of the file is one,
        // and it has been skipped; a line end before the first record means nothing.
        self.parser.read_record(b"\n", &mut self.cells, &mut self.ends);
    }

    /// Parses the record at `at`, and moves `at` past it.
    pub(super) fn next(&mut self, block: &[u8], at: &mut usize) -> NextRecord {
        let mut length = 0;
        self.count = 0;
        loop {
            let (result, read, written, ended) = self.parser.read_record(
                &block[*at..],
                &mut self.cells[length..],
                &mut self.ends[self.count..],
            );
            *at += read;
            length += written;
            self.count += ended;
            match result {
                // The next call has no input, which ends the last record.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.cells.resize(2 * self.cells.len(), 0),
                ReadRecordResult::OutputEndsFull => return NextRecord::TooManyCells,
                ReadRecordResult::Record if self.count == self.ends.len() => {
                    return NextRecord::TooManyCells;
                }
                ReadRecordResult::Record => return NextRecord::Record,
                ReadRecordResult::End => return NextRecord::End,
            }
        }
    }

    /// The number of cells of the record.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// A cell of the record without the spaces around it.
    #[inline]
    pub(super) fn cell(&self, column: usize) -> &[u8] {
        let start = if column == 0 { 0 } else { self.ends[column - 1] };
        self.cells[start..self.ends[column]].trim_ascii()
    }
}
