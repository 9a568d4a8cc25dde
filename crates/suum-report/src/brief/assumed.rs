//! What an answer takes for granted, and whom it protects, in a line each.

use suum_core::{Assumption, Neighbors, ProtectedUnit, Release};

use crate::answer::Answer;
use crate::how;
use crate::statistic::{made, shown, unbounded};

/// What must not be missing below an answer: what its interval takes for granted, or why there is
/// none, and whom the release protects.
pub(super) fn sentences(answer: &Answer<'_>) -> Vec<String> {
    let release = answer.release;
    // Of an exact number nothing has to be protected.
    if how::is_exact(release) {
        return Vec::new();
    }
    let none = answer.said.none.as_ref();
    let none = none.map(|why| format!("{why}{}", unbounded::instead(release)));
    let treated = shown(release).treated(release);
    let counts = how::counts_once(release, &made(release).counts_with(release));
    let protected = Some(protected(release));
    [interval(answer), none, treated, protected, counts].into_iter().flatten().collect()
}

/// For whom the interval is, and what it takes for granted: the first of its assumptions, and how
/// many more there are.
fn interval(answer: &Answer<'_>) -> Option<String> {
    let release = answer.release;
    release.estimates.iter().find_map(|one| one.interval)?;
    // What a target takes for granted is one of the assumptions.
    let about = answer.whom.split(", if ").next().unwrap_or(answer.whom);
    let assumed = release.assumptions();
    let Some((first, others)) = assumed.split_first() else {
        return Some(format!("For {about}; the interval holds whatever the data."));
    };
    let first_words = lower_case(&first.to_string());
    let instead = match first {
        Assumption::BudgetsUnrelated if answer.could_allow => " (else --target dataset-correlated)",
        _ => "",
    };
    let more = match others.len() {
        0 => String::new(),
        1 => " and 1 more condition (--explain)".to_owned(),
        many => format!(" and {many} more conditions (--explain)"),
    };
    Some(format!("For {about}, if {first_words}{instead}{more}."))
}

/// A sentence as a part of another one.
fn lower_case(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Whom the release protects, and that rows add up.
fn protected(release: &Release) -> String {
    if release.is_noiseless() {
        return format!("{} (ε = ∞).", how::no_noise(release.protects()));
    }
    let (whom, other) = match release.protects() {
        ProtectedUnit::Record => ("a row", "what its value is"),
        ProtectedUnit::Person => ("a person", "what their rows are"),
    };
    let rows = match release.protects() {
        ProtectedUnit::Record => "; rows of one person add up (--person COL).",
        ProtectedUnit::Person => ".",
    };
    match (release.neighbors(), release.protects()) {
        (Neighbors::ReplaceOne, ProtectedUnit::Record) => {
            format!("Each row is protected alone{rows}")
        }
        (Neighbors::ReplaceOne, ProtectedUnit::Person) => {
            "Each person is protected with all their rows.".to_owned()
        }
        (Neighbors::AddRemove, ProtectedUnit::Record) => format!(
            "ε bounds what tells whether a row is there, 2ε what tells two values of it apart{rows}"
        ),
        (Neighbors::AddRemove, ProtectedUnit::Person) => {
            "ε bounds what tells whether a person is there, 2ε what tells other rows of theirs \
             apart."
                .to_owned()
        }
        (Neighbors::Both, _) => {
            format!("ε bounds what tells whether {whom} is there and {other}{rows}")
        }
    }
}
