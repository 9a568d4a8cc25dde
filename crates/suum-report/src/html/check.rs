//! How to check a page, and how to cite it.

use std::borrow::Cow;

use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use suum_core::{
    Bounds, Choice, Options, Profile, QuantilePlan, Statistic, VariancePlan, WeightedPlan,
};

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
    pub(super) options: Option<String>,
    /// The arithmetic that can be done by hand.
    arithmetic: Option<Cow<'static, str>>,
}

impl Check {
    pub(crate) fn of_plan(plan: &WeightedPlan) -> Self {
        let (request, options, setting) =
            (plan.request(), plan.request().options(), plan.setting());
        let mut words = vec![format!("--target {}", setting.target.name())];
        match request.categories() {
            Some(categories) => words
                .push(format!("--statistic frequency --categories {}", labels(categories.names()))),
            None => {
                if request.statistic() == Statistic::Sum {
                    words.push("--statistic sum".into());
                }
                words.push(bounds(request.bounds()));
            }
        }
        if let Choice::Named(estimator) = options.estimator {
            words.push(format!("--estimator {estimator}"));
        }
        if let Some(variance) = options.variance {
            words.push(format!("--variance {variance}"));
        }
        // A plan of a mean learns first where the values lie, unless it is told not to.
        let adapts = Options { adapt: true, ..options.clone() }.adapts();
        if adapts && !options.adapt && plan.measures_spread() {
            words.push("--no-adapt".into());
        }
        words.extend(confidence(options.confidence));
        if options.beta != 0.05 {
            words.push(format!("--beta {}", options.beta));
        }
        if options.shrink {
            words.push("--shrink".into());
        }
        // Of an option that has no words here the command would ask something else.
        let said = Options {
            target: options.target,
            neighbors: options.neighbors,
            estimator: options.estimator,
            variance: options.variance,
            beta: options.beta,
            confidence: options.confidence,
            shrink: options.shrink,
            post: options.post,
            simultaneous: options.simultaneous,
            share: options.share,
            adapt: options.adapt,
            spare: options.spare,
            strata: options.strata.clone(),
            ..Options::default()
        };
        let whole = options.share.get() == 1.0 && *options == said;
        let single = plan.chosen().design.method == suum_core::Method::WeightedSum
            && setting.categories.is_none();
        Self {
            arithmetic: single.then_some(Cow::Borrowed(
                "By hand: divide the spent ε of any tier by the share of the estimate that one of \
                its people has. The quotient is the same for \
                 every tier that counts, and the standard deviation of the noise is √2 times the \
                 width of the bounds divided by it (for a sum, \
                 times the number of people, too). A spread that was measured beside it costs \
                 nothing, and changes none of that.",
            )),
            ..Self::of_command(plan.allowed(), &words, whole)
        }
    }

    pub(crate) fn of_quantiles(plan: &QuantilePlan) -> Self {
        let (request, options) = (plan.request(), plan.request().options());
        let ranks: Vec<String> =
            request.ranks().iter().map(|rank| rank.get().to_string()).collect();
        let mut words = vec![
            format!(
                "--target {} --statistic quantile --q {}",
                options.target.name(),
                ranks.join(",")
            ),
            bounds(request.bounds()),
        ];
        words.push(match options.whole {
            true => {
                format!("--step {}", request.bounds().width() / f64::from(request.cells().steps()))
            }
            false => format!("--cells {}", request.cells().steps()),
        });
        if let Some(estimator) = request.estimator() {
            words.push(format!("--estimator {estimator}"));
        }
        words.extend(confidence(options.confidence));
        if let Some(share) = options.interval_share {
            words.push(format!("--interval-share {share}"));
        }
        // A plan knows of no rows: persons with several of them are in the data only.
        let whole = options.share.get() == 1.0 && request.cells().rows() == 1;
        Self::of_command(plan.allowed(), &words, whole)
    }

    pub(crate) fn of_variance(plan: &VariancePlan) -> Self {
        let (declared, options) = (plan.request().bounds(), plan.request().options());
        let words =
            [format!("--target {} --statistic variance", options.target.name()), bounds(declared)];
        let whole = options.share.get() == 1.0;
        Self::of_command(plan.allowed(), &words, whole)
    }

    /// The command that plans the same for these people with these options, if they have the whole
    /// of their budgets for it; none for very many levels, or people in strata.
    fn of_command(profile: &Profile, words: &[String], whole: bool) -> Self {
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
}

/// The option for bounds.
fn bounds(bounds: Bounds) -> String {
    format!("--bounds {}", bounds.texts().join(","))
}

/// The option for a confidence that is not the usual one.
fn confidence(confidence: f64) -> Option<String> {
    (confidence != 0.95).then(|| format!("--confidence {confidence}"))
}

/// Labels as one word of a shell.
fn labels(names: &[String]) -> String {
    let escaped = |name: &String| {
        let special = |character: char| matches!(character, ',' | '=' | '\\');
        name.chars()
            .flat_map(|c| special(c).then_some('\\').into_iter().chain([c]))
            .collect::<String>()
    };
    let list: Vec<String> = names.iter().map(escaped).collect();
    format!("'{}'", list.join(",").replace('\'', "'\\''"))
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
        assert_eq!(labels(&names), r"'a\,b,it'\''s,c\=d\\'");
    }
}
