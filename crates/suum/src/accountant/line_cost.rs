//! Cost of a release by the lines of its certificate, in both accounts.

use suum_core::{Rho, Spending};
use suum_ledger::{Amount, Cost, Part};

/// Line of a certificate, and its cost in both accounts.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineCost<'a> {
    pub(super) line: &'a Spending,
    pub(super) cost: Cost,
}

impl<'a> LineCost<'a> {
    /// Pairs the lines with their ρ.
    pub(super) fn all(lines: &'a [Spending], rho: &[Rho]) -> Vec<Self> {
        let lost = |(at, line): (usize, &'a Spending)| {
            let epsilon = Amount::from_loss(&line.spent);
            let cost = match rho.get(at) {
                Some(rho) => Cost { epsilon, rho: *rho },
                None => Cost::from(epsilon),
            };
            Self { line, cost }
        };
        lines.iter().enumerate().map(lost).collect()
    }
}

/// Largest loss of the persons of each part: that of any level at or below their available budget.
///
/// Usually persons count at the largest of these levels, but levels may have been made coarser in
/// one group and not in another.
pub(super) fn spent_of_parts(parts: &[Part], losses: &[LineCost<'_>]) -> Vec<Cost> {
    let mut levels: Vec<&LineCost<'_>> = losses.iter().collect();
    levels.sort_by_key(|lost| lost.line.epsilon);
    let mut most: Vec<Cost> = levels.iter().map(|lost| lost.cost).collect();
    for at in 1..most.len() {
        most[at] = most[at].max(most[at - 1]);
    }
    let spent = |part: &Part| {
        let after = levels.partition_point(|lost| lost.line.epsilon <= part.charge.epsilon());
        // Nobody is charged nothing for want of a level: then all that was reserved counts.
        after.checked_sub(1).map_or_else(|| Cost::from(part.charge), |at| most[at])
    };
    parts.iter().map(spent).collect()
}

/// Largest loss of the persons of each part under hidden participation: the certified loss of the
/// next declared budget that is not below their available budget; zero if that is below the least
/// declared budget, since they then do not count.
///
/// Losses grow with the budget, so nobody lost more than that.
pub(super) fn spent_of_declared(parts: &[Part], losses: &[LineCost<'_>]) -> Vec<Cost> {
    let spent = |part: &Part| {
        let may = part.charge.epsilon();
        if losses.first().is_some_and(|least| may < least.line.epsilon) {
            return Cost::ZERO;
        }
        let next = losses.iter().find(|lost| may <= lost.line.epsilon).or(losses.last());
        let all = Cost::from(part.charge);
        // Nobody is charged nothing for want of a row: then all that was reserved counts.
        next.map_or(all, |lost| Cost {
            epsilon: lost.cost.epsilon.min(all.epsilon),
            rho: lost.cost.rho.min(all.rho),
        })
    };
    parts.iter().map(spent).collect()
}
