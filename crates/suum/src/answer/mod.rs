//! Answer of a job, for people and for programs.

mod content;
mod digest;
mod label_types;
mod more;
mod stored;

use std::fmt;

use suum_core::{Command, Error, Library, Plan, Releases, Result, Voice, option, say};
use suum_report::{Page, Remarks, View};

use crate::accountant::LedgerEffect;
use crate::effect;
use crate::voice::quoted;
use crate::{Job, date};

pub(crate) use content::Content;
use content::{Thing, Words};
pub(crate) use digest::ReleaseDigest;
pub use label_types::{LabelType, LabelTypes};
#[cfg(feature = "schema")]
pub(crate) use more::Document;
pub(crate) use more::More;
pub(crate) use stored::StoredAnswer;

/// Answer of a job. Nothing in it is private, except where it says so (`suum levels`).
pub struct Answer {
    content: Box<dyn Content>,
    /// Additional facts beside the content.
    more: More,
    /// Voice of the front end at which it is read; `None` for that of the libraries.
    voice: Option<&'static dyn Voice>,
    drawing: Option<Box<dyn Fn() -> String + Send + Sync>>,
    /// Page of an answer whose content has none of its own.
    page: Option<Page>,
    warnings: Vec<String>,
    refusal: Option<Error>,
}

impl Answer {
    /// Creates an answer from a value and functions that write its text and its JSON.
    pub fn new<T: Send + Sync + 'static>(
        thing: T,
        text: impl Fn(&T) -> String + Send + Sync + 'static,
        json: impl Fn(&T) -> Result<String> + Send + Sync + 'static,
    ) -> Self {
        Self::from_content(Thing { thing, text, json })
    }

    /// Creates an answer from words that are the same for people and for programs.
    pub fn words(words: String) -> Self {
        Self::from_content(Words(words))
    }

    pub(crate) fn from_content(content: impl Content + 'static) -> Self {
        Self {
            content: Box::new(content),
            more: More::default(),
            voice: None,
            drawing: None,
            page: None,
            warnings: Vec::new(),
            refusal: None,
        }
    }

    /// Sets the front end, whose options and commands texts and pages name. Without it they are
    /// those of the libraries.
    #[must_use]
    pub fn in_voice(mut self, voice: &'static dyn Voice) -> Self {
        self.voice = Some(voice);
        self
    }

    /// Adds the effect on the accounts of a ledger, if there is one.
    pub(crate) fn with_effect(mut self, effect: Option<LedgerEffect>) -> Self {
        self.more.effect = effect;
        self
    }

    /// Adds the remarks on a statistic or a plan.
    pub(crate) fn with_remarks(mut self, remarks: Remarks) -> Self {
        self.warnings = remarks.warnings();
        self.more.made = Some(date::today());
        self.more.remarks = remarks;
        self
    }

    /// Adds the query that repeats the request.
    pub(crate) fn with_query(mut self, job: Job) -> Self {
        self.more.job = Some(job);
        self
    }

    /// Adds the command that repeats the plan, and the dataset whose accounts would pay.
    pub(crate) fn with_plan_command(mut self, command: Command, dataset: Option<String>) -> Self {
        self.more.planned = Some((command, dataset));
        self.more.made.get_or_insert_with(date::today);
        self
    }

    /// Adds the types of the labels of the answer, or of each of several, in the data of the
    /// caller; its JSON names them.
    #[must_use]
    pub fn with_label_types(mut self, types: Vec<LabelTypes>) -> Self {
        self.more.label_types = types;
        self
    }

    /// Adds the function that made the answer, where several functions make the same statistic; its
    /// JSON names it.
    #[must_use]
    pub fn with_function(mut self, function: Option<String>) -> Self {
        self.more.function = function;
        self
    }

    /// Adds warnings for the user that the answer itself does not contain.
    pub fn with_warnings(self, warnings: Vec<String>) -> Self {
        Self { warnings, ..self }
    }

    /// Adds a drawing as SVG.
    pub fn with_drawing(self, drawing: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self { drawing: Some(Box::new(drawing)), ..self }
    }

    /// Adds a page.
    #[must_use]
    pub fn with_page(self, page: Page) -> Self {
        Self { page: Some(page), ..self }
    }

    /// Adds the reason why the answer cannot be relied on, if there is one.
    pub fn with_refusal(self, refusal: Option<Error>) -> Self {
        Self { refusal, ..self }
    }

    /// Releases with all figures, the certificate, and the plan that was followed. `None` for other
    /// answers, such as a plan.
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

    /// Plan of the answer; `None` for other answers, and for two plans side by side.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::{JobInputs, Population};
    ///
    /// let population =
    ///     Population { profile: Some("0.1:3400,inf:23".parse()?), ..Population::default() };
    /// let job = suum::Job::default().mean("visits", 0.0..=77.0);
    /// let answer = job.plan(&population, JobInputs::default())?;
    /// assert!(answer.plan().and_then(suum::Plan::rmse) < Some(5.0));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn plan(&self) -> Option<&Plan> {
        self.content.plan()
    }

    /// Short text in words and figures, with a final line break.
    pub fn text(&self) -> String {
        self.text_for(&View::default())
    }

    /// Long text: also the estimators that were compared, the sources of the error, and the
    /// guarantee.
    pub fn explained(&self) -> String {
        self.text_for(&View::default().explained())
    }

    /// Text for a screen, as long as the view says.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::{JobInputs, Population, View};
    ///
    /// let population =
    ///     Population { profile: Some("0.1:3400,inf:23".parse()?), ..Population::default() };
    /// let job = suum::Job::default().mean("visits", 0.0..=77.0);
    /// let answer = job.plan(&population, JobInputs::default())?;
    /// let narrow = answer.text_for(&View::default().wide(60).explained());
    /// assert!(narrow.contains("The estimators compared"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn text_for(&self, view: &View) -> String {
        let (content, more) = (&*self.content, &self.more);
        let view = &self.voice.map_or(*view, |voice| view.voiced(voice));
        let mut said = content.text(view, &more.beside(view));
        // A short text of a release or a plan says itself what matters of it.
        let is_said = !view.explain && (content.releases().is_some() || content.plan().is_some());
        if let Some(effect) = more.effect.as_ref().filter(|_| !is_said) {
            if let Some(sentence) = effect.first_sentences() {
                said = suum_report::under_headline(&said, &sentence, view);
            }
            said += &effect::text(effect, view);
        }
        more.remarks.onto_text(said, view)
    }

    /// Answer as JSON (`docs/reference/json.md`), with a final line break.
    ///
    /// # Errors
    ///
    /// None is expected: all answers have a JSON form.
    pub fn json(&self) -> Result<String> {
        self.content.json(&self.more)
    }

    /// Answer as Markdown, for notebooks and pull requests; answers of commands other than
    /// statistics and plans as the text that they are.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::{JobInputs, Population, View};
    ///
    /// let population =
    ///     Population { profile: Some("0.1:3400,inf:23".parse()?), ..Population::default() };
    /// let job = suum::Job::default().mean("visits", 0.0..=77.0);
    /// let answer = job.plan(&population, JobInputs::default())?;
    /// assert!(answer.markdown(&View::default()).contains("| --- |"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn markdown(&self, view: &View) -> String {
        let voice = self.voice.unwrap_or(&Library);
        let view = &view.voiced(voice);
        match self.content.markdown(view, &self.more.beside(view)) {
            Some(content) => self.more.markdown(content, view, voice),
            None => more::fenced(&self.text_for(&View::default().voiced(voice))),
        }
    }

    /// Releases as CSV: a row for each estimate, with the columns group, statistic, estimate,
    /// lower, upper, epsilon (the most that any record spent), label, column and private.
    ///
    /// # Errors
    ///
    /// Refuses answers that are no releases, and one that a ledger shows again.
    pub fn csv(&self) -> Result<String> {
        match self.content.releases() {
            Some(releases) => Ok(suum_report::releases_csv(releases)),
            None if self.is_shown_again() => Err(Error::request(
                option::FORMAT,
                "a ledger has the text and the JSON of this answer",
            )
            .with_fix(
                say("ask for one of them, or make and pay for a new answer with")
                    .option(option::AGAIN),
            )),
            None => Err(Error::request(option::FORMAT, "only a release has the form of CSV")
                .with_fix("ask for the text or the JSON of this answer")),
        }
    }

    /// Answer as SVG, if it can be drawn: the result of an audit.
    pub fn drawing(&self) -> Option<String> {
        self.drawing.as_ref().map(|drawing| drawing())
    }

    /// Answer of a statistic or a plan as a page of HTML that stands alone.
    ///
    /// # Errors
    ///
    /// Refuses answers of other commands, which have no page.
    pub fn html(&self) -> Result<String> {
        self.html_for(&View::default())
    }

    /// Page like [`html`](Self::html), with shares and groups in the order of a view.
    ///
    /// # Errors
    ///
    /// Refuses answers of other commands, which have no page.
    pub fn html_for(&self, view: &View) -> Result<String> {
        match self.page(view) {
            Some(page) => Ok(page.html(&self.json()?)),
            None if self.is_shown_again() => {
                let said = "the suum that stored this answer has stored no page of it";
                Err(Error::request(option::REPORT, said).with_fix(
                    say("leave")
                        .option(option::REPORT)
                        .say("out;")
                        .option(option::AGAIN)
                        .say("makes a new answer with its page, and pays for it"),
                ))
            }
            None => Err(Error::request(option::REPORT, "this command has none")
                .with_fix(say("statistics and plans have one:").command(Command::Page))),
        }
    }

    /// Part of a page of HTML, such as a notebook: the answer, and folded all else.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::{JobInputs, Population};
    ///
    /// let population =
    ///     Population { profile: Some("0.1:3400,inf:23".parse()?), ..Population::default() };
    /// let job = suum::Job::default().mean("visits", 0.0..=77.0);
    /// let answer = job.plan(&population, JobInputs::default())?;
    /// assert!(answer.html_fragment().contains("<section class=\"suum\""));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn html_fragment(&self) -> String {
        match self.page(&View::default()) {
            Some(page) => page.fragment(),
            None => suum_report::drawn_fragment("", self.drawing().as_deref(), &self.text()),
        }
    }

    /// Answer of which only its numbers are known, and the sentences that belong to them.
    pub fn from_record(record: suum_report::Record) -> Self {
        Self::from_content(record)
    }

    /// Page of a statistic or a plan.
    pub(crate) fn page(&self, view: &View) -> Option<Page> {
        let voice = self.voice.unwrap_or(&Library);
        let page = self
            .content
            .page(voice, &self.more.beside(view))
            .or_else(|| self.page.clone())?
            .with_voice(voice);
        Some(self.more.page(page, voice))
    }

    /// Returns the command that shows the release again from its ledger, for which nobody pays;
    /// `None` of what no ledger has stored.
    pub fn command_to_show_again(&self) -> Option<String> {
        let ledger = self.more.job.as_ref()?.charge.ledger.as_deref()?;
        let effect = self.more.effect.as_ref()?;
        // A release that could not be settled has a reservation alone.
        let entry = effect.entry.filter(|_| effect.warning.is_none())?;
        Some(format!("suum ledger show {} --entry {entry}", quoted(ledger)))
    }

    /// Returns true if a ledger was charged for the release.
    pub fn is_charged(&self) -> bool {
        let effect = self.more.effect.as_ref();
        effect.is_some_and(|effect| effect.entry.is_some() && effect.shown_again.is_none())
    }

    /// Returns true if a ledger had the answer already.
    fn is_shown_again(&self) -> bool {
        self.more.effect.as_ref().is_some_and(|effect| effect.shown_again.is_some())
    }

    /// Warnings for the user, whether or not the answer contains them too.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Reason why the answer cannot be relied on: a ledger that was tampered with, a promise that
    /// is broken.
    pub fn refusal(&self) -> Option<&Error> {
        self.refusal.as_ref()
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").field("refusal", &self.refusal).finish_non_exhaustive()
    }
}
