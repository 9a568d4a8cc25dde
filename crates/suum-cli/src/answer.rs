//! What a command has to say, for people and for programs.

use std::fmt;
use std::sync::Arc;

use suum::{Error, Result, Statement};

use crate::statement;

/// What a command has to say. Nothing in it is private, except where the command says so (`suum levels`).
pub struct Answer {
    text: Box<dyn Fn() -> String + Send + Sync>,
    json: Box<dyn Fn() -> Result<String> + Send + Sync>,
    drawing: Option<Box<dyn Fn() -> String + Send + Sync>>,
    refusal: Option<Error>,
}

impl Answer {
    /// What `text` and `json` say of a thing.
    pub(crate) fn new<T: Send + Sync + 'static>(
        thing: T,
        text: impl Fn(&T) -> String + Send + Sync + 'static,
        json: impl Fn(&T) -> Result<String> + Send + Sync + 'static,
    ) -> Self {
        let thing = Arc::new(thing);
        let same = Arc::clone(&thing);
        Self {
            text: Box::new(move || text(&thing)),
            json: Box::new(move || json(&same)),
            drawing: None,
            refusal: None,
        }
    }

    /// The same words for people and for programs.
    pub(crate) fn words(words: String) -> Self {
        Self::new(words, String::clone, |words| Ok(words.clone()))
    }

    /// The answer, and what was done to the accounts of a ledger, if there is one.
    pub(crate) fn with_statement(self, statement: Option<Statement>) -> Self {
        let Some(statement) = statement else { return self };
        let Self { text, json, refusal, .. } = self;
        Self::new(
            statement,
            move |statement| text() + "\n" + &statement::text(statement),
            move |statement| statement::into_json(&json()?, statement),
        )
        .with_refusal(refusal)
    }

    /// The answer, which can also be drawn, as SVG.
    pub(crate) fn with_drawing(self, drawing: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self { drawing: Some(Box::new(drawing)), ..self }
    }

    /// The answer, and why what was asked for cannot be relied on, if it cannot.
    pub(crate) fn with_refusal(self, refusal: Option<Error>) -> Self {
        Self { refusal, ..self }
    }

    /// The answer in words and figures, with a final line break.
    pub fn text(&self) -> String {
        (self.text)()
    }

    /// The answer as JSON (`docs/json.md`), with a final line break.
    ///
    /// # Errors
    ///
    /// None is expected: all answers have a JSON form.
    pub fn json(&self) -> Result<String> {
        (self.json)()
    }

    /// The answer as SVG, if it can be drawn: what an audit found.
    pub fn drawing(&self) -> Option<String> {
        self.drawing.as_ref().map(|drawing| drawing())
    }

    /// Why what was asked for cannot be relied on, although there is an answer: a ledger that was tampered with, a promise
    /// that is broken.
    pub fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("refusal", &self.refusal).finish_non_exhaustive()
    }
}
