//! Shares of categories: their table, their bars, and what was done to them.

use suum_core::{PostProcessing, Release};

use super::{Hidden, Measured, Shown, made};
use crate::answer::{self, Answer, interval_heading};
use crate::content::{Block, Content};
use crate::crosstab::{self, Crossed};
use crate::figure::Figure;
use crate::figures::bar;
use crate::headline;
use crate::html::Method;
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::short;
use crate::table::Table;
use crate::view::Sort;

/// Shares of categories, or of the cells of a table of two columns.
pub(crate) struct Shares;

impl Shown for Shares {
    fn name(&self, _: &Release) -> String {
        "frequencies".to_owned()
    }

    fn public(&self) -> &'static str {
        "categories"
    }

    fn treated(&self, release: &Release) -> Option<String> {
        (post(release) != PostProcessing::default()).then(|| post_words(release).to_owned())
    }

    fn show(&self, answer: &Answer<'_>) -> Content {
        let Answer { release, figures, whom, said, .. } = answer;
        let (mut content, caption) = (Content::default(), format!("Shares, for {whom}"));
        if let Some(crossed) = Crossed::of(release) {
            let drawn = crossed.as_shown(figures);
            content.add(Block::Answer(crossed.sentence(), true));
            content.add(Block::Crossed(caption, Box::new(crossed)));
            content.draw(answer::drawn(&format!("Cells, for {whom}"), &drawn));
        } else {
            if let Some(sentence) = largest(figures) {
                content.add(Block::Answer(sentence, true));
            }
            content.append(answer::several(&caption, "category", figures));
        }
        let alone = match release.is_simultaneous() {
            true => answer::TOGETHER,
            false if release.crosstab().is_some() => MARGINS,
            false => "Each interval holds for its category alone.",
        };
        let alone = format!("{alone} {}", post_words(release));
        content.append(answer::after_table(&headline::useless(release, figures), &alone, said));
        content
    }

    fn brief(&self, out: &mut Text, answer: &Answer<'_>, sort: Option<Sort>) {
        if let Some(crossed) = Crossed::of(answer.release) {
            short::above(out, answer, "cells, and margins");
            return crosstab::write(out, &crossed);
        }
        let mut figures: Vec<&Figure> = answer.figures.iter().collect();
        if sort != Some(Sort::Declared) {
            figures.sort_by(|one, other| other.estimate.total_cmp(&one.estimate));
        }
        short::above(out, answer, "shares of categories");
        bars(out, &figures);
        if let Some(sentence) = largest(&answer.figures) {
            prose::indented(out, &sentence.text());
        }
    }
}

impl Hidden for Shares {
    fn unit_of_error(&self) -> (&'static str, f64) {
        ("root mean square, as a share of 1", 1.0)
    }

    fn sampling(&self) -> &'static str {
        "sampling: the records are a sample, at its worst for such a mean"
    }

    fn method(&self, method: &mut Method, measured: &Measured<'_>) {
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

/// Which share is the largest, as far as intervals tell.
fn largest(figures: &[Figure]) -> Option<Sentence> {
    let named: Vec<_> = figures.iter().map(|figure| (figure.name.as_str(), figure)).collect();
    headline::largest("share", &named)
}

/// How long the longest bar is, and the shortest that is worth drawing.
const BAR: [usize; 2] = [6, 40];

/// Shares with bars, as far as there is room for them.
fn bars(out: &mut Text, figures: &[&Figure]) {
    let most = figures.iter().map(|figure| figure.estimate).fold(0.0, f64::max);
    let interval = interval_heading(figures.iter().copied());
    let table = |length: usize| -> Table {
        Table::of("", figures)
            .words("category", |figure| figure.name.clone())
            .number("share", |figure| figure.show())
            .number(interval.as_str(), |figure| figure.show_interval())
            .words("", |figure| bar(figure.estimate / most, length))
            .into()
    };
    let left = out.width().saturating_sub(table(0).width() + 2).min(BAR[1]);
    out.table(&table(if left >= BAR[0] && most > 0.0 { left } else { 0 }));
}

/// What intervals of a table are.
const MARGINS: &str = "Margins are the sums of their cells. Each interval holds for its cell or \
    its margin alone.";

/// What was done to noisy shares.
fn post_words(release: &Release) -> &'static str {
    match post(release) {
        PostProcessing::Simplex => {
            "Shares are projected so that none is negative and they add up to 1."
        }
        PostProcessing::Clamp => "Shares are clamped to [0, 1] and need not add up to 1.",
        PostProcessing::None => "Shares are as the noise left them; they may be negative.",
    }
}

fn post(release: &Release) -> PostProcessing {
    made(release).options().map_or_else(PostProcessing::default, |options| options.post)
}
