//! Refusal of points that may separate thousands.

use suum_core::{Error, OptionName, Result};

/// Refuses a list of numbers of which one perhaps has points between thousands, as most of Europe
/// writes them; `option` is where it was said.
///
/// A number is refused that has, behind at most three digits that are not all 0, either one group
/// of three zeros (`200.000`, which is 200 or 200000), or several groups of three digits
/// (`1.234.567`). One group of other digits is decimals: `12.345` is 12.345, and so are all numbers
/// that suum prints, which end in no zeros. All numbers that are no text are what they are.
pub(crate) fn check(option: OptionName, text: &str) -> Result<()> {
    text.split(',').map(str::trim_ascii).try_for_each(|number| check_one(option, number))
}

fn check_one(option: OptionName, number: &str) -> Result<()> {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", number.strip_prefix('+').unwrap_or(number)),
    };
    let mut parts = digits.split('.');
    let first = parts.next().unwrap_or_default();
    let groups: Vec<&str> = parts.collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_first = is_number(first) && first.len() <= 3 && first.bytes().any(|b| b != b'0');
    if !is_first || !groups.iter().all(|group| is_number(group) && group.len() == 3) {
        return Ok(());
    }
    let whole = format!("{sign}{first}{}", groups.concat());
    match groups.as_slice() {
        [] => Ok(()),
        ["000"] => Err(Error::parameter(option, format!("{number} can be two numbers")).with_fix(
            format!("did you mean {whole} or {sign}{first}? Write {whole}, or {sign}{first}.0"),
        )),
        [_] => Ok(()),
        _ => Err(Error::parameter(option, format!("{number} has points between thousands"))
            .with_fix(format!("did you mean {whole}? Write it without points"))),
    }
}

#[cfg(test)]
mod tests {
    use suum_core::option;

    use super::*;

    #[test]
    fn numbers_that_can_be_two_are_refused() {
        for (number, hint) in [
            ("200.000", "did you mean 200000 or 200? Write 200000, or 200.0"),
            ("-1.000", "did you mean -1000 or -1? Write -1000, or -1.0"),
            ("1.234.567", "did you mean 1234567? Write it without points"),
            ("10.000.000", "did you mean 10000000? Write it without points"),
        ] {
            let refused = check(option::BOUNDS, &format!("-2000, {number}")).unwrap_err();
            assert!(refused.to_string().starts_with(&format!("bounds: {number} ")), "{refused}");
            assert_eq!(refused.fix().map(ToString::to_string).as_deref(), Some(hint));
        }
    }

    #[test]
    fn decimals_stay_numbers() {
        for number in [
            "0.125",
            "0.000",
            "000.000",
            "12.345",
            "1.500",
            "200.0",
            "200.00",
            "200.0000",
            "1.5",
            "1234.000",
            "1e3",
            "inf",
            "auto",
            "2020-01-31",
            "07:30:00.000",
            "1.",
            ".000",
            "1.00e3",
            "",
            "1.2.3",
            "1.234.56",
            "1..000",
        ] {
            assert_eq!(check(option::BOUNDS, &format!("0,{number}")), Ok(()), "{number}");
        }
    }
}
