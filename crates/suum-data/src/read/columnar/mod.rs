//! Columns in memory to records: what Parquet, Arrow batches and slices share.

mod cells;
mod decisions;
mod entries;
mod few;
mod fields;
mod numbers;
mod row_filter;
mod rows;
mod times;

use std::ops::Range;

use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, RecordBatch, cast::AsArray};

use crate::cells::columns::Columns;

pub(crate) use fields::position;
pub(crate) use rows::Rows;

/// Column as it lies in memory.
#[derive(Clone)]
pub(crate) enum Column<'a> {
    /// An Arrow array of any type.
    Array(ArrayRef),
    /// Numbers; NaN if one is missing.
    Numbers(&'a [f64]),
    /// Numbers minus the lower bound of their grid; NaN if one is missing.
    Offsets(&'a [f64]),
    /// Positions of labels among the declared ones.
    Positions(&'a [u32]),
    /// Hashes of the identifiers of persons.
    Persons(&'a [u128]),
}

impl Column<'_> {
    /// Slice of the rows, which must be in range.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Self {
        match self {
            Self::Array(array) => Self::Array(array.slice(rows.start, rows.len())),
            Self::Numbers(numbers) => Self::Numbers(&numbers[rows]),
            Self::Offsets(offsets) => Self::Offsets(&offsets[rows]),
            Self::Positions(positions) => Self::Positions(&positions[rows]),
            Self::Persons(persons) => Self::Persons(&persons[rows]),
        }
    }

    /// Copy without Arrow's reference counts, where possible: threads that update the reference
    /// count of a shared array wait for each other.
    fn bare(&self) -> Column<'_> {
        self.doubles().map_or_else(|| self.clone(), Column::Numbers)
    }

    /// Copy with a cell for each row in place of keys of a dictionary, which can have entries of no
    /// row.
    fn unpacked(&self) -> Self {
        let dictionary = match self {
            Self::Array(array) => array.as_any_dictionary_opt(),
            _ => None,
        };
        let taken = dictionary.and_then(|dictionary| {
            arrow_select::take::take(dictionary.values(), dictionary.keys(), None).ok()
        });
        taken.map_or_else(|| self.clone(), Self::Array)
    }

    /// Values of a column of doubles of which none is missing; `None` for other columns.
    fn doubles(&self) -> Option<&[f64]> {
        match self {
            Self::Array(array) if array.null_count() == 0 => {
                array.as_primitive_opt::<Float64Type>().map(|array| array.values().as_ref())
            }
            Self::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }
}

/// Columns of a batch that a scan reads.
pub(crate) fn select_columns(batch: &RecordBatch, at: Columns) -> Columns<Column<'static>> {
    at.map(|position| Column::Array(ArrayRef::clone(batch.column(*position))))
}
