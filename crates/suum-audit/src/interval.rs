//! Bounds on probabilities from counts: exact ones, and quick ones for the search.

use statrs::function::beta::checked_beta_reg;
use statrs::function::erf::erfc_inv;

/// Number of times that an event occurred in independent runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventCount {
    pub(crate) times: u64,
    pub(crate) runs: u64,
}

impl EventCount {
    /// Lower bound on the probability, which is wrong with a probability of at most `error`
    /// (Clopper and Pearson 1934).
    pub(crate) fn at_least(self, error: f64) -> f64 {
        if self.times == 0 {
            return 0.0;
        }
        // The p at which so many hits or more have probability `error`: I_p(k, n − k + 1).
        let (k, n) = (self.times as f64, self.runs as f64);
        bisect(|p| tail(k, n - k + 1.0, p) <= error).0
    }

    /// Upper bound on the probability, which is wrong with a probability of at most `error`.
    pub(crate) fn at_most(self, error: f64) -> f64 {
        1.0 - EventCount { times: self.runs - self.times, runs: self.runs }.at_least(error)
    }

    /// Approximation of [`at_least`](Self::at_least) and [`at_most`](Self::at_most) for an error at
    /// `deviations` standard deviations: Wilson's interval.
    pub(crate) fn wilson(self, deviations: f64) -> (f64, f64) {
        wilson(self.times as f64 / self.runs as f64, self.runs as f64, deviations)
    }
}

/// Wilson's interval around a share of `runs` runs.
pub(crate) fn wilson(share: f64, runs: f64, deviations: f64) -> (f64, f64) {
    let square = deviations * deviations / runs;
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = (square * (share * (1.0 - share) + square / 4.0)).sqrt() / (1.0 + square);
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// I_p(a, b); 1 for arguments out of range, so that a bound made with it is weaker, never stronger.
fn tail(a: f64, b: f64, p: f64) -> f64 {
    checked_beta_reg(a, b, p).unwrap_or(1.0)
}

/// Largest number in [0, 1] for which `holds` is true and the next one for which it is false, where
/// it changes once.
fn bisect(holds: impl Fn(f64) -> bool) -> (f64, f64) {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low, high)
}

/// Number of standard deviations that a normal variable exceeds with this probability, below 1/2.
pub(crate) fn deviations(error: f64) -> f64 {
    std::f64::consts::SQRT_2 * erfc_inv(2.0 * error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P(X = k) for n runs, from logarithms of factorials.
    fn binomial(n: u64, p: f64) -> Vec<f64> {
        let factorial = |k: u64| (1..=k).map(|i| (i as f64).ln()).sum::<f64>();
        (0..=n)
            .map(|k| {
                let choose = factorial(n) - factorial(k) - factorial(n - k);
                (choose + k as f64 * p.ln() + (n - k) as f64 * (-p).ln_1p()).exp()
            })
            .collect()
    }

    /// Checks for every p that the bound is wrong with a probability of at most the error, and for
    /// some p with nearly that.
    #[test]
    fn bounds_are_wrong_as_often_as_they_may_be() {
        for (runs, error) in [(1u64, 0.05), (7, 0.01), (60, 0.05), (400, 0.001)] {
            let bounds: Vec<(f64, f64)> = (0..=runs)
                .map(|times| {
                    (
                        EventCount { times, runs }.at_least(error),
                        EventCount { times, runs }.at_most(error),
                    )
                })
                .collect();
            let mut worst = 0.0f64;
            for step in 1..400 {
                let p = f64::from(step) / 400.0;
                let chances = binomial(runs, p);
                let wrong = |is_wrong: &dyn Fn(&(f64, f64)) -> bool| -> f64 {
                    bounds
                        .iter()
                        .zip(&chances)
                        .filter(|(b, _)| is_wrong(b))
                        .map(|(_, chance)| chance)
                        .sum()
                };
                let (low, high) = (wrong(&|(low, _)| *low > p), wrong(&|(_, high)| *high < p));
                assert!(
                    low <= error * (1.0 + 1e-9) && high <= error * (1.0 + 1e-9),
                    "{runs} {p}: {low} {high}"
                );
                worst = worst.max(low).max(high);
            }
            assert!(worst > 0.7 * error, "{runs}: the bound is loose, {worst} of {error}");
        }
    }

    #[test]
    fn the_ends_are_known() {
        let (none, all) =
            (EventCount { times: 0, runs: 100 }, EventCount { times: 100, runs: 100 });
        assert_eq!((none.at_least(0.01), all.at_most(0.01)), (0.0, 1.0));
        // P(no hit) = (1 − p)^100 = 0.01.
        assert!((none.at_most(0.01) - (1.0 - 0.01f64.powf(0.01))).abs() < 1e-12);
        assert!((all.at_least(0.01) - 0.01f64.powf(0.01)).abs() < 1e-12);
    }

    #[test]
    fn deviations_are_those_of_a_normal_number() {
        assert!((deviations(0.025) - 1.959_963_984_540_054).abs() < 1e-12);
        assert!((deviations(1e-6) - 4.753_424_308_822_899).abs() < 1e-10);
    }
}
