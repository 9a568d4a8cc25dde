//! Jobs and their answers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::channel;

use pyo3::prelude::*;
use pyo3::types::PyType;
use pythonize::{depythonize, pythonize};
use suum::{
    Entries, Error, HeldRecords, Job, JobInputs, LabelTypes, Levels, Progress, Result, WarningSink,
};

use crate::arguments::Arguments;
use crate::errors::raised;
use crate::record::record;
use crate::records::{Failure, Records};
use crate::watch::{BackgroundTask, done};

/// Answer of a job, or what one was in another process.
#[pyclass(frozen, module = "suum._suum")]
pub(crate) struct Answer(AnswerSource);

enum AnswerSource {
    Made(Box<suum::Answer>),
    Pickled(AnswerTexts),
}

/// Texts of an answer, by which it is pickled.
#[derive(Clone, FromPyObject, IntoPyObject)]
struct AnswerTexts {
    #[pyo3(item)]
    text: String,
    #[pyo3(item)]
    explained: String,
    #[pyo3(item)]
    json: String,
    /// `None` of an answer without a page.
    #[pyo3(item)]
    html: Option<String>,
    #[pyo3(item)]
    fragment: String,
    #[pyo3(item)]
    markdown: String,
    #[pyo3(item)]
    drawing: Option<String>,
}

impl From<suum::Answer> for Answer {
    fn from(answer: suum::Answer) -> Self {
        Self(AnswerSource::Made(Box::new(answer.in_voice(&suum::Python))))
    }
}

#[pymethods]
impl Answer {
    /// Answer with the texts of one that was pickled.
    #[new]
    fn new(texts: AnswerTexts) -> Self {
        Self(AnswerSource::Pickled(texts))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (AnswerTexts,))> {
        let texts = match &self.0 {
            AnswerSource::Pickled(texts) => texts.clone(),
            AnswerSource::Made(_) => AnswerTexts {
                text: self.text(),
                explained: self.explained(),
                json: self.json(py)?,
                html: self.html(py).ok(),
                fragment: self.fragment(),
                markdown: self.markdown(),
                drawing: self.drawing(),
            },
        };
        Ok((py.get_type::<Self>(), (texts,)))
    }

    /// Short text in words and figures.
    fn text(&self) -> String {
        match &self.0 {
            AnswerSource::Made(answer) => answer.text(),
            AnswerSource::Pickled(texts) => texts.text.clone(),
        }
    }

    /// Long text in words.
    fn explained(&self) -> String {
        match &self.0 {
            AnswerSource::Made(answer) => answer.explained(),
            AnswerSource::Pickled(texts) => texts.explained.clone(),
        }
    }

    /// Answer as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        match &self.0 {
            AnswerSource::Made(answer) => answer.json().map_err(|refused| raised(py, &refused)),
            AnswerSource::Pickled(texts) => Ok(texts.json.clone()),
        }
    }

    /// Answer as dictionaries and lists, read from its JSON.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let unread = || raised(py, &Error::internal("an answer cannot be read"));
        record(py, &self.json(py)?).ok_or_else(unread)
    }

    /// Answer as SVG, if it can be drawn.
    fn drawing(&self) -> Option<String> {
        match &self.0 {
            AnswerSource::Made(answer) => answer.drawing(),
            AnswerSource::Pickled(texts) => texts.drawing.clone(),
        }
    }

    /// Answer as a page of HTML that stands alone.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        match &self.0 {
            AnswerSource::Made(answer) => answer.html().map_err(|refused| raised(py, &refused)),
            AnswerSource::Pickled(texts) => Ok(texts.html.clone().unwrap_or_default()),
        }
    }

    /// Answer as a part of a page of HTML.
    fn fragment(&self) -> String {
        match &self.0 {
            AnswerSource::Made(answer) => answer.html_fragment(),
            AnswerSource::Pickled(texts) => texts.fragment.clone(),
        }
    }

    /// Answer as Markdown.
    fn markdown(&self) -> String {
        match &self.0 {
            AnswerSource::Made(answer) => answer.markdown(&suum::View::default()),
            AnswerSource::Pickled(texts) => texts.markdown.clone(),
        }
    }

    /// Warnings for the user, which one that was pickled has given already.
    fn warnings(&self) -> Vec<String> {
        match &self.0 {
            AnswerSource::Made(answer) => answer.warnings().to_vec(),
            AnswerSource::Pickled(_) => Vec::new(),
        }
    }

    /// Reason why the answer cannot be relied on, if there is one.
    fn refusal(&self, py: Python<'_>) -> Option<PyErr> {
        match &self.0 {
            AnswerSource::Made(answer) => answer.refusal().map(|refused| raised(py, refused)),
            AnswerSource::Pickled(_) => None,
        }
    }
}

/// Answer of which only its numbers are known, and the sentences that belong to them, in a
/// dictionary (`suum_report::Record`).
#[pyfunction]
pub(crate) fn answer_from_record(record: &Bound<'_, PyAny>) -> PyResult<Answer> {
    Ok(suum::Answer::from_record(depythonize(record)?).into())
}

/// Inputs of a job, as the attributes of an object in Python (`_data.Inputs`).
#[derive(FromPyObject)]
pub(crate) struct CallInputs<'py> {
    /// Records in place of the data that the job would name.
    records: Option<Bound<'py, PyAny>>,
    /// Register of choices in place of the one that the job would name.
    register: Option<Bound<'py, PyAny>>,
    /// Content of the file of a level table.
    levels: Option<Vec<u8>>,
    /// Columns that computed ones were made of, by the names of these.
    origins: BTreeMap<String, BTreeSet<String>>,
    /// Types of the declared labels of each answer.
    label_types: Bound<'py, PyAny>,
    /// Function that was called, where several functions make the same statistic.
    function: Option<String>,
}

/// Records, and a register of choices, if they are in memory.
type LentTables = [Option<Arc<Records>>; 2];

/// Does a job, given as a JSON object: a "release", a "plan", or a table of "levels".
///
/// `show` is called some twenty times a second, from the first second on, with the bytes read and,
/// if known, their total. `warn` is called with the warnings of a release, if there are any, before
/// it costs anything; what it raises ends the job.
#[pyfunction]
#[pyo3(signature = (kind, job, given, show=None, warn=None))]
pub(crate) fn run(
    py: Python<'_>,
    kind: String,
    job: Arguments,
    given: CallInputs<'_>,
    show: Option<&Bound<'_, PyAny>>,
    warn: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let CallInputs { records, register, levels, origins, label_types, function } = given;
    let types: Vec<LabelTypes> = depythonize(&label_types)?;
    let progress = Arc::new(Progress::default());
    let (hand, handed) = channel();
    let given = JobInputs {
        records: None,
        consent: None,
        levels,
        progress: Some(Arc::clone(&progress)),
        origins,
        warnings: None,
        voice: Some(&suum::Python),
    };
    let is_heard = warn.is_some();
    let work = BackgroundTask::begin(move |caller| {
        let asked = Task::new(&kind, job.0);
        // There are none if they cannot be had, which is said below.
        let tables: Option<LentTables> = handed.recv().ok();
        let answer = asked.and_then(|asked| {
            let Some([records, consent]) = tables.clone() else { return Ok(None) };
            let held = |one: Option<Arc<Records>>| one.map(|one| one as Arc<dyn HeldRecords>);
            let (records, consent) = (held(records), held(consent));
            let warnings = is_heard.then(|| Arc::new(caller) as Arc<dyn WarningSink>);
            asked.answer(JobInputs { records, consent, warnings, ..given }).map(Some)
        });
        // Dropping the tables may run Python code of their owners. On the main thread a signal
        // could arrive then, whose exception would be lost.
        Python::attach(|_| drop(tables));
        answer
    });
    // Meanwhile: both take their time when they are not fresh in memory.
    let failure = Failure::default();
    let lend = |table: Option<Bound<'_, PyAny>>| {
        let table = table.map(|table| Records::new(&table, failure.clone()));
        table.transpose().map(|table| table.map(Arc::new))
    };
    let unreadable = match lend(records).and_then(|records| Ok([records, lend(register)?])) {
        Ok(tables) => {
            // It waits for them.
            drop(hand.send(tables));
            None
        }
        Err(raised) => {
            drop(hand);
            Some(raised)
        }
    };
    match (work.wait(py, &progress, show, warn)?, unreadable) {
        (Err(refused), _) => {
            let refused = raised(py, &refused);
            refused.set_cause(py, failure.take());
            Err(refused)
        }
        (Ok(_), Some(unreadable)) => Err(unreadable),
        (Ok(Some(answer)), None) => {
            Ok(answer.with_label_types(types).with_function(function).into())
        }
        (Ok(None), None) => Err(raised(py, &Error::internal("the records were lost"))),
    }
}

/// Job of one of the three kinds.
enum Task {
    Release(Job),
    Plan(Job, suum::Population),
    Levels(Levels),
}

impl Task {
    fn new(kind: &str, entries: Entries) -> Result<Self> {
        match kind {
            "plan" => Job::with_population(entries).map(|(job, people)| Self::Plan(job, people)),
            "levels" => Levels::new(entries).map(Self::Levels),
            _ => Job::new(entries).map(Self::Release),
        }
    }

    fn answer(&self, given: JobInputs) -> Result<suum::Answer> {
        match self {
            Self::Release(job) => job.run_with(given),
            Self::Plan(job, population) => job.plan(population, given),
            Self::Levels(levels) => levels.read(given),
        }
    }
}

/// Job without options at their default, as a dictionary.
fn plain<'py>(py: Python<'py>, entries: Result<Entries>) -> PyResult<Bound<'py, PyAny>> {
    let job = entries.and_then(Job::new).map_err(|refused| raised(py, &refused))?;
    Ok(pythonize(py, &job)?)
}

/// Job without options at their default.
#[pyfunction]
pub(crate) fn plain_job<'py>(py: Python<'py>, job: Arguments) -> PyResult<Bound<'py, PyAny>> {
    plain(py, Ok(job.0))
}

/// Job without options at their default, completed by the descriptions of its `columns`, before all
/// of it is said.
#[pyfunction]
pub(crate) fn completed_job<'py>(py: Python<'py>, job: Arguments) -> PyResult<Bound<'py, PyAny>> {
    let job = Job::completed(job.0).map_err(|refused| raised(py, &refused))?;
    Ok(pythonize(py, &job)?)
}

/// Job in a file of TOML or JSON, or the one that made the release in it, without options at their
/// default.
#[pyfunction]
pub(crate) fn read_query<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let entries = match text.trim_start().starts_with('{') {
        true => Entries::from_json(text).map(Entries::into_request),
        false => Job::entries_of_toml(text),
    };
    plain(py, entries)
}

/// Options that a statistic has use for, except the location of its data.
#[pyfunction]
pub(crate) fn options(py: Python<'_>, statistic: &str) -> PyResult<Vec<&'static str>> {
    suum::Query::options(statistic).map_err(|refused| raised(py, &refused))
}

/// JSON Schema of a job.
#[pyfunction]
pub(crate) fn schema() -> String {
    Job::schema().to_string()
}

/// Names of the columns that a condition compares.
#[pyfunction]
pub(crate) fn filter_columns(py: Python<'_>, condition: &str) -> PyResult<Vec<String>> {
    let filter = condition.parse::<suum::Filter>().map_err(|refused| raised(py, &refused))?;
    Ok(filter.columns().to_vec())
}

/// Level query in a dialect of SQL.
#[pyfunction]
pub(crate) fn level_query(py: Python<'_>, dialect: &str, job: Arguments) -> PyResult<String> {
    let query = Levels::new(job.0).and_then(|levels| levels.sql(dialect.parse()?));
    query.map_err(|refused| raised(py, &refused))
}

/// Contents of a level-table file, or of the result of a level query, as `suum levels` writes them.
#[pyfunction]
pub(crate) fn level_table(py: Python<'_>, file: Vec<u8>) -> PyResult<String> {
    done(py, move || suum::level_table(&file))
}
