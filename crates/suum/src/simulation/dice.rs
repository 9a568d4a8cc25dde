//! Random numbers for simulation: fast, seeded, in floating point.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Seeded stream of random numbers. Never the noise of a release.
#[derive(Debug, Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Creates stream number `stream` of a seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// Returns a uniform number in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a uniform integer below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Returns a Laplace variable of the given scale, by inversion.
    pub fn laplace(&mut self, scale: f64) -> f64 {
        let centred = self.uniform() - 0.5;
        -scale * centred.signum() * (1.0 - 2.0 * centred.abs()).max(f64::MIN_POSITIVE).ln()
    }

    /// Returns a standard normal variable (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.uniform()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_right() {
        let mut dice = Dice::new(3, 0);
        let n = 200_000;
        let mean =
            |draw: &mut dyn FnMut() -> f64| (0..n).map(|_| draw()).sum::<f64>() / f64::from(n);
        // Each within five standard errors of its expectation: false alarms of 6e-7 each.
        assert!(
            (mean(&mut || dice.uniform()) - 0.5).abs()
                < 5.0 * (1.0f64 / 12.0 / f64::from(n)).sqrt()
        );
        assert!(
            (mean(&mut || dice.laplace(2.0).powi(2)) - 8.0).abs()
                < 5.0 * (320.0 / f64::from(n)).sqrt()
        );
        assert!(
            (mean(&mut || dice.normal().powi(2)) - 1.0).abs() < 5.0 * (2.0 / f64::from(n)).sqrt()
        );
        assert!(
            (mean(&mut || dice.below(5) as f64) - 2.0).abs() < 5.0 * (2.0 / f64::from(n)).sqrt()
        );
    }
}
