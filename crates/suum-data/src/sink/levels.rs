//! Levels of all groups.

use std::num::NonZero;

use suum_core::{LevelTable, Result};

use crate::cells::level_key::{LevelKey, LevelKeys};
use crate::count::counters::Contribution;
use crate::sink::accumulator::Accumulator;
use crate::sink::job::Job;

/// The levels of all records, or of each group that has records.
pub(crate) enum Levels<'a> {
    All(Box<Accumulator>),
    Groups(&'a Job<'a>, Vec<Option<Box<Accumulator>>>),
}

impl<'a> Levels<'a> {
    pub(crate) fn new(job: &'a Job<'a>) -> Self {
        match job.scan().tables_of_groups() {
            0 => Self::All(Box::new(Accumulator::new(job))),
            tables => Self::Groups(job, (0..tables).map(|_| None).collect()),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, choice: LevelKey, index: u64, group: u32) {
        self.accumulator(group).add(choice, index);
    }

    pub(crate) fn add_person(
        &mut self,
        choice: LevelKey,
        contribution: Contribution<'_>,
        group: u32,
    ) {
        self.accumulator(group).add_person(choice, contribution);
    }

    pub(crate) fn add_all(&mut self, choices: &LevelKeys, indices: &[u64], groups: &[u32]) {
        match self {
            Self::All(levels) => levels.add_all(choices, indices),
            Self::Groups(..) => {
                for ((choice, index), group) in choices.iter().zip(indices).zip(groups) {
                    self.add(choice, *index, *group);
                }
            }
        }
    }

    #[inline]
    fn accumulator(&mut self, group: u32) -> &mut Accumulator {
        match self {
            Self::All(levels) => levels,
            Self::Groups(job, groups) => {
                groups[group as usize].get_or_insert_with(|| Box::new(Accumulator::new(job)))
            }
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        match (self, other) {
            (Self::All(ours), Self::All(theirs)) => ours.merge(*theirs),
            (Self::Groups(_, ours), Self::Groups(_, theirs)) => {
                for (our, their) in ours.iter_mut().zip(theirs) {
                    match (our, their) {
                        (Some(our), Some(their)) => our.merge(*their),
                        (our, Some(their)) => *our = Some(their),
                        (_, None) => {}
                    }
                }
            }
            // Both come from the same scan, which has groups or none.
            _ => {}
        }
    }

    /// Builds the table of all records.
    pub(crate) fn into_table(self, job: &Job) -> Result<LevelTable> {
        match self {
            Self::All(levels) => levels.into_table(job),
            // Only into_tables is asked of groups.
            Self::Groups(..) => job.scan().table(job.scan().measure(), Vec::new()),
        }
    }

    /// Builds the table of each group, in the order declared.
    pub(crate) fn into_tables(self, job: &Job) -> Result<Vec<Option<LevelTable>>> {
        let groups = match self {
            Self::All(levels) => vec![Some(levels)],
            Self::Groups(_, groups) => groups,
        };
        let scan = job.scan();
        scan.check_records(groups.iter().any(Option::is_some))?;
        let table = |levels: Option<Box<Accumulator>>| match levels {
            Some(levels) => levels.into_table(job).map(Some),
            // Under add-remove an empty group must look like any other.
            None if scan.hides_records() => Accumulator::new(job).into_table(job).map(Some),
            None => Ok(None),
        };
        let tables = groups.into_iter().map(table).collect::<Result<Vec<_>>>()?;
        match scan.has_public_members() {
            false => Ok(tables),
            true => tables.chunks(scan.groups().max(1)).map(join_members).collect(),
        }
    }
}

/// Table of the persons of one group, given those of persons in one group, in two, and so on;
/// `None` if it has no persons.
fn join_members(tables: &[Option<LevelTable>]) -> Result<Option<LevelTable>> {
    let numbers = (1..).filter_map(NonZero::new).zip(tables);
    let members: Vec<_> =
        numbers.filter_map(|(groups, table)| Some((groups, table.clone()?))).collect();
    (!members.is_empty()).then(|| LevelTable::from_members(members)).transpose()
}
