//! What is noted while data are read, to be said with the answer.

use std::sync::{Arc, Mutex, PoisonError};

use suum::{Epsilon, Groups, LevelTable, Profile};
use suum_report::Remarks;

/// What was noted so far. Clones note the same.
///
/// Where it is hidden who takes part, nothing is noted but what was declared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Noted(Arc<Mutex<Remarks>>);

impl Noted {
    /// Budgets that are public.
    pub(crate) fn budgets(&self, budgets: impl IntoIterator<Item = Epsilon>) {
        self.note(|remarks| remarks.weak.extend(budgets.into_iter().filter(|one| one.is_weak())));
    }

    /// The budgets of a profile, which is public.
    pub(crate) fn profile(&self, profile: &Profile) {
        self.budgets(profile.levels().iter().map(|level| level.epsilon));
    }

    /// The budgets of a table of which it is public who takes part, and where its rows come from.
    pub(crate) fn table(&self, table: &LevelTable) {
        self.budgets(table.cohorts().iter().map(|cohort| cohort.epsilon));
        self.rows(table);
    }

    /// As [`table`](Self::table), of the table of each group.
    pub(crate) fn groups(&self, groups: &Groups) {
        let tables = groups.tables.iter().filter_map(|(_, table)| table.as_ref());
        tables.for_each(|table| self.table(table));
    }

    /// Where the rows of a table come from.
    pub(crate) fn rows(&self, table: &LevelTable) {
        self.note(|remarks| remarks.query = table.query().or(remarks.query));
    }

    /// All that was noted.
    pub(crate) fn remarks(&self) -> Remarks {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, note: impl FnOnce(&mut Remarks)) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
