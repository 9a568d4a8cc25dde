//! Content common to texts and pages: sentences, lists and tables, in sections.

use maud::Markup;

use crate::crosstab::{self, CrosstabTable};
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::table::Table;

/// Part of the content.
pub(crate) enum Block {
    /// Sentence with the answer; true if its first number stands out.
    Answer(Sentence, bool),
    Paragraph(Sentence),
    /// Note that a reader must not overlook.
    Note(String),
    /// Warning that stands out.
    Warning(String),
    /// A paragraph in small print.
    Small(String),
    Points(Vec<String>),
    Table(Table),
    /// Table of shares; texts add a bar for each, if there is room.
    Shares(Table, Vec<f64>),
    /// Cross table of two columns, with its caption.
    Crossed(String, Box<CrosstabTable>),
    /// Heading of a part of a section.
    Heading(String),
    /// Section: its identifier for links, its heading, and its content.
    Section(String, String, Content),
    /// Content of a part whose identifiers all begin with this prefix.
    Within(String, Content),
    /// Content that readers unfold, under these words; true if it is printed unfolded.
    Folded(String, Content, bool),
    /// Drawing that only pages show.
    Drawn(Markup),
}

/// Content, block by block.
#[derive(Default)]
pub(crate) struct Content(pub(crate) Vec<Block>);

impl Content {
    /// Adds a block.
    pub(crate) fn add(&mut self, block: Block) {
        self.0.push(block);
    }

    /// Adds other content.
    pub(crate) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Adds a paragraph.
    pub(crate) fn say(&mut self, sentence: impl Into<Sentence>) {
        self.add(Block::Paragraph(sentence.into()));
    }

    /// Adds a paragraph for each of these sentences.
    pub(crate) fn say_all(&mut self, sentences: impl IntoIterator<Item = impl Into<Sentence>>) {
        sentences.into_iter().for_each(|sentence| self.say(sentence));
    }

    /// Adds a list, if there is anything in it.
    pub(crate) fn points(&mut self, points: Vec<String>) {
        if !points.is_empty() {
            self.add(Block::Points(points));
        }
    }

    /// Adds a table.
    pub(crate) fn table(&mut self, table: impl Into<Table>) {
        self.add(Block::Table(table.into()));
    }

    /// Adds a drawing that only pages show.
    pub(crate) fn draw(&mut self, drawn: Markup) {
        self.add(Block::Drawn(drawn));
    }

    /// Adds a section.
    pub(crate) fn section(&mut self, id: &str, heading: impl Into<String>, inside: Self) {
        self.add(Block::Section(id.to_owned(), heading.into(), inside));
    }

    /// Returns true if there is no block.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Content of paragraphs only.
    pub(crate) fn from_sentences(sentences: impl IntoIterator<Item = impl Into<Sentence>>) -> Self {
        let mut content = Self::default();
        content.say_all(sentences);
        content
    }

    /// Writes the content as text.
    pub(crate) fn write(&self, out: &mut Text) {
        for block in &self.0 {
            match block {
                Block::Answer(sentence, _) | Block::Paragraph(sentence) => {
                    prose::paragraph(out, &sentence.text());
                }
                Block::Note(words) | Block::Warning(words) | Block::Small(words) => {
                    prose::paragraph(out, words);
                }
                Block::Points(points) => points.iter().for_each(|one| prose::point(out, one)),
                Block::Table(table) => {
                    prose::paragraph(out, &table.caption);
                    out.table(table);
                }
                Block::Shares(table, shares) => {
                    prose::paragraph(out, &table.caption);
                    out.shares(table, shares);
                }
                Block::Crossed(_, crossed) => crosstab::write(out, crossed),
                Block::Heading(heading) => out.heading(heading),
                Block::Section(_, heading, inside) => {
                    out.heading(heading);
                    inside.write(out);
                }
                Block::Within(_, inside) | Block::Folded(_, inside, _) => inside.write(out),
                Block::Drawn(_) => {}
            }
        }
    }
}
