//! Letter to a person: sections of plain words, without tables.

use crate::content::{Block, Content};
use crate::document::{Document, What};
use crate::html::{Page, drawing};
use crate::prose::Text;
use crate::view::View;

/// Letter to a person, as text and as a page.
///
/// # Example
///
/// ```
/// use suum_report::{Letter, LetterSection, View};
///
/// let section = LetterSection {
///     id: "left",
///     heading: "What is left".into(),
///     share: Some(0.25),
///     paragraphs: vec!["A quarter is left.".into()],
///     ..LetterSection::default()
/// };
/// let (title, sections) = ("Your account".into(), vec![section]);
/// let letter = Letter { title, sections, ..Letter::default() };
/// assert!(letter.text(&View::default()).contains("A quarter is left."));
/// assert!(letter.page().html("{}").contains("<h1>Your account</h1>"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Letter {
    /// Kind of letter, which stands above its title.
    pub kind: String,
    /// The title.
    pub title: String,
    /// Sentence that its reader must read first.
    pub notice: String,
    /// Sections of the letter.
    pub sections: Vec<LetterSection>,
}

/// A section of a letter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LetterSection {
    /// Identifier for links.
    pub id: &'static str,
    /// Heading of the section.
    pub heading: String,
    /// Share that is drawn as a bar, from 0 to 1.
    pub share: Option<f64>,
    /// Paragraphs of the section.
    pub paragraphs: Vec<String>,
    /// Parts, each with a heading of its own.
    pub parts: Vec<LetterPart>,
}

/// Part of a section: its heading, and its paragraphs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LetterPart {
    /// Heading of the part.
    pub heading: String,
    /// Paragraphs of the part.
    pub paragraphs: Vec<String>,
}

impl Letter {
    /// Writes the letter for a screen.
    pub fn text(&self, view: &View) -> String {
        let mut out = Text::new(view);
        self.document().write(&mut out);
        out.finish()
    }

    /// Returns the page of the letter.
    pub fn page(&self) -> Page {
        Page::from_document(self.document()).with_kind(&self.kind)
    }

    fn document(&self) -> Document {
        let mut all = Document::new(What::Letter, self.title.clone(), Vec::new());
        all.answer.add(Block::Note(self.notice.clone()));
        for section in &self.sections {
            let mut inside = Content::default();
            if let Some(share) = section.share {
                inside.draw(drawing::bar(share));
            }
            inside.say_all(section.paragraphs.iter().cloned());
            for part in &section.parts {
                inside.add(Block::Heading(part.heading.clone()));
                inside.say_all(part.paragraphs.iter().cloned());
            }
            all.answer.section(section.id, section.heading.clone(), inside);
        }
        all
    }
}
