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

/// One column, as it lies in memory.
#[derive(Clone)]
pub(crate) enum Column<'a> {
    /// An Arrow array of any type.
    Array(ArrayRef),
    /// Numbers; NaN where one is missing.
    Numbers(&'a [f64]),
    /// Numbers less the lower bound of their grid; NaN where one is missing.
    Offsets(&'a [f64]),
    /// The positions of labels among those declared.
    Positions(&'a [u32]),
    /// What stands for persons.
    Persons(&'a [u128]),
}

impl Column<'_> {
    /// Some of the rows; all must be rows of the column.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Self {
        match self {
            Self::Array(array) => Self::Array(array.slice(rows.start, rows.len())),
            Self::Numbers(numbers) => Self::Numbers(&numbers[rows]),
            Self::Offsets(offsets) => Self::Offsets(&offsets[rows]),
            Self::Positions(positions) => Self::Positions(&positions[rows]),
            Self::Persons(persons) => Self::Persons(&persons[rows]),
        }
    }

    /// The same rows without Arrow's bookkeeping, where they need none: threads that count who
    /// holds an array wait for each other.
    fn bare(&self) -> Column<'_> {
        self.doubles().map_or_else(|| self.clone(), Column::Numbers)
    }

    /// The rows, each with its own cell in place of a key of a dictionary, which can have cells of
    /// no row.
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

    /// The numbers as they are, if they are doubles of which none is missing.
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

/// The columns of a batch that a scan reads.
pub(crate) fn of_batch(batch: &RecordBatch, at: Columns) -> Columns<Column<'static>> {
    at.map(|position| Column::Array(ArrayRef::clone(batch.column(*position))))
}
