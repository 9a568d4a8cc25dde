//! How to check a page, and how to cite it.

use std::borrow::Cow;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use suum_core::{Bounds, Profile};

use super::markup::{label, section};
use super::sources::{self, Source};
use crate::figures::count;
use crate::tiers::LINES;

/// The version of suum that made the page.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How the certificate follows from what is public.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Check {
    /// The command that makes the certificate again from public facts; none where it depends on
    /// noisy numbers.
    command: Option<String>,
    /// The command that asks the same again.
    pub(super) again: Option<String>,
    /// The options of the command, without the people.
    #[serde(skip)]
    pub(crate) options: Option<String>,
    /// The arithmetic that can be done by hand.
    arithmetic: Option<Cow<'static, str>>,
}

impl Check {
    /// The command that plans the same for these people with these options, if they have the whole
    /// of their budgets for it; none for very many levels, or people in strata.
    pub(crate) fn of_command(profile: &Profile, words: &[String], whole: bool) -> Self {
        let levels = profile.levels();
        if !whole || levels.len() > LINES || profile.is_stratified() {
            return Self::default();
        }
        let pairs: Vec<String> =
            levels.iter().map(|level| format!("{}:{}", level.epsilon, level.count)).collect();
        let (pairs, options) = (pairs.join(","), words.join(" "));
        Self {
            command: Some(format!("suum plan --profile {pairs} {options} --format json")),
            options: Some(options),
            ..Self::default()
        }
    }

    /// The same with arithmetic that can be done by hand, if there is any.
    pub(crate) fn with(self, arithmetic: Option<&'static str>) -> Self {
        Self { arithmetic: arithmetic.map(Cow::Borrowed), ..self }
    }

    /// The option for bounds.
    pub(crate) fn bounds(bounds: Bounds) -> String {
        format!("--bounds {}", bounds.texts().join(","))
    }

    /// The option for a confidence that is not the usual one.
    pub(crate) fn confidence(confidence: f64) -> Option<String> {
        (confidence != 0.95).then(|| format!("--confidence {confidence}"))
    }

    /// Labels as one word of a shell.
    pub(crate) fn labels(names: &[String]) -> String {
        let escaped = |name: &String| {
            let special = |character: char| matches!(character, ',' | '=' | '\\');
            name.chars()
                .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]))
                .collect::<String>()
        };
        let list: Vec<String> = names.iter().map(escaped).collect();
        format!("'{}'", list.join(",").replace('\'', "'\\''"))
    }
}

/// The longest JSON that is put into a page, in bytes.
const LONGEST: usize = 40_000;

/// How to check the page.
pub(crate) fn of(check: &Check, json: &str, what: &str, in_ledger: bool) -> Markup {
    // That of a plan is the command above with other words.
    let again = check.again.as_ref().filter(|_| what != "plan" || check.command.is_none());
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
        @if let Some(again) = again {
            p {
                "This command asks the same. DATA, or what else is in capitals, stands for where \
                it is."
            }
            (code("again-command", again))
        }
        @if in_ledger {
            p {
                "That nothing was taken out of the ledger since, or changed in it, is checked with"
            }
            (code("ledger-command", "suum ledger verify FILE"))
        }
        @if json.len() <= LONGEST {
            p {
                "All numbers of this page with all their digits, as --format json gives them:"
            }
            details {
                summary { "The " (what) " as JSON" }
                (code("json", json))
            }
        } @else {
            p {
                "All numbers with all their digits, and every level, are in the JSON that --format \
                json gives at the same time. It is too long for this page ("
                (count(json.lines().count() as u64)) " lines)."
            }
        }
    };
    section("check", "How to check this", inside)
}

/// What is to be read by programs, as it is.
fn code(id: &str, text: &str) -> Markup {
    html! { pre id=(id) tabindex="0" { code { (text) } } }
}

/// How to cite the page.
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
    fn labels_are_one_word() {
        let names = ["a,b".to_owned(), "it's".into(), "c=d\\".into()];
        assert_eq!(Check::labels(&names), r"'a\,b,it'\''s,c\=d\\'");
    }
}
