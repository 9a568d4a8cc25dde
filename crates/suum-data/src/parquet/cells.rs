//! The cells of a column: numbers as doubles, labels as categories, choices as tiers or budgets.

use std::fmt::{Display, Write};

use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray, StringViewArray, cast::AsArray};
use arrow_schema::DataType;
use suum_core::Epsilon;

use crate::accumulator::Accumulator;
use crate::cell;
use crate::fault::{Fault, Role};
use crate::scan::PrivacyColumn;
use crate::value::Value;

/// The numbers of a column, each rounded once to the nearest double as CSV would be; NaN where one is missing.
///
/// False if the column does not hold numbers.
pub(super) fn numbers(column: &ArrayRef, out: &mut Vec<f64>) -> bool {
    match column.data_type() {
        DataType::Int8 => convert::<Int8Type>(column, f64::from, out),
        DataType::Int16 => convert::<Int16Type>(column, f64::from, out),
        DataType::Int32 => convert::<Int32Type>(column, f64::from, out),
        DataType::Int64 => convert::<Int64Type>(column, |value| value as f64, out),
        DataType::UInt8 => convert::<UInt8Type>(column, f64::from, out),
        DataType::UInt16 => convert::<UInt16Type>(column, f64::from, out),
        DataType::UInt32 => convert::<UInt32Type>(column, f64::from, out),
        DataType::UInt64 => convert::<UInt64Type>(column, |value| value as f64, out),
        DataType::Float16 => convert::<Float16Type>(column, |value| value.to_f64(), out),
        DataType::Float32 => convert::<Float32Type>(column, f64::from, out),
        DataType::Float64 => convert::<Float64Type>(column, |value| value, out),
        DataType::Decimal32(precision, scale) => decimals::<Decimal32Type>(column, *precision, *scale, out),
        DataType::Decimal64(precision, scale) => decimals::<Decimal64Type>(column, *precision, *scale, out),
        DataType::Decimal128(precision, scale) => decimals::<Decimal128Type>(column, *precision, *scale, out),
        DataType::Decimal256(precision, scale) => decimals::<Decimal256Type>(column, *precision, *scale, out),
        DataType::Boolean => {
            let one_or_zero = |bit| if bit { 1.0 } else { 0.0 };
            out.extend(column.as_boolean().iter().map(|bit| bit.map_or(f64::NAN, one_or_zero)));
            true
        }
        _ => false,
    }
}

fn convert<T: ArrowPrimitiveType>(
    column: &ArrayRef,
    number: impl Fn(T::Native) -> f64,
    out: &mut Vec<f64>,
) -> bool {
    let column: &PrimitiveArray<T> = column.as_primitive();
    if column.null_count() == 0 {
        out.extend(column.values().iter().map(|value| number(*value)));
    } else {
        out.extend(column.iter().map(|value| value.map_or(f64::NAN, &number)));
    }
    true
}

/// Decimals by way of their text: exact, where dividing by a power of ten would round twice.
fn decimals<T: DecimalType>(column: &ArrayRef, precision: u8, scale: i8, out: &mut Vec<f64>) -> bool {
    let number = |value| T::format_decimal(value, precision, scale).parse().unwrap_or(f64::NAN);
    convert::<T>(column, number, out)
}

/// The categories of a column of labels, up to the first fault, which is returned with its row counted from 0.
///
/// Integers and truth values are labels as they would stand in CSV.
pub(super) fn labels(column: &ArrayRef, value: &Value, out: &mut Vec<u64>) -> Option<(usize, Fault)> {
    match column.data_type() {
        DataType::Utf8View => {
            let labels = column.as_string_view();
            let places = (0..labels.len()).map(|row| value.of_cell(text(labels, row)));
            until_fault(places, out)
        }
        DataType::Boolean => spelled(column.as_boolean().iter(), value, out),
        DataType::Int8 => spelled(column.as_primitive::<Int8Type>().iter(), value, out),
        DataType::Int16 => spelled(column.as_primitive::<Int16Type>().iter(), value, out),
        DataType::Int32 => spelled(column.as_primitive::<Int32Type>().iter(), value, out),
        DataType::Int64 => spelled(column.as_primitive::<Int64Type>().iter(), value, out),
        DataType::UInt8 => spelled(column.as_primitive::<UInt8Type>().iter(), value, out),
        DataType::UInt16 => spelled(column.as_primitive::<UInt16Type>().iter(), value, out),
        DataType::UInt32 => spelled(column.as_primitive::<UInt32Type>().iter(), value, out),
        DataType::UInt64 => spelled(column.as_primitive::<UInt64Type>().iter(), value, out),
        _ => Some((0, Fault::Type(Role::Value))),
    }
}

fn spelled(
    cells: impl Iterator<Item = Option<impl Display>>,
    value: &Value,
    out: &mut Vec<u64>,
) -> Option<(usize, Fault)> {
    let mut text = String::new();
    let places = cells.map(|cell| {
        text.clear();
        let written = cell.map_or(Ok(()), |cell| write!(text, "{cell}"));
        debug_assert!(written.is_ok(), "a string takes all text");
        value.of_cell(text.as_bytes())
    });
    until_fault(places, out)
}

/// Takes places up to the first fault, which is returned with its row counted from 0.
pub(super) fn until_fault(
    places: impl Iterator<Item = Result<u64, Fault>>,
    out: &mut Vec<u64>,
) -> Option<(usize, Fault)> {
    for (row, place) in places.enumerate() {
        match place {
            Ok(index) => out.push(index),
            Err(fault) => return Some((row, fault)),
        }
    }
    None
}

/// The privacy choices of a batch.
pub(super) enum Choices<'a> {
    Labels(&'a StringViewArray, &'a PrivacyColumn),
    Numbers(Vec<f64>),
    Unusable,
}

impl<'a> Choices<'a> {
    pub(super) fn new(column: &'a ArrayRef, privacy: &'a PrivacyColumn) -> Self {
        if let Some(labels) = column.as_string_view_opt() {
            return Self::Labels(labels, privacy);
        }
        let mut budgets = Vec::new();
        if numbers(column, &mut budgets) { Self::Numbers(budgets) } else { Self::Unusable }
    }

    /// Adds one record for each index; or the first fault, with the row counted from 0.
    ///
    /// If there are fewer indices than rows, the next row has a missing value, and only its choice is looked at.
    pub(super) fn add_all(
        &self,
        indices: &[u64],
        slots: &mut Vec<u32>,
        levels: &mut Accumulator,
    ) -> Option<(usize, Fault)> {
        match self {
            Self::Labels(labels, PrivacyColumn::Tiers { tiers, .. }) => {
                slots.clear();
                for row in 0..labels.len().min(indices.len() + 1) {
                    let label = text(labels, row);
                    match tiers.position(label) {
                        Some(slot) => slots.push(slot),
                        None if label.is_empty() => return Some((row, Fault::Missing(Role::Privacy))),
                        None => return Some((row, Fault::UnknownTier)),
                    }
                }
                levels.add_tiers(slots, indices);
                None
            }
            Self::Labels(labels, PrivacyColumn::Budgets { .. }) => {
                add_budgets(labels.len(), |row| cell::budget(text(labels, row)), indices, levels)
            }
            Self::Numbers(budgets) => {
                let budget = |row: usize| match budgets[row] {
                    number if number.is_nan() => Err(Fault::Missing(Role::Privacy)),
                    number => Epsilon::new(number).map_err(|_| Fault::NotABudget),
                };
                add_budgets(budgets.len(), budget, indices, levels)
            }
            Self::Unusable => Some((0, Fault::Type(Role::Privacy))),
        }
    }
}

fn add_budgets(
    rows: usize,
    budget: impl Fn(usize) -> Result<Epsilon, Fault>,
    indices: &[u64],
    levels: &mut Accumulator,
) -> Option<(usize, Fault)> {
    for row in 0..rows.min(indices.len() + 1) {
        match (budget(row), indices.get(row)) {
            (Ok(epsilon), Some(index)) => levels.add_budget(epsilon, *index),
            (Ok(_), None) => {}
            (Err(fault), _) => return Some((row, fault)),
        }
    }
    None
}

/// A cell without the spaces around it; empty where it is missing.
fn text(labels: &StringViewArray, row: usize) -> &[u8] {
    if labels.is_null(row) { b"" } else { labels.value(row).as_bytes().trim_ascii() }
}
