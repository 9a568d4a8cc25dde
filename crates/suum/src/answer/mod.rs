//! What a job has to say, for people and for programs.

use std::fmt;

use serde::Serialize;
use suum_core::{Error, Plan, Releases, Result};
use suum_report::{Beside, Page, Remarks, Sort, View};

use crate::meter::Statement;
use crate::query::{AskedRecord, Query};
use crate::statement;
use crate::{Job, date};

/// What a job has to say. Nothing in it is private, except where it says so (`suum levels`).
pub struct Answer {
    content: Box<dyn Content>,
    /// What there is to say besides.
    more: More,
    drawing: Option<Box<dyn Fn() -> String + Send + Sync>>,
    warnings: Vec<String>,
    refusal: Option<Error>,
}

/// What an answer says besides its content.
#[derive(Default)]
pub(crate) struct More {
    /// What was done to the accounts of a ledger.
    statement: Option<Statement>,
    remarks: Remarks,
    /// The job that asks for it again.
    job: Option<Job>,
    /// The command that makes the same plan again, and whose accounts would pay.
    planned: Option<(String, Option<String>)>,
    /// The day on which a statistic or a plan was made.
    made: Option<String>,
}

/// The content of an answer: what was released or planned.
pub(crate) trait Content: Send + Sync {
    /// In words and figures, with a final line break; a short one says what is `beside` it itself.
    fn text(&self, view: &View, beside: &Beside) -> String;

    /// As JSON, with more in it.
    fn json(&self, more: &More) -> Result<String>;

    /// As a page, if it has one.
    fn page(&self) -> Option<Page> {
        None
    }

    /// What was released, if that is it.
    fn releases(&self) -> Option<&Releases> {
        None
    }

    /// The plan, if it is one.
    fn plan(&self) -> Option<&Plan> {
        None
    }
}

/// The JSON of something with what an answer says besides.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Document<'a, T: Serialize> {
    #[serde(flatten)]
    said: &'a T,
    /// What it cost the accounts of a ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<&'a Statement>,
    #[serde(flatten)]
    remarks: &'a Remarks,
    /// What was asked, without what is at its default, the data and the accounts: see
    /// query.schema.json.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    query: Option<AskedRecord<'a>>,
}

impl More {
    /// The JSON of an object, and this behind its own fields.
    pub(crate) fn json(&self, said: &impl Serialize) -> Result<String> {
        let Self { statement, remarks, job, planned: _, made: _ } = self;
        let (ledger, query) = (statement.as_ref(), job.as_ref().map(AskedRecord));
        suum_report::json(&Document { said, ledger, remarks, query })
    }

    /// The text of the content with all that there is to say besides.
    fn text(&self, content: &dyn Content, view: &View) -> String {
        let mut said = content.text(view, &self.beside(view));
        // A short text of a release or a plan says itself what matters of it.
        let is_said = !view.explain && (content.releases().is_some() || content.plan().is_some());
        if let Some(statement) = self.statement.as_ref().filter(|_| !is_said) {
            if let Some(sentence) = statement.said_first() {
                said = suum_report::under_headline(&said, &sentence, view);
            }
            said += &statement::text(statement, view);
        }
        self.remarks.onto_text(&said, view)
    }

    /// What a short text says besides the content.
    fn beside(&self, view: &View) -> Beside {
        let query = self.job.as_ref().map(|job| &job.query);
        let levels = query.and_then(|query| query.levels.as_ref());
        let in_order = |query: &Query| query.bins.is_some().then_some(Sort::Declared);
        let each = self.job.iter().flat_map(|job| &job.answers);
        let statement = self.statement.as_ref();
        Beside {
            tiers: levels.map_or_else(Vec::new, |levels| {
                levels.iter().map(|(tier, _)| tier.to_owned()).collect()
            }),
            sort: view.sort.or(query.and_then(in_order)),
            sorts: each.map(|answer| view.sort.or(in_order(&answer.query))).collect(),
            below: statement.map_or_else(Vec::new, statement::below),
            last: statement.map_or_else(Vec::new, statement::last),
        }
    }

    fn page(&self, mut page: Page) -> Page {
        if let Some(statement) = &self.statement {
            page = statement::onto_page(page, statement);
        }
        if !self.remarks.is_empty() {
            page = page.with_remarks(&self.remarks);
        }
        let released = || {
            let job = self.job.as_ref()?;
            Some((job.command(), job.charge.dataset.clone()))
        };
        let (command, dataset) = self.planned.clone().or_else(released).unzip();
        let dataset = dataset.flatten();
        let dataset = dataset.map(|name| format!("dataset {name}"));
        let provenance: Vec<String> = dataset.into_iter().chain(self.made.clone()).collect();
        page = page.with_provenance(&provenance);
        match command {
            Some(command) => page.with_command(&command),
            None => page,
        }
    }
}

impl Content for Releases {
    fn text(&self, view: &View, beside: &Beside) -> String {
        match self {
            Releases::One(release) => suum_report::release_text(release, view, beside),
            Releases::Groups(groups) => suum_report::groups_text(groups, view, beside),
            Releases::Survey(survey) => suum_report::survey_text(survey, view, beside),
        }
    }

    fn json(&self, more: &More) -> Result<String> {
        more.json(self)
    }

    fn page(&self) -> Option<Page> {
        Some(match self {
            Releases::One(release) => suum_report::release_page(release),
            Releases::Groups(groups) => suum_report::groups_page(groups),
            Releases::Survey(survey) => suum_report::survey_page(survey),
        })
    }

    fn releases(&self) -> Option<&Releases> {
        Some(self)
    }
}

/// The same words for people and for programs.
struct Words(String);

impl Content for Words {
    fn text(&self, _: &View, _: &Beside) -> String {
        self.0.clone()
    }

    fn json(&self, _: &More) -> Result<String> {
        Ok(self.0.clone())
    }
}

/// Something of which `text` and `json` say what there is to say.
struct Thing<T, S, J> {
    thing: T,
    text: S,
    json: J,
}

impl<T, S, J> Content for Thing<T, S, J>
where
    T: Send + Sync,
    S: Fn(&T) -> String + Send + Sync,
    J: Fn(&T) -> Result<String> + Send + Sync,
{
    fn text(&self, _: &View, _: &Beside) -> String {
        (self.text)(&self.thing)
    }

    fn json(&self, _: &More) -> Result<String> {
        (self.json)(&self.thing)
    }
}

impl Answer {
    /// What `text` and `json` say of a thing.
    pub fn new<T: Send + Sync + 'static>(
        thing: T,
        text: impl Fn(&T) -> String + Send + Sync + 'static,
        json: impl Fn(&T) -> Result<String> + Send + Sync + 'static,
    ) -> Self {
        Self::of(Thing { thing, text, json })
    }

    /// The same words for people and for programs.
    pub fn words(words: String) -> Self {
        Self::of(Words(words))
    }

    pub(crate) fn of(content: impl Content + 'static) -> Self {
        Self {
            content: Box::new(content),
            more: More::default(),
            drawing: None,
            warnings: Vec::new(),
            refusal: None,
        }
    }

    /// The answer, and what was done to the accounts of a ledger, if there is one.
    pub(crate) fn with_statement(mut self, statement: Option<Statement>) -> Self {
        self.more.statement = statement;
        self
    }

    /// The answer of a statistic or a plan, and what there is to say besides.
    pub(crate) fn with_remarks(mut self, remarks: Remarks) -> Self {
        self.warnings = remarks.warnings();
        self.more.made = Some(date::today());
        self.more.remarks = remarks;
        self
    }

    /// The answer, and the query that asks for it again.
    pub(crate) fn with_query(mut self, job: Job) -> Self {
        self.more.job = Some(job);
        self
    }

    /// The plan, with the command that makes it again, and whose accounts would pay.
    pub(crate) fn with_plan_command(mut self, command: String, dataset: Option<String>) -> Self {
        self.more.planned = Some((command, dataset));
        self.more.made.get_or_insert_with(date::today);
        self
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

    /// What was released: all figures, the certificate, and the plan that was followed. `None` of
    /// what is no release, such as a plan.
    ///
    /// # Example
    ///
    /// ```
    /// # let folder = std::env::temp_dir();
    /// # let path = folder.join("suum-releases-example.csv");
    /// # std::fs::write(&path, "visits,eps\n2,0.5\n3,inf\n3,1\n")?;
    /// # let people = path.to_str().unwrap();
    /// let answer = suum::query(people).epsilon("eps").mean("visits", 0.0..=77.0).run()?;
    /// let release = answer.releases().and_then(suum::Releases::one).unwrap();
    /// assert!((0.0..=77.0).contains(&release.estimate()));
    /// for level in &release.privacy {
    ///     println!("{} of {} spent", level.spent, level.epsilon);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn releases(&self) -> Option<&Releases> {
        self.content.releases()
    }

    /// What is planned; `None` of what is no plan, and of two plans side by side.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::{Given, Population};
    ///
    /// let population =
    ///     Population { profile: Some("0.1:3400,inf:23".parse()?), ..Population::default() };
    /// let answer =
    ///     suum::Job::default().mean("visits", 0.0..=77.0).plan(&population, Given::default())?;
    /// assert!(answer.plan().and_then(suum::Plan::rmse) < Some(5.0));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn plan(&self) -> Option<&Plan> {
        self.content.plan()
    }

    /// The answer in words and figures, with a final line break: as short as it can be.
    pub fn text(&self) -> String {
        self.text_for(&View::default())
    }

    /// The answer with all there is to say in words: the estimators that were compared, where the
    /// error comes from, what is guaranteed.
    pub fn explained(&self) -> String {
        self.text_for(&View::default().explained())
    }

    /// The answer in words and figures for a screen, as long as the view says.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::{Given, Population, View};
    ///
    /// let population =
    ///     Population { profile: Some("0.1:3400,inf:23".parse()?), ..Population::default() };
    /// let answer =
    ///     suum::Job::default().mean("visits", 0.0..=77.0).plan(&population, Given::default())?;
    /// let narrow = answer.text_for(&View::default().wide(60).explained());
    /// assert!(narrow.contains("Estimators"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn text_for(&self, view: &View) -> String {
        self.more.text(&*self.content, view)
    }

    /// The answer as JSON (`docs/reference/json.md`), with a final line break.
    ///
    /// # Errors
    ///
    /// None is expected: all answers have a JSON form.
    pub fn json(&self) -> Result<String> {
        self.content.json(&self.more)
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
        match self.page() {
            Some(page) => Ok(page.html(&self.json()?)),
            None if self.is_shown_again() => {
                let said = "report: the suum that stored this answer has stored no page of it";
                Err(Error::request(said).with_hint(
                    "leave --report out; --again makes a new answer with its page, and pays for it",
                ))
            }
            None => Err(Error::request("report: this command has none")
                .with_hint("statistics and plans have one: suum mean … --report FILE")),
        }
    }

    /// The page of a statistic or a plan.
    pub(crate) fn page(&self) -> Option<Page> {
        self.content.page().map(|page| self.more.page(page))
    }

    /// Whether a ledger had the answer already.
    fn is_shown_again(&self) -> bool {
        self.more.statement.as_ref().is_some_and(|statement| statement.shown_again.is_some())
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

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("refusal", &self.refusal).finish_non_exhaustive()
    }
}
