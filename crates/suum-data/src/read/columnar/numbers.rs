//! Columns of numbers as doubles.

use super::Column;
use super::entries::Entries;
use crate::scan::nulls::Nulls;

/// Numbers that are not doubles yet.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) doubles: Vec<f64>,
    // With NaN where a number stands for an empty cell.
    nulled: Vec<f64>,
    entries: Entries<f64>,
}

impl Numbers {
    /// The numbers of a column as doubles, NaN where one is missing; `None` if it does not hold
    /// numbers.
    pub(super) fn of<'a>(&'a mut self, column: &'a Column, nulls: &Nulls) -> Option<&'a [f64]> {
        if let Some(doubles) = column.doubles() {
            return Some(nulls.of_numbers(doubles, &mut self.nulled));
        }
        self.doubles.clear();
        match column {
            Column::Array(array) if self.entries.numbers(array, &mut self.doubles) => {
                Some(nulls.of_numbers(&self.doubles, &mut self.nulled))
            }
            _ => None,
        }
    }
}
