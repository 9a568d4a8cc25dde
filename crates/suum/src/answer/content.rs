//! Content of an answer: in words and figures, as JSON, and as a page.

use suum_core::{Plan, Releases, Result, Voice};
use suum_report::{Beside, Page, Record, View};

use super::more::More;

/// Content of an answer: a release, a plan, or another result.
pub(crate) trait Content: Send + Sync {
    /// Text with words and figures, and a final line break; a short text includes what is `beside`
    /// it.
    fn text(&self, view: &View, beside: &Beside) -> String;

    /// JSON with the additional fields of `more`.
    fn json(&self, more: &More) -> Result<String>;

    /// Page, if there is one.
    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        None
    }

    /// Markdown, if there is one besides the text.
    fn markdown(&self, _: &View, _: &Beside) -> Option<String> {
        None
    }

    /// Releases, if the content is one of releases.
    fn releases(&self) -> Option<&Releases> {
        None
    }

    /// Plan, if the content is one.
    fn plan(&self) -> Option<&Plan> {
        None
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

    fn page(&self, _: &dyn Voice, beside: &Beside) -> Option<Page> {
        Some(match self {
            Releases::One(release) => suum_report::release_page(release, beside),
            Releases::Groups(groups) => suum_report::groups_page(groups, beside),
            Releases::Survey(survey) => suum_report::survey_page(survey, beside),
        })
    }

    fn markdown(&self, view: &View, beside: &Beside) -> Option<String> {
        Some(suum_report::releases_markdown(self, view, beside))
    }

    fn releases(&self) -> Option<&Releases> {
        Some(self)
    }
}

impl Content for Record {
    fn text(&self, view: &View, _: &Beside) -> String {
        Record::text(self, view)
    }

    /// Returns nothing: the record was read from it.
    fn json(&self, _: &More) -> Result<String> {
        Ok(String::new())
    }

    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        Some(Record::page(self))
    }

    fn markdown(&self, _: &View, _: &Beside) -> Option<String> {
        Some(Record::markdown(self))
    }
}

/// Words that are the same for people and for programs.
pub(super) struct Words(pub(super) String);

impl Content for Words {
    fn text(&self, _: &View, _: &Beside) -> String {
        self.0.clone()
    }

    fn json(&self, _: &More) -> Result<String> {
        Ok(self.0.clone())
    }
}

/// Value with functions that write its text and its JSON.
pub(super) struct Thing<T, S, J> {
    pub(super) thing: T,
    pub(super) text: S,
    pub(super) json: J,
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
