//! Answer of a release: one number, or several.

use suum_core::Release;

use crate::caveats::{self, Caveats};
use crate::content::{Block, Content};
use crate::figure::{Figure, Writing};
use crate::headline;
use crate::how;
use crate::html::drawing::{self, Chart, Shape};
use crate::sentence::Sentence;
use crate::table::Table;

/// Numbers that a release answers with, and their caveats.
pub(crate) struct Answer<'a> {
    pub(crate) release: &'a Release,
    /// Name of the estimated quantity.
    pub(crate) name: String,
    pub(crate) figures: Vec<Figure>,
    /// Population that the estimate is about.
    pub(crate) whom: &'static str,
    /// Records of which it is the expected total, if it is one.
    pub(crate) expected_total: Option<String>,
    pub(crate) said: Caveats,
    /// Treatment of the estimate, in a word.
    pub(crate) done: Option<&'static str>,
    /// Largest multiple of a value that a sum can be.
    pub(crate) unit: Option<f64>,
    /// True if its interval could allow for correlation.
    pub(crate) could_allow: bool,
    /// Words for how often a person counts in it and in answers beside it.
    pub(crate) counts: &'static str,
}

impl<'a> Answer<'a> {
    pub(crate) fn column(&self) -> Option<&'a str> {
        self.release.column.as_deref()
    }

    /// Title of the answer.
    pub(crate) fn title(&self) -> String {
        match how::is_exact(self.release) {
            true => format!("Number of {}", self.release.protects().many()),
            false => format!("Private {}{}", self.name, how::column_suffix(self.column())),
        }
    }

    /// Returns true if the first number is uninformative.
    pub(crate) fn is_useless(&self) -> bool {
        let first = self.figures.first();
        first.is_some_and(|figure| self.release.uninformative().contains(&figure.key))
    }

    /// Sentence with one of the numbers.
    pub(crate) fn sentence(&self, figure: &Figure) -> Sentence {
        headline::single(&self.name, self.column(), figure, self.is_useless(), self.release)
    }
}

/// Shows one number: a sentence, and its interval drawn.
pub(crate) fn one(answer: &Answer<'_>) -> Content {
    let mut content = Content::default();
    let Some(figure) = answer.figures.first() else { return content };
    content.add(Block::Answer(answer.sentence(figure), !answer.is_useless()));
    let of = format!("Private {}", answer.name);
    let axis = drawing::axis_title_of_one(&answer.name, answer.column(), figure);
    content.draw(drawing::interval(figure, &of, &axis, possible(answer, figure)));
    content
}

/// Range of possible values of a number, if bounds are declared.
fn possible(answer: &Answer<'_>, figure: &Figure) -> Option<[f64; 2]> {
    let bounds = answer.release.bounds()?;
    let unit = if figure.is_value { 1.0 } else { answer.unit? };
    Some([bounds.lower() * unit, bounds.upper() * unit])
}

/// Shows several numbers: drawn on one axis, then in a table.
pub(crate) fn several(
    caption: &str,
    first: &str,
    release: &Release,
    figures: &[Figure],
) -> Content {
    let mut content = Content::default();
    content.draw(drawn(caption, release, figures));
    content.table(
        Table::from_rows(caption, figures)
            .words(first, |figure| Sentence::from_label(&figure.name))
            .number("estimate", Figure::show)
            .number(interval_heading(figures), Figure::show_interval),
    );
    content
}

/// Draws several numbers on one axis.
pub(crate) fn drawn<'a>(
    title: &str,
    release: &Release,
    figures: impl IntoIterator<Item = &'a Figure>,
) -> maud::Markup {
    let comparable = figures.into_iter().filter(|figure| figure.comparable);
    let rows: Vec<(&str, &Figure)> =
        comparable.map(|figure| (figure.name.as_str(), figure)).collect();
    let Some((_, first)) = rows.first() else { return maud::Markup::default() };
    let shape = shape(first);
    let name = match shape {
        Shape::Bars => "share",
        Shape::Dots => "estimate",
    };
    let axis = drawing::axis_title(name, release.column.as_deref(), first);
    drawing::rows(&Chart { title, axis, shape, is_difference: false, rows: &rows })
}

/// Shape of numbers: bars for shares, which have a natural zero.
pub(crate) fn shape(figure: &Figure) -> Shape {
    match figure.writing {
        Writing::Share(_) => Shape::Bars,
        _ => Shape::Dots,
    }
}

/// Notes after several numbers: those that are uninformative, and the meaning of intervals.
pub(crate) fn after_table(release: &Release, useless: &[String], alone: &str) -> Content {
    let mut content = Content::default();
    content.say_all(caveats::useless(useless, release));
    content.say(alone);
    content
}

/// Heading of the column of intervals.
pub(crate) fn interval_heading<'a>(figures: impl IntoIterator<Item = &'a Figure>) -> String {
    match figures.into_iter().find_map(|figure| figure.interval) {
        Some(interval) => format!("{} interval", how::confidence(interval.confidence)),
        None => "interval".to_owned(),
    }
}

/// Meaning of simultaneous intervals.
pub(crate) const TOGETHER: &str = "All intervals hold at once with the stated confidence.";
