//! The page of several answers from one split of every budget.

use maud::html;
use suum_core::{Neighbors, Releases, Share, Survey, SurveySplit};

use super::groups::groups_page;
use super::page::{Page, What};
use super::release::{guaranteed, release_page};
use super::tiers::Spent;
use crate::figures::count;
use crate::survey::{self, checked, guarantee, heading_of, headings, protects, split_words, sum};

/// The page of several answers: each in its order, then what every tier spent on all of them.
///
/// # Example
///
/// ```
/// use suum_core::{LevelTable, Measure, Options, Release, Survey, SurveyAnswer};
///
/// let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
/// let count = Release::count(&nobody, &Options::default())?;
/// let answer = SurveyAnswer::new(None, count.into());
/// let survey = Survey::new(vec![answer.clone(), answer])?;
/// let json = suum_report::json(&survey)?;
/// assert!(suum_report::survey_page(&survey).html(&json).contains("Answer 2: "));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn survey_page(survey: &Survey) -> Page {
    let asked = survey.answers().iter().filter(|answer| !answer.checks_bounds);
    let is_checked = survey.answers().iter().any(|answer| answer.checks_bounds);
    let title = match asked.count() {
        1 if is_checked => "A private statistic, and its bounds checked".to_owned(),
        many => format!("Private statistics: {many} answers"),
    };
    let mut page = Page::new(What::Release, title);
    page.private = survey.is_private();
    let whom = protects(survey);
    page.scope.push(match survey.neighbors() {
        Neighbors::ReplaceOne => {
            let counts = survey.certificate().iter().filter_map(|line| line.count);
            format!("{} {}", count(counts.sum()), whom.many())
        }
        Neighbors::AddRemove | Neighbors::Both => "participation hidden".to_owned(),
    });
    for (at, (answer, heading)) in survey.answers().iter().zip(headings(survey)).enumerate() {
        let one = match &answer.releases {
            Releases::One(release) => release_page(release),
            Releases::Groups(groups) => groups_page(groups),
            Releases::Survey(inner) => survey_page(inner),
        };
        let id = format!("answer-{}", at + 1);
        let inside = html! {
            @for sentence in checked(answer) { p { (sentence) } }
            (one.answer.with_ids(&format!("{id}-")))
        };
        page.answer.section(&id, &heading, inside);
        let part = heading.split([':', ',']).next().unwrap_or_default();
        page.method.part(part, one.method);
    }
    let certificate = survey.certificate();
    let spent = Spent::of_release(certificate, survey.neighbors(), true, whom);
    let inside = html! { (spent.table()) p { (sum(survey)) } };
    page.cost.section("tiers", survey::CERTIFICATE, inside);
    guaranteed(&mut page, &spent, &guarantee(survey));
    page
}

/// The page of the plans of several answers from one split of every budget: of each what it is of,
/// its part of every budget, and the page of its plan; what is public has neither.
///
/// # Example
///
/// ```
/// use suum_core::{Bounds, Options, Share, Statistic, SurveySplit, WeightedRequest};
///
/// let plan = WeightedRequest::new(Statistic::Mean, Bounds::UNIT, Options::default())?
///     .plan("0.1:50,inf:2".parse()?)?;
/// let one = suum_report::plan_page(&plan.into(), &[], true, None, None);
/// let answers = [("count", None, None), ("mean of visits", Some(Share::HALF), Some(one))];
/// let page = suum_report::survey_plan_page(answers, SurveySplit::Declared);
/// assert!(page.html("{}").contains("Answer 2: mean of visits"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn survey_plan_page<'a>(
    answers: impl IntoIterator<Item = (&'a str, Option<Share>, Option<Page>)>,
    split: SurveySplit,
) -> Page {
    let answers: Vec<_> = answers.into_iter().collect();
    let mut page = Page::new(What::Plan, format!("Plan for {} answers", answers.len()));
    if let Some(words) = split_words(split) {
        page.answer.paragraph(&format!("All answers share every budget. {words}"));
    }
    for (at, (what, share, one)) in answers.into_iter().enumerate() {
        let id = format!("answer-{}", at + 1);
        let named = format!("{id}-heading");
        let inside = html! {
            @for piece in one.iter().flat_map(|one| [&one.answer, &one.cost]) {
                @let piece = piece.with_ids(&format!("{id}-"));
                (piece.named_within(&named, "Answer", at + 1))
            }
        };
        page.cost.section(&id, &heading_of(at, what, share), inside);
        if let Some(one) = one {
            page.method.part(&format!("Answer {}", at + 1), one.method);
        }
    }
    page
}
