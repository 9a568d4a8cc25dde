//! Columns that are read as labels or numbers although their type is of neither: numbers with a
//! point as labels, dates and times as both.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::as_datetime;
use arrow_array::types::{
    ArrowTimestampType, Date32Type, Date64Type, Float16Type, Float32Type, Float64Type, Int32Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use suum::{Batches, Error, Result};

use crate::pieces::pieces;

const SECONDS_OF_A_DAY: f64 = 86_400.0;

/// Which columns are of labels, and which one is of numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) labels: Vec<String>,
    pub(crate) numbers: Option<String>,
    /// In what dates and times count, from the beginning of 1970 on: "days" or "seconds".
    pub(crate) unit: Option<String>,
}

impl Reading {
    /// The records as they are to be read.
    pub(crate) fn batches(
        &self,
        batches: impl Iterator<Item = Result<RecordBatch>> + Send + 'static,
    ) -> Batches {
        let reading = self.clone();
        Box::new(pieces(batches).map(move |piece| reading.batch(&piece?)))
    }

    /// Whether a column of this schema is read as something else.
    pub(crate) fn concerns(&self, schema: &Schema) -> bool {
        let changed = |field: &Arc<Field>| self.role(field.name(), field.data_type()).is_some();
        self.unit.is_some() || schema.fields().iter().any(changed)
    }

    /// The types that columns are read as.
    pub(crate) fn schema(&self, schema: &SchemaRef) -> SchemaRef {
        let typed = |field: &Arc<Field>| {
            let empty = arrow_array::new_empty_array(field.data_type());
            match self.column(field.name(), &empty) {
                Ok(Some(read)) => Field::new(field.name(), read.data_type().clone(), true),
                _ => field.as_ref().clone(),
            }
        };
        Arc::new(Schema::new(schema.fields().iter().map(typed).collect::<Vec<_>>()))
    }

    fn batch(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let schema = batch.schema();
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for (field, column) in schema.fields().iter().zip(batch.columns()) {
            let read = self.column(field.name(), column)?;
            let read = read.unwrap_or_else(|| Arc::clone(column));
            fields.push(Field::new(field.name(), read.data_type().clone(), true));
            columns.push(read);
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
            .map_err(|_| Error::internal("internal error: a column was read as something shorter"))
    }

    /// A column as it is read; `None` if that is as it is.
    fn column(&self, name: &str, column: &ArrayRef) -> Result<Option<ArrayRef>> {
        match self.role(name, column.data_type()) {
            Some(Role::Label) => Ok(labels(column)),
            Some(Role::Number) => match self.unit.as_deref() {
                Some(unit) => Ok(Some(numbers(column, unit == "days"))),
                None => Err(Error::data(format!("column {name}: it holds dates or times"))
                    .with_hint("say bounds or bins as dates or times, too")),
            },
            None if self.unit.is_some()
                && self.numbers.as_deref() == Some(name)
                && *column.data_type() != DataType::Null =>
            {
                Err(Error::data(format!("column {name}: it holds no dates and no times"))
                    .with_hint("say bounds or bins as numbers, or convert the column to dates"))
            }
            None => Ok(None),
        }
    }

    /// What a column is read as, if its type is of something else.
    fn role(&self, name: &str, data_type: &DataType) -> Option<Role> {
        let plain = match data_type {
            DataType::Dictionary(_, entries) => entries,
            plain => plain,
        };
        let is_time =
            matches!(plain, DataType::Date32 | DataType::Date64 | DataType::Timestamp(..));
        if self.labels.iter().any(|label| label == name) {
            return (is_time || plain.is_floating()).then_some(Role::Label);
        }
        (is_time && self.numbers.as_deref() == Some(name)).then_some(Role::Number)
    }
}

#[derive(Clone, Copy)]
enum Role {
    Label,
    Number,
}

/// The text of each cell: whole numbers without a point, dates, and times without the hour if that
/// is midnight.
fn labels(column: &ArrayRef) -> Option<ArrayRef> {
    if let Some(dictionary) = column.as_any_dictionary_opt() {
        return labels(dictionary.values()).map(|entries| dictionary.with_values(entries));
    }
    Some(match column.data_type() {
        DataType::Float16 => texts::<Float16Type>(column, |value| number(value.to_f64())),
        DataType::Float32 => texts::<Float32Type>(column, |value| number(f64::from(value))),
        DataType::Float64 => texts::<Float64Type>(column, number),
        DataType::Date32 => {
            texts::<Date32Type>(column, |days| moment::<Date32Type>(i64::from(days)))
        }
        DataType::Date64 => texts::<Date64Type>(column, moment::<Date64Type>),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => times::<TimestampSecondType>(column),
            TimeUnit::Millisecond => times::<TimestampMillisecondType>(column),
            TimeUnit::Microsecond => times::<TimestampMicrosecondType>(column),
            TimeUnit::Nanosecond => times::<TimestampNanosecondType>(column),
        },
        _ => return None,
    })
}

fn texts<T: ArrowPrimitiveType>(
    column: &ArrayRef,
    text: impl Fn(T::Native) -> Option<String>,
) -> ArrayRef {
    let cells = column.as_primitive::<T>().iter().map(|cell| cell.and_then(&text));
    Arc::new(cells.collect::<StringArray>())
}

fn times<T: ArrowTimestampType>(column: &ArrayRef) -> ArrayRef {
    texts::<T>(column, moment::<T>)
}

/// What is no number is missing.
fn number(value: f64) -> Option<String> {
    if value.is_nan() {
        return None;
    }
    // Up to here all whole numbers are doubles.
    let is_whole = value.fract() == 0.0 && value.abs() < 9e15;
    Some(if is_whole { format!("{}", value as i64) } else { format!("{value}") })
}

/// What calendars do not reach is missing.
fn moment<T: ArrowPrimitiveType>(value: i64) -> Option<String> {
    let text = as_datetime::<T>(value)?.to_string();
    Some(text.strip_suffix(" 00:00:00").map_or(text.clone(), str::to_owned))
}

/// The time of each cell since the beginning of 1970: in days, or in seconds.
fn numbers(column: &ArrayRef, in_days: bool) -> ArrayRef {
    if let Some(dictionary) = column.as_any_dictionary_opt() {
        return dictionary.with_values(numbers(dictionary.values(), in_days));
    }
    let parts = match column.data_type() {
        // Whole days are integers by their type.
        DataType::Date32 if in_days => {
            let days = column.as_primitive::<Date32Type>();
            return Arc::new(days.unary::<_, Int32Type>(|day| day));
        }
        DataType::Date32 => {
            let days = column.as_primitive::<Date32Type>();
            return Arc::new(
                days.iter()
                    .map(|day| day.map(|day| f64::from(day) * SECONDS_OF_A_DAY))
                    .collect::<Float64Array>(),
            );
        }
        DataType::Date64 => (column.as_primitive::<Date64Type>().iter().collect::<Vec<_>>(), 1e3),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => counts::<TimestampSecondType>(column, 1.0),
            TimeUnit::Millisecond => counts::<TimestampMillisecondType>(column, 1e3),
            TimeUnit::Microsecond => counts::<TimestampMicrosecondType>(column, 1e6),
            TimeUnit::Nanosecond => counts::<TimestampNanosecondType>(column, 1e9),
        },
        _ => return Arc::clone(column),
    };
    let (counts, in_a_second) = parts;
    let of_one = if in_days { in_a_second * SECONDS_OF_A_DAY } else { in_a_second };
    let numbers = counts.into_iter().map(|count| count.map(|count| count as f64 / of_one));
    Arc::new(numbers.collect::<Float64Array>())
}

/// How many parts of a second each cell is, and how many of them a second has.
fn counts<T: ArrowTimestampType>(column: &ArrayRef, in_a_second: f64) -> (Vec<Option<i64>>, f64) {
    (column.as_primitive::<T>().iter().collect(), in_a_second)
}
