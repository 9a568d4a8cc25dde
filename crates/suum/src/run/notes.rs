//! Remarks collected while data are read, for the answer.

use std::cell::RefCell;
use std::sync::Arc;

use suum_core::{Epsilon, Error, LevelTable, Profile, Result};
use suum_data::{Consent, Groups, NotUsedCounts};
use suum_report::{ConsentRemark, Remarks, StepOfType};
use suum_sql::Relation;

use crate::{Answer, WarningSink};

/// Remarks collected so far.
///
/// Under hidden participation only declared facts are collected.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    remarks: RefCell<Remarks>,
    warnings: RefCell<Vec<String>>,
    register: RefCell<Option<RegisterNote>>,
}

/// Remarks on a register of decisions over time.
#[derive(Debug, Default)]
struct RegisterNote {
    /// Time of the query.
    as_of: String,
    /// Decisions as each scan looks them up; none under hidden participation.
    scans: Vec<Arc<Consent>>,
}

impl RegisterNote {
    /// Returns the remark of an answer. Scans read the same records, except for some that read
    /// none.
    fn remark(&self) -> ConsentRemark {
        let most =
            |number: fn(&Consent) -> u64| self.scans.iter().map(|consent| number(consent)).max();
        let as_of = self.as_of.clone();
        ConsentRemark { as_of, not_used: most(Consent::not_used), ties: most(Consent::ties) }
    }
}

impl Notes {
    /// Adds public budgets.
    pub(crate) fn budgets(&self, budgets: impl IntoIterator<Item = Epsilon>) {
        self.note(|remarks| remarks.weak.extend(budgets.into_iter().filter(|one| one.is_weak())));
    }

    /// Adds the budgets of a public profile.
    pub(crate) fn profile(&self, profile: &Profile) {
        self.budgets(profile.levels().iter().map(|level| level.epsilon));
    }

    /// Adds the budgets of a table with public participation, and the origin of its rows.
    pub(crate) fn table(&self, table: &LevelTable) {
        self.budgets(table.by_level().iter().map(|level_sums| level_sums.epsilon));
        self.rows(table);
    }

    /// Adds the table of each group, like [`table`](Self::table).
    pub(crate) fn groups(&self, groups: &Groups) {
        let tables = groups.each.iter().filter_map(|(_, table)| table.as_ref());
        tables.for_each(|table| self.table(table));
    }

    /// Adds the origin of the rows of a table.
    pub(crate) fn rows(&self, table: &LevelTable) {
        self.note(|remarks| remarks.query = table.query().or(remarks.query));
        self.filter(table.filter().map(str::to_owned));
    }

    /// Adds the condition that is true of all records that count, if there is one.
    pub(crate) fn filter(&self, filter: Option<String>) {
        self.note(|remarks| remarks.filter = filter.or(remarks.filter.take()));
    }

    /// Adds the query that the rows of a database come from, if there is one.
    pub(crate) fn relation(&self, relation: &Relation) {
        self.note(|remarks| remarks.query = relation.rows().or(remarks.query));
    }

    /// What follows from values being one apart because of the type of the column.
    pub(crate) fn step_of_type(&self, step: StepOfType) {
        self.note(|remarks| remarks.step_of_type = Some(step));
    }

    /// Adds the columns whose groups were read off the data.
    pub(crate) fn groups_of(&self, columns: String) {
        self.note(|remarks| remarks.groups_of = Some(columns));
    }

    /// Adds the time of the query of a register, and its decisions as a scan looks them up.
    pub(crate) fn register(&self, as_of: String, scan: Option<Arc<Consent>>) {
        let mut register = self.register.borrow_mut();
        let register = register.get_or_insert_default();
        register.as_of = as_of;
        register.scans.extend(scan);
    }

    /// The people of the data without a valid decision, by the reason; none where participation is
    /// hidden.
    pub(crate) fn not_used_by_reason(&self) -> Option<NotUsedCounts> {
        let register = self.register.borrow();
        let scans = &register.as_ref()?.scans;
        let most = scans.iter().max_by_key(|consent| consent.not_used());
        most.map(|consent| consent.not_used_by_reason())
    }

    /// All remarks.
    pub(crate) fn remarks(&self) -> Remarks {
        let consent = self.register.borrow().as_ref().map(RegisterNote::remark);
        Remarks { consent, ..self.remarks.borrow().clone() }
    }

    /// Adds a warning that the answer itself does not contain.
    pub(crate) fn warning(&self, text: &str) {
        self.warnings.borrow_mut().push(text.to_owned());
    }

    /// Answer with all remarks.
    pub(crate) fn onto(&self, answer: Answer) -> Answer {
        let answer = answer.with_remarks(self.remarks());
        let warnings = self.warnings().into_iter().chain(answer.warnings().to_vec());
        answer.with_warnings(warnings.collect())
    }

    /// Answer with warnings alone, for words that programs read.
    pub(crate) fn warnings_onto(&self, answer: Answer) -> Answer {
        let warnings = self.warnings().into_iter().chain(self.remarks().warnings());
        answer.with_warnings(warnings.collect())
    }

    /// Passes all warnings of a release to their recipient, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the recipient refuses.
    pub(crate) fn hand_over(&self, recipient: Option<&dyn WarningSink>) -> Result<()> {
        let warnings: Vec<String> =
            self.warnings().into_iter().chain(self.remarks().warnings()).collect();
        match recipient {
            Some(recipient) if !warnings.is_empty() => recipient.warn(&warnings),
            _ => Ok(()),
        }
    }

    /// Refusal with the warnings collected so far.
    pub(crate) fn with(&self, error: Error) -> Error {
        let warnings = self.warnings();
        match (warnings.is_empty(), error.fix().cloned()) {
            (true, _) => error,
            (false, None) => error.with_fix(warnings.join("; ")),
            (false, Some(fix)) => error.with_fix(fix.say(format!("; {}", warnings.join("; ")))),
        }
    }

    /// Warnings that the answer itself does not contain.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.warnings.borrow().clone()
    }

    fn note(&self, note: impl FnOnce(&mut Remarks)) {
        note(&mut self.remarks.borrow_mut());
    }
}
