//! Running a job: reads the data, opens the accounts, and lets a statistic make its release.

mod accounts;
mod add_remove;
mod assumed;
mod columns;
mod consent;
mod declared;
mod editions;
mod found_categories;
mod found_groups;
mod goal;
mod grouped;
mod levels;
mod members;
mod missing;
mod notes;
mod parts;
mod plan;
mod reading;
mod ready;
mod register;
mod release;
mod shares;
mod statistic;
mod step;
mod strata;
mod study;
mod survey;
mod survey_plan;
mod tables;
mod unbounded;
mod weights;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use suum_core::{Neighbors, PersonValue, Result};
use suum_data::{Progress, Tiers};

use crate::accountant::Accountant;
use crate::query::{AnswerQuery, Query};
use crate::statistic::StatisticName;
use crate::{Answer, Charge, DataSource, Job, JobInputs, Population};
use accounts::{Calibration, Cost};
use columns::Reads;
use editions::Paying;
use grouped::Tables;
use notes::Notes;
use reading::RecordSource;
use register::RegisterReading;

pub(crate) use consent::{check_is_no_database, read_table};
pub use levels::{Levels, level_table};
pub use study::init_study;

pub use plan::planned;

/// Running job.
pub(crate) struct Task<'a> {
    query: &'a Query,
    /// Job as submitted, without anything that is derived from the data.
    asked: &'a Job,
    source: &'a DataSource,
    charge: &'a Charge,
    given: JobInputs,
    /// Location of the records, once it was opened.
    record_source: Rc<RefCell<Option<RecordSource>>>,
    /// Tables of a plan, if they were read together with those of others.
    tables: RefCell<Option<Tables>>,
    /// Choices of a register, once it was read.
    consent: Rc<OnceCell<RegisterReading>>,
    /// Progress, for an observer.
    progress: Arc<Progress>,
    /// Remarks collected while data are read, for the answer.
    noted: Rc<Notes>,
    /// Allowed budget of each tier, or the remaining one if tiers have accounts.
    tiers: Option<Tiers>,
    /// Accounts of the release, until it is made.
    accountant: Rc<RefCell<Option<Accountant>>>,
    /// True if the release is one of values, not of the number of records.
    of_values: bool,
    /// Value with which persons with many rows count.
    person_value: PersonValue,
    /// True if people are assumed, and no records are read.
    assumes_people: bool,
}

impl<'a> Task<'a> {
    fn new(job: &'a Job, given: JobInputs) -> Self {
        let progress = given.progress.clone().unwrap_or_default();
        Self {
            progress,
            query: &job.query,
            asked: job,
            source: &job.source,
            charge: &job.charge,
            given,
            record_source: Rc::default(),
            tables: RefCell::default(),
            consent: Rc::default(),
            noted: Rc::default(),
            tiers: job.query.levels.clone(),
            accountant: Rc::default(),
            of_values: false,
            person_value: match job.query.person {
                Some(_) => statistic::person_value(&job.query),
                None => PersonValue::default(),
            },
            assumes_people: false,
        }
    }

    /// Creates the task of a plan, with its accounts.
    fn for_plan(job: &'a Job, population: &Population, given: JobInputs) -> Result<Self> {
        job.check_population(population)?;
        let mut task = Self::new(job, given);
        task.assumes_people = population.profile.is_some();
        accounts::open(&mut task, calibration(&job.query), Cost::Charged, Reads::Counts)?;
        Ok(task)
    }

    /// Creates the task of one of several answers: with its own query, the same records, and the
    /// same accounts.
    fn for_answer<'b>(&self, job: &'b Job, given: JobInputs) -> Task<'b> {
        let (accountant, noted) = (Rc::clone(&self.accountant), Rc::clone(&self.noted));
        let (record_source, progress) =
            (Rc::clone(&self.record_source), Arc::clone(&self.progress));
        let consent = Rc::clone(&self.consent);
        let of_values = reads(&job.query) != Reads::Counts;
        let tiers = self.tiers.clone();
        Task {
            accountant,
            noted,
            record_source,
            progress,
            consent,
            tiers,
            of_values,
            ..Task::new(job, given)
        }
    }

    /// Query of a job of the same records, completed by what is public of them: their groups, their
    /// design weights, and the step that the type of a column tells.
    fn completed(&self, job: &Job) -> Result<Query> {
        let mut job = job.clone();
        for complete in [
            found_groups::complete_from_data,
            weights::complete_from_data,
            step::complete_from_type,
        ] {
            let assumes_people = self.assumes_people;
            let of_job = Task { assumes_people, ..self.for_answer(&job, self.given.clone()) };
            if let Some(query) = complete(&of_job)? {
                job.query = query;
            }
        }
        Ok(job.query)
    }

    /// Returns true if there are records to read.
    fn has_data(&self) -> bool {
        self.source.data.is_some() || self.given.records.is_some()
    }

    /// Returns true if participation is hidden.
    fn hides_participation(&self) -> bool {
        self.query.neighbors.hides_participation()
    }
}

/// Running a job.
impl Job {
    /// Reads the data, and publishes the answer.
    ///
    /// # Errors
    ///
    /// Fails if the statistic refuses, the data lack something, or the accounts are exhausted.
    pub fn run(&self) -> Result<Answer> {
        self.run_with(JobInputs::default())
    }

    /// Runs like [`run`](Self::run), with inputs in memory in place of those that the job names.
    ///
    /// # Errors
    ///
    /// Fails like [`run`](Self::run).
    pub fn run_with(&self, given: JobInputs) -> Result<Answer> {
        if self.has_several() {
            return survey::run(self, given);
        }
        missing::check(self, &given)?;
        let resolved = self.resolved()?;
        resolved.check()?;
        let query = &resolved.query;
        let mut task = Task::new(&resolved, given);
        let _turn = match editions::paying(&task)? {
            Paying::Mine(turn) => turn,
            Paying::Done(answer) => return Ok(answer.with_query(self.clone())),
        };
        accounts::open(&mut task, calibration(query), cost(query), reads(query))?;
        let completed = task.completed(&resolved)?;
        task.query = &completed;
        let with_labels = found_categories::complete_from_data(&task)?;
        task.query = with_labels.as_ref().unwrap_or(&completed);
        let answer = release::run(&task)?;
        Ok(task.noted.onto(answer).with_query(self.clone()))
    }

    /// Plans a release from public facts alone: its cost and its expected error, for the people in
    /// the data, or for an assumed population.
    ///
    /// # Errors
    ///
    /// Fails if the statistic refuses, or the data lack something.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::{JobInputs, Population};
    ///
    /// let population =
    ///     Population { profile: Some("0.1:3400,inf:23".parse()?), ..Population::default() };
    /// let job = suum::Job::default().mean("visits", 0.0..=77.0);
    /// assert!(job.plan(&population, JobInputs::default())?.text().contains("expected error"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn plan(&self, population: &Population, given: JobInputs) -> Result<Answer> {
        let (command, dataset) = (self.asking_for_plan(population), self.charge.dataset.clone());
        if self.has_several() {
            let answer = survey_plan::plan(self, population, &given)?;
            return Ok(answer.with_plan_command(command, dataset));
        }
        let resolved = self.resolved()?;
        resolved.check_planned()?;
        let mut task = Task::for_plan(&resolved, population, given)?;
        let completed = task.completed(&resolved)?;
        task.query = &completed;
        let answer = plan::run(&task, population)?.with_plan_command(command, dataset);
        Ok(task.noted.onto(answer))
    }
}

impl Job {
    /// Returns true if there are several answers, or one beside which something is released: the
    /// share of values at its bounds, or the sizes of its groups.
    fn has_several(&self) -> bool {
        let query = || self.query.clone().with_add_remove_missing();
        !self.answers.is_empty() || self.query.check_bounds.is_some() || query().counts_groups()
    }

    /// Job with the defaults that depend on the ledger, and on the treatment of missing values and
    /// missing choices.
    fn resolved(&self) -> Result<Self> {
        let is_charged = self.charge.ledger.is_some();
        let resolved = |query: &Query| {
            let query = query.clone().with_add_remove_missing();
            let query = if is_charged { query.with_accounts() } else { query };
            // A level table with them is refused later.
            match self.source.from_levels {
                Some(_) => Ok(query),
                None => query.with_missing_consent(is_charged, self.source.has_decisions()),
            }
        };
        let answers = self
            .answers
            .iter()
            .map(|answer| Ok(AnswerQuery { query: resolved(&answer.query)?, share: answer.share }));
        let answers = answers.collect::<Result<_>>()?;
        Ok(Self { query: resolved(&self.query)?, answers, ..self.clone() })
    }
}

/// Possibility of a target: the error of the release may follow from a public profile.
fn calibration(query: &Query) -> Calibration {
    // Without bounds the error depends on what is found.
    let unknown = query.wants_range()
        || query.adapt
        || matches!(query.statistic, StatisticName::Count | StatisticName::Several(_));
    match query.neighbors {
        Neighbors::ReplaceOne if !unknown => Calibration::Possible,
        _ => Calibration::Impossible,
    }
}

/// Cost of the release: charged or free.
fn cost(query: &Query) -> Cost {
    match (&query.statistic, query.neighbors) {
        (StatisticName::Count, Neighbors::ReplaceOne) => Cost::Free,
        _ => Cost::Charged,
    }
}

/// Facts about the data that the release shows.
fn reads(query: &Query) -> Reads<'_> {
    match query.statistic {
        StatisticName::Count => Reads::Counts,
        _ => Reads::Values(query.value.as_deref()),
    }
}
