//! Second account of losses: zero-concentrated differential privacy.
//!
//! A release that is ρ-zCDP keeps the Rényi divergence of order α between its answers on
//! neighbouring data at or below ρα, for all α > 1. ρ adds up over releases, as ε does, but many
//! small losses together are far less in ρ than in ε: k releases of ε each have Σε = kε, and Σρ
//! about kε²/2, which is (ε', δ)-differential privacy with ε' about ε·√(2k·ln(1/δ)).
//!
//! # Sources
//!
//! Bun and Steinke, Concentrated Differential Privacy (2016). The exact ρ of mechanisms: Harrison
//! and Manurangsi, Exact zCDP Characterizations for Fundamental Differentially Private Mechanisms
//! (2025); of the exponential mechanism: Cesar and Rogers, Bounding, Concentrating, and Truncating
//! (2021). From ρ to (ε, δ): Canonne, Kamath and Steinke, The Discrete Gaussian (2020),
//! Proposition 12.

mod convert;
mod delta;
mod entry;

use std::fmt;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::Serialize;

use crate::Loss;
use crate::certificate::enclosure::{
    divided_up, exact, exp_minus, one, over_sinh, product_down, product_up, up,
};
use crate::number::Number;

pub use convert::{largest_rho, least_epsilon};
pub use delta::Delta;

/// Number of units of ρ in 1.
const UNITS: u64 = 1_000_000_000_000;

/// Upper bound on the loss of a record, as the ρ of zero-concentrated differential privacy: an
/// integer number of units of 10⁻¹², always rounded up, or unlimited.
///
/// # Example
///
/// ```
/// use suum_core::{Loss, Rho};
///
/// let day = Rho::for_laplace(&Loss::ratio(1, 365), &1_000_000_u32.into());
/// assert_eq!(day.to_string(), "0.000003749625");
/// // Whatever loses ε is at most ε·tanh(ε/2).
/// assert_eq!(Rho::for_pure(&Loss::ratio(1, 1)).to_string(), "0.462117157261");
/// assert!(Rho::for_pure(&Loss::Unlimited) == Rho::Unlimited);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "Number")]
pub enum Rho {
    /// Number of units of 10⁻¹², at most 2⁶³ − 1.
    Finite(u64),
    /// Unlimited: a release without noise.
    Unlimited,
}

impl Rho {
    /// Zero, the cost of an unused record.
    pub const ZERO: Rho = Rho::Finite(0);

    /// Returns a number of units of 10⁻¹²; unlimited if that is more than 2⁶³ − 1.
    pub fn units(units: u128) -> Self {
        match i64::try_from(units) {
            Ok(units) => Rho::Finite(units.unsigned_abs()),
            Err(_) => Rho::Unlimited,
        }
    }

    /// Returns the ρ of any mechanism with this loss: ε·tanh(ε/2), which randomised response
    /// reaches.
    pub fn for_pure(loss: &Loss) -> Self {
        let Loss::Finite(loss) = loss else { return Rho::Unlimited };
        let epsilon = up(loss);
        // (1 − e^-ε)/(1 + e^-ε) is decreasing in e^-ε.
        let least = exp_minus(&epsilon).low;
        let tanh = divided_up((one() - &least) * one(), &(one() + least));
        Self::from_fixed(&product_up(&epsilon, &tanh))
    }

    /// Returns the ρ of discrete Laplace noise of integer scale b, with this total loss: ε − (1 −
    /// e^-ε)·(1/b)/sinh(1/b).
    ///
    /// If answers have noise of several scales, b is the least: the bound is decreasing in b. It is
    /// convex in ε and zero at zero, so the bound of a sum is at least the sum of the bounds of its
    /// parts.
    pub fn for_laplace(loss: &Loss, scale: &UBig) -> Self {
        let Loss::Finite(loss) = loss else { return Rho::Unlimited };
        if *scale == UBig::ZERO {
            return Self::for_pure(&Loss::Finite(loss.clone()));
        }
        // The bound is increasing in ε, so rounding ε up is safe.
        let epsilon = up(loss);
        let gone = (one() - exp_minus(&epsilon).high).max(IBig::ZERO);
        Self::from_fixed(&(epsilon - product_down(&gone, &over_sinh(scale))))
    }

    /// Returns the ρ of the exponential mechanism, whose log-probabilities move within a range of
    /// ε: at most ε²/8.
    pub fn for_bounded_range(loss: &Loss) -> Self {
        let Loss::Finite(exact) = loss else { return Rho::Unlimited };
        let eighth = exact.clone() * exact / RBig::from(8);
        Self::from_exact(&eighth).min(Self::for_pure(loss))
    }

    fn from_fixed(fixed: &IBig) -> Self {
        Self::from_exact(&exact(fixed))
    }

    fn from_exact(rho: &RBig) -> Self {
        let units = (rho.clone() * RBig::from(UNITS)).ceil();
        u128::try_from(units).map_or(Rho::Unlimited, Self::units)
    }

    /// Returns the total of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Rho::Finite(one), Rho::Finite(other)) => {
                Self::units(u128::from(one) + u128::from(other))
            }
            _ => Rho::Unlimited,
        }
    }

    /// Returns the rest after `spent`; zero if more was spent.
    #[must_use]
    pub fn saturating_sub(self, spent: Self) -> Self {
        match (self, spent) {
            (Rho::Unlimited, _) => Rho::Unlimited,
            (_, Rho::Unlimited) => Rho::ZERO,
            (Rho::Finite(all), Rho::Finite(spent)) => Rho::Finite(all.saturating_sub(spent)),
        }
    }

    /// Returns the exact number; `None` if it is unlimited.
    pub fn exact(self) -> Option<RBig> {
        match self {
            Rho::Finite(units) => Some(RBig::from_parts(units.into(), UNITS.into())),
            Rho::Unlimited => None,
        }
    }

    /// Returns the nearest double, for display.
    pub fn get(self) -> f64 {
        match self {
            Rho::Finite(units) => units as f64 / UNITS as f64,
            Rho::Unlimited => f64::INFINITY,
        }
    }
}

/// A decimal number without trailing zeros, or `inf`.
impl fmt::Display for Rho {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rho::Finite(units) = self else { return f.write_str("inf") };
        let text = format!("{}.{:012}", units / UNITS, units % UNITS);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A number, or `"inf"`.
impl From<Rho> for Number {
    fn from(rho: Rho) -> Self {
        Self(rho.get())
    }
}
