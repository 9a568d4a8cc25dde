//! Defects of rows: found by the query, worded here.

use suum_core::{Error, Place, option, say};

use super::header::Header;

/// Defect of a row or of a person. A query uses its number, which engines compare faster than text,
/// and its result has its code, so no data can come with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defect {
    NoChoice,
    NotABudget,
    UnknownTier,
    NoValue,
    NotANumber,
    NotAMoment,
    NotACategory,
    OutsideBins,
    NoGroup,
    NotAGroup,
    NoPerson,
    NotAPerson,
    TwoGroups,
    ManyRows,
    Twice,
    NotComparable,
    NoStratum,
    NotAStratum,
    NoWeight,
    NotAWeight,
    NotADeclaredWeight,
    NotADecision,
    NotAnAttribute,
    NotATime,
}

impl Defect {
    const ALL: [Self; 24] = [
        Self::NoChoice,
        Self::NotABudget,
        Self::UnknownTier,
        Self::NoValue,
        Self::NotANumber,
        Self::NotAMoment,
        Self::NotACategory,
        Self::OutsideBins,
        Self::NoGroup,
        Self::NotAGroup,
        Self::NoPerson,
        Self::NotAPerson,
        Self::TwoGroups,
        Self::ManyRows,
        Self::Twice,
        Self::NotComparable,
        Self::NoStratum,
        Self::NotAStratum,
        Self::NoWeight,
        Self::NotAWeight,
        Self::NotADeclaredWeight,
        Self::NotADecision,
        Self::NotAnAttribute,
        Self::NotATime,
    ];

    /// Number of the defect in the steps of a query; 0 means none.
    pub(super) fn number(self) -> usize {
        Self::ALL.iter().position(|defect| *defect == self).map_or(0, |at| at + 1)
    }

    /// Code of the defect in a result.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::NoChoice => "missing privacy choice",
            Self::NotABudget => "not a privacy budget",
            Self::UnknownTier => "not a declared tier",
            Self::NoValue => "missing value",
            Self::NotANumber => "not a number",
            Self::NotAMoment => "not a date or time",
            Self::NotACategory => "not a declared category",
            Self::OutsideBins => "outside all bins",
            Self::NoGroup => "missing group",
            Self::NotAGroup => "not a declared group",
            Self::NoStratum => "missing stratum",
            Self::NotAStratum => "not a declared stratum",
            Self::NoWeight => "missing design weight",
            Self::NotAWeight => "not a design weight",
            Self::NotADeclaredWeight => "not a declared design weight",
            Self::NotADecision => "a cell of a decision is neither text nor a date",
            Self::NotAnAttribute => "an attribute is neither text nor an integer",
            Self::NotATime => "the time of a row is neither text nor a date or number",
            Self::NoPerson => "missing identifier",
            Self::NotAPerson => "not an identifier",
            Self::TwoGroups => "a person has rows in more than one group",
            Self::ManyRows => "a person has more than 1073741824 rows",
            Self::Twice => "a person was counted twice",
            Self::NotComparable => "a cell is not of the kind that the condition compares it with",
        }
    }

    /// Defect with this code in a result.
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|defect| defect.code() == code)
    }

    /// Words the refusal, without the number and positions of rows that have the defect.
    pub(crate) fn refuse(self, header: &Header) -> Error {
        let filtered = header.filtered();
        let group = header.group.as_ref().map(|group| group.as_str().to_owned());
        // Strata are the last of several columns. Alone, weights are read as budgets are.
        let strata = header.group.as_ref().and_then(|group| group.labels().last());
        let strata = strata.unwrap_or(&header.privacy);
        let (column, hint) = match self {
            Self::NoChoice => (
                Some(&header.privacy),
                say(
                    "give every record a choice; without one nobody can say how much it allows (0 \
                     means: do not use), unless",
                )
                .set(option::MISSING_CONSENT, "TIER")
                .say("or 0 says what it counts as"),
            ),
            Self::NotABudget => (
                Some(&header.privacy),
                say("write budgets as 0 (unused), a number from 1e-100 to 1e100, or infinity \
                     (public); name tiers with")
                .set(option::PRIVACY, "COL")
                .set(option::LEVELS, "LABEL=EPSILON,…"),
            ),
            Self::UnknownTier => (
                Some(&header.privacy),
                say("declare all tiers with")
                    .set(option::LEVELS, "LABEL=EPSILON,…")
                    .say("; case counts"),
            ),
            Self::NoValue => (
                header.column.as_ref(),
                say("let a public constant, or a declared category, stand for missing cells with")
                    .option(option::MISSING)
                    .say(", or leave such records out with")
                    .set(option::MISSING, "exclude")
                    .say(
                        ", which hides who they are; without that it would reveal who has no value",
                    ),
            ),
            Self::NotAMoment => (
                header.column.as_ref(),
                say("store dates and times as text: 2020-01-31, or 2020-01-31 07:30:00"),
            ),
            Self::NotANumber => {
                (header.column.as_ref(), say("store numbers as numbers, not as text"))
            }
            Self::NotACategory => (
                header.column.as_ref(),
                say("declare all categories with")
                    .option(option::CATEGORIES)
                    .say(", or collect all others with")
                    .set(option::OTHER, "NAME")
                    .say("; case counts"),
            ),
            Self::OutsideBins => (
                header.column.as_ref(),
                say("widen")
                    .option(option::BINS)
                    .say(", or collect the numbers outside with")
                    .set(option::OTHER, "NAME"),
            ),
            Self::NoGroup => (
                group.as_ref(),
                say(
                    "write a group in each row, for example one for those who gave none; dropping \
                     such rows would reveal who has no group",
                ),
            ),
            Self::NotAGroup => (
                group.as_ref(),
                say("declare all groups with")
                    .option(option::GROUPS)
                    .say(", or collect all others with")
                    .set(option::OTHER_GROUP, "NAME")
                    .say("; case counts"),
            ),
            Self::NoStratum => (
                Some(strata),
                say(
                    "write a stratum in each row, for example one for those who gave none; without \
                     its stratum nobody can say what share a record belongs to",
                ),
            ),
            Self::NotAStratum => (
                Some(strata),
                say("declare all strata with")
                    .option(option::CLASSES)
                    .say("or")
                    .option(option::POPULATION_SHARES)
                    .say("; case counts"),
            ),
            Self::NoWeight => (
                Some(strata),
                say(
                    "write a weight in each row; without one nobody can say for how many a record \
                     stands",
                ),
            ),
            Self::NotAWeight => {
                (Some(strata), say("store weights as numbers, not as text, from 1e-100 to 1e100"))
            }
            Self::NotADeclaredWeight => (
                Some(strata),
                say("declare every weight of the column in")
                    .option(option::CLASSES)
                    .say(", or leave")
                    .option(option::CLASSES)
                    .say("out where data are read; store weights as numbers, not as text"),
            ),
            Self::NotADecision => {
                (None, say("store dates as dates or text, and the status and reference as text"))
            }
            Self::NotAnAttribute => {
                (None, say("store attributes as text or integers, and weights such as 2.5 as text"))
            }
            Self::NotATime => (None, say("store times as dates, times, numbers or text")),
            Self::NoPerson => (
                header.person.as_ref(),
                say("write in each row whose it is; rows of nobody cannot be counted once per \
                     person"),
            ),
            Self::NotAPerson => {
                (header.person.as_ref(), say("store identifiers as text or integers"))
            }
            Self::TwoGroups => (
                header.person.as_ref(),
                say(
                    "group by a column that is the same in all rows of a person; whoever is in two \
                     groups would spend their budget twice",
                ),
            ),
            Self::ManyRows => (header.person.as_ref(), say("check that the column names persons")),
            Self::Twice => (
                header.person.as_ref(),
                say("run the query again; the engine has brought the rows of a person to two \
                     places"),
            ),
            Self::NotComparable => (
                filtered.as_ref(),
                say(
                    "store numbers as numbers and dates as 2020-01-31; compare text with texts in \
                     single quotes, and other cells with constants of their own kind",
                ),
            ),
        };
        let at = column.map_or(Place::Anywhere, |column| Place::column(column.as_str()));
        Error::data(at, self.code()).with_fix(hint)
    }
}
