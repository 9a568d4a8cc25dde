//! The release: a range, a first look at the spread, the mean, and what was cut off.

use super::excess::Excess;
use super::kept::{MOST_BEYOND, expected_length, shortest, usual_variance};
use super::{AdaptingCost, AdaptivePlan, LearnedRange};
use crate::answer::interval::Interval;
use crate::private::level_mechanism::ExactSums;
use crate::private::part::Part;
use crate::private::session::{PlannedMechanism, Session};
use crate::statistics::weighted::{
    End, Errors, PlannedVariance, Side, shortest as shortest_design,
};
use crate::strategy::estimator::{Designs, affine};
use crate::{
    CellRange, Design, Epsilon, Error, Estimate, Grid, Level, LevelSums, LevelTable, Loss,
    MeasuredSpread, Profile, Quantity, Release, Result, Setting, Statistic, Step, Totals,
    TotalsQuestion, WeightedPlan, WeightedRequest, Weights,
};

/// The least variance that weights are made for.
const LEAST: f64 = 1e-3;
/// The least part of a budget that measures what was cut off.
const LEAST_BEYOND: f64 = 1e-9;

impl AdaptivePlan {
    /// The mean or sum that `plain` would release without learning anything first, in the part of
    /// the session that has begun.
    pub(crate) fn release(
        &self,
        plain: &WeightedPlan,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let request = plain.request();
        let levels = self.range().allowed().levels();
        let cells = self.range().by_level(table)?.into_iter();
        let cells = cells.map(|(position, level_sums)| (position, &level_sums.cells)).collect();
        let chosen = session.measure(&self.measurement(), cells)?;
        let (range, wider) = self.range_rule().widened(chosen);
        let inside = table.clamped(range.first, range.last)?;
        let variance = match self.pilot() {
            Some(part) => self.spread(request, part, &inside, session)?,
            None => usual_variance(wider),
        };
        let learning: Vec<Loss> =
            levels.iter().map(|level| session.account().spent(level.epsilon)).collect();

        let left = |level: &Level, session: &Session<'_>| {
            self.usable(level, session.account().left(level.epsilon))
        };
        let budgets: Vec<Epsilon> = levels.iter().map(|level| left(level, session)).collect();
        let cut = self.range_rule().cut(range);
        let plan = self.mean(plain, &inside, &budgets, variance, cut)?;
        let shares = plan.measured_shares(&inside, session)?;
        let after: Vec<Epsilon> = levels.iter().map(|level| left(level, session)).collect();
        let beyond = self.beyond(table, range, &plan, &after, session)?;
        let cost = self.costs(table, &learning, &plan, session);

        // From here on: post-processing of noisy numbers and public facts.
        let moments = plan.moments(&shares).ok_or_else(other_table)?;
        let spread = plan.spread(moments);
        let Ends { estimate, shown, errors } =
            self.ends(&plan, moments.mean.clamp(0.0, 1.0), &spread, cut, &beyond);
        let unit = plan.unit();
        let [below, above] = beyond.map(|excess| Some(excess?.cut_off(unit)));
        let bounds = plan.setting().bounds;
        let learned_range = LearnedRange { bounds, cut, below, above, cost };
        let of = match request.statistic() {
            Statistic::Sum => Quantity::Sum,
            _ => Quantity::Mean,
        };
        let error = plan.error_with(plan.likely_variance(moments.mean, &spread));
        let (estimate, sides) = (estimate * unit, sides(&plan, cut, &beyond));
        let sensitivity = plan.sensitivity(moments.mean, (estimate, shown), Some(&spread), sides);
        let interval = Some(plan.interval_of(shown, sensitivity.as_deref()));
        let estimate = Estimate { of, estimate, interval, sensitivity };
        let mut release = plan.published(vec![estimate], table, session)?;
        release.error = Some(error);
        release.ends = errors;
        release.steps.push(Step::LearnedRange(Box::new(learned_range)));
        release.steps.push(Step::Spread(spread));
        Ok(release)
    }

    /// The estimate of the mean and its interval, from the noisy mean of the clamped values as a
    /// share of the range.
    fn ends(
        &self,
        plan: &WeightedPlan,
        mean: f64,
        spread: &MeasuredSpread,
        cut: [bool; 2],
        beyond: &[Option<Excess>; 2],
    ) -> Ends {
        let (inner, bounds) = (plan.setting().bounds, plan.request().bounds());
        let estimate = inner.lower() + inner.width() * mean;
        let (half_widths, variance) = (plan.half_widths(), spread.at(mean, inner.width()));
        let [down, up] = half_widths.around(mean, variance);
        let interval = |below: f64, above: f64| Interval {
            confidence: plan.request().options().confidence,
            lower: bounds.clamp(estimate - below).min(estimate) * plan.unit(),
            upper: bounds.clamp(estimate + above).max(estimate) * plan.unit(),
        };
        let end = |at: usize, side: f64, plain: &End| match (cut[at], &beyond[at]) {
            (false, _) => plain.clone(),
            (true, Some(excess)) => {
                let further = excess.half_width(&half_widths, mean, &variance, side);
                if further.half_width > plain.half_width { further } else { plain.clone() }
            }
            // Nothing is known of what was cut off.
            (true, None) => {
                let width = bounds.width();
                End { half_width: width, errors: Some(Errors::new(Vec::new(), 0.0, width)) }
            }
        };
        let ends = [end(0, -1.0, &down), end(1, 1.0, &up)];
        let shown = interval(ends[0].half_width, ends[1].half_width);
        let errors = ends.map(|end| Some(end.errors?.times(plan.unit())));
        let errors = errors.into_iter().collect();
        Ends { estimate, shown, errors }
    }

    /// A first look at the variance of the clamped values, as a share of the squared width, for
    /// which weights are made.
    fn spread(
        &self,
        request: &WeightedRequest,
        part: &Part,
        inside: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<f64> {
        let all = |setting: &Setting| {
            Design::weighted(Weights::proportional_to(&setting.profile, |epsilon| epsilon))
        };
        let plan = inside_of(request, part.clone(), inside, all)?;
        let shares = plan.measured_shares(inside, session)?;
        let moments = plan.moments(&shares).ok_or_else(other_table)?;
        let width = plan.setting().bounds.width();
        let noise = plan.chosen().design.noise_scale(plan.setting()).unwrap_or(0.0);
        let variance = plan.spread(moments).variance / (width * width);
        Ok((variance + std::f64::consts::SQRT_2 * noise).clamp(LEAST, 0.25))
    }

    /// The plan of the mean: what is left of every budget but for a part that is kept for what is
    /// cut off. Of the parts that are affordable it is the one with which the interval is expected
    /// to be shortest.
    fn mean(
        &self,
        plain: &WeightedPlan,
        inside: &LevelTable,
        budgets: &[Epsilon],
        variance: f64,
        cut: [bool; 2],
    ) -> Result<WeightedPlan> {
        let coverage = plain.request().coverage(true);
        let clipped = |setting: &Setting| {
            if !setting.difference.is_none() {
                return shortest_design(setting, PlannedVariance::Measured(variance), &coverage);
            }
            let designs = Designs::new(&setting.profile);
            Design::clipped(setting, affine::clip_level(setting, &designs, variance))
        };
        let plan = |kept: f64| {
            let part = budgets.iter().map(|budget| part_of(*budget, 1.0 - kept)).collect();
            let part = Part::with_budgets(self.range().allowed().clone(), part)?;
            inside_of(plain.request(), part, inside, clipped)
        };
        if cut == [false; 2] {
            return plan(0.0);
        }
        let width = plan(0.0)?.setting().bounds.width();
        let variance = variance * width * width;
        let error = |plan: &WeightedPlan| plan.error_with(variance).rmse;
        let length = |plan: &WeightedPlan| self.expected_length(plan, budgets, variance, cut);
        shortest(plan, error, length, self.share_of_plain_error() * error(plain))
    }

    /// How long the interval is expected to be if hardly anything is cut off, with this plan of the
    /// mean and values of this variance, in units of the data.
    fn expected_length(
        &self,
        plan: &WeightedPlan,
        budgets: &[Epsilon],
        variance: f64,
        cut: [bool; 2],
    ) -> f64 {
        let levels = self.range().allowed().levels().iter().zip(budgets);
        let units = levels.map(|(level, budget)| {
            let in_mean = plan.loss_of(level.epsilon).rounded_up();
            let left = if budget.is_public() { MOST_BEYOND } else { budget.get() - in_mean };
            level.count as f64 * left.clamp(0.0, MOST_BEYOND)
        });
        let cut_off = plan.request().bounds().width() - plan.setting().bounds.width();
        let beyond = cut_off / units.sum::<f64>();
        let error = plan.error_with(variance);
        let unit = plan.unit();
        let noise = error.noise_sd / unit / std::f64::consts::SQRT_2;
        let confidence = plan.request().options().confidence;
        expected_length(confidence, (noise, error.sampling_sd / unit), beyond, cut)
    }

    /// How far values lie beyond the range, below and above it, on the average.
    fn beyond(
        &self,
        table: &LevelTable,
        range: CellRange,
        mean: &WeightedPlan,
        left: &[Epsilon],
        session: &mut Session<'_>,
    ) -> Result<[Option<Excess>; 2]> {
        let steps = self.range_rule().blocks.steps();
        let sides = [
            (range.first > 0).then(|| table.clamped(0, range.first - 1)).transpose()?,
            (range.last < steps).then(|| table.clamped(range.last + 1, steps)).transpose()?,
        ];
        let width = |side: &Option<LevelTable>| {
            side.as_ref().and_then(LevelTable::grid).map_or(0.0, |grid| grid.bounds().width())
        };
        let widths = sides.each_ref().map(width);
        let budgets: Vec<f64> = left
            .iter()
            .map(|left| if left.is_public() { MOST_BEYOND } else { left.get().min(MOST_BEYOND) })
            .collect();
        let mut excesses = [None, None];
        for (at, side) in sides.iter().enumerate() {
            let Some(side) = side else { continue };
            let share = widths[at] / (widths[0] + widths[1]);
            let part = self.part_beyond(&budgets, share, session)?;
            if part.profile().usable().is_empty() {
                continue;
            }
            excesses[at] = Some(excess(side, &part, mean, at == 0, session)?);
        }
        Ok(excesses)
    }

    /// What each level spends on one side: this share of its budget for both, and no more than it
    /// has left.
    fn part_beyond(&self, budgets: &[f64], share: f64, session: &Session<'_>) -> Result<Part> {
        let allowed = self.range().allowed();
        let levels = allowed.levels().iter().zip(budgets);
        let part = levels.map(|(level, budget)| {
            let left = self.usable(level, session.account().left(level.epsilon)).get();
            let part = (share * budget).min(left);
            // What rounding leaves tells nothing.
            let is_some = part > LEAST_BEYOND * level.epsilon.get().min(1.0);
            Epsilon::new(part).ok().filter(|_| is_some).unwrap_or(Epsilon::UNUSED)
        });
        Part::with_budgets(allowed.clone(), part.collect())
    }

    /// What each level spent beside the mean.
    fn costs(
        &self,
        table: &LevelTable,
        learning: &[Loss],
        mean: &WeightedPlan,
        session: &Session<'_>,
    ) -> Vec<AdaptingCost> {
        let cost = |level_sums: &LevelSums| {
            let at = self.range().allowed().position(level_sums.epsilon);
            let learning = at.and_then(|at| learning.get(at)).cloned().unwrap_or(Loss::ZERO);
            let all = session.account().spent(level_sums.epsilon);
            let beyond = all.without(&learning.plus(&mean.loss_of(level_sums.epsilon)));
            AdaptingCost { level: level_sums.name().to_string(), learning, beyond }
        };
        let finite = table.by_level().iter().filter(|level_sums| !level_sums.epsilon.is_public());
        finite.map(cost).collect()
    }
}

/// An estimate and its interval, in units of the statistic but for the estimate, which is a mean.
struct Ends {
    estimate: f64,
    shown: Interval,
    /// The errors below and above, in units of the statistic.
    errors: Option<Vec<Errors>>,
}

/// A part of what a level has; of public records all of it.
fn part_of(budget: Epsilon, part: f64) -> Epsilon {
    match budget.is_public() {
        true => budget,
        false => Epsilon::new(part * budget.get()).unwrap_or(Epsilon::UNUSED),
    }
}

/// The plan of a mean of values that were clamped to a part of the grid, with these weights.
fn inside_of(
    request: &WeightedRequest,
    part: Part,
    inside: &LevelTable,
    design: impl Fn(&Setting) -> Design,
) -> Result<WeightedPlan> {
    let grid: Grid = *inside.grid().ok_or_else(other_table)?;
    Ok(WeightedPlan::with_design(request, part, grid, design))
}

/// Measures how far values lie beyond the range on one side, on the average.
fn excess(
    side: &LevelTable,
    part: &Part,
    mean: &WeightedPlan,
    is_below: bool,
    session: &mut Session<'_>,
) -> Result<Excess> {
    let grid = side.grid().ok_or_else(other_table)?;
    let profile: &Profile = part.profile();
    let weights = weights_beyond(part, grid, mean);
    let question = TotalsQuestion::Sum(grid.points());
    let sum = Totals::calibrated(profile, weights.integers(), question);
    let by_level = part.by_level(side)?.into_iter().map(ExactSums::from_level).collect();
    let total = session.measure(&PlannedMechanism::new(part, &sum), by_level)?;
    let width = grid.bounds().width();
    let share = WeightedPlan::ratio(total, sum.total_weight(), grid.points());
    // Indices count from the far bound: below the range, what they lack is the distance to it.
    let share = if is_below { 1.0 - share } else { share };
    let noise = vec![sum.scale().clone().into()];
    let scale = WeightedPlan::ratio(noise, sum.total_weight(), grid.points());
    Ok(Excess {
        mean: share * width,
        scale: scale * width,
        width,
        largest: weights.largest(),
        common: common(part, &weights, mean),
        bias: bias(part, &weights, mean),
    })
}

/// The weights of records in the excess on one side: as little noise as there can be, or, where
/// tiers may differ, as little noise and bias together.
fn weights_beyond(part: &Part, grid: &Grid, mean: &WeightedPlan) -> Weights {
    let (request, profile) = (mean.request(), part.profile());
    if request.difference().is_none() {
        return Weights::proportional_to(profile, |epsilon| epsilon);
    }
    let mut setting = Setting::new(profile.clone(), grid.bounds(), request.options().target);
    let (whole, width) = (request.bounds().width(), grid.bounds().width());
    setting.difference = request.difference().rescaled(whole, width);
    let variance = PlannedVariance::Measured(LEAST);
    shortest_design(&setting, variance, &request.coverage(true)).weights
}

/// What each end depends on, if tiers differ.
fn sides(plan: &WeightedPlan, cut: [bool; 2], beyond: &[Option<Excess>; 2]) -> [Side; 2] {
    let (width, largest) = (plan.setting().bounds.width(), plan.chosen().design.weights.largest());
    [0, 1].map(|at| match (cut[at], &beyond[at]) {
        (false, _) => Side::Whole,
        (true, Some(excess)) => Side::CutOff(excess.if_tiers_differ(width, largest, excess.bias)),
        (true, None) => Side::Unknown,
    })
}

/// ½·Σ max(|W − p|, |V − p|) over the levels: see [`Excess::bias`].
fn bias(part: &Part, weights: &Weights, mean: &WeightedPlan) -> f64 {
    let levels = part.allowed().levels();
    let records = part.allowed().records() as f64;
    let each = levels.iter().map(|level| {
        let (count, at) = (level.count as f64, part.position(level.epsilon));
        let here = at.and_then(|at| weights.per_level().get(at)).copied().unwrap_or(0.0);
        let in_mean = mean.position(level.epsilon);
        let there = in_mean.and_then(|at| mean.chosen().design.weights.per_level().get(at));
        let there = there.copied().unwrap_or(0.0);
        let share = 1.0 / records;
        count * (there - share).abs().max((here - share).abs())
    });
    each.sum::<f64>() / 2.0
}

/// Σ over all records of the products of their weights here and in the mean.
fn common(part: &Part, weights: &Weights, mean: &WeightedPlan) -> f64 {
    let levels = part.allowed().levels().iter();
    let each = levels.map(|level| {
        let here = part.position(level.epsilon).and_then(|at| weights.per_level().get(at));
        let in_mean = mean.position(level.epsilon);
        let there = in_mean.and_then(|at| mean.chosen().design.weights.per_level().get(at));
        level.count as f64 * here.copied().unwrap_or(0.0) * there.copied().unwrap_or(0.0)
    });
    each.sum()
}

fn other_table() -> Error {
    Error::internal("the table is not the one that the plan was made for")
}
