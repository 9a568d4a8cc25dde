//! How the estimators of quantiles are compared, from public facts.

use super::candidate::{QuantileCandidate, RankError};
use super::division::Division;
use super::reference::{Moments, REACH, Reference};
use super::{QuantileEstimator, QuantileRequest};
use crate::least::{first_least, least_at};
use crate::weights::Filled;
use crate::{Bounds, Epsilon, Error, Estimator, Method, Profile, Result, Setting, Target, Weights};

/// What estimators are compared on.
pub(super) struct Comparison<'a> {
    request: &'a QuantileRequest,
    setting: &'a Setting,
    division: &'a Division,
    /// The share of the budget that is for the estimates.
    share: f64,
    /// For each quantile q, the reference.
    references: Vec<(f64, Reference)>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(
        request: &'a QuantileRequest,
        setting: &'a Setting,
        interval_share: f64,
        division: &'a Division,
    ) -> Self {
        let each = request.ranks().iter();
        let references = each.map(|rank| (rank.get(), Reference::at(rank.get()))).collect();
        let share = 1.0 - interval_share;
        Self { request, setting, division, share, references }
    }

    /// All estimators that apply: in strata the one that keeps their shares.
    pub(super) fn candidates(&self) -> Result<Vec<QuantileCandidate>> {
        let keeps = |estimator: &QuantileEstimator| {
            self.setting.strata.is_empty() || *estimator == QuantileEstimator::Weighted
        };
        let estimators = QuantileEstimator::ALL.into_iter().filter(keeps);
        estimators.map(|estimator| self.candidate(estimator)).collect()
    }

    fn candidate(&self, estimator: QuantileEstimator) -> Result<QuantileCandidate> {
        match estimator {
            QuantileEstimator::Weighted if !self.setting.strata.is_empty() => Ok(self.stratified()),
            QuantileEstimator::Weighted => Ok(self.clipped(estimator, self.best_tau())),
            QuantileEstimator::Pe => Ok(self.clipped(estimator, f64::INFINITY)),
            QuantileEstimator::Mixed => self.mixed(),
        }
    }

    fn clipped(&self, estimator: QuantileEstimator, tau: f64) -> QuantileCandidate {
        let clipped = Weights::clipped(self.profile(), tau);
        self.of_weights(estimator, clipped, tau.is_finite().then_some(tau))
    }

    /// Weights that keep the shares of strata, at the noise level of least risk.
    fn stratified(&self) -> QuantileCandidate {
        let strata = Filled::new(self.profile(), &self.setting.strata);
        let at = |t: f64| self.of_weights(QuantileEstimator::Weighted, strata.weights(t), None);
        let Some((low, high)) = strata.noise_levels() else { return at(0.0) };
        let found = least_of(low, high, |t| at(t).risk);
        // The least level is none, where all strata have public records.
        let levels = [found.clamp(low, high), strata.least_noise(), high];
        at(levels[first_least(levels.map(|t| at(t).risk))])
    }

    fn of_weights(
        &self,
        estimator: QuantileEstimator,
        weights: Weights,
        tau: Option<f64>,
    ) -> QuantileCandidate {
        let spread = self.spread(&weights);
        let all = weights.noise(self.profile());
        let budgets = self.division.budgets(self.request.ranks(), all, self.share);
        let risk =
            self.average(&budgets, |reference, budget| reference.choice(budget).square, spread);
        let budget = budgets.into_iter().fold(f64::INFINITY, f64::min);
        let noise = if budget.is_infinite() { 0.0 } else { 8.0 / (budget * budget) };
        let rank_error = RankError { noise, sampling: self.most_sampling(spread) };
        QuantileCandidate { estimator, weights, betas: None, tau, rank_error, risk }
    }

    fn mixed(&self) -> Result<QuantileCandidate> {
        // The weights of the mixed mean at the worst-case variance, as published.
        let setting = Setting::new(self.profile().clone(), Bounds::UNIT, self.setting.target);
        let design = Estimator::Mixed.design(&setting)?;
        let Method::LevelSums { betas } = design.method else {
            return Err(Error::internal("internal error: mixed has no weights for its levels"));
        };
        let spread = self.spread(&design.weights);
        let levels = || betas.iter().zip(self.profile().levels()).filter(|(beta, _)| **beta > 0.0);
        let budget =
            |part: f64, level: &crate::Level| part * level.count as f64 * level.epsilon.get();
        // A histogram has no levels of their own: for it this is the even split.
        let division = match self.division {
            Division::Histogram { .. } => &Division::Even,
            division => division,
        };
        let parts = division.budgets(self.request.ranks(), 1.0, self.share);
        let least = parts.iter().copied().fold(f64::INFINITY, f64::min);
        let risk = self.average(
            &parts,
            |reference, part| {
                // Independent errors: their variances add up, and so do their means.
                let (mut mean, mut variance) = (0.0, 0.0);
                for (beta, level) in levels() {
                    let Moments { mean: bias, square } = reference.choice(budget(part, level));
                    mean += beta * bias;
                    variance += beta * beta * (square - bias * bias).max(0.0);
                }
                mean * mean + variance
            },
            spread,
        );
        let noise = levels()
            .filter(|(_, level)| !level.epsilon.is_public())
            .map(|(beta, level)| {
                let noise = beta / budget(least, level);
                8.0 * noise * noise
            })
            .sum();
        let rank_error = RankError { noise, sampling: self.most_sampling(spread) };
        let estimator = QuantileEstimator::Mixed;
        Ok(QuantileCandidate {
            estimator,
            weights: design.weights,
            betas: Some(betas),
            tau: None,
            rank_error,
            risk,
        })
    }

    /// The sampling variance of a rank with q(1 − q) = 1, or for correlated records that of any
    /// rank.
    fn spread(&self, weights: &Weights) -> f64 {
        spread(weights, self.setting)
    }

    fn most_sampling(&self, spread: f64) -> f64 {
        let nearest =
            self.references.iter().map(|(q, ..)| sampling(*q, spread, self.setting.target));
        nearest.fold(0.0, f64::max)
    }

    /// The mean over the quantiles of noise and sampling, in squared units of the data.
    fn average(&self, budgets: &[f64], noise: impl Fn(&Reference, f64) -> f64, spread: f64) -> f64 {
        let each = self.references.iter().zip(budgets).map(|((q, reference), budget)| {
            let sampling =
                reference.squared(sampling(*q, spread, self.setting.target)).min(REACH * REACH);
            noise(reference, *budget) + sampling
        });
        let unit = self.setting.bounds.width() / (2.0 * REACH);
        each.sum::<f64>() / self.references.len() as f64 * unit * unit
    }

    /// τ of least risk, by a search that starts from the budgets there are.
    fn best_tau(&self) -> f64 {
        let finite =
            || self.profile().usable().iter().map(|level| level.epsilon).filter(|e| !e.is_public());
        let (Some(least), Some(most)) = (finite().next(), finite().next_back()) else {
            return f64::INFINITY;
        };
        let (least, most) = (least.get(), most.get());
        // With so much weight for each public record the noise is far below their sampling error.
        let all: f64 = self
            .profile()
            .usable()
            .iter()
            .filter(|level| !level.epsilon.is_public())
            .map(|level| level.count as f64 * level.epsilon.get())
            .sum();
        let parts = self.division.budgets(self.request.ranks(), 1.0, self.share);
        let part = parts.into_iter().fold(f64::INFINITY, f64::min);
        let top = match self.profile().levels().last() {
            Some(level) if level.epsilon.is_public() => most
                .max(1e3 / (part * level.count as f64))
                .max(1e3 * all / level.count as f64)
                .max(1e3),
            _ => most,
        };
        let risk = |tau: f64| self.clipped(QuantileEstimator::Weighted, tau).risk;
        least_of(least, top, risk)
    }

    fn profile(&self) -> &'a Profile {
        &self.setting.profile
    }
}

/// Where the risk is least between these two, on a logarithmic scale.
fn least_of(least: f64, top: f64, risk: impl Fn(f64) -> f64) -> f64 {
    let (low, high) = (least.ln(), top.min(Epsilon::MAX).ln());
    if high - low < 1e-12 {
        return top;
    }
    let step = (high - low) / f64::from(GRID);
    let at = |index: i32| (low + step * f64::from(index)).exp();
    let best = first_least((0..=GRID).map(|index| risk(at(index)))) as i32;
    let refined = least_at(
        low + step * f64::from(best - 1),
        (low + step * f64::from(best + 1)).min(high),
        SECTIONS,
        |log| risk(log.exp()),
    )
    .exp();
    if risk(refined) < risk(at(best)) { refined } else { at(best) }
}

/// Points of the first search for τ, on a logarithmic scale, and golden sections of the second.
const GRID: i32 = 100;
const SECTIONS: usize = 30;

fn spread(weights: &Weights, setting: &Setting) -> f64 {
    let profile = &setting.profile;
    let n = profile.records() as f64;
    match setting.target {
        Target::Population | Target::Dataset if !setting.strata.is_empty() => {
            crate::risk::spread(setting, weights)
        }
        Target::Population => weights.squared_norm(profile),
        Target::Dataset if n > 1.0 => n / (n - 1.0) * weights.squared_distance(profile),
        Target::Dataset => 0.0,
        Target::DatasetCorrelated => (weights.distance(profile) / 2.0).powi(2),
    }
}

fn sampling(q: f64, spread: f64, target: Target) -> f64 {
    match target {
        Target::Population | Target::Dataset => q * (1.0 - q) * spread,
        Target::DatasetCorrelated => spread,
    }
}
