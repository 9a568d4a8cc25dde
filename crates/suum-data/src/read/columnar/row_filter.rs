//! Selection of rows of columns by a filter.

use arrow_array::{ArrayRef, BooleanArray};
use arrow_select::filter::filter;
use suum_core::TimeScale;

use super::Column;
use super::entries::Entries;
use super::numbers::Numbers;
use crate::cells::columns::Columns;
use crate::cells::fault::{Fault, RowFault};
use crate::cells::selection::Selection;
use crate::scan::Scan;
use crate::scan::filter::CellKind;
use crate::scan::role::Role;

/// Filter with readers for the columns that it compares.
pub(super) struct RowFilter<'a> {
    scan: &'a Scan,
    selection: Selection<'a>,
    readers: Vec<Reader>,
    /// Number of each row, by operand.
    operands: Vec<Vec<f64>>,
}

/// Reader of the cells of one operand.
#[derive(Default)]
struct Reader {
    numbers: Numbers,
    places: Entries<Result<f64, Fault>>,
}

/// Copy of some of the rows of a column.
enum SomeRows {
    Array(ArrayRef),
    Numbers(Vec<f64>),
    Positions(Vec<u32>),
    Persons(Vec<u128>),
}

impl<'a> RowFilter<'a> {
    /// Prepares the filter of a scan; `None` if it reads all rows.
    pub(super) fn for_scan(scan: &'a Scan) -> Option<Self> {
        let selection = Selection::for_scan(scan)?;
        let operands = selection.operands().len();
        let readers = (0..operands).map(|_| Reader::default()).collect();
        Some(Self { scan, selection, readers, operands: vec![Vec::new(); operands] })
    }

    /// Passes the selected rows to `add`, as columns with their number of rows.
    pub(super) fn add(
        &mut self,
        columns: &Columns<Column>,
        rows: usize,
        add: impl FnOnce(&Columns<Column>, usize) -> Result<(), (usize, Fault)>,
    ) -> Result<(), (usize, Fault)> {
        let (mask, fault) = self.mask(&columns.filter, rows);
        let places = || mask.iter().enumerate().filter(|(_, selects)| **selects);
        let added = match places().count() {
            0 => Ok(()),
            all if all == rows => add(columns, rows),
            some => {
                let selected = select_rows(columns, &mask);
                let place = |row| places().nth(row).map_or(row, |(place, _)| place);
                add(&selected.map(SomeRows::column), some)
                    .map_err(|(row, fault)| (place(row), fault))
            }
        };
        // Rows that were added come before the cell that cannot be compared.
        added.and(fault.map_or(Ok(()), Err))
    }

    /// Evaluates the filter in each row, up to the first row with a cell that cannot be compared.
    fn mask(&mut self, columns: &[Option<Column>], rows: usize) -> (Vec<bool>, RowFault) {
        let Self { scan, selection, readers, operands } = self;
        let mut first: RowFault = None;
        let each = selection.operands().iter().zip(readers).zip(&mut *operands);
        for ((operand, reader), out) in each {
            out.clear();
            let role = Role::Filter(operand.column);
            let nulls = &scan.nulls;
            let fault = match (columns.get(usize::from(operand.column)), operand.kind) {
                (Some(Some(column)), CellKind::Number) => {
                    match reader.numbers.convert(column, nulls) {
                        Some(numbers) => {
                            out.extend(numbers);
                            None
                        }
                        None => Some((0, Fault::Type(role))),
                    }
                }
                (Some(Some(Column::Array(array))), CellKind::Moment) => {
                    let fault = reader.places.moments(array, TimeScale::Seconds, nulls, out);
                    fault.map(|(row, fault)| match fault {
                        Fault::Type(_) => (row, Fault::Type(role)),
                        _ => (row, operand.fault()),
                    })
                }
                (Some(Some(column)), CellKind::Label | CellKind::Truth | CellKind::Presence) => {
                    let place = |cell: &[u8]| operand.read_label(nulls.cell(cell), nulls);
                    let of_position = |_| Err(Fault::Type(role));
                    reader.places.append_column(column, role, place, of_position, out)
                }
                _ => Some((0, Fault::Type(role))),
            };
            first = match (first, fault) {
                (Some(first), Some(fault)) if fault.0 < first.0 => Some(fault),
                (first, fault) => first.or(fault),
            };
        }
        let read = first.as_ref().map_or(rows, |(row, _)| *row);
        (selection.select(operands, read), first)
    }
}

/// Selects the rows of each column for which the mask, which has their length, is true.
fn select_rows(columns: &Columns<Column>, mask: &[bool]) -> Columns<SomeRows> {
    let array = BooleanArray::from(mask.to_vec());
    columns.map(|column| SomeRows::select(column, mask, &array))
}

impl SomeRows {
    fn select(column: &Column, mask: &[bool], array: &BooleanArray) -> Self {
        fn some<T: Copy>(cells: &[T], mask: &[bool]) -> Vec<T> {
            let cells = cells.iter().zip(mask).filter(|(_, is_selected)| **is_selected);
            cells.map(|(cell, _)| *cell).collect()
        }
        match column {
            Column::Array(cells) => match filter(&cells.slice(0, mask.len()), array) {
                Ok(cells) => Self::Array(cells),
                // Arrow filters arrays of every type that is read here.
                Err(_) => Self::Persons(Vec::new()),
            },
            // Records of text, of which offsets are, have been selected before.
            Column::Numbers(numbers) | Column::Offsets(numbers) => {
                Self::Numbers(some(numbers, mask))
            }
            Column::Positions(positions) => Self::Positions(some(positions, mask)),
            Column::Persons(persons) => Self::Persons(some(persons, mask)),
        }
    }

    fn column(&self) -> Column<'_> {
        match self {
            Self::Array(array) => Column::Array(ArrayRef::clone(array)),
            Self::Numbers(numbers) => Column::Numbers(numbers),
            Self::Positions(positions) => Column::Positions(positions),
            Self::Persons(persons) => Column::Persons(persons),
        }
    }
}
