//! What the footer of a file says: its row groups, and where the columns are.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};

use super::quiet::quietly;
use crate::columns::Columns;
use crate::fault::{Fault, Role};
use crate::progress::Progress;
use crate::scan::{PrivacyColumn, Scan};
use crate::value::Value;

/// An open Parquet file.
pub(super) struct Footer {
    pub(super) path: PathBuf,
    pub(super) metadata: ArrowReaderMetadata,
    pub(super) projection: ProjectionMask,
    /// The positions of the columns among those that are read.
    pub(super) at: Columns,
    /// The number of rows before each row group.
    pub(super) first_rows: Vec<u64>,
}

impl Footer {
    /// Reads the footer and finds the columns.
    pub(super) fn open(path: &Path, scan: &Scan, progress: &Progress) -> Result<Self, Fault> {
        quietly(|| Self::read(path, scan, progress)).unwrap_or(Err(Fault::Corrupt))
    }

    fn read(path: &Path, scan: &Scan, progress: &Progress) -> Result<Self, Fault> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        if bytes == 0 {
            return Err(Fault::Empty);
        }
        // A writer's own schema says how its arrays were laid out in memory (dictionaries, views). What the columns
        // hold is said by Parquet itself.
        let options = || ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = ArrowReaderMetadata::load(&file, options()).map_err(|_| Fault::Corrupt)?;
        let schema = metadata.schema().clone();

        let columns = Columns::find(scan, |role| position(&schema, scan, role))?;
        let metadata = with_text_views(metadata, &schema, &columns.positions(), options)?;

        let first_rows = first_rows(&metadata)?;
        // What is not in row groups is the footer, which has been read.
        let groups =
            metadata.metadata().row_groups().iter().map(|group| group.compressed_size().unsigned_abs());
        progress.add(bytes.saturating_sub(groups.sum()));
        // Columns are read in the order of the file, and one that serves as several is read once.
        let projection = ProjectionMask::roots(metadata.parquet_schema(), columns.positions());
        Ok(Self { path: path.to_owned(), metadata, projection, at: columns.packed(), first_rows })
    }

    /// The number of row groups.
    pub(super) fn groups(&self) -> usize {
        self.first_rows.len()
    }
}

/// The position of a column of a type that can be read.
fn position(schema: &Schema, scan: &Scan, role: Role) -> Result<usize, Fault> {
    let name = scan.column(role).trim_ascii();
    let mut matching =
        schema.fields().iter().enumerate().filter(|(_, field)| field.name().trim_ascii() == name);
    let (column, field) = match (matching.next(), matching.next()) {
        (Some(found), None) => found,
        (Some(_), Some(_)) => return Err(Fault::Repeated(role)),
        (None, _) => return Err(Fault::NotFound(role, schema.fields().len())),
    };
    let text = field.data_type() == &DataType::Utf8;
    let label = text || field.data_type().is_integer() || field.data_type() == &DataType::Boolean;
    let fits = match (role, &scan.privacy) {
        (Role::Group | Role::Person, _) => label,
        (Role::Value, _) if scan.value.as_ref().is_some_and(Value::is_label) => label,
        (Role::Value, _) => is_number(field.data_type()),
        (Role::Privacy, PrivacyColumn::Budgets { .. }) => text || is_number(field.data_type()),
        (Role::Privacy, PrivacyColumn::Tiers { .. }) => text,
    };
    match fits {
        true => Ok(column),
        false if field.data_type().is_nested() => Err(Fault::Nested(role)),
        false => Err(Fault::Type(role)),
    }
}

fn is_number(data_type: &DataType) -> bool {
    use DataType::{Boolean, Decimal32, Decimal64, Decimal128, Decimal256};
    data_type.is_numeric()
        || matches!(data_type, Boolean | Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..))
}

/// The same file with the text columns among `columns` read as views, which copies no short text.
fn with_text_views(
    metadata: ArrowReaderMetadata,
    schema: &Schema,
    columns: &[usize],
    options: impl Fn() -> ArrowReaderOptions,
) -> Result<ArrowReaderMetadata, Fault> {
    let view = |(position, field): (usize, &Arc<Field>)| {
        let wanted = columns.contains(&position) && field.data_type() == &DataType::Utf8;
        if wanted {
            Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View))
        } else {
            Arc::clone(field)
        }
    };
    let fields: Vec<_> = schema.fields().iter().enumerate().map(view).collect();
    let options =
        options().with_schema(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())));
    ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options).map_err(|_| Fault::Corrupt)
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
