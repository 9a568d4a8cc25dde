//! Columns of numbers as doubles.

use arrow_array::Array;

use super::Column;
use super::cells::{numbers, offsets};
use super::entries::Entries;
use crate::cells::offset::Offsets;
use crate::scan::nulls::Nulls;

/// Buffers for numbers that have to be converted to doubles.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) doubles: Vec<f64>,
    // With NaN where a number stands for an empty cell.
    nulled: Vec<f64>,
    entries: Entries<f64>,
}

impl Numbers {
    /// Numbers of a column as doubles, NaN if one is missing; `None` if it does not hold numbers.
    pub(super) fn convert<'a>(
        &'a mut self,
        column: &'a Column,
        nulls: &Nulls,
    ) -> Option<&'a [f64]> {
        if let Some(doubles) = column.doubles() {
            return Some(nulls.mask_numbers(doubles, &mut self.nulled));
        }
        self.doubles.clear();
        match column {
            Column::Array(array) if self.entries.numbers(array, numbers, &mut self.doubles) => {
                Some(nulls.mask_numbers(&self.doubles, &mut self.nulled))
            }
            _ => None,
        }
    }

    /// Numbers of a column minus the lower bound of their grid, NaN if one is missing; `None` if it
    /// does not hold numbers.
    pub(super) fn offsets_of<'a>(
        &'a mut self,
        column: &'a Column,
        of: &Offsets,
    ) -> Option<&'a [f64]> {
        self.doubles.clear();
        let are_numbers = match column {
            Column::Offsets(offsets) => return Some(offsets),
            Column::Numbers(numbers) => {
                self.doubles.extend(numbers.iter().map(|number| of.offset_of_double(*number)));
                true
            }
            Column::Array(array) => {
                let offsets = |array: &dyn Array, out: &mut Vec<f64>| offsets(array, of, out);
                self.entries.numbers(array, offsets, &mut self.doubles)
            }
            Column::Positions(_) | Column::Persons(_) => false,
        };
        are_numbers.then_some(&self.doubles)
    }
}
