//! Comparison of the estimators of quantiles, from public facts.

use super::QuantileEstimator;
use super::basis::{Basis, Plain, WeightsAndNoise, budget, sampling, spread_of_clipped};
use super::candidate::{QuantileCandidate, RankError};
use super::division::Division;
use super::reference::{HALF_WIDTH, Reference};
use crate::arithmetic::least::{first_least, first_least_of, least_at_of};
use crate::strategy::weights::FilledStrata;
use crate::{Epsilon, Profile, Weights};

/// Compared estimators, for some share of the budget and some division of it.
pub(super) struct Comparison<'a> {
    basis: &'a Basis<'a>,
    division: &'a Division,
    share: f64,
    /// Clip level τ of least risk; with strata the noise level.
    best: f64,
    /// Risk of each estimator that applies, in the order of [`QuantileEstimator::ALL`]. It is
    /// infinite if it exceeds that of another one and takes long to compute, and if the division
    /// does not allow the estimator: the levels of `mixed` have no common histogram.
    risks: Vec<f64>,
}

impl<'a> Comparison<'a> {
    /// Returns the comparison of all estimators that apply; with strata only the one that keeps
    /// their shares.
    pub(super) fn new(basis: &'a Basis<'a>, interval_share: f64, division: &'a Division) -> Self {
        let share = 1.0 - interval_share;
        let mut all = Self { basis, division, share, best: f64::INFINITY, risks: Vec::new() };
        let Some(plain) = &basis.plain else {
            all.best = all.best_noise_level();
            all.risks = vec![all.stratified(all.best).risk];
            return all;
        };
        all.best = all.best_tau(plain);
        let weighted = match all.best.is_finite() {
            true => all.risk_of_clipped(plain, all.best, f64::INFINITY),
            // Only public records are usable, and these are their weights.
            false => all.risk_of(plain.pe.noise, plain.pe.spread, f64::INFINITY),
        };
        let pe = all.risk_of(plain.pe.noise, plain.pe.spread, f64::INFINITY);
        // If it was asked for, its risk is compared with that of other divisions, so it must be
        // exact.
        let enough = match basis.request.estimator() {
            Some(QuantileEstimator::Mixed) => f64::INFINITY,
            _ => weighted.min(pe),
        };
        let mixed = match division {
            Division::Histogram { .. } => f64::INFINITY,
            // The ranks of levels have no common bias.
            _ if !basis.setting.difference.is_none() => f64::INFINITY,
            Division::Even | Division::Recursion { .. } => all.risk_of_mixed(plain, enough),
        };
        all.risks = vec![weighted, pe, mixed];
        all
    }

    /// Returns the least risk of all estimators.
    pub(super) fn least(&self) -> f64 {
        self.risks.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the division of the budget.
    pub(super) fn division(&self) -> &'a Division {
        self.division
    }

    /// Returns the position of the estimator that is asked for, or of the one with the least risk.
    pub(super) fn chosen(&self) -> usize {
        let mut those = QuantileEstimator::ALL.iter().take(self.risks.len());
        match self.basis.request.estimator() {
            Some(name) => those.position(|one| *one == name).unwrap_or(0),
            None => first_least(self.risks.iter().copied()),
        }
    }

    /// Returns the risk of the chosen estimator.
    pub(super) fn risk(&self) -> f64 {
        self.risks.get(self.chosen()).copied().unwrap_or(f64::INFINITY)
    }

    /// Returns all estimators that apply.
    pub(super) fn candidates(&self) -> Vec<QuantileCandidate> {
        (0..self.risks.len()).map(|position| self.candidate(position)).collect()
    }

    /// Returns the estimator at this position.
    pub(super) fn candidate(&self, position: usize) -> QuantileCandidate {
        let Some(plain) = &self.basis.plain else { return self.stratified(self.best) };
        match QuantileEstimator::ALL.get(position) {
            Some(QuantileEstimator::Mixed) => self.mixed(plain),
            Some(QuantileEstimator::Pe) => {
                self.candidate_with(QuantileEstimator::Pe, plain.pe.clone(), None)
            }
            Some(QuantileEstimator::Weighted) | None => {
                let weights = Weights::clipped(self.profile(), self.best);
                let weighed = WeightsAndNoise::new(weights, self.basis.setting);
                let tau = self.best.is_finite().then_some(self.best);
                self.candidate_with(QuantileEstimator::Weighted, weighed, tau)
            }
        }
    }

    /// Returns weights that keep the shares of strata, at this noise level.
    fn stratified(&self, level: f64) -> QuantileCandidate {
        let strata = FilledStrata::new(self.profile(), &self.basis.setting.strata);
        let weighed = WeightsAndNoise::new(strata.weights(level), self.basis.setting);
        self.candidate_with(QuantileEstimator::Weighted, weighed, None)
    }

    /// Returns the noise level of least risk for weights that keep the shares of strata.
    fn best_noise_level(&self) -> f64 {
        let strata = FilledStrata::new(self.profile(), &self.basis.setting.strata);
        let Some((low, high)) = strata.noise_levels() else { return 0.0 };
        let risk = |level: f64, enough: f64| {
            let weighed = || WeightsAndNoise::new(strata.weights(level), self.basis.setting);
            let (noise, spread) = self.basis.once(level, weighed);
            self.risk_of(noise, spread, enough)
        };
        let found = least_of(low, high, risk);
        // The least level is zero if all strata have public records.
        let levels = [found.clamp(low, high), strata.least_noise(), high];
        levels[first_least(levels.map(|level| risk(level, f64::INFINITY)))]
    }

    fn candidate_with(
        &self,
        estimator: QuantileEstimator,
        WeightsAndNoise { weights, noise, spread }: WeightsAndNoise,
        tau: Option<f64>,
    ) -> QuantileCandidate {
        let risk = self.risk_of(noise, spread, f64::INFINITY);
        let budgets = self.division.budgets(self.basis.request.ranks(), noise, self.share);
        let budget = budgets.into_iter().fold(f64::INFINITY, f64::min);
        let noise = if budget.is_infinite() { 0.0 } else { 8.0 / (budget * budget) };
        let rank_error = RankError { noise, sampling: self.most_sampling(spread) };
        QuantileCandidate { estimator, weights, level_weights: None, tau, rank_error, risk }
    }

    /// Returns the risk of weights; infinity if it is larger than `enough`.
    fn risk_of(&self, noise: f64, spread: f64, enough: f64) -> f64 {
        let budgets = self.division.budgets(self.basis.request.ranks(), noise, self.share);
        let square = |reference: &Reference, budget: f64| reference.choice(budget).square;
        self.average(&budgets, square, spread, enough)
    }

    fn risk_of_clipped(&self, plain: &Plain, tau: f64, enough: f64) -> f64 {
        let clipped = plain.clipped.at(tau);
        let spread = spread_of_clipped(clipped, self.basis.setting);
        self.risk_of(clipped.noise(), spread, enough)
    }

    /// Returns each quantile's part of the budget for the levels of `mixed`, which answer
    /// separately.
    fn parts_of_mixed(&self) -> Vec<f64> {
        // Levels have no histograms of their own, so the even split is used instead.
        let division = match self.division {
            Division::Histogram { .. } => &Division::Even,
            division => division,
        };
        division.budgets(self.basis.request.ranks(), 1.0, self.share)
    }

    /// Returns the risk of `mixed`; infinity if it is larger than `enough`.
    fn risk_of_mixed(&self, plain: &Plain, enough: f64) -> f64 {
        let (parts, spread) = (self.parts_of_mixed(), plain.mixed.spread);
        if enough.is_finite() {
            // Levels take long, so they are added one by one. Those that allow the most often
            // suffice to exceed the limit.
            let sampling = self.average(&parts, |_, _| 0.0, spread, f64::INFINITY);
            let mut left = (enough * MARGIN - sampling) / self.unit();
            for ((_, reference), part) in self.references().iter().zip(&parts) {
                for [_, variance] in plain.errors(self.profile(), reference, *part).rev() {
                    left -= variance;
                    if left < 0.0 {
                        return f64::INFINITY;
                    }
                }
            }
        }
        let square = |one: &Reference, part: f64| plain.square(self.profile(), one, part);
        self.average(&parts, square, spread, f64::INFINITY)
    }

    fn mixed(&self, plain: &Plain) -> QuantileCandidate {
        let least = self.parts_of_mixed().into_iter().fold(f64::INFINITY, f64::min);
        let noise = plain
            .levels(self.profile())
            .filter(|(_, level)| !level.epsilon.is_public())
            .map(|(level_weight, level)| {
                let noise = level_weight / budget(least, level);
                8.0 * noise * noise
            })
            .sum();
        let rank_error = RankError { noise, sampling: self.most_sampling(plain.mixed.spread) };
        QuantileCandidate {
            estimator: QuantileEstimator::Mixed,
            weights: plain.mixed.weights.clone(),
            level_weights: Some(plain.level_weights.clone()),
            tau: None,
            rank_error,
            risk: self.risk_of_mixed(plain, f64::INFINITY),
        }
    }

    fn most_sampling(&self, spread: f64) -> f64 {
        let setting = self.basis.setting;
        let nearest = self.references().iter().map(|(q, ..)| sampling(*q, spread, setting));
        nearest.fold(0.0, f64::max)
    }

    /// Returns the mean of noise and sampling over the quantiles, in squared units of the data;
    /// infinity if it is larger than `enough`.
    fn average(
        &self,
        budgets: &[f64],
        noise: impl Fn(&Reference, f64) -> f64,
        spread: f64,
        enough: f64,
    ) -> f64 {
        let setting = self.basis.setting;
        let of_sampling = |(q, reference): &(f64, Reference)| {
            reference.squared(sampling(*q, spread, setting)).min(HALF_WIDTH * HALF_WIDTH)
        };
        let samplings: Vec<f64> = self.references().iter().map(of_sampling).collect();
        // Noise takes long to compute, so it stops once it is too much.
        let most = enough * MARGIN / self.unit();
        let (mut sum, mut rest) = (0.0, samplings.iter().sum::<f64>());
        let references = self.references().iter().map(|(_, reference)| reference);
        for ((reference, budget), sampling) in references.zip(budgets).zip(samplings) {
            if sum + rest > most {
                return f64::INFINITY;
            }
            sum += noise(reference, *budget) + sampling;
            rest -= sampling;
        }
        let unit = self.basis.setting.bounds.width() / (2.0 * HALF_WIDTH);
        sum / self.references().len() as f64 * unit * unit
    }

    /// Returns the contribution of a square in units of the reference to the mean over the
    /// quantiles.
    fn unit(&self) -> f64 {
        let unit = self.basis.setting.bounds.width() / (2.0 * HALF_WIDTH);
        unit * unit / self.references().len() as f64
    }

    /// Returns τ of least risk, by a search that starts from the existing budgets.
    fn best_tau(&self, plain: &Plain) -> f64 {
        let finite =
            || self.profile().usable().iter().map(|level| level.epsilon).filter(|e| !e.is_public());
        let (Some(least), Some(most)) = (finite().next(), finite().next_back()) else {
            return f64::INFINITY;
        };
        let (least, most) = (least.get(), most.get());
        // With this much weight for each public record the noise is far below their sampling error.
        let all: f64 = self
            .profile()
            .usable()
            .iter()
            .filter(|level| !level.epsilon.is_public())
            .map(|level| level.count as f64 * level.epsilon.get())
            .sum();
        let parts = self.division.budgets(self.basis.request.ranks(), 1.0, self.share);
        let part = parts.into_iter().fold(f64::INFINITY, f64::min);
        let top = match self.profile().levels().last() {
            Some(level) if level.epsilon.is_public() => most
                .max(1e3 / (part * level.count as f64))
                .max(1e3 * all / level.count as f64)
                .max(1e3),
            _ => most,
        };
        least_of(least, top, |tau, enough| self.risk_of_clipped(plain, tau, enough))
    }

    fn references(&self) -> &'a [(f64, Reference)] {
        &self.basis.references
    }

    fn profile(&self) -> &'a Profile {
        &self.basis.setting.profile
    }
}

/// Returns the point of least risk in a range, on a logarithmic scale. The risk may be infinite
/// where it is larger than `enough`.
fn least_of(least: f64, top: f64, risk: impl Fn(f64, f64) -> f64) -> f64 {
    let (low, high) = (least.ln(), top.min(Epsilon::MAX).ln());
    if high - low < 1e-12 {
        return top;
    }
    let step = (high - low) / f64::from(GRID);
    let at = |index: i32| (low + step * f64::from(index)).exp();
    let best = first_least_of(0..=GRID, |index, least| risk(at(index), least)) as i32;
    let refined = least_at_of(
        low + step * f64::from(best - 1),
        (low + step * f64::from(best + 1)).min(high),
        SECTIONS,
        |log, enough| risk(log.exp(), enough),
    )
    .exp();
    let coarse = risk(at(best), f64::INFINITY);
    if risk(refined, coarse) < coarse { refined } else { at(best) }
}

/// Factor by which numbers must differ to be ordered in spite of rounding.
const MARGIN: f64 = 1.0 + 1e-9;

/// Number of points of the first search for τ, on a logarithmic scale, and of golden sections of
/// the second.
const GRID: i32 = 100;
const SECTIONS: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Cells, Options, QuantileRequest, Rank, RankTree, Setting, Target};

    /// The risks that are compared are those of what is proposed; `mixed` has one where no other
    /// has a smaller one, and none where its levels would share a histogram.
    #[test]
    fn risks_are_those_of_the_candidates() {
        let ranks: Vec<Rank> = ["0.1", "0.5", "0.8"].map(|q| q.parse().unwrap()).to_vec();
        for profile in [
            "0.01:6835,0.1:8767,0.5:4028,1:2000,inf:560",
            "0:5,0.2:30,3:4",
            "0.5:100000,1:2000000",
            "inf:5",
            "0.1:3,0.2:1,0.3:1,0.4:1,0.5:1,0.6:1,0.7:1",
        ] {
            for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
                let options = Options { target, ..Options::default() };
                let cells = Cells::new(100).unwrap();
                let request =
                    QuantileRequest::new(Bounds::UNIT, cells, ranks.clone(), options).unwrap();
                let setting = Setting::new(profile.parse().unwrap(), Bounds::UNIT, target);
                let basis = Basis::new(&request, &setting).unwrap();
                for division in [
                    Division::Even,
                    Division::recursion(&ranks, RankTree::cost).unwrap(),
                    Division::Histogram { steps: 100 },
                ] {
                    let comparison = Comparison::new(&basis, 0.25, &division);
                    let candidates = comparison.candidates();
                    let least = candidates.iter().map(|one| one.risk).fold(f64::INFINITY, f64::min);
                    for (risk, candidate) in comparison.risks.iter().zip(&candidates) {
                        let name = format!("{profile} {target:?} {division:?} {candidate:?}");
                        let is_same = (risk - candidate.risk).abs() <= 1e-9 * candidate.risk;
                        let is_allowed = !matches!(division, Division::Histogram { .. })
                            || candidate.estimator != QuantileEstimator::Mixed;
                        let is_more = !is_allowed || candidate.risk > least;
                        assert!(is_same && is_allowed || risk.is_infinite() && is_more, "{name}");
                    }
                }
            }
        }
    }
}
