//! Every row of a relation, where sums are not enough: values without bounds, dates and times,
//! numbers for which doubles are too coarse, persons with accounts, and totals of persons' rows.
//!
//! The rows come in one query, so in one consistent state, and are read like rows in memory.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use suum_core::{Error, Result};
use suum_data::arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use suum_data::{
    Consent, DecisionColumns, Groups, PrivacyColumn, Progress, RecordBuffer, Scan, Value,
};

use crate::columns::check_columns;
use crate::engine::{Engine, Relation};
use crate::keys::with_keys;
use crate::query::{self, Defect, Header};
use crate::relation::CheckedRelation;
use crate::result::double;

/// Number of rows in a batch, and of batches that may wait.
const BATCH: usize = 1 << 14;
const WAITING: usize = 4;

/// Reads all records of a relation and keeps them, to be counted later.
///
/// # Errors
///
/// Fails like [`scan`](crate::scan) and [`suum_data::keep`].
///
/// # Example
///
/// ```no_run
/// use suum_data::{PrivacyColumn, Progress, Scan, UnboundedColumn, Value};
/// use suum_sql::{Relation, Sqlite, keep};
///
/// let privacy = PrivacyColumn::Budgets { column: "epsilon".into() };
/// let value = UnboundedColumn { column: "income".into(), missing: None, cells: None };
/// let scan = Scan::new(privacy, Some(Value::Unbounded(value)));
/// let people = Relation::Table(vec!["people".into()]);
/// let mut database = Sqlite::open("people.sqlite")?;
/// let records = keep(&mut database, &people, &scan, &Progress::default())?;
/// println!("{}", records.profile()?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn keep(
    engine: &mut dyn Engine,
    relation: &Relation,
    scan: &Scan,
    progress: &Progress,
) -> Result<RecordBuffer> {
    let checked = relation.checked_by(engine, scan)?;
    read(engine, &checked, scan, |batches, scan| suum_data::keep_batches(batches, scan, progress))
}

/// Reads all records of each declared group of a relation and keeps them, to be counted later.
///
/// # Errors
///
/// Fails like [`scan_groups`](crate::scan_groups) and [`suum_data::keep_groups`].
pub fn keep_groups(
    engine: &mut dyn Engine,
    relation: &Relation,
    scan: &Scan,
    progress: &Progress,
) -> Result<Groups<RecordBuffer>> {
    let checked = relation.checked_by(engine, scan)?;
    read(engine, &checked, scan, |batches, scan| {
        suum_data::keep_groups_batches(batches, scan, progress)
    })
}

/// Reads the choices of a register in a table, for data whose keys are in the column `key`.
///
/// # Errors
///
/// Fails like [`suum_data::read_consent`], and if there is no such table.
///
/// # Example
///
/// ```no_run
/// use suum_data::{PrivacyColumn, Progress, Scan};
/// use suum_sql::{Relation, Sqlite, read_consent};
///
/// let privacy = PrivacyColumn::Budgets { column: "epsilon".into() };
/// let choices = Scan { person: Some("id".into()), ..Scan::new(privacy, None) };
/// let (register, progress) = (Relation::Table(vec!["register".into()]), Progress::default());
/// let mut database = Sqlite::open("people.sqlite")?;
/// let consent = read_consent(&mut database, &register, &choices, "respondent", &progress)?;
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn read_consent(
    engine: &mut dyn Engine,
    register: &Relation,
    scan: &Scan,
    key: &str,
    progress: &Progress,
) -> Result<Consent> {
    let checked = register.checked_by(engine, scan)?;
    read(engine, &checked, scan, |batches, scan| {
        suum_data::read_consent_batches(batches, scan, key, progress)
    })
}

/// Reads the labels that occur in a column, of a [scan of labels](Scan::for_labels).
///
/// # Errors
///
/// Fails like [`suum_data::read_labels`], and if there is no such table.
///
/// # Example
///
/// ```no_run
/// use suum_data::{Progress, Scan};
/// use suum_sql::{Relation, Sqlite, read_labels};
///
/// let (people, sites) = (Relation::Table(vec!["people".into()]), Scan::for_labels("site")?);
/// let mut database = Sqlite::open("people.sqlite")?;
/// println!("{:?}", read_labels(&mut database, &people, &sites, &Progress::default())?);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn read_labels(
    engine: &mut dyn Engine,
    relation: &Relation,
    scan: &Scan,
    progress: &Progress,
) -> Result<Vec<String>> {
    let checked = relation.checked_by(engine, scan)?;
    read(engine, &checked, scan, |batches, scan| {
        suum_data::read_labels_batches(batches, scan, progress)
    })
}

/// Batches that arrive from the database.
pub(crate) type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

/// Passes the rows of a checked relation that the filter selects on as batches, while they arrive,
/// with the scan that reads all of them.
pub(crate) fn read<T: Send>(
    engine: &mut dyn Engine,
    checked: &CheckedRelation,
    scan: &Scan,
    take: impl FnOnce(Batches, &Scan) -> Result<T> + Send,
) -> Result<T> {
    let dialect = engine.dialect();
    let selected = Scan { filter: None, spells_large_numbers: true, ..scan.clone() };
    let scan = &*with_keys(scan)?;
    let sql = query::row_query(dialect, &checked.relation, scan)?;
    check_columns(dialect, &engine.columns(&checked.relation)?, scan)?;
    let header = Header::for_scan(scan, checked.rows);
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(WAITING);
        let selected = &selected;
        let taken = scope.spawn(move || take(batches(receiver), selected));
        let gone = || Error::internal("nobody takes the rows any more");
        let mut columns = Columns::new(scan);
        let sent = engine.rows(&sql, &mut |cells| {
            columns.add(cells, &header)?;
            match columns.rows == BATCH {
                true => sender.send(columns.take()).map_err(|_| gone()),
                false => Ok(()),
            }
        });
        // The header is known even if there are no rows.
        let last = sent.and_then(|()| sender.send(columns.take()).map_err(|_| gone()));
        let failed = match last {
            // The receiver may have refused the rows, and has its own error.
            Err(refused) => sender.send(Err(refused.clone())).err().map(|_| refused),
            Ok(()) => None,
        };
        drop(sender);
        match (taken.join(), failed) {
            (Ok(taken), None) => taken,
            (Ok(Err(refused)), Some(_)) => Err(refused),
            (Ok(Ok(_)), Some(failed)) => Err(failed),
            (Err(_), _) => Err(Error::internal("the reader of rows failed")
                .with_fix("please report it, with the options")),
        }
    })
}

fn batches(receiver: Receiver<Result<RecordBatch>>) -> Batches {
    Box::new(receiver.into_iter())
}

/// Cells of a batch of rows, column by column.
struct Columns<'a> {
    scan: &'a Scan,
    rows: usize,
    /// Columns of the choice, the value, the groups and the person, as far as they are read.
    columns: Vec<Column>,
}

/// Column by its name, and its position among the cells of a row.
struct Column {
    name: String,
    at: usize,
    cells: ColumnCells,
}

enum ColumnCells {
    Numbers(Vec<Option<f64>>),
    Labels(Vec<Option<String>>),
    /// Texts of numbers, or the bits of doubles.
    Digits(Vec<Option<String>>),
}

impl ColumnCells {
    /// Returns true if cells in this form can take the place of those of `other`: they can be read
    /// as both.
    fn holds_more_than(&self, other: &Self) -> bool {
        match self {
            Self::Numbers(_) => false,
            Self::Digits(_) => matches!(other, Self::Numbers(_)),
            Self::Labels(_) => true,
        }
    }
}

impl<'a> Columns<'a> {
    fn new(scan: &'a Scan) -> Self {
        let (labels, numbers) =
            (|| ColumnCells::Labels(Vec::new()), || ColumnCells::Numbers(Vec::new()));
        let privacy = match scan.privacy {
            PrivacyColumn::Tiers { .. } => labels(),
            PrivacyColumn::Budgets { .. } if scan.decisions.is_some() => {
                ColumnCells::Digits(Vec::new())
            }
            PrivacyColumn::Budgets { .. } => numbers(),
        };
        let of_value = |value: &Value| match value.is_text() {
            true => labels(),
            false if query::needs_digits(scan) => ColumnCells::Digits(Vec::new()),
            false => numbers(),
        };
        let value = scan.value.as_ref().map(|value| (value.column(), of_value(value)));
        // Without groups there is a column of nulls in their place.
        let groups = scan.label_columns().map(|group| match group.groups.as_weights() {
            Some(_) => Some((group.column.as_str(), numbers())),
            None => Some((group.column.as_str(), labels())),
        });
        let nothing = scan.label_columns().next().is_none().then_some(None);
        let person = scan.person.as_ref().map(|person| (person.as_str(), labels()));
        let all = [Some((scan.privacy.column(), privacy)), value].into_iter().chain(groups);
        let decisions = scan.decisions.iter().flat_map(DecisionColumns::columns);
        let decisions = decisions.map(|(_, column)| Some((column, labels())));
        let attributes = scan.attributes.iter().map(|name| Some((name.as_str(), labels())));
        let time = scan.person_time.iter().map(|time| Some((time.as_str(), labels())));
        let all = all.chain(nothing).chain([person]).chain(time);
        let all = all.chain(decisions).chain(attributes);
        let mut columns: Vec<Column> = Vec::new();
        for (at, column) in all.enumerate() {
            // The first cell says what is wrong with the row.
            let Some((name, cells)) = column else { continue };
            // A column that is read as two things is there once: as text, if it is one of them.
            let name = name.trim_ascii();
            let is_time = scan.person_time.as_ref().is_some_and(|time| time.trim_ascii() == name);
            match columns.iter_mut().find(|other| other.name == name) {
                // Times are read from whatever the column is read as.
                Some(_) if is_time => {}
                Some(other) if cells.holds_more_than(&other.cells) => {
                    (other.at, other.cells) = (at + 1, cells);
                }
                Some(_) => {}
                None => columns.push(Column { name: name.to_owned(), at: at + 1, cells }),
            }
        }
        Self { scan, rows: 0, columns }
    }

    /// Adds a row.
    fn add(&mut self, cells: &[Option<&str>], header: &Header) -> Result<()> {
        if let Some(fault) = cells.first().copied().flatten() {
            let defect = Defect::from_code(fault).ok_or_else(unreadable)?;
            return Err(defect.refuse(header));
        }
        for column in &mut self.columns {
            let cell = cells.get(column.at).copied().ok_or_else(unreadable)?;
            match &mut column.cells {
                ColumnCells::Labels(labels) => labels.push(cell.map(str::to_owned)),
                ColumnCells::Digits(texts) => {
                    let text = cell.map(|cell| digits(cell).ok_or_else(unreadable));
                    texts.push(text.transpose()?);
                }
                ColumnCells::Numbers(numbers) => {
                    let number = cell.map(|cell| double(cell.trim_ascii()).ok_or_else(unreadable));
                    numbers.push(number.transpose()?);
                }
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Returns the rows so far as a batch.
    fn take(&mut self) -> Result<RecordBatch> {
        let empty = Self::new(self.scan);
        let columns = std::mem::replace(self, empty).columns.into_iter().map(|column| {
            let cells: ArrayRef = match column.cells {
                ColumnCells::Numbers(numbers) => Arc::new(Float64Array::from(numbers)),
                ColumnCells::Labels(texts) | ColumnCells::Digits(texts) => {
                    Arc::new(StringArray::from(texts))
                }
            };
            (column.name, cells, true)
        });
        RecordBatch::try_from_iter_with_nullable(columns)
            .map_err(|_| Error::internal("rows of a database make no batch"))
    }
}

/// Text of a number; for the bits of a double one with an exponent whose nearest double it is.
fn digits(cell: &str) -> Option<String> {
    match cell.starts_with("0x") {
        true => double(cell).map(|number| format!("{number:e}")),
        false => Some(cell.to_owned()),
    }
}

fn unreadable() -> Error {
    Error::io("database", "a row is not what the query gives")
        .with_fix("please report it, with the kind of the database and its version")
}
