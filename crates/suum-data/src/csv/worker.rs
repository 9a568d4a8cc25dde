//! What one thread does with its blocks, and how the threads' results are joined.

use memchr::memchr;

use super::filled::Filled;
use super::pieces::{Content, Piece};
use super::plain::Plain;
use super::records::{Found, Records};
use crate::collector::Collector;
use crate::fault::Fault;
use crate::first_failure::FirstFailure;
use crate::job::Job;
use crate::role::Role;

/// The levels of the blocks one thread has parsed.
pub(super) struct Worker<'a> {
    records: Records,
    plain: Plain,
    filled: Filled<'a>,
    collected: Collector<'a>,
    // Records of each piece without fault, to number the row of a later fault.
    done: Vec<Done>,
    failure: Option<PieceFailure>,
}

struct Done {
    order: u64,
    file: usize,
    records: u64,
}

/// The first fault of a piece; the row counts from the start of the piece.
struct PieceFailure {
    order: u64,
    file: usize,
    row: Option<u64>,
    fault: Fault,
}

/// A fault in its place: the row counts from the header of the file.
pub(super) struct Failure {
    pub(super) file: usize,
    pub(super) row: Option<u64>,
    pub(super) fault: Fault,
}

impl<'a> Worker<'a> {
    pub(super) fn new(job: &'a Job<'a>) -> Self {
        let delimiter = job.scan().csv.delimiter.byte();
        Self {
            records: Records::new(delimiter),
            plain: Plain::new(delimiter),
            filled: Filled::new(job.scan()),
            collected: Collector::new(job),
            done: Vec::new(),
            failure: None,
        }
    }

    /// Parses a piece, unless one before it has failed.
    pub(super) fn take(&mut self, piece: Piece, failed: &FirstFailure) {
        let Piece { order, file, content } = piece;
        if failed.is_before(order) {
            return;
        }
        let (row, fault) = match content {
            Ok(content) => match self.parse(&content) {
                Ok(records) => {
                    self.done.push(Done { order, file, records });
                    return;
                }
                Err((records, fault)) => (Some(records + 1), fault),
            },
            Err(failure) => (failure.of_record.then_some(1), failure.fault),
        };
        failed.report(order);
        self.keep_first(Some(PieceFailure { order, file, row, fault }));
    }

    /// Adds all records of a block and counts them; or the first fault, and how many records are
    /// before it.
    fn parse(&mut self, content: &Content) -> Result<u64, (u64, Fault)> {
        self.filled.start();
        let nulls = self.filled.nulls();
        let quoted = memchr(b'"', &content.block.bytes[content.start..]).is_some();
        // Nobody looks for texts that stand for nothing where there are none.
        let parsed = match (quoted, nulls.texts().is_empty()) {
            (true, true) => self.parse_quoted(content, |cell| cell),
            (true, false) => self.parse_quoted(content, |cell| nulls.cell(cell)),
            (false, true) => self.parse_plain(content, |cell| cell),
            (false, false) => self.parse_plain(content, |cell| nulls.cell(cell)),
        };
        // A fault of the records that wait comes before one found behind them.
        let counted = self.filled.flush(&mut self.collected).and(parsed);
        let records = self.filled.records();
        counted.map(|()| records).map_err(|fault| (records, fault))
    }

    fn parse_plain(&mut self, content: &Content, of: impl Fn(&[u8]) -> &[u8]) -> Result<(), Fault> {
        let block = content.block.bytes.as_slice();
        let header = content.header;
        let (read, at_read) = (header.at.positions(), header.at.packed());
        let mut at = content.start;
        loop {
            if header.columns == 1 && begins_with_blank_line(block, &mut at) {
                return Err(Fault::Missing(Role::Privacy));
            }
            match self.plain.next(block, &mut at, &read) {
                Found::End => return Ok(()),
                Found::Record if self.plain.len() == header.columns => {}
                Found::Record | Found::TooManyCells => return Err(Fault::Ragged),
            }
            let cell = |place| of(self.plain.cell(block, place));
            self.filled.add(cell, &at_read, &mut self.collected)?;
        }
    }

    fn parse_quoted(
        &mut self,
        content: &Content,
        of: impl Fn(&[u8]) -> &[u8],
    ) -> Result<(), Fault> {
        let block = content.block.bytes.as_slice();
        let header = content.header;
        let mut at = content.start;
        self.records.start(header.columns);
        loop {
            if header.columns == 1 && begins_with_blank_line(block, &mut at) {
                return Err(Fault::Missing(Role::Privacy));
            }
            match self.records.next(block, &mut at) {
                Found::End => return Ok(()),
                Found::TooManyCells => return Err(Fault::Ragged),
                Found::Record if content.block.open_quote && at == block.len() => {
                    return Err(Fault::OpenQuote);
                }
                Found::Record if self.records.len() < header.columns => return Err(Fault::Ragged),
                Found::Record => {}
            }
            let cell = |column| of(self.records.cell(column));
            self.filled.add(cell, &header.at, &mut self.collected)?;
        }
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.collected.merge(other.collected);
        self.done.extend(other.done);
        self.keep_first(other.failure);
        self
    }

    fn keep_first(&mut self, other: Option<PieceFailure>) {
        let failures = self.failure.take().into_iter().chain(other);
        self.failure = failures.min_by_key(|failure| failure.order);
    }

    /// The first fault in the order of the data. All pieces before it have been parsed, so its row
    /// is known.
    pub(super) fn first_failure(&self) -> Option<Failure> {
        let PieceFailure { order, file, row, fault } = self.failure.as_ref()?;
        let before = self.done.iter().filter(|done| done.file == *file && done.order < *order);
        let before: u64 = before.map(|done| done.records).sum();
        Some(Failure { file: *file, row: row.map(|row| before + row), fault: fault.clone() })
    }

    /// What was read, if there was no fault: then every piece is done.
    pub(super) fn into_collected(self) -> Collector<'a> {
        self.collected
    }
}

/// In a file with one column a blank line is a missing cell, which the parser would pass over in
/// silence.
fn begins_with_blank_line(block: &[u8], at: &mut usize) -> bool {
    if *at > 0 && block[*at - 1] == b'\r' && block.get(*at) == Some(&b'\n') {
        *at += 1;
    }
    matches!(block.get(*at), Some(b'\r' | b'\n'))
}
