//! How it was done: the estimator that was used, its formulas and sources.

mod hidden;
mod interval;
mod noise;
mod range;
mod variance;
mod weighted;

use maud::html;
use serde::{Deserialize, Serialize};

use super::formula::formula;
use super::markup::Pieces;
use super::sources::Source;

/// A method in words and formulas, and where it comes from.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Method {
    pub(crate) words: Pieces,
    pub(crate) sources: Vec<Source>,
}

impl Method {
    pub(super) fn say(&mut self, text: &str) {
        self.words.paragraph(text);
    }

    pub(super) fn formula(&mut self, line: &'static str) {
        self.words.add(formula(line));
    }

    pub(super) fn source(&mut self, source: Source, place: &str) {
        self.words.paragraph(&format!("Source: {}{place}.", source.name()));
        self.sources.push(source);
    }

    /// A further part of the method, under its own heading.
    pub(crate) fn part(&mut self, heading: &str, part: Method) {
        self.words.add(html! { h3 { (heading) } (part.words) });
        self.sources.extend(part.sources);
    }
}
