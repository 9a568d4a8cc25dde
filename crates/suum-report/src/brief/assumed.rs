//! Assumptions of an answer, and the unit it protects, in a line each.

use suum_core::{Assumption, Command, Neighbors, Phrase, ProtectedUnit, Release, option, say};

use crate::answer::Answer;
use crate::how;
use crate::sensitivity;
use crate::statistic::{made, shown, unbounded};

/// Indispensable sentences below an answer: the assumptions of its interval, or the reason why
/// there is none, and the unit that the release protects.
pub(super) fn sentences(answer: &Answer<'_>) -> Vec<Phrase> {
    sentences_with(answer, sensitivity::line(answer.release))
}

/// Returns the sentences with this line on the effect of budgets that are related to values.
pub(super) fn sentences_with(answer: &Answer<'_>, sensitivity: Option<String>) -> Vec<Phrase> {
    let sensitivity = sensitivity.map(Phrase::from);
    let release = answer.release;
    // An exact number has no assumptions.
    if how::is_exact(release) {
        return Vec::new();
    }
    let none = answer.said.none.as_ref();
    let none = none.map(|why| format!("{why}{}", unbounded::instead(release)));
    let none = none.map(Phrase::from);
    let treated = shown(release).treated(release).map(Phrase::from);
    let counts = how::counts_once(release, &made(release).counts_with(release));
    let counts = counts.map(Phrase::from);
    let protected = Some(protected(release));
    [interval(answer), sensitivity, none, treated, protected, counts]
        .into_iter()
        .flatten()
        .collect()
}

/// Sentence on the population of the interval and its assumptions: the first one, and the number of
/// others.
fn interval(answer: &Answer<'_>) -> Option<Phrase> {
    let release = answer.release;
    release.estimates.iter().find_map(|one| one.interval)?;
    // An assumption of the target is one of the listed ones.
    let about = answer.whom.split(", if ").next().unwrap_or(answer.whom);
    let assumed = release.assumptions();
    let Some((first, others)) = assumed.split_first() else {
        return Some(say(format!("For {about}; the interval holds whatever the data.")));
    };
    let first_words = lower_case(&first.to_string());
    let sentence = say(format!("For {about}, if {first_words}"));
    let sentence = match first {
        Assumption::BudgetsUnrelated if answer.could_allow => {
            sentence.say("(else").set(option::TIERS_DIFFER, "D").say(")")
        }
        _ => sentence,
    };
    let conditions = match others.len() {
        0 => return Some(sentence.say(".")),
        1 => "and 1 more condition (".to_owned(),
        many => format!("and {many} more conditions ("),
    };
    Some(sentence.say(conditions).command(Command::Explain).say(")."))
}

/// Sentence in the form it has inside another one.
fn lower_case(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Sentence on the unit that the release protects, and on rows that add up.
fn protected(release: &Release) -> Phrase {
    if release.is_noiseless() {
        return say(format!("{} (ε = ∞).", how::no_noise(release.protects())));
    }
    let (whom, other) = match release.protects() {
        ProtectedUnit::Record => ("a row", "what its value is"),
        ProtectedUnit::Person => ("a person", "what their rows are"),
    };
    let sentence = match (release.neighbors(), release.protects()) {
        (Neighbors::ReplaceOne, ProtectedUnit::Record) => "Each row is protected alone".to_owned(),
        (Neighbors::ReplaceOne, ProtectedUnit::Person) => {
            "Each person is protected with all their rows".to_owned()
        }
        (Neighbors::AddRemove, ProtectedUnit::Record) => {
            "ε bounds what tells whether a row is there, 2ε what tells two values of it apart"
                .to_owned()
        }
        (Neighbors::AddRemove, ProtectedUnit::Person) => {
            "ε bounds what tells whether a person is there, 2ε what tells other rows of theirs \
             apart"
                .to_owned()
        }
        (Neighbors::Both, _) => {
            format!("ε bounds what tells whether {whom} is there and {other}")
        }
    };
    match release.protects() {
        ProtectedUnit::Record => {
            say(sentence).say("; rows of one person add up (").set(option::PERSON, "COL").say(").")
        }
        ProtectedUnit::Person => say(sentence).say("."),
    }
}
