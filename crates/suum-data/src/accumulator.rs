//! What a worker collects, and how the collections of all workers become one level table.

use suum_core::{Cohort, Epsilon, Error, ExactSum, LevelTable, Result};

use crate::budgets::Budgets;
use crate::scan::{PrivacyColumn, Scan};
use crate::tally::{self, Tally};
use crate::tiers::Tiers;

/// Tallies by tier or by numeric budget, as the scan asks.
pub(crate) enum Accumulator {
    Tiers(Vec<Tally>),
    Budgets(Budgets),
}

impl Accumulator {
    pub(crate) fn new(scan: &Scan) -> Self {
        match &scan.privacy {
            PrivacyColumn::Tiers { tiers, .. } => Self::Tiers(vec![Tally::default(); tiers.len()]),
            PrivacyColumn::Budgets { .. } => Self::Budgets(Budgets::new()),
        }
    }

    /// Adds one record of a tier, given by its position among the declared ones.
    #[inline]
    pub(crate) fn add_tier(&mut self, slot: u32, index: u64) {
        if let Self::Tiers(tallies) = self {
            tallies[slot as usize].add(index);
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
            tally::add_all(tallies, slots, indices);
        }
    }

    /// Adds what another worker collected in the same scan.
    pub(crate) fn merge(&mut self, other: Accumulator) {
        match (self, other) {
            (Self::Tiers(ours), Self::Tiers(theirs)) => {
                for (our, their) in ours.iter_mut().zip(theirs) {
                    our.merge(their);
                }
            }
            (Self::Budgets(ours), Self::Budgets(theirs)) => ours.merge(theirs),
            // Both come from the same scan, which has one kind of privacy column.
            _ => {}
        }
    }

    /// The level table of everything that was added.
    pub(crate) fn into_table(self, scan: &Scan) -> Result<LevelTable> {
        let cohorts: Vec<Cohort> = match (self, &scan.privacy) {
            (Self::Tiers(tallies), PrivacyColumn::Tiers { tiers, .. }) => tier_cohorts(&tallies, tiers),
            (Self::Budgets(budgets), _) => budgets
                .into_levels()
                .into_iter()
                .map(|(epsilon, tally)| cohort(None, epsilon, tally))
                .collect(),
            (Self::Tiers(_), PrivacyColumn::Budgets { .. }) => Vec::new(),
        };
        if cohorts.is_empty() {
            return Err(Error::data("the data have no records")
                .with_hint("name data with at least one row below the header"));
        }
        let column = scan.value.as_ref().map(|value| value.column.clone());
        LevelTable::new(column, scan.value.as_ref().map(|value| value.grid), cohorts)
    }
}

fn tier_cohorts(tallies: &[Tally], tiers: &Tiers) -> Vec<Cohort> {
    let declared = tiers.iter().zip(tallies);
    let met = declared.filter(|(_, tally)| tally.count > 0);
    met.map(|((label, epsilon), tally)| cohort(Some(label.to_owned()), epsilon, *tally)).collect()
}

fn cohort(label: Option<String>, epsilon: Epsilon, tally: Tally) -> Cohort {
    Cohort { label, epsilon, count: tally.count, sum: ExactSum::from_raw(tally.sum) }
}
