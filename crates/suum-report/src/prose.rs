//! Text for a screen, while it is written.

use std::fmt;

use anstyle::{Effects, Style};
use suum_core::{Interval, Phrase};

use crate::axis::Axis;
use crate::figure::Figure;
use crate::figures::{bar, half_width, interval_line};
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

    /// Returns true if it is one of several texts, below which stands once where details are.
    pub(crate) fn is_part(&self) -> bool {
        self.view.is_part()
    }

    /// Phrase in the words of the front end at which the text is read.
    pub(crate) fn render(&self, phrase: &Phrase) -> String {
        phrase.render_for(self.view.voice())
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
        self.pieces_after("", pieces);
    }

    /// Writes words with gaps between them like [`pieces`](Self::pieces), all after this margin.
    fn pieces_after(&mut self, margin: &str, pieces: &[(String, Tone)]) {
        let indent = format!("{margin}  ");
        let (mut column, mut is_first) = (0, true);
        for (words, tone) in pieces.iter().filter(|(words, _)| !words.is_empty()) {
            let length = words.chars().count();
            let gap = match column {
                0 if is_first => margin,
                _ if column + GAP.len() + length <= self.width() => GAP,
                _ => {
                    self.said.push('\n');
                    column = 0;
                    &indent
                }
            };
            is_first = false;
            self.said += gap;
            column += gap.len() + length;
            if column <= self.width() {
                self.said += &self.toned(words, *tone);
                continue;
            }
            // Longer than a line: no word is broken.
            let broken = lines(words, "", "", self.width().saturating_sub(indent.len()));
            let broken: Vec<&str> = broken.lines().collect();
            for (at, line) in broken.iter().enumerate() {
                self.said += if at == 0 { "" } else { "\n" };
                self.said += if at == 0 { "" } else { &indent };
                self.said += &self.toned(line, *tone);
            }
            column = indent.len() + broken.last().map_or(0, |line| line.chars().count());
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

    /// Writes all rows of a table; if it is wider than the screen, each below its name, with the
    /// heading of each cell.
    pub(crate) fn table(&mut self, table: &Table) {
        if table.width() > self.width() {
            return self.stacked(table);
        }
        for (at, line) in table.lines().iter().enumerate() {
            let tone = if at == 0 { Tone::Quiet } else { Tone::Plain };
            self.said += &self.toned(line, tone);
            self.said.push('\n');
        }
    }

    /// Writes each row of a table on lines of its own.
    fn stacked(&mut self, table: &Table) {
        let columns = || table.columns.iter().filter(|column| !column.kind.is_drawn());
        for at in 0..table.rows {
            if let Some((before, rows)) = table.gap
                && before == at
            {
                self.prose(&Table::left_out(rows), GAP, GAP);
            }
            let cells = columns().filter_map(|column| {
                let cell = column.cells.get(at)?.text();
                Some((column.heading.text(), cell)).filter(|(_, cell)| !cell.trim().is_empty())
            });
            let cells: Vec<(String, String)> = cells.collect();
            let is_named = columns().next().and_then(|column| column.cells.get(at));
            let named = usize::from(is_named.is_some_and(|cell| !cell.text().is_empty()));
            if let Some((_, name)) = cells.first().filter(|_| named == 1) {
                self.prose(name, GAP, "    ");
            }
            let cells = cells.iter().skip(named);
            let cells = cells.map(|(heading, cell)| {
                (format!("{heading} {}", cell.trim()).trim().to_owned(), Tone::Plain)
            });
            let cells: Vec<(String, Tone)> = cells.collect();
            if !cells.is_empty() {
                self.pieces_after("    ", &cells);
            }
        }
    }

    /// Writes a table of shares with a bar for each, if there is room.
    pub(crate) fn shares(&mut self, table: &Table, shares: &[f64]) {
        let most = shares.iter().copied().fold(0.0, f64::max);
        let left = self.room_beside(table).min(BAR[1]);
        if left < BAR[0] || most <= 0.0 {
            return self.table(table);
        }
        let cells = shares.iter().map(|share| bar(share / most, left)).collect();
        self.table(&beside(table, String::new(), cells));
    }

    /// Writes a table with the interval of each row drawn on one axis, if there is room.
    pub(crate) fn intervals(&mut self, table: &Table, figures: &[Option<&Figure>]) {
        let left = self.room_beside(table).min(LINE[1]);
        let known = || figures.iter().flatten().filter_map(|figure| figure.interval);
        let axis = Axis::around(known(), 0.0).filter(|_| left >= LINE[0] && known().count() > 1);
        let (Some(axis), Some(first)) = (axis, figures.iter().flatten().next()) else {
            return self.table(table);
        };
        let place = |value: f64| axis.place(value) / 100.0;
        let line = |figure: &Option<&Figure>| {
            let figure = (*figure)?;
            let interval = figure.interval?;
            let places = [interval.lower, figure.estimate, interval.upper].map(place);
            Some(interval_line(places, left))
        };
        let cells = figures.iter().map(|figure| line(figure).unwrap_or_default()).collect();
        // The axis is named by its ends.
        let ends = |all: Interval, one: Interval| Interval {
            lower: all.lower.min(one.lower),
            upper: all.upper.max(one.upper),
            ..all
        };
        let [from, to] = known().reduce(ends).map_or_else(Default::default, |interval| {
            first.writing.to_error(half_width(interval)).ends(interval)
        });
        let gap = left.saturating_sub(from.chars().count());
        self.table(&beside(table, format!("{from}{to:>gap$}"), cells));
    }

    /// Number of columns beside a table.
    fn room_beside(&self, table: &Table) -> usize {
        self.width().saturating_sub(table.width() + GAP.len())
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

/// Least and largest length of the line of an interval.
const LINE: [usize; 2] = [12, 40];

/// Returns the table with a further column of these drawings.
fn beside(table: &Table, heading: String, cells: Vec<String>) -> Table {
    let mut table = table.clone();
    let cells = cells.into_iter().map(Sentence::from).collect();
    table.columns.push(Column { kind: Kind::Words, heading: heading.into(), cells });
    table
}

/// Space between the parts of a headline.
const GAP: &str = "  ";

impl fmt::Write for Text {
    fn write_str(&mut self, words: &str) -> fmt::Result {
        self.said.push_str(words);
        Ok(())
    }
}

/// Space at which no line ends.
pub(crate) const UNBROKEN: char = '\u{a0}';

/// Wraps text into lines of at most `width` columns; each begins with `indent`, the first one with
/// `first`.
fn lines(text: &str, first: &str, indent: &str, width: usize) -> String {
    let mut out = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    let is_gap = |character: char| character.is_whitespace() && character != UNBROKEN;
    for word in text.split(is_gap).filter(|word| !word.is_empty()) {
        let word = word.replace(UNBROKEN, " ");
        let space = usize::from(!empty);
        if !empty && line.chars().count() + space + word.chars().count() > width {
            out += &(line + "\n");
            line = indent.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&word);
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
    fn tables_that_are_too_wide_are_stacked() {
        let rows = [("a name that is rather long for a table", "12"), ("short", "3")];
        let table: Table = Table::from_rows("", &rows)
            .words("name", |(name, _)| *name)
            .number("of as many as there are", |(_, number)| *number)
            .into();
        let of = |columns: usize| {
            let mut out = Text::new(&View::default().wide(columns));
            out.table(&table);
            out.finish()
        };
        assert_eq!(of(80).lines().count(), 3);
        assert_eq!(
            of(60),
            "  a name that is rather long for a table\n    of as many as there are 12\n  short\n\
             \u{20}   of as many as there are 3\n"
        );
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
        let mut out = Text::new(&View::default().wide(60));
        let long = "one two three four five six seven eight nine ten eleven twelve thirteen";
        out.pieces(&[(long.to_owned(), Tone::Answer), ("14".to_owned(), Tone::Plain)]);
        let broken =
            "one two three four five six seven eight nine ten eleven\n  twelve thirteen  14\n";
        assert_eq!(out.finish(), broken);
        let mut view = View::default();
        view.styled = true;
        let styled = of(view);
        assert!(styled.starts_with("\u{1b}[1mvisits\u{1b}[0m  \u{1b}[1mmean"), "{styled:?}");
        assert_eq!(styled.lines().count(), 1);
    }
}
