//! What each of several answers would cost and how good it would be.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use suum_core::{Error, LevelTable, Result, Share, SurveySplit};
use suum_report::{Beside, Page, View};

use super::accounts;
use super::grouped::Tables;
use super::survey::no_records;
use super::{Task, plan, reading, shares, step, survey, tables};
use crate::answer::{Content, More};
use crate::query::{Query, place};
use crate::{Answer, Given, Job, Population};

pub(super) fn plan(job: &Job, population: &Population, given: &Given) -> Result<Answer> {
    job.check_planned()?;
    let resolved = job.resolved()?;
    let (each, split) = survey::each(&resolved)?;
    let whole = Task::new(&resolved, given.clone());
    let charged = each.iter().enumerate().filter(|(_, one)| survey::is_charged(one));
    let opened = charged.map(|(at, one)| {
        let opened = opened(&whole, one, population, given);
        opened.map(|(task, query)| (at, task, query)).map_err(|refused| refused.within(&place(at)))
    });
    let mut opened = opened.collect::<Result<Vec<_>>>()?;
    let is_public = each.iter().all(survey::is_of_public_people);
    let tables = match population.profile.is_none() && is_public {
        true => read(&whole, &opened)?.into_iter().map(Some).collect(),
        // They are assumed.
        false => opened.iter().map(|_| None).collect::<Vec<_>>(),
    };
    let split = match split {
        SurveySplit::Equal if is_public => share_out(&mut opened, &tables, population)?,
        split => split,
    };
    let mut warnings = whole.noted.warnings();
    let mut plans: Vec<_> = each.iter().map(|one| (one.query.clone(), None)).collect();
    for ((at, task, query), tables) in opened.into_iter().zip(tables) {
        let task = Task { query: &query, tables: RefCell::new(tables), ..task };
        let plan = plan::run(&task, population).map_err(|refused| refused.within(&place(at)))?;
        let plan = task.noted.onto(plan);
        let further = plan.warnings().iter().filter(|warning| !warnings.contains(warning));
        warnings.extend(further.cloned().collect::<Vec<_>>());
        plans[at] = (query.clone(), Some(plan));
    }
    let plans = plans.into_iter().map(|(query, plan)| PlannedAnswer { query, plan });
    let answers = plans.collect();
    Ok(Answer::of(PlannedSurvey { answers, split }).with_warnings(warnings))
}

/// The task of the plan of an answer, and its query with what the types of columns tell.
fn opened<'a>(
    whole: &Task<'_>,
    one: &'a Job,
    population: &Population,
    given: &Given,
) -> Result<(Task<'a>, Query)> {
    let task = Task::of_plan(one, population, given.clone())?;
    plan::check(&task, population)?;
    let task = Task { place: Rc::clone(&whole.place), ..task };
    let query = step::of_type(&task)?.unwrap_or_else(|| one.query.clone());
    Ok((task, query))
}

/// Gives the answers the parts that they will have in a release.
fn share_out(
    opened: &mut [(usize, Task<'_>, Query)],
    tables: &[Option<Tables>],
    population: &Population,
) -> Result<SurveySplit> {
    let people = opened.iter().zip(tables).map(|((_, task, _), tables)| {
        match (tables, &population.profile) {
            (Some(tables), _) => tables.middle().map(LevelTable::profile).transpose(),
            (None, Some(assumed)) => {
                let left = accounts::people(task, assumed)?;
                left.map_or_else(|| Ok(assumed.clone()), |table| table.profile()).map(Some)
            }
            (None, None) => Ok(None),
        }
    });
    let people = people.collect::<Result<Vec<_>>>()?;
    let mut queries: Vec<&mut Query> = opened.iter_mut().map(|(.., query)| query).collect();
    shares::of_equal_errors(&mut queries, &people)
}

/// Reads the data once for all plans: who is in them, or in each group.
fn read(whole: &Task<'_>, opened: &[(usize, Task<'_>, Query)]) -> Result<Vec<Tables>> {
    let within = |at: usize| move |refused: Error| refused.within(&place(at));
    let scan = |(at, task, _): &(usize, Task<'_>, Query)| {
        tables::scan(task, None).and_then(|scan| scan.ok_or_else(no_records)).map_err(within(*at))
    };
    let scans = opened.iter().map(scan).collect::<Result<Vec<_>>>()?;
    let readings = reading::each(whole, &scans);
    for (at, task, _) in opened {
        accounts::known(task, Ok(())).map_err(within(*at))?;
    }
    let readings =
        readings.map_err(|refusal| refusal.error.within(&place(opened[refusal.scan].0)))?;
    let tables = opened.iter().zip(readings).map(|((at, task, _), reading)| {
        reading::note(task, &reading)?;
        tables::of(task, Some(reading)).map_err(within(*at))
    });
    tables.collect()
}

/// The plan of one of several answers; none of what is public.
struct PlannedAnswer {
    query: Query,
    plan: Option<Answer>,
}

/// The plans of several answers, and how these came to their parts.
struct PlannedSurvey {
    answers: Vec<PlannedAnswer>,
    split: SurveySplit,
}

impl PlannedAnswer {
    fn share(&self) -> Option<Share> {
        self.plan.as_ref().map(|_| self.query.part)
    }
}

impl Content for PlannedSurvey {
    fn text(&self, view: &View, _: &Beside) -> String {
        let mut text = String::new();
        for (at, one) in self.answers.iter().enumerate() {
            let what = one.query.named();
            text += &suum_report::answer_heading(at, &what, one.share(), view);
            text += &one.plan.as_ref().map_or_else(String::new, |plan| plan.text_for(view));
        }
        text + &suum_report::answer_split(self.split, view)
    }

    fn json(&self, _: &More) -> Result<String> {
        let answer = |one: &PlannedAnswer| -> Result<Value> {
            let read = |json: String| serde_json::from_str(&json).ok();
            let plan = one.plan.as_ref().map(Answer::json).transpose()?.and_then(read);
            let mut said = plan.unwrap_or_else(|| json!({"statistic": one.query.statistic}));
            said["share"] = json!(one.share());
            Ok(said)
        };
        let answers = self.answers.iter().map(answer).collect::<Result<Vec<_>>>()?;
        suum_report::json(&json!({"answers": answers, "shares": self.split}))
    }

    fn page(&self) -> Option<Page> {
        let named: Vec<String> = self.answers.iter().map(|one| one.query.named()).collect();
        let pages = self.answers.iter().zip(&named).map(|(one, what)| {
            (what.as_str(), one.share(), one.plan.as_ref().and_then(Answer::page))
        });
        Some(suum_report::survey_plan_page(pages, self.split))
    }
}
