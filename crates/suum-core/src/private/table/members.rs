//! Level tables of persons who count in several groups.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::num::NonZero;

use super::{LevelSums, LevelTable};
use crate::{Epsilon, LevelName, MemberClasses, Result};

impl LevelTable {
    /// Returns one table of persons who are in these numbers of groups, all with their whole
    /// budgets: the stratum of a level is the number of groups less one. The tables must come from
    /// one scan.
    ///
    /// [`in_classes`](Self::in_classes) makes the table of a release from it.
    ///
    /// # Errors
    ///
    /// Refuses no table at all, tables of different columns, and more persons than a profile can
    /// have.
    pub fn from_members(each: Vec<(NonZero<u32>, LevelTable)>) -> Result<Self> {
        Self::joined(
            each.into_iter().map(|(groups, table)| (u32::from(groups) - 1, table)).collect(),
        )
    }

    /// Returns the levels of a table [of members](Self::from_members), each with the number of
    /// groups in which its persons are.
    pub fn members(&self) -> impl Iterator<Item = (NonZero<u32>, &LevelSums)> {
        let groups = |stratum: &u32| NonZero::<u32>::MIN.saturating_add(*stratum);
        self.strata.iter().map(groups).zip(&self.by_level)
    }

    /// Returns the table of a release of persons who are in several groups, and the names of the
    /// classes that have records which are used: each person counts with a part of their budget,
    /// and the classes are strata.
    ///
    /// # Errors
    ///
    /// Refuses more records than a profile can have.
    ///
    /// # Example
    ///
    /// ```
    /// use std::num::NonZero;
    /// use suum_core::{Epsilon, LevelSums, LevelTable, Measure, MemberClasses};
    ///
    /// let people = |count| -> suum_core::Result<LevelTable> {
    ///     let epsilon = Epsilon::new(0.6)?;
    ///     let level_sums =
    ///         LevelSums { label: None, epsilon, count, sums: vec![], cells: Default::default() };
    ///     LevelTable::new(None, Measure::Nothing, vec![level_sums])
    /// };
    /// let groups = |groups: u32| NonZero::new(groups).unwrap();
    /// let each = vec![(groups(1), people(5)?), (groups(2), people(2)?)];
    /// let members = LevelTable::from_members(each)?;
    /// let classes = MemberClasses::new(&[groups(1), groups(2)], 1);
    /// let (table, names) = members.in_classes(&classes)?;
    /// assert_eq!(names, ["1 group", "2 groups"]);
    /// assert_eq!(table.profile()?.to_string(), "0.3:2,0.6:5");
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn in_classes(self, classes: &MemberClasses) -> Result<(Self, Vec<String>)> {
        let about = self.clone_empty();
        let levels = self.strata.into_iter().zip(self.by_level).map(|(stratum, level_sums)| {
            let groups = NonZero::<u32>::MIN.saturating_add(stratum);
            let epsilon = classes.part(groups, level_sums.epsilon);
            let label = match classes.level_name(groups, level_sums.name(), epsilon) {
                LevelName::Label(label) => Some(label),
                LevelName::Budget(_) => None,
            };
            (classes.class(groups), LevelSums { label, epsilon, ..level_sums })
        });
        let merged = merged(levels);
        // Nothing can be known of a class in which nobody may be used: it is part of the next one.
        let used = merged.iter().filter(|(_, level_sums)| !level_sums.epsilon.is_unused());
        let mut used: Vec<usize> = used.map(|(class, _)| *class).collect();
        used.dedup();
        if used.is_empty() {
            used.extend(merged.first().map(|(class, _)| *class));
        }
        let last = used.len().saturating_sub(1);
        let stratum = |class: usize| used.partition_point(|other| *other < class).min(last) as u32;
        let stratified = merged.into_iter().map(|(class, level_sums)| (level_sums, stratum(class)));
        let table = Self::with_strata(self.column, self.measure, stratified)?.about(about);
        Ok((table, used.into_iter().map(|class| classes.name(class)).collect()))
    }

    /// Returns the table of a count: everybody once in the group, whatever the number of their
    /// groups, with their whole budgets.
    ///
    /// # Errors
    ///
    /// Refuses more records than a profile can have.
    pub fn ignore_memberships(self) -> Result<Self> {
        let about = self.clone_empty();
        let levels = merged(self.by_level.into_iter().map(|level_sums| (0, level_sums)));
        let stratified = levels.into_iter().map(|(_, level_sums)| (level_sums, 0));
        Ok(Self::with_strata(self.column, self.measure, stratified)?.about(about))
    }
}

/// Merges levels of equal names and budgets in each class; returns them by class and budget.
fn merged(levels: impl Iterator<Item = (usize, LevelSums)>) -> Vec<(usize, LevelSums)> {
    let mut merged: BTreeMap<(usize, Epsilon, Option<String>), LevelSums> = BTreeMap::new();
    for (class, level_sums) in levels {
        match merged.entry((class, level_sums.epsilon, level_sums.label.clone())) {
            Entry::Occupied(mut same) => same.get_mut().merge(&level_sums),
            Entry::Vacant(new) => {
                new.insert(level_sums);
            }
        }
    }
    merged.into_iter().map(|((class, ..), level_sums)| (class, level_sums)).collect()
}
