//! Lifetime allowances, in ε alone or in ε and ρ.

use suum_core::{Delta, Loss, Rho, largest_rho, least_epsilon};

use crate::{Amount, Cost, largest_within};

/// Lifetime allowance of a person: an ε, or (ε, δ).
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
    /// Allowed ε.
    pub epsilon: Amount,
    /// Largest ρ within (ε, δ); `None` if no δ was declared.
    pub rho: Option<Rho>,
}

impl Allowance {
    /// Allowance of zero, without a δ.
    pub const NOTHING: Allowance = Allowance { epsilon: Amount::ZERO, rho: None };

    /// Creates the allowance ε, or (ε, δ) if there is a δ. An ε of zero allows nothing, whatever
    /// the δ.
    pub fn new(epsilon: Amount, delta: Option<Delta>) -> Self {
        let rho = |delta: Delta| match epsilon.loss() {
            // Whoever allows nothing is not used, whatever δ would hide.
            _ if epsilon.is_zero() => Rho::ZERO,
            Loss::Finite(exact) => largest_rho(&exact, delta),
            Loss::Unlimited => Rho::Unlimited,
        };
        Self { epsilon, rho: delta.map(rho) }
    }

    /// Returns the largest ε that may still be charged after `spent`: by the sum of ε or by the sum
    /// of ρ, whichever leaves more.
    pub fn left(self, spent: Cost) -> Amount {
        let of_epsilon = self.epsilon.saturating_sub(spent.epsilon);
        match self.rho {
            Some(rho) => of_epsilon.max(largest_within(rho.saturating_sub(spent.rho))),
            None => of_epsilon,
        }
    }

    /// Returns how many more releases fit, one after the other, of which each reserves `charge` and
    /// costs `cost` in the end; `None` if there is no limit to their number.
    ///
    /// ```
    /// use suum_ledger::{Allowance, Amount};
    ///
    /// let (all, release) = (Amount::micros(1_000_000), Amount::micros(300_000));
    /// let spent = Amount::micros(100_000).into();
    /// assert_eq!(Allowance::from(all).releases_left(spent, release, release.into()), Some(3));
    /// // What is reserved and not spent comes back.
    /// let cost = Amount::micros(200_000).into();
    /// assert_eq!(Allowance::from(all).releases_left(spent, release, cost), Some(4));
    /// ```
    pub fn releases_left(self, spent: Cost, charge: Amount, cost: Cost) -> Option<u64> {
        let reserve = Cost::from(charge);
        let micros = |amount: Amount| match amount {
            Amount::Micro(micros) => Some(micros.get()),
            Amount::Unlimited => None,
        };
        let units = |rho: Rho| match rho {
            Rho::Finite(units) => Some(units),
            Rho::Unlimited => None,
        };
        let left = self.epsilon.saturating_sub(spent.epsilon);
        let of_epsilon = times(micros(left), micros(reserve.epsilon), micros(cost.epsilon));
        let of_rho = self.rho.map(|rho| {
            let left = rho.saturating_sub(spent.rho);
            times(units(left), units(reserve.rho), units(cost.rho))
        });
        match of_rho {
            // Either account is enough.
            Some(of_rho) => Some(of_epsilon?.max(of_rho?)),
            None => of_epsilon,
        }
    }

    /// Returns the smaller of two allowances of one dataset, which differ in ε only.
    pub(crate) fn min(self, other: Self) -> Self {
        let rho = |one: Option<Rho>, other: Option<Rho>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self { epsilon: self.epsilon.min(other.epsilon), rho: rho(self.rho, other.rho) }
    }

    /// Returns true if `spent` exceeds the allowance by the sum of ε, and also by the sum of ρ
    /// where a δ was declared.
    pub fn is_exceeded_by(self, spent: Cost) -> bool {
        spent.epsilon > self.epsilon && self.rho.is_none_or(|rho| spent.rho > rho)
    }

    /// Returns true if `charge` fits after `spent`, by the sum of ε or by the sum of ρ.
    pub fn fits(self, charge: Cost, spent: Cost) -> bool {
        charge.epsilon <= self.epsilon.saturating_sub(spent.epsilon)
            || self.rho.is_some_and(|rho| charge.rho <= rho.saturating_sub(spent.rho))
    }
}

/// Returns the number of times that `reserve` fits into `left` if each time `cost` is used up.
/// `None` means unlimited, in the arguments and in the result.
fn times(left: Option<u64>, reserve: Option<u64>, cost: Option<u64>) -> Option<u64> {
    let left = left?;
    let Some(rest) = reserve.and_then(|reserve| left.checked_sub(reserve)) else { return Some(0) };
    // Unlimited costs were reserved, and did not fit.
    Some(rest.checked_div(cost.unwrap_or(u64::MAX))?.saturating_add(1))
}

impl From<Amount> for Allowance {
    fn from(epsilon: Amount) -> Self {
        Self { epsilon, rho: None }
    }
}

impl Cost {
    /// Returns the total ε of this cost as (ε, δ), rounded up: the sum of ε, or the ε that follows
    /// from the sum of ρ if that is less.
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
            Some(epsilon) => self.epsilon.min(Amount::from_loss(&Loss::Finite(epsilon))),
            None => self.epsilon,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compares with releases charged one after the other, in accounts of ε and of (ε, δ).
        #[test]
        fn as_many_releases_are_left_as_fit(
            allowed in 1_u64..3_000_000,
            spent in 0_u64..1_000_000,
            charge in 20_000_u64..900_000,
            share in 1_u64..=4,
            rho_share in 1_u64..=4,
            with_delta in any::<bool>(),
        ) {
            let delta = with_delta.then_some(Delta::MILLIONTH);
            let allowance = Allowance::new(Amount::micros(allowed), delta);
            let (charge, epsilon) = (Amount::micros(charge), Amount::micros(charge / share));
            let rho = match Cost::from(epsilon).rho {
                Rho::Finite(units) => Rho::Finite(units / rho_share),
                Rho::Unlimited => Rho::Unlimited,
            };
            let cost = Cost { epsilon, rho };
            let mut gone = Cost::from(Amount::micros(spent));
            let expected = allowance.releases_left(gone, charge, cost);
            let mut count = 0;
            while count < 5_000 && allowance.fits(Cost::from(charge), gone) {
                gone = gone.plus(cost);
                count += 1;
            }
            prop_assert_eq!(expected.map(|count| count.min(5_000)), Some(count));
        }
    }

    #[test]
    fn nobody_runs_out_who_sets_no_limit_or_pays_nothing() {
        let one = Amount::micros(1_000_000);
        let of = |allowance: Allowance, charge: Amount, cost: Amount| {
            allowance.releases_left(Cost::ZERO, charge, cost.into())
        };
        assert_eq!(of(Amount::Unlimited.into(), Amount::Unlimited, Amount::Unlimited), None);
        assert_eq!(of(one.into(), one, Amount::ZERO), None);
        assert_eq!(of(one.into(), Amount::Unlimited, one), Some(0));
        assert_eq!(of(one.into(), one, one), Some(1));
    }
}
