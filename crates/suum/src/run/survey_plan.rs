//! What each of several answers would cost and how good it would be.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use suum_core::{Error, Result, Share};
use suum_report::{Beside, View};

use super::accounts::Cost;
use super::grouped::Tables;
use super::survey::no_records;
use super::{Task, cost, plan, reading, step, survey, tables};
use crate::answer::{Content, More};
use crate::query::{Query, place};
use crate::{Answer, Given, Job, Population};

pub(super) fn plan(job: &Job, population: &Population, given: &Given) -> Result<Answer> {
    job.check_planned()?;
    let resolved = job.resolved()?;
    let each = survey::each(&resolved)?;
    let whole = Task::new(&resolved, given.clone());
    let charged = each.iter().enumerate().filter(|(_, one)| cost(&one.query) == Cost::Charged);
    let opened = charged.map(|(at, one)| {
        let opened = opened(&whole, one, population, given);
        opened.map(|(task, query)| (at, task, query)).map_err(|refused| refused.within(&place(at)))
    });
    let opened = opened.collect::<Result<Vec<_>>>()?;
    let is_public = !resolved.query.neighbors.hides_participation();
    let tables = match population.profile.is_none() && is_public {
        true => read(&whole, &opened)?.into_iter().map(Some).collect(),
        // They are assumed.
        false => opened.iter().map(|_| None).collect::<Vec<_>>(),
    };
    let mut warnings = whole.noted.warnings();
    let mut plans: Vec<_> = each.iter().map(|one| (one.query.clone(), None)).collect();
    for ((at, task, query), tables) in opened.into_iter().zip(tables) {
        let task = Task { query: &query, tables: RefCell::new(tables), ..task };
        let plan = plan::run(&task, population).map_err(|refused| refused.within(&place(at)))?;
        let plan = task.noted.onto(plan);
        let further = plan.warnings().iter().filter(|warning| !warnings.contains(warning));
        warnings.extend(further.cloned().collect::<Vec<_>>());
        plans[at].1 = Some(plan);
    }
    let plans = plans.into_iter().map(|(query, plan)| PlannedAnswer { query, plan });
    Ok(Answer::of(PlannedSurvey(plans.collect())).with_warnings(warnings))
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

/// Reads the data once for all plans: who is in them, or in each group.
fn read(whole: &Task<'_>, opened: &[(usize, Task<'_>, Query)]) -> Result<Vec<Tables>> {
    let within = |at: usize| move |refused: Error| refused.within(&place(at));
    let scan = |(at, task, _): &(usize, Task<'_>, Query)| {
        tables::scan(task, None).and_then(|scan| scan.ok_or_else(no_records)).map_err(within(*at))
    };
    let scans = opened.iter().map(scan).collect::<Result<Vec<_>>>()?;
    let readings = reading::each(whole, &scans)
        .map_err(|refusal| refusal.error.within(&place(opened[refusal.scan].0)))?;
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

/// The plans of several answers.
struct PlannedSurvey(Vec<PlannedAnswer>);

impl PlannedAnswer {
    fn share(&self) -> Option<Share> {
        self.plan.as_ref().map(|_| self.query.part)
    }
}

impl Content for PlannedSurvey {
    fn text(&self, view: &View, _: &Beside) -> String {
        let mut text = String::new();
        for (at, one) in self.0.iter().enumerate() {
            let what = one.query.named();
            text += &suum_report::answer_heading(at, &what, one.share(), view);
            text += &one.plan.as_ref().map_or_else(String::new, |plan| plan.text_for(view));
        }
        text
    }

    fn json(&self, _: &More) -> Result<String> {
        let answer = |one: &PlannedAnswer| -> Result<Value> {
            let read = |json: String| serde_json::from_str(&json).ok();
            let plan = one.plan.as_ref().map(Answer::json).transpose()?.and_then(read);
            let mut said = plan.unwrap_or_else(|| json!({"statistic": one.query.statistic}));
            said["share"] = json!(one.share());
            Ok(said)
        };
        let answers = self.0.iter().map(answer).collect::<Result<Vec<_>>>()?;
        suum_report::json(&json!({"answers": answers}))
    }
}
