//! Rows of a register in columns: each cell is read as a text file would spell it.

use super::Column;
use super::entries::Entries;
use crate::cells::columns::Columns;
use crate::cells::fault::Fault;
use crate::count::coded::ROWS;
use crate::scan::Scan;
use crate::scan::attributes::MOST_ATTRIBUTES;
use crate::scan::decisions::DecisionPart;
use crate::scan::role::Role;
use crate::sink::register::{DecisionCells, Register};

/// Texts of some cells, without the spaces around them.
type Texts = Vec<Box<[u8]>>;

/// Adds the decisions of these columns, all of which have the same number of rows; or returns their
/// first fault, with the row counted from 0.
pub(super) fn add(
    scan: &Scan,
    columns: &Columns<Column>,
    rows: usize,
    register: &Register,
) -> Result<(), (usize, Fault)> {
    for first in (0..rows).step_by(ROWS) {
        let some = first..rows.min(first + ROWS);
        let columns = columns.map(|column| column.slice(some.clone()));
        add_some(scan, &columns, some.len(), register)
            .map_err(|(row, fault)| (first + row, fault))?;
    }
    Ok(())
}

fn add_some(
    scan: &Scan,
    columns: &Columns<Column>,
    rows: usize,
    register: &Register,
) -> Result<(), (usize, Fault)> {
    let read = |column: &Column, role| texts(scan, column, role);
    let choices = read(&columns.privacy, Role::Privacy)?;
    let keys = columns.person.as_ref().map(|column| read(column, Role::Person)).transpose()?;
    let mut parts = [const { None }; DecisionPart::ALL.len()];
    for part in DecisionPart::ALL {
        let column = columns.decisions[part as usize].as_ref();
        let role = Role::Decision(part);
        parts[part as usize] = column.map(|column| read(column, role)).transpose()?;
    }
    let mut attributes = [const { None }; MOST_ATTRIBUTES];
    for ((at, column), texts) in (0..).zip(&columns.attributes).zip(&mut attributes) {
        let column = column.as_ref();
        *texts = column.map(|column| read(column, Role::Attribute(at))).transpose()?;
    }
    for row in 0..rows {
        let cells = DecisionCells {
            choice: cell(&choices, row),
            key: keys.as_ref().map_or(&[], |keys| cell(keys, row)),
            parts: parts.each_ref().map(|texts| texts.as_ref().map(|texts| cell(texts, row))),
            attributes: attributes
                .each_ref()
                .map(|texts| texts.as_ref().map(|texts| cell(texts, row))),
        };
        register.add(scan, &cells).map_err(|fault| (row, fault))?;
    }
    Ok(())
}

fn cell(texts: &Texts, row: usize) -> &[u8] {
    texts.get(row).map_or(&[], |text| text)
}

/// Texts of a column, up to a fault that all of its cells have.
fn texts(scan: &Scan, column: &Column, role: Role) -> Result<Texts, (usize, Fault)> {
    let text = |cell: &[u8]| Ok(Box::from(scan.nulls.cell(cell)));
    let of_position = |_| Err(Fault::Type(role));
    let mut texts = Texts::new();
    let fault = Entries::default().append_column(column, role, text, of_position, &mut texts);
    fault.map_or(Ok(texts), Err)
}
