//! Reference data for comparing estimators: the effect of a rank error on a quantile.
//!
//! The effect of a rank error depends on the data, which must not be read. So estimators are
//! compared on a public reference: normal data, eight standard deviations of which reach from the
//! middle to either bound. Its unit is that standard deviation.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Number of standard deviations of the reference between the middle and a bound.
pub(super) const HALF_WIDTH: f64 = 8.0;

/// The q-quantile of the reference, with the density there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference {
    z: f64,
    density: f64,
    q: f64,
}

/// Mean and mean square of an error, in units of the reference.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) square: f64,
}

impl Reference {
    pub(super) fn at(q: f64) -> Self {
        let (mut low, mut high) = (-HALF_WIDTH + 0.5, HALF_WIDTH - 0.5);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if 0.5 * libm::erfc(-middle * FRAC_1_SQRT_2) < q { low = middle } else { high = middle }
        }
        let z = 0.5 * (low + high);
        Self { z, density: (-z * z / 2.0).exp() / (2.0 * PI).sqrt(), q }
    }

    /// Returns the error of a choice with exp(−`budget`·|F(y) − q|/2) over all candidates y,
    /// `budget` = p·Σw.
    ///
    /// Near the quantile F is taken to be linear: the error is a Laplace distribution of scale
    /// 2/(budget·f), whose mass there is 4/(budget·f). Beyond the data F is 0 or 1, and all
    /// candidates up to the bound have mass exp(−budget·q/2) or exp(−budget·(1 − q)/2), which
    /// dominate for few people and wide bounds.
    pub(super) fn choice(self, budget: f64) -> Moments {
        if budget.is_infinite() {
            return Moments::default();
        }
        let slope = (budget * self.density).max(f64::MIN_POSITIVE);
        let core = (4.0 / slope).min(2.0 * HALF_WIDTH);
        let core_square = (8.0 / (slope * slope)).min(HALF_WIDTH * HALF_WIDTH / 3.0);
        let (left, right) = (HALF_WIDTH + self.z, HALF_WIDTH - self.z);
        let left_mass = left * (-budget * self.q / 2.0).exp();
        let right_mass = right * (-budget * (1.0 - self.q) / 2.0).exp();
        let all = core + left_mass + right_mass;
        Moments {
            mean: (right_mass * right - left_mass * left) / 2.0 / all,
            square: (core * core_square
                + left_mass * left * left / 3.0
                + right_mass * right * right / 3.0)
                / all,
        }
    }

    /// Converts a variance of the rank to units of the reference.
    pub(super) fn squared(self, rank_variance: f64) -> f64 {
        rank_variance / (self.density * self.density)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (q, z) in [(0.5, 0.0), (0.975, 1.959_963_984_540_054), (0.01, -2.326_347_874_040_841)] {
            assert!((Reference::at(q).z - z).abs() < 1e-9);
        }
    }

    /// E (y − z)² under exp(−budget·|Φ(y) − q|/2) by the midpoint rule.
    fn integrated(budget: f64, q: f64) -> f64 {
        let steps = 400_000;
        let z = Reference::at(q).z;
        let (mut mass, mut square) = (0.0, 0.0);
        for step in 0..steps {
            let y = -HALF_WIDTH + 2.0 * HALF_WIDTH * (f64::from(step) + 0.5) / f64::from(steps);
            let rank = 0.5 * libm::erfc(-y * FRAC_1_SQRT_2);
            let density = (-budget * (rank - q).abs() / 2.0).exp();
            mass += density;
            square += density * (y - z) * (y - z);
        }
        square / mass
    }

    #[test]
    fn the_formula_is_near_the_integral() {
        for q in [0.1, 0.5, 0.75] {
            for budget in [5.0, 10.0, 30.0, 60.0, 120.0, 500.0, 5000.0] {
                let (formula, exact) =
                    (Reference::at(q).choice(budget).square, integrated(budget, q));
                let ratio = (formula / exact).sqrt();
                assert!(
                    (0.5..2.0).contains(&ratio),
                    "q {q}, budget {budget}: {formula} against {exact}"
                );
            }
            let ratio = Reference::at(q).choice(2e4).square / integrated(2e4, q);
            assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
        }
    }
}
