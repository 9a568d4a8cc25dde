//! Share of every budget that one release may spend.

use dashu_ratio::RBig;
use serde::Serialize;

use crate::arithmetic::double_double::DoubleDouble;
use crate::error::{for_example, option};
use crate::{Epsilon, Error, Profile, Result};

/// Share of every person's budget, in (0, 1].
///
/// Several statistics of the same records divide one budget: each is planned as if people had
/// allowed only its share of ε, rounded down, so that all of them together spend at most ε. Shares
/// do not change public and unused records.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, Share};
///
/// let half = Share::new(0.5)?;
/// assert_eq!(half.apply_to(Epsilon::new(0.1)?), Epsilon::new(0.05)?);
/// assert_eq!(half.apply_to(Epsilon::PUBLIC), Epsilon::PUBLIC);
///
/// let shares = Share::split(&[2.0, 1.0])?;
/// assert!((shares[0].get() - 2.0 / 3.0).abs() < 1e-15);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Share(f64);

impl Default for Share {
    fn default() -> Self {
        Self::ALL
    }
}

impl Share {
    /// The whole budget.
    pub const ALL: Share = Share(1.0);

    /// Half of the budget.
    pub const HALF: Share = Share(0.5);

    /// Returns the share `share` of every budget.
    ///
    /// # Errors
    ///
    /// Refuses numbers outside (0, 1], and below 1e-9, which are of no use.
    pub fn new(share: f64) -> Result<Self> {
        if (1e-9..=1.0).contains(&share) {
            return Ok(Self(share));
        }
        Err(Error::parameter(option::SHARE, "a part of the budget must lie between 1e-9 and 1")
            .with_fix("for example 0.5, half of it"))
    }

    /// Returns shares in proportion to `parts`, which add up to at most 1 in exact arithmetic.
    ///
    /// # Errors
    ///
    /// Refuses parts that are not positive and finite, and shares that [`Share::new`] refuses.
    pub fn split(parts: &[f64]) -> Result<Vec<Self>> {
        let exact: Option<Vec<RBig>> = parts
            .iter()
            .filter(|part| **part > 0.0)
            .map(|part| RBig::try_from(*part).ok())
            .collect();
        let exact = exact
            .filter(|exact| exact.len() == parts.len() && !exact.is_empty())
            .ok_or_else(|| {
                Error::parameter(option::SPLIT, "every part must be a positive number")
                    .with_fix(for_example(option::SPLIT, "mean=2,variance=1,quantile=1"))
            })?;
        let whole = exact.iter().fold(RBig::ZERO, |sum, part| sum + part);
        exact.iter().map(|part| Self::new(rounded_down(&(part / &whole)))).collect()
    }

    /// Returns one of this many equal shares, rounded down; of none or one the whole.
    ///
    /// ```
    /// use suum_core::Share;
    ///
    /// assert_eq!(Share::equal(2), Share::HALF);
    /// assert!(Share::equal(3).get() * 3.0 <= 1.0);
    /// ```
    pub fn equal(parts: usize) -> Self {
        let parts = RBig::from(parts.max(1));
        Self(rounded_down(&(RBig::ONE / parts)))
    }

    /// The share as a number in (0, 1].
    pub fn get(self) -> f64 {
        self.0
    }

    /// Returns this share of another one, rounded down.
    ///
    /// # Errors
    ///
    /// Refuses shares that [`Share::new`] refuses.
    pub fn times(self, other: Self) -> Result<Self> {
        if self == Self::ALL || other == Self::ALL {
            return Ok(Self(self.0.min(other.0)));
        }
        match (RBig::try_from(self.0), RBig::try_from(other.0)) {
            (Ok(one), Ok(two)) => Self::new(rounded_down(&(one * two))),
            // Unreachable: shares are finite.
            _ => Ok(self),
        }
    }

    /// Returns this share of a budget, rounded down; [`Epsilon::UNUSED`] if it is too small for a
    /// budget.
    pub fn apply_to(self, budget: Epsilon) -> Epsilon {
        if self == Self::ALL || budget.is_public() {
            return budget;
        }
        // Exact: budgets and shares are far inside the range of a double.
        let part = DoubleDouble::product(budget.get(), self.0).rounded_down();
        Epsilon::new(part).unwrap_or(Epsilon::UNUSED)
    }

    /// Returns the profile of people who allow this share of their budgets.
    pub(crate) fn apply_to_profile(self, profile: &Profile) -> Result<Profile> {
        if self == Self::ALL {
            return Ok(profile.clone());
        }
        profile.with_budgets(|position| self.apply_to(profile.levels()[position].epsilon))
    }
}

/// Returns the largest double that is at most a nonnegative number.
pub(crate) fn rounded_down(exact: &RBig) -> f64 {
    let nearest = exact.to_f64().value();
    match RBig::try_from(nearest) {
        Ok(double) if double <= *exact => nearest,
        _ => nearest.next_down(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_no_part() {
        for bad in [0.0, -0.5, 1.1, f64::NAN, 1e-12] {
            assert!(Share::new(bad).is_err(), "{bad}");
        }
        for bad in
            [&[][..], &[0.0, 1.0], &[f64::INFINITY], &[f64::NAN, 1.0], &[-1.0, 2.0], &[1e-12, 1.0]]
        {
            assert!(Share::split(bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn parts_together_never_exceed_the_budget(
            parts in prop::collection::vec(1e-3..1e3_f64, 1..8), exponent in -90.0..90.0_f64,
        ) {
            let budget = Epsilon::new(10f64.powf(exponent)).unwrap();
            let shares = Share::split(&parts).unwrap();
            let spent = shares
                .iter()
                .fold(RBig::ZERO, |sum, share| sum + share.apply_to(budget).exact().unwrap());
            let exact = budget.exact().unwrap();
            prop_assert!(spent <= exact);
            prop_assert!(spent.to_f64().value() > budget.get() * (1.0 - 1e-14));
        }
    }
}
