//! Outcomes as files.

mod csv;
mod html;
mod number;
mod papers;
mod svg;

use std::fs;
use std::path::{Path, PathBuf};

use suum::{Error, Result};

use crate::outcome::Outcome;

pub use csv::csv;
pub use html::page;
pub use svg::svg;

/// Writes a CSV for every outcome, an SVG for every picture, and one page for all of them,
/// `NAME.html`; returns the path of the page. Files of the same names are replaced.
///
/// # Errors
///
/// Refuses folders that cannot be written to.
pub fn write(outcomes: &[Outcome], folder: &Path, name: &str) -> Result<PathBuf> {
    let failed = |fault: std::io::Error| {
        Error::io("out", format!("{}", fault.kind()))
            .with_fix("name a folder that you may write to: --out DIR")
    };
    let put = |file: String, text: String| {
        let path = folder.join(file);
        fs::write(&path, text).map_err(failed).map(|()| path)
    };
    fs::create_dir_all(folder).map_err(failed)?;
    for outcome in outcomes {
        put(format!("{}.csv", outcome.id), csv(outcome))?;
        for panel in &outcome.panels {
            if let Some(picture) = svg(panel) {
                put(format!("{}-{}.svg", outcome.id, panel.name()), picture)?;
            }
        }
    }
    put(format!("{name}.html"), page(outcomes))
}
