//! Estimator `mixed`: each level answers by itself at its own ε; the answers are combined by
//! inverse variance (FGK21; with the worst-case variance, LDPE in CC23).

use super::Design;
use crate::{Method, Setting, Weights};

/// Returns the design with β_j ∝ 1/Var_j and Var_j = σ²/n_j + 2h²/(n_j·ε_j)², for a frequency with
/// the noise moment in place of 2.
pub(super) fn design(setting: &Setting) -> Design {
    let (variance, noise) = (setting.relative_variance(), setting.independent_noise_factor());
    let precisions: Vec<f64> = setting
        .profile
        .levels()
        .iter()
        .map(|level| {
            let (n, epsilon) = (level.count as f64, level.epsilon.get());
            // n²/(n·σ² + 2/ε²) without overflow at tiny ε; zero for unused levels.
            if level.epsilon.is_unused() {
                0.0
            } else {
                n * n / (n * variance + noise / (epsilon * epsilon))
            }
        })
        .collect();
    let total: f64 = precisions.iter().sum();
    let level_weights: Vec<f64> = precisions.iter().map(|precision| precision / total).collect();
    let per_record = level_weights
        .iter()
        .zip(setting.profile.levels())
        .map(|(level_weight, level)| level_weight / level.count as f64);
    let weights = Weights::from_levels(&setting.profile, per_record.collect());
    Design { weights, method: Method::LevelLaplace { level_weights }, tau: None, objective: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Target};

    #[test]
    fn risk_is_the_inverse_of_the_summed_precisions() {
        let setting =
            Setting::new("0.1:500,1:40,inf:3".parse().unwrap(), Bounds::UNIT, Target::Population);
        let precisions: f64 = [(500.0, 0.1), (40.0, 1.0)]
            .iter()
            .map(|(n, e): &(f64, f64)| 1.0 / (0.25 / n + 2.0 / (n * e).powi(2)))
            .sum();
        let risk = 1.0 / (precisions + 3.0 / 0.25);
        assert!((design(&setting).risk(&setting).total() / risk - 1.0).abs() < 1e-12);
    }
}
