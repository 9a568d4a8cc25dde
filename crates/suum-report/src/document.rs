//! Complete content of a release or a plan, for long texts and for pages.

use maud::Render;
use serde::{Deserialize, Serialize};

use crate::caveats::Caveats;
use crate::certificate::SpendingTable;
use crate::content::{Block, Content};
use crate::how;
use crate::html::{Check, Method};
use crate::prose::{self, Text};

/// Kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum What {
    Release,
    Plan,
    Ledger,
    /// Letter to a person.
    Letter,
}

/// Complete content of a release or a plan.
pub(crate) struct Document {
    pub(crate) what: What,
    pub(crate) title: String,
    pub(crate) private: bool,
    /// Number of records, and the bounds.
    pub(crate) scope: Vec<String>,
    pub(crate) answer: Content,
    /// Lines below the answer: what it is about, and the first of its assumptions.
    pub(crate) lines: Vec<String>,
    /// All assumptions, and further notes, which pages fold.
    pub(crate) caveats: Caveats,
    pub(crate) notes: Vec<String>,
    /// Sources of the error, and the spending of tiers.
    pub(crate) cost: Content,
    pub(crate) guarantee: Content,
    /// Alternatives that were considered.
    pub(crate) comparison: Content,
    /// Method of computation, and ways to check it, for pages.
    pub(crate) method: Method,
    pub(crate) check: Check,
}

impl Document {
    /// Creates an empty document.
    pub(crate) fn new(what: What, title: impl Into<String>, scope: Vec<String>) -> Self {
        Self {
            what,
            title: title.into(),
            private: true,
            scope,
            answer: Content::default(),
            lines: Vec::new(),
            caveats: Caveats::default(),
            notes: Vec::new(),
            cost: Content::default(),
            guarantee: Content::default(),
            comparison: Content::default(),
            method: Method::default(),
            check: Check::default(),
        }
    }

    /// All assumptions, and further notes.
    pub(crate) fn assumed(&self) -> Content {
        let mut content = self.caveats.content();
        content.say_all(&self.notes);
        content
    }

    /// Adds the section on the spending of tiers, with `below` under its table.
    pub(crate) fn spends(
        &mut self,
        spent: &SpendingTable,
        heading: impl Into<String>,
        below: Content,
    ) {
        let mut inside = spent.content();
        inside.append(below);
        self.cost.section("tiers", heading, inside);
    }

    /// Adds the section on the guarantee, in these words if there are any.
    pub(crate) fn guarantees(&mut self, spent: &SpendingTable, words: Option<String>) {
        let meaning = Block::Drawn(spent.meaning().render());
        let block = match words {
            Some(words) => {
                let mut inside = Content::from_sentences([words]);
                inside.add(meaning);
                let heading = "What is guaranteed".to_owned();
                Block::Section("guarantee".to_owned(), heading, inside)
            }
            // Figures alone, which texts leave out.
            None => {
                let mut section = Content::default();
                section.section("guarantee", "What would be guaranteed", Content(vec![meaning]));
                Block::Drawn(section.render())
            }
        };
        self.guarantee.add(block);
    }

    /// Writes the document as text, without formulas and drawings.
    pub(crate) fn write(&self, out: &mut Text) {
        how::write_warning(out, self.private);
        prose::paragraph(out, &self.title);
        let scope = self.scope.iter().filter(|one| !self.title.contains(one.as_str()));
        let scope: Vec<&str> = scope.map(String::as_str).collect();
        if !scope.is_empty() {
            prose::paragraph(out, &scope.join(" · "));
        }
        self.answer.write(out);
        self.lines.iter().for_each(|line| prose::paragraph(out, line));
        for part in [&self.assumed(), &self.cost, &self.comparison, &self.guarantee] {
            part.write(out);
        }
    }
}
