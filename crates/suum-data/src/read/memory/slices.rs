//! Columns that are slices of memory.

use suum_core::{Error, Place, Result};

use crate::cells::columns::Columns;
use crate::cells::fault::Fault;
use crate::cells::missing_column::MissingColumn;
use crate::read::columnar::Column;
use crate::scan::Scan;
use crate::scan::role::Role;

/// Named columns of as many rows each, which are read where they lie.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Grid};
/// use suum_data::{PrivacyColumn, Progress, Scan, Slice, Slices, Value, ValueColumn, scan_slices};
///
/// let people = Slices::new()
///     .with("visits", Slice::Numbers(&[3.0, 9.0, 0.0]))?
///     .with("consent", Slice::Positions(&[0, 1, 0]))?;
/// let scan = Scan::new(
///     PrivacyColumn::Tiers { column: "consent".into(), tiers: "strict=0.1,public=inf".parse()? },
///     Some(Value::Number(ValueColumn {
///         column: "visits".into(),
///         numbers: Grid::new(Bounds::new(0.0, 77.0)?).into(),
///         missing: None,
///     })),
/// );
/// let table = scan_slices(&people, &scan, &Progress::default())?;
/// assert_eq!(table.profile()?.to_string(), "0.1:2,inf:1");
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Slices<'a> {
    columns: Vec<(String, Slice<'a>)>,
    rows: usize,
}

/// One column.
#[derive(Clone, Copy)]
pub enum Slice<'a> {
    /// Numbers: budgets, values, or what falls into bins; NaN if one is missing.
    Numbers(&'a [f64]),
    /// Positions of labels among those that the scan declares, counted from 0: tiers, categories or
    /// groups. A tier or a category that is missing is [`u32::MAX`].
    Positions(&'a [u32]),
}

impl<'a> Slices<'a> {
    /// Creates a table without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column.
    ///
    /// # Errors
    ///
    /// Refuses a column whose number of rows differs from that of the columns before.
    pub fn with(mut self, name: impl Into<String>, column: Slice<'a>) -> Result<Self> {
        let name = name.into();
        if !self.columns.is_empty() && column.len() != self.rows {
            return Err(Error::data(Place::column(name), "it has not as many rows as the others")
                .with_fix("give columns of one table, with a row for each record"));
        }
        self.rows = column.len();
        self.columns.push((name, column));
        Ok(self)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The bytes of all columns.
    pub(super) fn bytes(&self) -> u64 {
        self.columns.iter().map(|(_, column)| column.bytes() as u64).sum()
    }

    /// The columns that are read.
    pub(super) fn columns(&self, scan: &Scan) -> std::result::Result<Columns<Column<'a>>, Fault> {
        Columns::find(scan, |role| self.find(scan, role))
    }

    fn find(&self, scan: &Scan, role: Role) -> std::result::Result<Column<'a>, Fault> {
        let asked = scan.column(role).trim_ascii();
        let mut matching = self.columns.iter().filter(|(name, _)| name.trim_ascii() == asked);
        match (matching.next(), matching.next()) {
            (Some((_, Slice::Numbers(numbers))), None) => Ok(Column::Numbers(numbers)),
            (Some((_, Slice::Positions(positions))), None) => Ok(Column::Positions(positions)),
            (Some(_), Some(_)) => Err(Fault::Repeated(role)),
            (None, _) => {
                let names = self.columns.iter().map(|(name, _)| &**name);
                Err(Fault::NotFound(role, Box::new(MissingColumn::in_schema(asked, names))))
            }
        }
    }
}

impl Slice<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Positions(positions) => positions.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Numbers(numbers) => size_of_val(*numbers),
            Self::Positions(positions) => size_of_val(*positions),
        }
    }
}

/// Shows nothing of the rows.
impl std::fmt::Debug for Slice<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Numbers(_) => f.write_str("Numbers"),
            Self::Positions(_) => f.write_str("Positions"),
        }
    }
}
