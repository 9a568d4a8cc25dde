//! Decimal rounding of numbers, such that printed intervals contain the computed ones.

use crate::figures::{digits_of, grouped, leading_exponent, plain, trimmed};

/// Rounds `value` to the place of the second significant digit of `error`: more digits would be
/// noise.
pub(crate) fn to_error(value: f64, error: f64) -> String {
    written(value, error, Direction::Nearest, 0)
}

/// Lower end of an interval, rounded like [`to_error`] but never above `value`.
pub(crate) fn lower_end(value: f64, error: f64) -> String {
    written(value, error, Direction::Down, 0)
}

/// Upper end of an interval, rounded like [`to_error`] but never below `value`.
pub(crate) fn upper_end(value: f64, error: f64) -> String {
    written(value, error, Direction::Up, 0)
}

/// Direction of rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Nearest,
    Up,
    Down,
}

/// Share of one in percent, without the sign, [`written`] to the place of `error`, another share of
/// one.
pub(crate) fn written_in_percent(value: f64, error: f64, to: Direction) -> String {
    written(value, error, to, 2)
}

/// Writes 10^`power` times `value`, rounded `to` a place that `error` decides. The product is a
/// decimal number, not a double: the text reads back to no less than `value` if it is rounded up,
/// and to no more if it is rounded down.
pub(crate) fn written(value: f64, error: f64, to: Direction, power: i32) -> String {
    let has_error = error > 0.0 && error.is_finite();
    if !value.is_finite() || (value == 0.0 && !has_error) {
        return plain(value);
    }
    let place = Place::for_number(value, error);
    let (units, places) = (units(value, place.places, to), place.places - power);
    let text = match place.is_written_out(power) {
        true => grouped(&point_in(units, places)),
        false => exponential(units, places),
    };
    if place.is_of_value { trimmed(&text) } else { text }
}

/// Decimal number of `digits` significant digits: the least that is not below `value` if it is
/// rounded up, the largest that is not above it if it is rounded down.
pub(crate) fn significant_to(value: f64, digits: i32, to: Direction) -> String {
    if value == 0.0 || !value.is_finite() {
        return plain(value);
    }
    let leading = leading_exponent(value);
    let places = digits - 1 - leading;
    let units = units(value, places, to);
    match (-5..15).contains(&leading) {
        true => grouped(&point_in(units, places)),
        false => exponential(units, places),
    }
}

/// Decimal place to which a number is written.
struct Place {
    places: i32,
    leading: i32,
    /// True if the digits of the number itself decide, not its error.
    is_of_value: bool,
}

/// Number of significant digits that every double has.
const DIGITS: i32 = 15;

impl Place {
    fn for_number(value: f64, error: f64) -> Self {
        let leading = leading_exponent(value);
        if error > 0.0 && error.is_finite() {
            let (of_error, most) = (digits_of(error), DIGITS - leading);
            let is_of_value = value != 0.0 && of_error > most;
            let places = if is_of_value { most } else { of_error };
            return Self { places, leading, is_of_value };
        }
        // Exact, or nothing is known of the error: all that is there, and no more. What never ends
        // is written with ten digits, and at least to hundredths where there are as many.
        let shortest = format!("{:e}", value.abs());
        let mantissa = shortest.split('e').next().unwrap_or_default();
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).count() as i32;
        let places = match digits <= DIGITS {
            true => digits - 1 - leading,
            false => (9 - leading).max((DIGITS - 1 - leading).min(2)),
        };
        Self { places, leading, is_of_value: true }
    }

    /// Returns true if 10^`power` times the number is written without an exponent.
    fn is_written_out(&self, power: i32) -> bool {
        let is_short = (-5..15).contains(&(self.leading + power));
        is_short || (!self.is_of_value && (-12..=12).contains(&(self.places - power)))
    }
}

/// Number of units of 10^−`places` nearest to a value, or next to it in a direction.
fn units(value: f64, places: i32, to: Direction) -> i128 {
    let nearest = nearest_units(value.abs(), places);
    let nearest = if value < 0.0 { -nearest } else { nearest };
    let shown: f64 = format!("{nearest}e{}", -places).parse().unwrap_or(value);
    match to {
        Direction::Up if shown < value => nearest + 1,
        Direction::Down if shown > value => nearest - 1,
        _ => nearest,
    }
}

/// Number of [`units`] nearest to a value that is not negative.
fn nearest_units(value: f64, places: i32) -> i128 {
    let digits = leading_exponent(value) + places;
    if value == 0.0 || digits < -1 {
        return 0;
    }
    if digits == -1 {
        let half: f64 = format!("5e{}", -places - 1).parse().unwrap_or(value);
        return i128::from(value >= half);
    }
    // The exact decimal number, rounded.
    let text = format!("{value:.*e}", digits as usize);
    let units = text.split_once('e').and_then(|(mantissa, exponent)| {
        let units: i128 = mantissa.replace('.', "").parse().ok()?;
        let exponent: i32 = exponent.parse().ok()?;
        // 9.996 becomes 1.00e1.
        let carried = u32::try_from(exponent + places - digits).ok()?;
        units.checked_mul(10_i128.checked_pow(carried)?)
    });
    units.unwrap_or_default()
}

/// Units of 10^−`places` as a decimal number without an exponent.
fn point_in(units: i128, places: i32) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let digits = units.unsigned_abs().to_string();
    let Ok(places) = usize::try_from(places) else {
        let zeros = if units == 0 { 0 } else { places.unsigned_abs() as usize };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    };
    if places == 0 {
        return format!("{sign}{digits}");
    }
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{sign}{whole}.{fraction}")
}

/// Units of 10^−`places` with an exponent: 2.5e7.
fn exponential(units: i128, places: i32) -> String {
    if units == 0 {
        return "0".to_owned();
    }
    let sign = if units < 0 { "-" } else { "" };
    let digits = units.unsigned_abs().to_string();
    let exponent = digits.len() as i32 - 1 - places;
    let (first, rest) = digits.split_at(1);
    match rest.trim_end_matches('0') {
        "" => format!("{sign}{first}e{exponent}"),
        rest => format!("{sign}{first}.{rest}e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_rounded_outwards() {
        assert_eq!(to_error(2.860425, 0.2412), "2.86");
        assert_eq!(to_error(57_751.3, 4_820.0), "57,800");
        assert_eq!(to_error(-0.0001, 0.2), "0.00");
        assert_eq!(to_error(3.25, 0.0), "3.25");
        assert_eq!(to_error(198.0, 0.0), "198");
        assert_eq!(to_error(20_190.0, 0.0), "20,190");
        assert_eq!(to_error(0.5e-140, 1e-141), "5e-141");
        assert_eq!(upper_end(3.0501, 0.14), "3.06");
        assert_eq!(lower_end(3.0501, 0.14), "3.05");
        assert_eq!(lower_end(-2.766, 0.14), "-2.77");
        assert_eq!(written_in_percent(0.07, 0.0014, Direction::Up), "7.00");
        assert_eq!(written_in_percent(0.07, 0.0014, Direction::Down), "7.00");
        assert_eq!(upper_end(57_751.3, 4_820.0), "57,800");
        assert_eq!(lower_end(57_751.3, 4_820.0), "57,700");
        assert_eq!(upper_end(3.25, 0.0), "3.25");
        assert_eq!(upper_end(1_700_000_003.25, 0.0), "1,700,000,003.25");
        assert_eq!(to_error(1.421875e-6, 1e-22), "1.421875e-6");
        assert_eq!(to_error(5.9997e19, 5.6e17), "6e19");
        assert_eq!(lower_end(5.943381538793637e19, 5.6e17), "5.943e19");
        assert_eq!(upper_end(5.943381538793637e19, 5.6e17), "5.944e19");
        assert_eq!(upper_end(0.001, 0.2), "0.01");
        assert_eq!(lower_end(-0.001, 0.2), "-0.01");
        assert_eq!(upper_end(9.996, 0.14), "10.00");
        assert_eq!(upper_end(0.0, 0.2), "0.00");
        assert_eq!(to_error(1.0 / 3.0, 0.0), "0.3333333333");
        assert_eq!(upper_end(1.0 / 3.0, 0.0), "0.3333333334");
        assert_eq!(significant_to(48.1234, 4, Direction::Up), "48.13");
        assert_eq!(significant_to(48.1234, 4, Direction::Down), "48.12");
    }
}
