//! Sentence that belongs right under the headline of an answer.

use crate::prose::{self, Text};
use crate::view::View;

/// Inserts a sentence under the headline of an answer's text, which is its first paragraph.
///
/// # Example
///
/// ```
/// let text = "Private mean of visits: 2.9\n95 % confidence interval: 2.8 to 3.1\n";
/// let said = suum_report::under_headline(
///     text,
///     "505 of 526 people have nothing left.",
///     &suum_report::View::default(),
/// );
/// let lines: Vec<&str> = said.lines().take(2).collect();
/// assert_eq!(lines, ["Private mean of visits: 2.9", "505 of 526 people have nothing left."]);
/// ```
pub fn under_headline(text: &str, sentence: &str, view: &View) -> String {
    let mut out = Text::new(view);
    prose::paragraph(&mut out, sentence);
    let end = prose::end_of_paragraph(text, out.sentence_width());
    text[..end].to_owned() + &out.finish() + &text[end..]
}
