//! Assumptions of answers in a line or two, and the unit that a release protects.

use suum_core::{
    Assumption, Command, LevelName, Library, Neighbors, Phrase, ProtectedUnit, Release, option, say,
};

use crate::answer::Answer;
use crate::how;
use crate::sensitivity;
use crate::statistic::{release_words, shown, unbounded};

/// Indispensable sentences below an answer: the assumptions of its interval, or the reason why
/// there is none, and the treatment of values.
pub(crate) fn sentences(answer: &Answer<'_>) -> Vec<Phrase> {
    sentences_with(answer, interval(answer), sensitivity::line(answer.release))
}

/// Returns the sentences with these on the interval, and on the effect of budgets that are related
/// to values.
pub(crate) fn sentences_with(
    answer: &Answer<'_>,
    interval: Option<Phrase>,
    sensitivity: Option<String>,
) -> Vec<Phrase> {
    let release = answer.release;
    // An exact number has no assumptions.
    if how::is_exact(release) {
        return Vec::new();
    }
    let none = answer.said.none.as_ref();
    let none = none.map(|why| format!("{why}{}", unbounded::instead(release)));
    let treated = shown(release).treated(release);
    let counts =
        how::counting(release, answer.counts, &release_words(release).counts_with(release));
    let others = [sensitivity, none, treated, counts].map(|line| line.map(Phrase::from));
    [expected_total(answer, true), interval].into_iter().chain(others).flatten().collect()
}

/// Lines below these answers on a page, which is read without a front end: what their intervals are
/// about, and the first assumption. The `speaker` among them takes most for granted.
pub(crate) fn lines_on_page(speaker: &Answer<'_>, answers: &[Answer<'_>]) -> Vec<String> {
    if how::is_exact(speaker.release) {
        return Vec::new();
    }
    let total = expected_total(speaker, false).map(|total| total.render_for(&Library));
    let promise = promise_on_page(answers);
    let about = || format!("This is for {}.", speaker.whom);
    let promise = promise.or_else(|| total.is_none().then(about));
    [total, promise, speaker.said.none.clone()].into_iter().flatten().collect()
}

/// Sentence on the intervals of these answers on a page, if they have any and are about the same.
pub(crate) fn promise_on_page(answers: &[Answer<'_>]) -> Option<String> {
    let alike = alike(answers)?;
    let assumed = all_of(&alike);
    let conditions = match assumed.len() {
        0 => "",
        1 => ".",
        2 => ", and under 1 more condition below.",
        _ => ", and under the other conditions below.",
    };
    Some(clause(&alike, &assumed) + conditions)
}

/// Sentence on an expected total: its number of records, and the way to that of exactly these.
fn expected_total(answer: &Answer<'_>, has_options: bool) -> Option<Phrase> {
    let total = answer.expected_total.as_ref()?;
    let about = say(format!("This is the expected total of {total}."));
    Some(match has_options {
        true => about.say("For exactly your records:").set(option::TARGET, "dataset").say("."),
        false => about,
    })
}

/// Assumptions of the interval of an answer; `None` if it has no interval.
fn interval_assumptions(answer: &Answer<'_>) -> Option<Vec<Assumption>> {
    let release = answer.release;
    release.estimates.iter().find_map(|one| one.interval)?;
    Some(release.assumptions())
}

/// Sentence on the population of the interval and its assumptions: the first one, and the number of
/// others.
fn interval(answer: &Answer<'_>) -> Option<Phrase> {
    Some(promised(&[answer], &interval_assumptions(answer)?))
}

/// Sentence on the intervals of several answers that are about the same population: the first
/// assumption of any, and the number of others that any has. `None` if they are about different
/// ones, or none has an interval.
pub(crate) fn together(answers: &[Answer<'_>]) -> Option<Phrase> {
    let alike = alike(answers)?;
    Some(promised(&alike, &all_of(&alike)))
}

/// Answers with intervals, if there are any and all are about the same population, and either all
/// or none take anything for granted.
fn alike<'a, 'b>(answers: &'b [Answer<'a>]) -> Option<Vec<&'b Answer<'a>>> {
    let answers: Vec<&Answer<'_>> =
        answers.iter().filter(|answer| interval_assumptions(answer).is_some()).collect();
    let kind = |answer: &Answer<'_>| {
        (
            about(answer).map(str::to_owned),
            interval_assumptions(answer).is_some_and(|all| all.is_empty()),
        )
    };
    let first = kind(answers.first()?);
    answers.iter().all(|other| kind(other) == first).then_some(answers)
}

/// Assumptions that any of these answers has, each once, those on budgets first.
fn all_of(answers: &[&Answer<'_>]) -> Vec<Assumption> {
    let mut all: Vec<Assumption> = Vec::new();
    for assumption in answers.iter().filter_map(|answer| interval_assumptions(answer)).flatten() {
        if !all.contains(&assumption) {
            all.push(assumption);
        }
    }
    all.sort_by_key(|one| !is_of_budgets(one));
    all
}

fn is_of_budgets(assumption: &Assumption) -> bool {
    matches!(
        assumption,
        Assumption::BudgetsUnrelated
            | Assumption::UnrelatedInStrata
            | Assumption::TiersDiffer { .. }
    )
}

/// Population of the interval of an answer, without an assumption.
fn about<'a>(answer: &'a Answer<'_>) -> Option<&'a str> {
    match answer.expected_total {
        // It was said in a sentence of its own.
        Some(_) => None,
        // An assumption of the target is one of the listed ones.
        None => answer.whom.split(", ").next(),
    }
}

/// Sentence on the intervals of these answers and these assumptions.
fn promised(answers: &[&Answer<'_>], assumed: &[Assumption]) -> Phrase {
    let clause = say(clause(answers, assumed));
    let could_allow = answers.iter().all(|answer| answer.could_allow);
    let clause = match assumed.first() {
        None => return clause,
        Some(Assumption::BudgetsUnrelated) if could_allow => {
            clause.say("(").set(option::TIERS_DIFFER, "D").say("if not)")
        }
        Some(_) => clause,
    };
    let conditions = match assumed.len() {
        1 => return clause.say("."),
        2 => ", and under 1 more condition (".to_owned(),
        many => format!(", and under {} more conditions (", many - 1),
    };
    clause.say(conditions).command(Command::Explain).say(").")
}

/// Beginning of such a sentence, up to its first assumption; all of it if there is none.
fn clause(answers: &[&Answer<'_>], assumed: &[Assumption]) -> String {
    let intervals = answers.iter().flat_map(|answer| &answer.figures);
    let is_one = intervals.filter(|figure| figure.interval.is_some()).count() == 1;
    let [interval, is, hold] =
        if is_one { ["interval", "is", "holds"] } else { ["intervals", "are", "hold"] };
    let of = answers.first().and_then(|answer| about(answer));
    let of = of.map_or_else(String::new, |whom| format!(" for {whom}"));
    match assumed.first() {
        None => format!("The {interval}{of} {hold} whatever the data."),
        Some(first) => {
            let tiers = answers.iter().all(|answer| has_tiers(answer.release));
            format!("The {interval}{of} {is} right only if {}", condition(first, tiers))
        }
    }
}

/// Returns true if people are in named tiers, rather than having budgets that are numbers.
fn has_tiers(release: &Release) -> bool {
    release.privacy.iter().any(|row| matches!(row.level, LevelName::Label(_)))
}

/// Assumption in the form it has inside a sentence.
fn condition(assumption: &Assumption, tiers: bool) -> String {
    let choice = if tiers { "tier" } else { "budget" };
    match assumption {
        Assumption::BudgetsUnrelated => {
            format!("people's {choice} is unrelated to their value")
        }
        Assumption::UnrelatedInStrata => {
            format!("within a stratum people's {choice} is unrelated to their value")
        }
        other => lower_case(&other.to_string()),
    }
}

/// Sentence in the form it has inside another one.
fn lower_case(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Sentence on the unit that the release protects, and on rows that add up; `None` if it is exact.
pub(crate) fn protected(release: &Release) -> Option<Phrase> {
    if how::is_exact(release) {
        return None;
    }
    if release.is_noiseless() {
        return Some(say(format!("{} (ε = ∞).", how::no_noise(release.protects()))));
    }
    let sentence = match (release.neighbors(), release.protects()) {
        (Neighbors::ReplaceOne, ProtectedUnit::Record) => "Each row is protected alone",
        (Neighbors::ReplaceOne, ProtectedUnit::Person) => {
            "Each person is protected with all their rows"
        }
        (Neighbors::AddRemove, ProtectedUnit::Record) => {
            "ε limits what a reader can learn about whether a row exists, 2ε about which of two \
             values it has"
        }
        (Neighbors::AddRemove, ProtectedUnit::Person) => {
            "ε limits what a reader can learn about whether a person takes part, 2ε about which \
             of two sets of rows they have"
        }
        (Neighbors::Both, ProtectedUnit::Record) => {
            "ε limits what a reader can learn about whether a row exists and what its value is"
        }
        (Neighbors::Both, ProtectedUnit::Person) => {
            "ε limits what a reader can learn about whether a person takes part and what their \
             rows are"
        }
    };
    Some(match release.protects() {
        ProtectedUnit::Record => {
            say(sentence).say("; rows of one person add up (").set(option::PERSON, "COL").say(").")
        }
        ProtectedUnit::Person => say(sentence).say("."),
    })
}
