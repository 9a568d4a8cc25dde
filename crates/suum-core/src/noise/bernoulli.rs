//! Bernoulli trials with probability exp(−γ), exactly.

use dashu_int::UBig;

use super::Randomness;

impl Randomness {
    /// True with probability exp(−numerator/denominator), for 0 ≤ numerator, 0 < denominator.
    ///
    /// Canonne, Kamath and Steinke 2020, Algorithm 1. The whole part of γ is that many trials of
    /// probability exp(−1), all of which must succeed.
    pub(crate) fn bernoulli_exp(&mut self, numerator: &UBig, denominator: &UBig) -> bool {
        let mut rest = numerator.clone();
        while rest > *denominator {
            if !self.bernoulli_exp_below_one(&UBig::ONE, &UBig::ONE) {
                return false;
            }
            rest -= denominator;
        }
        self.bernoulli_exp_below_one(&rest, denominator)
    }

    /// For 0 ≤ γ ≤ 1: let K be the first k whose trial with probability γ/k fails; K is odd with
    /// probability Σ (−γ)^k/k! = exp(−γ).
    pub(super) fn bernoulli_exp_below_one(&mut self, numerator: &UBig, denominator: &UBig) -> bool {
        let mut odd = true;
        let mut k_denominator = denominator.clone();
        // γ/k: a uniform integer below k·denominator falls below the numerator.
        while self.below(&k_denominator) < *numerator {
            odd = !odd;
            k_denominator += denominator;
        }
        odd
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_match_the_exponential() {
        let mut randomness = Randomness::insecure(5);
        for (numerator, denominator) in
            [(0u32, 1u32), (1, 1), (1, 2), (1, 3), (99, 100), (5, 2), (7, 3)]
        {
            let trials = 40_000;
            let hits = (0..trials)
                .filter(|_| {
                    randomness.bernoulli_exp(&UBig::from(numerator), &UBig::from(denominator))
                })
                .count() as f64;
            let p = (-f64::from(numerator) / f64::from(denominator)).exp();
            let sd = (f64::from(trials) * p * (1.0 - p)).sqrt();
            // Five standard deviations: a false alarm in two million runs.
            assert!(
                (hits - f64::from(trials) * p).abs() <= 5.0 * sd,
                "{numerator}/{denominator}: {hits}"
            );
        }
    }
}
