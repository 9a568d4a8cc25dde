//! What a worker collects, and how the collections of all workers become one level table.

use suum_core::{Cohort, Epsilon, Error, LevelTable, Measure, Result};

use crate::budgets::Budgets;
use crate::scan::{PrivacyColumn, Scan};
use crate::tallies::Tallies;
use crate::tiers::Tiers;
use crate::value::Value;

/// Levels by tier or by numeric budget, as the scan asks.
pub(crate) enum Accumulator {
    Tiers(Tallies),
    Budgets(Budgets),
}

/// What was collected from some files, and in how many pieces of work.
pub(crate) struct Part {
    pub(crate) levels: Accumulator,
    pub(crate) pieces: u64,
}

impl Accumulator {
    pub(crate) fn new(scan: &Scan) -> Self {
        match &scan.privacy {
            PrivacyColumn::Tiers { tiers, .. } => {
                let mut tallies = Tallies::new(scan);
                tallies.extend(tiers.budgets());
                Self::Tiers(tallies)
            }
            PrivacyColumn::Budgets { .. } => Self::Budgets(Budgets::new(scan)),
        }
    }

    /// Begins a piece of work. No two pieces of a scan may have the same number.
    pub(crate) fn begin(&mut self, piece: u64) {
        match self {
            Self::Tiers(tallies) => tallies.begin(piece),
            Self::Budgets(budgets) => budgets.begin(piece),
        }
    }

    /// Adds one record of a tier, given by its position among the declared ones.
    #[inline]
    pub(crate) fn add_tier(&mut self, slot: u32, index: u64) {
        if let Self::Tiers(tallies) = self {
            tallies.add(slot as usize, index);
        }
    }

    /// Adds one record with a numeric budget.
    #[inline]
    pub(crate) fn add_budget(&mut self, epsilon: Epsilon, index: u64) {
        if let Self::Budgets(budgets) = self {
            budgets.add(epsilon, index);
        }
    }

    /// Adds many records of declared tiers.
    pub(crate) fn add_tiers(&mut self, slots: &[u32], indices: &[u64]) {
        if let Self::Tiers(tallies) = self {
            tallies.add_all(slots, indices);
        }
    }

    /// Adds what another worker collected in the same scan.
    pub(crate) fn merge(&mut self, other: Accumulator) {
        match (self, other) {
            (Self::Tiers(ours), Self::Tiers(theirs)) => {
                for slot in 0..theirs.counters().levels() {
                    ours.merge(slot, theirs.counters(), slot);
                }
            }
            (Self::Budgets(ours), Self::Budgets(theirs)) => ours.merge(theirs),
            // Both come from the same scan, which has one kind of privacy column.
            _ => {}
        }
    }

    /// The level table of everything that was added.
    pub(crate) fn into_table(self, scan: &Scan) -> Result<LevelTable> {
        let cohorts = match (self, &scan.privacy) {
            (Self::Tiers(tallies), PrivacyColumn::Tiers { tiers, .. }) => tier_cohorts(&tallies, tiers),
            (Self::Budgets(budgets), _) => budgets.into_cohorts()?,
            (Self::Tiers(_), PrivacyColumn::Budgets { .. }) => Vec::new(),
        };
        if cohorts.is_empty() {
            return Err(Error::data("the data have no records")
                .with_hint("name data with at least one row below the header"));
        }
        let column = scan.value.as_ref().map(|value| value.column().to_owned());
        let measure = scan.value.as_ref().map_or(Measure::Nothing, Value::measure);
        LevelTable::new(column, measure, cohorts)
    }
}

fn tier_cohorts(tallies: &Tallies, tiers: &Tiers) -> Vec<Cohort> {
    let declared = tiers.iter().enumerate();
    let met = declared.filter(|(slot, _)| tallies.counters().count(*slot) > 0);
    met.map(|(slot, (label, epsilon))| tallies.cohort(slot, Some(label), epsilon)).collect()
}
