//! One trial: a mean or frequencies of made-up data, with floating-point noise.

use suum_core::{Design, Method, WeightedPlan};

use super::Dice;

/// Position of every level, with the values of its records.
fn by_level<'a, T>(
    plan: &'a WeightedPlan,
    values: &'a [T],
) -> impl Iterator<Item = (usize, &'a [T])> {
    let mut start = 0;
    plan.setting().profile.levels().iter().enumerate().map(move |(position, level)| {
        let end = start + level.count as usize;
        let records = &values[start..end];
        start = end;
        (position, records)
    })
}

/// Estimate minus truth, in units of the data; without a truth it is that of the values. There is a
/// value for every record.
pub(super) fn mean(
    plan: &WeightedPlan,
    design: &Design,
    values: &[f64],
    truth: Option<&[f64]>,
    released: bool,
    dice: &mut Dice,
) -> f64 {
    let setting = plan.setting();
    let weights = design.weights.per_level();
    let bounds = setting.bounds;
    let budgets = setting.profile.levels();
    let share = |value: &f64| (bounds.clamp(*value) - bounds.lower()) / bounds.width();
    let mut estimate = 0.0;
    for (position, values) in by_level(plan, values) {
        let weight = weights[position];
        estimate += match &design.method {
            Method::Sample { sampling_probabilities, .. } => {
                let probability = sampling_probabilities[position];
                let kept = values.iter().filter(|_| {
                    probability >= 1.0 || (probability > 0.0 && dice.uniform() < probability)
                });
                // A kept record counts in full: its expected weight over its chance of being kept.
                let sum: f64 = kept.map(|value| share(value) - 0.5).sum();
                if probability > 0.0 { weight / probability * sum } else { 0.0 }
            }
            Method::Local if weight > 0.0 && !budgets[position].epsilon.is_public() => {
                let scale = 1.0 / budgets[position].epsilon.get();
                weight * values.iter().map(|value| share(value) + dice.laplace(scale)).sum::<f64>()
            }
            _ => weight * values.iter().map(share).sum::<f64>(),
        };
    }
    estimate += match &design.method {
        Method::LevelLaplace { level_weights } => level_noise(plan, level_weights, 1.0, dice),
        Method::Sample { .. } => 0.5 + dice.laplace(design.noise_scale(setting).unwrap_or(0.0)),
        Method::Local => 0.0,
        _ => dice.laplace(design.noise_scale(setting).unwrap_or(0.0)),
    };
    let estimate = bounds.lower() + bounds.width() * estimate;
    let estimate = if released { bounds.clamp(estimate) } else { estimate };
    let of_values =
        || values.iter().map(|value| bounds.clamp(*value)).sum::<f64>() / values.len() as f64;
    estimate - truth.and_then(|truth| truth.first().copied()).unwrap_or_else(of_values)
}

/// Largest absolute error over the categories; without a truth it is that of the values. There is a
/// value for every record, and all are categories of the plan.
pub(super) fn frequency(
    plan: &WeightedPlan,
    design: &Design,
    values: &[usize],
    truth: Option<&[f64]>,
    released: bool,
    dice: &mut Dice,
) -> f64 {
    let setting = plan.setting();
    let categories = setting.categories.unwrap_or(1);
    let weights = design.weights.per_level();
    let budgets = setting.profile.levels();
    let mut estimates = vec![0.0; categories];
    let mut kept = 0.0;
    for (position, values) in by_level(plan, values) {
        let weight = weights[position];
        match &design.method {
            Method::Sample { sampling_probabilities, .. } => {
                let probability = sampling_probabilities[position];
                for category in values {
                    if probability >= 1.0 || (probability > 0.0 && dice.uniform() < probability) {
                        estimates[*category] += weight / probability;
                        kept += weight / probability;
                    }
                }
            }
            Method::Local if weight > 0.0 && !budgets[position].epsilon.is_public() => {
                let epsilon = budgets[position].epsilon.get();
                let flip = 1.0 / (1.0 + (epsilon / 2.0).exp());
                let scale = weight / (epsilon / 4.0).tanh();
                for category in values {
                    for (candidate, estimate) in estimates.iter_mut().enumerate() {
                        let bit = (candidate == *category) != (dice.uniform() < flip);
                        *estimate += scale * (f64::from(u8::from(bit)) - flip);
                    }
                }
            }
            _ => values.iter().for_each(|category| estimates[*category] += weight),
        }
    }
    let uniform = 1.0 / categories as f64;
    let scale = design.noise_scale(setting).unwrap_or(0.0);
    if design.method == Method::WeightedSum {
        for (estimate, noise) in estimates.iter_mut().zip(sum_zero(categories, scale, dice)) {
            *estimate += noise;
        }
    }
    for estimate in &mut estimates {
        *estimate += match &design.method {
            Method::LevelLaplace { level_weights } => level_noise(plan, level_weights, 2.0, dice),
            Method::Sample { .. } => uniform * (1.0 - kept) + dice.laplace(scale),
            Method::Local | Method::WeightedSum => 0.0,
            _ => dice.laplace(scale),
        };
    }
    if released {
        estimates = plan.request().options().post.apply(&estimates);
    }
    let furthest = |truth: &[f64]| {
        let errors = estimates.iter().zip(truth).map(|(estimate, truth)| (estimate - truth).abs());
        errors.fold(0.0, f64::max)
    };
    match truth {
        Some(truth) => furthest(truth),
        None => {
            let mut shares = vec![0.0; categories];
            values.iter().for_each(|category| shares[*category] += 1.0 / values.len() as f64);
            furthest(&shares)
        }
    }
}

/// Draws noises that add up to zero, with a density proportional to exp(−Σ|z|/(2·scale)).
///
/// Half of Σ|z| is Gamma(k − 1) distributed; the number of positive ones is distributed as the
/// number of marked ones among k − 1 items drawn from 2k − 2, of which k are marked; and given
/// that, the positive and the negative ones each divide that half uniformly.
fn sum_zero(categories: usize, scale: f64, dice: &mut Dice) -> Vec<f64> {
    let exponential = |dice: &mut Dice| -(1.0 - dice.uniform()).ln();
    let half: f64 = (1..categories).map(|_| scale * exponential(dice)).sum();
    let mut marked = categories;
    for drawn in 0..categories - 1 {
        marked -= usize::from(dice.below(2 * categories - 2 - drawn) < marked);
    }
    let mut positive = categories - marked;
    let mut sums = [0.0, 0.0];
    let parts: Vec<(usize, f64)> = (0..categories)
        .map(|at| {
            let is_positive = dice.below(categories - at) < positive;
            positive -= usize::from(is_positive);
            let part = exponential(dice);
            sums[usize::from(is_positive)] += part;
            (usize::from(is_positive), part)
        })
        .collect();
    let share = |(side, part): (usize, f64)| {
        if side == 1 { half * part / sums[1] } else { -half * part / sums[0] }
    };
    parts.into_iter().map(share).collect()
}

/// Noises of all levels together, at the levels' own ε.
fn level_noise(
    plan: &WeightedPlan,
    level_weights: &[f64],
    sensitivity: f64,
    dice: &mut Dice,
) -> f64 {
    let levels = plan.setting().profile.levels();
    let noise = level_weights
        .iter()
        .zip(levels)
        .filter(|(level_weight, level)| **level_weight > 0.0 && !level.epsilon.is_public());
    noise
        .map(|(level_weight, level)| {
            dice.laplace(level_weight * sensitivity / (level.count as f64 * level.epsilon.get()))
        })
        .sum()
}
