//! What every level allows, has lost and has left, in exact arithmetic.

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

/// The people of a release, their allowances, and the measurements that they have paid for.
///
/// Measurements are made one after the other. None is paid for that would cost one of the levels
/// more than it allows: [`charge`](Self::charge) is the last check before noise is drawn, and it
/// does not trust the planning that chose the scales. Where budgets are declared as a range, all
/// that there can be are checked, or if they are many those that a certificate lists. That decides
/// for all others: what is paid in units of ε is concave in ε, so nobody loses a larger share of
/// their ε than the least level, but for a rounding of each cost, downwards, to steps of 2^-50 of
/// its clip level or finer. (Costs that are not concave are only paid where all are
/// [checked](Self::checks_all).)
///
/// A statistic that is one of several [begins](Self::begin) a part. What its records have left is
/// left of that part, which must suffice, and all parts together must keep the whole.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    people: Arc<People>,
    neighbors: Neighbors,
    /// The last one is that of now.
    parts: Vec<Paid>,
}

/// What one part of every budget has paid for.
#[derive(Debug, Clone)]
struct Paid {
    share: Share,
    costs: Vec<Cost>,
    /// What was measured for it.
    entries: Vec<Arc<MeasurementEntry>>,
}

/// Who may take part, as far as it is public.
#[derive(Debug)]
enum People {
    /// Under replace-one neighbours: the levels of those who take part.
    Known(Vec<Epsilon>),
    /// Where participation is hidden: what budgets there can be, and each of them if they are few.
    Declared(DeclaredBudgets, Option<Vec<Epsilon>>),
}

impl People {
    /// As what a record counts that allows ε.
    fn of(&self, epsilon: Epsilon) -> Epsilon {
        match self {
            People::Known(_) => epsilon,
            People::Declared(budgets, _) => budgets.of(epsilon),
        }
    }

    /// The levels that a certificate lists.
    fn levels(&self) -> Vec<Epsilon> {
        match self {
            People::Known(levels) => levels.clone(),
            People::Declared(budgets, _) => {
                budgets.rows().into_iter().map(|(_, epsilon)| epsilon).collect()
            }
        }
    }

    /// Whether this holds for all that are checked.
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
    /// The account of records whose levels are public.
    pub(crate) fn known(levels: Vec<Epsilon>, neighbors: Neighbors) -> Self {
        Self::new(People::Known(levels), neighbors)
    }

    /// The account of records of which only the budgets that there can be are public.
    pub(crate) fn declared(budgets: DeclaredBudgets, neighbors: Neighbors) -> Self {
        let all = budgets.all();
        Self::new(People::Declared(budgets, all), neighbors)
    }

    fn new(people: People, neighbors: Neighbors) -> Self {
        Self { people: Arc::new(people), neighbors, parts: vec![Paid::nothing(Share::ALL)] }
    }

    /// Which datasets must not be told apart.
    pub(crate) fn neighbors(&self) -> Neighbors {
        self.neighbors
    }

    /// Returns true if everybody who may take part is public, so that there is nothing to hide and
    /// no noise is needed.
    pub(crate) fn is_public(&self) -> bool {
        match &*self.people {
            // Their mechanisms know it by their levels.
            People::Known(_) => false,
            People::Declared(budgets, _) => budgets.least().is_public(),
        }
    }

    /// Begins a part that may spend this share of what everybody allows.
    pub(crate) fn begin(&mut self, share: Share) {
        self.parts.retain(|part| !part.costs.is_empty());
        self.parts.push(Paid::nothing(share));
    }

    /// What a record of the least declared budget has left.
    pub(crate) fn least(&self) -> Epsilon {
        self.left(match &*self.people {
            People::Known(levels) => levels.first().copied().unwrap_or(Epsilon::UNUSED),
            People::Declared(budgets, _) => budgets.least(),
        })
    }

    /// What a record of the largest declared budget has left.
    pub(crate) fn most(&self) -> Epsilon {
        self.left(match &*self.people {
            People::Known(levels) => levels.last().copied().unwrap_or(Epsilon::UNUSED),
            People::Declared(budgets, _) => budgets.most(),
        })
    }

    /// Whether every budget that somebody can have is checked, and not only some of a range.
    pub(crate) fn checks_all(&self) -> bool {
        match &*self.people {
            People::Known(_) => true,
            People::Declared(_, all) => all.is_some(),
        }
    }

    /// Pays for a measurement, or keeps something.
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

    /// A measurement as the certificate lists it, before it is paid for.
    pub(super) fn entry(&self, measurement: &impl Measurement, cost: &Cost) -> MeasurementEntry {
        let level = |epsilon: Epsilon| {
            let budget = match cost {
                Cost::PerLevel(..) | Cost::OfAllowed(_) => self.people.of(epsilon),
                Cost::OfLeft(_) | Cost::Kept(_) => self.left(epsilon),
            };
            LevelEntry { epsilon, ..measurement.level(budget) }
        };
        // Tiers that allow the same are one level, as are those of all strata.
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

    /// Lists a measurement that was paid for.
    pub(super) fn list(&mut self, entry: MeasurementEntry) {
        if let Some(part) = self.parts.last_mut() {
            part.entries.push(Arc::new(entry));
        }
    }

    /// What was measured in this part.
    pub(crate) fn measured_in_part(&self) -> Vec<Arc<MeasurementEntry>> {
        self.parts.last().map(|part| part.entries.clone()).unwrap_or_default()
    }

    /// What was measured in all.
    pub(crate) fn measured(&self) -> Vec<Arc<MeasurementEntry>> {
        self.parts.iter().flat_map(|part| part.entries.iter().cloned()).collect()
    }

    /// Whether a record that allows ε has lost no more than it allows, in all and in this part.
    fn keeps(&self, epsilon: Epsilon) -> bool {
        let allowed = self.people.of(epsilon);
        let Some((part, before)) = self.parts.split_last() else { return false };
        let (spent, budget) = (self.paid(part, allowed), part.share.of(allowed));
        if before.is_empty() && budget <= allowed {
            return spent.within(budget);
        }
        spent.within(budget)
            && before
                .iter()
                .fold(spent, |sum, part| sum.plus(&self.paid(part, allowed)))
                .within(allowed)
    }

    /// What a record that allows ε has left of this part, rounded down.
    pub(crate) fn left(&self, epsilon: Epsilon) -> Epsilon {
        let allowed = self.people.of(epsilon);
        self.parts.last().map_or(Epsilon::UNUSED, |part| part.left(allowed))
    }

    /// Exact loss in a part of a record that counts as this budget: unlimited where no noise is
    /// added.
    fn paid(&self, part: &Paid, allowed: Epsilon) -> Loss {
        let spent = part.spent(allowed);
        match self.is_public() && spent != Loss::ZERO {
            true => Loss::Unlimited,
            false => spent,
        }
    }

    /// What a record that allows ε has lost in this part, exactly.
    pub(crate) fn spent_in_part(&self, epsilon: Epsilon) -> Loss {
        let allowed = self.people.of(epsilon);
        self.parts.last().map_or(Loss::ZERO, |part| self.paid(part, allowed))
    }

    /// What a record that allows ε has lost in all, exactly.
    pub(crate) fn spent(&self, epsilon: Epsilon) -> Loss {
        let allowed = self.people.of(epsilon);
        let parts = self.parts.iter().map(|part| self.paid(part, allowed));
        parts.reduce(|one, other| one.plus(&other)).unwrap_or(Loss::ZERO)
    }
}

impl Paid {
    fn nothing(share: Share) -> Self {
        Self { share, costs: Vec::new(), entries: Vec::new() }
    }

    /// What a record that allows this much has left.
    fn left(&self, allowed: Epsilon) -> Epsilon {
        let costs = self.costs.iter();
        costs.fold(self.share.of(allowed), |left, cost| after(cost, allowed, left))
    }

    /// What a record that allows this much has lost.
    fn spent(&self, allowed: Epsilon) -> Loss {
        // Only some costs depend on what those before have left, which takes long to work out.
        let is_of_left = |cost: &Cost| matches!(cost, Cost::OfLeft(_) | Cost::Kept(_));
        let by_what_is_left = self.costs.iter().any(is_of_left);
        let mut left = if by_what_is_left { self.share.of(allowed) } else { allowed };
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

/// What a record that allows this much and has so much left has left after a cost, rounded down.
fn after(cost: &Cost, allowed: Epsilon, left: Epsilon) -> Epsilon {
    match cost {
        Cost::PerLevel(..) => rest(left, &cost.loss(allowed, left)),
        Cost::OfAllowed(units) => units.rest(left, allowed),
        Cost::OfLeft(units) | Cost::Kept(units) => units.rest(left, left),
    }
}

/// The largest double of at most budget − loss, as a budget; ∞ stays ∞, and too little is nothing.
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
