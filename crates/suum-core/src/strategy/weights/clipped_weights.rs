//! Norms and noise of clipped weights at any clip level, computed from sums over the levels.

use crate::Profile;
use crate::arithmetic::double_double::DoubleDouble;

/// Sums over the levels of a profile, to search for a clip level: each evaluation is a binary
/// search among the budgets. The result is planned with
/// [`Weights::clipped`](super::Weights::clipped).
#[derive(Debug, Clone)]
pub(crate) struct ClippedSums {
    /// Finite usable budgets in ascending order; with strata some occur repeatedly.
    budgets: Vec<f64>,
    /// Sums over the records before each of these levels, and then over all of them.
    before: Vec<Before>,
    /// Number n of records.
    records: u64,
    public: u64,
}

/// Sums over the records of some levels.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    records: u64,
    /// Σε, and Σε².
    sum: DoubleDouble,
    square: DoubleDouble,
}

/// Weights min(ε, τ)/Σ min(ε, τ).
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClippedWeights<'a> {
    sums: &'a ClippedSums,
    /// Σ min(ε, τ), and Σ min(ε, τ)².
    sum: DoubleDouble,
    square: DoubleDouble,
    tau: f64,
}

impl ClippedSums {
    pub(crate) fn new(profile: &Profile) -> Self {
        let finite = profile.usable().iter().filter(|level| !level.epsilon.is_public());
        let mut budgets = Vec::with_capacity(profile.levels().len());
        let mut before = Vec::with_capacity(profile.levels().len() + 1);
        let mut here = Before::default();
        for level in finite {
            budgets.push(level.epsilon.get());
            before.push(here);
            let epsilon = DoubleDouble::from(level.epsilon.get());
            let sum = DoubleDouble::product(level.count as f64, level.epsilon.get());
            here = Before {
                records: here.records + level.count,
                sum: here.sum + sum,
                square: here.square + sum * epsilon,
            };
        }
        before.push(here);
        let public = profile.levels().iter().filter(|level| level.epsilon.is_public());
        let public = public.map(|level| level.count).sum();
        Self { budgets, before, records: profile.records(), public }
    }

    /// Returns the weights at this clip level, which must be finite.
    pub(crate) fn at(&self, tau: f64) -> ClippedWeights<'_> {
        let below = self.before(|budget| budget < tau);
        let above = self.before.last().map_or(0, |all| all.records) - below.records + self.public;
        let clipped = DoubleDouble::product(above as f64, tau);
        let sum = below.sum + clipped;
        let square = below.square + clipped * DoubleDouble::from(tau);
        ClippedWeights { sums: self, sum, square, tau }
    }

    /// Returns the sums over the first levels, for which `holds` is true.
    fn before(&self, holds: impl Fn(f64) -> bool) -> Before {
        let at = self.budgets.partition_point(|budget| holds(*budget));
        self.before.get(at).copied().unwrap_or_default()
    }
}

impl ClippedWeights<'_> {
    /// Returns max w/ε over the finite levels: [`Weights::noise`](super::Weights::noise).
    pub(crate) fn noise(&self) -> f64 {
        let most = |least: &f64| least.min(self.tau) / least / self.sum.get();
        self.sums.budgets.first().map_or(0.0, most)
    }

    /// Returns max w.
    pub(crate) fn largest(&self) -> f64 {
        let finite = self.sums.budgets.last().copied().unwrap_or(0.0);
        let most = if self.sums.public > 0 { f64::INFINITY } else { finite };
        most.min(self.tau) / self.sum.get()
    }

    /// Returns ‖w‖₂².
    pub(crate) fn squared_norm(&self) -> f64 {
        (self.square / (self.sum * self.sum)).get()
    }

    /// Returns ‖w − 1/n‖₂² = (n·Σ min(ε, τ)² − (Σ min(ε, τ))²)/(n·(Σ min(ε, τ))²).
    pub(crate) fn squared_distance(&self) -> f64 {
        let (n, all) = (self.records(), self.sum * self.sum);
        ((n * self.square - all) / (n * all)).get().max(0.0)
    }

    /// Returns ‖w − 1/n‖₁, which is twice the deficit of the records that weigh less than 1/n.
    pub(crate) fn distance(&self) -> f64 {
        let n = self.records();
        let equal = (self.sum / n).get();
        let less = self.sums.before(|budget| budget < equal);
        let finite = self.sums.before.last().map_or(0, |all| all.records);
        let unused = self.sums.records - finite - self.sums.public;
        let many = DoubleDouble::from((less.records + unused) as f64);
        2.0 * (many / n - less.sum / self.sum).get().max(0.0)
    }

    fn records(&self) -> DoubleDouble {
        DoubleDouble::from(self.sums.records as f64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::any_profile::any_profile;
    use super::*;
    use crate::Weights;

    proptest! {
        /// All of it is what weights come to that are made level by level.
        #[test]
        fn sums_are_those_of_the_weights(
            profile in any_profile(),
            log in -8.0f64..8.0,
        ) {
            let weights = Weights::clipped(&profile, log.exp());
            let sums = ClippedSums::new(&profile);
            let clipped = sums.at(log.exp());
            for (name, one, other) in [
                ("noise", clipped.noise(), weights.noise(&profile)),
                ("norm", clipped.squared_norm(), weights.squared_norm(&profile)),
                ("far", clipped.squared_distance(), weights.squared_distance(&profile)),
                ("l1", clipped.distance(), weights.distance(&profile)),
            ] {
                let is_same = (one - other).abs() <= 1e-12 * other + 1e-28;
                prop_assert!(is_same, "{}: {} {}", name, one, other);
            }
        }
    }

    /// Distances are exactly zero for equal budgets, and keep their digits for nearly equal ones.
    #[test]
    fn small_distances_keep_their_digits() {
        let profile: Profile = "1:1000000000,1.000001:1".parse().unwrap();
        let sums = ClippedSums::new(&profile);
        assert_eq!((sums.at(1.0).squared_distance(), sums.at(1.0).distance()), (0.0, 0.0));
        let weights = Weights::clipped(&profile, 2.0);
        let (one, other) = (sums.at(2.0).squared_distance(), weights.squared_distance(&profile));
        assert!((one / other - 1.0).abs() < 1e-9, "{one} {other}");
        let (one, other) = (sums.at(2.0).distance(), weights.distance(&profile));
        assert!((one / other - 1.0).abs() < 1e-9, "{one} {other}");
    }
}
