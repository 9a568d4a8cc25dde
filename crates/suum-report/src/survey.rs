//! Several answers from one split of every budget, in words.

use suum_core::{
    GroupReleases, Neighbors, ProtectedUnit, Release, Releases, Share, Survey, SurveyAnswer,
    SurveySplit,
};

use crate::certificate::SpendingTable;
use crate::content::{Block, Content};
use crate::document::{Document, What};
use crate::figures::{count, percent};
use crate::prose::{self, Text};
use crate::statistic::name_of;
use crate::view::View;
use crate::{bounds_check, groups, guarantee, how, release};

/// Heading of the total cost of all answers.
pub(crate) const CERTIFICATE: &str = "What each tier allowed, and what all answers spent together";

/// Document of every answer in its order, followed by their total cost.
pub(crate) fn document(survey: &Survey) -> Document {
    let asked = survey.answers().iter().filter(|answer| !answer.checks_bounds);
    let is_checked = survey.answers().iter().any(|answer| answer.checks_bounds);
    let title = match asked.count() {
        1 if is_checked => "A private statistic, and its bounds checked".to_owned(),
        many => format!("Private statistics: {many} answers"),
    };
    let whom = protects(survey);
    let scope = match survey.neighbors() {
        Neighbors::ReplaceOne => {
            let counts = survey.certificate().iter().filter_map(|line| line.count);
            format!("{} {}", count(counts.sum()), whom.many())
        }
        Neighbors::AddRemove | Neighbors::Both => "participation hidden".to_owned(),
    };
    let mut all = Document::new(What::Release, title, vec![scope]);
    all.private = survey.is_private();
    for (at, (answer, heading)) in survey.answers().iter().zip(headings(survey)).enumerate() {
        let one = match &answer.releases {
            Releases::One(release) => release::document(release),
            Releases::Groups(groups) => groups::document(groups),
            Releases::Survey(inner) => document(inner),
        };
        let id = format!("answer-{}", at + 1);
        let mut inside = Content::of_sentences(checked(answer));
        inside.add(Block::Within(format!("{id}-"), one.answer));
        let part = heading.split([':', ',']).next().unwrap_or_default();
        all.method.part(part, one.method);
        all.answer.section(&id, heading, inside);
    }
    let spent = SpendingTable::of_release(survey.certificate(), survey.neighbors(), whom);
    all.spends(&spent, CERTIFICATE, Content::of_sentences([sum(survey)]));
    all.guarantees(&spent, Some(guarantee(survey)));
    all
}

/// Words of the guarantee of all answers together.
fn guarantee(survey: &Survey) -> String {
    let mut answers = survey.answers().iter();
    let groups = answers.find_map(|answer| match &answer.releases {
        Releases::Groups(groups) => Some(groups),
        Releases::One(_) | Releases::Survey(_) => None,
    });
    let first = survey.answers().iter().find_map(|answer| answer.releases.iter().next());
    if survey.neighbors().hides_participation() {
        return match (groups, first) {
            (Some(groups), _) => groups::guarantee(groups),
            (None, Some(first)) => guarantee::add_remove(first),
            (None, None) => String::new(),
        };
    }
    let public = match groups {
        Some(_) => "bounds, categories and groups",
        None => "bounds and categories",
    };
    let column = first.and_then(|release| release.person.as_deref());
    guarantee::known(survey.certificate(), Some(public), column, "a summary of their rows")
}

/// Headings of all answers: number, subject, and part of every budget. A check of bounds has no
/// number.
pub(crate) fn headings(survey: &Survey) -> Vec<String> {
    let mut asked = 0;
    let heading = |answer: &SurveyAnswer| {
        if answer.checks_bounds {
            let first = answer.releases.iter().next();
            let column = first.and_then(|release| release.column.as_deref());
            return bounds_check::heading(column, answer.share);
        }
        asked += 1;
        heading_of(asked - 1, &what(&answer.releases), answer.share)
    };
    survey.answers().iter().map(heading).collect()
}

/// Sentences of a check of bounds; none for other answers.
pub(crate) fn checked(answer: &SurveyAnswer) -> Vec<String> {
    let release = answer.releases.one().filter(|_| answer.checks_bounds);
    release.map_or_else(Vec::new, |release| bounds_check::sentences(release, answer.share))
}

/// Heading of one of several answers, or of its plan.
pub(crate) fn heading_of(at: usize, what: &str, share: Option<Share>) -> String {
    let share = match share {
        Some(share) => format!("{} of every budget", percent(share.get())),
        None => "costs nothing".to_owned(),
    };
    format!("Answer {}: {what} ({share})", at + 1)
}

/// Heading of one of several answers, or of its plan: number, subject, and part of every budget, if
/// it costs anything.
///
/// # Example
///
/// ```
/// use suum_core::Share;
/// use suum_report::{View, answer_heading};
///
/// let heading = answer_heading(0, "mean of visits", Some(Share::HALF), &View::default());
/// assert_eq!(heading, "\nAnswer 1: mean of visits (50 % of every budget)\n");
/// ```
pub fn answer_heading(at: usize, what: &str, share: Option<Share>, view: &View) -> String {
    let mut out = Text::new(view);
    out.heading(&heading_of(at, what, share));
    out.finish()
}

/// Subject of a release, as in "mean of visits by health".
fn what(releases: &Releases) -> String {
    let Some(first) = releases.iter().next() else { return "nothing".to_owned() };
    let of = format!("{}{}", name_of(first), how::of_column(first.column.as_deref()));
    match releases {
        Releases::Groups(groups) => format!("{of} by {}", GroupReleases::by(groups)),
        Releases::One(_) | Releases::Survey(_) => of,
    }
}

/// Unit that the answers protect: persons only if all of them do.
pub(crate) fn protects(survey: &Survey) -> ProtectedUnit {
    let mut all = survey.answers().iter().flat_map(|answer| answer.releases.iter());
    all.next().map_or(ProtectedUnit::Record, Release::protects)
}

/// Note on the split of every budget among several answers, or their plans; empty if it was
/// declared.
///
/// # Example
///
/// ```
/// use suum_core::SurveySplit;
/// use suum_report::{View, answer_split};
///
/// let said = answer_split(SurveySplit::Equal, &View::default());
/// assert!(said.contains("Their parts are equal"));
/// assert_eq!(answer_split(SurveySplit::Declared, &View::default()), "");
/// ```
pub fn answer_split(split: SurveySplit, view: &View) -> String {
    let mut out = Text::new(view);
    if let Some(words) = split_words(split) {
        prose::paragraph(&mut out, &format!("All answers share every budget. {words}"));
    }
    out.finish()
}

/// Origin of the parts of every budget; `None` if they were declared.
pub(crate) fn split_words(split: SurveySplit) -> Option<&'static str> {
    match split {
        SurveySplit::Declared => None,
        SurveySplit::Equal => {
            Some("Their parts are equal: nothing public tells what their errors will be.")
        }
        SurveySplit::EqualErrors => Some(
            "With their parts the expected errors, each as a share of what there can be, are as \
             equal as public facts tell.",
        ),
    }
}

/// Note that the answers share every budget, and on the sum of their losses.
pub(crate) fn sum(survey: &Survey) -> String {
    let one = protects(survey).one();
    let parts = split_words(survey.split()).map_or_else(String::new, |words| format!("{words} "));
    format!(
        "All answers share every budget. {parts}Spent ε is the exact sum of what they cost a \
         {one}: of answers by group the most that any group costs."
    )
}
