//! Text for a screen, while it is written.

use std::fmt;

use anstyle::{Effects, Style};
use suum_core::Phrase;

use crate::figures::bar;
use crate::sentence::Sentence;
use crate::table::{Column, Kind, Table};
use crate::view::View;

/// Text for a screen of a given width, while it is written.
pub(crate) struct Text {
    said: String,
    view: View,
}

/// Largest width of sentences, in columns: longer lines are hard to read.
const SENTENCE: usize = 100;

/// Style of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Requested answer.
    Answer,
    /// All other words.
    Plain,
    /// Headings and side remarks.
    Quiet,
}

impl Tone {
    fn effects(self) -> Effects {
        match self {
            Self::Answer => Effects::BOLD,
            Self::Plain => Effects::new(),
            Self::Quiet => Effects::DIMMED,
        }
    }
}

impl Text {
    /// Creates an empty text.
    pub(crate) fn new(view: &View) -> Self {
        Self { said: String::new(), view: *view }
    }

    /// Creates an empty text for the same screen.
    pub(crate) fn like(other: &Self) -> Self {
        Self { said: String::new(), view: other.view }
    }

    /// Appends another text for the same screen.
    pub(crate) fn append(&mut self, other: Self) {
        self.said += &other.said;
    }

    /// Number of columns.
    pub(crate) fn width(&self) -> usize {
        self.view.width()
    }

    /// Number of columns of a sentence.
    pub(crate) fn sentence_width(&self) -> usize {
        self.width().min(SENTENCE)
    }

    /// Phrase in the words of the front end at which the text is read.
    pub(crate) fn spoken(&self, phrase: &Phrase) -> String {
        phrase.spoken(self.view.voice())
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        self.said
    }

    /// Words in this tone, if the screen has styles.
    fn toned(&self, words: &str, tone: Tone) -> String {
        let style = Style::new().effects(tone.effects());
        match self.view.styled && !words.is_empty() && tone != Tone::Plain {
            true => format!("{style}{words}{style:#}"),
            false => words.to_owned(),
        }
    }

    /// Writes words with gaps between them: on one line, if they fit, otherwise on several, of
    /// which all but the first are indented.
    pub(crate) fn pieces(&mut self, pieces: &[(String, Tone)]) {
        let mut column = 0;
        for (words, tone) in pieces.iter().filter(|(words, _)| !words.is_empty()) {
            let length = words.chars().count();
            let gap = match column {
                0 => "",
                _ if column + GAP.len() + length <= self.width() => GAP,
                _ => {
                    self.said.push('\n');
                    column = 0;
                    "  "
                }
            };
            column += gap.len() + length;
            self.said += gap;
            self.said += &self.toned(words, *tone);
        }
        self.said.push('\n');
    }

    /// Writes the heading of a section.
    pub(crate) fn heading(&mut self, heading: &str) {
        self.said.push('\n');
        let lines = lines(heading, "", "", self.sentence_width());
        for line in lines.lines() {
            self.said += &self.toned(line, Tone::Quiet);
            self.said.push('\n');
        }
    }

    /// Writes all rows of a table.
    pub(crate) fn table(&mut self, table: &Table) {
        for (at, line) in table.lines().iter().enumerate() {
            let tone = if at == 0 { Tone::Quiet } else { Tone::Plain };
            self.said += &self.toned(line, tone);
            self.said.push('\n');
        }
    }

    /// Writes all rows of a table of shares, with bars if there is room for them.
    pub(crate) fn shares(&mut self, table: &Table, shares: &[f64]) {
        let most = shares.iter().copied().fold(0.0, f64::max);
        let left = self.width().saturating_sub(table.width() + 2).min(BAR[1]);
        if left < BAR[0] || most <= 0.0 {
            return self.table(table);
        }
        let cells = shares.iter().map(|share| bar(share / most, left).into()).collect();
        let mut table = table.clone();
        table.columns.push(Column { kind: Kind::Words, heading: Sentence::default(), cells });
        self.table(&table);
    }

    /// Writes an empty line.
    pub(crate) fn line(&mut self) {
        self.said.push('\n');
    }

    fn prose(&mut self, text: &str, first: &str, indent: &str) {
        self.said += &lines(text, first, indent, self.sentence_width());
    }
}

/// Least and largest length of a bar.
const BAR: [usize; 2] = [6, 40];

/// Space between the parts of a headline.
const GAP: &str = "  ";

impl fmt::Write for Text {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        self.said.push_str(words);
        Ok(())
    }
}

/// Wraps text into lines of at most `width` columns; each begins with `indent`, the first one with
/// `first`.
fn lines(text: &str, first: &str, indent: &str, width: usize) -> String {
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        let space = usize::from(!empty);
        if !empty && line.chars().count() + space + word.chars().count() > width {
            out += &(line + "\n");
            line = indent.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    out + &line + "\n"
}

/// Wraps lines to a screen: the rest of a long line continues below, indented by two more columns.
/// No word is broken.
///
/// # Example
///
/// ```
/// use suum_report::{View, fitted};
///
/// let view = View::default().wide(60);
/// let text = fitted("  one two three four five six seven eight nine ten eleven twelve\n", &view);
/// assert_eq!(text, "  one two three four five six seven eight nine ten eleven\n    twelve\n");
/// ```
pub fn fitted(text: &str, view: &View) -> String {
    let fit = |line: &str| {
        let margin = &line[..line.len() - line.trim_start().len()];
        match line.chars().count() <= view.width() {
            true => format!("{line}\n"),
            false => lines(line, margin, &format!("{margin}  "), view.width()),
        }
    };
    text.lines().map(fit).collect()
}

/// Returns a command as [`fitted`] lines, each but the last with the shell's line continuation; on
/// one line if the front end has none.
///
/// # Example
///
/// ```
/// use suum_report::{View, fitted_command};
///
/// let command = "mean(DATA, value=\"visits\", bounds=(0, 77), privacy=\"privacy\")";
/// let text = fitted_command("  ", command, &View::default().wide(60));
/// assert_eq!(text, format!("  {command}\n"));
/// ```
pub fn fitted_command(margin: &str, command: &str, view: &View) -> String {
    let whole = format!("{margin}{command}\n");
    let continuation = view.voice().continuation();
    if continuation.is_empty() || whole.trim_end().chars().count() <= view.width() {
        return whole;
    }
    let width = view.width().saturating_sub(continuation.len());
    let text = lines(command, margin, &format!("{margin}  "), width);
    text.trim_end().replace('\n', &format!("{continuation}\n")) + "\n"
}

/// Writes a paragraph that begins at the margin.
pub(crate) fn paragraph(out: &mut Text, text: &str) {
    out.prose(text, "", "");
}

/// Writes a paragraph that is indented like a table.
pub(crate) fn indented(out: &mut Text, text: &str) {
    out.prose(text, "  ", "  ");
}

/// Writes one of several points.
pub(crate) fn point(out: &mut Text, text: &str) {
    out.prose(text, "  - ", "    ");
}

/// End of the first paragraph of a text: a line continues on the next one if that begins with a
/// word for which there was no room.
pub(crate) fn end_of_paragraph(text: &str, width: usize) -> usize {
    let mut end = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        end += line.len();
        let next = lines.peek().and_then(|next| next.split_whitespace().next());
        let room = |word: &str| line.trim_end().chars().count() + 1 + word.chars().count() <= width;
        if next.is_none_or(room) {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_paragraph_ends_where_its_last_line_has_room() {
        let text = "one two three ".repeat(40);
        let mut out = Text::new(&View::default());
        paragraph(&mut out, &text);
        let end = out.said.len();
        paragraph(&mut out, "four");
        let width = out.sentence_width();
        assert_eq!(end_of_paragraph(&out.finish(), width), end);
        let end = |text| end_of_paragraph(text, width);
        assert_eq!((end("one\n\ntwo\n"), end(""), end("one")), (4, 0, 3));
    }

    #[test]
    fn lines_fit_and_lose_no_word() {
        let text = "one two three ".repeat(40);
        for width in [60, 80, 100] {
            let lines = lines(&text, "  - ", "    ", width);
            assert!(lines.lines().all(|line| line.chars().count() <= width), "{lines}");
            assert!(lines.lines().skip(1).all(|line| line.starts_with("    ")), "{lines}");
            let words: Vec<&str> = lines.split_whitespace().skip(1).collect();
            assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_headline_breaks_between_its_parts() {
        let pieces =
            ["visits", "mean 2.85", "95 % interval 2.72 to 2.98", "20,190 records · bounds"]
                .map(|words| (words.to_owned(), Tone::Answer));
        let of = |view: View| {
            let mut out = Text::new(&view);
            out.pieces(&pieces);
            out.finish()
        };
        assert_eq!(
            of(View::default().wide(60)),
            "visits  mean 2.85  95 % interval 2.72 to 2.98\n  20,190 records · bounds\n"
        );
        assert_eq!(of(View::default()).lines().count(), 1);
        let mut view = View::default();
        view.styled = true;
        let styled = of(view);
        assert!(styled.starts_with("\u{1b}[1mvisits\u{1b}[0m  \u{1b}[1mmean"), "{styled:?}");
        assert_eq!(styled.lines().count(), 1);
    }
}
