//! A column that is the same number in every row.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use suum::{Batches, Error, Result};

/// The most rows of a batch beside it: only so many numbers are in memory.
const ROWS: usize = 1 << 16;

/// The number, and the name of the column.
#[derive(Debug, Clone)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) number: f64,
}

impl Constant {
    /// The records with this column, in place of one of the same name.
    pub(crate) fn beside(
        self,
        batches: impl Iterator<Item = Result<RecordBatch>> + Send + 'static,
    ) -> Batches {
        let numbers: ArrayRef = Arc::new(Float64Array::from(vec![self.number; ROWS]));
        let pieces = batches.flat_map(|batch| match batch {
            Ok(batch) => pieces(&batch),
            Err(refused) => vec![Err(refused)],
        });
        Box::new(pieces.map(move |piece| with(&piece?, &self.name, &numbers)))
    }
}

/// A batch in pieces of at most so many rows; at least one.
fn pieces(batch: &RecordBatch) -> Vec<Result<RecordBatch>> {
    let rows = batch.num_rows();
    let starts = (0..rows.max(1)).step_by(ROWS);
    starts.map(|start| Ok(batch.slice(start, ROWS.min(rows - start)))).collect()
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
        .map_err(|_| Error::internal("internal error: a column has another length than its batch"))
}
