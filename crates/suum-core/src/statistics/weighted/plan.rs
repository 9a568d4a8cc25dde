//! Plans of means, sums and frequencies: all decisions that are made before a value is read.

use super::calibration::mechanism;
use super::comparison::{Candidate, Comparison, Exclusion};
use super::tier_difference::is_shorter_with_learning;
use super::tiers_apart::{TiersApart, check, price};
use crate::plan::on_demand::OnDemand;
use crate::private::part::Part;
use crate::private::session::PlannedMechanism;
use crate::{
    AdaptivePlan, Design, Epsilon, Estimator, Grid, Loss, Mechanism, Numbers, Profile, Result,
    Setting, Shrinkage, Statistic, Target, Totals, TotalsQuestion, WeightedRequest, lower_bound,
    threshold_ratio_bound,
};

/// Plan of a mean, a sum or frequencies: noise, certificate, ledger, report and tests all read this
/// value.
///
/// It is made from public facts only — the request, the profile and the grid — and serialises to
/// the JSON of `suum plan`.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Statistic, WeightedRequest};
///
/// let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
/// let plan = request.plan("0.5:1,1:1".parse()?)?;
/// // CZ26 Example 1: personalisation gains (17/8)/(37/36).
/// let gain = plan.personalization_gain().unwrap();
/// assert!((gain - (17.0 / 8.0) / (37.0 / 36.0)).abs() < 1e-12);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedPlan {
    request: WeightedRequest,
    part: Part,
    setting: Setting,
    grid: Grid,
    chosen: Candidate,
    /// Comparison of all estimators; `None` if there is only one choice.
    comparison: Option<OnDemand<Comparison>>,
    mechanism: Mechanism,
    /// True if a lower bound is known for the statistic.
    is_bounded: bool,
    /// Number of records that a sum is over.
    total: f64,
    shrinkage: Option<Shrinkage>,
    adaptive: Option<Box<AdaptivePlan>>,
    /// Plans of all tiers, if each is measured apart.
    apart: Option<Box<TiersApart>>,
}

impl WeightedRequest {
    /// Returns the plan for a public profile, on the default grid, with all sums that the request
    /// [needs](Self::numbers).
    ///
    /// # Errors
    ///
    /// Refuses a profile without usable records.
    pub fn plan(&self, profile: Profile) -> Result<WeightedPlan> {
        WeightedPlan::new(self, profile, self.numbers(Grid::new(self.bounds())))
    }
}

impl WeightedPlan {
    /// Compares all estimators on the profile, and fixes the chosen one as an integer mechanism.
    ///
    /// `numbers` are the available sums: with squares, the spread of the values is measured along
    /// with a mean or a sum, which costs nothing more.
    ///
    /// # Errors
    ///
    /// Refuses a profile without usable records.
    pub fn new(
        request: &WeightedRequest,
        allowed: Profile,
        numbers: impl Into<Numbers>,
    ) -> Result<Self> {
        Self::for_part(request, Part::new(allowed, request.options().share)?, numbers.into())
    }

    /// Returns the plan that may spend this part of the budgets; see [`new`](Self::new).
    pub(crate) fn for_part(
        request: &WeightedRequest,
        part: Part,
        numbers: Numbers,
    ) -> Result<Self> {
        let options = request.options();
        let profile = part.profile().clone();
        let mut setting = match request.categories() {
            Some(categories) => Setting::frequency(profile, categories.len(), options.target),
            None => Setting::new(profile, request.bounds(), options.target),
        };
        setting.variance = options.variance.unwrap_or(setting.variance);
        setting.beta = options.beta;
        setting.difference = request.difference();
        let mut total = setting.records();
        if let Some(strata) = &options.strata {
            let shares = strata.shares_of(&setting.profile)?;
            // A single stratum has no share to keep.
            setting.strata = if shares.len() > 1 { shares } else { Vec::new() };
            if request.statistic() == Statistic::Sum {
                total = strata.total_of(&setting.profile)?;
            }
        }

        let grid = numbers.grid;
        let apart =
            options.tiers_apart.then(|| TiersApart::new(request, &part, grid)).transpose()?;
        let chosen = match &apart {
            Some(apart) => {
                let design = apart.design(request, &part, &setting);
                Candidate::new(Estimator::Mixed, design, &setting)
            }
            None => Candidate::chosen(request, numbers, &setting)?,
        };
        let question = match numbers.squares && request.measures_spread() {
            true => TotalsQuestion::SumAndSpread(grid.points()),
            false => TotalsQuestion::Sum(grid.points()),
        };
        let mechanism = mechanism(
            &setting,
            chosen.estimator,
            &chosen.design,
            (&grid, question),
            request.categories(),
        )?;
        let shrinkage = options.shrink.then(|| Shrinkage::optimal(&setting, &chosen.design));
        let is_bounded = options.strata.as_ref().is_none_or(|strata| strata.is_bounded(&setting));
        let adaptive = match numbers.cells {
            Some(cells)
                if cells.has_sums()
                    && request.adapts()
                    && is_shorter_with_learning(&part, &setting, &request.coverage(true)) =>
            {
                AdaptivePlan::new(&part, &grid, cells, options)?
            }
            _ => None,
        };
        Ok(Self {
            request: request.clone(),
            part,
            setting,
            grid,
            chosen,
            comparison: Some(OnDemand::default()),
            mechanism,
            is_bounded,
            total,
            shrinkage,
            adaptive: adaptive.map(Box::new),
            apart: apart.map(Box::new),
        })
    }

    /// Returns the plan of one mean or sum that measures its spread, with the weights of this
    /// design, on a grid that may be part of another one. The request keeps its bounds.
    pub(crate) fn with_design(
        request: &WeightedRequest,
        part: Part,
        grid: Grid,
        design: impl Fn(&Setting) -> Design,
    ) -> Self {
        let options = request.options();
        let mut setting = Setting::new(part.profile().clone(), grid.bounds(), options.target);
        let (whole, width) = (request.bounds().width(), grid.bounds().width());
        setting.difference = request.difference().rescaled(whole, width);
        let total = setting.records();
        let design = design(&setting);
        let weights = design.weights.integers();
        let question = TotalsQuestion::SumAndSpread(grid.points());
        let totals = Totals::calibrated(&setting.profile, weights, question);
        let chosen = Candidate::new(Estimator::Typical, design, &setting);
        Self {
            request: request.clone(),
            part,
            setting,
            grid,
            chosen,
            comparison: None,
            mechanism: Mechanism::Totals(totals),
            is_bounded: false,
            total,
            shrinkage: None,
            adaptive: None,
            apart: None,
        }
    }

    /// Returns the plan by which the mean learns where the values lie before it is measured, if it
    /// does. The comparison of estimators, and every risk, is of a mean that does not learn.
    pub fn adaptive(&self) -> Option<&AdaptivePlan> {
        self.adaptive.as_deref()
    }

    /// Returns the plans of the means of all tiers, if each is measured apart.
    pub(crate) fn apart(&self) -> Option<&TiersApart> {
        self.apart.as_deref()
    }

    /// Returns the price of measuring the mean of every tier apart: the length of the planned
    /// interval over that with one noise for all, less 1. `None` for other statistics than means
    /// and sums, and if tiers cannot be measured apart.
    pub fn price_of_tiers_apart(&self) -> Option<f64> {
        let is_mean = matches!(self.request.statistic(), Statistic::Mean | Statistic::Sum);
        let is_possible = is_mean && self.comparison.is_some() && check(&self.request).is_ok();
        is_possible.then(|| price(&self.request, &self.part, self.grid, &self.setting)).flatten()
    }

    /// Returns the plan of the same mean without learning where the values lie.
    #[must_use]
    pub fn without_adapting(&self) -> Self {
        let mut request = self.request.clone();
        request.does_not_adapt();
        Self { request, adaptive: None, ..self.clone() }
    }

    /// Returns true if values are cut off inside the requested bounds.
    pub(crate) fn is_cut_off(&self) -> bool {
        let (whole, part) = (self.request.bounds(), self.setting.bounds);
        part.lower() > whole.lower() || part.upper() < whole.upper()
    }

    /// Returns the request.
    pub fn request(&self) -> &WeightedRequest {
        &self.request
    }

    /// Returns the privacy levels, with everything that they allow; [`WeightedPlan::setting`] has
    /// the share of it that may be spent.
    pub fn allowed(&self) -> &Profile {
        self.part.allowed()
    }

    /// Returns the position of the level in which a record of this budget is counted.
    pub fn position(&self, allowed: Epsilon) -> Option<usize> {
        self.part.position(allowed)
    }

    /// Returns the levels, and the part of their budgets that may be spent.
    pub(crate) fn part(&self) -> &Part {
        &self.part
    }

    /// Returns the measurement that the plan is for.
    pub(crate) fn measurement(&self) -> PlannedMechanism<'_, Mechanism> {
        PlannedMechanism::new(&self.part, &self.mechanism)
    }

    /// Returns the exact loss of a record that allows this much. For a mean that adapts it is the
    /// most that it can lose, and with strata the loss in the stratum in which it loses the most.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        if let Some(adaptive) = &self.adaptive
            && self.position(allowed).is_some()
        {
            return adaptive.most(allowed);
        }
        if let Some(apart) = &self.apart {
            return apart.loss_of(allowed);
        }
        let losses = self.part.positions(allowed).map(|position| self.mechanism.loss(position));
        losses.reduce(Loss::max).unwrap_or(Loss::ZERO)
    }

    /// Returns the public facts from which the choice was made.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Returns the grid on which values are summed.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns every estimator that applies, in the order of [`Estimator::ALL`]. They are computed
    /// on demand: no release depends on them.
    pub fn candidates(&self) -> &[Candidate] {
        match &self.comparison {
            Some(all) => &all.get(|| self.compared()).candidates,
            None => std::slice::from_ref(&self.chosen),
        }
    }

    /// Returns the estimators that make no sense here, with the reasons.
    pub fn excluded(&self) -> &[Exclusion] {
        match &self.comparison {
            Some(all) => &all.get(|| self.compared()).excluded,
            None => &[],
        }
    }

    /// Compares all estimators.
    pub(super) fn compared(&self) -> Comparison {
        Comparison::new(&self.setting, &self.request)
    }

    /// Returns the estimator that a release of this plan uses.
    pub fn chosen(&self) -> &Candidate {
        &self.chosen
    }

    /// Returns the integer mechanism of the chosen estimator.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Returns true if the spread of the values is measured along with the mean.
    pub fn measures_spread(&self) -> bool {
        matches!(&self.mechanism, Mechanism::Totals(totals) if totals.question().has_spread())
    }

    /// Returns the factor that turns errors of a mean into those of the statistic: for a sum the
    /// number of records, or of those that design weights or a declared population stand for;
    /// otherwise 1.
    ///
    /// [`Candidate::risk`] and [`lower_bound`](WeightedPlan::lower_bound) are those of the mean.
    pub fn unit(&self) -> f64 {
        match self.request.statistic() {
            Statistic::Sum => self.total,
            _ => 1.0,
        }
    }

    /// Returns the exact loss of one record of each level, in the order of the profile.
    pub fn losses(&self) -> impl Iterator<Item = Loss> + '_ {
        self.part.losses(|position| match (&self.adaptive, &self.apart) {
            // These plans spend whole budgets, so the levels are those that are allowed.
            (Some(adaptive), _) => adaptive.most(self.setting.profile.levels()[position].epsilon),
            (None, Some(apart)) => apart.loss_at(self.setting.profile.levels()[position].epsilon),
            (None, None) => self.mechanism.loss(position),
        })
    }

    /// Returns the requested shrinkage. [`Candidate::risk`] is without it.
    pub fn shrinkage(&self) -> Option<Shrinkage> {
        self.shrinkage
    }

    /// Returns a lower bound on the worst-case risk of any estimator that keeps these budgets, in
    /// squared units of the data, if one is known ([`lower_bound`](crate::lower_bound())). It is
    /// computed on demand: no release depends on it.
    pub fn lower_bound(&self) -> Option<f64> {
        let neighbors = self.request.options().neighbors;
        self.is_bounded.then(|| lower_bound(&self.setting, neighbors)).flatten()
    }

    /// Returns the chosen estimator's worst-case risk over the lower bound: no estimator can be
    /// better by more than this factor. For a mean that [adapts](Self::adaptive) it is that of the
    /// chosen weights without learning; nothing is proved of the worst case with it.
    pub fn gap(&self) -> Option<f64> {
        self.lower_bound()
            .map(|bound| self.chosen().risk.total() / bound)
            .filter(|gap| !gap.is_nan())
    }

    /// Returns the risk of `threshold` over that of `affine`: the gain of personal budgets over one
    /// budget for all who allow it. `None` if neither has any risk.
    pub fn personalization_gain(&self) -> Option<f64> {
        let risk =
            |name| self.candidates().iter().find(|c| c.estimator == name).map(|c| c.risk.total());
        let gain = risk(Estimator::Threshold)? / risk(Estimator::Affine)?;
        (!gain.is_nan()).then_some(gain)
    }

    /// Returns an upper bound on [`personalization_gain`](WeightedPlan::personalization_gain), for
    /// the target `population`.
    ///
    /// A frequency differs from a mean by the factor of its noise, which only rescales ε, so the
    /// bound holds for it.
    pub fn ratio_bound(&self) -> Option<f64> {
        (self.setting.target == Target::Population && self.setting.strata.is_empty())
            .then(|| threshold_ratio_bound(&self.setting.profile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bounds, Choice, ErrorKind, ExactSum, LevelSums, LevelTable, Measure, Options, Randomness,
        Share,
    };

    /// The records of the profile, all at the lower bound or in the first category.
    fn table(plan: &WeightedPlan) -> LevelTable {
        let measure = match plan.request().categories() {
            Some(categories) => Measure::Categories(categories.clone()),
            None => Measure::Numbers(plan.request().numbers(*plan.grid())),
        };
        let level_sums = |level: &crate::Level| {
            let mut sums = vec![ExactSum::default(); measure.sums()];
            let (count, points) = (i128::from(level.count), i128::from(plan.grid().points()));
            match plan.request().categories() {
                Some(_) => sums[0] = ExactSum::from_raw(count),
                None => sums[1..].fill(ExactSum::from_raw(count * points * points)),
            }
            LevelSums {
                label: None,
                epsilon: level.epsilon,
                count: level.count,
                sums,
                cells: Default::default(),
            }
        };
        let by_level = plan.allowed().levels().iter().map(level_sums).collect();
        LevelTable::new(None, measure.clone(), by_level).unwrap()
    }

    /// No estimator releases anything with the scales of people who allow a little more.
    #[test]
    fn a_mechanism_that_spends_too_much_is_not_released() {
        let mut tried = 0;
        for (estimator, share) in
            Estimator::ALL.into_iter().flat_map(|estimator| [(estimator, 1.0), (estimator, 0.4)])
        {
            let share = Share::new(share).unwrap();
            let options =
                Options { estimator: Choice::Named(estimator), share, ..Options::default() };
            let requests = [
                WeightedRequest::new(Statistic::Mean, Bounds::UNIT, options.clone()),
                WeightedRequest::frequency("a,b,c".parse().unwrap(), options),
            ];
            for request in requests.into_iter().flatten() {
                let good = request.plan("0:3,0.5:300,1:200".parse().unwrap()).unwrap();
                let looser = request.plan("0:3,0.51:300,1.02:200".parse().unwrap()).unwrap();
                let bad = WeightedPlan { mechanism: looser.mechanism, ..good.clone() };
                let release = |plan: WeightedPlan| {
                    let (table, mut randomness) = (table(&plan), Randomness::insecure(1));
                    plan.release(table, &mut randomness).map(drop)
                };
                assert!(release(good).is_ok(), "{estimator}");
                assert_eq!(release(bad).unwrap_err().kind(), ErrorKind::Internal, "{estimator}");
                tried += 1;
            }
        }
        assert!(tried > Estimator::ALL.len(), "{tried} plans");
    }
}
