//! Persons who count in all of their groups, with a part of their budget in each.
//!
//! Persons in more groups than others can have other values. So an estimate keeps the share
//! of persons by the number of their groups: they are strata, whose persons divide their budgets by
//! that number. Few persons in many groups would make a stratum that costs much accuracy; then
//! several numbers are one class, whose persons all divide by the largest. Which classes there are
//! follows from public numbers of persons, by the expected error of all groups.

use std::collections::BTreeMap;
use std::num::NonZero;

use suum_core::{
    Epsilon, LevelName, LevelTable, MemberClasses, MemberKind, Memberships, Profile, Result,
};

use super::grouped::{PerGroup, Tables};
use super::statistic;
use crate::options::Statistics;
use crate::query::{Labels, Query};

/// Largest number of divisions into classes that are compared.
const MOST_DIVISIONS: usize = 12;

/// Largest number of groups whose expected errors are compared.
const MOST_COMPARED: usize = 8;

/// Level, by the label of its tier and its whole budget.
type Level = (Option<String>, Epsilon);

/// Public memberships of the persons in the data.
#[derive(Debug, Clone)]
pub(crate) struct Members {
    classes: MemberClasses,
    /// Number of persons of each level by the number of their groups.
    persons: BTreeMap<(Level, NonZero<u32>), u64>,
}

impl Members {
    /// Memberships of the persons in tables [of members](LevelTable::from_members); `None` where
    /// each record is in one group.
    ///
    /// # Errors
    ///
    /// Fails if nothing can be planned for these persons.
    pub(crate) fn from_tables(
        query: &Query,
        tables: &PerGroup<LevelTable>,
    ) -> Result<Option<Self>> {
        if query.person_groups.is_none() {
            return Ok(None);
        }
        // Each person is there as often as they have groups.
        let persons: BTreeMap<_, _> = places(tables)
            .into_iter()
            .map(|((level, groups), count)| ((level, groups), count.div_ceil(groups.get().into())))
            .collect();
        // Whoever allows nothing has no say in what others spend.
        let used = persons.keys().filter(|((_, epsilon), _)| !epsilon.is_unused());
        let mut numbers: Vec<NonZero<u32>> = used.map(|(_, groups)| *groups).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let classes = chosen(query, tables, &numbers)?;
        Ok(Some(Self { classes, persons }))
    }

    /// Kinds of persons in the tables of a release, which may have other budgets by now.
    pub(crate) fn memberships(&self, tables: &PerGroup<LevelTable>) -> Memberships {
        // Budgets of tiers may have been scaled since persons were counted.
        let of_tiers: BTreeMap<(&Option<String>, NonZero<u32>), u64> = self
            .persons
            .iter()
            .map(|((level, groups), count)| ((&level.0, *groups), *count))
            .collect();
        let counted = |level: &Level, groups: NonZero<u32>| match &level.0 {
            Some(_) => of_tiers.get(&(&level.0, groups)).copied(),
            None => self.persons.get(&(level.clone(), groups)).copied(),
        };
        let kind = |((level, groups), places): ((Level, NonZero<u32>), u64)| {
            let persons = counted(&level, groups);
            let (label, epsilon) = level;
            let level = label.map_or(LevelName::Budget(epsilon), LevelName::Label);
            let part = self.classes.part(groups, epsilon);
            MemberKind {
                name: self.classes.level_name(groups, level.clone(), part),
                part,
                level,
                epsilon,
                groups,
                persons: persons.unwrap_or_else(|| places.div_ceil(groups.get().into())),
            }
        };
        Memberships::Public(places(tables).into_iter().map(kind).collect())
    }

    /// Classes of persons by the number of their groups.
    pub(crate) fn classes(&self) -> &MemberClasses {
        &self.classes
    }
}

/// Number of places of each level in all groups, by the number of groups of its persons.
fn places(tables: &PerGroup<LevelTable>) -> BTreeMap<(Level, NonZero<u32>), u64> {
    let mut places: BTreeMap<(Level, NonZero<u32>), u64> = BTreeMap::new();
    for (groups, level) in tables.iter().flat_map(LevelTable::members) {
        let level_of_all = (level.label.clone(), level.epsilon);
        *places.entry((level_of_all, groups)).or_default() += level.count;
    }
    places
}

/// Table of a release and the query of its plan: with public memberships every person has a part of
/// their budget, and classes of persons are strata.
pub(crate) fn divided(
    members: Option<&Members>,
    query: &Query,
    table: LevelTable,
) -> Result<(LevelTable, Query)> {
    match members {
        Some(members) => in_classes(query, table, &members.classes),
        None => Ok((table, query.clone())),
    }
}

/// Profile of all records, or of a group of median size among those with records, for a rough plan:
/// with public memberships all persons divide their budgets alike. `None` without records.
pub(crate) fn people(query: &Query, tables: &Tables) -> Result<Option<Profile>> {
    tables.middle().map(|table| profile(query, table)).transpose()
}

fn profile(query: &Query, table: &LevelTable) -> Result<Profile> {
    if query.person_groups.is_none() {
        return table.profile();
    }
    let most = table.members().map(|(groups, _)| groups).max();
    table.clone().in_classes(&MemberClasses::new(most.as_slice(), 0))?.0.profile()
}

fn in_classes(
    query: &Query,
    table: LevelTable,
    classes: &MemberClasses,
) -> Result<(LevelTable, Query)> {
    let (table, names) = table.in_classes(classes)?;
    let member_classes = (names.len() > 1).then_some(Labels(names));
    Ok((table, Query { member_classes, ..query.clone() }))
}

/// Classes of persons in these numbers of groups, in ascending order, with which the expected
/// errors of all groups are least.
///
/// Compared are one class, and classes of one number each up to some number and one class of all
/// larger ones.
fn chosen(
    query: &Query,
    tables: &PerGroup<LevelTable>,
    numbers: &[NonZero<u32>],
) -> Result<MemberClasses> {
    let one = MemberClasses::new(numbers, 0);
    // With strata a mean of values without declared bounds would have no interval.
    let keeps_shares = Statistics::Estimated.include(&query.statistic) && !query.wants_range();
    let mut compared: Vec<&LevelTable> = tables.iter().collect();
    if numbers.len() < 2 || !keeps_shares || compared.is_empty() {
        return Ok(one);
    }
    compared.sort_by_key(|table| table.records());
    let step = compared.len().div_ceil(MOST_COMPARED);
    let compared: Vec<&LevelTable> = compared.into_iter().rev().step_by(step).collect();
    let error = |classes: &MemberClasses| {
        let logarithm = |table: &&LevelTable| {
            let (table, query) = in_classes(query, (*table).clone(), classes).ok()?;
            let measure = statistic::assumed(&query, Some(&table)).ok()?;
            let plan = statistic::plan(&query, &measure, table.profile().ok()?).ok()?;
            plan.rmse().map(f64::ln).filter(|logarithm| logarithm.is_finite())
        };
        compared.iter().map(logarithm).sum::<Option<f64>>()
    };
    let apart = numbers.len() - 1;
    let step = apart.div_ceil(MOST_DIVISIONS);
    let divisions = (1..=apart).rev().step_by(step.max(1));
    let divisions = divisions.map(|apart| MemberClasses::new(numbers, apart));
    let mut best = (error(&one), one);
    for classes in divisions {
        let found = error(&classes);
        if found.is_some_and(|found| best.0.is_none_or(|least| found < least)) {
            best = (found, classes);
        }
    }
    Ok(best.1)
}
