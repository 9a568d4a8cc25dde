//! Estimator `local`: every record is made private by itself, without a trusted curator (LDP in
//! CC24, Appendix L).
//!
//! For a mean each record gets Laplace noise of scale h/ε and weighs as in HPM-CP or HPM-UP, as
//! published. For a frequency each record's indicators are flipped with probability 1/(1 + e^{ε/2})
//! each (k-RAPPOR) and debiased.

use super::designs::Designs;
use super::{Design, HpVariant};
use crate::{Method, Setting, Target, Weights};

pub(super) fn design(setting: &Setting, designs: &Designs) -> Design {
    let weights = match setting.categories {
        None => {
            let published = if setting.target == Target::DatasetCorrelated {
                HpVariant::Cp
            } else {
                HpVariant::Up
            };
            published.design(setting, designs).weights
        }
        Some(categories) => rappor_weights(setting, categories as f64),
    };
    Design { weights, method: Method::Local, tau: None, objective: None }
}

/// Returns w ∝ 1/(n + ln(k/β)·c) for the distance objective n‖w − 1/n‖² + ln(k/β)·Σ w²c, or w ∝
/// 1/(1 + c) for the norm objective ln(k/β)·Σ w²(1 + c), whichever is smaller; c = coth(ε/4)/ε
/// (CC24 equations (148), (149)).
fn rappor_weights(setting: &Setting, categories: f64) -> Weights {
    let profile = &setting.profile;
    let n = setting.records();
    let factor = (categories / setting.beta).ln();
    let noise = |epsilon: f64| {
        if epsilon.is_infinite() { 0.0 } else { 1.0 / ((epsilon / 4.0).tanh() * epsilon) }
    };
    let by_distance =
        Weights::proportional_to(profile, |epsilon| 1.0 / (n + factor * noise(epsilon)));
    if setting.target == Target::DatasetCorrelated {
        return by_distance;
    }
    let by_norm = Weights::proportional_to(profile, |epsilon| 1.0 / (1.0 + noise(epsilon)));
    let noise_of = |weights: &Weights| {
        let terms = weights.per_level().iter().zip(profile.levels());
        terms
            .filter(|(weight, _)| **weight > 0.0)
            .map(|(weight, level)| {
                level.count as f64 * weight * weight * noise(level.epsilon.get())
            })
            .sum::<f64>()
    };
    let distance_objective =
        n * by_distance.squared_distance(profile) + factor * noise_of(&by_distance);
    let norm_objective = factor * (by_norm.squared_norm(profile) + noise_of(&by_norm));
    if norm_objective < distance_objective { by_norm } else { by_distance }
}
