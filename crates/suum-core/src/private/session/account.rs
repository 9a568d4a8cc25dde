//! Account of a release: allowed, lost and remaining budgets of every level, in exact arithmetic.

use std::sync::Arc;

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::{Cost, Measurement};
use crate::certificate::verify::Description;
use crate::error::{Command, say};
use crate::people::share::rounded_down;
use crate::{
    DeclaredBudgets, Epsilon, Error, LevelEntry, Loss, MeasurementEntry, Neighbors, Result, Share,
};

/// Account of a release: the people, their budgets, and the measurements that they have paid for.
///
/// Measurements are made one after the other. None is charged that would cost a level more than it
/// allows: [`charge`](Self::charge) is the last check before noise is drawn, and it does not trust
/// the planning that chose the scales. If budgets are declared as a range, every possible budget is
/// checked, or, if there are too many, those that a certificate lists. Checking these is enough: a
/// cost in units of ε is concave in ε, so nobody loses a larger share of their ε than the least
/// level, except that each cost is rounded down to steps of 2^-50 of its clip or finer. (Costs that
/// are not concave are only charged if all budgets are [checked](Self::checks_all).)
///
/// A statistic that is one of several [begins](Self::begin) a part. What its records have left is
/// left of that part. Both the part and the whole must suffice.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    people: Arc<People>,
    neighbors: Neighbors,
    /// Parts in their order; the last one is the current part.
    parts: Vec<Paid>,
}

/// Costs and measurements of one part of every budget.
#[derive(Debug, Clone)]
struct Paid {
    share: Share,
    costs: Vec<Cost>,
    /// Certificate entries of the measurements.
    entries: Vec<Arc<MeasurementEntry>>,
}

/// People who may take part, as far as they are public.
#[derive(Debug)]
enum People {
    /// Levels of the people who take part, under replace-one neighbours.
    Known(Vec<Epsilon>),
    /// Possible budgets under add-remove, and each of them if they are few.
    Declared(DeclaredBudgets, Option<Vec<Epsilon>>),
}

impl People {
    /// Returns the budget that a record allowing ε counts with.
    fn round_down(&self, epsilon: Epsilon) -> Epsilon {
        match self {
            People::Known(_) => epsilon,
            People::Declared(budgets, _) => budgets.round_down(epsilon),
        }
    }

    /// Returns the levels that a certificate lists.
    fn levels(&self) -> Vec<Epsilon> {
        match self {
            People::Known(levels) => levels.clone(),
            People::Declared(budgets, _) => {
                budgets.rows().into_iter().map(|(_, epsilon)| epsilon).collect()
            }
        }
    }

    /// Returns true if a condition holds for every budget that is checked.
    fn all(&self, keeps: impl Fn(Epsilon) -> bool) -> bool {
        let others = match self {
            People::Known(_) => None,
            People::Declared(_, all) => all.as_ref(),
        };
        others.is_none_or(|all| all.iter().all(|epsilon| keeps(*epsilon)))
            && self.levels().into_iter().all(keeps)
    }
}

impl Account {
    /// Returns the account of records whose levels are public.
    pub(crate) fn for_levels(levels: Vec<Epsilon>, neighbors: Neighbors) -> Self {
        Self::new(People::Known(levels), neighbors)
    }

    /// Returns the account of records of which only the possible budgets are public.
    pub(crate) fn declared(budgets: DeclaredBudgets, neighbors: Neighbors) -> Self {
        let all = budgets.all();
        Self::new(People::Declared(budgets, all), neighbors)
    }

    fn new(people: People, neighbors: Neighbors) -> Self {
        Self { people: Arc::new(people), neighbors, parts: vec![Paid::nothing(Share::ALL)] }
    }

    /// Returns the relation between datasets that must not be told apart.
    pub(crate) fn neighbors(&self) -> Neighbors {
        self.neighbors
    }

    /// Returns true if everybody who may take part is public, so that there is nothing to hide and
    /// no noise is needed.
    pub(crate) fn is_public(&self) -> bool {
        match &*self.people {
            // Mechanisms for known levels leave out the noise of public levels themselves.
            People::Known(_) => false,
            People::Declared(budgets, _) => budgets.least().is_public(),
        }
    }

    /// Begins a part that may spend this share of every budget.
    pub(crate) fn begin(&mut self, share: Share) {
        self.parts.retain(|part| !part.costs.is_empty());
        self.parts.push(Paid::nothing(share));
    }

    /// Returns what a record of the least declared budget has left.
    pub(crate) fn least(&self) -> Epsilon {
        self.left(match &*self.people {
            People::Known(levels) => levels.first().copied().unwrap_or(Epsilon::UNUSED),
            People::Declared(budgets, _) => budgets.least(),
        })
    }

    /// Returns what a record of the largest declared budget has left.
    pub(crate) fn most(&self) -> Epsilon {
        self.left(match &*self.people {
            People::Known(levels) => levels.last().copied().unwrap_or(Epsilon::UNUSED),
            People::Declared(budgets, _) => budgets.most(),
        })
    }

    /// Returns true if every possible budget is checked, rather than only some of a range.
    pub(crate) fn checks_all(&self) -> bool {
        match &*self.people {
            People::Known(_) => true,
            People::Declared(_, all) => all.is_some(),
        }
    }

    /// Charges the cost of a measurement, or of a reserve that is kept.
    ///
    /// # Errors
    ///
    /// If a record of some level would lose more than it allows, which is a bug.
    pub(crate) fn charge(&mut self, cost: Cost) -> Result<()> {
        if let Some(part) = self.parts.last_mut() {
            part.costs.push(cost);
            if self.people.all(|epsilon| self.keeps(epsilon)) {
                return Ok(());
            }
        }
        self.parts.last_mut().map(|part| part.costs.pop());
        Err(Error::internal(
            "a loss would exceed its budget; this is a bug in suum, nothing was released",
        )
        .with_fix(
            say("please report it, with the options and what")
                .command(Command::ask("plan"))
                .say("says about the same people"),
        ))
    }

    /// Returns the certificate entry of a measurement, before it is charged.
    pub(super) fn entry(&self, measurement: &impl Measurement, cost: &Cost) -> MeasurementEntry {
        let level = |epsilon: Epsilon| {
            let budget = match cost {
                Cost::PerLevel(..) | Cost::OfAllowed(_) => self.people.round_down(epsilon),
                Cost::OfLeft(_) | Cost::Kept(_) => self.left(epsilon),
            };
            LevelEntry { epsilon, ..measurement.level(budget) }
        };
        // Tiers with equal budgets are one level, and so are the levels of all strata with equal
        // budgets.
        let mut allowed = self.people.levels();
        allowed.dedup();
        let levels: Vec<LevelEntry> = allowed.into_iter().map(level).collect();
        let Description { question, distribution, sensitivity, scale } =
            measurement.description(self.neighbors);
        let scale = match self.is_public() {
            true => scale.map(|_| UBig::ZERO.into()),
            false => scale,
        };
        let neighbors = self.neighbors;
        MeasurementEntry { question, neighbors, distribution, sensitivity, scale, levels }
    }

    /// Adds the entry of a measurement that was charged.
    pub(super) fn list(&mut self, entry: MeasurementEntry) {
        if let Some(part) = self.parts.last_mut() {
            part.entries.push(Arc::new(entry));
        }
    }

    /// Returns the measurements of this part.
    pub(crate) fn measured_in_part(&self) -> Vec<Arc<MeasurementEntry>> {
        self.parts.last().map(|part| part.entries.clone()).unwrap_or_default()
    }

    /// Returns all measurements.
    pub(crate) fn measured(&self) -> Vec<Arc<MeasurementEntry>> {
        self.parts.iter().flat_map(|part| part.entries.iter().cloned()).collect()
    }

    /// Returns true if a record that allows ε has lost no more than it allows, in all and in this
    /// part.
    fn keeps(&self, epsilon: Epsilon) -> bool {
        let allowed = self.people.round_down(epsilon);
        let Some((part, before)) = self.parts.split_last() else { return false };
        let (spent, budget) = (self.paid(part, allowed), part.share.apply_to(allowed));
        if before.is_empty() && budget <= allowed {
            return spent.within(budget);
        }
        spent.within(budget)
            && before
                .iter()
                .fold(spent, |sum, part| sum.plus(&self.paid(part, allowed)))
                .within(allowed)
    }

    /// Returns what a record that allows ε has left of this part, rounded down.
    pub(crate) fn left(&self, epsilon: Epsilon) -> Epsilon {
        let allowed = self.people.round_down(epsilon);
        self.parts.last().map_or(Epsilon::UNUSED, |part| part.left(allowed))
    }

    /// Returns the exact loss, in a part, of a record that counts with this budget: unlimited if no
    /// noise is added.
    fn paid(&self, part: &Paid, allowed: Epsilon) -> Loss {
        let spent = part.spent(allowed);
        match self.is_public() && spent != Loss::ZERO {
            true => Loss::Unlimited,
            false => spent,
        }
    }

    /// Returns the exact loss of a record that allows ε, in this part.
    pub(crate) fn spent_in_part(&self, epsilon: Epsilon) -> Loss {
        let allowed = self.people.round_down(epsilon);
        self.parts.last().map_or(Loss::ZERO, |part| self.paid(part, allowed))
    }

    /// Returns the exact loss of a record that allows ε, in all parts.
    pub(crate) fn spent(&self, epsilon: Epsilon) -> Loss {
        let allowed = self.people.round_down(epsilon);
        let parts = self.parts.iter().map(|part| self.paid(part, allowed));
        parts.reduce(|one, other| one.plus(&other)).unwrap_or(Loss::ZERO)
    }
}

impl Paid {
    fn nothing(share: Share) -> Self {
        Self { share, costs: Vec::new(), entries: Vec::new() }
    }

    /// Returns what a record with this budget has left.
    fn left(&self, allowed: Epsilon) -> Epsilon {
        let costs = self.costs.iter();
        costs.fold(self.share.apply_to(allowed), |left, cost| after(cost, allowed, left))
    }

    /// Returns the exact loss of a record with this budget.
    fn spent(&self, allowed: Epsilon) -> Loss {
        // Only some costs depend on what is left after earlier ones, which is slow to compute.
        let is_of_left = |cost: &Cost| matches!(cost, Cost::OfLeft(_) | Cost::Kept(_));
        let by_what_is_left = self.costs.iter().any(is_of_left);
        let mut left = if by_what_is_left { self.share.apply_to(allowed) } else { allowed };
        let mut spent = Loss::ZERO;
        for cost in &self.costs {
            let loss = cost.loss(allowed, left);
            if by_what_is_left {
                left = after(cost, allowed, left);
            }
            if matches!(cost, Cost::Kept(_)) {
                continue;
            }
            spent = if spent == Loss::ZERO { loss } else { spent.plus(&loss) };
        }
        spent
    }
}

/// Returns what a record with this budget has left after a cost, rounded down, if it had `left`
/// before.
fn after(cost: &Cost, allowed: Epsilon, left: Epsilon) -> Epsilon {
    match cost {
        Cost::PerLevel(..) => rest(left, &cost.loss(allowed, left)),
        Cost::OfAllowed(units) => units.rest(left, allowed),
        Cost::OfLeft(units) | Cost::Kept(units) => units.rest(left, left),
    }
}

/// Returns the largest double that is at most budget − loss, as a budget; ∞ stays ∞, and too small
/// a rest becomes [`Epsilon::UNUSED`].
pub(crate) fn rest(budget: Epsilon, loss: &Loss) -> Epsilon {
    let (Some(budget), Loss::Finite(loss)) = (budget.exact(), loss) else {
        return if budget.is_public() { budget } else { Epsilon::UNUSED };
    };
    if *loss >= budget {
        return Epsilon::UNUSED;
    }
    let rest: RBig = budget - loss;
    Epsilon::new(rounded_down(&rest)).unwrap_or(Epsilon::UNUSED)
}
