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

use crate::cell;
use crate::choice::Choices;
use crate::fault::{Fault, Role};
use crate::scan::{PrivacyColumn, Scan};

/// The first fault of a column, and its row counted from 0.
pub(super) type RowFault = Option<(usize, Fault)>;

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

/// What each cell of a column of labels stands for, up to the first fault, which is returned with its row counted
/// from 0.
///
/// Integers and truth values are labels as they would stand in CSV; a missing cell is empty.
pub(super) fn labels<T>(
    column: &ArrayRef,
    role: Role,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> RowFault {
    match column.data_type() {
        DataType::Utf8View => {
            let labels = column.as_string_view();
            until_fault((0..labels.len()).map(|row| place(text(labels, row))), out)
        }
        DataType::Boolean => spelled(column.as_boolean().iter(), place, out),
        DataType::Int8 => spelled(column.as_primitive::<Int8Type>().iter(), place, out),
        DataType::Int16 => spelled(column.as_primitive::<Int16Type>().iter(), place, out),
        DataType::Int32 => spelled(column.as_primitive::<Int32Type>().iter(), place, out),
        DataType::Int64 => spelled(column.as_primitive::<Int64Type>().iter(), place, out),
        DataType::UInt8 => spelled(column.as_primitive::<UInt8Type>().iter(), place, out),
        DataType::UInt16 => spelled(column.as_primitive::<UInt16Type>().iter(), place, out),
        DataType::UInt32 => spelled(column.as_primitive::<UInt32Type>().iter(), place, out),
        DataType::UInt64 => spelled(column.as_primitive::<UInt64Type>().iter(), place, out),
        _ => Some((0, Fault::Type(role))),
    }
}

fn spelled<T>(
    cells: impl Iterator<Item = Option<impl Display>>,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> RowFault {
    let mut text = String::new();
    let places = cells.map(|cell| {
        text.clear();
        let written = cell.map_or(Ok(()), |cell| write!(text, "{cell}"));
        debug_assert!(written.is_ok(), "a string takes all text");
        place(text.as_bytes())
    });
    until_fault(places, out)
}

/// Takes places up to the first fault, which is returned with its row counted from 0.
pub(super) fn until_fault<T>(places: impl Iterator<Item = Result<T, Fault>>, out: &mut Vec<T>) -> RowFault {
    for (row, place) in places.enumerate() {
        match place {
            Ok(place) => out.push(place),
            Err(fault) => return Some((row, fault)),
        }
    }
    None
}

/// The privacy choices of a column, up to the first fault, which is returned with its row counted from 0.
pub(super) fn choices(column: &ArrayRef, scan: &Scan, out: &mut Choices) -> RowFault {
    match (&scan.privacy, out) {
        (PrivacyColumn::Tiers { tiers, .. }, Choices::Tiers(slots)) => {
            let Some(labels) = column.as_string_view_opt() else {
                return Some((0, Fault::Type(Role::Privacy)));
            };
            let tier = |row| match text(labels, row) {
                [] => Err(Fault::Missing(Role::Privacy)),
                label => tiers.position(label).ok_or(Fault::UnknownTier),
            };
            until_fault((0..labels.len()).map(tier), slots)
        }
        (PrivacyColumn::Budgets { .. }, Choices::Budgets(epsilons)) => {
            if let Some(labels) = column.as_string_view_opt() {
                let budgets = (0..labels.len()).map(|row| Ok(scan.budget(cell::budget(text(labels, row))?)));
                return until_fault(budgets, epsilons);
            }
            let mut budgets = Vec::new();
            if !numbers(column, &mut budgets) {
                return Some((0, Fault::Type(Role::Privacy)));
            }
            let budget = |number: f64| match number.is_nan() {
                true => Err(Fault::Missing(Role::Privacy)),
                false => Epsilon::new(number).map(|e| scan.budget(e)).map_err(|_| Fault::NotABudget),
            };
            until_fault(budgets.into_iter().map(budget), epsilons)
        }
        // Choices are made for the column.
        _ => Some((0, Fault::Type(Role::Privacy))),
    }
}

/// A cell without the spaces around it; empty where it is missing.
fn text(labels: &StringViewArray, row: usize) -> &[u8] {
    if labels.is_null(row) { b"" } else { labels.value(row).as_bytes().trim_ascii() }
}
