//! What everybody spends on learning: a public function of their own budget.

use crate::{Epsilon, PrivacyUnits, Result, Share};

/// What a record spends on learning, by what it allows.
///
/// # Formula
///
/// Of ε the part `spare` of ε − τ₀ is not touched; y is the rest. A record spends
/// min(max(s·y, 0.7·(y − τ₀)), 4) with the least share s of at most a sixth with which all spend
/// what learning is to have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Learning {
    /// τ₀.
    tau: f64,
    /// s.
    share: f64,
    spare: f64,
}

/// c of τ₀: 2h²/σ² for σ = h/7.07.
pub(crate) const C: f64 = 100.0;
/// The units that are to be spent on learning: at least so many, and this part of all.
const TARGET: (f64, f64) = (200.0, 0.15);
/// The largest share of a budget that is taken from everybody.
const LARGEST_SHARE: f64 = 1.0 / 6.0;
/// With fewer units than these nothing is learned.
const LEAST: f64 = 40.0;
/// The part of what a mean would leave over that learning may take.
const LEFT_OVER: f64 = 0.7;
/// The most that anybody spends on learning.
const MOST: f64 = 4.0;

impl Learning {
    /// What is spent by people of whom so many may spend so much, where a mean would have the clip
    /// level τ₀; `None` where there is too little to learn from, or no noise.
    pub(crate) fn new(people: &[(f64, f64)], tau: f64, spare: f64) -> Option<Self> {
        if !tau.is_finite() {
            return None;
        }
        let learning = |share| Self { tau, share, spare };
        let units = |share| learning(share).units(people);
        let all = sum(people, |epsilon| epsilon.min(tau));
        let target = TARGET.0.max(TARGET.1 * all);
        let share = least_share(|share| units(share) >= target);
        (units(share) >= LEAST).then(|| learning(share))
    }

    /// What a record spends that may spend this much.
    pub(crate) fn spent(&self, epsilon: f64) -> f64 {
        if epsilon.is_infinite() {
            return MOST;
        }
        let left_over = (1.0 - self.spare) * (epsilon - self.tau).max(0.0);
        let usable = epsilon.min(self.tau) + left_over;
        (self.share * usable).max(LEFT_OVER * left_over).min(MOST)
    }

    /// What a record keeps that may spend this much, whatever is measured.
    pub(crate) fn amount_kept(&self, epsilon: f64) -> f64 {
        if epsilon.is_infinite() { 0.0 } else { self.spare * (epsilon - self.tau).max(0.0) }
    }

    /// Σ of what all these people spend.
    pub(crate) fn units(&self, people: &[(f64, f64)]) -> f64 {
        sum(people, |epsilon| self.spent(epsilon))
    }

    /// Σ of what the mean is likely to spend of the rest.
    pub(crate) fn units_of_mean(&self, people: &[(f64, f64)]) -> f64 {
        sum(people, |epsilon| (epsilon - self.spent(epsilon)).min(self.tau))
    }

    /// The same in units of what a record has left, if it has nothing to keep.
    ///
    /// # Errors
    ///
    /// None that a profile gives cause for.
    pub(crate) fn in_units(&self) -> Result<PrivacyUnits> {
        let share = Share::new(self.share.max(LEAST_SHARE))?;
        let units = PrivacyUnits::new(share, Epsilon::new(MOST)?)?;
        Ok(units.or_above(Share::new(LEFT_OVER)?, self.tau))
    }

    /// What a record keeps, in units of what it has left; `None` if nobody keeps anything.
    ///
    /// # Errors
    ///
    /// None that a profile gives cause for.
    pub(crate) fn amount_kept_in_units(&self) -> Result<Option<PrivacyUnits>> {
        if self.spare < LEAST_SHARE {
            return Ok(None);
        }
        let units = PrivacyUnits::new(Share::new(LEAST_SHARE)?, Epsilon::new(MOST_KEPT)?)?;
        Ok(Some(units.or_above(Share::new(self.spare)?, self.tau)))
    }
}

/// Whoever allows more than this need not keep more.
const MOST_KEPT: f64 = (1u64 << 20) as f64;
/// A share that is next to nothing.
const LEAST_SHARE: f64 = 1e-9;

fn sum(people: &[(f64, f64)], of: impl Fn(f64) -> f64) -> f64 {
    people.iter().map(|(epsilon, count)| count * of(*epsilon)).sum()
}

/// The least share for which something holds, or the largest that is taken.
fn least_share(enough: impl Fn(f64) -> bool) -> f64 {
    if enough(0.0) {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, LARGEST_SHARE);
    if enough(high) {
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if enough(middle) { high = middle } else { low = middle }
        }
    }
    high
}
