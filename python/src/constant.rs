//! Column with the same number in every row.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use suum::{Batches, Error, Result};

use crate::pieces::{ROWS, pieces};

/// Number, with the name of the column.
#[derive(Debug, Clone)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) number: f64,
}

impl Constant {
    /// Records with this column, in place of one of the same name.
    pub(crate) fn beside(
        self,
        batches: impl Iterator<Item = Result<RecordBatch>> + Send + 'static,
    ) -> Batches {
        let numbers: ArrayRef = Arc::new(Float64Array::from(vec![self.number; ROWS]));
        Box::new(pieces(batches).map(move |piece| with(&piece?, &self.name, &numbers)))
    }
}

fn with(batch: &RecordBatch, name: &str, numbers: &ArrayRef) -> Result<RecordBatch> {
    let schema = batch.schema();
    let fields = schema.fields().iter().map(|field| field.as_ref().clone());
    let (mut fields, mut columns): (Vec<Field>, Vec<ArrayRef>) = fields
        .zip(batch.columns().iter().map(Arc::clone))
        .filter(|(field, _)| field.name() != name)
        .unzip();
    fields.push(Field::new(name, DataType::Float64, true));
    columns.push(numbers.slice(0, batch.num_rows()));
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
        .map_err(|_| Error::internal("a column has another length than its batch"))
}
