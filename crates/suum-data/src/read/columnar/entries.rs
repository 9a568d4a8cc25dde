//! Columns that are dictionaries: each entry is looked up once.

use std::sync::Arc;

use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, cast::AsArray};
use arrow_schema::DataType;
use suum_core::TimeScale;

use super::Column;
use super::cells::{floats, labels, moments};
use crate::cells::fault::{Fault, RowFault, until_fault};
use crate::scan::nulls::Nulls;
use crate::scan::role::Role;

/// Codes of the entries of a column's dictionary, kept as long as the dictionary stays the same.
pub(super) struct Entries<T> {
    of: Option<ArrayRef>,
    places: Vec<T>,
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self { of: None, places: Vec::new() }
    }
}

impl<T> Entries<T> {
    /// Codes of the entries, computed with `fill` if the dictionary differs from the last one.
    fn codes(&mut self, values: &ArrayRef, fill: impl FnOnce(&dyn Array, &mut Vec<T>)) -> &[T] {
        // Readers wrap the same dictionary anew for each batch.
        let same =
            |of: &ArrayRef| Arc::ptr_eq(of, values) || of.to_data().ptr_eq(&values.to_data());
        if !self.of.as_ref().is_some_and(same) {
            self.places.clear();
            fill(values, &mut self.places);
            self.of = Some(ArrayRef::clone(values));
        }
        &self.places
    }
}

impl<T: Clone> Entries<Result<T, Fault>> {
    /// Appends the code of each cell of a column of labels, like [`labels`], also for dictionaries.
    ///
    /// An entry that no row refers to may have a fault.
    pub(super) fn labels(
        &mut self,
        column: &dyn Array,
        role: Role,
        place: impl Fn(&[u8]) -> Result<T, Fault>,
        out: &mut Vec<T>,
    ) -> RowFault {
        let Some(dictionary) = column.as_any_dictionary_opt() else {
            return labels(column, role, place, out);
        };
        let missing = place(b"");
        let places = self.codes(dictionary.values(), |values, places| {
            if let Some((_, fault)) = labels(values, role, |cell| Ok(place(cell)), places) {
                places.resize(values.len(), Err(fault));
            }
        });
        let of_key =
            |key: Option<usize>| key.and_then(|key| places.get(key)).unwrap_or(&missing).clone();
        with_keys(dictionary, Collect { of_key, out })
    }

    /// Appends the code of each cell of a column as a label, whatever the column's form: by its
    /// text, or by its position among the declared labels.
    pub(super) fn append_column(
        &mut self,
        column: &Column,
        role: Role,
        place: impl Fn(&[u8]) -> Result<T, Fault>,
        of_position: impl Fn(u32) -> Result<T, Fault>,
        out: &mut Vec<T>,
    ) -> RowFault {
        match column {
            Column::Array(array) => self.labels(array, role, place, out),
            Column::Numbers(numbers) => floats(numbers.iter().copied().map(Some), place, out),
            Column::Positions(positions) => {
                until_fault(positions.iter().map(|position| of_position(*position)), out)
            }
            Column::Offsets(_) | Column::Persons(_) => Some((0, Fault::Type(role))),
        }
    }
}

impl Entries<Result<f64, Fault>> {
    /// Appends the numbers of a column of dates and times, like [`moments`], also for dictionaries.
    ///
    /// An entry that no row refers to may have a fault.
    pub(super) fn moments(
        &mut self,
        column: &dyn Array,
        scale: TimeScale,
        nulls: &Nulls,
        out: &mut Vec<f64>,
    ) -> RowFault {
        let Some(dictionary) = column.as_any_dictionary_opt() else {
            return moments(column, scale, nulls, out);
        };
        let entries = self.codes(dictionary.values(), |values, places| {
            for row in 0..values.len() {
                let mut number = Vec::new();
                let fault = moments(&values.slice(row, 1), scale, nulls, &mut number);
                let number = number.first().copied().unwrap_or(f64::NAN);
                places.push(fault.map_or(Ok(number), |(_, fault)| Err(fault)));
            }
        });
        let missing = Ok(f64::NAN);
        let of_key =
            |key: Option<usize>| key.and_then(|key| entries.get(key)).unwrap_or(&missing).clone();
        with_keys(dictionary, Collect { of_key, out })
    }
}

impl Entries<f64> {
    /// Appends the numbers of a column, also of a dictionary; `numbers` reads all other arrays.
    pub(super) fn numbers(
        &mut self,
        column: &dyn Array,
        numbers: impl Fn(&dyn Array, &mut Vec<f64>) -> bool,
        out: &mut Vec<f64>,
    ) -> bool {
        let Some(dictionary) = column.as_any_dictionary_opt() else { return numbers(column, out) };
        let entries = self.codes(dictionary.values(), |values, places| {
            if !numbers(values, places) {
                places.clear();
            }
        });
        let of_key = |key: Option<usize>| {
            Ok(key.and_then(|key| entries.get(key).copied()).unwrap_or(f64::NAN))
        };
        let known = entries.len() == dictionary.values().len();
        known && with_keys(dictionary, Collect { of_key, out }).is_none()
    }
}

/// Visitor of the keys of a dictionary; `None` is the key of a missing cell.
struct Collect<'a, T, F: Fn(Option<usize>) -> Result<T, Fault>> {
    of_key: F,
    out: &'a mut Vec<T>,
}

fn with_keys<T, F: Fn(Option<usize>) -> Result<T, Fault>>(
    dictionary: &dyn AnyDictionaryArray,
    collect: Collect<T, F>,
) -> RowFault {
    match dictionary.keys().data_type() {
        DataType::Int8 => collect.keys::<Int8Type>(dictionary),
        DataType::Int16 => collect.keys::<Int16Type>(dictionary),
        DataType::Int32 => collect.keys::<Int32Type>(dictionary),
        DataType::Int64 => collect.keys::<Int64Type>(dictionary),
        DataType::UInt8 => collect.keys::<UInt8Type>(dictionary),
        DataType::UInt16 => collect.keys::<UInt16Type>(dictionary),
        DataType::UInt32 => collect.keys::<UInt32Type>(dictionary),
        DataType::UInt64 => collect.keys::<UInt64Type>(dictionary),
        // There are no other keys.
        _ => None,
    }
}

impl<T, F: Fn(Option<usize>) -> Result<T, Fault>> Collect<'_, T, F> {
    fn keys<K: ArrowDictionaryKeyType<Native: TryInto<usize>>>(
        self,
        dictionary: &dyn AnyDictionaryArray,
    ) -> RowFault {
        let keys = dictionary.keys().as_primitive::<K>();
        if keys.null_count() == 0 {
            let keys = keys.values().iter();
            return until_fault(keys.map(|key| (self.of_key)((*key).try_into().ok())), self.out);
        }
        until_fault(
            keys.iter().map(|key| (self.of_key)(key.and_then(|key| key.try_into().ok()))),
            self.out,
        )
    }
}
