//! Values minus the lower bound, for bounds so large that doubles cannot tell neighbouring values
//! apart.

use suum_core::{Grid, Numbers};

use crate::cells::cell;
use crate::cells::fault::Fault;
use crate::scan::Scan;
use crate::scan::nulls::Nulls;
use crate::scan::value::{Value, ValueColumn};

/// Lower bound of a grid that is [finer than doubles](Grid::is_finer_than_doubles), and the
/// conversion of values to offsets from it.
///
/// Integers and decimals are subtracted exactly and rounded once, so that inside the bounds each
/// integer keeps its grid index. The offset of a double inside the bounds is exact.
pub(crate) struct Offsets {
    lower: i128,
    nulls: Vec<Null>,
    value: Value,
}

/// Number that stands for an empty cell, with its offset from the lower bound. The two together
/// tell it from all other numbers.
struct Null {
    number: f64,
    offset: f64,
}

impl Offsets {
    /// The offsets of the values of a scan, if it needs some.
    pub(crate) fn for_scan(scan: &Scan) -> Option<Self> {
        let Some(Value::Number(column)) = &scan.value else { return None };
        let grid = &column.numbers.grid;
        if !grid.is_finer_than_doubles() {
            return None;
        }
        let lower = origin(grid)?;
        let numbers = Numbers { grid: grid.from_lower().ok()?, ..column.numbers };
        let missing = column.missing.map(|missing| offset_of_double(missing, lower));
        let value = Value::Number(ValueColumn { numbers, missing, column: column.column.clone() });
        Some(Self { lower, nulls: nulls(&scan.nulls, lower), value })
    }

    /// Column of offsets, on the same grid.
    pub(crate) fn value(&self) -> &Value {
        &self.value
    }

    /// Offset of the number that a cell spells; NaN if it is missing.
    pub(crate) fn offset_of_cell(&self, cell: &[u8]) -> Result<f64, Fault> {
        let number = cell::number(cell)?;
        let offset =
            parse_offset(cell, self.lower).unwrap_or_else(|| offset_of_double(number, self.lower));
        Ok(if self.is_null(number, offset) { f64::NAN } else { offset })
    }

    pub(crate) fn offset_of_integer(&self, number: impl Into<i128>) -> f64 {
        offset_of_integer(number.into(), self.lower)
    }

    /// The offset of a decimal by its text.
    pub(crate) fn offset_of_decimal(&self, text: &str) -> f64 {
        let nearest = || offset_of_double(text.parse().unwrap_or(f64::NAN), self.lower);
        parse_offset(text.as_bytes(), self.lower).unwrap_or_else(nearest)
    }

    pub(crate) fn offset_of_double(&self, number: f64) -> f64 {
        offset_of_double(number, self.lower)
    }

    /// Returns true if a number with this offset stands for an empty cell.
    pub(crate) fn is_null(&self, number: f64, offset: f64) -> bool {
        self.nulls.iter().any(|null| null.number == number && null.offset == offset)
    }

    pub(crate) fn has_nulls(&self) -> bool {
        !self.nulls.is_empty()
    }
}

/// Lower bound as an integer, which it always is where doubles are more than 1 apart; `None` if it
/// needs more than 128 bits.
pub(crate) fn origin(grid: &Grid) -> Option<i128> {
    const LIMIT: f64 = (1u128 << 126) as f64;
    let lower = grid.bounds().lower();
    (lower.abs() <= LIMIT && lower.fract() == 0.0).then_some(lower as i128)
}

fn nulls(nulls: &Nulls, lower: i128) -> Vec<Null> {
    let null = |text: &String| {
        let number: f64 = text.parse().ok()?;
        let offset =
            parse_offset(text.as_bytes(), lower).unwrap_or_else(|| offset_of_double(number, lower));
        Some(Null { number, offset })
    };
    nulls.texts().iter().filter_map(null).collect()
}

fn offset_of_double(number: f64, lower: i128) -> f64 {
    number - lower as f64
}

fn offset_of_integer(number: i128, lower: i128) -> f64 {
    // Only a number far outside the bounds has a difference beyond 128 bits.
    number.saturating_sub(lower) as f64
}

/// Offset of a number written as digits with or without a point; `None` for other texts and for
/// numbers with too many digits.
fn parse_offset(text: &[u8], lower: i128) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let whole: i128 = whole.parse().ok()?;
    if fraction.is_empty() {
        return Some(offset_of_integer(whole, lower));
    }
    // One number of so many units behind the point, which is rounded once when it is read again.
    let unit = 10i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let part: i128 = fraction.parse().ok()?;
    let part = if text.starts_with('-') { -part } else { part };
    let units = whole.checked_sub(lower)?.checked_mul(unit)?.checked_add(part)?;
    format!("{units}e-{}", fraction.len()).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LOWER: i128 = 1 << 60;

    #[test]
    fn text_is_subtracted_from_before_it_is_rounded() {
        let of = |text: &str| parse_offset(text.as_bytes(), LOWER);
        assert_eq!(of("1152921504606846977"), Some(1.0));
        assert_eq!(of("+1152921504606846977.0"), Some(1.0));
        assert_eq!(of("1152921504606846975.5"), Some(-0.5));
        assert_eq!(of("-1.5"), Some(-1_152_921_504_606_846_977.5));
        assert_eq!(of("170141183460469231731687303715884105727"), Some(2f64.powi(127)));
        for other in ["", "-", ".", "1e18", "inf", "1.2.3", "1.-5", "true"] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn forms_of_a_number_have_one_offset(number in any::<i64>(), places in 0usize..4) {
            let expected = offset_of_integer(number.into(), LOWER);
            let text = format!("{number}.{}", "0".repeat(places));
            prop_assert_eq!(parse_offset(text.as_bytes(), LOWER), Some(expected));
            let is_double = number as f64 as i128 == i128::from(number);
            if is_double && (i128::from(number) - LOWER).abs() < 1 << 53 {
                prop_assert_eq!(offset_of_double(number as f64, LOWER), expected);
            }
        }
    }
}
