//! What one thread does with its blocks, and how the threads' results are joined.

use super::pieces::{Content, Piece};
use super::records::{Found, Records};
use crate::cell;
use crate::choice::Choice;
use crate::collector::{Collector, Part};
use crate::columns::Columns;
use crate::fault::{Fault, Role};
use crate::first_failure::FirstFailure;
use crate::job::Job;
use crate::persons;
use crate::scan::{PrivacyColumn, Scan};

/// The levels of the blocks one thread has parsed.
pub(super) struct Worker<'a> {
    scan: &'a Scan,
    first_piece: u64,
    records: Records,
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
    pub(super) fn new(job: &'a Job<'a>, first_piece: u64) -> Self {
        Self {
            scan: job.scan(),
            first_piece,
            records: Records::new(),
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
        self.collected.begin(self.first_piece + order);
        let mut records = 0;
        let (row, fault) = match content {
            Ok(content) => match self.parse(&content, &mut records) {
                Ok(()) => {
                    self.done.push(Done { order, file, records });
                    return;
                }
                Err(fault) => (Some(records + 1), fault),
            },
            Err(failure) => (failure.of_record.then_some(1), failure.fault),
        };
        failed.report(order);
        self.keep_first(Some(PieceFailure { order, file, row, fault }));
    }

    fn parse(&mut self, content: &Content, records: &mut u64) -> Result<(), Fault> {
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
                Found::Record => self.add(header.at)?,
            }
            *records += 1;
        }
    }

    /// Adds the record that was parsed last.
    #[inline]
    fn add(&mut self, at: Columns) -> Result<(), Fault> {
        let choice = self.choice(at.privacy)?;
        let index = match (at.value, &self.scan.value) {
            (Some(column), Some(value)) => value.of_cell(self.records.cell(column))?,
            _ => 0,
        };
        let group = match (at.group, &self.scan.group) {
            (Some(column), Some(group)) => group.of_cell(self.records.cell(column))?,
            _ => 0,
        };
        let person = match at.person {
            Some(column) => persons::of_cell(self.records.cell(column), self.scan.accounts.as_deref())?,
            None => 0,
        };
        self.collected.add(choice, index, group, person);
        Ok(())
    }

    #[inline]
    fn choice(&self, column: usize) -> Result<Choice, Fault> {
        let cell = self.records.cell(column);
        match &self.scan.privacy {
            PrivacyColumn::Budgets { .. } => Ok(Choice::Budget(self.scan.budget(cell::budget(cell)?))),
            PrivacyColumn::Tiers { tiers, .. } => match tiers.position(cell) {
                Some(slot) => Ok(Choice::Tier(slot)),
                None => Err(not_a_tier(cell)),
            },
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

    /// The first fault in the order of the data. All pieces before it have been parsed, so its row is known.
    pub(super) fn first_failure(&self) -> Option<Failure> {
        let PieceFailure { order, file, row, fault } = self.failure.as_ref()?;
        let before = self.done.iter().filter(|done| done.file == *file && done.order < *order);
        let before: u64 = before.map(|done| done.records).sum();
        Some(Failure { file: *file, row: row.map(|row| before + row), fault: *fault })
    }

    /// What was read, if there was no fault: then every piece is done.
    pub(super) fn into_part(self) -> Part<'a> {
        Part { collected: self.collected, pieces: self.done.len() as u64 }
    }
}

/// In a file with one column a blank line is a missing cell, which the parser would pass over in silence.
fn begins_with_blank_line(block: &[u8], at: &mut usize) -> bool {
    if *at > 0 && block[*at - 1] == b'\r' && block.get(*at) == Some(&b'\n') {
        *at += 1;
    }
    matches!(block.get(*at), Some(b'\r' | b'\n'))
}

#[cold]
fn not_a_tier(cell: &[u8]) -> Fault {
    if cell.is_empty() {
        return Fault::Missing(Role::Privacy);
    }
    cell::text(cell, Role::Privacy).err().unwrap_or(Fault::UnknownTier)
}
