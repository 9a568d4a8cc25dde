//! Header of a file: positions of the columns.

use super::blocks::Block;
use super::records::{NextRecord, Records};
use crate::cells::columns::Union;
use crate::cells::fault::Fault;
use crate::cells::missing_column::MissingColumn;
use crate::read::compression::Compression;
use crate::scan::Scan;
use crate::scan::role::Role;
use crate::sink::job::Job;

/// More columns than any table has; the limit keeps a broken file from taking all memory.
const MOST_COLUMNS: usize = 1 << 20;

/// Positions of the columns in one file.
#[derive(Debug)]
pub(super) struct Header {
    /// Number of cells that each record must have.
    pub(super) columns: usize,
    pub(super) at: Union,
}

impl Header {
    /// Reads the header at the start of a block; also returns the position after it.
    ///
    /// `None` if the block has nothing but blank lines.
    pub(super) fn read(
        block: &Block,
        delimiter: u8,
        jobs: &[Job],
    ) -> Result<Option<(Self, usize)>, Fault> {
        let mut records = Records::new(delimiter);
        let mut columns = 64;
        loop {
            let mut at = 0;
            records.start(columns);
            match records.next(&block.bytes, &mut at) {
                NextRecord::End => return Ok(None),
                NextRecord::TooManyCells if columns >= MOST_COLUMNS => {
                    return Err(Fault::WideHeader);
                }
                NextRecord::TooManyCells => columns *= 2,
                NextRecord::Record if block.open_quote && at == block.bytes.len() => {
                    return Err(Fault::OpenQuote);
                }
                NextRecord::Record => return Ok(Some((Self::find(&records, jobs)?, at))),
            }
        }
    }

    fn find(records: &Records, jobs: &[Job]) -> Result<Self, Fault> {
        let columns = records.len();
        if columns > 0 && is_utf16(records.cell(0)) {
            return Err(Fault::Utf16);
        }
        if columns > 0 && Compression::of_start(records.cell(0)).is_some() {
            return Err(Fault::Packed);
        }
        if (0..columns).any(|column| std::str::from_utf8(records.cell(column)).is_err()) {
            return Err(Fault::HeaderNotUtf8);
        }
        let position = |scan: &Scan, role: Role| {
            let name = scan.column(role).trim_ascii().as_bytes();
            let mut matching = (0..columns).filter(|column| records.cell(*column) == name);
            match (matching.next(), matching.next()) {
                (Some(column), None) => Ok(column),
                (Some(_), Some(_)) => Err(Fault::Repeated(role)),
                (None, _) => {
                    // All names are UTF-8: see above.
                    let names = (0..columns).map(|at| std::str::from_utf8(records.cell(at)));
                    let names = names.map(std::result::Result::unwrap_or_default);
                    Err(Fault::NotFound(role, Box::new(MissingColumn::in_line(scan, role, names))))
                }
            }
        };
        Ok(Self { columns, at: Union::find(jobs.iter().map(Job::scan), position) })
    }
}

/// Returns true if the text begins with a byte order mark of UTF-16.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}
