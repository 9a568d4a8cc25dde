//! Caveats of an answer: the assumptions of its interval, the treatment of the data, and the unit
//! that the release protects.

use suum_core::{Assumption, Bounds, ProtectedUnit, Release, Replacement};

use crate::content::Content;
use crate::sentence::{Piece, Sentence};
use crate::{data_value, how};

/// Note if records without a value do not count.
const EXCLUDED: &str = "Records without a value were left out: the result is about those that have \
    one. Who has none is as private as who takes part.";

/// Caveats of an answer; texts and pages show the same ones.
#[derive(Default)]
pub(crate) struct Caveats {
    /// Reason why there is no interval, or why some answers have none.
    pub(crate) none: Option<String>,
    /// Promise of the interval, which precedes the list of its assumptions.
    pub(crate) promise: Option<String>,
    /// Assumptions of the interval, each a sentence.
    pub(crate) assumed: Vec<String>,
    /// Alternative if the assumptions are in doubt.
    pub(crate) instead: Option<&'static str>,
    /// Treatment of the data, and the unit that the release protects.
    pub(crate) data: Vec<String>,
}

impl Caveats {
    /// Collects the caveats of a release; `could_allow` says that its interval could allow for
    /// correlation, `none` why it has no interval.
    pub(crate) fn collect(release: &Release, could_allow: bool, none: Option<String>) -> Self {
        if how::is_exact(release) {
            return Self::default();
        }
        let assumptions = release.assumptions();
        let interval = release.estimates.iter().find_map(|one| one.interval);
        let confidence = interval.map(|interval| interval.confidence);
        let assumed: Vec<String> = match confidence {
            Some(_) => assumptions.iter().map(ToString::to_string).collect(),
            None => Vec::new(),
        };
        let in_doubt = could_allow && assumptions.contains(&Assumption::BudgetsUnrelated);
        let missing = release.missing.as_ref().map(|done| match done {
            Replacement::Excluded => EXCLUDED.to_owned(),
            constant => format!(
                "Missing values were replaced by {}: the result is about the data with these \
                 values in them, not about the values that were there.",
                data_value::replaced(release, constant)
            ),
        });
        let together = release.is_simultaneous();
        let promise = |confidence| promise(confidence, together, release, assumed.is_empty());
        Self {
            none,
            promise: confidence.map(promise),
            instead: (in_doubt && confidence.is_some()).then_some(INSTEAD),
            assumed,
            data: release
                .bounds()
                .map(|bounds| moved(bounds, release.counts_totals()))
                .into_iter()
                .chain(missing)
                .chain(rows(release).map(str::to_owned))
                .collect(),
        }
    }

    /// Caveats as content, besides the reason why there is no interval.
    pub(crate) fn content(&self) -> Content {
        let mut content = Content::default();
        content.say_all(&self.promise);
        content.points(self.assumed.clone());
        content.say_all(self.instead);
        content.say_all(&self.data);
        content
    }
}

/// Caveats of several answers, each with its heading and further notes: those of all once, then
/// those of each.
pub(crate) fn together(answers: &[(String, Caveats, Vec<String>)]) -> Content {
    let promises = || answers.iter().filter(|(_, caveats, _)| caveats.promise.is_some());
    let first = promises().next().and_then(|(_, caveats, _)| caveats.promise.as_ref());
    let is_alike = promises().all(|(_, caveats, _)| caveats.promise.as_ref() == first);
    let is_common = |line: &String, of: fn(&Caveats) -> &Vec<String>| {
        is_alike && promises().all(|(_, caveats, _)| of(caveats).contains(line))
    };
    let assumed: fn(&Caveats) -> &Vec<String> = |caveats| &caveats.assumed;
    let data: fn(&Caveats) -> &Vec<String> = |caveats| &caveats.data;
    let mut content = Content::default();
    if let Some((_, caveats, _)) = promises().next().filter(|_| is_alike) {
        content.say_all(&caveats.promise);
        let common = |of: fn(&Caveats) -> &Vec<String>| {
            select_lines(of(caveats), |line| is_common(line, of))
        };
        content.points(common(assumed));
        content.say_all(promises().find_map(|(_, caveats, _)| caveats.instead));
        content.say_all(common(data));
    }
    for (heading, caveats, notes) in answers {
        let own = |of: fn(&Caveats) -> &Vec<String>| {
            select_lines(of(caveats), |line| !is_common(line, of))
        };
        let mut inside = Content::default();
        match is_alike {
            true if own(assumed).is_empty() => {}
            true => inside.say("Its intervals need this, too:"),
            false => inside.say_all(&caveats.promise),
        }
        inside.points(own(assumed));
        inside.say_all(caveats.instead.filter(|_| !is_alike));
        inside.say_all(own(data));
        inside.say_all(notes);
        if !inside.is_empty() {
            content.say(Sentence(vec![Piece::Chosen(heading.clone())]));
            content.append(inside);
        }
    }
    content
}

/// Lines for which this holds.
fn select_lines(lines: &[String], holds: impl Fn(&String) -> bool) -> Vec<String> {
    lines.iter().filter(|line| holds(line)).cloned().collect()
}

/// Promise of many intervals like this one, or of many releases whose intervals hold `together`.
fn promise(confidence: f64, together: bool, release: &Release, always: bool) -> String {
    let whom = release.protects();
    let confidence = how::confidence(confidence);
    let what = match together {
        false => format!(
            "of many that are made like this, at least {confidence} contain the true number"
        ),
        true => format!(
            "of many releases made like this, in at least {confidence} all intervals contain the \
             true numbers"
        ),
    };
    let if_what = if always { "whatever the data." } else { "if all of this holds:" };
    match release.is_noiseless() {
        true => format!("{}. For intervals: {what}, {if_what}", how::no_noise(whom)),
        false => format!(
            "Noise was added to protect {}, and intervals allow for it: {what}, {if_what}",
            whom.many(),
        ),
    }
}

/// Alternative if budgets may be related to values.
const INSTEAD: &str = "If budgets may have to do with values, the true number can lie far outside. \
                       An interval allows for it where it is declared by how much tiers may \
                       differ.";

/// Treatment of values outside the bounds.
fn moved(bounds: Bounds, totals: bool) -> String {
    let (of, what) = match totals {
        true => (" for the total of each person", "Totals"),
        false => ("", "Values"),
    };
    format!(
        "Bounds{of}: {}. {what} outside them were moved to the nearer bound.",
        data_value::between(bounds)
    )
}

/// Note that rows of one person add up, if persons are unknown.
fn rows(release: &Release) -> Option<&'static str> {
    match release.protects() {
        ProtectedUnit::Person => None,
        // Nothing is protected.
        ProtectedUnit::Record if release.is_noiseless() => None,
        ProtectedUnit::Record => Some(
            "Each row is protected as a record of its own. Rows of one person add up: a person \
             with k rows can lose up to k times as much, the sum of what their rows spent. \
             A declared column of persons (person) protects all rows of a person together.",
        ),
    }
}

/// Note that these answers are uninformative, shown after their table or in place of a headline.
pub(crate) fn useless(names: &[String], release: &Release) -> Option<String> {
    let (last, before) = names.split_last()?;
    let names = match before {
        [] => last.clone(),
        before => format!("{} and {last}", before.join(", ")),
    };
    let few = match release.is_noiseless() {
        true => "so few records",
        false => "so few records, or so little ε",
    };
    Some(format!("No useful answer: {names}. With {few}, nearly everything remains possible."))
}
