//! What an answer takes for granted, and whom it protects, in a line each.

use suum_core::{Assumption, Neighbors, Procedure, Protected, Release, SummaryProcedure};

use crate::answer::{Answer, Form};
use crate::caveats;
use crate::frequencies;
use crate::{range, summary};

/// What must not be missing below an answer: what its interval takes for granted, or why there is
/// none, and whom the release protects.
pub(super) fn sentences(answer: &Answer<'_>) -> Vec<String> {
    let release = answer.release;
    let post = match answer.form() {
        Form::Shares(post) if post != Default::default() => Some(frequencies::post_words(post)),
        _ => None,
    };
    // Of an exact number nothing has to be protected.
    let protected = (release.procedure != Procedure::Exact).then(|| protected(release));
    [interval(answer), none(release), post.map(str::to_owned), protected]
        .into_iter()
        .flatten()
        .collect()
}

/// For whom the interval is, and what it takes for granted: the first of its assumptions, and how
/// many more there are.
fn interval(answer: &Answer<'_>) -> Option<String> {
    let release = answer.release;
    let about = match &release.procedure {
        Procedure::Exact => return None,
        Procedure::Summary(SummaryProcedure { parts, .. }) => summary::whom(parts)?,
        _ => answer.whom,
    };
    // What a target takes for granted is one of the assumptions.
    let about = about.split(", if ").next().unwrap_or(about);
    release.estimates.iter().find_map(|one| one.interval)?;
    Some(conditions(about, &release.assumptions(), caveats::can_allow_for_correlation(release)))
}

/// An interval's target and assumptions in one sentence.
fn conditions(about: &str, assumed: &[Assumption], can_allow: bool) -> String {
    let Some((first, others)) = assumed.split_first() else {
        return format!("For {about}; the interval holds whatever the data.");
    };
    let first_words = lower_case(&first.to_string());
    let instead = match first {
        Assumption::BudgetsUnrelated if can_allow => " (else --target dataset-correlated)",
        _ => "",
    };
    let more = match others.len() {
        0 => String::new(),
        1 => " and 1 more condition (--explain)".to_owned(),
        many => format!(" and {many} more conditions (--explain)"),
    };
    format!("For {about}, if {first_words}{instead}{more}.")
}

/// A sentence as a part of another one.
fn lower_case(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Why there is no interval, and what the error that is expected assumes.
fn none(release: &Release) -> Option<String> {
    let why = match &release.procedure {
        Procedure::Summary(SummaryProcedure { parts, .. }) => {
            parts.iter().find_map(|part| part.release.no_interval())
        }
        _ => release.no_interval(),
    };
    Some(format!("{}{}", range::no_interval(Some(why?)), range::instead(release)))
}

/// Whom the release protects, and that rows add up.
fn protected(release: &Release) -> String {
    let whom = release.protects();
    let rows = "rows of one person add up (--person COL)";
    match (release.neighbors(), whom) {
        (Neighbors::ReplaceOne, Protected::Record) => {
            format!("Each row is protected alone; {rows}.")
        }
        (Neighbors::ReplaceOne, Protected::Person) => {
            "Each person is protected with all their rows.".to_owned()
        }
        (Neighbors::AddRemove, Protected::Record) => format!(
            "ε bounds what tells whether a row is there, 2ε what tells two values of it apart; \
             {rows}."
        ),
        (Neighbors::AddRemove, Protected::Person) => {
            "ε bounds what tells whether a person is there, 2ε what tells other rows of theirs \
             apart."
                .to_owned()
        }
        (Neighbors::Both, Protected::Record) => {
            format!("ε bounds what tells whether a row is there and what its value is; {rows}.")
        }
        (Neighbors::Both, Protected::Person) => {
            "ε bounds what tells whether a person is there and what their rows are.".to_owned()
        }
    }
}
