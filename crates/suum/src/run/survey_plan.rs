//! Plans of several answers: their cost and their expected errors.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use suum_core::{AnswerRole, DeclaredBudgets, Result, Share, SurveySplit, Voice};
use suum_data::Scan;
use suum_report::{Beside, Page, View};

use super::accounts;
use super::grouped::Tables;
use super::parts::Part;
use super::survey::has_share;
use super::{Task, add_remove, members, plan, reading, shares, survey, tables};
use crate::answer::{Content, More};
use crate::query::Query;
use crate::{Answer, Job, JobInputs, Population};

/// Plan of a part that costs something, under construction.
struct OpenPart<'a> {
    part: &'a Part,
    task: Task<'a>,
    query: Query,
}

impl OpenPart<'_> {
    /// Distinct budgets of its answer; `None` if participation is public.
    fn budgets(&self) -> Result<Option<DeclaredBudgets>> {
        let Self { part, task, query } = self;
        let job = Job { query: query.clone(), ..part.job.clone() };
        let task = task.for_answer(&job, task.given.clone());
        add_remove::distinct_budgets(&task).map_err(|refused| part.within(refused))
    }
}

pub(super) fn plan(job: &Job, population: &Population, given: &JobInputs) -> Result<Answer> {
    job.check_planned()?;
    let resolved = job.resolved()?;
    let (each, split) = survey::each(&resolved)?;
    let whole = Task::new(&resolved, given.clone());
    let charged = each.iter().filter(|part| survey::is_charged(&part.job));
    let opened = charged.map(|part| {
        let opened = opened(&whole, part, population, given);
        opened.map_err(|refused| part.within(refused))
    });
    let mut opened = opened.collect::<Result<Vec<_>>>()?;
    if let Some(OpenPart { task, .. }) = opened.first() {
        let budgets = opened.iter().map(|one| one.budgets()).collect::<Result<Vec<_>>>()?;
        survey::check_persons(task, &each, &budgets)?;
    }
    let is_public = each.iter().all(|part| survey::is_of_public_people(&part.job));
    let tables = match population.profile.is_none() && is_public {
        true => read(&whole, &opened)?.into_iter().map(Some).collect(),
        // They are assumed.
        false => opened.iter().map(|_| None).collect::<Vec<_>>(),
    };
    let split = match split {
        SurveySplit::Equal if is_public => share_out(&mut opened, &tables, population)?,
        split => split,
    };
    let parts: Vec<&Part> = opened.iter().map(|one| one.part).collect();
    let mut queries: Vec<&mut Query> = opened.iter_mut().map(|one| &mut one.query).collect();
    Part::settle(&parts, &mut queries)?;
    let mut warnings = whole.noted.warnings();
    let mut planned = Vec::with_capacity(opened.len());
    for (OpenPart { part, task, query }, tables) in opened.into_iter().zip(tables) {
        let task = Task { query: &query, tables: RefCell::new(tables), ..task };
        let plan = plan::run(&task, &part.population(population));
        let plan = plan.map_err(|refused| part.within(refused))?;
        let plan = task.noted.onto(plan);
        let further = plan.warnings().iter().filter(|warning| !warnings.contains(warning));
        warnings.extend(further.cloned().collect::<Vec<_>>());
        planned.push((query.clone(), plan));
    }
    let mut planned = planned.into_iter();
    let answers = each.iter().map(|part| {
        let (at, role) = (part.at(), part.role);
        match survey::is_charged(&part.job).then(|| planned.next()).flatten() {
            Some((query, plan)) => PlannedAnswer { at, role, query, plan: Some(plan) },
            None => {
                let query = part.job.query.clone();
                PlannedAnswer { at, role, query, plan: None }
            }
        }
    });
    let answers = answers.collect();
    Ok(Answer::from_content(PlannedSurvey { answers, split }).with_warnings(warnings))
}

/// Task of the plan of an answer, and its query, completed by the types of columns.
fn opened<'a>(
    whole: &Task<'_>,
    part: &'a Part,
    population: &Population,
    given: &JobInputs,
) -> Result<OpenPart<'a>> {
    let one = &part.job;
    let task = Task::for_plan(one, population, given.clone())?;
    plan::check(&task, &part.population(population))?;
    let task = Task { record_source: Rc::clone(&whole.record_source), ..task };
    let query = task.completed(one)?;
    Ok(OpenPart { part, task, query })
}

/// Gives each answer the part of the budgets that it has in a release.
fn share_out(
    opened: &mut [OpenPart<'_>],
    tables: &[Option<Tables>],
    population: &Population,
) -> Result<SurveySplit> {
    let asked = opened.iter_mut().zip(tables).filter(|(one, _)| has_share(one.part));
    let mut asked: Vec<_> = asked.collect();
    let people = asked.iter().map(|(OpenPart { task, query, .. }, tables)| {
        match (tables, &population.profile) {
            (Some(tables), _) => members::people(query, tables),
            (None, Some(assumed)) => {
                let left = accounts::people(task, assumed)?;
                left.map_or_else(|| Ok(assumed.clone()), |table| table.profile()).map(Some)
            }
            (None, None) => Ok(None),
        }
    });
    let people = people.collect::<Result<Vec<_>>>()?;
    let mut queries: Vec<&mut Query> = asked.iter_mut().map(|(one, _)| &mut one.query).collect();
    shares::equalize_errors(&mut queries, &people)
}

/// Reads the data once for all plans: their people, or those of each group.
fn read(whole: &Task<'_>, opened: &[OpenPart<'_>]) -> Result<Vec<Tables>> {
    let scan = |OpenPart { part, task, query }: &OpenPart<'_>| {
        let scan =
            || Ok(Scan { group: query.divided_by()?, ..tables::scan_without_groups(task, None)? });
        scan().map_err(|refused| part.within(refused))
    };
    let scans = opened.iter().map(scan).collect::<Result<Vec<_>>>()?;
    let readings = reading::each(whole, &scans);
    for OpenPart { part, task, .. } in opened {
        accounts::check_read(task, Ok(())).map_err(|refused| part.within(refused))?;
    }
    let readings = readings.map_err(|refusal| opened[refusal.scan].part.within(refusal.error))?;
    let tables = opened.iter().zip(readings).map(|(OpenPart { part, task, .. }, reading)| {
        reading::note(task, &reading)?;
        tables::load(task, Some(reading)).map_err(|refused| part.within(refused))
    });
    tables.collect()
}

/// Plan of one of several answers; `None` for a public one.
struct PlannedAnswer {
    /// Index of the requested answer that it belongs to.
    at: usize,
    role: AnswerRole,
    query: Query,
    plan: Option<Answer>,
}

/// Plans of several answers, and the origin of their parts.
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
        for one in &self.answers {
            let (column, share) = (one.query.value.as_deref(), one.share());
            text += &match one.role {
                AnswerRole::BoundsCheck => suum_report::check_heading(column, share, view),
                AnswerRole::GroupSizes => suum_report::group_sizes_heading(share, view),
                AnswerRole::Requested => {
                    suum_report::answer_heading(one.at, &one.query.named(), share, view)
                }
            };
            text += &one.plan.as_ref().map_or_else(String::new, |plan| plan.text_for(&view.part()));
        }
        text + &suum_report::answer_split(self.split, view) + &suum_report::details_text(view)
    }

    fn json(&self, _: &More) -> Result<String> {
        let answer = |one: &PlannedAnswer| -> Result<Value> {
            let read = |json: String| serde_json::from_str(&json).ok();
            let plan = one.plan.as_ref().map(Answer::json).transpose()?.and_then(read);
            let mut said = plan.unwrap_or_else(|| json!({"statistic": one.query.statistic}));
            said["share"] = json!(one.share());
            if let (Value::Object(said), Value::Object(role)) = (&mut said, json!(one.role)) {
                said.extend(role);
            }
            Ok(said)
        };
        let answers = self.answers.iter().map(answer).collect::<Result<Vec<_>>>()?;
        suum_report::json(&json!({"answers": answers, "shares": self.split}))
    }

    fn page(&self, _: &dyn Voice, _: &Beside) -> Option<Page> {
        let named = self.answers.iter().map(|one| match one.role {
            AnswerRole::Requested => one.query.named(),
            AnswerRole::BoundsCheck => "the bounds of the answer before it, checked".to_owned(),
            AnswerRole::GroupSizes => "sizes of the groups of the answer behind it".to_owned(),
        });
        let named: Vec<String> = named.collect();
        let pages = self.answers.iter().zip(&named).map(|(one, what)| {
            (
                what.as_str(),
                one.share(),
                one.plan.as_ref().and_then(|plan| plan.page(&View::default())),
            )
        });
        Some(suum_report::survey_plan_page(pages, self.split))
    }
}
