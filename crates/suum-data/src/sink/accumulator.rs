//! Levels of one group: collected by workers, and merged into one level table.

use suum_core::{Error, LevelSums, LevelTable, Result, option, say};

use crate::cells::level_key::{LevelKey, LevelKeys};
use crate::count::coded::LevelOfCode;
use crate::count::counters::{Contribution, Counters};
use crate::scan::Scan;
use crate::sink::budgets::Budgets;
use crate::sink::job::Job;

/// Levels by tier or by numeric budget, as the scan declares.
pub(crate) enum Accumulator {
    Tiers(Counters, usize),
    Budgets(Budgets),
}

impl Accumulator {
    pub(crate) fn new(job: &Job) -> Self {
        if !job.scan().keeps_tiers() {
            return Self::Budgets(Budgets::new(job));
        }
        let levels = job.scan().tiers().count();
        let mut counters = Counters::new(&job.scan().measure(), job.pairs());
        counters.grow(levels);
        Self::Tiers(counters, levels)
    }

    /// Levels by numeric budget.
    pub(crate) fn budgets(&mut self) -> Option<&mut Budgets> {
        match self {
            Self::Budgets(budgets) => Some(budgets),
            Self::Tiers(..) => None,
        }
    }

    /// Adds one record.
    #[inline]
    pub(crate) fn add(&mut self, choice: LevelKey, index: u64) {
        match (self, choice) {
            (Self::Tiers(counters, _), LevelKey::Tier(position)) => {
                counters.add(position as usize, index);
                settle(counters);
            }
            (Self::Budgets(budgets), LevelKey::Budget(epsilon)) => budgets.add(epsilon, index),
            // A scan has one kind of privacy column.
            _ => {}
        }
    }

    /// Adds one person, by what all their rows contribute.
    pub(crate) fn add_person(&mut self, choice: LevelKey, contribution: Contribution<'_>) {
        match (self, choice) {
            (Self::Tiers(counters, _), LevelKey::Tier(position)) => {
                counters.add_person(position as usize, contribution);
                settle(counters);
            }
            (Self::Budgets(budgets), LevelKey::Budget(epsilon)) => {
                budgets.add_person(epsilon, contribution)
            }
            _ => {}
        }
    }

    /// Adds many records.
    pub(crate) fn add_all(&mut self, choices: &LevelKeys, indices: &[u64]) {
        match (self, choices) {
            (Self::Tiers(counters, _), LevelKeys::Tiers(positions)) => {
                counters.add_all(positions, indices);
                settle(counters);
            }
            (Self::Tiers(counters, _), LevelKeys::Coded(coded)) => {
                // The code of a tier is its position.
                counters.add_coded(&coded.codes, &coded.met, &LevelOfCode::default(), indices);
                settle(counters);
            }
            (Self::Budgets(budgets), LevelKeys::Budgets(epsilons)) => {
                budgets.add_all(epsilons, indices)
            }
            (Self::Budgets(budgets), LevelKeys::Coded(coded)) => budgets.add_coded(coded, indices),
            _ => {}
        }
    }

    /// Adds the levels of another worker in the same scan.
    pub(crate) fn merge(&mut self, other: Accumulator) {
        match (self, other) {
            (Self::Tiers(ours, levels), Self::Tiers(theirs, _)) => {
                let positions: Vec<usize> = (0..*levels).collect();
                ours.merge(theirs, &positions);
                settle(ours);
            }
            (Self::Budgets(ours), Self::Budgets(theirs)) => ours.merge(theirs),
            _ => {}
        }
    }

    /// Builds the level table of everything that was added.
    pub(crate) fn into_table(self, job: &Job) -> Result<LevelTable> {
        let scan = job.scan();
        let (measure, by_level) = match self {
            Self::Tiers(counters, _) => (
                counters.effective_measure(scan.measure()),
                sums_of_tiers(counters, scan, job.pairs())?,
            ),
            Self::Budgets(budgets) => budgets.into_level_sums(scan.measure())?,
        };
        let table = scan.table(measure, by_level)?;
        Ok(match &scan.person {
            Some(person) => table.with_person(person.clone(), scan.person_value),
            None => table,
        })
    }
}

/// Gives up where there could be too many pairs. The rows that follow are still read: one may have
/// a fault, which is reported first.
#[inline]
fn settle(counters: &mut Counters) {
    if counters.is_crowded() {
        counters.give_up();
    }
}

fn sums_of_tiers(counters: Counters, scan: &Scan, limit: usize) -> Result<Vec<LevelSums>> {
    if counters.has_given_up() {
        return Err(Error::data(
            (),
            format!("there could be more than {limit} pairs of a tier and a candidate"),
        )
        .with_fix(say("lower").option(option::CELLS).say(", or declare fewer tiers")));
    }
    Ok(counters.into_level_sums(scan.tiers().map(|(label, epsilon)| (Some(label), epsilon))))
}
