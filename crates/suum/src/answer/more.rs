//! Additional facts of an answer beside its content.

use serde::Serialize;
use suum_core::{Command, Result, Voice};
use suum_report::{Beside, Page, Remarks, Sort, View, escaped_markdown};

use super::LabelTypes;
use crate::Job;
use crate::accountant::LedgerEffect;
use crate::effect;
use crate::query::{AskedRecord, Query};

/// Additional facts of an answer beside its content.
#[derive(Default)]
pub(crate) struct More {
    /// Effect on the accounts of a ledger.
    pub(super) effect: Option<LedgerEffect>,
    pub(super) remarks: Remarks,
    /// Job that repeats the request.
    pub(super) job: Option<Job>,
    /// Types of labels, for each answer.
    pub(super) label_types: Vec<LabelTypes>,
    /// Function that made the answer, where several functions make the same statistic.
    pub(super) function: Option<String>,
    /// Command that repeats the plan, and the dataset whose accounts would pay.
    pub(super) planned: Option<(Command, Option<String>)>,
    /// Day on which a statistic or a plan was made.
    pub(super) made: Option<String>,
}

/// The JSON of something with what an answer says besides.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Document<'a, T: Serialize> {
    #[serde(flatten)]
    said: &'a T,
    /// What it cost the accounts of a ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<&'a LedgerEffect>,
    #[serde(flatten)]
    remarks: &'a Remarks,
    /// What was asked, without what is at its default, the data and the accounts: see
    /// query.schema.json.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))]
    query: Option<AskedRecord<'a>>,
    /// What the labels of the answer, or of each of several, are in the data of whoever asked,
    /// where some are no text.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    label_types: &'a [LabelTypes],
    /// The function of Python that made the release, where several make the same statistic:
    /// `median` of quantiles, `std` of variances.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
}

impl More {
    /// JSON of an object, followed by these facts.
    pub(crate) fn json(&self, said: &impl Serialize) -> Result<String> {
        let Self { effect, remarks, job, label_types, function, planned: _, made: _ } = self;
        let (ledger, query) = (effect.as_ref(), job.as_ref().map(AskedRecord));
        let function = function.as_deref();
        suum_report::json(&Document { said, ledger, remarks, query, label_types, function })
    }

    /// Context of a short text besides the content.
    pub(super) fn beside(&self, view: &View) -> Beside {
        let query = self.job.as_ref().map(|job| &job.query);
        let levels = query.and_then(|query| query.levels.as_ref());
        let in_order = |query: &Query| query.bins.is_some().then_some(Sort::Declared);
        let each = self.job.iter().flat_map(|job| &job.answers);
        let effect = self.effect.as_ref();
        Beside {
            tiers: levels.map_or_else(Vec::new, |levels| {
                levels.iter().map(|(tier, _)| tier.to_owned()).collect()
            }),
            sort: view.sort.or(query.and_then(in_order)),
            sorts: each.map(|answer| view.sort.or(in_order(&answer.query))).collect(),
            below: effect.map_or_else(Vec::new, effect::below),
            last: effect.map_or_else(Vec::new, effect::last),
        }
    }

    /// Returns the command that repeats the request, and the dataset whose accounts pay.
    fn repeating(&self) -> Option<(Command, Option<String>)> {
        let released = || {
            let job = self.job.as_ref()?;
            Some((job.asking(), job.charge.dataset.clone()))
        };
        self.planned.clone().or_else(released)
    }

    /// Markdown of the content with these facts.
    pub(super) fn markdown(&self, content: String, view: &View, voice: &dyn Voice) -> String {
        let Beside { below, last, .. } = self.beside(view);
        let mut text = self.remarks.warnings().iter().fold(String::new(), |text, warning| {
            text + "> **WARNING**: " + &escaped_markdown(warning) + "\n\n"
        });
        text += &content;
        for sentence in below.iter().chain(&last) {
            text += &format!("{}\n\n", escaped_markdown(sentence));
        }
        for (_, heading, words) in self.remarks.sections(voice) {
            text += &format!("#### {heading}\n\n{}\n\n", escaped_markdown(&words));
        }
        if let Some((command, _)) = self.repeating() {
            text += &fenced(&voice.command(&command));
        }
        text
    }

    /// Page of the content with these facts.
    pub(super) fn page(&self, mut page: Page, voice: &dyn Voice) -> Page {
        if let Some(effect) = &self.effect {
            page = effect::onto_page(page, effect);
        }
        if !self.remarks.is_empty() {
            page = page.with_remarks(&self.remarks, voice);
        }
        let (command, dataset) = self.repeating().unzip();
        let dataset = dataset.flatten();
        let dataset = dataset.map(|name| format!("dataset {name}"));
        let provenance: Vec<String> = dataset.into_iter().chain(self.made.clone()).collect();
        page = page.with_provenance(&provenance);
        match command {
            Some(command) => page.with_command(&voice.command(&command)),
            None => page,
        }
    }
}

/// Returns a text as Markdown that shows it as it is.
pub(super) fn fenced(text: &str) -> String {
    let fence =
        "`".repeat(text.split(|one| one != '`').map(str::len).max().unwrap_or(0).max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}
