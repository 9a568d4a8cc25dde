//! A small Parquet file of text, row by row.

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use suum_core::{Error, Result};

use super::quiet::quietly;

/// Cells of a row: the name of the column and the text of each.
pub type TextCells = Vec<(String, Option<String>)>;

/// The rows of a Parquet file of text and integers, from its bytes, for results that were computed
/// elsewhere.
///
/// # Errors
///
/// If the bytes are no Parquet file, and refuses columns of other types.
pub fn read_text_parquet(bytes: Vec<u8>) -> Result<Vec<TextCells>> {
    let unreadable = || {
        Error::io("result", "not a readable Parquet file")
            .with_fix("write or copy the file again; it may be cut short or damaged")
    };
    quietly(|| {
        let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(|_| unreadable())?;
        let mut rows = Vec::new();
        for row in reader.get_row_iter(None).map_err(|_| unreadable())? {
            let row = row.map_err(|_| unreadable())?;
            let cell = |(name, field): (&String, &Field)| {
                let text = text(field).ok_or_else(|| {
                    Error::table("result", "a column holds neither text nor integers")
                        .with_fix("write all columns as text, as the query gives them")
                })?;
                Ok((name.clone(), text))
            };
            rows.push(row.get_column_iter().map(cell).collect::<Result<TextCells>>()?);
        }
        Ok(rows)
    })
    .unwrap_or_else(|| Err(unreadable()))
}

/// Text of a field (`None` inside for null); `None` outside if it is of another type.
fn text(field: &Field) -> Option<Option<String>> {
    Some(match field {
        Field::Null => None,
        Field::Str(text) => Some(text.clone()),
        Field::Bytes(bytes) => Some(bytes.as_utf8().ok()?.to_owned()),
        Field::Int(number) => Some(number.to_string()),
        Field::Long(number) => Some(number.to_string()),
        Field::UInt(number) => Some(number.to_string()),
        Field::ULong(number) => Some(number.to_string()),
        _ => return None,
    })
}
