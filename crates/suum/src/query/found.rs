//! Categories that nobody has declared: those that occur, of which a release finds the common ones.

use suum_core::{
    Error, OptionName, PersonValue, Phrase, Result, UndeclaredCategories, for_example, leave_out,
    option, say,
};
use suum_data::CategoryRule;

use super::{GroupLists, Labels, Missing, Query};
use crate::statistic::StatisticName;

/// Category of records whose label is not among those that were read. A label with a control
/// character is never published.
const HIDDEN: &str = "\u{1}";

/// Category without records, in place of labels where there is none.
const NOBODY: &str = "\u{2}";

impl Query {
    /// Returns true if the categories are those that occur, of which the common ones are found.
    pub(crate) fn finds_categories(&self) -> bool {
        self.statistic == StatisticName::Frequency && self.crosstab.is_none() && self.says_auto()
    }

    /// Returns true if the categories of some column are to be found.
    pub(crate) fn says_auto(&self) -> bool {
        let is_auto = |Labels(names): &Labels| names.as_slice() == ["auto"];
        self.categories.as_ref().is_some_and(|GroupLists(lists)| lists.iter().any(is_auto))
    }

    /// Request for categories that are found; `None` if they are declared.
    pub(crate) fn undeclared_categories(&self) -> Option<UndeclaredCategories> {
        let delta = self.delta.filter(|_| self.finds_categories())?;
        let are_divided = self.person.is_some() && self.person_value() != Some(PersonValue::Mode);
        Some(UndeclaredCategories { delta, are_divided })
    }

    /// Copy of the query with the labels that occur in its column.
    pub(crate) fn with_found_labels(&self, labels: Vec<String>) -> Self {
        Self { found_labels: Some(Labels(labels)), ..self.clone() }
    }

    /// Categories that are counted: those that occur, the one of missing values, and a hidden one
    /// for all others. Their order depends on the labels alone.
    pub(super) fn occurring_classes(&self) -> Result<CategoryRule> {
        let mut names = self.found_labels.as_ref().map_or(&[][..], |Labels(names)| names).to_vec();
        let missing = self.missing.as_ref().filter(|missing| !missing.excludes());
        let missing = missing.map(|Missing(name)| name.trim().to_owned());
        names.extend(missing.filter(|missing| !missing.is_empty() && !names.contains(missing)));
        if names.is_empty() {
            names.push(NOBODY.to_owned());
        }
        CategoryRule::labels(names, Some(HIDDEN))
    }

    /// Refuses to find categories with options that are for declared ones, and without δ.
    pub(crate) fn check_found(&self) -> Result<()> {
        if !self.says_auto() {
            return match self.delta {
                None => Ok(()),
                Some(_) => Err(Error::request(
                    option::DELTA,
                    say("is for categories that are found, with").set(option::CATEGORIES, "auto"),
                )
                .with_fix(leave_out(option::DELTA))),
            };
        }
        if self.crosstab.is_some() {
            return Err(Error::request(
                option::CROSSTAB,
                "the categories of a table of two columns are declared, and not found",
            )
            .with_fix(declare().say("for each column")));
        }
        if !self.finds_categories() {
            // Other statistics have no categories, which is refused elsewhere.
            return Ok(());
        }
        if self.delta.is_none() {
            return Err(Error::parameter(
                option::DELTA,
                "it is not said with which probability a category of a single person may show",
            )
            .with_fix(
                for_example(option::DELTA, "1e-8")
                    .say("; it should be far below one over the number of people"),
            ));
        }
        for (is_set, option, problem, fix) in [
            (
                self.group_by.is_some(),
                option::GROUP_BY,
                "categories are found among all records, not in each group",
                say("ask for one group at a time, with").option(option::WHERE),
            ),
            (
                self.bins.is_some(),
                option::BINS,
                "values have categories or bins, not both",
                leave_out(option::BINS),
            ),
            (
                self.other.is_some(),
                option::OTHER,
                "all others are published anyway, as the rest",
                leave_out(option::OTHER),
            ),
            (self.strata.is_some(), option::STRATA, STRATA, leave_out(option::STRATA)),
            (self.weight.is_some(), option::WEIGHT, STRATA, leave_out(option::WEIGHT)),
        ] {
            if is_set {
                return Err(refused(option, problem, fix));
            }
        }
        Ok(())
    }
}

/// Reason why strata are refused.
const STRATA: &str =
    "shares of strata are kept for declared categories, not for those that are found";

/// Refusal of an option beside categories that are found.
pub(crate) fn refused(option: OptionName, problem: &'static str, fix: Phrase) -> Error {
    Error::request(option, problem).with_fix(fix.say(", or").then(declare()))
}

/// Way out of everything that is for declared categories.
pub(crate) fn declare() -> Phrase {
    say("declare the categories:").set(option::CATEGORIES, "A,B,C")
}
