//! Whole page: one file that needs nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use suum_core::{Library, Share, SurveySplit, Voice};

use super::accounts;
use super::check::{self, Check};
use super::markup::{self, Pieces, section};
use super::method::Method;
use crate::document::{Document, What};
use crate::{Account, Remarks, survey};

/// A release, a plan or a ledger as a page of HTML that stands alone.
///
/// It loads nothing and can be printed; what is published in it is what the text and the JSON
/// publish. The page of a release runs nothing, that of a plan at most the script of its own
/// [`with_section`](Self::with_section).
///
/// It can be stored, and read by the same version of suum: pieces of HTML are read as they are, so
/// only from where nobody else can write.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Plan, Statistic, WeightedRequest};
/// use suum_report::{Tier, plan_page};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let tiers = Tier::from_profile(plan.allowed());
/// let plan = Plan::from(plan);
/// let page = plan_page(&plan, &tiers, true, None, None);
/// let html = page.html(&suum_report::json(&plan)?);
/// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<h1>"));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Page {
    pub(super) what: What,
    /// Kind of page, if `what` does not say it.
    #[serde(default)]
    kind: Option<String>,
    pub(super) title: String,
    private: bool,
    /// Number of records, and the bounds.
    scope: Vec<String>,
    /// Answer.
    pub(super) answer: Pieces,
    /// All assumptions of the answer, and further notes; pages that older versions have stored have
    /// them in the answer.
    #[serde(default)]
    assumed: Pieces,
    /// Cost: the sources of the error, and the spending of tiers.
    pub(super) cost: Pieces,
    /// Guarantee.
    guarantee: Pieces,
    /// Alternatives that were considered.
    comparison: Pieces,
    pub(super) method: Method,
    check: Check,
    accounts: Option<Pieces>,
    /// Sentence right under the headline.
    notice: Pieces,
    warnings: Pieces,
    provenance: Option<Vec<String>>,
    further: Option<Further>,
}

/// Section that a script makes interactive.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Further {
    section: String,
    script: String,
}

impl Page {
    /// Page of this document.
    pub(crate) fn from_document(document: Document) -> Self {
        let mut answer = Pieces::from_piece(&document.answer);
        document.lines.iter().for_each(|line| answer.add(html! { p { (line) } }));
        Self {
            what: document.what,
            kind: None,
            answer,
            assumed: Pieces::from_piece(document.assumed()),
            title: document.title,
            private: document.private,
            scope: document.scope,
            cost: Pieces::from_piece(document.cost),
            guarantee: Pieces::from_piece(document.guarantee),
            comparison: Pieces::from_piece(document.comparison),
            method: document.method,
            check: document.check.with_voice(&Library),
            accounts: None,
            notice: Pieces::default(),
            warnings: Pieces::default(),
            provenance: None,
            further: None,
        }
    }

    /// Page with the commands of a front end.
    #[must_use]
    pub fn with_voice(self, voice: &dyn Voice) -> Self {
        Self { check: self.check.with_voice(voice), ..self }
    }

    /// Page with the effect of the release or plan on the accounts of a ledger: the accounts, and
    /// further notes.
    #[must_use]
    pub fn with_accounts(self, heading: &str, accounts: &[Account], notes: &[String]) -> Self {
        let section = Pieces::from_piece(accounts::tier_section(heading, accounts, notes));
        Self { accounts: Some(section), ..self }
    }

    /// Page with its kind above its title.
    pub(crate) fn with_kind(self, kind: &str) -> Self {
        Self { kind: Some(kind.to_owned()), ..self }
    }

    /// Page with these sentences above its answer.
    pub(crate) fn with_note(mut self, said: &[String]) -> Self {
        self.answer = Pieces::from_piece(html! {
            div class="note" { @for sentence in said { p { (sentence) } } }
            (self.answer)
        });
        self
    }

    /// Page with a further section and its script, if there is one.
    pub(crate) fn with_own_section(self, section: Option<(String, &str)>) -> Self {
        match section {
            Some((section, script)) => self.with_section(&section, script),
            None => self,
        }
    }

    /// Page with a sentence right under its headline.
    #[must_use]
    pub fn with_notice(mut self, sentence: &str) -> Self {
        self.notice.add(html! { p class="notice" { (sentence) } });
        self
    }

    /// Page with the command that repeats the request.
    #[must_use]
    pub fn with_command(mut self, command: &str) -> Self {
        self.check.again = Some(command.to_owned());
        self
    }

    /// Page with its provenance below its title: the location of the data, the time it was made,
    /// and other facts that help to find it again.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_core::{LevelTable, Measure, Options, Release};
    /// # let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
    /// # let release = Release::count(&nobody, &Options::default())?;
    /// let page = suum_report::release_page(&release, &suum_report::Beside::default());
    /// let page = page.with_provenance(&["people.csv".to_owned()]);
    /// assert!(page.html("{}").contains("people.csv · "));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_provenance(self, of: &[String]) -> Self {
        let own = self.scope.iter().cloned().chain([VERSION.to_owned()]);
        let provenance = of.iter().cloned().chain(own).collect();
        Self { provenance: Some(provenance), ..self }
    }

    /// Page with the remarks on its answer, in the words of a front end.
    #[must_use]
    pub fn with_remarks(mut self, remarks: &Remarks, voice: &dyn Voice) -> Self {
        for warning in remarks.warnings() {
            self.warnings.add(html! { div class="warning" role="note" { p { (warning) } } });
        }
        for (id, heading, text) in remarks.sections(voice) {
            self.guarantee.section(id, heading, html! { p { (text) } });
        }
        self
    }

    /// Page with a further section right after the answer: HTML of one `section`, escaped by its
    /// author, and the script that makes it interactive, the only one that the page then allows.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_core::{Bounds, Options, Statistic, WeightedRequest};
    /// # let request = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?;
    /// # let plan = request.plan("0.1:50,inf:2".parse()?)?;
    /// # let page = suum_report::plan_page(&plan.clone().into(), &[], true, None, None);
    /// let page = page
    ///     .with_section("<section id=\"more\"><h2>More</h2></section>", "document.title += '!';");
    /// assert!(page.html("{}").contains("sha256-"));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_section(self, section: &str, script: &str) -> Self {
        Self {
            further: Some(Further { section: section.to_owned(), script: script.to_owned() }),
            ..self
        }
    }

    /// HTML of the page; `json` is the same release or plan as JSON, for readers to check.
    pub fn html(&self, json: &str) -> String {
        let what = match self.what {
            What::Release => "release",
            What::Plan => "plan",
            What::Ledger | What::Letter => "ledger",
        };
        let checked = matches!(self.what, What::Release | What::Plan);
        let is_letter = self.what == What::Letter;
        let method = section("method", "How it was computed", &self.method.words);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (self.head())
                // Where there is no answer below, the title is what a reader sees first.
                body class=[(!checked).then_some("titled")] {
                    (self.header())
                    main {
                        @if !self.private { (warning()) }
                        (self.notice) (self.warnings) (self.answer)
                        @if !self.assumed.is_empty() { (self.assumptions(&self.assumed)) }
                        @if let Some(further) = &self.further { (PreEscaped(&further.section)) }
                        (self.cost)
                        @if let Some(accounts) = &self.accounts { (accounts) }
                        (self.guarantee)
                        @if !self.comparison.is_empty() {
                            (folded("The estimators", &self.comparison))
                        }
                        @if !is_letter {
                            (folded("How it was computed: formulas and sources", method))
                        }
                        @if checked {
                            (check::render(&self.check, json, what, self.accounts.is_some()))
                            (check::citation(&self.title, &self.method.sources))
                        }
                    }
                    footer {
                        p {
                            (VERSION) ". This page stands alone: it loads nothing, and tells \
                            nobody that it is read."
                        }
                    }
                    @if let Some(further) = &self.further {
                        script { (PreEscaped(&further.script)) }
                    }
                }
            }
        };
        markup::allowed(&page.into_string()) + "\n"
    }

    /// Title of the page.
    pub(super) fn title(&self) -> &str {
        &self.title
    }

    /// Parts of a fragment: the answer, the folded assumptions, and the rest of the report.
    pub(super) fn for_fragment(&self) -> (Markup, Option<Markup>, Pieces) {
        let first = html! {
            @if !self.private { (warning()) }
            (self.notice) (self.warnings) (self.answer)
        };
        let assumed = (!self.assumed.is_empty()).then(|| self.assumptions(&self.assumed));
        let mut more = Pieces::default();
        more.add(&self.cost);
        if let Some(accounts) = &self.accounts {
            more.add(accounts);
        }
        more.add(&self.guarantee);
        more.add(&self.comparison);
        (first, assumed, more)
    }

    fn head(&self) -> Markup {
        // Styles of the page itself, and its one script if there is one, by its digest: nothing
        // else, from nowhere.
        let script = self.further.as_ref().map_or_else(String::new, |further| {
            format!("; script-src 'sha256-{}'", STANDARD.encode(Sha256::digest(&further.script)))
        });
        html! {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content={
                    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                    form-action 'none'" (script)
                };
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (self.title) }
                style { (PreEscaped(include_str!("style.css"))) }
            }
        }
    }

    /// Assumptions and notes, which readers unfold, and paper shows.
    fn assumptions(&self, assumed: impl Render) -> Markup {
        let summary = match self.what {
            What::Plan => "What the estimate would be about, and how it would be made",
            What::Release | What::Ledger | What::Letter => ASSUMED,
        };
        html! { details class="printed" { summary { (summary) } (assumed) } }
    }

    fn header(&self) -> Markup {
        let kind = match (self.what, self.private) {
            (What::Letter, _) => self.kind.as_deref().unwrap_or_default(),
            (What::Ledger, _) => "Ledger of what people allow and what was spent of it",
            (What::Plan, _) => "Plan, made from public facts before any value was read",
            (What::Release, true) => "Release with differential privacy",
            (What::Release, false) => "Test release, NOT PRIVATE",
        };
        html! {
            header {
                p class="kind" { (kind) }
                h1 { (self.title) }
                @if let Some(provenance) = &self.provenance {
                    div class="provenance" { (provenance.join(" · ")) }
                }
            }
        }
    }
}

/// Page of the plans of several answers from one split of every budget: each with its subject, its
/// part of every budget, and the page of its plan; public answers have neither part nor plan.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Share, Statistic, SurveySplit, WeightedRequest};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let one = suum_report::plan_page(&plan.into(), &[], true, None, None);
/// let answers = [("count", None, None), ("mean of visits", Some(Share::HALF), Some(one))];
/// let page = suum_report::survey_plan_page(answers, SurveySplit::Declared);
/// assert!(page.html("{}").contains("Answer 2: mean of visits"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn survey_plan_page<'a>(
    answers: impl IntoIterator<Item = (&'a str, Option<Share>, Option<Page>)>,
    split: SurveySplit,
) -> Page {
    let answers: Vec<_> = answers.into_iter().collect();
    let title = format!("Plan for {} answers", answers.len());
    let mut all = Document::new(What::Plan, title, Vec::new());
    let shared = |words| format!("All answers share every budget. {words}");
    all.answer.say_all(survey::split_words(split).map(shared));
    let mut page = Page::from_document(all);
    for (at, (what, share, one)) in answers.into_iter().enumerate() {
        let id = format!("answer-{}", at + 1);
        let named = format!("{id}-heading");
        let inside = html! {
            @if let Some(one) = &one {
                @let within = |piece: &Pieces| {
                    piece.with_ids(&format!("{id}-")).named_within(&named, "Answer", at + 1)
                };
                (within(&one.answer))
                @if !one.assumed.is_empty() { (one.assumptions(within(&one.assumed))) }
                (within(&one.cost))
            }
        };
        page.cost.section(&id, &survey::heading_of(at, what, share), inside);
        if let Some(one) = one {
            page.method.part(&format!("Answer {}", at + 1), one.method);
        }
    }
    page
}

/// Summary of the folded assumptions and notes of a release.
pub(crate) const ASSUMED: &str = "What this takes for granted, and how values were treated";

/// Version of this program.
const VERSION: &str = concat!("suum ", env!("CARGO_PKG_VERSION"));

/// Sections that readers unfold.
fn folded(summary: &str, sections: impl Render) -> Markup {
    html! { details class="folded" { summary { (summary) } (sections) } }
}

/// Warning that a release must not be published.
fn warning() -> Markup {
    html! {
        div class="warning" role="note" {
            p {
                strong { "NOT PRIVATE." }
                " This was made with a fixed seed, for tests only, and not with the randomness of \
                the operating system: whoever knows the seed can take the noise off again. Nothing \
                on this page that is said to be guaranteed is. Do not publish it."
            }
        }
    }
}
