//! Numbers as people read them.

use suum_core::{Epsilon, Interval, LevelName, Loss};

/// Writes `value` with `digits` significant digits, without an exponent if that stays short.
pub(crate) fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return plain(value);
    }
    let exponent = leading_exponent(value);
    if !(-5..15).contains(&exponent) {
        let text = format!("{value:.*e}", (digits - 1).max(0) as usize);
        // 2.50e7 → 2.5e7
        return match text.split_once('e') {
            Some((mantissa, power)) if mantissa.contains('.') => {
                format!("{}e{power}", mantissa.trim_end_matches('0').trim_end_matches('.'))
            }
            _ => text,
        };
    }
    decimals(value, digits - 1 - exponent)
}

/// Common name of a quantile.
pub(crate) fn quantile_name(q: f64) -> String {
    if q == 0.5 { "median".into() } else { format!("{} quantile", percent_of(q)) }
}

/// Rank in percent.
pub(crate) fn percent_of(q: f64) -> String {
    format!("{} %", trimmed(&significant(q * 100.0, 9)))
}

/// Candidate, a value of the data that has few digits by nature or too many by division.
pub(crate) fn candidate(value: f64) -> String {
    trimmed(&significant(value, 5))
}

/// Half of the length of an interval: the possible distance from its estimate.
pub(crate) fn half_width(interval: Interval) -> f64 {
    (interval.upper - interval.lower) / 2.0
}

/// Count with thousands separated by commas.
pub(crate) fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// Privacy budget as people write it; budgets with many digits are rounded up to five, so that none
/// seems overspent.
pub(crate) fn budget(epsilon: Epsilon) -> String {
    if epsilon.is_public() { "∞ (public)".into() } else { short(epsilon) }
}

/// Name of a tier; a budget that serves as one is written like any other.
pub(crate) fn tier(level: &LevelName, epsilon: Epsilon) -> String {
    if is_named_by(level, epsilon) { short(epsilon) } else { level.to_string() }
}

/// Returns true if a budget serves as the name of its tier.
pub(crate) fn is_named_by(level: &LevelName, epsilon: Epsilon) -> bool {
    match level {
        LevelName::Budget(budget) => *budget == epsilon,
        LevelName::Label(label) => *label == epsilon.name() || *label == epsilon.to_string(),
    }
}

fn short(epsilon: Epsilon) -> String {
    let text = epsilon.to_string();
    if text.len() > 8 { trimmed(&significant(rounded_up(epsilon.get(), 5), 5)) } else { text }
}

/// Loss, rounded up to four digits, but never above the written form of the budget it keeps.
pub(crate) fn spent(loss: &Loss, allowed: Epsilon) -> String {
    spent_in(loss, allowed, 4)
}

/// Loss, rounded up to `digits` digits, but never above the written form of the budget it keeps.
pub(crate) fn spent_in(loss: &Loss, allowed: Epsilon, digits: i32) -> String {
    let exact = loss.rounded_up();
    if exact.is_infinite() {
        return "∞".into();
    }
    if exact == 0.0 {
        return "0".into();
    }
    let up = rounded_up(exact, digits);
    if up >= allowed.get() && loss.within(allowed) {
        return short(allowed);
    }
    trimmed(&significant(up, digits))
}

/// Least number of `digits` significant digits that is not below a positive one.
pub(crate) fn rounded_up(value: f64, digits: i32) -> f64 {
    let text = format!("{value:.*e}", (digits - 1).max(0) as usize);
    let nearest: f64 = text.parse().unwrap_or(value);
    if nearest >= value {
        return nearest;
    }
    // One more in the last digit, in decimals: sums and products of doubles could fall short of it.
    let next = text.split_once('e').and_then(|(digits, exponent)| {
        let places = digits.split_once('.').map_or(0, |(_, places)| places.len() as i32);
        let digits: u64 = digits.replace('.', "").parse().ok()?;
        let exponent: i32 = exponent.parse().ok()?;
        format!("{}e{}", digits + 1, exponent - places).parse().ok()
    });
    next.unwrap_or(value)
}

/// Largest number of `digits` significant digits that is not above a positive one.
pub(crate) fn rounded_down(value: f64, digits: i32) -> f64 {
    let up = rounded_up(value, digits);
    if up <= value {
        return up;
    }
    // One less in the last digit, in decimals; 1.00 follows 0.999 with a digit less.
    let places = (digits - 1).max(0) as usize;
    let text = format!("{up:.places$e}");
    let below = text.split_once('e').and_then(|(mantissa, exponent)| {
        let exponent: i32 = exponent.parse().ok()?;
        let integer: u64 = mantissa.replace('.', "").parse().ok()?;
        let power = exponent - places as i32;
        let text = match integer == 10u64.pow(places as u32) {
            true => format!("{}e{}", 10 * integer - 1, power - 1),
            false => format!("{}e{power}", integer - 1),
        };
        text.parse().ok()
    });
    below.unwrap_or(value)
}

/// Share of one as a percentage, rounded down: to whole ones, below ten to two digits.
pub(crate) fn percent_at_least(share: f64) -> String {
    let percent = share * 100.0;
    let down = if percent >= 10.0 { percent.floor() } else { rounded_down(percent, 2) };
    format!("{} %", trimmed(&significant(down, if percent >= 100.0 { 3 } else { 2 })))
}

/// Bar for a share, in eighths of a character; that of 1 is `length` characters long.
pub(crate) fn bar(share: f64, length: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * length as f64 * 8.0).round() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + part
}

/// Line of an interval from 0 to `length` characters, with a dot for the estimate: all three are
/// places on an axis, from 0 to 1. The line is never shorter than the interval.
pub(crate) fn interval_line([lower, estimate, upper]: [f64; 3], length: usize) -> String {
    let last = length.saturating_sub(1);
    let place = |at: f64| at.clamp(0.0, 1.0) * last as f64;
    let (from, to) = (place(lower).floor() as usize, place(upper).ceil() as usize);
    let dot = (place(estimate).round() as usize).clamp(from, to.max(from));
    let drawn = (0..=to).map(|at| match at {
        _ if at == dot => '●',
        _ if at < from => ' ',
        _ if at == from => '├',
        _ if at == to => '┤',
        _ => '─',
    });
    drawn.collect()
}

/// Words with a capital letter at the beginning.
pub(crate) fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Share of one as a percentage.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 {
        "0 %".into()
    } else if percent < 0.1 {
        "< 0.1 %".into()
    } else if percent > 99.9 && percent < 100.0 {
        "> 99.9 %".into()
    } else if !(10.0..=99.0).contains(&percent) {
        format!("{} %", trimmed(&decimals(percent, 1)))
    } else {
        format!("{percent:.0} %")
    }
}

/// Excess of `value` over `best`: `+3.1 %` or `9.1 ×`.
pub(crate) fn excess(value: f64, best: f64) -> String {
    let ratio = value / best;
    if ratio.is_nan() || ratio <= 1.0 + 1e-12 {
        "same".into()
    } else if ratio < 1.0005 {
        "< +0.1 %".into()
    } else if ratio < 2.0 {
        format!("+{} %", decimals((ratio - 1.0) * 100.0, 1))
    } else if ratio.is_infinite() {
        "∞".into()
    } else {
        format!("{} ×", significant(ratio, 2))
    }
}

/// Text without zeros after its decimal point.
pub(crate) fn trimmed(text: &str) -> String {
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

pub(crate) fn plain(value: f64) -> String {
    if value == 0.0 {
        "0".into()
    } else if value.is_nan() {
        "–".into()
    } else if value > 0.0 {
        "∞".into()
    } else {
        "−∞".into()
    }
}

/// Decimal place of the second significant digit of an error.
pub(crate) fn digits_of(error: f64) -> i32 {
    1 - leading_exponent(error)
}

/// Number of decimal places of numbers in percent with this error; six if it is unknown.
pub(crate) fn places(error: f64) -> i32 {
    match error > 0.0 && error.is_finite() {
        true => digits_of(error).clamp(0, 12),
        false => 6,
    }
}

/// Power of ten of the first digit.
pub(crate) fn leading_exponent(value: f64) -> i32 {
    let text = format!("{:e}", value.abs());
    text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0)
}

/// `value` rounded to `places` decimal places (negative: tens, hundreds …), thousands grouped.
pub(crate) fn decimals(value: f64, places: i32) -> String {
    if !value.is_finite() {
        return plain(value);
    }
    let text = if places >= 0 {
        format!("{value:.*}", places as usize)
    } else {
        let unit = 10f64.powi(-places);
        format!("{:.0}", (value / unit).round() * unit)
    };
    let negative_zero =
        text.starts_with('-') && text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    grouped(if negative_zero { &text[1..] } else { &text })
}

pub(crate) fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, format!(".{fraction}")),
        None => (digits, String::new()),
    };
    let mut grouped = String::new();
    for (position, digit) in whole.chars().enumerate() {
        if position > 0 && (whole.len() - position) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}{fraction}")
}

/// Number with the fewest digits that tell it apart from others.
pub(crate) fn shortest(value: f64) -> String {
    trimmed(&format!("{value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_by_eighths() {
        assert_eq!(bar(0.0, 32), "");
        assert_eq!(bar(-1.0, 32), "");
        assert_eq!(bar(1.0, 32), "█".repeat(32));
        assert_eq!(bar(1.5 / 32.0, 32), "█▌");
    }

    #[test]
    fn lines_of_intervals_are_never_too_short() {
        assert_eq!(interval_line([0.0, 0.5, 1.0], 9), "├───●───┤");
        assert_eq!(interval_line([0.26, 0.5, 0.74], 9), "  ├─●─┤");
        assert_eq!(interval_line([0.5, 0.5, 0.5], 9), "    ●");
        assert_eq!(interval_line([0.9, 0.95, 1.5], 11), "         ├●");
        for at in 0..100 {
            let (lower, upper) = (f64::from(at) / 300.0, 0.4 + f64::from(at) / 200.0);
            let line = interval_line([lower, (lower + upper) / 2.0, upper], 21);
            let end = line.chars().count() as f64 - 1.0;
            let start = line.chars().take_while(|one| *one == ' ').count() as f64;
            let ends = [start / 20.0, end / 20.0 + 1e-9];
            assert!(ends[0] <= lower + 1e-9 && upper <= ends[1], "{lower} {upper} {line}");
        }
    }

    #[test]
    fn numbers_read_naturally() {
        assert_eq!(significant(0.123456, 3), "0.123");
        assert_eq!(significant(20190.0, 3), "20,200");
        assert_eq!(significant(2.5e7, 3), "25,000,000");
        assert_eq!(significant(1.5e-9, 3), "1.5e-9");
        assert_eq!(significant(-1234.5, 6), "-1,234.50");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(percent(0.0951), "9.5 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(rounded_up(1.4743, 3), 1.48);
        assert_eq!(rounded_down(1.4799, 3), 1.47);
        assert_eq!(rounded_down(0.09996, 3), 0.0999);
        assert_eq!(rounded_down(1.0, 3), 1.0);
        assert_eq!(percent_at_least(0.8299), "82 %");
        assert_eq!(percent_at_least(0.0175), "1.7 %");
        assert_eq!(percent_at_least(0.09999), "9.9 %");
        assert_eq!(percent_at_least(1.0), "100 %");
        assert_eq!(excess(1.031, 1.0), "+3.1 %");
        assert_eq!(excess(9.06, 1.0), "9.1 ×");
        assert_eq!(excess(1.0, 1.0), "same");
    }

    #[test]
    fn spending_is_rounded_up_but_not_above_the_budget() {
        let loss = Loss::ratio;
        let budget = |value| Epsilon::new(value).unwrap();
        assert_eq!(spent(&loss(999_999_999, 100_000_000_000), budget(0.01)), "0.01");
        assert_eq!(spent(&loss(111_704, 1_000_000), budget(2.0)), "0.1118");
        assert_eq!(spent(&loss(333_333_333, 1_000_000_000), budget(1.0 / 3.0)), "0.33334");
        assert_eq!(super::budget(budget(1.0 / 3.0)), "0.33334");
        let tier = |label: &str, epsilon| tier(&LevelName::Label(label.to_owned()), epsilon);
        assert_eq!(tier("strict", budget(0.5)), "strict");
        assert_eq!(tier("0.3333333333333333", budget(1.0 / 3.0)), "0.33334");
        // A budget that is written in full, and one that is not.
        assert_eq!(spent(&loss(123_450_999, 1_000_000_000), budget(0.123451)), "0.123451");
        assert_eq!(spent(&loss(123_451_000, 1_000_000_000), budget(0.1234510001)), "0.12346");
        assert_eq!(super::budget(budget(0.1234510001)), "0.12346");
        assert_eq!(spent(&loss(3_000_000_001, 10_000_000_000), budget(2.0)), "0.3001");
        assert_eq!(spent(&loss(9_999_500_001, 10_000_000_000), budget(2.0)), "1");
        assert_eq!(spent(&Loss::ZERO, budget(2.0)), "0");
        assert_eq!(spent(&Loss::Unlimited, Epsilon::PUBLIC), "∞");
    }

    #[test]
    fn overspending_would_show() {
        assert_eq!(spent(&Loss::ratio(2, 10), Epsilon::new(0.1).unwrap()), "0.2");
    }

    /// Losses and budgets of up to 44 binary digits over 2^40, and losses a little below a budget.
    #[test]
    fn no_digit_that_is_left_out_hides_a_loss() {
        let whole = 1u64 << 40;
        let number = |text: &str| text.replace(',', "").parse::<f64>().unwrap();
        let mut rounded = 0;
        for index in 1..20_000u64 {
            let allowed = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (20 + index % 30);
            let budget = Epsilon::new(allowed as f64 / whole as f64).unwrap();
            for part in [allowed, allowed - 1, allowed / 3] {
                let exact = part as f64 / whole as f64;
                let (spent, shown) = (
                    number(&spent(&Loss::ratio(part, whole), budget)),
                    number(&super::budget(budget)),
                );
                assert!(exact <= spent && spent <= shown, "{exact:e} {spent:e} {shown:e}");
                assert!(
                    spent <= exact * 1.0011 && shown <= budget.get() * 1.00011,
                    "{exact:e} {spent:e} {shown:e}"
                );
                rounded += u32::from(spent > exact);
            }
        }
        assert!(rounded > 50_000, "{rounded}");
    }
}
