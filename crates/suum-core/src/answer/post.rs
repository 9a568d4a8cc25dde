//! Post-processing of noisy frequencies, which costs no privacy.

use std::str::FromStr;

use serde::Serialize;

use crate::error::option;
use crate::{Error, Result};

/// Post-processing of noisy frequencies before they are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PostProcessing {
    /// Nearest nonnegative frequencies that add up to 1 (Euclidean projection).
    #[default]
    Simplex,
    /// Each frequency clamped to [0, 1] on its own, as published in CC24; they need not add up to
    /// 1.
    Clamp,
    /// Unchanged frequencies, which are unbiased and may be negative.
    None,
}

impl FromStr for PostProcessing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "simplex" => Ok(PostProcessing::Simplex),
            "clamp" => Ok(PostProcessing::Clamp),
            "none" => Ok(PostProcessing::None),
            _ => Err(Error::parameter(option::POST, "there is none of that name")
                .with_fix("choose simplex, clamp or none")),
        }
    }
}

impl PostProcessing {
    /// Returns the frequencies after post-processing, in the same order.
    ///
    /// # Example
    ///
    /// ```
    /// use suum_core::PostProcessing;
    ///
    /// assert_eq!(PostProcessing::Simplex.apply(&[0.75, 0.5, -0.2]), [0.625, 0.375, 0.0]);
    /// assert_eq!(PostProcessing::Clamp.apply(&[1.25, -0.5]), [1.0, 0.0]);
    /// ```
    pub fn apply(self, noisy: &[f64]) -> Vec<f64> {
        match self {
            PostProcessing::Simplex => project(noisy),
            PostProcessing::Clamp => noisy.iter().map(|share| share.clamp(0.0, 1.0)).collect(),
            PostProcessing::None => noisy.to_vec(),
        }
    }
}

/// Returns max(y − θ, 0) with the θ that makes the result add up to 1 (Held, Wolfe and Crowder
/// 1974).
fn project(noisy: &[f64]) -> Vec<f64> {
    // Shifting all shares does not change the projection. With the largest at zero, nothing huge is
    // added to 1.
    let largest = noisy.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let noisy: Vec<f64> = noisy.iter().map(|share| share - largest).collect();
    let mut sorted = noisy.clone();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut theta) = (0.0, f64::NEG_INFINITY);
    for (index, share) in sorted.iter().enumerate() {
        sum += share;
        let candidate = (sum - 1.0) / (index + 1) as f64;
        if candidate >= *share {
            break;
        }
        theta = candidate;
    }
    noisy.iter().map(|share| (share - theta).max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn projection_survives_any_noise(
            noisy in prop::collection::vec((-1.0..1.0_f64, 0..120), 2..12),
        ) {
            let noisy: Vec<f64> =
                noisy.into_iter().map(|(share, power)| share * 10f64.powi(power)).collect();
            let projected = PostProcessing::Simplex.apply(&noisy);
            prop_assert!(
                projected.iter().all(|share| (0.0..=1.0 + 1e-9).contains(share)),
                "{:?}",
                projected
            );
            prop_assert!((projected.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", projected);
        }

        #[test]
        fn projection_is_on_the_simplex_and_nearest(
            noisy in prop::collection::vec(-3.0..3.0_f64, 2..12),
            other in prop::collection::vec(0.0..1.0_f64, 12),
        ) {
            let projected = PostProcessing::Simplex.apply(&noisy);
            prop_assert!(projected.iter().all(|share| *share >= 0.0));
            prop_assert!((projected.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let total: f64 = other[..noisy.len()].iter().sum::<f64>() + 1e-9;
            let distance =
                |a: &[f64]| a.iter().zip(&noisy).map(|(x, y)| (x - y).powi(2)).sum::<f64>();
            let elsewhere: Vec<f64> = other[..noisy.len()]
                .iter()
                .map(|x| (x + 1e-9 / noisy.len() as f64) / total)
                .collect();
            prop_assert!(distance(&projected) <= distance(&elsewhere) + 1e-9);
        }
    }
}
