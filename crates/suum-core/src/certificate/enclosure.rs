//! Interval arithmetic: bounds on e^-x and ln x to 128 binary places, rounded outwards.
//!
//! Numbers are integers in units of 2^-128. No floating-point number is used.

use dashu_int::ops::{BitTest, DivEuclid};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Number of binary places.
const PLACES: usize = 128;

/// Lower and upper bound of a number, in units of 2^-128.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Enclosure {
    pub(crate) low: IBig,
    pub(crate) high: IBig,
}

/// 1.
pub(crate) fn one() -> IBig {
    IBig::ONE << PLACES
}

/// Returns the least multiple of the unit that is not below the number.
pub(crate) fn up(number: &RBig) -> IBig {
    (number.clone() * RBig::from(one())).ceil()
}

/// Returns the largest multiple of the unit that is not above the number.
pub(crate) fn down(number: &RBig) -> IBig {
    (number.clone() * RBig::from(one())).floor()
}

/// Returns the exact number of these units.
pub(crate) fn exact(units: &IBig) -> RBig {
    RBig::from_parts(units.clone(), UBig::ONE << PLACES)
}

/// Returns the quotient of integers, rounded up; the divisor is positive.
pub(crate) fn divided_up(number: IBig, by: &IBig) -> IBig {
    -divided_down(-number, by)
}

/// Returns the quotient of integers, rounded down; the divisor is positive.
pub(crate) fn divided_down(number: IBig, by: &IBig) -> IBig {
    number.div_euclid(by)
}

/// Returns the product of two nonnegative numbers, rounded down.
pub(crate) fn product_down(one: &IBig, other: &IBig) -> IBig {
    (one * other) >> PLACES
}

/// Returns the product of two nonnegative numbers, rounded up.
pub(crate) fn product_up(a: &IBig, b: &IBig) -> IBig {
    let product = a * b;
    let down: IBig = &product >> PLACES;
    if &down << PLACES == product { down } else { down + IBig::ONE }
}

/// Returns e^-x for a nonnegative number of units x.
///
/// x is halved until it is below 2^-8. There e^x is a sum of positive terms whose remainder is less
/// than the last term. Then the quotient is squared as often as x was halved.
pub(crate) fn exp_minus(x: &IBig) -> Enclosure {
    // e^-128 < 2^-128.
    if *x >= one() << 7 {
        return Enclosure { low: IBig::ZERO, high: IBig::ONE };
    }
    let small: IBig = one() >> 8;
    let mut halvings = 0;
    while (x >> halvings) >= small {
        halvings += 1;
    }
    let (less, more): (IBig, IBig) = (x >> halvings, (x >> halvings) + IBig::ONE);
    let low = divided_down(one() << PLACES, &exponential(&more, Round::Up));
    let high = divided_up(one() << PLACES, &exponential(&less, Round::Down));
    let mut result = Enclosure { low, high };
    for _ in 0..halvings {
        result = Enclosure {
            low: product_down(&result.low, &result.low),
            high: product_up(&result.high, &result.high),
        };
    }
    result
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    Down,
    Up,
}

/// Returns a bound on e^x for x up to 2^-7.
fn exponential(x: &IBig, round: Round) -> IBig {
    let (mut sum, mut term) = (one(), one());
    for n in 1_u32.. {
        let (next, by) = (&term * x, IBig::from(n) << PLACES);
        term = match round {
            Round::Down => divided_down(next, &by),
            Round::Up => divided_up(next, &by),
        };
        sum += &term;
        // A term that is rounded up never becomes zero.
        if term <= IBig::ONE {
            break;
        }
    }
    // The remainder is a geometric series below the last term.
    if round == Round::Up { sum + term } else { sum }
}

/// Returns ln x for a rational number above zero.
///
/// x = m·2^k with 1 ≤ m < 2, and ln x = k·ln 2 + ln m.
pub(crate) fn ln(x: &RBig) -> Enclosure {
    let (numerator, denominator) = x.clone().into_parts();
    let (_, numerator) = numerator.into_parts();
    let bits = |number: &UBig| number.bit_len() as i64;
    let mut power = bits(&numerator) - bits(&denominator);
    let scaled = |power: i64| {
        let shift = power.unsigned_abs() as usize;
        match power >= 0 {
            true => RBig::from_parts(numerator.clone().into(), denominator.clone() << shift),
            false => RBig::from_parts((numerator.clone() << shift).into(), denominator.clone()),
        }
    };
    let mut mantissa = scaled(power);
    if mantissa < RBig::ONE {
        power -= 1;
        mantissa = scaled(power);
    }
    let (two, rest) = (ln_of_mantissa(&RBig::from(2)), ln_of_mantissa(&mantissa));
    let times = IBig::from(power);
    let (low, high) = match power >= 0 {
        true => (two.low * &times, two.high * &times),
        false => (two.high * &times, two.low * &times),
    };
    Enclosure { low: low + rest.low, high: high + rest.high }
}

/// Returns ln m = 2·artanh z with z = (m − 1)/(m + 1), at most 1/3, for 1 ≤ m ≤ 2.
fn ln_of_mantissa(m: &RBig) -> Enclosure {
    let z = (m.clone() - RBig::ONE) / (m.clone() + RBig::ONE);
    let bound = |round: Round| {
        let z = if round == Round::Up { up(&z) } else { down(&z) };
        let product = |one: &IBig, other: &IBig| match round {
            Round::Up => product_up(one, other),
            Round::Down => product_down(one, other),
        };
        let square = product(&z, &z);
        let (mut sum, mut power) = (IBig::ZERO, z);
        for n in 0_u32.. {
            let by = IBig::from(2 * n + 1);
            sum += match round {
                Round::Up => divided_up(power.clone(), &by),
                Round::Down => divided_down(power.clone(), &by),
            };
            if power <= IBig::ONE {
                break;
            }
            power = product(&power, &square);
        }
        // The remainder is a geometric series with a ratio of at most 1/9.
        let sum = if round == Round::Up { sum + power } else { sum };
        sum * IBig::from(2)
    };
    Enclosure { low: bound(Round::Down), high: bound(Round::Up) }
}

/// Returns (1/b)/sinh(1/b) for an integer b of at least 1, rounded down.
///
/// sinh(x)/x = 1 + x²/3! + x⁴/5! + …, rounded up: each term is at most a sixth of the one before.
pub(crate) fn over_sinh(b: &UBig) -> IBig {
    let b = IBig::from(b.clone());
    let square = &b * &b;
    let (mut sum, mut term) = (one(), one());
    for n in 1_u32.. {
        let by = &square * IBig::from(2 * n) * IBig::from(2 * n + 1);
        term = divided_up(term, &by);
        sum += &term;
        if term <= IBig::ONE {
            break;
        }
    }
    divided_down(one() << PLACES, &(sum + term))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(units: &IBig) -> f64 {
        exact(units).to_f64().value()
    }

    /// The bounds contain what a double says to its last digits, and are far closer together.
    fn assert_encloses(found: &Enclosure, expected: f64) {
        assert!(found.low <= found.high);
        let width = double(&(&found.high - &found.low));
        assert!(width <= 1e-30 * (1.0 + expected.abs()), "{width}");
        let error = (double(&found.low) - expected).abs();
        assert!(error <= 4e-16 * (1e-3 + expected.abs()), "{expected}: {error}");
    }

    #[test]
    fn functions_are_enclosed() {
        for x in [0.0_f64, 1e-9, 0.001, 0.37, 1.0, 2.5, 30.0] {
            let exact = RBig::try_from(x).unwrap();
            assert_encloses(&exp_minus(&up(&exact)), (-x).exp());
        }
        assert_eq!(exp_minus(&(one() << 9)), Enclosure { low: IBig::ZERO, high: IBig::ONE });
        for x in [1e-12_f64, 0.001, 0.5, 0.999, 1.0, 1.5, 2.0, 3.0, 1e6] {
            assert_encloses(&ln(&RBig::try_from(x).unwrap()), x.ln());
        }
        for b in [1_u64, 2, 7, 1000, 1 << 40] {
            let x = 1.0 / b as f64;
            let expected = if b > 1000 { 1.0 } else { x / x.sinh() };
            assert!((double(&over_sinh(&b.into())) - expected).abs() < 1e-15, "{b}");
        }
    }

    /// Digits from a program of arbitrary precision.
    #[test]
    fn thirty_digits_are_right() {
        let digits = |text: &str| -> RBig {
            let (whole, fraction) = text.split_once('.').unwrap();
            let all: IBig = format!("{whole}{fraction}").parse().unwrap();
            RBig::from_parts(all, UBig::from(10_u8).pow(fraction.len()))
        };
        let near = |found: &Enclosure, expected: &str| {
            let (expected, slack) = (digits(expected), digits("0.0000000000000000000000000000001"));
            assert!(exact(&found.low) <= expected.clone() + &slack);
            assert!(exact(&found.high) >= expected - &slack);
            assert!(exact(&(&found.high - &found.low)) <= slack);
        };
        near(&exp_minus(&one()), "0.3678794411714423215955237701614");
        near(&ln(&RBig::from(2)), "0.6931471805599453094172321214581");
        near(&ln(&RBig::from(1_000_000)), "13.8155105579642741041079487281061");
    }
}
