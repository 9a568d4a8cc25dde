//! Conversion of values and groups to the integers of the private path.

use fearless_simd::{Level, dispatch};
use suum_core::{Error, Replacement, Result, for_example, option};

use crate::cells::cell;
use crate::cells::fault::{Fault, RowFault, until_fault};
use crate::scan::Scan;
use crate::scan::consent::Consent;
use crate::scan::csv_form::DecimalMark;
use crate::scan::groups::GroupColumn;
use crate::scan::identifier::{self, halves};
use crate::scan::nearest::place_of_nearest;
use crate::scan::role::Role;
use crate::scan::value::{Across, CategoryColumn, UnboundedColumn, Value, ValueColumn};

/// Code of a missing value whose record is left out. No grid index or category is as large, and
/// these are the bits of a NaN.
pub(crate) const ABSENT: u64 = u64::MAX;

/// The position of a label that is missing.
pub(crate) const MISSING_POSITION: u32 = u32::MAX;

impl Scan {
    /// Returns `place`, or [`ABSENT`] for a missing value where records without a value are left
    /// out.
    #[inline]
    pub(crate) fn or_absent(&self, place: Code) -> Code {
        match place {
            Err(Fault::Missing(Role::Value)) if self.leaves_out_missing => Ok(ABSENT),
            place => place,
        }
    }

    /// Position of the label of a cell, which has no spaces around it, in the label column with
    /// this index. The replacement of a missing value applies to the second column of a cross
    /// table.
    #[inline]
    pub(crate) fn label(&self, column: &GroupColumn, cell: &[u8], at: u8) -> Label {
        let label = match self.attribute_at(at) {
            None => column.find_group(cell, at),
            Some(attribute) => self.label_of_key(column, cell, attribute, at),
        };
        match label {
            Err(Fault::Missing(_)) => self.missing_label(at),
            label => label,
        }
    }

    /// Position of the label that the register has as an attribute of the key in a cell.
    fn label_of_key(&self, column: &GroupColumn, key: &[u8], attribute: usize, at: u8) -> Label {
        let key = cell::text(key, Role::Privacy)?.as_bytes();
        let attributes = self.consent.as_deref().and_then(Consent::attributes);
        let label = attributes.filter(|_| !key.is_empty()).map_or(&[][..], |attributes| {
            attributes.label(attribute, halves(identifier::hash(key)))
        });
        // Its file may be another than that of the data, with points.
        column.find_group(column.groups.spelled(label, self.csv.decimal, &mut Vec::new()), at)
    }

    /// Checks a position that may be [`MISSING_POSITION`], and replaces a missing label as
    /// [`label`](Self::label) does.
    pub(crate) fn check_label(&self, column: &GroupColumn, position: u32, at: u8) -> Label {
        match (position as usize) < column.groups.categories().len() {
            true => Ok(position),
            false if position == MISSING_POSITION && self.across_at(at).is_some() => {
                self.missing_label(at)
            }
            false => Err(Fault::NotAGroup(at, None)),
        }
    }

    fn missing_label(&self, at: u8) -> Label {
        match self.across_at(at) {
            Some(Across { missing: Some(missing), .. }) => Ok(*missing),
            Some(_) if self.leaves_out_missing => Ok(MISSING_POSITION),
            _ => Err(Fault::Missing(Role::Group(at))),
        }
    }
}

/// Combines positions in the first and second column of a cross table into the number of a cell.
pub(crate) fn cross(indices: &mut [u64], across: &[u32], width: usize) {
    for (index, label) in indices.iter_mut().zip(across) {
        *index = match (*index, *label) {
            (ABSENT, _) | (_, MISSING_POSITION) => ABSENT,
            // There are at most 65 536 cells.
            (index, label) => index * width as u64 + u64::from(label),
        };
    }
}

/// The position of a label.
type Label = std::result::Result<u32, Fault>;

/// Integer code of a value, or the fault of its cell.
type Code = std::result::Result<u64, Fault>;

impl Value {
    /// Code of a cell: its grid index, its category, or the bits of the number itself. The cell has
    /// no spaces around it.
    #[inline]
    pub(crate) fn encode_cell(&self, cell: &[u8]) -> Code {
        match self {
            Self::Category(categories) if categories.classes.are_labels() => {
                categories.encode_label(cell)
            }
            _ => self.encode_number(self.number(cell)?),
        }
    }

    /// Text of a cell of a text file, with a decimal point where it is a number, also in a label
    /// that spells a number; other cells are unchanged. `room` is scratch space for the result.
    #[inline]
    pub(crate) fn spelled<'a>(
        &self,
        cell: &'a [u8],
        decimal: DecimalMark,
        room: &'a mut Vec<u8>,
    ) -> &'a [u8] {
        match self {
            Self::Category(categories) if categories.classes.are_labels() => {
                categories.classes.spelled(cell, decimal, room)
            }
            _ if self.scale().is_some() => cell,
            _ => decimal.with_point(cell, room),
        }
    }

    /// Number that a cell spells, for a date or time its position on the scale; NaN if it is
    /// missing.
    #[inline]
    pub(crate) fn number(&self, cell: &[u8]) -> std::result::Result<f64, Fault> {
        match self.scale() {
            None => cell::number(cell),
            Some(scale) => cell::timestamp(cell, scale),
        }
    }

    /// Code of a number, as of a cell that spells it; NaN means a missing cell.
    #[inline]
    pub(crate) fn encode_number(&self, number: f64) -> Code {
        match self {
            Self::Number(numbers) => numbers.index(number),
            Self::Category(categories) if number.is_nan() => categories.encode_missing(),
            Self::Category(categories) => {
                categories.classes.classify_number(number).ok_or(Fault::OutsideBins)
            }
            Self::Unbounded(numbers) => bits(number, numbers.missing),
        }
    }

    /// Index of each number: its place, or the number itself if rows are reduced as they are.
    pub(crate) fn places_of(&self, numbers: &[f64], scan: &Scan, out: &mut Vec<u64>) -> RowFault {
        match scan.keeps_plain_rows() {
            true => self.bits_of_numbers(numbers, scan, out),
            false => self.encode_numbers(numbers, scan, out),
        }
    }

    /// Codes of numbers, as of cells that spell them, up to the first fault, which is returned with
    /// its row counted from 0.
    pub(crate) fn encode_numbers(
        &self,
        numbers: &[f64],
        scan: &Scan,
        out: &mut Vec<u64>,
    ) -> RowFault {
        let Self::Number(column) = self else {
            if let Self::Category(column) = self
                && dispatch!(Level::new(), _ => column.classes.classify_numbers(numbers, out))
            {
                return None;
            }
            if let Self::Unbounded(_) = self
                && !numbers.iter().any(|number| number.is_nan())
            {
                out.extend(numbers.iter().map(|number| number.to_bits()));
                return None;
            }
            let place = |number: &f64| scan.or_absent(self.encode_number(*number));
            return until_fault(numbers.iter().map(place), out);
        };
        let (start, grid) = (out.len(), &column.numbers.grid);
        // Uses the widest vector instructions of this processor.
        if dispatch!(Level::new(), _ => grid.indices(numbers, out)) {
            return None;
        }
        match scan.or_absent(column.index(f64::NAN)) {
            Ok(missing) => {
                let places = numbers.iter().zip(&mut out[start..]);
                places
                    .filter(|(number, _)| number.is_nan())
                    .for_each(|(_, index)| *index = missing);
                None
            }
            Err(fault) => numbers.iter().position(|number| number.is_nan()).map(|row| (row, fault)),
        }
    }

    /// The bits of each number that is reduced before it is put on the grid, up to the first that
    /// is missing, which is returned as [`encode_numbers`](Self::encode_numbers) does.
    pub(crate) fn bits_of_numbers(
        &self,
        numbers: &[f64],
        scan: &Scan,
        out: &mut Vec<u64>,
    ) -> RowFault {
        let missing = match self {
            Self::Number(ValueColumn { missing, .. })
            | Self::Unbounded(UnboundedColumn { missing, .. }) => *missing,
            // A scan that was checked reduces numbers only.
            Self::Category(_) => None,
        };
        until_fault(numbers.iter().map(|number| scan.or_absent(bits(*number, missing))), out)
    }

    /// Code of a label, by its position among the declared ones.
    pub(crate) fn encode_position(&self, position: u32) -> Code {
        match self {
            _ if position == MISSING_POSITION => Err(Fault::Missing(Role::Value)),
            Self::Category(column) if (position as usize) < column.classes.categories().len() => {
                Ok(u64::from(position))
            }
            _ => Err(Fault::NotACategory),
        }
    }

    /// Refuses a replacement for missing cells that is neither inside the bounds nor a declared
    /// category.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::Number(ValueColumn { missing: Some(missing), .. })
            | Self::Unbounded(UnboundedColumn { missing: Some(missing), .. })
                if !missing.is_finite() =>
            {
                Err(Error::parameter(
                    option::MISSING,
                    "the constant for missing cells must be a finite number",
                )
                .with_fix(for_example(option::MISSING, "0")))
            }
            Self::Category(column)
                if column.missing.as_deref().map(str::trim_ascii) == Some(Replacement::EXCLUDE) =>
            {
                Err(Error::parameter(
                    option::MISSING,
                    "exclude leaves records out, and is no category for missing cells",
                )
                .with_fix("give the category another name"))
            }
            Self::Category(column)
                if column.missing.is_some()
                    && column.encode_missing().is_err()
                    && column.across.as_ref().is_none_or(|across| across.missing.is_none()) =>
            {
                Err(Error::parameter(
                    option::MISSING,
                    "the category for missing cells is not declared",
                )
                .with_fix("name one of the declared categories"))
            }
            _ => Ok(()),
        }
    }
}

impl ValueColumn {
    #[inline]
    fn index(&self, value: f64) -> Code {
        let present =
            self.numbers.grid.index(value).or_else(|| self.numbers.grid.index(self.missing?));
        present.ok_or(Fault::Missing(Role::Value))
    }
}

/// The bits of a number, or of the constant that stands for a missing one.
#[inline]
fn bits(value: f64, missing: Option<f64>) -> Code {
    let present = if value.is_nan() { missing } else { Some(value) };
    present.map(f64::to_bits).ok_or(Fault::Missing(Role::Value))
}

impl CategoryColumn {
    #[inline]
    fn encode_label(&self, cell: &[u8]) -> Code {
        match self.classes.named(cell) {
            Some(class) => Ok(class),
            None if cell.is_empty() => self.encode_missing(),
            None => {
                cell::text(cell, Role::Value)?;
                self.classes.other().ok_or(Fault::NotACategory)
            }
        }
    }

    fn encode_missing(&self) -> Code {
        let name = self.missing.as_deref().map(str::trim_ascii);
        name.and_then(|name| self.classes.named(name.as_bytes())).ok_or(Fault::Missing(Role::Value))
    }
}

/// Returns true if a cell spells a NaN, which is a missing number.
#[cold]
fn is_nan(cell: &[u8]) -> bool {
    let number = cell::text(cell, Role::Value).ok().and_then(|text| text.parse::<f64>().ok());
    number.is_some_and(f64::is_nan)
}

impl GroupColumn {
    /// Position of the group that was probably meant by a cell that names none.
    fn meant(&self, cell: &[u8]) -> Option<u32> {
        // A number that is near to another one is not meant by it.
        if self.groups.as_weights().is_some() {
            return None;
        }
        let names = self.groups.categories().names().iter().map(|name| &**name);
        place_of_nearest(cell, names).map(|place| place as u32)
    }

    /// Position of the group of a cell, which has no spaces around it, in the group column with
    /// this index.
    #[inline]
    pub(crate) fn find_group(&self, cell: &[u8], at: u8) -> std::result::Result<u32, Fault> {
        match self.groups.named(cell) {
            // There are at most 65 536 groups.
            Some(group) => Ok(group as u32),
            None if cell.is_empty() => Err(Fault::Missing(Role::Group(at))),
            None if self.groups.as_weights().is_some() && is_nan(cell) => {
                Err(Fault::Missing(Role::Group(at)))
            }
            None => {
                cell::text(cell, Role::Group(at))?;
                let other = self.groups.other().map(|group| group as u32);
                other.ok_or_else(|| Fault::NotAGroup(at, self.meant(cell)))
            }
        }
    }
}
