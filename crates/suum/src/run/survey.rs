//! Several answers in one release: all of them are made or none, and they share every budget.

use serde_json::{Value, json};
use suum_core::{Error, Randomness, Releases, Result, Share, Survey, SurveyAnswer};
use suum_ledger::Columns;
use suum_report::{Beside, View};

use super::accounts::{self, Cost};
use super::editions::Paying;
use super::ready::Ready;
use super::{Task, columns, cost, editions, missing, reads, release, step};
use crate::answer::{Content, More};
use crate::query::{Query, place};
use crate::{Answer, Given, Job, Population};

/// An answer of which the data were read.
struct Read {
    share: Option<Share>,
    ready: Ready,
}

pub(super) fn run(job: &Job, given: Given) -> Result<Answer> {
    job.check_each(|one| missing::check(one, &given))?;
    job.check()?;
    let resolved = job.resolved()?;
    let each = each(&resolved)?;
    let mut whole = Task::new(&resolved, given.clone());
    let _turn = match editions::paying(&whole)? {
        Paying::Mine(turn) => turn,
        Paying::Done(answer) => return Ok(answer.with_query(job.clone())),
    };
    let is_charged = each.iter().any(|one| cost(&one.query) == Cost::Charged);
    let all = if is_charged { Cost::Charged } else { Cost::Free };
    let columns = columns(&each)?;
    accounts::open_for(&mut whole, all, columns)?;
    let mut answers = Vec::with_capacity(each.len());
    for (at, one) in each.iter().enumerate() {
        let read = read(&whole, one, given.clone());
        answers.push(read.map_err(|refused| refused.within(&place(at)))?);
    }
    let randomness = whole.query.randomness()?;
    let draw = move |randomness: &mut Randomness| drawn(answers, randomness);
    let answer = match all {
        Cost::Charged => accounts::release(&whole, randomness, draw)?,
        Cost::Free => {
            let releases = draw(&mut { randomness })?;
            accounts::publish(&whole)?;
            Answer::of(releases)
        }
    };
    Ok(whole.noted.onto(answer).with_query(job.clone()))
}

/// What each answer would cost and how good it would be.
pub(super) fn plan(job: &Job, population: &Population, given: &Given) -> Result<Answer> {
    job.check_planned()?;
    let mut plans = Vec::with_capacity(job.answers.len());
    let mut warnings: Vec<String> = Vec::new();
    for (at, one) in each(&job.resolved()?)?.into_iter().enumerate() {
        let plan = match cost(&one.query) {
            Cost::Free => None,
            Cost::Charged => {
                let plan = one.plan(population, given.clone());
                Some(plan.map_err(|refused| refused.within(&place(at)))?)
            }
        };
        let further = plan.iter().flat_map(Answer::warnings).cloned();
        warnings.extend(further.filter(|warning| !warnings.contains(warning)).collect::<Vec<_>>());
        plans.push(PlannedAnswer { query: one.query, plan });
    }
    Ok(Answer::of(PlannedSurvey(plans)).with_warnings(warnings))
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

/// The job of each answer, with its part of every budget. Counts that are public need none.
fn each(job: &Job) -> Result<Vec<Job>> {
    let mut jobs: Vec<Job> = job.each().collect();
    let is_charged = |one: &Job| cost(&one.query) == Cost::Charged;
    let parts = job.answers.iter().zip(&jobs).filter(|(_, one)| is_charged(one));
    let parts: Vec<f64> = parts.map(|(answer, _)| answer.share.unwrap_or(1.0)).collect();
    if parts.is_empty() {
        return Ok(jobs);
    }
    let shares = Share::split(&parts).map_err(|_| {
        Error::parameter("share: they lie too far apart")
            .with_hint("no answer can have less than 1e-9 of every budget")
    })?;
    for (one, share) in jobs.iter_mut().filter(|one| is_charged(one)).zip(shares) {
        one.query.part = share;
    }
    Ok(jobs)
}

/// The columns that all answers read together.
///
/// # Errors
///
/// Refuses a column whose values one answer protects, and by which another one tells groups apart
/// that are public.
fn columns(each: &[Job]) -> Result<Columns> {
    let mut all = Columns::default();
    for one in each {
        let of_one = columns::named(&Task::new(one, Given::default()), reads(&one.query));
        all.values.extend(of_one.values);
        all.published.extend(of_one.published);
        all.declared.extend(of_one.declared);
    }
    let is_public = |name: &&String| {
        let same = |other: &String| Columns::are_one(other, name);
        all.published.iter().any(same) && !all.declared.iter().any(same)
    };
    match all.values.iter().find(is_public) {
        Some(name) => Err(Error::request(format!(
            "answers: one protects the values of column {name}, and in another one they are public \
             as group, tier, budget or person"
        ))
        .with_hint("leave one of the two answers out")),
        None => Ok(all),
    }
}

/// Reads the data for one answer.
fn read(whole: &Task<'_>, one: &Job, given: Given) -> Result<Read> {
    let mut task = whole.of_answer(one, given);
    let stepped = step::of_type(&task)?;
    task.query = stepped.as_ref().unwrap_or(&one.query);
    let ready = release::ready(&task)?;
    accounts::has_read(whole)?;
    let share = match ready {
        Ready::Free(_) => None,
        Ready::Draw(_) => Some(one.query.part),
    };
    Ok(Read { share, ready })
}

/// Makes all answers, or refuses all.
fn drawn(answers: Vec<Read>, randomness: &mut Randomness) -> Result<Releases> {
    let mut made = Vec::with_capacity(answers.len());
    for (at, Read { share, ready }) in answers.into_iter().enumerate() {
        let releases = match ready {
            Ready::Free(releases) => Ok(releases),
            Ready::Draw(draw) => draw(randomness),
        };
        let releases = releases.map_err(|refused| {
            let refused = refused.within(&place(at));
            match at {
                0 => refused,
                _ => refused.adding("the answers before it are not shown, and have spent theirs"),
            }
        })?;
        made.push(SurveyAnswer { share, releases });
    }
    Survey::new(made).map(Releases::Survey)
}
