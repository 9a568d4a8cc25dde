//! Level tables at the remaining budgets.

use std::collections::BTreeMap;

use suum_core::{
    CellCounts, Epsilon, Error, Level, LevelSums, LevelTable, Measure, Profile, Result, option, say,
};

use super::calibration::scaled;
use super::tiers::RemainingBudget;
use super::{Accountant, OpenAccounts, requested_amount};

impl Accountant {
    /// Lowers a level table that was made elsewhere to the remaining budgets.
    ///
    /// # Errors
    ///
    /// Refuses a table without the labels of tiers, one in which persons would count at other tiers
    /// by their remaining budgets, and accounts of persons, who are not in the table.
    pub fn cap(&mut self, table: LevelTable) -> Result<LevelTable> {
        let OpenAccounts::Tiers(tiers) = &self.accounts else {
            return Err(Error::request(
                option::FROM_LEVELS,
                "a level table does not say which persons it is of",
            )
            .with_fix(say("name the data in place of").option(option::FROM_LEVELS)));
        };
        if self.watches_moves() {
            return Err(Error::request(
                option::FROM_LEVELS,
                "the ledger watches who moves between tiers, and a level table does not say which \
                 persons it is of",
            )
            .with_fix(say("name the data in place of").option(option::FROM_LEVELS)));
        }
        let remaining = |label: Option<&str>| {
            tiers.0.iter().find(|remaining| Some(remaining.balance.label.as_str()) == label)
        };
        if table
            .by_level()
            .iter()
            .any(|level_sums| remaining(level_sums.label.as_deref()).is_none())
        {
            return Err(Error::table(
                "level table",
                "it has levels that are no tiers of the ledger's dataset",
            )
            .with_fix(
                say("make the table with the tiers of the ledger:")
                    .set(option::PRIVACY, "COL")
                    .set(option::LEVELS, "…"),
            ));
        }
        if table.person().is_some() {
            self.persons = true;
            // Under hidden participation all declared tiers decide, not those that occur.
            if self.whom().hidden_participation && !tiers.keep_their_order() {
                return Err(stricter_now());
            }
            // Persons with rows of several tiers were counted at the strictest of them, by the
            // budgets of the table.
            let may = |level_sums: &LevelSums| {
                remaining(level_sums.label.as_deref()).map(|remaining| remaining.may)
            };
            let ordered = table.by_level().windows(2).all(|pair| {
                let (one, other) = (may(&pair[0]), may(&pair[1]));
                if pair[0].epsilon == pair[1].epsilon { one == other } else { one <= other }
            });
            if !ordered {
                return Err(stricter_now());
            }
        }
        table.with_budgets(|label, epsilon| {
            remaining(label)
                .map_or(Epsilon::UNUSED, |remaining| epsilon.min(remaining.may.epsilon()))
        })
    }

    /// Names of levels, from the tiers of their people, if persons have the accounts and chose
    /// among tiers; empty otherwise.
    pub(crate) fn names(&self) -> Names {
        match &self.accounts {
            OpenAccounts::Persons(persons) => persons.names(|amount| scaled(amount, self.part)),
            OpenAccounts::Tiers(_) => Names::new(),
        }
    }

    /// Names the levels of a table after the tiers of their people, if persons have the accounts
    /// and chose among tiers.
    ///
    /// People of one tier can have different budgets left: then a name includes the budget.
    ///
    /// # Errors
    ///
    /// None is expected.
    pub fn name_tiers(&self, table: LevelTable) -> Result<LevelTable> {
        named(table, &self.names())
    }

    /// Level table with the people of a profile, at the amounts that their tiers may spend on this
    /// release; `None` if persons have the accounts.
    ///
    /// # Errors
    ///
    /// Refuses a profile with budgets that no tier allows in all, or that several do.
    pub(crate) fn people(&self, profile: &Profile) -> Result<Option<LevelTable>> {
        let OpenAccounts::Tiers(tiers) = &self.accounts else { return Ok(None) };
        let known = tiers.0.iter().map(|remaining| remaining.balance.allowed.to_string());
        let known = known.collect::<Vec<_>>().join(", ");
        let level_sums = |level: &Level| {
            let allows = |remaining: &&RemainingBudget| {
                remaining.balance.allowed == requested_amount(level.epsilon)
            };
            let mut of = tiers.0.iter().filter(allows);
            let remaining = of.next().ok_or_else(|| {
                Error::request(
                    option::PROFILE,
                    format!("no tier of the ledger allows {}", level.epsilon),
                )
                .with_fix(format!("give what tiers allow in all: {known}"))
            })?;
            if of.any(|other| other.may != remaining.may) {
                return Err(Error::request(
                    option::PROFILE,
                    format!(
                        "several tiers of the ledger allow {}, and differ in what they have left",
                        level.epsilon
                    ),
                )
                .with_fix(
                    say("name the data, or a level table, in place of").option(option::PROFILE),
                ));
            }
            Ok(LevelSums {
                label: Some(remaining.balance.label.clone()),
                epsilon: remaining.may.epsilon(),
                count: level.count,
                sums: Vec::new(),
                cells: CellCounts::default(),
            })
        };
        let by_level = profile.levels().iter().map(level_sums).collect::<Result<_>>()?;
        LevelTable::new(None, Measure::Nothing, by_level).map(Some)
    }
}

/// Names of levels, by the budgets that their people may spend.
pub(crate) type Names = BTreeMap<Epsilon, String>;

/// Table with these names of levels, if there are any.
pub(crate) fn named(table: LevelTable, names: &Names) -> Result<LevelTable> {
    match names.is_empty() {
        true => Ok(table),
        false => table.with_labels(|epsilon| names.get(&epsilon).cloned()),
    }
}

fn stricter_now() -> Error {
    Error::table("level table", "by what is left other tiers are stricter than when it was made")
        .with_fix(
            say("name the data in place of")
                .option(option::FROM_LEVELS)
                .say(", or make the table again"),
        )
}
