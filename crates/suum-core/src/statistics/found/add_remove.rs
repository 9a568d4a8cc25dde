//! Refusal of categories that are found under add-remove.

use super::UndeclaredCategories;
use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::expected::Guess;
use crate::error::{option, say};
use crate::private::session::Session;
use crate::{AddRemoveCandidate, AddRemoveRequest, Error, LevelTable, Release, Result};

impl AddRemoveStatistic for UndeclaredCategories {
    fn check(&self) -> Result<()> {
        Err(hidden())
    }

    fn expect(&self, _: Guess<'_>) -> Result<AddRemoveCandidate> {
        Err(hidden())
    }

    fn check_table(&self, _: &AddRemoveRequest, _: &LevelTable) -> Result<()> {
        Err(hidden())
    }

    fn release(
        &self,
        _: &AddRemoveRequest,
        _: &LevelTable,
        _: &mut Session<'_>,
    ) -> Result<Release> {
        Err(hidden())
    }
}

/// Returns the refusal of categories that are found where it is hidden who takes part.
pub(super) fn hidden() -> Error {
    Error::request(
        option::CATEGORIES,
        "they are found only where the number of records is public, and here it is hidden who \
         takes part",
    )
    .with_fix(
        say("declare them:")
            .set(option::CATEGORIES, "good,fair,poor")
            .say("; or use")
            .set(option::NEIGHBORS, "replace")
            .say("without leaving out those without a value"),
    )
}
