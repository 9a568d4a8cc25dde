//! Conversion between ρ and (ε, δ).
//!
//! # Formula
//!
//! ρ-zCDP is (ε, δ)-DP with ε = αρ + K(α), K(α) = (ln(1/δ) − ln α)/(α − 1) + ln((α − 1)/α), for
//! every α > 1. So any rational α gives a valid bound; doubles only look for a good one.

use dashu_ratio::RBig;

use super::{Delta, Rho, UNITS};
use crate::certificate::enclosure::{Enclosure, exact, ln};

/// Returns the ε of a ρ at a δ, rounded up; `None` if ρ is unlimited.
///
/// # Example
///
/// ```
/// use suum_core::{Delta, Loss, Rho, least_epsilon};
///
/// let day = Rho::for_laplace(&Loss::ratio(1, 365), &1_000_000_u32.into());
/// let year = (0..365).fold(Rho::ZERO, |sum, _| sum.plus(day));
/// let epsilon = least_epsilon(year, Delta::MILLIONTH).unwrap_or_default().to_f64().value();
/// assert!(epsilon > 0.2 && epsilon < 0.23);
/// ```
pub fn least_epsilon(rho: Rho, delta: Delta) -> Option<RBig> {
    let rho = rho.exact()?;
    if rho.is_zero() {
        return Some(RBig::ZERO);
    }
    let (r, d) = (rho.to_f64().value(), delta.get());
    let alpha = rational(minimum(|alpha| alpha * r + constant(alpha, d)));
    let epsilon = &alpha * rho + constant_up(&alpha, delta);
    Some(epsilon.max(RBig::ZERO))
}

/// Returns the largest ρ that is within ε at a δ, rounded down.
///
/// # Example
///
/// ```
/// use suum_core::{Delta, largest_rho, least_epsilon};
///
/// let rho = largest_rho(&1.into(), Delta::MILLIONTH);
/// assert!(rho.get() > 0.02 && rho.get() < 0.03);
/// assert!(least_epsilon(rho, Delta::MILLIONTH).is_some_and(|epsilon| epsilon <= 1.into()));
/// ```
pub fn largest_rho(epsilon: &RBig, delta: Delta) -> Rho {
    let (e, d) = (epsilon.to_f64().value(), delta.get());
    let alpha = rational(minimum(|alpha| (constant(alpha, d) - e) / alpha));
    let rho = (epsilon - constant_up(&alpha, delta)) / alpha;
    let units = (rho * RBig::from(UNITS)).floor();
    u128::try_from(units).map_or(Rho::ZERO, |units| match Rho::units(units) {
        Rho::Unlimited => Rho::Finite(i64::MAX.unsigned_abs()),
        finite => finite,
    })
}

/// Returns K(α) in floating point.
fn constant(alpha: f64, delta: f64) -> f64 {
    -(delta.ln() + alpha.ln()) / (alpha - 1.0) + (-1.0 / alpha).ln_1p()
}

/// Returns K(α), rounded up.
fn constant_up(alpha: &RBig, delta: Delta) -> RBig {
    let less = alpha.clone() - RBig::ONE;
    let Enclosure { high: of_delta, .. } = ln(&(RBig::ONE / delta.exact()));
    let Enclosure { low: of_alpha, .. } = ln(alpha);
    let Enclosure { high: of_share, .. } = ln(&(less.clone() / alpha));
    exact(&(of_delta - of_alpha)) / less + exact(&of_share)
}

/// Returns the approximate minimum of a function of α, by golden sections of ln(α − 1).
fn minimum(of: impl Fn(f64) -> f64) -> f64 {
    let at = |x: f64| of(1.0 + x.exp());
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (-9.0_f64, 40.0_f64);
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut of_left, mut of_right) = (at(left), at(right));
    for _ in 0..90 {
        if of_left < of_right {
            (high, right, of_right) = (right, left, of_left);
            left = high - golden * (high - low);
            of_left = at(left);
        } else {
            (low, left, of_left) = (left, right, of_right);
            right = low + golden * (high - low);
            of_right = at(right);
        }
    }
    1.0 + ((low + high) / 2.0).exp()
}

/// Returns a fraction near α, above 1.
fn rational(alpha: f64) -> RBig {
    let steps = ((alpha - 1.0) * f64::from(1 << 20)).round().max(1.0);
    RBig::ONE + RBig::try_from(steps).unwrap_or(RBig::ONE) / RBig::from(1_u32 << 20)
}
