//! Long work beside the interpreter, which stays free to be interrupted and to show how far it is.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use suum::{Error, Progress, Result};

use crate::errors::raised;

/// How often signals are looked at.
const PAUSE: Duration = Duration::from_millis(50);

/// How long somebody who interrupts work waits for it to end. Scans end at once; noise of many
/// records, or a plan for many budgets, can take longer.
const GRACE: Duration = Duration::from_millis(80);

/// How long work may take before anything is shown.
const QUIET: Duration = Duration::from_secs(1);

/// Threads that have done their work and wait for more: as many as there ever were calls at the
/// same time.
static RESTING: Mutex<Vec<Thread>> = Mutex::new(Vec::new());

/// A thread, by the way to hand it work.
#[derive(Clone)]
struct Thread(Sender<Work>);

/// What a thread is to do; it has to let the thread rest in the end.
type Work = Box<dyn FnOnce(Thread) + Send>;

/// What another thread is doing.
pub(crate) struct BackgroundTask<T> {
    finished: Receiver<Result<T>>,
    start: Instant,
}

/// What work comes to that nobody can make out how far it is: an interrupt does not wait for it.
pub(crate) fn done<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let done = BackgroundTask::begin(work).wait(py, &Progress::default(), None)?;
    done.map_err(|refused| raised(py, &refused))
}

impl<T: Send + 'static> BackgroundTask<T> {
    /// Lets another thread do the work.
    pub(crate) fn begin(work: impl FnOnce() -> Result<T> + Send + 'static) -> Self {
        let (done, finished) = channel();
        hand_over(Box::new(move |thread| {
            let result = work();
            resting().push(thread);
            // Somebody waits for it.
            drop(done.send(result));
        }));
        Self { finished, start: Instant::now() }
    }

    /// What has come of it; until then others have the interpreter.
    ///
    /// Whoever interrupts it ends the scan, and so the work, before the exception is raised. What
    /// does not end then goes on in its thread and comes to nothing: a charge to a ledger that has
    /// begun is settled there, and its answer is lost, as if the exception had come after it.
    pub(crate) fn wait(
        self,
        py: Python<'_>,
        progress: &Progress,
        show: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Result<T>> {
        let Self { mut finished, start } = self;
        let mut interrupt: Option<(PyErr, Instant)> = None;
        let result = loop {
            let waited;
            (waited, finished) = py.detach(move || (finished.recv_timeout(PAUSE), finished));
            match waited {
                Ok(result) => break Some(result),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            match &interrupt {
                Some((_, when)) if when.elapsed() > GRACE => break None,
                Some(_) => continue,
                None => {}
            }
            let looked = py.check_signals().and_then(|()| match show {
                Some(show) if start.elapsed() > QUIET => {
                    show.call1((progress.bytes(), progress.total())).map(drop)
                }
                _ => Ok(()),
            });
            if let Err(interrupted) = looked {
                progress.cancel();
                interrupt = Some((interrupted, Instant::now()));
            }
        };
        match (interrupt, result) {
            (Some((interrupt, _)), _) => Err(interrupt),
            (None, Some(result)) => Ok(result),
            // The thread has panicked, and is no more.
            (None, None) => Err(raised(
                py,
                &Error::internal("internal error: suum has failed; nothing was released"),
            )),
        }
    }
}

/// Drops something where no signal is looked at, without waiting for it.
pub(crate) fn drop_aside(thing: impl Send + 'static) {
    hand_over(Box::new(move |thread| {
        drop(thing);
        resting().push(thread);
    }));
}

/// Wakes a thread that rests, or starts one: the scan's own threads must not be kept from scans by
/// somebody who waits for a database.
fn hand_over(work: Work) {
    let thread = resting().pop().unwrap_or_else(|| {
        let (thread, works) = channel::<Work>();
        let thread = Thread(thread);
        let itself = thread.clone();
        thread::spawn(move || works.iter().for_each(|work| work(itself.clone())));
        thread
    });
    // It holds the other end for as long as it rests.
    drop(thread.0.send(work));
}

fn resting() -> MutexGuard<'static, Vec<Thread>> {
    RESTING.lock().unwrap_or_else(PoisonError::into_inner)
}
