//! The clip level that minimises ‖w‖₂² + c·max(w/ε)².

use crate::Profile;

/// τ of the L2 objective with noise factor `c` ≥ 0; ∞ if only public records are usable.
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

/// The same for (ε, count) in ascending order of ε > 0, where counts need not be whole.
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

#[cfg(test)]
mod tests {
    use super::*;

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
