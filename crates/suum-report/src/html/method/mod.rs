//! How it was done: the estimator that was used, its formulas and sources.

mod hidden;
mod interval;
mod noise;
mod range;
mod variance;
mod weighted;

use serde::{Deserialize, Serialize};

use super::markup::Markup;
use super::sources::Source;

/// A method in words and formulas, and where it comes from.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Method {
    pub(crate) words: Markup,
    pub(crate) sources: Vec<Source>,
}

impl Method {
    pub(super) fn say(&mut self, text: &str) {
        self.words.paragraph(text);
    }

    pub(super) fn formula(&mut self, line: &'static str) {
        self.words.formula(line);
    }

    pub(super) fn source(&mut self, source: Source, place: &str) {
        self.words.paragraph(&format!("Source: {}{place}.", source.name()));
        self.sources.push(source);
    }

    /// A further part of the method, under its own heading.
    pub(crate) fn part(&mut self, heading: &str, part: Method) {
        self.words.element("h3", &[], |h3| h3.text(heading));
        self.words.push(&part.words);
        self.sources.extend(part.sources);
    }
}
