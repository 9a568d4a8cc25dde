//! Header of a file: positions of the columns.

use std::io::Read;

use super::blocks::{Block, Blocks};
use super::records::{NextRecord, Records};
use crate::cells::columns::Union;
use crate::cells::fault::Fault;
use crate::cells::missing_column::MissingColumn;
use crate::read::compression::Compression;
use crate::scan::Scan;
use crate::scan::csv_form::CsvForm;
use crate::scan::role::Role;
use crate::sink::job::Job;

/// More columns than any table has; the limit keeps a broken file from taking all memory.
const MOST_COLUMNS: usize = 1 << 20;

/// Number of bytes that are read at a time where only the header counts.
const HEADER_BYTES: usize = 1 << 16;

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
        let first = first_record(block, delimiter)?;
        first.map(|(records, at)| Ok((Self::find(&records, jobs)?, at))).transpose()
    }

    fn find(records: &Records, jobs: &[Job]) -> Result<Self, Fault> {
        let names = names(records)?;
        let columns = names.len();
        let position = |scan: &Scan, role: Role| {
            let name = scan.column(role).trim_ascii().as_bytes();
            let mut matching = (0..columns).filter(|column| records.cell(*column) == name);
            match (matching.next(), matching.next()) {
                (Some(column), None) => Ok(column),
                (Some(_), Some(_)) => Err(Fault::Repeated(role)),
                (None, _) => {
                    let names = names.iter().copied();
                    Err(Fault::NotFound(role, Box::new(MissingColumn::in_line(scan, role, names))))
                }
            }
        };
        Ok(Self { columns, at: Union::find(jobs.iter().map(Job::scan), position) })
    }
}

/// Returns the names of the columns of a file, from its header.
///
/// # Errors
///
/// Refuses a file without a header, and one that is not text in this form.
pub(crate) fn column_names(
    reader: Box<dyn Read + Send + '_>,
    form: CsvForm,
) -> Result<Vec<String>, Fault> {
    let mut blocks = Blocks::open(reader, HEADER_BYTES, form, None)?;
    while let Some(block) = blocks.next()? {
        if let Some((records, _)) = first_record(&block, form.delimiter.byte())? {
            return Ok(names(&records)?.into_iter().map(str::to_owned).collect());
        }
    }
    Err(Fault::Empty)
}

/// Returns the first record of a block that is no blank line, and the position after it.
fn first_record(block: &Block, delimiter: u8) -> Result<Option<(Records, usize)>, Fault> {
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
            NextRecord::Record => return Ok(Some((records, at))),
        }
    }
}

/// Returns the cells of a header.
fn names(records: &Records) -> Result<Vec<&str>, Fault> {
    let columns = records.len();
    if columns > 0 && is_utf16(records.cell(0)) {
        return Err(Fault::Utf16);
    }
    if columns > 0 && Compression::from_start(records.cell(0)).is_some() {
        return Err(Fault::Packed);
    }
    let cells = (0..columns).map(|column| std::str::from_utf8(records.cell(column)));
    cells.collect::<Result<_, _>>().map_err(|_| Fault::HeaderNotUtf8)
}

/// Returns true if the text begins with a byte order mark of UTF-16.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}
