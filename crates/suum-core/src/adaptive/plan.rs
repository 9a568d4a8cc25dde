//! What adapting costs everybody, from public facts.

use dashu_ratio::RBig;

use super::ranges::ranges;
use crate::mechanism::UNIT;
use crate::part::Part;
use crate::session::Planned;
use crate::share::rounded_down;
use crate::weights::l2::clip_level;
use crate::{Cells, Epsilon, Grid, Level, Loss, RangeChoice, Result, Weights};

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
    cells: Cells,
    /// What a record of each level keeps, whatever is measured.
    kept: Vec<f64>,
    learning: Vec<Epsilon>,
    range: Part,
    choice: RangeChoice,
    /// Σ of what is spent on the range.
    units: f64,
    /// Σ of what the mean is likely to spend.
    of_mean: f64,
    pilot: Option<Part>,
    /// Up to which part of the error of a mean that learns nothing the interval may cost.
    of_plain: f64,
}

/// c of τ₀: 2h²/σ² for σ = h/7.07.
const C: f64 = 100.0;
/// The units that are to be spent on learning: at least so many, and this part of all.
const TARGET: (f64, f64) = (200.0, 0.15);
/// The largest share of a budget that is taken from everybody.
const LARGEST_SHARE: f64 = 1.0 / 6.0;
/// With fewer units than these nothing is learned.
const LEAST: f64 = 40.0;
/// The part of what a mean would leave over that learning may take.
const LEFT_OVER: f64 = 0.7;
/// The most that anybody spends on learning.
const MOST: f64 = 4.0;
/// The part of learning that pays for the first look at the spread, and the units it needs to be
/// worth it.
const PILOT: (f64, f64) = (0.25, 37.5);
/// A mean that learns is far better than one that does not, even if a part of that is given away
/// for its interval.
const OF_PLAIN: f64 = 0.25;
/// By how much a range is widened at least, and the factor of the rule beyond that.
const WIDER: (f64, f64) = (1.75, 0.8);
/// The units that half of a good range leaves out, and the part of all if those are few.
const WITHIN: (f64, f64) = (18.0, 0.25);

impl AdaptivePlan {
    /// The plan for records that may spend so much, whose grid indices were added up in `cells`,
    /// where the part `spare` of what the mean would leave over is not to be touched; `None` where
    /// there is too little to learn from, or no noise.
    ///
    /// # Errors
    ///
    /// None that a profile gives cause for.
    pub(crate) fn new(
        budgets: &Part,
        grid: &Grid,
        cells: Cells,
        spare: f64,
    ) -> Result<Option<Self>> {
        let (allowed, usable) = (budgets.allowed(), budgets.profile());
        let tau = clip_level(usable, C);
        if !tau.is_finite() || !are_wide(grid, cells) {
            return Ok(None);
        }
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            usable.usable().iter().map(|level| level.count as f64 * of(level.epsilon.get())).sum()
        };
        let target = TARGET.0.max(TARGET.1 * sum(&|epsilon| epsilon.min(tau)));
        let spent = |epsilon: f64, share: f64| match epsilon.is_finite() {
            true => {
                let left_over = (1.0 - spare) * (epsilon - tau).max(0.0);
                let usable = epsilon.min(tau) + left_over;
                (share * usable).max(LEFT_OVER * left_over).min(MOST)
            }
            false => MOST,
        };
        let units = |share: f64| sum(&|epsilon| spent(epsilon, share));
        let share = least_share(|share| units(share) >= target);
        if units(share) < LEAST {
            return Ok(None);
        }
        let (part, needed) = PILOT;
        let part = if part * units(share) >= needed { part } else { 0.0 };
        let spend = |part: f64| -> Result<Vec<Epsilon>> {
            let each = budgets.spendable().iter();
            each.map(|epsilon| budget(part * spent(epsilon.get(), share))).collect()
        };
        let range = Part::of_each(allowed.clone(), spend(1.0 - part)?)?;
        let pilot =
            (part > 0.0).then(|| Part::of_each(allowed.clone(), spend(part)?)).transpose()?;
        let units = range.profile().usable().iter();
        let units: f64 = units.map(|level| level.count as f64 * level.epsilon.get()).sum();
        let within = WITHIN.0.min(WITHIN.1 * units);
        let slack = |units: f64| (units * UNIT as f64).round() as u64;
        let weights = Weights::proportional_to(range.profile(), |epsilon| epsilon).integers();
        let bounds = grid.bounds();
        let zero = (bounds.lower() < 0.0 && bounds.upper() > 0.0)
            .then(|| grid.index(0.0).map(|index| cells.of_index(grid, index)))
            .flatten();
        let choice = RangeChoice::calibrated(
            range.profile(),
            weights,
            cells.steps(),
            ranges(cells, zero),
            (slack(within / 3.0), slack(within)),
        );
        let learning = spend(1.0)?;
        let of_mean = sum(&|epsilon| (epsilon - spent(epsilon, share)).min(tau));
        let kept = |epsilon: &Epsilon| match epsilon.is_public() {
            true => 0.0,
            false => spare * (epsilon.get() - tau).max(0.0),
        };
        let kept = budgets.spendable().iter().map(kept).collect();
        Ok(Some(Self {
            of_mean,
            cells,
            kept,
            learning,
            range,
            choice,
            units,
            pilot,
            of_plain: OF_PLAIN,
        }))
    }

    /// The same, where a mean that learns nothing is no measure of what is affordable, because its
    /// bounds are far too wide.
    #[must_use]
    pub(super) fn without_a_measure(self) -> Self {
        Self { of_plain: 0.0, ..self }
    }

    /// Up to which part of the error of a mean that learns nothing the interval may cost.
    pub(super) fn of_plain(&self) -> f64 {
        self.of_plain
    }

    /// The cells in which grid indices were added up.
    pub(super) fn cells(&self) -> Cells {
        self.cells
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
    pub(super) fn measurement(&self) -> Planned<'_, RangeChoice> {
        Planned::new(&self.range, &self.choice)
    }

    /// The levels, and what they spend on a first look at the spread.
    pub(super) fn pilot(&self) -> Option<&Part> {
        self.pilot.as_ref()
    }

    /// Σ of what is spent on the range.
    pub(super) fn units(&self) -> f64 {
        self.units
    }

    /// By how much a range is widened: so that noise, which grows with its width, and what is cut
    /// off, which falls with it, are together smallest.
    ///
    /// A range of width w that leaves out a share f of the values leaves out f·w·λ^−1.5/1.5 of a
    /// Pareto tail with exponent 2.5 once it is λ times as wide, and the mean has noise of √2·λ·w/S
    /// with S units. The sum of squares is least for λ = (f·S)^0.4/3^0.2.
    pub(super) fn wider(&self) -> f64 {
        let outside = self.outside() / self.units * self.of_mean;
        (WIDER.1 * outside.powf(0.4)).max(WIDER.0)
    }

    /// The units that a good range may leave out.
    pub(super) fn outside(&self) -> f64 {
        WITHIN.0.min(WITHIN.1 * self.units) / 3.0
    }

    /// What a record of this level may spend on the mean and on what was cut off, where so much is
    /// left of its budget.
    pub(super) fn usable(&self, level: &Level, left: Epsilon) -> Epsilon {
        let kept = self.kept(level.epsilon);
        match left.exact() {
            Some(left) if kept > left => Epsilon::UNUSED,
            Some(left) => Epsilon::new(rounded_down(&(left - kept))).unwrap_or(Epsilon::UNUSED),
            None => left,
        }
    }

    /// What a record that allows this much keeps, whatever is measured.
    fn kept(&self, allowed: Epsilon) -> RBig {
        let level = self.range.allowed().position(allowed);
        let kept = level.and_then(|level| self.kept.get(level)).copied().unwrap_or(0.0);
        RBig::try_from(kept).unwrap_or(RBig::ZERO)
    }

    /// The most that a record can lose that allows this much.
    pub(crate) fn most(&self, allowed: Epsilon) -> Loss {
        let Some(whole) = allowed.exact() else { return Loss::Unlimited };
        Loss::Finite(whole - self.kept(allowed))
    }
}

/// Whether doubles tell the ends of every part of the bounds apart that cells can make.
fn are_wide(grid: &Grid, cells: Cells) -> bool {
    let bounds = grid.bounds();
    let largest = bounds.lower().abs().max(bounds.upper().abs());
    // Cells at the ends are half as wide as others.
    let narrowest = bounds.width() / f64::from(cells.steps()) / 2.0;
    let steps = u64::from(cells.steps());
    narrowest > 16.0 * f64::EPSILON * largest && narrowest > NARROWEST && grid.points() > 4 * steps
}

/// Narrower bounds are none.
const NARROWEST: f64 = 1e-138;

/// A budget of so much; too little is none.
fn budget(epsilon: f64) -> Result<Epsilon> {
    Ok(Epsilon::new(epsilon).unwrap_or(Epsilon::UNUSED))
}

/// The least share for which something holds, or the largest that is taken.
fn least_share(enough: impl Fn(f64) -> bool) -> f64 {
    if enough(0.0) {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, LARGEST_SHARE);
    if enough(high) {
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if enough(middle) { high = middle } else { low = middle }
        }
    }
    high
}
