//! Description of a scan: what to read, and how.

pub(crate) mod accounts;
pub(crate) mod attributes;
pub(crate) mod category_rule;
pub(crate) mod consent;
pub(crate) mod csv_form;
pub(crate) mod decisions;
pub(crate) mod edges;
pub(crate) mod filter;
pub(crate) mod groups;
pub(crate) mod identifier;
pub(crate) mod label_positions;
pub mod list;
pub(crate) mod nearest;
pub(crate) mod nulls;
pub(crate) mod person_groups;
pub(crate) mod role;
pub(crate) mod standing;
pub(crate) mod tiers;
pub(crate) mod value;
pub(crate) mod weight_rule;

pub use accounts::{AccountKey, Accounts};
pub use category_rule::CategoryRule;
pub use consent::{Consent, DecidedChoice, NotUsedCounts, PersonDecision};
pub use csv_form::{CsvForm, DecimalMark, Delimiter, Encoding};
pub use decisions::{DecisionColumns, DecisionPart, StatusWords};
pub use edges::Edges;
pub use filter::{CellKind, CellTest, Comparison, Condition, Constant, Filter, Side};
pub use groups::{GroupColumn, GroupKind, Grouping, Groups, LevelTables};
pub use label_positions::plain_number;
pub use nearest::nearest;
pub use nulls::Nulls;
pub use person_groups::{CountedGroups, PersonGroups};
pub use tiers::Tiers;
pub use value::{Across, CategoryColumn, UnboundedColumn, Value, ValueColumn};

use std::collections::BTreeSet;
use std::sync::Arc;

use suum_core::{
    Cells, DeclaredBudgets, Epsilon, Error, LevelSums, LevelTable, Measure, Numbers, PersonValue,
    Replacement, Result, option,
};

use role::Role;

/// Columns that a scan reads, and the way it reads them.
#[derive(Debug, Clone)]
pub struct Scan {
    /// Column of each record's privacy choice.
    pub privacy: PrivacyColumn,
    /// Replacement for a missing privacy choice, as it would be written in the data: the label of a
    /// declared tier, or a budget such as `0`; `None` if a missing choice is refused.
    pub missing_choice: Option<String>,
    /// Form of CSV files; other sources have none.
    pub csv: CsvForm,
    /// Texts that stand for an empty cell, in all columns that are read.
    pub nulls: Nulls,
    /// Column of each record's value; `None` if only choices are counted.
    pub value: Option<Value>,
    /// Column that identifies persons, each of whom can have many rows; `None` if each row is a
    /// person.
    ///
    /// A person counts once: at the least budget of their rows, of equal tiers the one declared
    /// first, and with what [`person_value`](Self::person_value) says. Identifiers are compared
    /// byte by byte, after spaces around them are removed.
    pub person: Option<String>,
    /// Value that the rows of a person become; without persons it says nothing.
    ///
    /// Of categories it is the share of their rows in each, in
    /// [2^20 steps](suum_core::Categories::STEPS) that are allotted by largest remainders (of equal
    /// ones to the category declared first); or of [`Mode`](PersonValue::Mode) the most frequent
    /// one, of equal ones the one declared first.
    ///
    /// Of [`Mean`](PersonValue::Mean) it is the mean grid index of their rows, halves rounded up,
    /// or without bounds the mean of their values. Of [`Total`](PersonValue::Total) it is the
    /// double nearest to the exact sum of their values (of two the even one), and of
    /// [`Median`](PersonValue::Median) the double in the middle of the sorted ones, or half of the
    /// sum of two; an infinite value counts as the largest finite one. Where there are bounds, that
    /// double is put on the grid, and no row before. Of [`Min`](PersonValue::Min) and
    /// [`Max`](PersonValue::Max) it is the least and the largest index or value. Of
    /// [`Rows`](PersonValue::Rows) it is the mean, and at candidates of quantiles [`Cells::rows`]
    /// of their rows whose ranks are spread evenly, the middle between two neighbours where a rank
    /// falls between them (one is the median). All are the same in whatever order rows come.
    pub person_value: PersonValue,
    /// Column of the times of rows, of which the [last](PersonValue::Last) counts of a person;
    /// `None` for all other values.
    ///
    /// Times are numbers, dates, times or times of day. A missing one comes first; of rows of the
    /// same time the least value counts.
    pub person_time: Option<String>,
    /// Groups in which a person counts who has rows in several; `None` for one group.
    pub person_groups: Option<PersonGroups>,
    /// Columns of declared groups, for [`scan_groups`](crate::scan_groups); `None` for one table of
    /// all records.
    pub group: Option<Grouping>,
    /// True if records without a value are left out, not refused; `missing` of the value is then
    /// `None`.
    ///
    /// The number of remaining records reveals who has a value. So a buffer needs
    /// [`add_remove`](Self::add_remove), and a level table is only for releases that hide who takes
    /// part; it can be empty. A record that is left out is read like any other: faults in its other
    /// cells are refused. With persons, their rows without a value are left out, and persons
    /// without any other row; but a person counts at the least budget of all their rows.
    pub leaves_out_missing: bool,
    /// Distinct budgets under the add-remove relation; `None` if the number of records and their
    /// budgets are public.
    ///
    /// Under add-remove nothing but the table itself reveals the number of records and what they
    /// allow. Each budget counts as [`DeclaredBudgets::round_down`] returns it. Data or groups
    /// without records have an empty table. A refusal of a record names neither its row nor its
    /// file. Whether there are too many levels is decided from the range of budgets, before
    /// anything is read.
    pub add_remove: Option<DeclaredBudgets>,
    /// Choices from a separate file. The data then have keys in their place, in the column
    /// [`Consent::key`].
    pub consent: Option<Arc<Consent>>,
    /// Columns of decisions over time, for a scan of choices
    /// ([`read_consent`](crate::read_consent)); `None` if each key has one permanent choice.
    pub decisions: Option<DecisionColumns>,
    /// Columns with public attributes of persons, for a scan of choices: data with these choices
    /// can have groups, strata and weights of these names. At most four.
    pub attributes: Vec<String>,
    /// Columns declared public: everybody may know everybody's cells in them. Rows are chosen by
    /// public columns only ([`is_public`](Self::is_public)).
    pub public: BTreeSet<String>,
    /// Condition for reading a row; all other rows are skipped, whatever else is in them. `None` if
    /// all rows are read.
    ///
    /// Unless participation is hidden, it compares [public](Self::is_public) columns only; with
    /// persons, only columns that are declared public, or the one that identifies them.
    pub filter: Option<Filter>,
    /// Remaining budgets of persons; `None` if all count at the budgets in the data.
    pub accounts: Option<Arc<dyn Accounts>>,
    /// True if the column of budgets holds design weights, whose distinct values are asked for:
    /// refusals speak of weights, and too many distinct ones are refused, not rounded.
    pub reads_weights: bool,
    /// True for batches whose numbers may be text, read as in CSV, where the grid is [finer than
    /// doubles](suum_core::Grid::is_finer_than_doubles): rows of a database, where no other type
    /// holds all digits. In other batches a text is not read as a number.
    pub spells_large_numbers: bool,
    /// True if the labels that are [read](crate::read_labels) are those of a private column, which
    /// nobody is shown: then those with control characters are left out, not refused.
    pub keeps_labels_private: bool,
}

/// The column with each record's privacy choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrivacyColumn {
    /// Numeric budgets ε; `inf` is public and 0 unused.
    Budgets {
        /// The name of the column.
        column: String,
    },
    /// Labels of declared consent tiers.
    Tiers {
        /// The name of the column.
        column: String,
        /// The labels that may occur.
        tiers: Tiers,
    },
}

impl PrivacyColumn {
    /// The name of the column.
    pub fn column(&self) -> &str {
        match self {
            Self::Budgets { column } | Self::Tiers { column, .. } => column,
        }
    }
}

impl Scan {
    /// Creates a scan of these columns, each row a person, all in one group.
    pub fn new(privacy: PrivacyColumn, value: Option<Value>) -> Self {
        Self {
            privacy,
            missing_choice: None,
            csv: CsvForm::default(),
            nulls: Nulls::default(),
            value,
            person: None,
            person_value: PersonValue::default(),
            person_time: None,
            person_groups: None,
            group: None,
            leaves_out_missing: false,
            add_remove: None,
            consent: None,
            decisions: None,
            public: BTreeSet::new(),
            filter: None,
            attributes: Vec::new(),
            accounts: None,
            reads_weights: false,
            spells_large_numbers: false,
            keeps_labels_private: false,
        }
    }

    /// Name of a column as the user gave it.
    pub(crate) fn column(&self, role: Role) -> &str {
        let of_value = self.value.as_ref().map(Value::column);
        let asked = match role {
            Role::Privacy => self.consent.as_deref().map(Consent::key),
            Role::Value => of_value,
            // Attributes of the register are found by the key.
            Role::Group(at) if self.attribute_at(at).is_some() => {
                self.consent.as_deref().map(Consent::key)
            }
            Role::Group(at) => self.label_column(at).map(|group| group.column.as_str()),
            Role::Attribute(at) => self.attributes.get(usize::from(at)).map(String::as_str),
            Role::Person => self.person.as_deref(),
            Role::Time => self.person_time.as_deref(),
            Role::Filter(at) => self.filter_columns().get(usize::from(at)).map(String::as_str),
            Role::Decision(part) => {
                self.decisions.as_ref().and_then(|decisions| decisions.column(part))
            }
        };
        asked.unwrap_or(self.privacy.column())
    }

    /// Name of a column as a refusal tells it: that of an attribute, although the key finds it.
    pub(crate) fn column_in_refusals(&self, role: Role) -> &str {
        match role {
            Role::Group(at) => {
                self.label_column(at).map_or(self.column(role), |group| group.column.as_str())
            }
            _ => self.column(role),
        }
    }

    fn label_column(&self, at: u8) -> Option<&GroupColumn> {
        self.label_columns().nth(usize::from(at))
    }

    /// Returns the index of the attribute of the register that is the column of groups with this
    /// index.
    pub(crate) fn attribute_at(&self, at: u8) -> Option<usize> {
        let attributes = self.consent.as_deref()?.attributes()?;
        attributes.position(&self.group_columns().get(usize::from(at))?.column)
    }

    /// Returns true if everybody may know everybody's cells in this column.
    ///
    /// It is declared public, or its cells are public by their role: tiers, budgets, persons, keys
    /// of a consent file, and, unless participation is hidden, groups and strata. A column of
    /// values is public only if it is declared so. Names are compared without regard to case and to
    /// spaces around them.
    pub fn is_public(&self, column: &str) -> bool {
        let folded = |name: &str| name.trim().to_lowercase();
        let is_it = |name: &str| folded(name) == folded(column);
        if self.public.iter().any(|name| is_it(name)) {
            return true;
        }
        let across = self.across().map(|across| across.column.column.as_str());
        let mut values = self.value.as_ref().map(Value::column).into_iter().chain(across);
        if values.any(is_it) {
            return false;
        }
        let choice = match self.consent.as_deref() {
            Some(consent) => consent.key(),
            None => self.privacy.column(),
        };
        // A column of the data that is named like one of the register is another column.
        let in_register =
            |name: &str| self.consent.as_deref().is_some_and(|consent| consent.has_attribute(name));
        let groups = self.group_columns().iter().filter(|_| self.add_remove.is_none());
        let groups = groups.map(|group| group.column.as_str()).filter(|name| !in_register(name));
        [choice].into_iter().chain(self.person.as_deref()).chain(groups).any(is_it)
    }

    /// Columns that its filter compares; none without a filter.
    pub(crate) fn filter_columns(&self) -> &[String] {
        self.filter.as_ref().map_or(&[], Filter::columns)
    }

    /// Parts of decisions that have a column; none for permanent choices.
    pub(crate) fn decision_parts(&self) -> impl Iterator<Item = DecisionPart> + '_ {
        let decisions = self.decisions.iter();
        decisions.flat_map(|decisions| decisions.columns().map(|(part, _)| part))
    }

    /// Measure that a level table holds.
    pub fn measure(&self) -> Measure {
        match self.value.as_ref().map_or(Measure::Nothing, Value::measure) {
            Measure::Categories(categories) if self.divides_persons() => {
                Measure::Categories(categories.divided())
            }
            measure => measure,
        }
    }

    /// Creates the scan of the labels of a column, for [`read_labels`](crate::read_labels).
    ///
    /// # Errors
    ///
    /// If no tier stands for all labels, which is a bug.
    pub fn for_labels(column: &str) -> Result<Self> {
        // With a tier that spells a number, text files are read like columns of numbers.
        let tiers = Tiers::new([(String::from("0"), Epsilon::PUBLIC)])?;
        let privacy = PrivacyColumn::Tiers { column: column.to_owned(), tiers };
        // Cells are read as they are, like those of a register.
        let decisions = Some(DecisionColumns::at(0.0, "any"));
        Ok(Self { decisions, ..Self::new(privacy, None) })
    }

    /// Returns true if it is a scan [of labels](Self::for_labels).
    pub fn reads_labels(&self) -> bool {
        // Decisions have keys.
        self.decisions.is_some() && self.person.is_none()
    }

    /// Returns true if values are categories, in each of which a person has a share.
    pub fn divides_persons(&self) -> bool {
        let has_categories = matches!(self.value, Some(Value::Category(_)));
        has_categories && self.person.is_some() && self.person_value != PersonValue::Mode
    }

    /// Numbers that are added up, if values are numbers with bounds.
    pub fn numbers(&self) -> Option<&Numbers> {
        match &self.value {
            Some(Value::Number(column)) => Some(&column.numbers),
            _ => None,
        }
    }

    /// Returns true if the numbers of a batch can be text.
    pub(crate) fn has_spelled_values(&self) -> bool {
        let is_fine = |numbers: &Numbers| numbers.grid.is_finer_than_doubles();
        self.spells_large_numbers && self.numbers().is_some_and(is_fine)
    }

    /// Candidates at which rows are counted.
    pub(crate) fn cells(&self) -> Option<Cells> {
        self.numbers()?.cells
    }

    /// Returns true if the rows of persons are reduced as they are, and not put on the grid before.
    #[inline]
    pub(crate) fn keeps_plain_rows(&self) -> bool {
        self.person_value.is_of_plain_rows() && self.person.is_some()
    }

    /// For how many of their rows persons stand, where values are kept for quantiles; 0 where they
    /// count with one number there, too.
    pub(crate) fn ranked_rows(&self) -> usize {
        match &self.value {
            Some(Value::Unbounded(column)) if self.person.is_some() => match self.person_value {
                PersonValue::Rows => column.cells.map_or(0, |cells| cells.rows() as usize),
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Budget as which a record of this budget counts.
    #[inline]
    pub fn budget(&self, epsilon: Epsilon) -> Epsilon {
        self.add_remove.as_ref().map_or(epsilon, |budgets| budgets.round_down(epsilon))
    }

    /// Returns true if persons count at what their accounts have left.
    pub(crate) fn counts_by_accounts(&self) -> bool {
        self.accounts.as_deref().is_some_and(|accounts| !accounts.keeps_choices())
    }

    /// Returns true if levels are declared tiers, not numeric budgets.
    pub(crate) fn keeps_tiers(&self) -> bool {
        matches!(self.privacy, PrivacyColumn::Tiers { .. }) && !self.counts_by_accounts()
    }

    /// Labels of the tiers, in the order declared, and the budget as which each counts; none if
    /// budgets are numbers.
    pub(crate) fn tiers(&self) -> impl Iterator<Item = (&str, Epsilon)> {
        let tiers = match &self.privacy {
            PrivacyColumn::Tiers { tiers, .. } => Some(tiers.iter()),
            PrivacyColumn::Budgets { .. } => None,
        };
        tiers.into_iter().flatten().map(|(label, epsilon)| (label, self.budget(epsilon)))
    }

    /// Tiers as in [`tiers`](Self::tiers) if levels are declared tiers; none otherwise.
    pub(crate) fn kept_tiers(&self) -> impl Iterator<Item = (&str, Epsilon)> {
        self.tiers().filter(|_| self.keeps_tiers())
    }

    /// Returns true if the number of records that count is private.
    pub fn hides_records(&self) -> bool {
        self.add_remove.is_some() || self.leaves_out_missing
    }

    /// Treatment of missing values, if they are not refused.
    pub fn replacement(&self) -> Option<Replacement> {
        match self.leaves_out_missing {
            true => Some(Replacement::Excluded),
            false => self.value.as_ref().and_then(Value::replacement),
        }
    }

    /// Refuses data without records, unless their number is private.
    pub(crate) fn check_records(&self, records: bool) -> Result<()> {
        match records || self.hides_records() {
            true => Ok(()),
            false if self.filter.is_some() => Err(Error::data(
                option::WHERE,
                "the data have no records of which the condition is true",
            )
            .with_fix("check the constants; upper and lower case differ")),
            false => Err(Error::data((), "the data have no records")
                .with_fix("name data with at least one row below the header")),
        }
    }

    /// Table of these levels, whose values were added up as `measure` says.
    pub(crate) fn table(&self, measure: Measure, by_level: Vec<LevelSums>) -> Result<LevelTable> {
        self.check_records(!by_level.is_empty())?;
        let column = self.value.as_ref().map(Value::name);
        let table = LevelTable::possibly_empty(column, measure, by_level)?;
        let filter = self.filter.as_ref().map(ToString::to_string);
        Ok(table.with_missing(self.replacement()).with_filter(filter))
    }

    /// Returns true if all cells that it reads are numbers: no labels, persons, dates or times.
    pub(crate) fn reads_numbers_alone(&self) -> bool {
        let is_number = |value: &Value| !value.is_label() && value.scale().is_none();
        matches!(self.privacy, PrivacyColumn::Budgets { .. })
            && self.consent.is_none()
            && self.value.as_ref().is_none_or(is_number)
            && self.label_columns().next().is_none()
            && self.person.is_none()
            && self.filter.as_ref().is_none_or(Filter::reads_numbers_alone)
    }

    /// The number of declared groups; 0 without columns of groups.
    pub fn groups(&self) -> usize {
        self.group.as_ref().map_or(0, Grouping::count)
    }

    /// All columns that are read as groups are: those of groups, followed by the second column of a
    /// cross table.
    pub fn label_columns(&self) -> impl Iterator<Item = &GroupColumn> {
        self.group_columns().iter().chain(self.across().map(|across| &across.column))
    }

    /// Second column of a cross table.
    pub(crate) fn across(&self) -> Option<&Across> {
        self.value.as_ref().and_then(Value::across)
    }

    /// Second column of a cross table, if it has this index among the label columns.
    pub(crate) fn across_at(&self, at: u8) -> Option<&Across> {
        self.across().filter(|_| usize::from(at) == self.group_columns().len())
    }

    /// Role of the labels of the label column at this index; for the second column of a cross
    /// table, whose labels are categories, the value has no meaning.
    pub(crate) fn group_kind(&self, at: u8) -> GroupKind {
        self.group.as_ref().map_or(GroupKind::Group, |group| group.kind(usize::from(at)))
    }

    /// Columns that records are grouped by; none without groups.
    pub fn group_columns(&self) -> &[GroupColumn] {
        self.group.as_ref().map_or(&[], Grouping::columns)
    }
}
