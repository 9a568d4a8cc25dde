//! Numbers for people.

/// Number with three digits, without an exponent if it is short.
pub(super) fn short(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if !number.is_finite() {
        return if number > 0.0 { "∞" } else { "–" }.to_owned();
    }
    let exponent = number.abs().log10().floor();
    if !(-3.0..5.0).contains(&exponent) {
        let text = format!("{number:.2e}");
        let Some((digits, power)) = text.split_once('e') else { return text };
        let digits = if digits.contains('.') {
            digits.trim_end_matches('0').trim_end_matches('.')
        } else {
            digits
        };
        return format!("{digits}·10{}", superscript(power));
    }
    let decimals = (2.0 - exponent).max(0.0) as usize;
    let text = format!("{number:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Ticks of a logarithmic axis, all in one form: powers of ten if any of them is long.
pub(super) fn ticks(numbers: &[f64]) -> Vec<String> {
    let is_short = |number: &f64| (0.99e-3..1.01e4).contains(number);
    match numbers.iter().all(is_short) {
        true => numbers.iter().map(|number| short(*number)).collect(),
        false => numbers.iter().map(|number| power(*number)).collect(),
    }
}

/// Number as a multiple of a power of ten.
fn power(number: f64) -> String {
    // A power itself may be a little below where rounding has it.
    let exponent = (number.log10() + 1e-9).floor();
    let digit = number / 10f64.powf(exponent);
    let factor = if (digit - 1.0).abs() < 1e-9 { String::new() } else { short(digit) + "·" };
    format!("{factor}10{}", superscript(&exponent.to_string()))
}

fn superscript(digits: &str) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        other => other,
    };
    digits.chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let written =
            [0.0, 1.0, 0.25, 1.234567, 1234.5, 123_456.0, 2.5e-7, 0.001, f64::INFINITY, -0.5]
                .map(short);
        assert_eq!(
            written,
            ["0", "1", "0.25", "1.23", "1234", "1.23·10⁵", "2.5·10⁻⁷", "0.001", "∞", "-0.5"]
        );
        assert_eq!(ticks(&[1e-5, 0.1, 1.0, 3e4]), ["10⁻⁵", "10⁻¹", "10⁰", "3·10⁴"]);
        assert_eq!(ticks(&[0.001, 0.3, 1000.0, 1e4]), ["0.001", "0.3", "1000", "10000"]);
    }
}
