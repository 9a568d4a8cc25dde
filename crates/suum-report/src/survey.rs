//! Several answers from one split of every budget, in words.

use suum_core::{
    AnswerRole, GroupReleases, Neighbors, Phrase, ProtectedUnit, Release, Releases, Share, Survey,
    SurveyAnswer, SurveySplit,
};

use crate::answer::{Answer, interval_heading};
use crate::certificate::SpendingTable;
use crate::content::{Block, Content};
use crate::document::{Document, What};
use crate::figure::Figure;
use crate::figures::{count, percent};
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::statistic::{answered, name_of};
use crate::table::Table;
use crate::view::{Sort, View};
use crate::{assumed, bounds_check, caveats, groups, guarantee, how, html, release};

/// Heading of the total cost of all answers.
pub(crate) const CERTIFICATE: &str = "What each tier allowed, and what all answers spent together";

/// Document of every answer in its order, followed by their total cost.
pub(crate) fn document(survey: &Survey, sorts: &[Option<Sort>]) -> Document {
    let title = match (requested(survey).count(), role_beside(survey)) {
        (1, Some(AnswerRole::BoundsCheck)) => "A private statistic, and its bounds checked".into(),
        (1, Some(AnswerRole::GroupSizes)) => "A private statistic, and its groups counted".into(),
        (0, _) => "No private statistic: all groups have few records".into(),
        (many, _) => format!("Private statistics: {many} answers"),
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
    let promise = assumed::promise_on_page(&answered_each(survey));
    let (mut sections, mut caveats) = (Content::default(), Vec::new());
    let mut sorts = sorts.iter().copied();
    for (at, (answer, heading)) in survey.answers().iter().zip(headings(survey)).enumerate() {
        let sort = match answer.role {
            AnswerRole::Requested => sorts.next().flatten(),
            AnswerRole::BoundsCheck | AnswerRole::GroupSizes => None,
        };
        let one = match &answer.releases {
            Releases::One(release) => release::document(release, sort),
            Releases::Groups(groups) => groups::document(groups, sort),
            Releases::Survey(inner) => document(inner, &[]),
        };
        let id = format!("answer-{}", at + 1);
        let mut inside = Content::from_sentences(checked(answer));
        inside.add(Block::Within(format!("{id}-"), one.answer));
        if promise.is_none() {
            inside.say_all(one.lines);
        }
        let part = heading.split([':', ',']).next().unwrap_or_default();
        all.method.part(part, one.method);
        caveats.push((part.to_owned(), one.caveats, one.notes));
        sections.section(&id, heading, inside);
    }
    if requested(survey).next().is_some() {
        all.answer.table(overview(survey));
    }
    all.answer.say_all(promise);
    let caveats = caveats::together(&caveats);
    if !caveats.is_empty() {
        all.answer.add(Block::Folded(html::ASSUMED.to_owned(), caveats, true));
    }
    all.answer.append(sections);
    let spent = SpendingTable::for_release(survey.certificate(), survey.neighbors(), whom);
    all.spends(&spent, CERTIFICATE, Content::from_sentences([sum(survey)]));
    all.guarantees(&spent, Some(guarantee(survey)));
    all
}

/// Row of the table of all answers: the subject of its answer, if it is the first of it, its group
/// or category, and its number.
struct Row {
    answer: String,
    part: String,
    figure: Figure,
}

/// Table of all answers, before each has its section.
fn overview(survey: &Survey) -> Table {
    let rows: Vec<Row> =
        requested(survey).enumerate().flat_map(|(at, answer)| rows_of(at, answer)).collect();
    let has_parts = rows.iter().any(|row| !row.part.is_empty());
    Table::at_most(LINES, "All answers", &rows)
        .words("answer", |row| row.answer.clone())
        .when(has_parts, |table| table.words("of", |row| Sentence::from_label(row.part.as_str())))
        .number("estimate", |row| row.figure.show())
        .number(interval_heading(rows.iter().map(|row| &row.figure)), |row| {
            row.figure.show_interval()
        })
        .into()
}

/// Rows of an answer.
fn rows_of(at: usize, answer: &SurveyAnswer) -> Vec<Row> {
    let of_release = |release: &Release, group: &str| -> Vec<(String, Figure)> {
        let figures = Figure::all_of(release);
        let is_one = figures.len() == 1;
        let part = |figure: &Figure| match (group.is_empty(), is_one) {
            (true, true) => String::new(),
            (true, false) => figure.name.clone(),
            (false, true) => group.to_owned(),
            (false, false) => format!("{group}, {}", figure.name),
        };
        figures.into_iter().map(|figure| (part(&figure), figure)).collect()
    };
    let parts: Vec<(String, Figure)> = match &answer.releases {
        Releases::One(release) => of_release(release, ""),
        Releases::Groups(groups) => {
            let each = groups.groups().iter();
            let each = each.filter_map(|(name, release)| Some((name.as_str(), release.as_ref()?)));
            each.flat_map(|(name, release)| of_release(release, name)).collect()
        }
        Releases::Survey(inner) => {
            let inner = inner.answers().iter().flat_map(|answer| rows_of(at, answer));
            inner.map(|row| (row.part, row.figure)).collect()
        }
    };
    let named = parts.into_iter().enumerate().map(|(place, (part, figure))| {
        let subject = || format!("{}: {}", at + 1, what(&answer.releases));
        Row { answer: if place == 0 { subject() } else { String::new() }, part, figure }
    });
    named.collect()
}

/// Largest number of rows of the table of all answers.
const LINES: usize = 60;

/// Answers that were requested.
fn requested(survey: &Survey) -> impl Iterator<Item = &SurveyAnswer> {
    survey.answers().iter().filter(|answer| answer.role == AnswerRole::Requested)
}

/// Role of the first answer that is released beside another.
fn role_beside(survey: &Survey) -> Option<AnswerRole> {
    survey.answers().iter().map(|answer| answer.role).find(|role| *role != AnswerRole::Requested)
}

/// Answers of all releases that were requested.
fn answered_each(survey: &Survey) -> Vec<Answer<'_>> {
    requested(survey).flat_map(|answer| answer.releases.iter()).map(answered).collect()
}

/// Sentence on the assumptions of all intervals, if they are about the same population.
pub(crate) fn together(survey: &Survey) -> Option<Phrase> {
    assumed::together(&answered_each(survey))
}

/// First release with noise.
pub(crate) fn first_with_noise(survey: &Survey) -> Option<&Release> {
    let mut releases = survey.answers().iter().flat_map(|answer| answer.releases.iter());
    releases.find(|release| !how::is_exact(release))
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
            (None, Some(first)) => guarantee::add_remove(first, how::COUNTS_ONCE),
            (None, None) => String::new(),
        };
    }
    let public = match groups {
        Some(_) => "bounds, categories and groups",
        None => "bounds and categories",
    };
    let column = first.and_then(|release| release.person.as_deref());
    let counted = (how::COUNTS_ONCE, "a summary of their rows");
    guarantee::describe_known(survey.certificate(), Some(public), column, counted)
}

/// Headings of all answers: number, subject, and part of every budget. What is released beside an
/// answer has no number.
pub(crate) fn headings(survey: &Survey) -> Vec<String> {
    let mut asked = 0;
    let heading = |answer: &SurveyAnswer| match answer.role {
        AnswerRole::BoundsCheck => {
            let first = answer.releases.iter().next();
            let column = first.and_then(|release| release.column.as_deref());
            bounds_check::heading(column, answer.share)
        }
        AnswerRole::GroupSizes => sizes_heading(answer.share),
        AnswerRole::Requested => {
            asked += 1;
            heading_of(asked - 1, &what(&answer.releases), answer.share)
        }
    };
    survey.answers().iter().map(heading).collect()
}

/// Sentences of a check of bounds; none for other answers.
pub(crate) fn checked(answer: &SurveyAnswer) -> Vec<String> {
    let is_check = answer.role == AnswerRole::BoundsCheck;
    let release = answer.releases.one().filter(|_| is_check);
    release.map_or_else(Vec::new, |release| bounds_check::sentences(release, answer.share))
}

/// Heading of the sizes of groups, or of their plan.
fn sizes_heading(share: Option<Share>) -> String {
    let share = share.map(|share| format!(" ({} of every budget)", percent(share.get())));
    format!("Number of records of each group{}", share.unwrap_or_default())
}

/// Heading of the plan of the sizes of groups, which decide which of them have an answer.
///
/// # Example
///
/// ```
/// use suum_core::Share;
/// use suum_report::{View, group_sizes_heading};
///
/// let heading = group_sizes_heading(Some(Share::new(0.05)?), &View::default());
/// assert_eq!(heading, "\nNumber of records of each group (5 % of every budget)\n");
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn group_sizes_heading(share: Option<Share>, view: &View) -> String {
    let mut out = Text::new(view);
    out.heading(&sizes_heading(share));
    out.finish()
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
    let of = format!("{}{}", name_of(first), how::column_suffix(first.column.as_deref()));
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
            "suum divided the budgets so that all answers are about equally precise, each relative \
             to what it can be, as far as public facts tell.",
        ),
    }
}

/// Note that the answers share every budget, and on the sum of their losses.
pub(crate) fn sum(survey: &Survey) -> String {
    let one = protects(survey).one();
    let parts = split_words(survey.split()).map_or_else(String::new, |words| format!("{words} "));
    let of_groups = match survey.answers().iter().any(counts_in_several) {
        true => format!("of answers by group the most that the groups of one {one} cost together"),
        false => "of answers by group the most that any group costs".to_owned(),
    };
    format!(
        "All answers share every budget. {parts}Spent ε is the exact sum of what they cost a \
         {one}: {of_groups}."
    )
}

/// Returns true if a record counts in several groups of an answer, or can move between two.
fn counts_in_several(answer: &SurveyAnswer) -> bool {
    match &answer.releases {
        Releases::Groups(groups) => {
            groups.neighbors() == Neighbors::Both || groups.memberships().are_several()
        }
        Releases::One(_) | Releases::Survey(_) => false,
    }
}
