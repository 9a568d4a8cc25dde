//! Diffusion: each record is kept with a probability that its budget allows, and replaced by a
//! placeholder otherwise.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use suum::{Epsilon, Error, Loss, Randomness, Result, Share};

use super::sampling_probability::{SamplingProbability, Subsampling, exponential_minus_one};

/// Diffusion before a mechanism of level τ: one mechanism with the same loss for all serves people
/// of all budgets.
///
/// Record i is kept with probability p_i and replaced by the placeholder ⊥ otherwise,
/// independently. Unlike a random sample a diffused list is as long as it was, so that its
/// neighbours differ in one place.
///
/// # Formula
///
/// p_i = min(1, (e^{s·ε_i} − 1)/(e^τ − 1)), rounded down to 64 binary digits, with s the share of
/// the budget.
///
/// # Guarantee
///
/// If what follows loses at most τ when any one record is replaced, *also by ⊥ and from ⊥*, then
/// record i loses at most ln(1 + p_i·(e^τ − 1)) ≤ s·ε_i, since p_i·(e^τ − 1) ≤ e^{s·ε_i} − 1 is
/// proved in rational arithmetic. Proof: with the other decisions fixed, A and A′ the chances of
/// some answer with one value kept and the other, and N with ⊥, the two answers have chances (1 −
/// p)N + pA and (1 − p)N + pA′. Both A/N and A/A′ are at most e^τ, so their ratio is at most 1 +
/// p(e^τ − 1): pA ≤ pA′ + p·min(A′, N)·(e^τ − 1), and min(A′, N) ≤ (1 − p)N + pA′.
///
/// # Example
///
/// ```
/// use suum::{Epsilon, Share};
/// use suum_experiments::published::Diffusion;
///
/// let diffusion = Diffusion::new(Share::ALL, Epsilon::new(4.0)?)?;
/// let strict = Epsilon::new(1.0)?;
/// let p = diffusion.sampling_probability(strict).numerator() as f64 / 2f64.powi(64);
/// assert!((p - 1f64.exp_m1() / 4f64.exp_m1()).abs() < 1e-15);
/// assert!(diffusion.loss(strict).within(strict));
/// assert!(diffusion.sampling_probability(Epsilon::PUBLIC).is_always());
/// # Ok::<(), suum::Error>(())
/// ```
///
/// Source: DG26 Definition 6 and Theorem 10. The p_i of its Algorithm 6, and for τ above 1.25 those
/// of equation (7), can be larger, and [spend too much](Self::amplified).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diffusion {
    share: Share,
    level: Epsilon,
}

impl Diffusion {
    /// Largest τ: a mechanism that loses so much protects nobody, whatever comes before it.
    pub const LARGEST: f64 = 64.0;

    /// Creates a diffusion that spends `share` of every budget, before a mechanism of level τ =
    /// `level`.
    ///
    /// # Errors
    ///
    /// Refuses a level that is zero, infinite or above 64.
    pub fn new(share: Share, level: Epsilon) -> Result<Self> {
        if level.is_unused() || level.get() > Self::LARGEST {
            return Err(Error::parameter("level", "must be positive and at most 64")
                .with_fix("a level near the larger budgets is usual, for example 1"));
        }
        Ok(Self { share, level })
    }

    /// Part of every budget that is spent.
    pub fn share(self) -> Share {
        self.share
    }

    /// τ: the largest loss of the mechanism that follows.
    pub fn level(self) -> Epsilon {
        self.level
    }

    /// Probability p with which a record of this budget is kept; 1 from τ on.
    pub fn sampling_probability(self, budget: Epsilon) -> SamplingProbability {
        self.keeping()(budget)
    }

    /// Function like [`sampling_probability`](Self::sampling_probability), for many budgets: the
    /// part that depends on τ is computed once.
    pub(super) fn keeping(self) -> impl Fn(Epsilon) -> SamplingProbability {
        let subsampling = self.level.exact().map(Subsampling::before);
        move |budget| {
            let spent = self.share.apply_to(budget);
            match &subsampling {
                Some(subsampling) if !spent.is_unused() => subsampling.sampling_probability(spent),
                _ => SamplingProbability::NEVER,
            }
        }
    }

    /// Bound on the loss of a record of this budget: the lesser of its share and ln(1 + p(e^τ −
    /// 1)), computed and rounded up.
    pub fn loss(self, budget: Epsilon) -> Loss {
        let spent = self.share.apply_to(budget);
        let computed = amplified(self.sampling_probability(budget), self.level);
        match (computed, spent.exact()) {
            // The share is a proven bound as well: p is what it allows.
            (Loss::Finite(computed), Some(spent)) => Loss::Finite(computed.min(spent)),
            (computed, _) => computed,
        }
    }

    /// Real loss of a record kept with this probability: ln(1 + p(e^τ − 1)) rounded up, for any p.
    ///
    /// The bound is proved by rational bounds on the exponential, and exceeds the number by about
    /// one part in 10^14. Where τ is above 64 it is τ itself.
    ///
    /// The published probabilities overspend. With ε = 1 and τ = 4, DG26 Algorithm 6 keeps ε/τ,
    /// equation (7) half of it:
    ///
    /// ```
    /// use suum::Epsilon;
    /// use suum_experiments::published::{Diffusion, SamplingProbability};
    ///
    /// let tau = Epsilon::new(4.0)?;
    /// assert!((Diffusion::amplified(SamplingProbability::ratio(1, 4), tau) - 2.67).abs() < 0.005);
    /// assert!((Diffusion::amplified(SamplingProbability::ratio(1, 8), tau) - 2.04).abs() < 0.005);
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn amplified(probability: SamplingProbability, level: Epsilon) -> f64 {
        amplified(probability, level).rounded_up()
    }

    /// Diffuses the list: `None` is the placeholder.
    ///
    /// NaN becomes a placeholder as well. One decision is drawn for every record.
    pub fn diffuse(
        self,
        records: impl IntoIterator<Item = (Epsilon, f64)>,
        randomness: &mut Randomness,
    ) -> Vec<Option<f64>> {
        self.diffuse_knowing(BTreeMap::new(), records, randomness)
    }

    /// Diffuses the list like [`diffuse`](Self::diffuse), with known probabilities of some budgets,
    /// which take long to compute.
    pub(super) fn diffuse_knowing(
        self,
        mut known: BTreeMap<Epsilon, SamplingProbability>,
        records: impl IntoIterator<Item = (Epsilon, f64)>,
        randomness: &mut Randomness,
    ) -> Vec<Option<f64>> {
        let keeping = LazyCell::new(|| self.keeping());
        let decide = |(budget, value): (Epsilon, f64)| {
            let kept = known.entry(budget).or_insert_with(|| (*keeping)(budget)).decide(randomness);
            (kept && !value.is_nan()).then_some(value)
        };
        records.into_iter().map(decide).collect()
    }
}

/// Rational number of at least ln(1 + p(e^τ − 1)).
fn amplified(probability: SamplingProbability, level: Epsilon) -> Loss {
    if probability == SamplingProbability::NEVER || level.is_unused() {
        return Loss::ZERO;
    }
    let Some(tau) = level.exact() else { return Loss::Unlimited };
    if probability.is_always() || level.get() > Diffusion::LARGEST {
        return Loss::Finite(tau);
    }
    let (_, most) = exponential_minus_one(&tau);
    let gain = most * RBig::from_parts(IBig::from(probability.numerator()), UBig::ONE << 64);
    // Floating point only guesses; what is returned has been proved to be large enough.
    let guess = libm::log1p(gain.to_f64().value());
    for slack in [1e-15, 1e-14, 1e-12] {
        let Ok(candidate) = RBig::try_from(guess * (1.0 + slack)) else { break };
        if candidate > RBig::ZERO && candidate < tau && exponential_minus_one(&candidate).0 >= gain
        {
            return Loss::Finite(candidate);
        }
    }
    Loss::Finite(tau)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use suum_testing::Extent;

    fn epsilon(value: f64) -> Epsilon {
        Epsilon::new(value).unwrap()
    }

    #[test]
    fn refuses_what_is_no_level() {
        for bad in [Epsilon::UNUSED, Epsilon::PUBLIC, epsilon(65.0)] {
            assert!(Diffusion::new(Share::ALL, bad).is_err());
        }
    }

    #[test]
    fn published_probabilities_overspend() {
        let loss = |probability| Diffusion::amplified(probability, epsilon(4.0));
        // ε = 1: Algorithm 6 keeps ε/τ, equation (7) ε/(2τ).
        assert!((loss(SamplingProbability::ratio(1, 4)) - 2.667).abs() < 1e-3);
        assert!((loss(SamplingProbability::ratio(1, 8)) - 2.041).abs() < 1e-3);
        // Equation (7) is right for small ε up to (e^τ − 1)/(2τ) = 1, about 1.25.
        assert!(Diffusion::amplified(SamplingProbability::ratio(1, 2500), epsilon(1.25)) < 0.001);
        assert!(Diffusion::amplified(SamplingProbability::ratio(1, 2600), epsilon(1.3)) > 0.001);
        assert!(
            loss(Subsampling::before(RBig::from(4u8)).sampling_probability(epsilon(1.0)))
                <= 1.0 + 1e-14
        );
    }

    /// Randomized response on one record, the placeholder counting as 0, loses exactly ln(1 + p(e^τ
    /// − 1)).
    #[test]
    fn the_bound_is_reached() {
        let revealed = |probability: SamplingProbability, tau: f64| {
            let p = probability.numerator() as f64 / 2f64.powi(64);
            let (lie, truth) = (1.0 / (1.0 + tau.exp()), 1.0 / (1.0 + (-tau).exp()));
            let yes = [lie, (1.0 - p) * lie + p * truth];
            (yes[1] / yes[0]).ln()
        };
        for tau in [0.1, 1.0, 4.0] {
            let diffusion = Diffusion::new(Share::ALL, epsilon(tau)).unwrap();
            let probability = diffusion.sampling_probability(epsilon(0.05));
            assert!((revealed(probability, tau) - 0.05).abs() < 1e-12);
            let published = SamplingProbability::ratio(1, (tau * 20.0) as u64);
            assert!(revealed(published, tau) > 0.051, "{tau}");
            assert!(
                (revealed(published, tau) - Diffusion::amplified(published, epsilon(tau))).abs()
                    < 1e-12
            );
        }
    }

    #[test]
    fn ends() {
        let diffusion = Diffusion::new(Share::new(0.5).unwrap(), epsilon(0.25)).unwrap();
        assert_eq!(diffusion.loss(Epsilon::UNUSED), Loss::ZERO);
        assert_eq!(diffusion.sampling_probability(epsilon(1e-40)), SamplingProbability::NEVER);
        assert_eq!(diffusion.loss(epsilon(1e-40)), Loss::ZERO);
        for relaxed in [epsilon(0.5), epsilon(3.0), Epsilon::PUBLIC] {
            assert!(diffusion.sampling_probability(relaxed).is_always());
            assert_eq!(
                diffusion.loss(relaxed),
                Loss::Finite(RBig::from_parts(1.into(), 4u8.into()))
            );
        }
        assert_eq!(Diffusion::amplified(SamplingProbability::NEVER, epsilon(1.0)), 0.0);
        assert_eq!(
            Diffusion::amplified(SamplingProbability::ratio(1, 2), Epsilon::PUBLIC),
            f64::INFINITY
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(64)))]

        #[test]
        fn nobody_spends_more_than_the_share(
            budget in -12.0..5.0_f64, level in -8.0..4.1_f64, share in 0.01..1.0_f64,
        ) {
            let (budget, level) = (epsilon(budget.exp()), epsilon(level.exp()));
            let share = Share::new(share).unwrap();
            let diffusion = Diffusion::new(share, level).unwrap();
            let loss = diffusion.loss(budget);
            prop_assert!(loss.within(share.apply_to(budget)) && loss.within(level));
            let most = share.apply_to(budget).min(level).get();
            // The 64 digits of p leave at most (e^τ − 1)/2^64 of e^ε − 1 unspent.
            let least = (most.exp_m1() - level.get().exp_m1() * 2f64.powi(-63)).max(0.0).ln_1p();
            prop_assert!(loss.rounded_up() >= least * (1.0 - 1e-13));
        }

        #[test]
        fn amplified_is_an_upper_bound_and_close(numerator in 1u64.., tau in -20.0..4.1_f64) {
            let (probability, tau) =
                (SamplingProbability::ratio(numerator, u64::MAX), epsilon(tau.exp()));
            let bound = Diffusion::amplified(probability, tau);
            let p = probability.numerator() as f64 / 2f64.powi(64);
            let exact = (p * tau.get().exp_m1()).ln_1p();
            prop_assert!(bound >= exact * (1.0 - 1e-15) && bound <= exact * (1.0 + 4e-15));
            // Its exponential, bounded from below, reaches the gain, bounded from above.
            let gain = exponential_minus_one(&tau.exact().unwrap()).1
                * RBig::from_parts(IBig::from(probability.numerator()), UBig::ONE << 64);
            let bound = RBig::try_from(bound).unwrap();
            prop_assert!(exponential_minus_one(&bound).0 >= gain || bound >= tau.exact().unwrap());
        }
    }

    #[test]
    fn keeps_as_often_as_it_says() {
        let diffusion = Diffusion::new(Share::ALL, epsilon(1.0)).unwrap();
        let mut randomness = Randomness::insecure(3);
        let records = (0..90_000).map(|i| (epsilon([0.1, 0.5, 2.0][i % 3]), i as f64));
        let diffused = diffusion.diffuse(records, &mut randomness);
        let kept = |level: usize| diffused.iter().skip(level).step_by(3).flatten().count() as f64;
        for (level, budget) in [0.1f64, 0.5].into_iter().enumerate() {
            let p = budget.exp_m1() / 1f64.exp_m1();
            let sd = (30_000.0 * p * (1.0 - p)).sqrt();
            assert!((kept(level) - 30_000.0 * p).abs() < 4.5 * sd, "{level}");
        }
        assert_eq!(kept(2), 30_000.0);
        assert!(
            diffused
                .iter()
                .enumerate()
                .all(|(i, value)| value.is_none_or(|value| value == i as f64))
        );
        let missing = [(Epsilon::PUBLIC, f64::NAN), (Epsilon::PUBLIC, f64::INFINITY)];
        assert_eq!(diffusion.diffuse(missing, &mut randomness), [None, Some(f64::INFINITY)]);
    }
}
