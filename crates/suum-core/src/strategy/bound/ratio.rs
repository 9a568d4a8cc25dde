//! Bound on the ratio of the risks of a single threshold and of affine weights.

use crate::Profile;

/// Returns an upper bound on risk(`threshold`)/risk(`affine`) for the target `population`, at least
/// 1.
///
/// At most 2 for one private level and public records (CZ26 Theorem 1), 4 for two private levels
/// (Theorem 2) and min(m², (1 + log₂ n)²) for m levels of n usable records (Theorem 4). Any
/// declared variance only rescales ε, so the bounds hold for it as well.
///
/// # Example
///
/// ```
/// use suum_core::threshold_ratio_bound;
///
/// assert_eq!(threshold_ratio_bound(&"0.001:10000,inf:12".parse()?), 2.0);
/// assert_eq!(threshold_ratio_bound(&"0.1:1,0.2:1,0.3:1,0.4:1".parse()?), 9.0);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn threshold_ratio_bound(profile: &Profile) -> f64 {
    let usable = profile.usable();
    let levels = usable.len() as f64;
    let public = usable.last().is_some_and(|level| level.epsilon.is_public());
    if usable.len() == 2 && public {
        return 2.0;
    }
    let records = usable.iter().map(|level| level.count).sum::<u64>() as f64;
    let by_records = 1.0 + records.max(1.0).log2();
    (levels * levels).min(by_records * by_records).max(1.0)
}
