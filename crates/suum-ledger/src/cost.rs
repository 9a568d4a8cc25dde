//! Cost of a release to a person, as ε and ρ.

use suum_core::Rho;

use crate::Amount;

/// Cost of a release to a person: as ε, and as the ρ of zero-concentrated differential privacy.
///
/// A loss of ε is at most a loss of ε·tanh(ε/2) as ρ, which an amount alone stands for.
///
/// # Example
///
/// ```
/// use suum_ledger::{Amount, Cost};
///
/// let one = Cost::from(Amount::micros(1_000_000));
/// assert_eq!(one.rho.to_string(), "0.462117157261");
/// assert_eq!(one.plus(one).epsilon, Amount::micros(2_000_000));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cost {
    /// The loss as ε.
    pub epsilon: Amount,
    /// The loss as ρ.
    pub rho: Rho,
}

/// Number of micro-ε up to which the bound on ρ is a polynomial.
const SMALL: u64 = 100_000;

impl Cost {
    /// Zero, as ε and as ρ.
    pub const ZERO: Cost = Cost { epsilon: Amount::ZERO, rho: Rho::ZERO };

    /// Returns the sum of both costs.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { epsilon: self.epsilon.plus(other.epsilon), rho: self.rho.plus(other.rho) }
    }

    /// Returns the larger ε and the larger ρ of both.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { epsilon: self.epsilon.max(other.epsilon), rho: self.rho.max(other.rho) }
    }
}

impl From<Amount> for Cost {
    fn from(epsilon: Amount) -> Self {
        let rho = match epsilon {
            Amount::Micro(micros) if micros.get() <= SMALL => small(micros.get()),
            _ => Rho::for_pure(&epsilon.loss()),
        };
        Self { epsilon, rho }
    }
}

/// Returns x²/2 − x⁴/24 + x⁶/240, which is at least x·tanh(x/2): the series alternates, and its
/// terms fall.
fn small(micros: u64) -> Rho {
    let x = u128::from(micros);
    let (square, million) = (x * x, 1_000_000_u128);
    let scale = million * million;
    let fourth = square * square / (24 * scale);
    let sixth = (square * square * square).div_ceil(240 * scale * scale);
    Rho::units(square.div_ceil(2) - fourth + sixth)
}

/// Returns the largest amount whose bound on ρ is at most this one.
///
/// # Example
///
/// ```
/// use suum_ledger::{Amount, Cost, largest_within};
///
/// let most = largest_within(Cost::from(Amount::micros(30_000)).rho);
/// assert_eq!(most, Amount::micros(30_000));
/// ```
pub fn largest_within(rho: Rho) -> Amount {
    let Rho::Finite(units) = rho else { return Amount::Unlimited };
    let fits = |micros: u64| Cost::from(Amount::micros(micros)).rho <= rho;
    // ε·tanh(ε/2) is at least ε²/2 − ε⁴/24 and at least ε − 1, and at most ε²/2 and ε.
    let target = units as f64 / 1e12;
    let mut guess = (2.0 * target).sqrt();
    for _ in 0..60 {
        let tanh = (guess / 2.0).tanh();
        let slope = tanh + guess / 2.0 * (1.0 - tanh * tanh);
        guess -= (guess * tanh - target) / slope.max(1e-9);
        guess = guess.max(0.0);
    }
    let mut micros = (guess * 1e6) as u64;
    // The doubles are off by little, and the bounds by some units.
    while micros > 0 && !fits(micros) {
        micros -= 1;
    }
    while micros < u64::MAX >> 2 && fits(micros + 1) {
        micros += 1;
    }
    Amount::micros(micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_is_hardly_above_the_bound() {
        let mut before = Rho::ZERO;
        for micros in (0..3000).chain((3000..=SMALL + 5).step_by(997)).chain([SMALL, SMALL + 1]) {
            let amount = Amount::micros(micros);
            let (Rho::Finite(found), Rho::Finite(exact)) =
                (Cost::from(amount).rho, Rho::for_pure(&amount.loss()))
            else {
                panic!("finite")
            };
            assert!(found >= exact && found <= exact + 8, "{micros}: {found} {exact}");
            if micros > SMALL {
                assert!(Rho::Finite(found) > before, "it rises where the formula changes");
            }
            before = before.max(Rho::Finite(found));
        }
    }

    #[test]
    fn the_largest_amount_within_fits_and_the_next_does_not() {
        for units in [
            0,
            1,
            2,
            12,
            1_000_000,
            3_749_625,
            5_000_000_000,
            26_000_000_000,
            462_117_157_261,
            9_000_000_000_000,
            1_000_000_000_000_000,
        ] {
            let Amount::Micro(micros) = largest_within(Rho::Finite(units)) else { panic!() };
            let rho = |micros: u64| Cost::from(Amount::micros(micros)).rho;
            assert!(rho(micros.get()) <= Rho::Finite(units), "{units}");
            assert!(rho(micros.get() + 1) > Rho::Finite(units), "{units}");
        }
        assert_eq!(largest_within(Rho::Unlimited), Amount::Unlimited);
    }
}
