//! Refusal of categories that are found under add-remove.

use super::UndeclaredCategories;
use super::request::hidden;
use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::expected::Guess;
use crate::private::session::Session;
use crate::{AddRemoveCandidate, AddRemoveRequest, LevelTable, Release, Result};

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
