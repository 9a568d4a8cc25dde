//! Positions of declared labels; labels that spell numbers match as numbers.

use rustc_hash::FxHashMap;

use crate::scan::csv_form::DecimalMark;

/// Declared labels, with a lookup from cells.
///
/// A column of numbers writes them without zeros at their end: `1`, and not `1.0`. So a declared
/// label that spells a number matches that text, too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LabelPositions {
    positions: FxHashMap<Vec<u8>, u32>,
    has_numbers: bool,
}

impl LabelPositions {
    /// Creates the positions of these labels, which have no spaces around them, in the order
    /// declared; `None` if one is repeated.
    pub(crate) fn new<'a>(labels: impl Iterator<Item = &'a str> + Clone) -> Option<Self> {
        let mut positions = FxHashMap::default();
        for (label, position) in labels.clone().zip(0..) {
            if positions.insert(label.as_bytes().to_vec(), position).is_some() {
                return None;
            }
        }
        let mut has_numbers = false;
        for (label, position) in labels.zip(0..) {
            if let Some(number) = plain_number(label) {
                has_numbers = true;
                positions.entry(number.as_bytes().to_vec()).or_insert(position);
            }
        }
        Some(Self { positions, has_numbers })
    }

    /// Position of the label that a cell, without spaces around it, names.
    #[inline]
    pub(crate) fn get(&self, cell: &[u8]) -> Option<u32> {
        self.positions.get(cell).copied()
    }

    /// Cell of a text file, in which columns of numbers cannot be told from others: written as
    /// numbers are if it spells one with this mark and is not itself a declared label. `room` is
    /// scratch space for the result.
    #[inline]
    pub(crate) fn spelled<'a>(
        &self,
        cell: &'a [u8],
        decimal: DecimalMark,
        room: &'a mut Vec<u8>,
    ) -> &'a [u8] {
        let has_decimals = || cell.contains(&decimal.byte());
        match self.has_numbers && has_decimals() && !self.positions.contains_key(cell) {
            true => as_number(cell, decimal, room),
            false => cell,
        }
    }
}

#[cold]
fn as_number<'a>(cell: &'a [u8], decimal: DecimalMark, room: &'a mut Vec<u8>) -> &'a [u8] {
    let with_point = std::str::from_utf8(decimal.with_point(cell, room));
    with_point.ok().and_then(plain_number).map_or(cell, str::as_bytes)
}

/// The number that a label spells, without zeros at the end of its decimals; `None` for labels that
/// spell none, and for codes that begin with further zeros, such as `007`.
///
/// # Example
///
/// ```
/// use suum_data::plain_number;
///
/// assert_eq!(plain_number("2.50"), Some("2.5"));
/// assert_eq!(plain_number("1.0"), Some("1"));
/// assert_eq!(plain_number("-3"), Some("-3"));
/// assert_eq!(plain_number("007"), None);
/// assert_eq!(plain_number("1e3"), None);
/// ```
pub fn plain_number(label: &str) -> Option<&str> {
    let digits = label.strip_prefix('-').unwrap_or(label);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_digits(whole) || !is_digits(decimals) || (whole.len() > 1 && whole.starts_with('0')) {
        return None;
    }
    let number = match digits.contains('.') {
        true => label.trim_end_matches('0').trim_end_matches('.'),
        false => label,
    };
    // Zero has no sign in columns of numbers.
    Some(if number == "-0" { "0" } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_numbers_as_numbers() {
        let weights = LabelPositions::new(["1.0", "2.50", "4", "x"].into_iter()).unwrap();
        for (cell, position) in [
            ("1.0", Some(0)),
            ("1", Some(0)),
            ("1.00", Some(0)),
            ("2.5", Some(1)),
            ("2.500", Some(1)),
            ("4.0", Some(2)),
            ("x", Some(3)),
            ("01", None),
            ("1e0", None),
            ("x.0", None),
            ("4.", None),
            (".", None),
            ("", None),
        ] {
            let (mut room, with_comma) = (Vec::new(), cell.replace('.', ","));
            for (cell, decimal) in
                [(cell, DecimalMark::Point), (with_comma.as_str(), DecimalMark::Comma)]
            {
                // A cell that is a label as it stands is that label.
                let found = weights.get(weights.spelled(cell.as_bytes(), decimal, &mut room));
                assert_eq!(found, position, "{cell}");
            }
        }
        // A label that is declared literally matches itself.
        let versions = LabelPositions::new(["1", "1.0", "1.10", "1.1"].into_iter()).unwrap();
        for (position, cell) in ["1", "1.0", "1.10", "1.1"].iter().enumerate() {
            let found = versions.get(versions.spelled(
                cell.as_bytes(),
                DecimalMark::Point,
                &mut Vec::new(),
            ));
            assert_eq!(found, Some(position as u32), "{cell}");
        }
        assert_eq!(plain_number("-0.0"), Some("0"));
        assert_eq!(LabelPositions::new(["a", "a"].into_iter()), None);
    }
}
