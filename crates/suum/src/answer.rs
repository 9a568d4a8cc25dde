//! What a job has to say, for people and for programs.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use suum_core::{Error, Result};
use suum_report::{Page, Remarks};

use crate::Job;
use crate::meter::Statement;
use crate::query::Query;
use crate::statement;

/// What a job has to say. Nothing in it is private, except where it says so (`suum levels`).
pub struct Answer {
    text: Box<dyn Fn() -> String + Send + Sync>,
    json: Box<dyn Fn() -> Result<String> + Send + Sync>,
    drawing: Option<Box<dyn Fn() -> String + Send + Sync>>,
    page: Option<Box<dyn Fn() -> Page + Send + Sync>>,
    warnings: Vec<String>,
    refusal: Option<Error>,
}

impl Answer {
    /// What `text` and `json` say of a thing.
    pub fn new<T: Send + Sync + 'static>(
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
            page: None,
            warnings: Vec::new(),
            refusal: None,
        }
    }

    /// What `text`, `json` and `page` say of a thing.
    pub(crate) fn shown<T: Send + Sync + 'static>(
        thing: T,
        text: impl Fn(&T) -> String + Send + Sync + 'static,
        json: impl Fn(&T) -> Result<String> + Send + Sync + 'static,
        page: impl Fn(&T) -> Page + Send + Sync + 'static,
    ) -> Self {
        let thing = Arc::new(thing);
        let same = Arc::clone(&thing);
        let answer = Self::new(thing, move |thing| text(thing), move |thing| json(thing));
        Self { page: Some(Box::new(move || page(&same))), ..answer }
    }

    /// The same words for people and for programs.
    pub fn words(words: String) -> Self {
        Self::new(words, String::clone, |words| Ok(words.clone()))
    }

    /// The answer, and what was done to the accounts of a ledger, if there is one.
    pub(crate) fn with_statement(self, statement: Option<Statement>) -> Self {
        let Some(statement) = statement else { return self };
        self.with(
            statement,
            |statement, text| text + "\n" + &statement::text(statement),
            |statement, json| statement::into_json(&json, statement),
            |statement, page| statement::onto_page(page, statement),
        )
    }

    /// The answer of a statistic or a plan, and what there is to say besides.
    pub(crate) fn with_remarks(self, remarks: Remarks) -> Self {
        if remarks.is_empty() {
            return self;
        }
        let warnings = remarks.warnings();
        let answer = self.with(
            remarks,
            |remarks, text| remarks.onto_text(&text),
            |remarks, json| remarks.onto_json(&json),
            |remarks, page| page.with_remarks(remarks),
        );
        answer.with_warnings(warnings)
    }

    /// The answer, and the query that asks for it again.
    pub(crate) fn with_query(self, job: Job) -> Self {
        self.with(
            job,
            |_, text| text,
            |job, json| suum_report::json_with(&json, &Again { query: &job.query }),
            |job, page| page.with_command(&job.command()),
        )
    }

    /// The answer with something more in its text, in its JSON, and on its page if it has one.
    fn with<T: Send + Sync + 'static>(
        self,
        more: T,
        onto_text: impl Fn(&T, String) -> String + Send + Sync + 'static,
        onto_json: impl Fn(&T, String) -> Result<String> + Send + Sync + 'static,
        onto_page: impl Fn(&T, Page) -> Page + Send + Sync + 'static,
    ) -> Self {
        let Self { text, json, drawing, page, warnings, refusal } = self;
        let more = Arc::new(more);
        let same = Arc::clone(&more);
        let answer = Self::new(
            more,
            move |more| onto_text(more, text()),
            move |more| onto_json(more, json()?),
        );
        let page = page.map(|page| -> Box<dyn Fn() -> Page + Send + Sync> {
            Box::new(move || onto_page(&same, page()))
        });
        Self { drawing, page, warnings, refusal, ..answer }
    }

    /// The answer, and what its user must be warned of, which it does not say itself.
    pub fn with_warnings(self, warnings: Vec<String>) -> Self {
        Self { warnings, ..self }
    }

    /// The answer, which can also be drawn, as SVG.
    pub fn with_drawing(self, drawing: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self { drawing: Some(Box::new(drawing)), ..self }
    }

    /// The answer, and why what was asked for cannot be relied on, if it cannot.
    pub fn with_refusal(self, refusal: Option<Error>) -> Self {
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

    /// The answer of a statistic or a plan as a page of HTML that stands alone.
    ///
    /// # Errors
    ///
    /// Refuses answers of other commands, which have no page.
    pub fn html(&self) -> Result<String> {
        match &self.page {
            Some(page) => Ok(page().html(&self.json()?)),
            None => Err(Error::request("report: this command has none")
                .with_hint("statistics and plans have one: suum mean … --report FILE")),
        }
    }

    /// What the user must be warned of, whether or not the answer says it too.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Why what was asked for cannot be relied on, although there is an answer: a ledger that was
    /// tampered with, a promise that is broken.
    pub fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }
}

/// What the JSON of a release says of what was asked.
#[derive(Serialize)]
struct Again<'a> {
    query: &'a Query,
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("refusal", &self.refusal).finish_non_exhaustive()
    }
}
