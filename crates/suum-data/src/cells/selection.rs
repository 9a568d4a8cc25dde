//! Filter over rows, prepared for cells.
//!
//! Every compared cell becomes a number, NaN if it is missing: numbers and moments as they are,
//! truth values 1 or 0, labels their index among the constants. All cells are read in every row, so
//! that a refusal does not depend on the other comparisons.

use suum_core::TimeScale;

use crate::cells::cell;
use crate::cells::fault::Fault;
use crate::scan::Scan;
use crate::scan::csv_form::DecimalMark;
use crate::scan::filter::{CellKind, CellTest, Comparison, Condition, Constant, Filter, Side};
use crate::scan::nulls::Nulls;
use crate::scan::role::Role;

/// Code of a label that equals none of the constants.
const OTHER: f64 = -1.0;

/// Code of a present cell where only presence is compared.
const PRESENT: f64 = 0.0;

/// A filter, made ready for cells.
pub(crate) struct Selection<'a> {
    operands: Vec<Operand<'a>>,
    condition: Ready,
    nulls: &'a Nulls,
    /// Operands of the current row.
    row: Vec<f64>,
}

/// Column of a comparison, whose cells are all read as one kind.
pub(crate) struct Operand<'a> {
    /// Index of the column among those of the filter.
    pub(crate) column: u8,
    pub(crate) kind: CellKind,
    /// Labels that the cells are compared with.
    labels: Vec<&'a str>,
}

/// Condition on the numbers of operands, which are named by index.
enum Ready {
    All(Vec<Ready>),
    Any(Vec<Ready>),
    Not(Box<Ready>),
    IsMissing(usize),
    In(usize, Vec<f64>),
    Order(usize, Side, f64),
    Between(usize, f64, f64),
}

impl<'a> Selection<'a> {
    /// Prepares the filter of a scan; `None` if it reads all rows.
    pub(crate) fn for_scan(scan: &'a Scan) -> Option<Self> {
        let filter = scan.filter.as_ref()?;
        let operands = operands(filter);
        let condition = ready(filter.condition(), &operands);
        Some(Self { row: vec![f64::NAN; operands.len()], operands, condition, nulls: &scan.nulls })
    }

    pub(crate) fn operands(&self) -> &[Operand<'a>] {
        &self.operands
    }

    /// Returns true if the filter selects a row. `cell` returns the cell of a filter column by
    /// index: without spaces around it, and empty where a text stands for a missing cell. Numbers
    /// have the decimal mark `decimal`; `room` is scratch space for one of them.
    pub(crate) fn selects<'b>(
        &mut self,
        cell: impl Fn(u8) -> &'b [u8],
        decimal: DecimalMark,
        room: &mut Vec<u8>,
    ) -> std::result::Result<bool, Fault> {
        for (operand, number) in self.operands.iter().zip(&mut self.row) {
            let cell = cell(operand.column);
            let cell = match operand.kind {
                // A cell that is there can spell a number that stands for an empty one.
                CellKind::Number | CellKind::Presence => decimal.with_point(cell, room),
                CellKind::Label | CellKind::Truth | CellKind::Moment => cell,
            };
            *number = operand.read_cell(cell, self.nulls)?;
        }
        Ok(self.condition.truth(&|operand| self.row[operand]) == Some(true))
    }

    /// Evaluates the filter in each of `rows` rows; `operands` has a vector of that length per
    /// operand.
    pub(crate) fn select(&self, operands: &[Vec<f64>], rows: usize) -> Vec<bool> {
        let selects =
            |row: usize| self.condition.truth(&|operand| operands[operand][row]) == Some(true);
        (0..rows).map(selects).collect()
    }
}

/// Operands of a filter: each column once per kind of cell it is compared as.
fn operands(filter: &Filter) -> Vec<Operand<'_>> {
    let mut operands: Vec<Operand> = Vec::new();
    for CellTest { column, kind, comparison } in filter.condition().tests() {
        // There are at most eight columns.
        let column = *column as u8;
        let known = operands.iter().position(|one| (one.column, one.kind) == (column, *kind));
        let at = known.unwrap_or(operands.len());
        if known.is_none() {
            operands.push(Operand { column, kind: *kind, labels: Vec::new() });
        }
        if let Comparison::In(constants) = comparison {
            for constant in constants {
                match constant {
                    Constant::Text(text) if !operands[at].labels.contains(&text.as_str()) => {
                        operands[at].labels.push(text)
                    }
                    _ => {}
                }
            }
        }
    }
    operands
}

impl Operand<'_> {
    /// The number of a cell; NaN where it is missing.
    pub(crate) fn read_cell(&self, cell: &[u8], nulls: &Nulls) -> std::result::Result<f64, Fault> {
        match self.kind {
            CellKind::Number => {
                let number = cell::number(cell).map_err(|_| self.fault())?;
                Ok(if nulls.numbers().contains(&number) { f64::NAN } else { number })
            }
            CellKind::Moment => cell::timestamp(cell, TimeScale::Seconds).map_err(|_| self.fault()),
            CellKind::Label | CellKind::Truth | CellKind::Presence => self.read_label(cell, nulls),
        }
    }

    /// Number of a cell that is read as a label.
    pub(crate) fn read_label(&self, cell: &[u8], nulls: &Nulls) -> std::result::Result<f64, Fault> {
        if cell.is_empty() {
            return Ok(f64::NAN);
        }
        let text = cell::text(cell, Role::Filter(self.column))?;
        match self.kind {
            CellKind::Label => {
                let place = self.labels.iter().position(|label| *label == text);
                Ok(place.map_or(OTHER, |place| place as f64))
            }
            CellKind::Truth if text == "1" || text.eq_ignore_ascii_case("true") => Ok(1.0),
            CellKind::Truth if text == "0" || text.eq_ignore_ascii_case("false") => Ok(0.0),
            CellKind::Presence => match text.parse::<f64>() {
                Ok(number) if number.is_nan() || nulls.numbers().contains(&number) => Ok(f64::NAN),
                _ => Ok(PRESENT),
            },
            CellKind::Truth | CellKind::Number | CellKind::Moment => Err(self.fault()),
        }
    }

    /// Fault of a cell that is not of the operand's kind.
    pub(crate) fn fault(&self) -> Fault {
        Fault::NotComparable(self.column, self.kind)
    }

    /// Number that stands for a constant in comparisons.
    fn number(&self, constant: &Constant) -> f64 {
        match constant {
            Constant::Number(number) | Constant::Moment(number) => *number,
            Constant::Truth(truth) => f64::from(u8::from(*truth)),
            Constant::Text(text) => {
                let place = self.labels.iter().position(|label| label == text);
                place.map_or(f64::NAN, |place| place as f64)
            }
        }
    }
}

fn ready(condition: &Condition, operands: &[Operand]) -> Ready {
    let each = |parts: &[Condition]| parts.iter().map(|part| ready(part, operands)).collect();
    match condition {
        Condition::All(parts) => Ready::All(each(parts)),
        Condition::Any(parts) => Ready::Any(each(parts)),
        Condition::Not(inner) => Ready::Not(Box::new(ready(inner, operands))),
        Condition::Test(CellTest { column, kind, comparison }) => {
            let is_it = |one: &Operand| usize::from(one.column) == *column && one.kind == *kind;
            // All of them were made for the same condition.
            let at = operands.iter().position(is_it).unwrap_or_default();
            let number = |constant: &Constant| operands[at].number(constant);
            match comparison {
                Comparison::IsMissing => Ready::IsMissing(at),
                Comparison::In(constants) => Ready::In(at, constants.iter().map(number).collect()),
                Comparison::Order(side, constant) => Ready::Order(at, *side, number(constant)),
                Comparison::Between(least, most) => Ready::Between(at, number(least), number(most)),
            }
        }
    }
}

impl Ready {
    /// Evaluates to true, false, or unknown (`None`), as in SQL.
    fn truth(&self, operand: &impl Fn(usize) -> f64) -> Option<bool> {
        let present = |at: usize| Some(operand(at)).filter(|number| !number.is_nan());
        match self {
            Self::All(parts) => combined(parts, operand, true),
            Self::Any(parts) => combined(parts, operand, false),
            Self::Not(inner) => inner.truth(operand).map(|truth| !truth),
            Self::IsMissing(at) => Some(present(*at).is_none()),
            Self::In(at, numbers) => present(*at).map(|number| numbers.contains(&number)),
            Self::Order(at, side, constant) => present(*at).map(|number| match side {
                Side::Less => number < *constant,
                Side::AtMost => number <= *constant,
                Side::More => number > *constant,
                Side::AtLeast => number >= *constant,
            }),
            Self::Between(at, least, most) => {
                present(*at).map(|number| *least <= number && number <= *most)
            }
        }
    }
}

/// Three-valued AND (`neutral` is true) or OR (`neutral` is false) of conditions.
fn combined(parts: &[Ready], operand: &impl Fn(usize) -> f64, neutral: bool) -> Option<bool> {
    let mut all = Some(neutral);
    for part in parts {
        match part.truth(operand) {
            Some(truth) if truth == neutral => {}
            Some(truth) => return Some(truth),
            None => all = None,
        }
    }
    all
}
