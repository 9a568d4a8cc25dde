//! Sections on checking and citing a page.

use std::borrow::Cow;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use suum_core::{Asking, Bounds, Command, OptionValue, Profile, Voice, option};

use super::markup::{label, section};
use super::sources::{self, Source};
use crate::figures::count;
use crate::tiers::LINES;

/// Version of suum that made the page.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Ways to recompute the certificate from public facts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Check {
    /// Command that recomputes the certificate from public facts, in the words of the front end;
    /// `None` if it depends on noisy numbers.
    command: Option<String>,
    /// Command that repeats the request.
    pub(super) again: Option<String>,
    /// Command that checks a ledger.
    verification: String,
    /// Command that recomputes the certificate, for every front end.
    #[serde(skip)]
    pub(crate) plan: Option<Asking>,
    /// Arithmetic that can be done by hand.
    arithmetic: Option<Cow<'static, str>>,
}

impl Check {
    /// Command that makes this plan for these people with these options, if they have the `whole`
    /// of their budgets for it; none for very many levels, or people in strata.
    pub(crate) fn for_plan(profile: &Profile, settings: Vec<OptionValue>, whole: bool) -> Self {
        let levels = profile.levels();
        if !whole || levels.len() > LINES || profile.is_stratified() {
            return Self::default();
        }
        let pairs: Vec<String> =
            levels.iter().map(|level| format!("{}:{}", level.epsilon, level.count)).collect();
        let people = (option::PROFILE, pairs.join(",").into());
        let settings = [people].into_iter().chain(settings).collect();
        let plan = Asking { settings, as_json: true, is_example: false, ..Asking::new("plan") };
        Self { plan: Some(plan), ..Self::default() }
    }

    /// Writes its commands in the words of a front end.
    pub(super) fn with_voice(self, voice: &dyn Voice) -> Self {
        let plan = self.plan.clone().map(Command::Ask);
        Self {
            command: plan.map(|plan| voice.command(&plan)).or(self.command),
            verification: voice.command(&Command::VerifyLedger),
            ..self
        }
    }

    /// Adds arithmetic that can be done by hand, if there is any.
    pub(crate) fn with(self, arithmetic: Option<&'static str>) -> Self {
        Self { arithmetic: arithmetic.map(Cow::Borrowed), ..self }
    }

    /// Option for bounds.
    pub(crate) fn bounds(bounds: Bounds) -> OptionValue {
        (option::BOUNDS, bounds.texts().join(",").into())
    }

    /// Option for a confidence that is not the default.
    pub(crate) fn confidence(confidence: f64) -> Option<OptionValue> {
        (confidence != 0.95).then(|| (option::CONFIDENCE, confidence.to_string().into()))
    }

    /// Option for categories.
    pub(crate) fn categories(names: &[String]) -> OptionValue {
        let escaped = |name: &String| {
            let special = |character: char| matches!(character, ',' | '=' | '\\');
            name.chars()
                .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]))
                .collect::<String>()
        };
        let list: Vec<String> = names.iter().map(escaped).collect();
        (option::CATEGORIES, list.join(",").into())
    }
}

/// Length in bytes of the longest JSON that is put into a page.
const LONGEST: usize = 40_000;

/// Section on checking the page.
pub(crate) fn render(check: &Check, json: &str, what: &str, in_ledger: bool) -> Markup {
    let inside = html! {
        @if let Some(command) = &check.command {
            p {
                "What each tier spends follows from public facts alone: how many people allow how \
                much, and what was asked for. Anybody can compute it again with suum " (VERSION)
                ", without the data. The ε spent and the scale of the noise must be those of this "
                (what) ":"
            }
            (code("check-command", command))
        } @else {
            p {
                "This " (what) " was made with suum " (VERSION) ", whose source says how. What \
                each tier spends is computed in exact arithmetic, checked again before any noise \
                is drawn, and rounded up where it is written down."
            }
        }
        @if let Some(arithmetic) = &check.arithmetic { p { (arithmetic) } }
        @if in_ledger {
            p {
                "That nothing was taken out of the ledger since, or changed in it, is checked with"
            }
            (code("ledger-command", &check.verification))
        }
        @if json.len() <= LONGEST {
            p {
                "All numbers of this page with all their digits:"
            }
            details {
                summary { "The " (what) " as JSON" }
                (code("json", json))
            }
        } @else {
            p {
                "All numbers with all their digits, and every level, are in the JSON of this "
                (what) ". It is too long for this page ("
                (count(json.lines().count() as u64)) " lines)."
            }
        }
        @if let Some(again) = &check.again {
            p {
                "This asks the same again. DATA, or what else is in capitals, stands for where it \
                 is."
            }
            (code("again-command", again))
        }
    };
    section("check", "How to check this", inside)
}

/// Preformatted text for programs.
fn code(id: &str, text: &str) -> Markup {
    html! { pre id=(id) tabindex="0" { code { (text) } } }
}

/// Section on citing the page.
pub(crate) fn citation(title: &str, sources: &[Source]) -> Markup {
    let inside = html! {
        p {
            (label(title)) ". Made with suum " (VERSION) ": statistics of data in which every \
            person chose their own privacy level. Free software, MIT or Apache-2.0."
        }
        @if !sources.is_empty() {
            p { "The methods are those of" }
            (sources::references(sources.to_vec()))
        }
    };
    section("cite", "How to cite this", inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_labels() {
        let names = ["a,b".to_owned(), "it's".into(), "c=d\\".into()];
        assert_eq!(Check::categories(&names).1, r"a\,b,it's,c\=d\\");
    }
}
