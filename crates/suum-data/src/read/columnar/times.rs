//! Dates and times of Arrow: as numbers on a scale, or as labels.

use arrow_array::temporal_conversions::as_datetime;
use arrow_array::types::{
    ArrowTemporalType, Date32Type, Date64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrowPrimitiveType, cast::AsArray};
use arrow_schema::{DataType, TimeUnit};
use suum_core::TimeScale;

use crate::cells::fault::{Fault, RowFault, until_fault};

/// Returns true if a type is one of dates and times, or of times of day, that this scale measures.
pub(crate) fn is_on(scale: TimeScale, data_type: &DataType) -> bool {
    match scale {
        TimeScale::OfDay => is_time_of_day(data_type),
        TimeScale::Days | TimeScale::Seconds => is_date_or_time(data_type),
    }
}

/// Returns true if a type is one of dates, times, or times of day.
pub(crate) fn is_time(data_type: &DataType) -> bool {
    is_date_or_time(data_type) || is_time_of_day(data_type)
}

fn is_date_or_time(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..))
}

fn is_time_of_day(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Time32(_) | DataType::Time64(_))
}

/// Appends the numbers of a column of dates or times; NaN if one is missing. Returns false if the
/// column's type is not one that this scale measures.
pub(super) fn numbers(column: &dyn Array, scale: TimeScale, out: &mut Vec<f64>) -> bool {
    if !is_on(scale, column.data_type()) {
        return false;
    }
    let days = |days: i32| scale.convert_seconds(f64::from(days) * 86_400.0);
    match column.data_type() {
        DataType::Date32 if scale == TimeScale::Days => push::<Date32Type>(column, f64::from, out),
        DataType::Date32 => push::<Date32Type>(column, days, out),
        DataType::Date64 => {
            push::<Date64Type>(column, |ms| scale.convert_seconds(ms as f64 / 1e3), out)
        }
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => counts::<TimestampSecondType>(column, scale, 1.0, out),
            TimeUnit::Millisecond => counts::<TimestampMillisecondType>(column, scale, 1e3, out),
            TimeUnit::Microsecond => counts::<TimestampMicrosecondType>(column, scale, 1e6, out),
            TimeUnit::Nanosecond => push::<TimestampNanosecondType>(
                column,
                |ns| scale.convert_seconds(seconds_from_nanos(ns)),
                out,
            ),
        },
        DataType::Time32(TimeUnit::Second) => push::<Time32SecondType>(column, f64::from, out),
        DataType::Time32(_) => push::<Time32MillisecondType>(column, |ms| f64::from(ms) / 1e3, out),
        DataType::Time64(TimeUnit::Microsecond) => {
            push::<Time64MicrosecondType>(column, |us| us as f64 / 1e6, out)
        }
        _ => push::<Time64NanosecondType>(column, seconds_from_nanos, out),
    }
    true
}

/// Appends the numbers of timestamps that count `in_a_second` units to a second.
fn counts<T: ArrowPrimitiveType<Native = i64>>(
    column: &dyn Array,
    scale: TimeScale,
    in_a_second: f64,
    out: &mut Vec<f64>,
) {
    push::<T>(column, |count| scale.convert_seconds(count as f64 / in_a_second), out);
}

/// Converts nanoseconds to seconds; whole microseconds are rounded once, as when they are read from
/// text.
fn seconds_from_nanos(nanos: i64) -> f64 {
    match nanos % 1000 {
        0 => (nanos / 1000) as f64 / 1e6,
        _ => {
            (nanos.div_euclid(1_000_000_000)) as f64 + nanos.rem_euclid(1_000_000_000) as f64 / 1e9
        }
    }
}

fn push<T: ArrowPrimitiveType>(
    column: &dyn Array,
    number: impl Fn(T::Native) -> f64,
    out: &mut Vec<f64>,
) {
    out.extend(column.as_primitive::<T>().iter().map(|cell| cell.map_or(f64::NAN, &number)));
}

/// Appends the code of each cell of a column of dates or times as a label: ISO 8601 with a space
/// instead of the `T`, and the date alone at midnight; times beyond the calendar are missing.
pub(super) fn labels<T>(
    column: &dyn Array,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> Option<RowFault> {
    Some(match column.data_type() {
        DataType::Date32 => texts::<Date32Type, _>(column, i64::from, place, out),
        DataType::Date64 => texts::<Date64Type, _>(column, |ms| ms, place, out),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => texts::<TimestampSecondType, _>(column, |one| one, place, out),
            TimeUnit::Millisecond => {
                texts::<TimestampMillisecondType, _>(column, |one| one, place, out)
            }
            TimeUnit::Microsecond => {
                texts::<TimestampMicrosecondType, _>(column, |one| one, place, out)
            }
            TimeUnit::Nanosecond => {
                texts::<TimestampNanosecondType, _>(column, |one| one, place, out)
            }
        },
        DataType::Time32(_) | DataType::Time64(_) => {
            let mut seconds = Vec::with_capacity(column.len());
            numbers(column, TimeScale::OfDay, &mut seconds);
            let text = |seconds: &f64| match seconds.is_nan() {
                true => place(b""),
                false => place(TimeScale::OfDay.label(*seconds).as_bytes()),
            };
            until_fault(seconds.iter().map(text), out)
        }
        _ => return None,
    })
}

fn texts<A: ArrowPrimitiveType + ArrowTemporalType, T>(
    column: &dyn Array,
    count: impl Fn(A::Native) -> i64,
    place: impl Fn(&[u8]) -> Result<T, Fault>,
    out: &mut Vec<T>,
) -> RowFault {
    let cells = column.as_primitive::<A>().iter().map(|cell| {
        let text = cell.and_then(|cell| as_datetime::<A>(count(cell))).map(|time| time.to_string());
        let text = text.unwrap_or_default();
        place(text.strip_suffix(" 00:00:00").unwrap_or(&text).as_bytes())
    });
    until_fault(cells, out)
}
