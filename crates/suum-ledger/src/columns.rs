//! Columns of a dataset, protected or public.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use suum_core::{Error, Phrase, Place, Result, option, say};

/// Columns that a release reads, by use.
///
/// Names are compared without regard to case and to spaces around them, as databases and readers of
/// files compare them.
///
/// # Example
///
/// ```
/// use suum_ledger::Columns;
///
/// let frequency = Columns {
///     values: ["health".into()].into(),
///     published: ["privacy".into()].into(),
///     ..Columns::default()
/// };
/// assert!(frequency.check().is_ok());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Columns {
    /// Columns whose values the release protects.
    pub values: BTreeSet<String>,
    /// Columns that it makes public: groups, tiers, budgets, persons, and what chooses rows.
    pub published: BTreeSet<String>,
    /// Columns that are declared public: they need no protection.
    pub declared: BTreeSet<String>,
}

impl Columns {
    /// Refuses a release that makes public what it is to protect.
    ///
    /// # Errors
    ///
    /// Names the column.
    pub fn check(&self) -> Result<()> {
        Uses::default().check(self)
    }

    /// Returns true if two names mean the same column.
    ///
    /// ```
    /// use suum_ledger::Columns;
    ///
    /// assert!(Columns::are_one("Health", "health "));
    /// assert!(!Columns::are_one("health", "wealth"));
    /// ```
    pub fn are_one(name: &str, other: &str) -> bool {
        folded(name) == folded(other)
    }
}

/// Uses of the columns of one dataset by its entries, by folded name.
#[derive(Debug, Default)]
pub(crate) struct Uses(BTreeMap<String, Use>);

/// Written name of a column, and the entries that used it in each way.
#[derive(Debug, Default)]
struct Use {
    name: String,
    values: BTreeSet<u64>,
    published: BTreeSet<u64>,
    declared: BTreeSet<u64>,
}

/// Folds a name: case and spaces around it do not distinguish columns, as for readers of files.
fn folded(name: &str) -> String {
    name.trim().to_lowercase()
}

impl Uses {
    /// Adds the columns that an entry used.
    pub(crate) fn add(&mut self, entry: u64, columns: &Columns) {
        self.change(columns, |entries| {
            entries.insert(entry);
        });
    }

    /// Removes the columns that a cancelled entry used.
    pub(crate) fn take_back(&mut self, entry: u64, columns: &Columns) {
        self.change(columns, |entries| {
            entries.remove(&entry);
        });
    }

    fn change(&mut self, columns: &Columns, change: impl Fn(&mut BTreeSet<u64>)) {
        let mut at = |name: &String, of: fn(&mut Use) -> &mut BTreeSet<u64>| {
            let column = self.0.entry(folded(name)).or_default();
            if column.name.is_empty() {
                column.name.clone_from(name);
            }
            change(of(column));
        };
        columns.values.iter().for_each(|name| at(name, |column| &mut column.values));
        columns.published.iter().for_each(|name| at(name, |column| &mut column.published));
        columns.declared.iter().for_each(|name| at(name, |column| &mut column.declared));
    }

    /// Refuses to publish a protected column, and to protect a published one that is not declared
    /// public.
    pub(crate) fn check(&self, columns: &Columns) -> Result<()> {
        let fold = |names: &BTreeSet<String>| names.iter().map(|name| folded(name)).collect();
        let (published, declared): (BTreeSet<String>, BTreeSet<String>) =
            (fold(&columns.published), fold(&columns.declared));
        let is_public = |name: &str| {
            declared.contains(name)
                || self.0.get(name).is_some_and(|column| !column.declared.is_empty())
        };
        for name in columns.values.iter().filter(|name| !is_public(&folded(name))) {
            if published.contains(&folded(name)) {
                return Err(refused(
                    name,
                    "a release cannot protect its values and use it as group, tier, budget or \
                     person, or to choose rows, which is public",
                ));
            }
            let known = self.0.get(&folded(name)).and_then(|column| column.published.first());
            if let Some(entry) = known {
                let why = format!(
                    "it is public as group, tier, budget or person of entry {entry}, or has chosen \
                     its rows, so its values cannot be protected"
                );
                return Err(refused(name, why));
            }
        }
        for name in columns.published.iter().filter(|name| !is_public(&folded(name))) {
            let known = self.0.get(&folded(name)).and_then(|column| column.values.first());
            if let Some(entry) = known {
                let why = format!(
                    "its values are protected since entry {entry}; as group, tier, budget or \
                     person, or where it chooses rows, it would be public"
                );
                return Err(refused(name, why));
            }
        }
        Ok(())
    }

    /// Returns true if an entry with these columns would add nothing to the published and declared
    /// ones, and protects none.
    pub(crate) fn knows(&self, columns: &Columns) -> bool {
        let column = |name: &String| self.0.get(&folded(name));
        columns.values.is_empty()
            && columns
                .published
                .iter()
                .all(|name| column(name).is_some_and(|column| !column.published.is_empty()))
            && columns
                .declared
                .iter()
                .all(|name| column(name).is_some_and(|column| !column.declared.is_empty()))
    }

    /// Returns all columns by use, as they were first written.
    pub(crate) fn columns(&self) -> Columns {
        let names = |of: fn(&Use) -> &BTreeSet<u64>| {
            self.0
                .values()
                .filter(|column| !of(column).is_empty())
                .map(|column| column.name.clone())
                .collect()
        };
        Columns {
            values: names(|column| &column.values),
            published: names(|column| &column.published),
            declared: names(|column| &column.declared),
        }
    }
}

fn refused(name: &str, why: impl Into<Phrase>) -> Error {
    Error::request(Place::column(name), why).with_fix(
        say(format!("use another column; if everybody may know {name} of everybody, say so with"))
            .set(option::PUBLIC_COLUMNS, name.to_owned())
            .say(", which stays on record"),
    )
}
