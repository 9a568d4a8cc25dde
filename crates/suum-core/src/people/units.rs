//! Privacy units: weights that depend on nothing but the record's own budget.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::arithmetic::double_double::DoubleDouble;
use crate::error::option;
use crate::{Epsilon, Error, Loss, Result, Share};

/// Privacy units: the weight W(ε) = ⌊min(share·ε, τ)·2^k⌋ of a record that allows ε, in steps of
/// 2^-k of an ε.
///
/// A mechanism whose answers move by at most W(ε) steps when the record changes, with noise of
/// scale 2^k steps, costs the record at most W(ε)/2^k ≤ share·ε. Neither weight nor noise depends
/// on who else is in the data, so both may be public even if the number of records and their
/// budgets are private.
///
/// # Example
///
/// ```
/// use suum_core::{Epsilon, PrivacyUnits, Share};
///
/// let units = PrivacyUnits::new(Share::new(0.5)?, Epsilon::new(0.25)?)?;
/// assert!(units.loss(Epsilon::new(0.1)?).within(Epsilon::new(0.05)?));
/// assert!(units.loss(Epsilon::PUBLIC).within(Epsilon::new(0.25)?));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrivacyUnits {
    share: Share,
    clip: Epsilon,
    /// Share of the part of a budget above a threshold, used if it is larger.
    above: Option<(Share, f64)>,
    bits: u32,
}

impl PrivacyUnits {
    /// Returns units for this share of every budget, clipped at τ = `clip`.
    ///
    /// k is chosen so that τ has 50 binary digits.
    ///
    /// # Errors
    ///
    /// Refuses a clip that is zero, infinite, or above 2^40.
    pub fn new(share: Share, clip: Epsilon) -> Result<Self> {
        let tau = clip.get();
        if clip.is_unused() || tau > 2f64.powi(40) {
            return Err(Error::parameter(option::CLIP, "must be positive and at most 2^40")
                .with_fix("budgets above a few units protect nobody; clip them at 10 or less"));
        }
        let bits = (50.0 - libm::floor(libm::log2(tau))) as u32;
        Ok(Self { share, clip, above: None, bits })
    }

    /// Returns units that spend at least the share `part` of what a record allows above `budget`:
    /// W(ε) = ⌊min(max(share·ε, part·(ε − budget)), τ)·2^k⌋.
    #[must_use]
    pub(crate) fn or_above(self, part: Share, budget: f64) -> Self {
        Self { above: Some((part, budget)), ..self }
    }

    /// Returns the share of every budget that is spent.
    pub fn share(self) -> Share {
        self.share
    }

    /// Returns τ, the most that a record spends.
    pub fn clip(self) -> Epsilon {
        self.clip
    }

    /// Returns 2^k, the number of steps in one ε: with noise of this scale a step costs 2^-k.
    pub fn scale(self) -> UBig {
        UBig::ONE << self.bits as usize
    }

    /// Returns W(ε), in steps.
    pub fn weight(self, budget: Epsilon) -> UBig {
        UBig::from(self.steps(budget))
    }

    /// Returns W(ε), which has at most 51 digits.
    fn steps(self, budget: Epsilon) -> u64 {
        let spent = self.share.apply_to(budget).max(self.share_above(budget)).min(self.clip);
        // Exact: the factor is a power of two, and the cast drops the digits behind the point.
        libm::scalbn(spent.get(), self.bits as i32) as u64
    }

    /// Returns the [loss](Self::loss) as a double, exactly: a weight has few digits.
    pub(crate) fn spent(self, budget: Epsilon) -> f64 {
        libm::scalbn(self.steps(budget) as f64, -(self.bits as i32))
    }

    /// Returns what is left of `left` after a record with this budget spends its units, rounded
    /// down. ∞ stays ∞, and too small a rest becomes [`Epsilon::UNUSED`].
    pub(crate) fn rest(self, left: Epsilon, budget: Epsilon) -> Epsilon {
        if left.is_public() {
            return left;
        }
        let rest = DoubleDouble::from(left.get()) - DoubleDouble::from(self.spent(budget));
        Epsilon::new(rest.rounded_down()).unwrap_or(Epsilon::UNUSED)
    }

    /// Returns the share of what lies above the threshold, rounded down.
    fn share_above(self, budget: Epsilon) -> Epsilon {
        let Some((part, from)) = self.above else { return Epsilon::UNUSED };
        if budget.is_public() {
            return budget;
        }
        let above = DoubleDouble::from(budget.get()) - DoubleDouble::from(from);
        part.apply_to(Epsilon::new(above.rounded_down()).unwrap_or(Epsilon::UNUSED))
    }

    /// Returns the exact loss W(ε)/2^k of a record that allows ε.
    pub fn loss(self, budget: Epsilon) -> Loss {
        Loss::Finite(RBig::from_parts(IBig::from(self.weight(budget)), self.scale()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn refuses_what_is_no_clip() {
        for bad in [Epsilon::UNUSED, Epsilon::PUBLIC, Epsilon::new(1e13).unwrap()] {
            assert!(PrivacyUnits::new(Share::ALL, bad).is_err());
        }
    }

    proptest! {
        #[test]
        fn nobody_spends_more_than_the_share_or_the_clip(
            epsilon in -40.0..20.0_f64, clip in -40.0..10.0_f64, share in 1e-6..1.0_f64,
        ) {
            let (epsilon, clip) = (epsilon.exp(), clip.exp());
            let units =
                PrivacyUnits::new(Share::new(share).unwrap(), Epsilon::new(clip).unwrap()).unwrap();
            let Loss::Finite(loss) = units.loss(Epsilon::new(epsilon).unwrap()) else {
                panic!("unlimited")
            };
            let exact = |x: f64| RBig::try_from(x).unwrap();
            prop_assert!(loss <= exact(epsilon) * exact(share) && loss <= exact(clip));
            let most = (epsilon * share).min(clip);
            prop_assert!(loss.to_f64().value() >= most - clip * 2f64.powi(-48));
        }

        #[test]
        fn nobody_spends_more_than_the_larger_part(
            epsilon in -20.0..10.0_f64, clip in -20.0..10.0_f64, share in 1e-6..1.0_f64,
            part in 1e-6..1.0_f64, from in -20.0..10.0_f64,
        ) {
            let (epsilon, clip, from) = (epsilon.exp(), clip.exp(), from.exp());
            let share_of = |part| Share::new(part).unwrap();
            let units = PrivacyUnits::new(share_of(share), Epsilon::new(clip).unwrap()).unwrap();
            let units = units.or_above(share_of(part), from);
            let Loss::Finite(loss) = units.loss(Epsilon::new(epsilon).unwrap()) else {
                panic!("unlimited")
            };
            let exact = |x: f64| RBig::try_from(x).unwrap();
            let above = (exact(epsilon) - exact(from)).max(RBig::ZERO) * exact(part);
            let most = (exact(epsilon) * exact(share)).max(above).min(exact(clip));
            prop_assert!(loss <= most && loss <= exact(epsilon));
            let least = most.to_f64().value() - clip * 2f64.powi(-48);
            prop_assert!(loss.to_f64().value() >= least * (1.0 - 1e-12) - 1e-99);
            let plain = PrivacyUnits { above: None, ..units };
            prop_assert_eq!(units.loss(Epsilon::PUBLIC), plain.loss(Epsilon::PUBLIC));
        }
    }
}
