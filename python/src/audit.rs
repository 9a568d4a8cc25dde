//! Audits: of suum's own mechanisms, and of mechanisms in Python.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use suum::{Epsilon, Error, Neighbors, Profile, Randomness, Result};
use suum_audit::{
    Neighbours, Output, Progress, Promise, Report, Settings, Side, Subject, audit, chosen,
};

use crate::answer::Answer;
use crate::errors::raised;
use crate::watch::BackgroundTask;

/// Audits a function of Python.
///
/// `draw` is called with the position of a pair of datasets, a flag for the second of the two, and
/// seeds; it returns the numbers of a release for every seed, or nothing for a refused release.
/// `pairs` have the promise to the record in which they differ, and the difference.
#[pyfunction]
pub(crate) fn audit_function(
    py: Python<'_>,
    draw: Py<PyAny>,
    name: String,
    pairs: Vec<(f64, String)>,
    runs: u64,
    confidence: f64,
    seed: u64,
) -> PyResult<Answer> {
    let function = Function::new(draw, name, pairs).map_err(|refused| raised(py, &refused))?;
    let function = Arc::new(function);
    let settings = Settings { runs, confidence, seed };
    let progress = Arc::new(suum::Progress::default());
    let (asked, watched) = (Arc::clone(&function), Arc::clone(&progress));
    let work = BackgroundTask::begin(move |_| {
        audit(&[&*asked], &settings, &Progress::until(move || watched.is_cancelled()))
    });
    let found = work.wait(py, &progress, None, None)?;
    if let Some(failure) = function.failure() {
        return Err(failure);
    }
    found.map(to_answer).map_err(|refused| raised(py, &refused))
}

/// Audits the mechanisms of suum itself, or its specimens; `profile` is text.
#[pyfunction]
#[pyo3(signature = (mechanism, profile, statistic, neighbors, runs, confidence, seed))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn audit_named(
    py: Python<'_>,
    mechanism: String,
    profile: String,
    statistic: Option<String>,
    neighbors: Option<String>,
    runs: Option<u64>,
    confidence: f64,
    seed: u64,
) -> PyResult<Answer> {
    let progress = Arc::new(suum::Progress::default());
    let watched = Arc::clone(&progress);
    let work = BackgroundTask::begin(move |_| {
        let people: Profile = profile.parse()?;
        let neighbors: Option<Neighbors> = neighbors.map(|one| one.parse()).transpose()?;
        let chosen = chosen(&mechanism, &people, statistic.as_deref(), neighbors)?;
        let settings = Settings { runs: runs.unwrap_or(chosen.runs), confidence, seed };
        let subjects: Vec<&dyn Subject> = chosen.subjects.iter().map(|one| &**one).collect();
        audit(&subjects, &settings, &Progress::until(move || watched.is_cancelled()))
    });
    let found = work.wait(py, &progress, None, None)?;
    found.map(to_answer).map_err(|refused| raised(py, &refused))
}

/// Answer with the findings of an audit.
fn to_answer(found: Report) -> Answer {
    let (drawn, refusal) = (found.clone(), found.refusal());
    let answer = suum::Answer::new(found, Report::text, |found| {
        serde_json::to_string_pretty(found)
            .map(|text| text + "\n")
            .map_err(|_| Error::internal("an audit has no JSON form"))
    });
    answer.with_drawing(move || drawn.svg()).with_refusal(refusal).into()
}

struct Function {
    draw: Py<PyAny>,
    name: String,
    promises: Vec<Promise>,
    neighbours: Vec<Neighbours>,
    // Exception that the function raised.
    failure: Mutex<Option<PyErr>>,
}

impl Function {
    fn new(draw: Py<PyAny>, name: String, pairs: Vec<(f64, String)>) -> Result<Self> {
        if pairs.is_empty() {
            return Err(Error::parameter("pairs", "there are none")
                .with_fix("give [(epsilon, one, other)]"));
        }
        let mut promises: Vec<Promise> = Vec::new();
        let mut neighbours = Vec::new();
        for (epsilon, difference) in pairs {
            let promise = Promise::all_of(Epsilon::new(epsilon)?);
            let known = promises.iter().position(|known| *known == promise);
            neighbours.push(Neighbours { promise: known.unwrap_or(promises.len()), difference });
            if known.is_none() {
                promises.push(promise);
            }
        }
        Ok(Self { draw, name, promises, neighbours, failure: Mutex::new(None) })
    }

    fn failure(&self) -> Option<PyErr> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Seed that any generator accepts: a positive number of 63 binary digits.
fn seed(randomness: &mut Randomness) -> u64 {
    randomness.index_below(1 << 63)
}

impl Subject for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn promises(&self) -> &[Promise] {
        &self.promises
    }

    fn neighbours(&self) -> &[Neighbours] {
        &self.neighbours
    }

    fn release(&self, neighbours: usize, side: Side, randomness: &mut Randomness) -> Output {
        let one = self.releases(neighbours, side, 0..1, randomness);
        one.ok().and_then(|mut one| one.pop()).unwrap_or(Output::Refused)
    }

    /// Calls once for all runs, because every call waits for the interpreter.
    fn releases(
        &self,
        neighbours: usize,
        side: Side,
        runs: Range<u64>,
        randomness: &Randomness,
    ) -> Result<Vec<Output>> {
        let seeds: Vec<u64> = runs.map(|run| seed(&mut randomness.fork(run))).collect();
        let drawn = Python::attach(|py| {
            let drawn = self.draw.call1(py, (neighbours, side == Side::Other, seeds))?;
            drawn.extract::<Vec<Option<Vec<f64>>>>(py)
        });
        match drawn {
            Ok(drawn) => Ok(drawn
                .into_iter()
                .map(|numbers| numbers.map_or(Output::Refused, Output::Numbers))
                .collect()),
            Err(failure) => {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
                Err(Error::request("function", "it raised an exception")
                    .with_fix("let it return nothing for a release that it refuses"))
            }
        }
    }
}
