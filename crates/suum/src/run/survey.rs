//! Several answers in one release: all of them are made or none, and they share every budget.

use suum_core::{
    AnswerRole, DeclaredBudgets, Error, GroupName, Randomness, Release, Releases, Result, Share,
    SmallGroups, Survey, SurveyAnswer, SurveySplit, leave_out, option,
};
use suum_data::Scan;
use suum_ledger::Columns;

use super::accounts::{self, Cost};
use super::editions::Paying;
use super::parts::Part;
use super::ready::Ready;
use super::release::Input;
use super::{Task, columns, cost, editions, missing, reading, reads, release, shares};
use crate::query::Query;
use crate::{Answer, Job, JobInputs};

/// Answer for which the data were read.
struct ReadAnswer {
    part: Part,
    share: Option<Share>,
    ready: Ready,
}

pub(super) fn run(job: &Job, given: JobInputs) -> Result<Answer> {
    match job.answers.is_empty() {
        true => missing::check(job, &given)?,
        false => job.check_each(|one| missing::check(one, &given))?,
    }
    job.check()?;
    let resolved = job.resolved()?;
    let (each, split) = each(&resolved)?;
    let mut whole = Task::new(&resolved, given.clone());
    let _turn = match editions::paying(&whole)? {
        Paying::Mine(turn) => turn,
        Paying::Done(answer) => return Ok(answer.with_query(job.clone())),
    };
    let all =
        if each.iter().any(|part| is_charged(&part.job)) { Cost::Charged } else { Cost::Free };
    let columns = columns(&each, &given)?;
    accounts::open_for(&mut whole, all, columns)?;
    let (answers, split) = read(&whole, each, split, &given)?;
    let randomness = whole.query.randomness()?;
    let draw = move |randomness: &mut Randomness| drawn(answers, split, randomness);
    let answer = match all {
        Cost::Charged => accounts::release(&whole, randomness, draw)?,
        Cost::Free => {
            let releases = draw(&mut { randomness })?;
            accounts::publish(&whole)?;
            Answer::from_content(releases)
        }
    };
    Ok(whole.noted.onto(answer).with_query(job.clone()))
}

/// All parts of the release, each with its part of every budget: as declared, or equal ones. Public
/// counts need none. What is released beside an answer gets its part when that of the answer is
/// settled.
pub(super) fn each(job: &Job) -> Result<(Vec<Part>, SurveySplit)> {
    let mut parts = Part::all(job)?;
    let mut asked: Vec<&mut Part> = parts.iter_mut().filter(|part| has_share(part)).collect();
    let declared: Vec<Option<f64>> = asked.iter().map(|part| part.declared).collect();
    let is_declared = declared.len() < 2 || declared.iter().any(Option::is_some);
    let split = if is_declared { SurveySplit::Declared } else { SurveySplit::Equal };
    if declared.is_empty() {
        return Ok((parts, split));
    }
    let shares: Vec<f64> = declared.into_iter().map(|share| share.unwrap_or(1.0)).collect();
    let shares = Share::split(&shares).map_err(|_| {
        Error::parameter(option::SHARE, "they lie too far apart")
            .with_fix("no answer can have less than 1e-9 of every budget")
    })?;
    for (part, share) in asked.iter_mut().zip(shares) {
        part.job.query.part = share;
    }
    Ok((parts, split))
}

/// Returns true if a part has a share of its own: it was requested, and costs something.
pub(super) fn has_share(part: &Part) -> bool {
    part.is_requested() && is_charged(&part.job)
}

/// Returns true if an answer costs anything.
pub(super) fn is_charged(one: &Job) -> bool {
    cost(&one.query) == Cost::Charged
}

/// Returns true if participation and budgets are public.
pub(super) fn is_of_public_people(one: &Job) -> bool {
    !one.query.neighbors.hides_participation()
}

/// Columns that all answers read together.
///
/// # Errors
///
/// Refuses a column whose values one answer protects, and by which another one distinguishes public
/// groups.
fn columns(each: &[Part], given: &JobInputs) -> Result<Columns> {
    let mut all = Columns::default();
    let given = || JobInputs { origins: given.origins.clone(), ..JobInputs::default() };
    for Part { job, .. } in each {
        let of_one = columns::named(&Task::new(job, given()), reads(&job.query))?;
        all.values.extend(of_one.values);
        all.published.extend(of_one.published);
        all.declared.extend(of_one.declared);
    }
    let is_public = |name: &&String| {
        let same = |other: &String| Columns::are_one(other, name);
        all.published.iter().any(same) && !all.declared.iter().any(same)
    };
    match all.values.iter().find(is_public) {
        Some(name) => Err(Error::request(
            "answers",
            format!(
                "one protects the values of column {name}, and in another one they are public as \
                 group, tier, budget or person"
            ),
        )
        .with_fix("leave one of the two answers out")),
        None => Ok(all),
    }
}

/// Reads the data once for all answers, and prepares each release. If no parts were declared, and
/// participation is public, parts are set so that errors are equal.
fn read(
    whole: &Task<'_>,
    mut each: Vec<Part>,
    split: SurveySplit,
    given: &JobInputs,
) -> Result<(Vec<ReadAnswer>, SurveySplit)> {
    let mut scans = Vec::with_capacity(each.len());
    for part in &mut each {
        let scan = scan(whole, &mut part.job, given);
        scans.push(scan.map_err(|refused| part.within(refused))?);
    }
    let budgets: Vec<_> = scans.iter().map(|scan| scan.add_remove.clone()).collect();
    check_persons(whole, &each, &budgets)?;
    let readings = reading::each(whole, &scans);
    let readings = readings.map_err(|refusal| each[refusal.scan].within(refusal.error))?;
    let mut inputs = Vec::with_capacity(each.len());
    for (part, reading) in each.iter().zip(readings) {
        let task = whole.for_answer(&part.job, given.clone());
        reading::note(&task, &reading)?;
        let input = release::input(&task, Some(reading));
        inputs.push(input.map_err(|refused| part.within(refused))?);
    }
    let mut queries: Vec<Query> = each.iter().map(|part| part.job.query.clone()).collect();
    let is_public = each.iter().all(|part| is_of_public_people(&part.job));
    let split = match split {
        SurveySplit::Equal if is_public => {
            let asked = queries.iter_mut().zip(&inputs).zip(&each);
            let asked = asked.filter(|(_, part)| has_share(part)).map(|(asked, _)| asked);
            let (mut queries, inputs): (Vec<_>, Vec<_>) = asked.unzip();
            let people = inputs.iter().zip(&queries).map(|(input, query)| input.people(query));
            let people = people.collect::<Result<Vec<_>>>()?;
            shares::equalize_errors(&mut queries, &people)?
        }
        split => split,
    };
    let parts: Vec<&Part> = each.iter().collect();
    Part::settle(&parts, &mut queries.iter_mut().collect::<Vec<_>>())?;
    for (part, query) in each.iter_mut().zip(queries) {
        part.job.query = query;
    }
    let ready = |(part, input): (Part, Input)| {
        let ready = release::ready(&whole.for_answer(&part.job, given.clone()), input);
        let ready = ready.map_err(|refused| part.within(refused))?;
        let share = match ready {
            Ready::Free(_) => None,
            Ready::Draw(_) => Some(part.job.query.part),
        };
        Ok(ReadAnswer { part, share, ready })
    };
    let answers = each.into_iter().zip(inputs).map(ready);
    Ok((answers.collect::<Result<_>>()?, split))
}

/// Refuses answers that round budgets differently if persons have accounts, before the data are
/// read: each person is charged once for all answers.
pub(super) fn check_persons(
    task: &Task<'_>,
    each: &[Part],
    budgets: &[Option<DeclaredBudgets>],
) -> Result<()> {
    let are_alike = budgets.windows(2).all(|pair| pair[0] == pair[1]);
    if are_alike || !accounts::have_persons(task) {
        return Ok(());
    }
    let refused = Error::request(
        option::ADAPT,
        "a mean or a sum that learns where values lie rounds budgets down further than what is \
         asked beside it, and each person has one account for both",
    )
    .with_fix(
        leave_out(option::ADAPT)
            .say(", or ask for each answer, without")
            .option(option::CHECK_BOUNDS)
            .say(", on its own"),
    );
    Err(match each.iter().find(|part| part.job.query.adapt) {
        Some(part) => part.within(refused),
        None => refused,
    })
}

/// Scan for one answer, whose query is completed by the types of columns.
fn scan(whole: &Task<'_>, one: &mut Job, given: &JobInputs) -> Result<Scan> {
    one.query = whole.completed(one)?;
    release::scan(&whole.for_answer(one, given.clone()))?.ok_or_else(no_records)
}

fn no_records() -> Error {
    Error::internal("an answer is not of the records that all are of")
        .with_fix("please report it, with the options")
}

/// Makes all answers, or refuses all.
fn drawn(
    answers: Vec<ReadAnswer>,
    split: SurveySplit,
    randomness: &mut Randomness,
) -> Result<Releases> {
    let mut made: Vec<SurveyAnswer> = Vec::with_capacity(answers.len());
    let (mut small, mut are_all_small) = (None, false);
    for ReadAnswer { part, share, ready } in answers {
        if std::mem::take(&mut are_all_small) {
            continue;
        }
        let releases = match ready {
            Ready::Free(releases) => Ok(releases),
            Ready::Draw(draw) => draw(randomness, small.take()),
        };
        let releases = releases.map_err(|refused| {
            let refused = part.within(refused);
            match made.is_empty() {
                true => refused,
                false => {
                    refused.adding("the answers before it are not shown, and have spent theirs")
                }
            }
        })?;
        let mut answer = SurveyAnswer { share, releases, role: part.role };
        if part.role == AnswerRole::GroupSizes {
            small = found_small(&part.job.query, &answer.releases);
            let groups = answer.releases.iter().count();
            are_all_small = small.as_ref().is_some_and(|small| small.groups.len() == groups);
            if are_all_small {
                // There is no answer that could name them.
                answer.releases = answer.releases.without_small(small.take());
            }
        }
        made.push(answer);
    }
    Ok(Releases::Survey(Survey::new(made)?.with_split(split)))
}

/// Groups whose number of records, counted with noise, is less than is asked for.
fn found_small(query: &Query, sizes: &Releases) -> Option<SmallGroups> {
    let (Some(below), Releases::Groups(sizes)) = (query.suppress_below, sizes) else { return None };
    let is_small = |one: &&(GroupName, Option<Release>)| {
        one.1.as_ref().is_none_or(|size| size.estimate() < below as f64)
    };
    let groups = sizes.groups().iter().filter(is_small).map(|(name, _)| name.clone()).collect();
    Some(SmallGroups { below, groups })
}
