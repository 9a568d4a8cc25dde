//! CZ26 Figure 1: what personalisation gains with public and private data.

use suum::Result;

use super::ratio_map;
use crate::effort::{Effort, Progress};
use crate::outcome::Outcome;
use crate::study::Study;

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let sheet = include_str!("../../../../experiments/cz26-fig1.toml");
    ratio_map::run(Study::new(sheet, effort, progress)?, "cz26-fig1")
}
