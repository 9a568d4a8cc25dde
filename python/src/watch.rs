//! Long work beside the interpreter, which stays free to be interrupted and to show how far it is.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use suum::{Error, Progress, Result};

use crate::errors::raised;

/// How often signals are looked at.
const PAUSE: Duration = Duration::from_millis(100);

/// How long work may take before anything is shown.
const QUIET: Duration = Duration::from_secs(1);

/// Lets another thread do the work, without the lock of the interpreter.
///
/// Whoever interrupts it ends the scan, and so the work, before the exception is raised.
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    progress: &Progress,
    show: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> PyResult<Result<T>> {
    let (done, mut finished) = channel();
    let start = Instant::now();
    let worker = thread::spawn(move || done.send(work()));
    let mut interrupt = None;
    let result = loop {
        let waited;
        (waited, finished) = py.detach(move || (finished.recv_timeout(PAUSE), finished));
        match waited {
            Ok(result) => break Some(result),
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if interrupt.is_some() {
            continue;
        }
        let looked = py.check_signals().and_then(|()| match show {
            Some(show) if start.elapsed() > QUIET => {
                show.call1((progress.bytes(), progress.total())).map(drop)
            }
            _ => Ok(()),
        });
        if let Err(interrupted) = looked {
            progress.cancel();
            interrupt = Some(interrupted);
        }
    };
    drop(py.detach(|| worker.join()));
    match (interrupt, result) {
        (Some(interrupt), _) => Err(interrupt),
        (None, Some(result)) => Ok(result),
        // The worker has panicked.
        (None, None) => {
            Err(raised(py, &Error::internal("internal error: suum has failed; nothing was released")))
        }
    }
}
