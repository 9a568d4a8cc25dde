//! An answer as a ledger has stored it.

use serde_json::Value;
use suum_core::{Result, Voice};
use suum_ledger::Record;
use suum_report::{Beside, Page, View};

use super::content::Content;
use super::more::More;

/// Text, JSON and perhaps page of a release, as they were when it was made.
pub(crate) struct StoredAnswer {
    text: String,
    json: Value,
    /// `None` for an answer whose version of suum had other pages, or stored none.
    page: Option<Page>,
}

impl StoredAnswer {
    /// Key of the text of an answer beside its JSON.
    pub(crate) const TEXT: &'static str = "text";

    /// Key of the page.
    pub(crate) const PAGE: &'static str = "page";

    /// Key of the digest of the JSON.
    pub(crate) const DIGEST: &'static str = "sha256";

    /// Reads what was stored with a release; `None` if it is not an answer.
    pub(crate) fn from_record(record: &Record) -> Option<Self> {
        let mut json = record.certificate.clone()?;
        let fields = json.as_object_mut()?;
        let Value::String(text) = fields.remove(Self::TEXT)? else { return None };
        fields.remove(Self::DIGEST);
        let page = fields.remove(Self::PAGE).and_then(|page| serde_json::from_value(page).ok());
        Some(Self { text, json, page })
    }
}

impl Content for StoredAnswer {
    fn text(&self, _: &View, _: &Beside) -> String {
        self.text.clone()
    }

    fn json(&self, more: &More) -> Result<String> {
        more.json(&self.json)
    }

    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        self.page.clone()
    }
}
