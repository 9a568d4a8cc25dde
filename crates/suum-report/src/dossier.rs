//! A dossier for whoever oversees: sections of plain words, lists and small tables.

use crate::content::{Block, Content};
use crate::document::{Document, What};
use crate::html::Page;
use crate::prose::Text;
use crate::sentence::{Piece, Sentence};
use crate::table::{Column, Kind, Table};
use crate::view::View;

/// A dossier, as text and as a page.
///
/// # Example
///
/// ```
/// use suum_report::{Dossier, DossierPart, DossierRow, DossierSection, DossierTable, View};
///
/// let row = DossierRow { cells: vec!["strict".into(), "0.025".into()], share: Some(0.25) };
/// let table = DossierTable {
///     caption: "In ε".into(),
///     headings: vec!["choice".into(), "left".into()],
///     share: "part that is left".into(),
///     rows: vec![row],
/// };
/// let section = DossierSection {
///     id: "left".into(),
///     heading: "What is left".into(),
///     parts: vec![DossierPart::Paragraph("A quarter.".into()), DossierPart::Table(table)],
/// };
/// let (title, sections) = ("All accounts".into(), vec![section]);
/// let dossier = Dossier { title, sections, ..Dossier::default() };
/// assert!(dossier.text(&View::default()).contains("  strict  0.025\n"));
/// assert!(dossier.page().html("{}").contains("<h1>All accounts</h1>"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dossier {
    /// Kind of page, above its title.
    pub kind: String,
    /// The title.
    pub title: String,
    /// Warning that the record cannot be relied on.
    pub warning: Option<String>,
    /// Notices before all else, a paragraph each.
    pub notices: Vec<String>,
    /// What it says.
    pub sections: Vec<DossierSection>,
}

/// A section of a dossier.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DossierSection {
    /// What links to it. The tables of one that ends with `tiers` are set small on narrow screens.
    pub id: String,
    /// Its heading.
    pub heading: String,
    /// What it says.
    pub parts: Vec<DossierPart>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum DossierPart {
    /// A heading of what follows.
    Heading(String),
    /// A paragraph.
    Paragraph(String),
    /// A paragraph in small print.
    Small(String),
    /// A list.
    Points(Vec<String>),
    /// A table.
    Table(DossierTable),
}

/// A table of numbers, with a bar at the end of each row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DossierTable {
    /// Caption.
    pub caption: String,
    /// Headings of its columns: the first has names, all others have numbers.
    pub headings: Vec<String>,
    /// The heading of the bars.
    pub share: String,
    /// Its rows.
    pub rows: Vec<DossierRow>,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DossierRow {
    /// One for each heading.
    pub cells: Vec<String>,
    /// The share that a bar draws on wide screens, from 0 to 1.
    pub share: Option<f64>,
}

impl Dossier {
    /// Writes the dossier for a screen.
    pub fn text(&self, view: &View) -> String {
        let mut out = Text::new(view);
        self.document().write(&mut out);
        out.finish()
    }

    /// Returns the page of the dossier.
    pub fn page(&self) -> Page {
        Page::from_document(self.document()).with_kind(&self.kind)
    }

    fn document(&self) -> Document {
        let mut all = Document::new(What::Letter, self.title.clone(), Vec::new());
        all.answer.0.extend(self.warning.iter().cloned().map(Block::Warning));
        all.answer.0.extend(self.notices.iter().cloned().map(Block::Note));
        for section in &self.sections {
            let mut inside = Content::default();
            section.parts.iter().for_each(|part| inside.add(part.block()));
            all.answer.section(&section.id, section.heading.clone(), inside);
        }
        all
    }
}

impl DossierPart {
    fn block(&self) -> Block {
        match self {
            Self::Heading(heading) => Block::Heading(heading.clone()),
            Self::Paragraph(words) => Block::Paragraph(words.as_str().into()),
            Self::Small(words) => Block::Small(words.clone()),
            Self::Points(points) => Block::Points(points.clone()),
            Self::Table(table) => Block::Table(table.table()),
        }
    }
}

impl DossierTable {
    fn table(&self) -> Table {
        let cell = |at: usize, row: &DossierRow| {
            let cell = row.cells.get(at).cloned().unwrap_or_default();
            if at == 0 { Sentence::from_label(cell) } else { cell.into() }
        };
        let column = |(at, heading): (usize, &String)| Column {
            kind: if at == 0 { Kind::Words } else { Kind::Number },
            heading: heading.as_str().into(),
            cells: self.rows.iter().map(|row| cell(at, row)).collect(),
        };
        let mut columns: Vec<Column> = self.headings.iter().enumerate().map(column).collect();
        if self.rows.iter().any(|row| row.share.is_some()) {
            let bar = |row: &DossierRow| Sentence(row.share.map(Piece::Bar).into_iter().collect());
            let cells = self.rows.iter().map(bar).collect();
            columns.push(Column { kind: Kind::Narrow, heading: self.share.as_str().into(), cells });
        }
        Table { caption: self.caption.clone(), columns, rows: self.rows.len(), gap: None }
    }
}
