//! Budgets and losses as exact fractions of a second implementation.

use num_bigint::BigInt;
use num_rational::BigRational;
use suum_core::{Epsilon, Loss};

/// ε as the rational number mantissa·2^exponent that its bits stand for; `None` if public.
pub(crate) fn budget(epsilon: Epsilon) -> Option<BigRational> {
    exact(epsilon.get())
}

/// A double as the fraction it is; `None` if infinite.
pub(crate) fn exact(double: f64) -> Option<BigRational> {
    let bits = double.to_bits();
    let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    if exponent == 0x7ff {
        return None;
    }
    let mantissa = BigInt::from(if exponent == 0 { fraction } else { fraction | (1 << 52) });
    let shift = exponent.max(1) as i64 - 1075;
    let power = BigInt::from(1) << shift.unsigned_abs();
    Some(if shift < 0 {
        BigRational::new(mantissa, power)
    } else {
        BigRational::from(mantissa * power)
    })
}

/// An integer of the crate, by way of its decimal text.
pub(crate) fn integer(text: impl ToString) -> BigInt {
    text.to_string().parse().unwrap()
}

/// A loss as a fraction; `None` if unlimited.
pub(crate) fn certified(loss: &Loss) -> Option<BigRational> {
    matches!(loss, Loss::Finite(_)).then(|| loss.to_string().parse().unwrap())
}
