//! The answer of a release in words: one number, or what several of them say together.

use std::fmt::{Result, Write};

use suum_core::Caveats;

use crate::caveats::{Said, useless};
use crate::how;
use crate::html::Figures;
use crate::{headline, prose};

/// An answer, and what must be known of it.
pub(crate) struct Answer<'a> {
    /// What was estimated.
    pub(crate) name: &'a str,
    pub(crate) column: Option<&'a str>,
    pub(crate) figures: &'a Figures,
    /// Whom the estimate is about.
    pub(crate) whom: &'a str,
    pub(crate) said: &'a Said,
}

/// One number with its interval; or that there is no useful one.
pub(crate) fn number(out: &mut String, answer: &Answer<'_>, release: &impl Caveats) -> Result {
    let Answer { name, column, figures, whom, said } = answer;
    let Some(figure) = figures.0.first() else { return Ok(()) };
    let of = how::of_column(*column);
    match figure.interval {
        _ if release.uninformative().contains(&figure.key) => {
            writeln!(out, "Private {name}{of}: no useful answer")?;
            let sentence = headline::single(name, *column, figure, true, release.protects());
            prose::paragraph(out, &headline::text(&sentence));
        }
        Some(interval) => {
            writeln!(out, "Private {name}{of}: {}", figure.writing.text(figure.estimate))?;
            let confidence = how::confidence(interval.confidence);
            let interval = figure.interval_text();
            prose::paragraph(
                out,
                &format!("{confidence} confidence interval: {interval}, for {whom}"),
            );
        }
        None => {
            let estimate = figure.writing.text(figure.estimate);
            writeln!(out, "Private {name}{of}: {estimate}, without a confidence interval")?;
            prose::paragraph(out, &format!("For {whom}."));
        }
    }
    said.write(out);
    Ok(())
}

/// After a table: what says next to nothing, that each interval stands alone, what else must be
/// known.
pub(crate) fn after_table(
    out: &mut String,
    figures: &Figures,
    release: &impl Caveats,
    alone: &str,
    said: &Said,
) {
    if let Some(sentence) = useless(&headline::useless(release, &figures.0)) {
        prose::paragraph(out, &sentence);
    }
    prose::paragraph(out, alone);
    said.write(out);
}
