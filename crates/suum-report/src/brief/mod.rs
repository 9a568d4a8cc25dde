//! Short text of a release: the answer, its assumptions, the loss of every tier, and where to find
//! the rest.

mod group_plans;
mod groups;
mod plan;
mod survey;
mod tiers;

use suum_core::{Command, Estimate, Phrase, Release, option, say};

use crate::assumed;
use crate::caveats;
use crate::headline;
use crate::how;
use crate::prose::{self, Text, Tone};
use crate::statistic::{answered, release_words, shown};
use crate::tiers_apart;
use crate::view::{Sort, View};

pub(crate) use group_plans::{scope as scope_of_group_plans, write as write_group_plans};
pub(crate) use groups::write as write_groups;
pub(crate) use plan::{scope as scope_of_plan, write as write_plan};
pub(crate) use survey::write as write_survey;

/// Context of a short text besides the release itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    /// Tiers in the order declared.
    pub tiers: Vec<String>,
    /// Order of shares and groups.
    pub sort: Option<Sort>,
    /// Order of shares in each of several answers.
    pub sorts: Vec<Option<Sort>>,
    /// Sentences below the answer, on the accounts of a ledger.
    pub below: Vec<String>,
    /// Sentences at the end.
    pub last: Vec<String>,
}

/// Writes the short text of a release.
pub(crate) fn write(out: &mut Text, release: &Release, beside: &Beside) {
    how::write_warning(out, release.private);
    for sentence in write_answer(out, release, beside.sort) {
        prose::indented(out, &sentence);
    }
    let answer = answered(release);
    write_sentences(out, &assumed::sentences(&answer));
    write_notes(out, &beside.below);
    if let Some(means) = tiers_apart::means(release) {
        out.line();
        out.table(&means);
    }
    out.line();
    tiers::write(out, &release.privacy, release.protects(), "spent ε", &beside.tiers);
    write_protected(out, release);
    write_notes(out, &beside.last);
    if let Some(better) = better(release) {
        prose::paragraph(out, &out.render(&better));
    }
    write_details(out);
}

/// Writes the answer alone, and returns a sentence on strata, if it has them.
fn write_answer(out: &mut Text, release: &Release, sort: Option<Sort>) -> Vec<String> {
    let answer = answered(release);
    shown(release).brief(out, &answer, sort);
    // One of which nothing is known says so itself.
    if answer.figures.len() > 1
        && let Some(useless) =
            caveats::useless(&headline::useless(release, &answer.figures), release)
    {
        prose::indented(out, &useless);
    }
    release_words(release).strata().into_iter().collect()
}

/// Writes sentences below an answer.
fn write_sentences(out: &mut Text, sentences: &[Phrase]) {
    let spoken: Vec<String> = sentences.iter().map(|sentence| out.render(sentence)).collect();
    spoken.iter().for_each(|sentence| prose::indented(out, sentence));
}

/// Writes the sentence on the protected unit, below the table of what tiers spent.
fn write_protected(out: &mut Text, release: &Release) {
    if let Some(sentence) = assumed::protected(release) {
        prose::paragraph(out, &out.render(&sentence));
    }
}

/// Writes sentences that other parts of an answer have left.
fn write_notes(out: &mut Text, notes: &[String]) {
    notes.iter().for_each(|note| prose::indented(out, note));
}

/// Line on where details are, for below several short texts; none below long ones.
///
/// # Example
///
/// ```
/// use suum_report::{View, details_text};
///
/// assert!(details_text(&View::default()).starts_with("Details: "));
/// assert_eq!(details_text(&View::default().explained()), "");
/// ```
pub fn details_text(view: &View) -> String {
    let mut out = Text::new(view);
    if !view.explain {
        write_details(&mut out);
    }
    out.finish()
}

fn write_details(out: &mut Text) {
    if out.is_part() {
        return;
    }
    let details = say("Details:").command(Command::Explain).say(",").command(Command::Page);
    out.pieces(&[(out.render(&details), Tone::Quiet)]);
}

/// Suggestion for a better interval, if there is one.
fn better(release: &Release) -> Option<Phrase> {
    if release.range().is_some() {
        return None;
    }
    if meets_bound(release) {
        return Some(question_of_bounds());
    }
    release_words(release).better(release)
}

/// Question that is asked if bounds may be wrong.
fn question_of_bounds() -> Phrase {
    say("Bounds right?")
        .option(option::CHECK_BOUNDS)
        .say("says how many values lie at each, or beyond.")
}

/// Part of the bounds up to which an interval counts as short.
const SHORT: f64 = 0.05;

/// Returns true if a short interval of a mean or a quantile reaches one of the bounds. Many people
/// really are at 0, so a bound at 0 does not count.
fn meets_bound(release: &Release) -> bool {
    let Some(bounds) = release.bounds().filter(|_| !release.counts_totals()) else { return false };
    let meets = |one: &Estimate| {
        let interval = one.interval.filter(|_| one.of.is_value());
        interval.is_some_and(|interval| {
            let is_short = interval.upper - interval.lower <= SHORT * bounds.width();
            let is_below = bounds.lower() != 0.0 && interval.lower <= bounds.lower();
            let is_above = bounds.upper() != 0.0 && interval.upper >= bounds.upper();
            is_short && (is_below || is_above)
        })
    };
    release.estimates.iter().any(meets)
}
