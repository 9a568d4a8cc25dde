//! Columns of integers, told by their type, which is public; values are not inspected.

use arrow_schema::{DataType, Schema};

use crate::read::parquet;
use crate::read::source::{DataFile, Format, Location, Source};

/// Returns true if exactly one column has this name, and its type is one of integers, truth values,
/// decimals without decimal places, or dates without a time.
///
/// # Example
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
/// use suum_data::has_integers;
///
/// let of = |kind| Schema::new(vec![Field::new("age", kind, true)]);
/// assert!(has_integers(&of(DataType::Int32), "age"));
/// assert!(has_integers(&of(DataType::Boolean), "age"));
/// assert!(has_integers(&of(DataType::Decimal128(9, 0)), "age"));
/// assert!(!has_integers(&of(DataType::Decimal128(9, 2)), "age"));
/// assert!(!has_integers(&of(DataType::Float64), "age"));
/// assert!(!has_integers(&of(DataType::Int32), "wage"));
/// ```
pub fn has_integers(schema: &Schema, column: &str) -> bool {
    let mut named = schema.fields().iter().filter(|field| field.name() == column);
    let first = named.next().is_some_and(|field| is_whole(field.data_type()));
    first && named.next().is_none()
}

/// Returns true if all values of a type are whole: also truth values, which are 0 and 1, and
/// decimals without decimal places.
fn is_whole(kind: &DataType) -> bool {
    match kind {
        DataType::Decimal32(_, places)
        | DataType::Decimal64(_, places)
        | DataType::Decimal128(_, places)
        | DataType::Decimal256(_, places) => *places <= 0,
        _ => kind.is_integer() || matches!(kind, DataType::Boolean | DataType::Date32),
    }
}

impl Source {
    /// Returns true if the column of this name holds integers by its type in every file. CSV has no
    /// types; a file that cannot be read is refused later.
    pub fn has_integers(&self, column: &str) -> bool {
        let in_file = |file: &DataFile| {
            file.format == Format::Parquet
                && parquet::schema(&file.path).is_some_and(|schema| has_integers(&schema, column))
        };
        match self.location() {
            Location::StandardInput => false,
            Location::Files(files) => files.iter().all(in_file),
        }
    }
}
