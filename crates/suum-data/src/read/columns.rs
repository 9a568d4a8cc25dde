//! Columns of a source: their names, and the types that files declare. No value is read.

use std::fs::File;
use std::io::{self, Read};

use arrow_schema::DataType;
use suum_core::{Error, Place, Result};

use crate::cells::fault::Fault;
use crate::read::progress::Progress;
use crate::read::source::{DataFile, Format, Location, Source};
use crate::read::{csv, parquet};
use crate::scan::csv_form::CsvForm;
use crate::scan::{PrivacyColumn, Scan};

/// Column of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataColumn {
    /// Name, as the header has it.
    pub name: String,
    /// Type of its values; `None` in CSV, which declares none.
    pub data_type: Option<DataType>,
}

impl Source {
    /// Returns the columns of the first file, in their order, from its header or schema alone.
    ///
    /// # Errors
    ///
    /// Refuses a file that cannot be read, and one without a header.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_data::{CsvForm, Source};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let file = folder.path().join("people.csv");
    /// # let file = file.to_str().unwrap();
    /// std::fs::write(file, "visits,tier\n3,open\n")?;
    /// let columns = Source::parse(file)?.columns(CsvForm::default())?;
    /// let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    /// assert_eq!(names, ["visits", "tier"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn columns(&self, form: CsvForm) -> Result<Vec<DataColumn>> {
        match self.location() {
            Location::StandardInput => in_csv(None, Box::new(io::stdin()), form),
            Location::Files(files) => {
                files.first().map_or(Ok(Vec::new()), |file| in_file(file, form))
            }
        }
    }
}

fn in_file(file: &DataFile, form: CsvForm) -> Result<Vec<DataColumn>> {
    let name = file.path.display().to_string();
    if file.format == Format::Parquet {
        let schema = parquet::schema(&file.path).ok_or_else(|| {
            Error::io(Place::file(&name), "it cannot be read as Parquet")
                .with_fix("name a file of Parquet or CSV")
        })?;
        let column = |field: &std::sync::Arc<arrow_schema::Field>| DataColumn {
            name: field.name().clone(),
            data_type: Some(field.data_type().clone()),
        };
        return Ok(schema.fields().iter().map(column).collect());
    }
    let progress = Progress::default();
    let opened: std::result::Result<Box<dyn Read + Send>, Fault> = match file.compression() {
        Some(packed) => packed.open(&file.path, &progress),
        None => match File::open(&file.path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(error.into()),
        },
    };
    match opened {
        Ok(reader) => in_csv(Some(&name), reader, form),
        Err(fault) => Err(refused(fault, Some(&name))),
    }
}

fn in_csv(
    file: Option<&str>,
    reader: Box<dyn Read + Send + '_>,
    form: CsvForm,
) -> Result<Vec<DataColumn>> {
    let names = csv::column_names(reader, form).map_err(|fault| refused(fault, file))?;
    Ok(names.into_iter().map(|name| DataColumn { name, data_type: None }).collect())
}

fn refused(fault: Fault, file: Option<&str>) -> Error {
    // No column is looked for.
    let privacy = PrivacyColumn::Budgets { column: String::new() };
    fault.refuse(&Scan::new(privacy, None), file, None)
}
