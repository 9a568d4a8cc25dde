//! Bernoulli trials with probability exp(−γ), exactly.

use dashu_int::UBig;

use super::Randomness;

impl Randomness {
    /// Returns true with probability exp(−numerator/denominator), for 0 ≤ numerator,
    /// 0 < denominator.
    ///
    /// Canonne, Kamath and Steinke 2020, Algorithm 1. Each whole unit of γ is one trial of
    /// probability exp(−1), all of which must succeed.
    pub(crate) fn bernoulli_exp(&mut self, numerator: &UBig, denominator: &UBig) -> bool {
        if let (Ok(numerator), Ok(denominator)) = (numerator.try_into(), denominator.try_into()) {
            return self.bernoulli_exp_short(numerator, denominator);
        }
        let mut rest = numerator.clone();
        while rest > *denominator {
            if !self.bernoulli_exp_below_one(&UBig::ONE, &UBig::ONE) {
                return false;
            }
            rest -= denominator;
        }
        self.bernoulli_exp_below_one(&rest, denominator)
    }

    /// Returns what [`bernoulli_exp`](Self::bernoulli_exp) returns, from the same stream, in
    /// 128-bit numbers.
    pub(super) fn bernoulli_exp_short(&mut self, numerator: u128, denominator: u128) -> bool {
        let mut rest = numerator;
        while rest > denominator {
            if !self.below_one_short(1, 1) {
                return false;
            }
            rest -= denominator;
        }
        self.below_one_short(rest, denominator)
    }

    /// Returns true with probability exp(−γ), for 0 ≤ γ ≤ 1. With K the first k whose trial with
    /// probability γ/k fails, K is odd with probability Σ (−γ)^k/k! = exp(−γ).
    pub(super) fn bernoulli_exp_below_one(&mut self, numerator: &UBig, denominator: &UBig) -> bool {
        self.below_one_from(denominator.clone(), numerator, denominator)
    }

    /// Continues the trials from the k with this k·denominator; returns true if K − k is even.
    fn below_one_from(
        &mut self,
        mut k_denominator: UBig,
        numerator: &UBig,
        denominator: &UBig,
    ) -> bool {
        let mut even = true;
        // Trial of probability γ/k: a uniform integer below k·denominator falls below the
        // numerator.
        while self.below(&k_denominator) < *numerator {
            even = !even;
            k_denominator += denominator;
        }
        even
    }

    fn below_one_short(&mut self, numerator: u128, denominator: u128) -> bool {
        let mut odd = true;
        let mut k_denominator = denominator;
        while self.below_short(k_denominator) < numerator {
            odd = !odd;
            match k_denominator.checked_add(denominator) {
                Some(next) => k_denominator = next,
                None => {
                    let [numerator, denominator] = [numerator, denominator].map(UBig::from);
                    let next = UBig::from(k_denominator) + &denominator;
                    return self.below_one_from(next, &numerator, &denominator) == odd;
                }
            }
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
