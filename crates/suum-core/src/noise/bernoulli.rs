//! Bernoulli trials with probability exp(−γ), exactly.

use dashu_int::UBig;

use super::Randomness;

impl Randomness {
    /// True with probability exp(−numerator/denominator), for 0 ≤ numerator ≤ denominator, denominator > 0.
    ///
    /// Canonne, Kamath and Steinke 2020, Algorithm 1: let K be the first k whose trial with probability γ/k
    /// fails; K is odd with probability Σ (−γ)^k/k! = exp(−γ).
    pub(super) fn bernoulli_exp(&mut self, numerator: &UBig, denominator: &UBig) -> bool {
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
        for (numerator, denominator) in [(0u32, 1u32), (1, 1), (1, 2), (1, 3), (99, 100)] {
            let trials = 40_000;
            let hits = (0..trials)
                .filter(|_| randomness.bernoulli_exp(&UBig::from(numerator), &UBig::from(denominator)))
                .count() as f64;
            let p = (-f64::from(numerator) / f64::from(denominator)).exp();
            let sd = (f64::from(trials) * p * (1.0 - p)).sqrt();
            // Five standard deviations: a false alarm in two million runs.
            assert!((hits - f64::from(trials) * p).abs() <= 5.0 * sd, "{numerator}/{denominator}: {hits}");
        }
    }
}
