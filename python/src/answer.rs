//! Commands and their answers.

use std::sync::Arc;

use pyo3::prelude::*;
use suum::Progress;
use suum_cli::Given;

use crate::errors::raised;
use crate::records::Records;
use crate::watch::watched;

/// What a command has to say.
#[pyclass(frozen, module = "suum._suum")]
pub(crate) struct Answer(pub(crate) suum_cli::Answer);

#[pymethods]
impl Answer {
    /// The answer in words and figures.
    fn text(&self) -> String {
        self.0.text()
    }

    /// The answer as JSON.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.json().map_err(|refused| raised(py, &refused))
    }

    /// The answer as SVG, if it can be drawn.
    fn drawing(&self) -> Option<String> {
        self.0.drawing()
    }

    /// The answer as a page of HTML that stands alone.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.0.html().map_err(|refused| raised(py, &refused))
    }

    /// Why what was asked for cannot be relied on, although there is an answer.
    fn refusal(&self, py: Python<'_>) -> Option<PyErr> {
        self.0.refusal().map(|refused| raised(py, refused))
    }
}

/// Runs a command, given in the words of the command line.
///
/// `records` stand for the data that the words would name, and `levels` for what a file of a level table would hold. `show` is
/// called ten times a second, from the first second on, with the bytes read and, if known, their total.
#[pyfunction]
#[pyo3(signature = (words, records=None, levels=None, show=None))]
pub(crate) fn run(
    py: Python<'_>,
    words: Vec<String>,
    records: Option<&Bound<'_, PyAny>>,
    levels: Option<&[u8]>,
    show: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let asked = suum_cli::parse(words.iter().map(String::as_str)).map_err(|refused| raised(py, &refused))?;
    let records = records.map(Records::new).transpose()?.map(Arc::new);
    let progress = Arc::new(Progress::default());
    let given = Given {
        words,
        records: records.clone().map(|records| records as Arc<dyn suum_cli::Held>),
        levels: levels.map(<[u8]>::to_vec),
        progress: Some(Arc::clone(&progress)),
    };
    let answer = watched(py, &progress, show, move || suum_cli::answer(asked, given))?;
    answer.map(Answer).map_err(|refused| {
        let refused = raised(py, &refused);
        refused.set_cause(py, records.and_then(|records| records.failure()));
        refused
    })
}

/// What a level table file holds, or the result of a level query, as `suum levels` writes it; `None` if it is a result with
/// a table for each group.
#[pyfunction]
pub(crate) fn level_table(py: Python<'_>, file: &[u8]) -> PyResult<Option<String>> {
    py.detach(|| suum_cli::level_table(file)).map_err(|refused| raised(py, &refused))
}

/// The options of a command: name, default, choices, and whether it is a flag.
#[pyfunction]
pub(crate) fn options(command: &str) -> Vec<(String, Option<String>, Vec<String>, bool)> {
    let options = suum_cli::options(command).into_iter();
    options.map(|option| (option.name, option.default, option.choices, option.is_flag)).collect()
}
