//! What of a budget enters a sum, where weights may depend on nothing but the person's own budget.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{Epsilon, Error, Loss, Result, Share};

/// Privacy units: the weight W(ε) = ⌊min(share·ε, τ)·2^k⌋ of a record that allows ε, in steps of
/// 2^-k of an ε.
///
/// A mechanism whose answers move by at most W(ε) steps when the record changes, with noise of
/// scale 2^k steps, costs the record at most W(ε)/2^k ≤ share·ε. Neither weight nor noise depends
/// on who else is in the data, so both may be known where the number of records and their budgets
/// may not.
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
    bits: u32,
}

impl PrivacyUnits {
    /// Units for this share of every budget, clipped at τ = `clip`.
    ///
    /// k is such that τ has 50 binary digits.
    ///
    /// # Errors
    ///
    /// Refuses a clip that is zero, infinite, or above 2^40.
    pub fn new(share: Share, clip: Epsilon) -> Result<Self> {
        let tau = clip.get();
        if clip.is_unused() || tau > 2f64.powi(40) {
            return Err(Error::parameter("clip: must be positive and at most 2^40")
                .with_hint("budgets above a few units protect nobody; clip them at 10 or less"));
        }
        Ok(Self { share, clip, bits: (50.0 - libm::floor(libm::log2(tau))) as u32 })
    }

    /// The part of every budget that is spent.
    pub fn share(self) -> Share {
        self.share
    }

    /// τ: the most that anybody spends.
    pub fn clip(self) -> Epsilon {
        self.clip
    }

    /// 2^k: steps of one ε, the scale of noise that makes a step cost 2^-k.
    pub fn scale(self) -> UBig {
        UBig::ONE << self.bits as usize
    }

    /// W(ε), in steps.
    pub fn weight(self, budget: Epsilon) -> UBig {
        let spent = self.share.of(budget).min(self.clip).exact().unwrap_or(RBig::ZERO);
        let (_, steps) = (spent * RBig::from(self.scale())).floor().into_parts();
        steps
    }

    /// The exact loss W(ε)/2^k of a record that allows ε.
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
    }
}
