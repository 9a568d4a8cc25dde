//! Method of a release: the estimator, its formulas and sources.

use maud::html;
use serde::{Deserialize, Serialize};

use super::formula::formula;
use super::markup::Pieces;
use super::sources::Source;

/// Method in words and formulas, and its sources.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Method {
    pub(crate) words: Pieces,
    pub(crate) sources: Vec<Source>,
}

impl Method {
    /// Adds text: a paragraph for each line, or a formula after a `$`.
    pub(crate) fn say(&mut self, text: &str) {
        for line in text.lines().map(str::trim_start) {
            match line.strip_prefix("$ ") {
                Some(line) => self.formula(line),
                None => self.words.add(html! { p { (line) } }),
            }
        }
    }

    pub(crate) fn formula(&mut self, line: &str) {
        self.words.add(formula(line));
    }

    pub(crate) fn source(&mut self, source: Source, place: &str) {
        self.say(&format!("Source: {}{place}.", source.name()));
        self.sources.push(source);
    }

    /// Adds a further part of the method, under its own heading.
    pub(crate) fn part(&mut self, heading: &str, part: Method) {
        self.words.add(html! { h3 { (heading) } (part.words) });
        self.sources.extend(part.sources);
    }

    /// Describes noise whose scale is derived from the weights.
    pub(crate) fn integers(&mut self) {
        self.noise(
            "where b is the least integer with which, in exact arithmetic, nobody loses more than \
            they allow. It is drawn once, exactly, from the \
             randomness of the operating system.",
        );
    }

    /// Describes noise that adds up to zero.
    pub(crate) fn integers_that_sum_to_zero(&mut self) {
        self.say(
            "No floating-point number stands between a record and the noise: weights W are \
             integers rounded down, and the noises Z of all categories are integers that add up to \
             zero, as all shares together are 1 without noise. They have
             $ P(Z = z) ∝ e^{−Σ_c |z_c|/(2 b)}
             where b is the least integer with which, in exact arithmetic, nobody loses more \
             than they allow. If somebody changes category, two sums move by W, one up and one \
             down, and the exponent by no more than W/b: that is what they lose. The noise is \
             drawn once, exactly, from the randomness of the operating system.",
        );
        self.source(
            Source::Canonne,
            ", Algorithms 1 and 2, for single integers; noise in proportion to what one person \
            can change: Dwork et al. 2006",
        );
        self.sources.push(Source::Dwork);
    }

    /// Describes noise whose scale is fixed, and to which the weights are adapted.
    pub(crate) fn integers_of_units(&mut self) {
        self.noise(
            "where b is an integer that depends on what was declared alone; weights are such that, \
            in exact arithmetic, nobody loses more than they allow. It is \
             drawn exactly, from the randomness of the operating system.",
        );
    }

    fn noise(&mut self, scale: &str) {
        self.say(
            "No floating-point number stands between a value and the noise: values are integers on \
             a grid, weights are integers rounded down, and the noise K is an integer with
             $ P(K = k) ∝ e^{−|k|/b}",
        );
        self.say(scale);
        self.source(
            Source::Canonne,
            ", Algorithms 1 and 2; noise in proportion to what one person can change: Dwork et al. \
            2006",
        );
        self.sources.push(Source::Dwork);
    }
}
