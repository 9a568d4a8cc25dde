//! Work of one thread on its blocks, and the merge of the threads' results.

use memchr::memchr;

use super::pending_records::PendingRecords;
use super::pieces::{Content, Piece};
use super::plain::Plain;
use super::records::{NextRecord, Records};
use crate::cells::columns::Columns;
use crate::cells::fault::Fault;
use crate::read::first_failure::FirstFailures;
use crate::read::lanes::{Lane, Lanes};
use crate::scan::csv_form::CsvForm;
use crate::scan::nulls::Nulls;
use crate::scan::role::Role;
use crate::sink::job::Job;
use crate::sink::row_sink::RowSink;

/// State and results of one thread.
pub(super) struct Worker<'a> {
    nulls: Nulls,
    records: Records,
    plain: Plain,
    lanes: Lanes<'a, PendingRecords<'a>, PieceFailure>,
    // Records of each piece without fault, to number the row of a later fault.
    done: Vec<Done>,
}

struct Done {
    order: u64,
    file: usize,
    records: u64,
}

/// First fault of a piece; the row counts from the start of the piece.
struct PieceFailure {
    order: u64,
    file: usize,
    row: Option<u64>,
    fault: Fault,
}

/// Fault with its position: the row counts from the header of the file.
pub(super) struct Failure {
    pub(super) file: usize,
    pub(super) row: Option<u64>,
    pub(super) fault: Fault,
}

/// Scan that still needs the records of a block.
struct ActiveScan<'w, 'a> {
    at: usize,
    lane: &'w mut Lane<'a, PendingRecords<'a>, PieceFailure>,
    /// Positions of its columns, as the parser of the block numbers them.
    columns: Columns,
    /// End of the block for this scan, once it is known: a number of records, and the fault after
    /// them, if any.
    ended: Option<(u64, Result<(), Fault>)>,
}

impl ActiveScan<'_, '_> {
    /// Adds a record; returns false once the block has ended for this scan.
    #[inline]
    fn add<'b>(&mut self, cell: impl Fn(usize) -> &'b [u8], at: &Columns) -> bool {
        match self.lane.reader.add(cell, at, &mut self.lane.collected) {
            Ok(()) => true,
            Err(fault) => {
                self.end(Err(fault));
                false
            }
        }
    }

    /// Adds a record where there are several scans: compiled once, not for each parser, so that the
    /// code for a single scan stays small.
    #[inline(never)]
    fn add_of_several<'b>(&mut self, cell: &dyn Fn(usize) -> &'b [u8]) -> bool {
        let at = self.columns;
        self.add(cell, &at)
    }

    /// Counts the records that wait. A fault of theirs comes before a later one in `parsed`.
    #[cold]
    fn end(&mut self, parsed: Result<(), Fault>) {
        let Lane { reader, collected, .. } = &mut *self.lane;
        let counted = reader.flush(collected).and(parsed);
        self.ended = Some((reader.records(), counted));
    }
}

impl<'a> Worker<'a> {
    pub(super) fn new(jobs: &'a [Job<'a>], form: CsvForm) -> Self {
        let delimiter = form.delimiter.byte();
        Self {
            nulls: jobs.first().map(|job| job.scan().nulls.clone()).unwrap_or_default(),
            records: Records::new(delimiter),
            plain: Plain::new(delimiter),
            lanes: Lanes::new(jobs, |job| PendingRecords::new(job.scan())),
            done: Vec::new(),
        }
    }

    /// Parses a piece, for each scan that has not failed before.
    pub(super) fn take(&mut self, piece: Piece, failed: &FirstFailures) {
        let Piece { order, file, content } = piece;
        let content = match content {
            Ok(content) => content,
            Err(failure) => {
                let row = failure.of_record.then_some(1);
                for (_, lane) in self.lanes.concerned(order, failed) {
                    let fault = failure.fault.clone();
                    lane.fail(order, PieceFailure { order, file, row, fault });
                }
                return failed.report_all(order);
            }
        };
        let at = &content.header.at;
        let is_quoted = memchr(b'"', &content.block.bytes[content.start..]).is_some();
        let at = if is_quoted { &at.each } else { &at.packed };
        let mut concerned = Vec::new();
        for (scan, lane) in self.lanes.concerned(order, failed) {
            match &at[scan] {
                Ok(columns) => {
                    lane.reader.start();
                    concerned.push(ActiveScan { at: scan, lane, columns: *columns, ended: None });
                }
                Err(fault) => {
                    let fault = fault.clone();
                    lane.fail(order, PieceFailure { order, file, row: None, fault });
                    failed.report(scan, order);
                }
            }
        }
        let parsers = (&mut self.records, &mut self.plain);
        parse(&content, is_quoted, &self.nulls, parsers, &mut concerned);
        let mut done = None;
        for ActiveScan { at, lane, ended, .. } in concerned {
            match ended {
                Some((records, Ok(()))) => done = Some(records),
                Some((records, Err(fault))) => {
                    lane.fail(order, PieceFailure { order, file, row: Some(records + 1), fault });
                    failed.report(at, order);
                }
                None => {}
            }
        }
        self.done.extend(done.map(|records| Done { order, file, records }));
    }

    pub(super) fn merge(mut self, other: Self) -> Self {
        self.lanes = self.lanes.merge(other.lanes);
        self.done.extend(other.done);
        self
    }

    /// Returns the results of each scan if there was no fault: then every piece is done. Otherwise
    /// the first fault, in the order of the data, of the first scan that has one. All pieces before
    /// it have been parsed for that scan, so its row is known.
    pub(super) fn finish(self) -> Result<Vec<RowSink<'a>>, (usize, Failure)> {
        let Self { lanes, done, .. } = self;
        lanes.finish().map_err(|(at, PieceFailure { order, file, row, fault })| {
            let before = done.iter().filter(|done| done.file == file && done.order < order);
            let before: u64 = before.map(|done| done.records).sum();
            (at, Failure { file, row: row.map(|row| before + row), fault })
        })
    }
}

/// Adds all records of a block to each scan, up to its first fault.
fn parse(
    content: &Content,
    is_quoted: bool,
    nulls: &Nulls,
    parsers: (&mut Records, &mut Plain),
    concerned: &mut [ActiveScan],
) {
    let (records, plain) = parsers;
    // Nobody looks for texts that stand for nothing where there are none.
    let parsed = match (is_quoted, nulls.texts().is_empty()) {
        (true, true) => each_record(QuotedBlock::new(content, records, |cell| cell), concerned),
        (true, false) => {
            each_record(QuotedBlock::new(content, records, |cell| nulls.cell(cell)), concerned)
        }
        (false, true) => each_record(PlainBlock::new(content, plain, |cell| cell), concerned),
        (false, false) => {
            each_record(PlainBlock::new(content, plain, |cell| nulls.cell(cell)), concerned)
        }
    };
    for one in concerned.iter_mut().filter(|one| one.ended.is_none()) {
        one.end(parsed.clone());
    }
}

/// Records of a block, one after the other.
trait Parse {
    /// Moves to the next record; returns false if there is none.
    fn next(&mut self) -> Result<bool, Fault>;

    /// Cell of the record, by the position that the parser gives it.
    fn cell(&self, at: usize) -> &[u8];
}

/// Adds each record to each scan, up to its first fault.
fn each_record(mut parser: impl Parse, concerned: &mut [ActiveScan]) -> Result<(), Fault> {
    // Most often there is one.
    if let [one] = concerned {
        let at = one.columns;
        while parser.next()? && one.add(|column| parser.cell(column), &at) {}
        return Ok(());
    }
    let mut left = concerned.len();
    while left > 0 && parser.next()? {
        for one in concerned.iter_mut().filter(|one| one.ended.is_none()) {
            if !one.add_of_several(&|column| parser.cell(column)) {
                left -= 1;
            }
        }
    }
    Ok(())
}

/// Block without quotes, whose cells are numbered by the order of the columns that are read.
struct PlainBlock<'p, F> {
    content: &'p Content,
    plain: &'p mut Plain,
    at: usize,
    of: F,
}

impl<'p, F: Fn(&[u8]) -> &[u8]> PlainBlock<'p, F> {
    fn new(content: &'p Content, plain: &'p mut Plain, of: F) -> Self {
        Self { content, plain, at: content.start, of }
    }
}

impl<F: Fn(&[u8]) -> &[u8]> Parse for PlainBlock<'_, F> {
    #[inline]
    fn next(&mut self) -> Result<bool, Fault> {
        let Content { block, header, .. } = self.content;
        if header.columns == 1 && begins_with_blank_line(&block.bytes, &mut self.at) {
            return Err(Fault::Missing(Role::Privacy));
        }
        match self.plain.next(&block.bytes, &mut self.at, &header.at.positions) {
            NextRecord::End => Ok(false),
            NextRecord::Record if self.plain.len() == header.columns => Ok(true),
            NextRecord::Record | NextRecord::TooManyCells => Err(Fault::Ragged),
        }
    }

    #[inline]
    fn cell(&self, at: usize) -> &[u8] {
        (self.of)(self.plain.cell(&self.content.block.bytes, at))
    }
}

/// Block with quotes, whose cells are numbered by the position of their column.
struct QuotedBlock<'p, F> {
    content: &'p Content,
    records: &'p mut Records,
    at: usize,
    of: F,
}

impl<'p, F: Fn(&[u8]) -> &[u8]> QuotedBlock<'p, F> {
    fn new(content: &'p Content, records: &'p mut Records, of: F) -> Self {
        records.start(content.header.columns);
        Self { content, records, at: content.start, of }
    }
}

impl<F: Fn(&[u8]) -> &[u8]> Parse for QuotedBlock<'_, F> {
    #[inline]
    fn next(&mut self) -> Result<bool, Fault> {
        let Content { block, header, .. } = self.content;
        if header.columns == 1 && begins_with_blank_line(&block.bytes, &mut self.at) {
            return Err(Fault::Missing(Role::Privacy));
        }
        match self.records.next(&block.bytes, &mut self.at) {
            NextRecord::End => Ok(false),
            NextRecord::TooManyCells => Err(Fault::Ragged),
            NextRecord::Record if block.open_quote && self.at == block.bytes.len() => {
                Err(Fault::OpenQuote)
            }
            NextRecord::Record if self.records.len() < header.columns => Err(Fault::Ragged),
            NextRecord::Record => Ok(true),
        }
    }

    #[inline]
    fn cell(&self, at: usize) -> &[u8] {
        (self.of)(self.records.cell(at))
    }
}

/// Returns true if a blank line follows: in a file with one column it is a missing cell, which the
/// parser would skip silently. Moves `at` past a line feed that belongs to the line end before it.
fn begins_with_blank_line(block: &[u8], at: &mut usize) -> bool {
    if *at > 0 && block[*at - 1] == b'\r' && block.get(*at) == Some(&b'\n') {
        *at += 1;
    }
    matches!(block.get(*at), Some(b'\r' | b'\n'))
}
