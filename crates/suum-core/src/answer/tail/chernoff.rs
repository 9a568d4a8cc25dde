//! Chernoff bounds on sums of independent terms, which are never too short.

use crate::arithmetic::least::least_at;

/// Search range of λ: from exp(−10) to exp(10) times its start.
const WIDE: f64 = 10.0;
const SECTIONS: usize = 40;

/// Returns t with P(S ≥ t) of at most `miss`, for a sum S whose cumulant generating function is at
/// most `cumulant`; `start` is about the λ of the least t.
///
/// # Formula
///
/// P(S ≥ t) ≤ exp(K(λ) − λt) for every λ > 0. So every λ gives a valid t, (K(λ) − ln miss)/λ. The
/// search for the least one may miss it; the t it returns is valid all the same.
pub(crate) fn tail_bound(miss: f64, start: f64, cumulant: impl Fn(f64) -> f64) -> f64 {
    let at = |log: f64| {
        let lambda = start * log.exp();
        (cumulant(lambda) - miss.ln()) / lambda
    };
    // K is convex, so t first falls and then rises with λ.
    at(least_at(-WIDE, WIDE, SECTIONS, at)).max(0.0)
}

/// Returns ln E exp(x·(p − B)) for x ≥ 0 and B with P(B = 1) = p and P(B = 0) = 1 − p.
///
/// It is the largest for all B in [0, 1] with mean p, since exp is convex.
pub(crate) fn bernoulli(p: f64, x: f64) -> f64 {
    (x * p + (p * (-x).exp_m1()).ln_1p()).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ln of the number of ways to choose `k` of `n`.
    fn ln_choose(n: u32, k: u32) -> f64 {
        (1..=k).map(|i| (f64::from(n - k + i) / f64::from(i)).ln()).sum()
    }

    /// P(B ≤ most) for B binomial.
    fn binomial(n: u32, p: f64, most: f64) -> f64 {
        let terms = (0..=n).take_while(|k| f64::from(*k) <= most);
        let term = |k: u32| {
            (ln_choose(n, k) + f64::from(k) * p.ln() + f64::from(n - k) * (1.0 - p).ln()).exp()
        };
        terms.map(term).sum()
    }

    #[test]
    fn binomial_shares_are_missed_no_more_often_than_stated() {
        for (n, p) in [(10, 0.5), (40, 0.9), (300, 0.02), (1000, 0.3), (7, 0.05)] {
            for miss in [0.2, 0.05, 0.01, 1e-4] {
                let size = f64::from(n);
                let start = (size * 8.0).sqrt();
                let t = tail_bound(miss, start, |lambda| size * bernoulli(p, lambda / size));
                let missed = binomial(n, p, size * (p - t));
                assert!(missed <= miss, "{n} {p} {miss}: {missed} beyond {t}");
                // Hoeffding's inequality is Chernoff's for the worst p.
                assert!(t <= (-miss.ln() / (2.0 * size)).sqrt() * (1.0 + 1e-3), "{n} {p}: {t}");
                // Three fifths as far would not be enough, if misses are rare and the sum has a
                // standard deviation of many steps.
                let tight = miss < 0.1 && size * p * (1.0 - p) > 100.0;
                let shorter = binomial(n, p, size * (p - 0.6 * t));
                assert!(!tight || shorter > miss, "{n} {p} {miss}: {shorter} beyond 0.6·{t}");
            }
        }
    }
}
