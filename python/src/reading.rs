//! Columns that are read as labels although their type is of numbers with a point.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use suum::{Batches, Error, Result};

use crate::pieces::pieces;

/// The names of columns of labels.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading(pub(crate) Vec<String>);

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
        schema.fields().iter().any(|field| self.is_changed(field))
    }

    /// The types that columns are read as.
    pub(crate) fn schema(&self, schema: &SchemaRef) -> SchemaRef {
        let typed = |field: &Arc<Field>| {
            let empty = arrow_array::new_empty_array(field.data_type());
            match labels(&empty).filter(|_| self.is_changed(field)) {
                Some(read) => Field::new(field.name(), read.data_type().clone(), true),
                None => field.as_ref().clone(),
            }
        };
        Arc::new(Schema::new(schema.fields().iter().map(typed).collect::<Vec<_>>()))
    }

    fn batch(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let schema = batch.schema();
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for (field, column) in schema.fields().iter().zip(batch.columns()) {
            let read = if self.is_changed(field) { labels(column) } else { None };
            let read = read.unwrap_or_else(|| Arc::clone(column));
            fields.push(Field::new(field.name(), read.data_type().clone(), true));
            columns.push(read);
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
            .map_err(|_| Error::internal("internal error: a column was read as something shorter"))
    }

    fn is_changed(&self, field: &Field) -> bool {
        let plain = match field.data_type() {
            DataType::Dictionary(_, entries) => entries,
            plain => plain,
        };
        plain.is_floating() && self.0.iter().any(|label| label == field.name())
    }
}

/// The text of each number: whole ones without a point.
fn labels(column: &ArrayRef) -> Option<ArrayRef> {
    if let Some(dictionary) = column.as_any_dictionary_opt() {
        return labels(dictionary.values()).map(|entries| dictionary.with_values(entries));
    }
    Some(match column.data_type() {
        DataType::Float16 => texts::<Float16Type>(column, |value| number(value.to_f64())),
        DataType::Float32 => texts::<Float32Type>(column, |value| number(f64::from(value))),
        DataType::Float64 => texts::<Float64Type>(column, number),
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

/// What is no number is missing.
fn number(value: f64) -> Option<String> {
    if value.is_nan() {
        return None;
    }
    // Up to here all whole numbers are doubles.
    let is_whole = value.fract() == 0.0 && value.abs() < 9e15;
    Some(if is_whole { format!("{}", value as i64) } else { format!("{value}") })
}
