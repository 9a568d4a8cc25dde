//! CC24 Table 5: means.

use suum::Result;

use super::cc24_tables::{self, What};
use crate::effort::{Effort, Progress};
use crate::outcome::Outcome;
use crate::study::Study;

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let sheet = include_str!("../../../../experiments/cc24-table5.toml");
    cc24_tables::run(Study::new(sheet, effort, progress)?, What::Mean, "cc24-table5")
}
