//! What somebody allows in all, in both accounts.

use suum_core::{Delta, Loss, Rho, largest_rho, least_epsilon};

use crate::{Amount, Cost, largest_within};

/// What somebody allows in all their life: an ε, or (ε, δ).
///
/// With a δ there are two ways to keep the promise, and either is enough: the sum of all ε is at
/// most the one allowed, or the sum of all ρ is at most the largest that is within (ε, δ).
///
/// # Example
///
/// ```
/// use suum_ledger::{Allowance, Amount, Cost};
///
/// let one = Amount::micros(1_000_000);
/// let day = Cost::from(Amount::micros(2_740));
/// let year = (0..365).fold(Cost::ZERO, |sum, _| sum.plus(day));
/// assert_eq!(Allowance::from(one).left(year), Amount::ZERO);
/// assert!(Allowance::new(one, Some("1e-6".parse()?)).left(year) > Amount::micros(200_000));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// The ε.
    pub epsilon: Amount,
    /// The largest ρ that is within (ε, δ), where a δ was declared.
    pub rho: Option<Rho>,
}

impl Allowance {
    /// Nothing.
    pub const NOTHING: Allowance = Allowance { epsilon: Amount::ZERO, rho: None };

    /// What whoever allows this ε allows, or (ε, δ) if there is a δ.
    pub fn new(epsilon: Amount, delta: Option<Delta>) -> Self {
        let rho = |delta: Delta| match epsilon.loss() {
            // Whoever allows nothing is not used, whatever δ would hide.
            _ if epsilon.is_zero() => Rho::ZERO,
            Loss::Finite(exact) => largest_rho(&exact, delta),
            Loss::Unlimited => Rho::Unlimited,
        };
        Self { epsilon, rho: delta.map(rho) }
    }

    /// What may still be charged to whoever has spent this much.
    pub fn left(self, spent: Cost) -> Amount {
        let of_epsilon = self.epsilon.saturating_sub(spent.epsilon);
        match self.rho {
            Some(rho) => of_epsilon.max(largest_within(rho.saturating_sub(spent.rho))),
            None => of_epsilon,
        }
    }

    /// Returns true if more was spent than is allowed, in every account.
    pub fn is_exceeded_by(self, spent: Cost) -> bool {
        spent.epsilon > self.epsilon && self.rho.is_none_or(|rho| spent.rho > rho)
    }

    /// Whether a charge fits beside what was spent.
    pub fn fits(self, charge: Cost, spent: Cost) -> bool {
        charge.epsilon <= self.epsilon.saturating_sub(spent.epsilon)
            || self.rho.is_some_and(|rho| charge.rho <= rho.saturating_sub(spent.rho))
    }
}

impl From<Amount> for Allowance {
    fn from(epsilon: Amount) -> Self {
        Self { epsilon, rho: None }
    }
}

impl Cost {
    /// The ε of all of it as (ε, δ), rounded up: the sum of ε, or what the sum of ρ says if that is
    /// less.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::Delta;
    /// use suum_ledger::{Amount, Cost};
    ///
    /// let day = Cost::from(Amount::micros(2_740));
    /// let year = (0..365).fold(Cost::ZERO, |sum, _| sum.plus(day));
    /// assert_eq!(year.epsilon.to_string(), "1.0001");
    /// assert!((year.smaller_total(Delta::MILLIONTH).in_epsilon() - 0.22).abs() < 0.005);
    /// ```
    pub fn smaller_total(self, delta: Delta) -> Amount {
        match least_epsilon(self.rho, delta) {
            Some(epsilon) => self.epsilon.min(Amount::of_loss(&Loss::Finite(epsilon))),
            None => self.epsilon,
        }
    }
}
