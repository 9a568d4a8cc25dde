//! Clip level that minimises ‖w‖₂² + c·max(w/ε)².

use crate::{Level, Profile};

/// Returns τ of the L2 objective with noise factor `c` ≥ 0; ∞ if only public records are usable.
///
/// The levels are taken in ascending order of ε. With s = Σε and q = Σε² over the records taken so
/// far, the first level with ε ≥ (q + c)/s saturates, τ = (q + c)/s, and all later levels get τ. If
/// none saturates, the same formula over all records gives the budget from which on a further
/// person would saturate. Level by level is exact: once one record below the cap is taken, the cap
/// stays above its ε. (CC23 Lemma 3, generalised to any number of levels; sums of positive terms
/// only.)
pub(crate) fn clip_level(profile: &Profile, c: f64) -> f64 {
    clip_level_of(profile.usable().iter().map(|level| (level.epsilon.get(), level.count as f64)), c)
}

/// Returns τ for pairs (ε, count) in ascending order of ε > 0, where counts need not be whole.
pub(crate) fn clip_level_of(levels: impl IntoIterator<Item = (f64, f64)>, c: f64) -> f64 {
    let (mut s, mut q, mut tau) = (0.0, 0.0, f64::INFINITY);
    for (epsilon, count) in levels {
        if epsilon >= tau || epsilon.is_infinite() {
            break;
        }
        s += count * epsilon;
        q += count * epsilon * epsilon;
        tau = (q + c) / s;
    }
    tau
}

/// Sums over the first levels of a profile, to find the clip level of any noise factor by a search,
/// with the result of [`clip_level`], which goes through the levels.
#[derive(Debug, Clone)]
pub(crate) struct PowerSums {
    /// Finite usable budgets in ascending order, each with the sums before it.
    levels: Vec<(f64, Powers)>,
    all: Powers,
    public: f64,
}

/// Number of records, Σε and Σε².
#[derive(Debug, Clone, Copy, Default)]
struct Powers {
    count: f64,
    s: f64,
    q: f64,
}

impl PowerSums {
    pub(crate) fn new(profile: &Profile) -> Self {
        let mut all = Powers::default();
        let (usable, count) = (profile.usable(), |level: &Level| level.count as f64);
        let finite = usable.iter().filter(|level| !level.epsilon.is_public());
        let levels = finite.map(|level| {
            let (epsilon, count, before) = (level.epsilon.get(), count(level), all);
            all.count += count;
            all.s += count * epsilon;
            all.q += count * epsilon * epsilon;
            (epsilon, before)
        });
        let levels = levels.collect();
        let public = usable.iter().filter(|level| level.epsilon.is_public()).map(count).sum();
        Self { levels, all, public }
    }

    /// Returns τ of the L2 objective with noise factor `c` ≥ 0; ∞ if only public records are
    /// usable.
    pub(crate) fn clip_level(&self, c: f64) -> f64 {
        let tau = |powers: &Powers| match powers.s > 0.0 {
            true => (powers.q + c) / powers.s,
            false => f64::INFINITY,
        };
        // Once a level is above τ, all following ones are, because it is then above the next τ as
        // well.
        tau(self.before(|epsilon, before| epsilon < tau(before)))
    }

    /// Returns Σ r and Σ r² with r = min(sε, τ) over the usable records, where `share` is s.
    pub(crate) fn clipped(&self, share: f64, tau: f64) -> [f64; 2] {
        let below = self.before(|epsilon, _| share * epsilon < tau);
        let above = self.all.count - below.count + self.public;
        // Avoids 0·∞, which is NaN, if τ is ∞.
        let clipped = |power: f64| if above > 0.0 { above * power } else { 0.0 };
        [share * below.s + clipped(tau), share * share * below.q + clipped(tau * tau)]
    }

    /// Returns the number of usable records.
    pub(crate) fn usable(&self) -> f64 {
        self.all.count + self.public
    }

    /// Returns the sums over the first levels, for which `holds` is true.
    fn before(&self, holds: impl Fn(f64, &Powers) -> bool) -> &Powers {
        let at = self.levels.partition_point(|(epsilon, before)| holds(*epsilon, before));
        self.levels.get(at).map_or(&self.all, |(_, before)| before)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::any_profile::any_profile;
    use super::*;

    proptest! {
        /// The search agrees with a pass over all levels to the last digit, since sums are added up
        /// in the same order.
        #[test]
        fn a_search_finds_what_one_level_after_the_other_does(
            profile in any_profile(),
            log in -12.0f64..12.0,
            share in 0.001f64..1.0,
        ) {
            let sums = PowerSums::new(&profile);
            let tau = sums.clip_level(log.exp());
            prop_assert_eq!(tau, clip_level(&profile, log.exp()));
            let each = |power: i32| -> f64 {
                let spent = |level: &Level| (share * level.epsilon.get()).min(tau).powi(power);
                profile.usable().iter().map(|level| level.count as f64 * spent(level)).sum()
            };
            for (sum, power) in sums.clipped(share, tau).into_iter().zip([1, 2]) {
                prop_assert!((sum - each(power)).abs() < 1e-12 * sum, "{sum} {}", each(power));
            }
            prop_assert_eq!(sums.usable(), each(0));
        }
    }

    #[test]
    fn two_levels_as_published() {
        // CC23 Table I: the second group saturates at ε₁ + 8/(n₁ε₁).
        let (n1, epsilon1) = (1000.0, 0.1);
        let critical = epsilon1 + 8.0 / (n1 * epsilon1);
        let tau = clip_level(&"0.1:1000,5:10".parse().unwrap(), 8.0);
        assert!((tau - critical).abs() < 1e-15);
        assert_eq!(clip_level(&"inf:3,0:2".parse().unwrap(), 8.0), f64::INFINITY);
    }
}
