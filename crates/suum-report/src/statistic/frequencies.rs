//! Shares of categories: their table, their bars, and their post-processing.

use suum_core::{PostProcessing, Release};

use super::{AddRemoveMeasurements, AddRemoveWords, AnswerWords, release_words};
use crate::answer::{self, Answer, interval_heading};
use crate::content::{Block, Content};
use crate::crosstab::{self, CrosstabTable};
use crate::figure::Figure;
use crate::headline;
use crate::html::Method;
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::short;
use crate::table::Table;
use crate::view::Sort;

/// Shares of categories, or of the cells of a cross table.
pub(crate) struct Shares;

impl AnswerWords for Shares {
    fn name(&self, _: &Release) -> String {
        "frequencies".to_owned()
    }

    fn public(&self) -> &'static str {
        "categories"
    }

    fn treated(&self, release: &Release) -> Option<String> {
        (post(release) != PostProcessing::default()).then(|| post_words(release).to_owned())
    }

    fn show(&self, answer: &Answer<'_>, sort: Option<Sort>) -> Content {
        let Answer { release, figures, whom, .. } = answer;
        let (mut content, caption) = (Content::default(), format!("Shares, for {whom}"));
        if let Some(crossed) = CrosstabTable::from_release(release) {
            let headline = largest(&crossed.as_shown(figures));
            content.add(Block::Answer(headline.unwrap_or_else(|| crossed.sentence()), true));
            let caption = format!("{} For {whom}.", crossed.sentence().text());
            content.add(Block::Crossed(caption, Box::new(crossed)));
        } else {
            if let Some(sentence) = largest(figures) {
                content.add(Block::Answer(sentence, true));
            }
            let sorted = sorted(figures, sort);
            content.draw(answer::drawn(&caption, release, sorted.iter().copied()));
            let shares = sorted.iter().map(|figure| figure.estimate).collect();
            content.add(Block::Shares(table(caption, &sorted), shares));
        }
        let alone = match release.is_simultaneous() {
            true => answer::TOGETHER,
            false if release.crosstab().is_some() => MARGINS,
            false => "Each interval holds for its category alone.",
        };
        let alone = format!("{alone} {}", post_words(release));
        let useless = headline::useless(release, figures);
        content.append(answer::after_table(release, &useless, &alone));
        content
    }

    fn brief(&self, out: &mut Text, answer: &Answer<'_>, sort: Option<Sort>) {
        if let Some(crossed) = CrosstabTable::from_release(answer.release) {
            short::above(out, answer, "cells, and margins");
            crosstab::write(out, &crossed);
            if let Some(sentence) = largest(&crossed.as_shown(&answer.figures)) {
                prose::indented(out, &sentence.text());
            }
            return;
        }
        let figures = sorted(&answer.figures, sort);
        short::above(out, answer, "shares of categories");
        let shares: Vec<f64> = figures.iter().map(|figure| figure.estimate).collect();
        out.shares(&table("", &figures), &shares);
        if let Some(sentence) = largest(&answer.figures) {
            prose::indented(out, &sentence.text());
        }
    }
}

impl AddRemoveWords for Shares {
    fn unit_of_error(&self) -> (&'static str, f64) {
        ("root mean square, as a share of 1", 1.0)
    }

    fn sampling(&self) -> &'static str {
        "sampling: the records are a sample, at its worst for such a mean"
    }

    fn method(&self, method: &mut Method, measured: &AddRemoveMeasurements<'_>) {
        method.say(match measured.both() {
            false => {
                "Noise of scale 1 is added to the weight of every category, and each is divided \
                 by the noisy weight of all:"
            }
            true => {
                "Noise of scale 2 is added to the weight of every category, because another value \
                 changes two of them, and each is divided by the noisy weight of all:"
            }
        });
        method.formula("{Σ_{i \" in \" c} w_i + K_c}/{Σ_i w_i + Σ_l K_l}");
        method.moved_by_weight(measured);
    }
}

/// Shares in the order in which they are shown: the largest first, or as declared.
pub(super) fn sorted(figures: &[Figure], sort: Option<Sort>) -> Vec<&Figure> {
    let mut sorted: Vec<&Figure> = figures.iter().collect();
    if sort != Some(Sort::Declared) {
        sorted.sort_by(|one, other| other.estimate.total_cmp(&one.estimate));
    }
    sorted
}

/// Sentence on the largest share, as far as intervals tell.
pub(super) fn largest(figures: &[Figure]) -> Option<Sentence> {
    let named: Vec<_> = figures.iter().map(|figure| (figure.name.as_str(), figure)).collect();
    headline::largest("share", &named)
}

/// Table of shares with their intervals.
pub(super) fn table(caption: impl Into<String>, figures: &[&Figure]) -> Table {
    Table::from_rows(caption, figures)
        .words("category", |figure| Sentence::from_label(&figure.name))
        .number("share", |figure| figure.show())
        .number(interval_heading(figures.iter().copied()), |figure| figure.show_interval())
        .into()
}

/// Meaning of the intervals of a cross table.
const MARGINS: &str = "Margins are the sums of their cells. Each interval holds for its cell or \
    its margin alone.";

/// Post-processing of noisy shares.
pub(super) fn post_words(release: &Release) -> &'static str {
    match post(release) {
        PostProcessing::Simplex => {
            "Shares are projected so that none is negative and they add up to 1."
        }
        PostProcessing::Clamp => "Shares are clamped to [0, 1] and need not add up to 1.",
        PostProcessing::None => "Shares are as the noise left them; they may be negative.",
    }
}

fn post(release: &Release) -> PostProcessing {
    release_words(release).options().map_or_else(PostProcessing::default, |options| options.post)
}
