//! The text of one cell: a budget or a number.

use suum_core::{Epsilon, TimeScale};

use crate::cells::fault::Fault;
use crate::scan::role::Role;

/// Budget that a cell spells, by the rules of [`Epsilon`]'s text form. The cell has no spaces
/// around it.
pub(crate) fn budget(cell: &[u8]) -> Result<Epsilon, Fault> {
    if cell.is_empty() {
        return Err(Fault::Missing(Role::Privacy));
    }
    text(cell, Role::Privacy)?.parse().map_err(|_| Fault::NotABudget)
}

/// Number of the budget that a cell spells. A [plain](decimal) number is not checked to be a
/// budget.
#[inline]
pub(crate) fn budget_number(cell: &[u8]) -> Result<f64, Fault> {
    match decimal(cell) {
        Some(number) => Ok(number),
        None => Ok(budget(cell)?.get()),
    }
}

/// Number that a cell spells: 1 for `true`, 0 for `false`, and NaN (missing) for an empty cell or
/// any spelling of NaN.
#[inline]
pub(crate) fn number(cell: &[u8]) -> Result<f64, Fault> {
    match decimal(cell) {
        Some(number) => Ok(number),
        None if cell.is_empty() => Ok(f64::NAN),
        None => match text(cell, Role::Value)?.parse() {
            Ok(number) => Ok(number),
            Err(_) => truth_value(cell).ok_or(Fault::NotANumber),
        },
    }
}

/// Number of the date or time that a cell spells; NaN (missing) for an empty cell.
#[inline]
pub(crate) fn timestamp(cell: &[u8], scale: TimeScale) -> Result<f64, Fault> {
    match scale.number(cell) {
        Some(number) => Ok(number),
        None if cell.is_empty() => Ok(f64::NAN),
        None => {
            text(cell, Role::Value)?;
            Err(Fault::NotAMoment(scale))
        }
    }
}

/// Time of a row that a cell spells: a number, a date or time as seconds since the beginning of
/// 1970, or a time of day as seconds since midnight; NaN (missing) for an empty cell.
pub(crate) fn time(cell: &[u8]) -> Result<f64, Fault> {
    if cell.is_empty() {
        return Ok(f64::NAN);
    }
    let number = || text(cell, Role::Time).map(|text| text.parse().ok());
    let moment = || [TimeScale::Seconds, TimeScale::OfDay].iter().find_map(|it| it.number(cell));
    decimal(cell).or(number()?).or_else(moment).ok_or(Fault::NotATime)
}

/// Number that a truth value stands for, the one that columns of truth values use as well.
#[cold]
fn truth_value(cell: &[u8]) -> Option<f64> {
    if cell.eq_ignore_ascii_case(b"true") {
        return Some(1.0);
    }
    cell.eq_ignore_ascii_case(b"false").then_some(0.0)
}

/// The cell as text.
pub(crate) fn text(cell: &[u8], role: Role) -> Result<&str, Fault> {
    std::str::from_utf8(cell).map_err(|_| Fault::NotUtf8(role))
}

/// Double nearest to a decimal of at most 15 digits, with or without a point, as a parser would
/// round it; `None` for all other texts.
///
/// Both the digits and the power of ten are then exact doubles, so the one division rounds once.
#[inline]
fn decimal(cell: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, digits) = match cell {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    // A point and 15 digits.
    if digits.len() > 16 {
        return None;
    }
    let (mut whole, mut point, mut count) = (0u64, None, 0);
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            whole = 10 * whole + u64::from(digit);
            count += 1;
        } else if *byte == b'.' && point.is_none() {
            point = Some(count);
        } else {
            return None;
        }
    }
    if count == 0 || count > 15 {
        return None;
    }
    let number = whole as f64 / POWERS[count - point.unwrap_or(count)];
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use suum_testing::Extent;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(4000)))]

        #[test]
        fn decimals_are_what_the_standard_library_reads(
            text in "-?[0-9]{0,9}\\.?[0-9]{0,9}|[-+.0-9e]{0,5}",
        ) {
            if let Some(number) = decimal(text.as_bytes()) {
                prop_assert_eq!(text.parse().map(f64::to_bits), Ok(number.to_bits()), "{}", text);
            }
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            let plain = text.parse::<f64>().is_ok() && !text.contains(['e', '+']);
            prop_assert_eq!(decimal(text.as_bytes()).is_some(), plain && digits <= 15, "{}", text);
        }

        #[test]
        fn budgets_are_read_alike(text in "-?[0-9]{0,5}\\.?[0-9]{0,12}|inf|[-+.0-9e]{0,5}") {
            let exact = budget(text.as_bytes());
            let number = budget_number(text.as_bytes()).and_then(|number| {
                Epsilon::new(number).map_err(|_| Fault::NotABudget)
            });
            prop_assert_eq!(number, exact, "{}", text);
        }
    }
}
