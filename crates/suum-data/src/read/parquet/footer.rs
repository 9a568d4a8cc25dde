//! Footer of a file: its row groups, and the positions of the columns.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_schema};
use parquet::basic::{Encoding, Type};
use parquet::file::metadata::ParquetMetaData;
use parquet::schema::types::SchemaDescriptor;

use super::quiet::quietly;
use crate::cells::columns::Union;
use crate::cells::fault::Fault;
use crate::read::columnar::position;
use crate::read::progress::Progress;
use crate::sink::job::Job;

/// Largest number of rows in a piece of work: writers make smaller row groups, or a single one of
/// all rows.
const PIECE_ROWS: u64 = 1 << 20;

/// Rows of one row group that one thread reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) group: usize,
    /// Number of rows of the row group before this stretch.
    pub(super) skipped: u64,
    pub(super) rows: u64,
    /// True if the row group ends with this stretch.
    pub(super) is_last: bool,
    /// Number of rows of the file before this stretch.
    pub(super) first_row: u64,
    /// Approximate number of bytes of the file that these rows take.
    pub(super) bytes: u64,
}

/// Reader options that ignore the writer's own schema, which tells how its arrays were laid out in
/// memory (dictionaries, views). Types come from Parquet itself, except those that [`typed`] takes
/// from that schema.
fn options() -> ArrowReaderOptions {
    ArrowReaderOptions::new().with_skip_arrow_metadata(true)
}

/// The columns of a file and their types; `None` if it cannot be read.
pub(crate) fn schema(path: &Path) -> Option<SchemaRef> {
    let file = File::open(path).ok()?;
    let load = || ArrowReaderMetadata::load(&file, options()).ok();
    quietly(|| load().map(|metadata| Arc::new(typed(&metadata))))?
}

/// Columns of a file with the types that they are read as.
///
/// Parquet has no type for durations and some times: they are stored as bare integers, and only the
/// schema of the writer says what these count. Timestamps of 96 bits are read in microseconds:
/// their nanoseconds since 1970 exceed 64 bits after the year 2262.
fn typed(metadata: &ArrowReaderMetadata) -> Schema {
    let file = metadata.metadata().file_metadata();
    let columns = file.schema_descr();
    let written = parquet_to_arrow_schema(columns, file.key_value_metadata()).ok();
    let of = |(position, field): (usize, &Arc<Field>)| {
        let written = written.as_ref().and_then(|schema| schema.fields().get(position));
        let data_type = match (field.data_type(), written.map(|field| field.data_type())) {
            (DataType::Int32 | DataType::Int64, Some(counted)) if counted.is_temporal() => {
                counted.clone()
            }
            (DataType::Timestamp(_, zone), _) if has_96_bits(columns, position) => {
                DataType::Timestamp(TimeUnit::Microsecond, zone.clone())
            }
            _ => return Arc::clone(field),
        };
        Arc::new(field.as_ref().clone().with_data_type(data_type))
    };
    let fields: Vec<_> = metadata.schema().fields().iter().enumerate().map(of).collect();
    Schema::new_with_metadata(fields, metadata.schema().metadata().clone())
}

fn has_96_bits(columns: &SchemaDescriptor, position: usize) -> bool {
    first_leaf(columns, position)
        .is_some_and(|leaf| columns.column(leaf).physical_type() == Type::INT96)
}

/// An open Parquet file.
pub(super) struct Footer {
    pub(super) path: PathBuf,
    pub(super) metadata: ArrowReaderMetadata,
    pub(super) projection: ProjectionMask,
    /// Columns of each scan, and their positions among those that are read.
    pub(super) at: Union,
    /// The number of rows before each row group.
    first_rows: Vec<u64>,
}

impl Footer {
    /// Reads the footer and finds the columns of each scan.
    pub(super) fn open(path: &Path, jobs: &[Job], progress: &Progress) -> Result<Self, Fault> {
        quietly(|| Self::read(path, jobs, progress)).unwrap_or(Err(Fault::Corrupt))
    }

    fn read(path: &Path, jobs: &[Job], progress: &Progress) -> Result<Self, Fault> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        if bytes == 0 {
            return Err(Fault::Empty);
        }
        let metadata = ArrowReaderMetadata::load(&file, options()).map_err(|_| Fault::Corrupt)?;
        let schema = typed(&metadata);

        let scans = jobs.iter().map(Job::scan);
        let at = Union::find(scans, |scan, role| position(&schema, scan, role));
        let metadata = with_light_text(metadata, &schema, &at.positions)?;

        let first_rows = first_rows(&metadata)?;
        // Bytes outside of row groups are the footer, which has been read.
        let groups = metadata
            .metadata()
            .row_groups()
            .iter()
            .map(|group| group.compressed_size().unsigned_abs());
        progress.add(bytes.saturating_sub(groups.sum()));
        // Columns are read in the order of the file, and one that serves as several is read once.
        let wanted = at.positions.iter().copied();
        let projection = ProjectionMask::roots(metadata.parquet_schema(), wanted);
        Ok(Self { path: path.to_owned(), metadata, projection, at, first_rows })
    }

    /// Splits the rows of all row groups into pieces of work.
    pub(super) fn stretches(&self) -> impl Iterator<Item = Stretch> {
        let groups = self.metadata.metadata().row_groups().iter().zip(&self.first_rows).enumerate();
        groups.flat_map(|(group, (metadata, first_row))| {
            let rows = metadata.num_rows().unsigned_abs();
            let bytes = metadata.compressed_size().unsigned_abs();
            let pieces = rows.div_ceil(PIECE_ROWS).max(1);
            (0..pieces).map(move |piece| {
                let part = |of: u64, piece| {
                    (u128::from(of) * u128::from(piece) / u128::from(pieces)) as u64
                };
                let (start, end) = (part(rows, piece), part(rows, piece + 1));
                Stretch {
                    group,
                    skipped: start,
                    rows: end - start,
                    is_last: piece + 1 == pieces,
                    first_row: *first_row + start,
                    bytes: part(bytes, piece + 1) - part(bytes, piece),
                }
            })
        })
    }
}

/// Reloads the file's metadata so that text columns among `columns` are read as dictionaries if
/// they are stored so, and as views otherwise, which copies no short text.
fn with_light_text(
    metadata: ArrowReaderMetadata,
    schema: &Schema,
    columns: &[usize],
) -> Result<ArrowReaderMetadata, Fault> {
    let light = |(position, field): (usize, &Arc<Field>)| {
        let wanted = columns.contains(&position) && field.data_type() == &DataType::Utf8;
        let data_type = match wanted && is_dictionary(metadata.metadata(), position) {
            true => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            false => DataType::Utf8View,
        };
        if wanted {
            Arc::new(field.as_ref().clone().with_data_type(data_type))
        } else {
            Arc::clone(field)
        }
    };
    let fields: Vec<_> = schema.fields().iter().enumerate().map(light).collect();
    let options = options()
        .with_schema(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())));
    ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options)
        .map_err(|_| Fault::Corrupt)
}

/// First leaf of the column at this position of the schema.
pub(super) fn first_leaf(schema: &SchemaDescriptor, column: usize) -> Option<usize> {
    (0..schema.num_columns()).find(|leaf| schema.get_column_root_idx(*leaf) == column)
}

/// Returns true if all pages of a plain column refer to dictionaries.
fn is_dictionary(metadata: &ParquetMetaData, column: usize) -> bool {
    let Some(leaf) = first_leaf(metadata.file_metadata().schema_descr(), column) else {
        return false;
    };
    metadata.row_groups().iter().all(|group| {
        let pages = group.column(leaf).page_encoding_stats_mask();
        let refers =
            |encoding| matches!(encoding, Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
        pages.is_some_and(|pages| pages.encodings().all(refers))
    })
}

/// The number of rows before each row group; the row groups must add up to the rows of the file.
fn first_rows(metadata: &ArrowReaderMetadata) -> Result<Vec<u64>, Fault> {
    let mut rows: u64 = 0;
    let mut first_rows = Vec::new();
    for group in metadata.metadata().row_groups() {
        first_rows.push(rows);
        let more = u64::try_from(group.num_rows()).map_err(|_| Fault::Corrupt)?;
        rows = rows.checked_add(more).ok_or(Fault::Corrupt)?;
    }
    let declared = metadata.metadata().file_metadata().num_rows();
    if u64::try_from(declared) == Ok(rows) { Ok(first_rows) } else { Err(Fault::RowCount) }
}
