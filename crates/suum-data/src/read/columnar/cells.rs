//! Cells of an array: numbers as doubles, labels as their codes.

use std::fmt::Write;

use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, PrimitiveArray, cast::AsArray};
use arrow_schema::DataType;
use suum_core::TimeScale;

use super::times;
use crate::cells::cell;
use crate::cells::fault::{Fault, RowFault, until_fault};
use crate::cells::offset::Offsets;
use crate::scan::nulls::Nulls;
use crate::scan::role::Role;

/// The numbers of a column, each rounded once to the nearest double as CSV would be; NaN where one
/// is missing.
///
/// False if the column does not hold numbers.
pub(super) fn numbers(column: &dyn Array, out: &mut Vec<f64>) -> bool {
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
        DataType::Boolean => {
            let one_or_zero = |bit| if bit { 1.0 } else { 0.0 };
            out.extend(column.as_boolean().iter().map(|bit| bit.map_or(f64::NAN, one_or_zero)));
            true
        }
        DataType::Null => {
            out.resize(out.len() + column.len(), f64::NAN);
            true
        }
        // By way of their text: exact, where dividing by a power of ten would round twice.
        _ => decimals(column).is_some_and(|texts| {
            let number = |text: String| text.parse().unwrap_or(f64::NAN);
            out.extend(texts.map(|text| text.map_or(f64::NAN, number)));
            true
        }),
    }
}

/// Appends numbers like [`numbers`], minus the lower bound of their grid.
pub(super) fn offsets(column: &dyn Array, of: &Offsets, out: &mut Vec<f64>) -> bool {
    let first = out.len();
    let are_numbers = match column.data_type() {
        DataType::Int64 => convert::<Int64Type>(column, |value| of.offset_of_integer(value), out),
        DataType::UInt64 => convert::<UInt64Type>(column, |value| of.offset_of_integer(value), out),
        _ if let Some(texts) = decimals(column) => {
            out.extend(texts.map(|text| text.map_or(f64::NAN, |text| of.offset_of_decimal(&text))));
            true
        }
        _ => {
            let are_numbers = numbers(column, out);
            out[first..].iter_mut().for_each(|number| *number = of.offset_of_double(*number));
            are_numbers
        }
    };
    if are_numbers && of.has_nulls() {
        let mut doubles = Vec::new();
        numbers(column, &mut doubles);
        let each = out[first..].iter_mut().zip(doubles);
        let empty = each.filter(|(offset, number)| of.is_null(*number, **offset));
        empty.for_each(|(offset, _)| *offset = f64::NAN);
    }
    are_numbers
}

fn convert<T: ArrowPrimitiveType>(
    column: &dyn Array,
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

/// Text of each decimal, with all digits after the point; `None` if the column holds other types.
fn decimals(column: &dyn Array) -> Option<Box<dyn Iterator<Item = Option<String>> + '_>> {
    Some(match column.data_type() {
        DataType::Decimal32(_, scale) => texts_of::<Decimal32Type>(column, *scale),
        DataType::Decimal64(_, scale) => texts_of::<Decimal64Type>(column, *scale),
        DataType::Decimal128(_, scale) => texts_of::<Decimal128Type>(column, *scale),
        DataType::Decimal256(_, scale) => texts_of::<Decimal256Type>(column, *scale),
        _ => return None,
    })
}

fn texts_of<T: DecimalType>(
    column: &dyn Array,
    scale: i8,
) -> Box<dyn Iterator<Item = Option<String>> + '_> {
    // Some engines pass numbers with more digits than their precision, which would be cut off.
    let text = move |value| T::format_decimal(value, u8::MAX, scale);
    Box::new(column.as_primitive::<T>().iter().map(move |cell| cell.map(text)))
}

/// Appends the numbers of dates and times like [`numbers`]: those of Arrow, or texts. The first
/// text that is neither is returned with its row counted from 0.
pub(super) fn moments(
    column: &dyn Array,
    scale: TimeScale,
    nulls: &Nulls,
    out: &mut Vec<f64>,
) -> RowFault {
    match column.data_type() {
        DataType::Null => {
            out.resize(out.len() + column.len(), f64::NAN);
            None
        }
        text if text.is_string() => {
            let number = |text: &[u8]| cell::timestamp(nulls.cell(text), scale);
            labels(column, Role::Value, number, out)
        }
        _ if times::numbers(column, scale, out) => None,
        _ => Some((0, Fault::Type(Role::Value))),
    }
}

/// Appends the code of each cell of a column of labels, up to the first fault, which is returned
/// with its row counted from 0.
///
/// Integers and truth values are labels as they would stand in CSV, numbers with a point as
/// [`floats`] writes them; a missing cell is empty.
pub(super) fn labels<T>(
    column: &dyn Array,
    role: Role,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> RowFault {
    match column.data_type() {
        DataType::Utf8 => texts(column.as_string::<i32>().iter(), place, out),
        DataType::LargeUtf8 => texts(column.as_string::<i64>().iter(), place, out),
        DataType::Utf8View => texts(column.as_string_view().iter(), place, out),
        DataType::Boolean => {
            let word = |bit| if bit { "true" } else { "false" };
            texts(column.as_boolean().iter().map(|bit| bit.map(word)), place, out)
        }
        DataType::Int8 => integers(column.as_primitive::<Int8Type>().iter(), place, out),
        DataType::Int16 => integers(column.as_primitive::<Int16Type>().iter(), place, out),
        DataType::Int32 => integers(column.as_primitive::<Int32Type>().iter(), place, out),
        DataType::Int64 => integers(column.as_primitive::<Int64Type>().iter(), place, out),
        DataType::UInt8 => integers(column.as_primitive::<UInt8Type>().iter(), place, out),
        DataType::UInt16 => integers(column.as_primitive::<UInt16Type>().iter(), place, out),
        DataType::UInt32 => integers(column.as_primitive::<UInt32Type>().iter(), place, out),
        DataType::UInt64 => integers(column.as_primitive::<UInt64Type>().iter(), place, out),
        DataType::Float16 => {
            let cells = column.as_primitive::<Float16Type>().iter();
            floats(cells.map(|cell| cell.map(|number| number.to_f64())), place, out)
        }
        DataType::Float32 => {
            let cells = column.as_primitive::<Float32Type>().iter();
            floats(cells.map(|cell| cell.map(f64::from)), place, out)
        }
        DataType::Float64 => floats(column.as_primitive::<Float64Type>().iter(), place, out),
        DataType::Null => until_fault((0..column.len()).map(|_| place(b"")), out),
        _ if let Some(decimals) = decimals(column) => without_zeros(decimals, place, out),
        _ => times::labels(column, place, out).unwrap_or(Some((0, Fault::Type(role)))),
    }
}

/// Text without the spaces around it.
fn texts<'a, T>(
    cells: impl Iterator<Item = Option<&'a str>>,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> RowFault {
    until_fault(cells.map(|cell| place(cell.unwrap_or_default().as_bytes().trim_ascii())), out)
}

fn integers<T>(
    cells: impl Iterator<Item = Option<impl itoa::Integer>>,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> RowFault {
    let mut text = itoa::Buffer::new();
    let places = cells.map(|cell| place(cell.map_or("", |cell| text.format(cell)).as_bytes()));
    until_fault(places, out)
}

/// Appends the code of each floating-point number as a label: in the fewest digits that tell it
/// from all other doubles, whole ones without a point, and zero without a sign; NaN is missing.
pub(super) fn floats<T>(
    cells: impl Iterator<Item = Option<f64>>,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> RowFault {
    let mut text = String::new();
    let places = cells.map(|cell| {
        text.clear();
        if let Some(number) = cell.filter(|number| !number.is_nan()) {
            // Adding zero takes away the sign of a negative zero. Strings can always be written to.
            let _ = write!(text, "{}", number + 0.0);
        }
        place(text.as_bytes())
    });
    until_fault(places, out)
}

/// Appends the code of each decimal as a label: without zeros at the end.
fn without_zeros<T>(
    cells: impl Iterator<Item = Option<String>>,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> RowFault {
    let places = cells.map(|cell| {
        let text = cell.unwrap_or_default();
        let text = match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.'),
            false => text.as_str(),
        };
        place(text.as_bytes())
    });
    until_fault(places, out)
}
