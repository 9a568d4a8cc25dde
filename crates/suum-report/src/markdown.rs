//! Documents as Markdown, for notebooks and pull requests.

use std::fmt::Write as _;

use crate::content::{Block, Content};
use crate::crosstab::CrosstabTable;
use crate::document::Document;
use crate::how;
use crate::sentence::{Piece, Sentence};
use crate::table::{Kind, Table};

/// Identifier of the section on the spending of tiers.
const TIERS: &str = "tiers";

impl Document {
    /// Returns the document as Markdown: the answer and the spending of tiers, and with `detail`
    /// also the sources of the error, the alternatives and the guarantee.
    pub(crate) fn markdown(&self, detail: bool) -> String {
        let mut text = String::new();
        if !self.private {
            let warning = [how::NOT_PRIVATE, how::NOT_GUARANTEED].join(" ");
            paragraph(&mut text, &format!("**{}**", escaped_markdown(&warning)));
        }
        paragraph(&mut text, &format!("### {}", escaped_markdown(&self.title)));
        let scope = self.scope.iter().filter(|one| !self.title.contains(one.as_str()));
        let scope: Vec<String> = scope.map(|one| escaped_markdown(one)).collect();
        if !scope.is_empty() {
            paragraph(&mut text, &scope.join(" · "));
        }
        write(&mut text, &self.answer, 4);
        self.lines.iter().for_each(|line| paragraph(&mut text, &escaped_markdown(line)));
        match detail {
            true => [&self.assumed(), &self.cost, &self.comparison, &self.guarantee]
                .into_iter()
                .for_each(|part| write(&mut text, part, 4)),
            false => self.cost.0.iter().for_each(|block| match block {
                Block::Section(id, _, inside) if id == TIERS => write(&mut text, inside, 4),
                _ => {}
            }),
        }
        text
    }
}

fn paragraph(text: &mut String, words: &str) {
    // Writing to a text never fails.
    let _ = writeln!(text, "{words}\n");
}

/// Writes content below headings of this level.
fn write(text: &mut String, content: &Content, level: usize) {
    for block in &content.0 {
        match block {
            Block::Answer(sentence, _) | Block::Paragraph(sentence) => {
                paragraph(text, &inline(sentence));
            }
            Block::Note(words) | Block::Warning(words) => {
                paragraph(text, &format!("> {}", escaped_markdown(words)));
            }
            Block::Small(words) => paragraph(text, &escaped_markdown(words)),
            Block::Points(points) => {
                let points: Vec<String> =
                    points.iter().map(|point| format!("* {}", escaped_markdown(point))).collect();
                paragraph(text, &points.join("\n"));
            }
            Block::Table(table) | Block::Shares(table, _) => {
                paragraph(text, &escaped_markdown(&table.caption));
                paragraph(text, &rows(table));
            }
            Block::Crossed(caption, crossed) => {
                paragraph(text, &escaped_markdown(caption));
                paragraph(text, &rows(&CrosstabTable::whole(crossed, caption)));
            }
            Block::Heading(heading) => {
                paragraph(text, &format!("{} {}", "#".repeat(level), escaped_markdown(heading)));
            }
            Block::Section(_, heading, inside) => {
                paragraph(text, &format!("{} {}", "#".repeat(level), escaped_markdown(heading)));
                write(text, inside, level + 1);
            }
            Block::Within(_, inside) | Block::Folded(_, inside, _) => write(text, inside, level),
            Block::Drawn(_) => {}
        }
    }
}

/// Returns a table in the form of GitHub: a line for each row, the headings first.
fn rows(table: &Table) -> String {
    let columns: Vec<_> = table.columns.iter().filter(|column| !column.kind.is_drawn()).collect();
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let rule = columns.iter().map(|column| match column.kind {
        Kind::Number => "---:".to_owned(),
        _ => "---".to_owned(),
    });
    let mut lines = vec![
        line(columns.iter().map(|column| inline(&column.heading)).collect()),
        line(rule.collect()),
    ];
    for at in 0..table.rows {
        let cells = columns.iter().map(|column| column.cells.get(at).map(inline));
        lines.push(line(cells.map(Option::unwrap_or_default).collect()));
    }
    if let Some((before, rows)) = table.gap {
        let mut cells = vec![String::new(); columns.len()];
        cells.iter_mut().take(1).for_each(|cell| *cell = Table::left_out(rows));
        lines.insert(before + 2, line(cells));
    }
    lines.join("\n")
}

/// Returns a sentence without line breaks, in which labels and words mean themselves.
fn inline(sentence: &Sentence) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Words(text) | Piece::Label(text) | Piece::Number(text, _) => escaped_markdown(text),
        Piece::Chosen(text) => format!("**{}**", escaped_markdown(text)),
        Piece::Code(text) => format!("`{}`", text.replace('`', "'").replace('|', "\\|")),
        Piece::Below(sentence) => format!(" ({})", inline(sentence)),
        Piece::Break => " ".to_owned(),
        Piece::Bar(_) | Piece::Shade(_) => String::new(),
    };
    sentence.0.iter().map(text).collect()
}

/// Returns a text in which no character has a meaning of its own, in Markdown or in HTML.
///
/// # Example
///
/// ```
/// assert_eq!(suum_report::escaped_markdown("a_b <i>"), r"a\_b &lt;i&gt;");
/// ```
pub fn escaped_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // Neither a person is called, nor a link made.
            '@' => escaped.push_str("&#64;"),
            ':' => escaped.push_str("&#58;"),
            '.' if escaped.to_ascii_lowercase().ends_with("www") => escaped.push_str("&#46;"),
            control if control.is_control() => escaped.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '!' | '$' => {
                escaped.push('\\');
                escaped.push(character);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_mean_themselves() {
        let sentence = Sentence::from("of ").label("<b>*a*|[x](y)\n`z`");
        assert_eq!(inline(&sentence), "of &lt;b&gt;\\*a\\*\\|\\[x\\](y) \\`z\\`");
    }

    #[test]
    fn tables_have_a_cell_for_each_column() {
        let people = [("strict", "1"), ("a|b", "20")];
        let table: Table = Table::at_most(1, "", &people)
            .words("tier", |(tier, _)| Sentence::from_label(*tier))
            .bars("drawn", false, |_| (String::new(), Some(0.5)))
            .number("people", |(_, people)| *people)
            .into();
        assert_eq!(
            rows(&table),
            "| tier | people |\n| --- | ---: |\n| … 2 more (the JSON has all) |  |"
        );
        let table: Table = Table::from_rows("", &people)
            .words("tier", |(tier, _)| Sentence::from_label(*tier))
            .number("people", |(_, people)| *people)
            .into();
        assert!(rows(&table).ends_with("| a\\|b | 20 |"), "{}", rows(&table));
    }
}
