//! The page around it all: one file that needs nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::check::{self, Check};
use super::markup::Markup;
use super::method::Method;
use super::{accounts, answer};
use crate::{Account, Remarks};

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
/// use suum_core::{Bounds, Options, Statistic, WeightedRequest};
/// use suum_report::{Tier, plan_page};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let tiers = Tier::of_profile(plan.allowed());
/// let page = plan_page(&plan.clone().into(), &tiers, true, None, None);
/// let html = page.html(&suum_report::json(&plan)?);
/// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<h1>"));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Page {
    pub(super) what: What,
    pub(super) title: String,
    pub(super) private: bool,
    /// How many records it is of, and which bounds.
    pub(super) scope: Vec<String>,
    /// The answer.
    pub(super) answer: Markup,
    /// What it cost: where the error comes from, what the tiers spend.
    pub(super) cost: Markup,
    /// What is guaranteed.
    pub(super) guarantee: Markup,
    /// What else there was to choose.
    pub(super) comparison: Markup,
    pub(super) method: Method,
    pub(super) check: Check,
    accounts: Option<Markup>,
    /// What is said right under the headline.
    notice: Markup,
    warnings: Markup,
    provenance: Option<Vec<String>>,
    further: Option<Further>,
}

/// What a page is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum What {
    Release,
    Plan,
    Ledger,
}

/// A section that a script makes answer to its reader.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Further {
    section: String,
    script: String,
}

impl Page {
    pub(super) fn new(what: What, title: String) -> Self {
        Self {
            what,
            title,
            private: true,
            scope: Vec::new(),
            answer: Markup::default(),
            cost: Markup::default(),
            guarantee: Markup::default(),
            comparison: Markup::default(),
            method: Method::default(),
            check: Check::default(),
            accounts: None,
            notice: Markup::default(),
            warnings: Markup::default(),
            provenance: None,
            further: None,
        }
    }

    /// The page with what was done, or would be done, to the accounts of a ledger: the accounts,
    /// and what else there is to say.
    #[must_use]
    pub fn with_accounts(self, heading: &str, accounts: &[Account], notes: &[String]) -> Self {
        let section = Markup::of(|out| accounts::section(out, heading, accounts, notes));
        Self { accounts: Some(section), ..self }
    }

    /// The page with a sentence right under its headline.
    #[must_use]
    pub fn with_notice(mut self, sentence: &str) -> Self {
        self.notice.element("p", &[("class", "notice")], |notice| notice.text(sentence));
        self
    }

    /// The page with the command that asks the same again.
    #[must_use]
    pub fn with_command(mut self, command: &str) -> Self {
        self.check.again = Some(command.to_owned());
        self
    }

    /// The page with what it is of, below its title: where the data are, when it was made, and what
    /// else helps to find it again.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_core::{LevelTable, Measure, Options, Release};
    /// # let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
    /// # let release = Release::count(&nobody, &Options::default())?;
    /// let page = suum_report::release_page(&release).with_provenance(&["people.csv".to_owned()]);
    /// assert!(page.html("{}").contains("people.csv · "));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    #[must_use]
    pub fn with_provenance(self, of: &[String]) -> Self {
        let own = self.scope.iter().cloned().chain([VERSION.to_owned()]);
        let provenance = of.iter().cloned().chain(own).collect();
        Self { provenance: Some(provenance), ..self }
    }

    /// The page with what there is to say besides its answer.
    #[must_use]
    pub fn with_remarks(mut self, remarks: &Remarks) -> Self {
        for warning in remarks.warnings() {
            self.warnings.element("div", &[("class", "warning"), ("role", "note")], |div| {
                div.paragraph(&warning);
            });
        }
        if let Some(statement) = remarks.of_rows() {
            self.guarantee
                .section("rows", "Where the rows come from", |out| out.paragraph(&statement));
        }
        if let Some(statement) = remarks.of_step() {
            self.guarantee
                .section("step", "Where the step comes from", |out| out.paragraph(statement));
        }
        self
    }

    /// The page with a further section after what the tiers spend: HTML of one `section`, escaped
    /// by whoever made it, and the script that makes it answer to its reader, the only one that the
    /// page then allows.
    ///
    /// # Example
    ///
    /// ```
    /// # use suum_core::{Bounds, Options, Request, Statistic};
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

    /// The HTML; `json` is the same release or plan as JSON, to be checked by whoever reads the
    /// page.
    pub fn html(&self, json: &str) -> String {
        let what = match self.what {
            What::Release => "release",
            What::Plan => "plan",
            What::Ledger => "ledger",
        };
        let main = Markup::of(|out| {
            answer::warning(out, self.private);
            out.push(&self.notice);
            out.push(&self.warnings);
            out.push(&self.answer);
        });
        let cost = Markup::of(|out| out.push(&self.cost));
        let rest = Markup::of(|out| {
            self.accounts.iter().for_each(|accounts| out.push(accounts));
            out.push(&self.guarantee);
            folded(out, "The estimators", &self.comparison);
            let method = Markup::of(|out| {
                out.section("method", "How it was computed", |out| out.push(&self.method.words));
            });
            folded(out, "How it was computed: formulas and sources", &method);
            if self.what != What::Ledger {
                check::section(out, &self.check, json, what, self.accounts.is_some());
                check::citation(out, &self.title, &self.method.sources);
            }
        });
        let (head, header) = (self.head(), self.header(what));
        let (section, script) = match &self.further {
            Some(Further { section, script }) => {
                (section.as_str(), format!("<script>{script}</script>\n"))
            }
            None => ("", String::new()),
        };
        format!(
            "<!DOCTYPE html>\n<html \
            lang=\"en\">\n{}<body>\n{}<main>\n{}{section}{}{}</main>\n{}{script}</body>\n</html>\n",
            head.into_string(),
            header.into_string(),
            main.into_string(),
            cost.into_string(),
            rest.into_string(),
            footer().into_string(),
        )
    }

    fn head(&self) -> Markup {
        // Styles of the page itself, and its one script if there is one, by its digest: nothing
        // else, from nowhere.
        let script = self.further.as_ref().map_or_else(String::new, |further| {
            format!("; script-src 'sha256-{}'", STANDARD.encode(Sha256::digest(&further.script)))
        });
        let policy = format!(
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action \
            'none'{script}"
        );
        Markup::of(|out| {
            out.element("head", &[], |head| {
                head.raw("\n<meta charset=\"utf-8\">\n");
                head.open_only(
                    "meta",
                    &[("http-equiv", "Content-Security-Policy"), ("content", &policy)],
                );
                head.raw(
                    "\n<meta name=\"viewport\" content=\"width=device-width, \
                    initial-scale=1\">\n",
                );
                head.raw(
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<meta \
                    name=\"referrer\" content=\"no-referrer\">\n",
                );
                head.element("title", &[], |title| title.text(&self.title));
                head.raw("\n<style>\n");
                head.raw(include_str!("style.css"));
                head.raw("</style>\n");
            });
            out.raw("\n");
        })
    }

    fn header(&self, what: &str) -> Markup {
        Markup::of(|out| {
            out.element("header", &[], |header| {
                header.element("p", &[("class", "kind")], |kind| {
                    kind.text(match (what, self.private) {
                        ("ledger", _) => "Ledger of what people allow and what was spent of it",
                        ("plan", _) => "Plan, made from public facts before any value was read",
                        (_, true) => "Release with differential privacy",
                        (_, false) => "Test release, NOT PRIVATE",
                    });
                });
                header.element("h1", &[], |h1| h1.text(&self.title));
                if let Some(provenance) = &self.provenance {
                    header.element("div", &[("class", "provenance")], |p| {
                        p.text(&provenance.join(" · "));
                        if let Some(command) = &self.check.again {
                            p.raw("<br>\n");
                            p.element("code", &[], |code| code.text(command));
                        }
                    });
                }
            });
            out.raw("\n");
        })
    }
}

/// The version of this program.
const VERSION: &str = concat!("suum ", env!("CARGO_PKG_VERSION"));

/// Sections that readers unfold; nothing where there is none.
fn folded(out: &mut Markup, summary: &str, sections: &Markup) {
    if *sections == Markup::default() {
        return;
    }
    out.element("details", &[("class", "folded")], |details| {
        details.element("summary", &[], |words| words.text(summary));
        details.push(sections);
    });
}

fn footer() -> Markup {
    Markup::of(|out| {
        out.element("footer", &[], |footer| {
            footer.paragraph(concat!(
                "suum ",
                env!("CARGO_PKG_VERSION"),
                ". This page stands alone: it loads nothing, and tells nobody that it is read."
            ));
        });
        out.raw("\n");
    })
}
