//! What adapting costs everybody, from public facts.

use dashu_ratio::RBig;

use super::RangeRule;
use super::kept::OF_PLAIN;
use super::learning::{C, Learning};
use crate::people::share::rounded_down;
use crate::private::part::Part;
use crate::private::session::PlannedMechanism;
use crate::strategy::weights::l2::clip_level;
use crate::{CellBlocks, Cells, Epsilon, Grid, Level, Loss, Options, RangeChoice, Result, Weights};

/// How a mean learns where the values lie: what each level spends on it, and the ranges among which
/// one is chosen.
///
/// # Method
///
/// Let τ₀ be the clip level of a mean of values whose standard deviation is a seventh of the
/// bounds. A mean would use T = Σ min(ε, τ₀) units, of which 15 %, but at least 200, are to be
/// spent on learning. People above τ₀ give 0.7 of what the mean would leave over; if that is
/// not enough, everybody gives the same share of their ε, at most a sixth. Nobody spends more than
/// 4 on learning. With fewer than 40 units it is not worth it, and there is no such plan.
///
/// All but a quarter of this goes into the [`RangeChoice`], if the quarter is at least 37.5 units;
/// then it pays for a first look at the spread inside the range, from which the clip level of the
/// mean is chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct AdaptivePlan {
    /// What a record of each level keeps, whatever is measured.
    kept: Vec<f64>,
    learning: Vec<Epsilon>,
    range: Part,
    choice: RangeChoice,
    range_rule: RangeRule,
    pilot: Option<Part>,
    /// Up to which part of the error of a mean that learns nothing the interval may cost.
    of_plain: f64,
}

/// The part of learning that pays for the first look at the spread, and the units it needs to be
/// worth it.
const PILOT: (f64, f64) = (0.25, 37.5);

impl AdaptivePlan {
    /// The plan for records that may spend so much, whose grid indices were added up in `cells`,
    /// with what the options say is to be kept, and how far apart values are; `None` where there is
    /// too little to learn from, or no noise.
    ///
    /// # Errors
    ///
    /// None that a profile gives cause for.
    pub(crate) fn new(
        budgets: &Part,
        grid: &Grid,
        cells: Cells,
        options: &Options,
    ) -> Result<Option<Self>> {
        let (allowed, usable) = (budgets.allowed(), budgets.profile());
        let tau = clip_level(usable, C);
        if !RangeRule::is_possible(grid, cells) {
            return Ok(None);
        }
        let levels = usable.usable().iter();
        let people: Vec<(f64, f64)> =
            levels.map(|level| (level.epsilon.get(), level.count as f64)).collect();
        let Some(learning) = Learning::new(&people, tau, options.spare) else { return Ok(None) };
        let (part, needed) = PILOT;
        let part = if part * learning.units(&people) >= needed { part } else { 0.0 };
        let spend = |part: f64| -> Result<Vec<Epsilon>> {
            let each = budgets.spendable().iter();
            each.map(|epsilon| budget(part * learning.spent(epsilon.get()))).collect()
        };
        let range = Part::with_budgets(allowed.clone(), spend(1.0 - part)?)?;
        let pilot =
            (part > 0.0).then(|| Part::with_budgets(allowed.clone(), spend(part)?)).transpose()?;
        let units = range.profile().usable().iter();
        let units: f64 = units.map(|level| level.count as f64 * level.epsilon.get()).sum();
        let blocks = CellBlocks::new(cells, grid);
        let (of_mean, least) =
            (learning.units_of_mean(&people), RangeRule::least(grid.bounds(), options));
        let range_rule = RangeRule { blocks, units, of_mean, least };
        let weights = Weights::proportional_to(range.profile(), |epsilon| epsilon).integers();
        let choice = RangeChoice::calibrated(range.profile(), weights, range_rule.search());
        let kept = budgets.spendable().iter().map(|epsilon| learning.amount_kept(epsilon.get()));
        let (kept, learning) = (kept.collect(), spend(1.0)?);
        Ok(Some(Self { kept, learning, range, choice, range_rule, pilot, of_plain: OF_PLAIN }))
    }

    /// The same, where a mean that learns nothing is no measure of what is affordable, because its
    /// bounds are far too wide.
    #[must_use]
    pub(super) fn without_a_measure(self) -> Self {
        Self { of_plain: 0.0, ..self }
    }

    /// Up to which part of the error of a mean that learns nothing the interval may cost.
    pub(super) fn share_of_plain_error(&self) -> f64 {
        self.of_plain
    }

    /// Which range is looked for.
    pub(super) fn range_rule(&self) -> &RangeRule {
        &self.range_rule
    }

    /// The choice of a range.
    pub fn choice(&self) -> &RangeChoice {
        &self.choice
    }

    /// What one record of each level spends on learning, in the order of the profile.
    pub fn learning(&self) -> &[Epsilon] {
        &self.learning
    }

    /// The levels, and what they spend on the range.
    pub(super) fn range(&self) -> &Part {
        &self.range
    }

    /// The measurement that chooses a range.
    pub(super) fn measurement(&self) -> PlannedMechanism<'_, RangeChoice> {
        PlannedMechanism::new(&self.range, &self.choice)
    }

    /// The levels, and what they spend on a first look at the spread.
    pub(super) fn pilot(&self) -> Option<&Part> {
        self.pilot.as_ref()
    }

    /// What a record of this level may spend on the mean and on what was cut off, where so much is
    /// left of its budget.
    pub(super) fn usable(&self, level: &Level, left: Epsilon) -> Epsilon {
        let kept = self.amount_kept(level.epsilon);
        match left.exact() {
            Some(left) if kept > left => Epsilon::UNUSED,
            Some(left) => Epsilon::new(rounded_down(&(left - kept))).unwrap_or(Epsilon::UNUSED),
            None => left,
        }
    }

    /// What a record that allows this much keeps, whatever is measured.
    fn amount_kept(&self, allowed: Epsilon) -> RBig {
        let level = self.range.allowed().position(allowed);
        let kept = level.and_then(|level| self.kept.get(level)).copied().unwrap_or(0.0);
        RBig::try_from(kept).unwrap_or(RBig::ZERO)
    }

    /// The most that a record can lose that allows this much.
    pub(crate) fn most(&self, allowed: Epsilon) -> Loss {
        let Some(whole) = allowed.exact() else { return Loss::Unlimited };
        Loss::Finite(whole - self.amount_kept(allowed))
    }
}

/// A budget of so much; too little is none.
fn budget(epsilon: f64) -> Result<Epsilon> {
    Ok(Epsilon::new(epsilon).unwrap_or(Epsilon::UNUSED))
}
