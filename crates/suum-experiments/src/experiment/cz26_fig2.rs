//! CZ26 Figure 2: what personalisation gains with two private levels.

use suum::Result;

use super::ratio_map;
use crate::effort::{Effort, Progress};
use crate::outcome::Outcome;
use crate::study::Study;

pub(super) fn run(effort: &Effort, progress: &Progress) -> Result<Outcome> {
    let sheet = include_str!("../../../../experiments/cz26-fig2.toml");
    ratio_map::run(Study::new(sheet, effort, progress)?, "cz26-fig2")
}
