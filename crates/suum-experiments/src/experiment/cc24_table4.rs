//! CC24 Table 4: frequencies.

use suum::Result;

use super::cc24_tables::{self, What};
use crate::effort::{Effort, Progress};
use crate::outcome::Outcome;
use crate::study::Study;

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let sheet = include_str!("../../../../experiments/cc24-table4.toml");
    cc24_tables::run(Study::new(sheet, effort, progress)?, What::Frequency, "cc24-table4")
}
