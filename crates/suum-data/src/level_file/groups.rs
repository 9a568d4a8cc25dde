//! Groups of a level-table file, and the assignment of its levels to them.

use std::collections::{HashMap, HashSet};

use suum_core::{Categories, GroupName, Measure, Numbers, Replacement, Result};

use super::file::{FoundLevel, LevelFile, refused};

/// Largest number of bytes that the tables of all groups may repeat together.
const MOST_REPEATED: usize = 1 << 30;

/// Column of groups, and their names in the order declared.
pub(super) struct Names {
    pub(super) column: GroupName,
    pub(super) names: Vec<GroupName>,
}

impl Names {
    /// Reads the groups of a file, if it has any.
    ///
    /// # Errors
    ///
    /// Refuses a column without names or names without a column, names that no declaration can
    /// have, and more groups than there is room for.
    pub(super) fn read(found: &LevelFile, measure: &Measure) -> Result<Option<Self>> {
        let (column, names) = match (&found.group_by, &found.groups) {
            (None, None) => return Ok(None),
            (Some(column), Some(names)) if is_name(column) => (column, names),
            _ => {
                return Err(refused(
                    "\"group_by\" and \"groups\" belong together",
                    "give the name of the column of groups and the list of all groups, or neither",
                ));
            }
        };
        check(names, column.labels().len())
            .map_err(|what| refused(what, "name at least two groups, each of them once"))?;
        if names.len().saturating_mul(repeated(found, measure)) > MOST_REPEATED {
            return Err(refused(
                "there are too many groups for the names of its columns and categories",
                "declare fewer groups or categories, or write a table for some of the groups",
            ));
        }
        Ok(Some(Self { column: column.clone(), names: names.clone() }))
    }

    /// Assigns levels to the groups.
    ///
    /// # Errors
    ///
    /// Refuses levels of no group, or of one that is not declared.
    pub(super) fn levels<'a>(
        &self,
        found: &'a LevelFile,
    ) -> Result<Vec<Vec<(usize, &'a FoundLevel)>>> {
        let places: HashMap<&GroupName, usize> =
            self.names.iter().enumerate().map(|(at, name)| (name, at)).collect();
        let mut levels = vec![Vec::new(); self.names.len()];
        for (at, level) in found.levels.iter().enumerate() {
            let refuse = |what: &str| {
                Err(refused(
                    format!("level {}: {what}", at + 1),
                    "say of each level of which \"group\" it is, by a name that stands in \
                    \"groups\"",
                ))
            };
            let Some(group) = &level.group else { return refuse("it has no group") };
            let Some(place) = places.get(group) else {
                return refuse("its group is none of those declared");
            };
            levels[*place].push((at + 1, level));
        }
        Ok(levels)
    }
}

/// Returns true if it names columns and no name is blank.
fn is_name(column: &GroupName) -> bool {
    let mut labels = column.labels().iter();
    !column.labels().is_empty() && labels.all(|label| !label.trim_ascii().is_empty())
}

/// Refuses names that no declaration of groups by so many columns can have.
fn check(names: &[GroupName], columns: usize) -> std::result::Result<(), String> {
    if names.len() < 2 {
        return Err("groups: there must be at least two".to_owned());
    }
    if names.len() > Categories::MOST {
        return Err("groups: there are more than 65536".to_owned());
    }
    let mut seen = HashSet::new();
    for (at, name) in (1..).zip(names) {
        let what = match name.labels() {
            labels if labels.len() != columns => "does not have a label for each column",
            labels if labels.iter().any(String::is_empty) => "is empty",
            _ if !seen.insert(name) => "is repeated",
            _ => continue,
        };
        return Err(format!("groups: number {at} {what}"));
    }
    Ok(())
}

/// Approximate number of bytes that are repeated in the table of each group.
fn repeated(found: &LevelFile, measure: &Measure) -> usize {
    let names = [&found.column, &found.person].into_iter().flatten().map(String::len);
    let categories = match measure {
        Measure::Categories(categories) => categories.names(),
        _ => &[],
    };
    let missing = match &found.missing {
        Some(Replacement::Category(name)) => name.len(),
        _ => 0,
    };
    let categories = categories.iter().map(|name| name.len() + size_of::<String>());
    names.chain(categories).sum::<usize>() + missing + size_of::<Measure>()
}

/// Measure of a group: `measure`, without sums in cells if none of its levels has cells.
pub(super) fn measure_of(levels: &[(usize, &FoundLevel)], measure: &Measure) -> Measure {
    let gave_up = !levels.is_empty() && levels.iter().all(|(_, level)| level.cells.is_none());
    match measure {
        Measure::Numbers(numbers) if gave_up => Measure::Numbers(without_cell_sums(*numbers)),
        measure => measure.clone(),
    }
}

/// Returns `numbers` without sums in cells.
pub(super) fn without_cell_sums(numbers: Numbers) -> Numbers {
    Numbers { cells: numbers.cells.filter(|cells| !cells.has_sums()), ..numbers }
}
