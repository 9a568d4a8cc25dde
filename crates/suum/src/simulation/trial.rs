//! One trial: a mean or frequencies of made-up data, with floating-point noise.

use suum_core::{Method, Plan};

use super::{Data, Dice};

/// The position of each record's level, record by record.
struct Levels<'a> {
    plan: &'a Plan,
    position: usize,
    left: u64,
}

impl<'a> Levels<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            position: 0,
            left: plan.setting().profile.levels().first().map_or(0, |level| level.count),
        }
    }

    fn next(&mut self) -> usize {
        while self.left == 0 {
            self.position += 1;
            self.left =
                self.plan.setting().profile.levels().get(self.position).map_or(u64::MAX, |level| level.count);
        }
        self.left -= 1;
        self.position
    }
}

/// Estimate minus truth, in units of the data.
pub(super) fn mean(plan: &Plan, data: &Data<f64>, released: bool, dice: &mut Dice) -> f64 {
    let setting = plan.setting();
    let design = &plan.chosen().design;
    let weights = design.weights.per_level();
    let (bounds, records) = (setting.bounds, setting.profile.records() as usize);
    let budgets = setting.profile.levels();
    let mut levels = Levels::new(plan);
    let (mut estimate, mut sum) = (0.0, 0.0);
    data.visit(records, dice, |value, dice| {
        let position = levels.next();
        let value = bounds.clamp(value);
        sum += value;
        let share = (value - bounds.lower()) / bounds.width();
        let weight = weights[position];
        estimate += match &design.method {
            Method::Sample { keep, .. } if keep[position] <= 0.0 || dice.uniform() >= keep[position] => 0.0,
            // A kept record counts in full: its expected weight over its chance of being kept.
            Method::Sample { keep, .. } => weight / keep[position] * (share - 0.5),
            Method::Local if weight > 0.0 && !budgets[position].epsilon.is_public() => {
                weight * (share + dice.laplace(1.0 / budgets[position].epsilon.get()))
            }
            _ => weight * share,
        };
    });
    estimate += match &design.method {
        Method::LevelSums { betas } => level_noise(plan, betas, 1.0, dice),
        Method::Sample { .. } => 0.5 + dice.laplace(design.noise_scale(setting).unwrap_or(0.0)),
        _ => dice.laplace(design.noise_scale(setting).unwrap_or(0.0)),
    };
    let estimate = bounds.lower() + bounds.width() * estimate;
    let estimate = if released { bounds.clamp(estimate) } else { estimate };
    estimate - data.truth().and_then(|truth| truth.first().copied()).unwrap_or(sum / records as f64)
}

/// The largest absolute error over the categories.
pub(super) fn frequency(
    plan: &Plan,
    categories: usize,
    data: &Data<usize>,
    released: bool,
    dice: &mut Dice,
) -> f64 {
    let setting = plan.setting();
    let design = &plan.chosen().design;
    let weights = design.weights.per_level();
    let records = setting.profile.records() as usize;
    let budgets = setting.profile.levels();
    let mut levels = Levels::new(plan);
    let mut estimates = vec![0.0; categories];
    let mut counts = vec![0.0; categories];
    let mut kept = 0.0;
    data.visit(records, dice, |category, dice| {
        let position = levels.next();
        let category = category.min(categories - 1);
        counts[category] += 1.0;
        let weight = weights[position];
        match &design.method {
            Method::Sample { keep, .. } => {
                if keep[position] > 0.0 && dice.uniform() < keep[position] {
                    estimates[category] += weight / keep[position];
                    kept += weight / keep[position];
                }
            }
            Method::Local if weight > 0.0 && !budgets[position].epsilon.is_public() => {
                let epsilon = budgets[position].epsilon.get();
                let flip = 1.0 / (1.0 + (epsilon / 2.0).exp());
                let scale = weight / (epsilon / 4.0).tanh();
                for (candidate, estimate) in estimates.iter_mut().enumerate() {
                    let bit = (candidate == category) != (dice.uniform() < flip);
                    *estimate += scale * (f64::from(u8::from(bit)) - flip);
                }
            }
            _ => estimates[category] += weight,
        }
    });
    let truth = |category: usize| match data.truth() {
        Some(truth) => truth[category],
        None => counts[category] / records as f64,
    };
    let uniform = 1.0 / categories as f64;
    for estimate in &mut estimates {
        *estimate += match &design.method {
            Method::LevelSums { betas } => level_noise(plan, betas, 2.0, dice),
            Method::Sample { .. } => {
                uniform * (1.0 - kept) + dice.laplace(design.noise_scale(setting).unwrap_or(0.0))
            }
            Method::Local => 0.0,
            _ => dice.laplace(design.noise_scale(setting).unwrap_or(0.0)),
        };
    }
    if released {
        estimates = plan.request().options().post.apply(&estimates);
    }
    let errors = estimates.iter().enumerate().map(|(category, estimate)| (estimate - truth(category)).abs());
    errors.fold(0.0, f64::max)
}

/// The noises of all levels together, at the levels' own ε.
fn level_noise(plan: &Plan, betas: &[f64], sensitivity: f64, dice: &mut Dice) -> f64 {
    let levels = plan.setting().profile.levels();
    let noise = betas.iter().zip(levels).filter(|(beta, level)| **beta > 0.0 && !level.epsilon.is_public());
    noise
        .map(|(beta, level)| dice.laplace(beta * sensitivity / (level.count as f64 * level.epsilon.get())))
        .sum()
}
