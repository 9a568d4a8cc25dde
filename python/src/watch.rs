//! Long work in another thread, while the interpreter stays free for interrupts and for showing
//! progress.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use suum::{Error, Progress, Result, WarningSink};

use crate::errors::raised;

/// Interval at which signals are checked.
const PAUSE: Duration = Duration::from_millis(50);

/// Time for which an interrupt waits for the work to end. Scans end at once; noise of many records,
/// or a plan for many budgets, can take longer.
const GRACE: Duration = Duration::from_millis(80);

/// Time after which progress is shown.
const QUIET: Duration = Duration::from_secs(1);

/// Idle threads that wait for more work: as many as there ever were simultaneous calls.
static RESTING: Mutex<Vec<Thread>> = Mutex::new(Vec::new());

/// Thread, represented by the channel for its work.
#[derive(Clone)]
struct Thread(Sender<Work>);

/// Work of a thread; it has to return the thread to the idle ones in the end.
type Work = Box<dyn FnOnce(Thread) + Send>;

/// Message of a working thread to the one that waits for it.
enum Message<T> {
    /// The work is done.
    Done(Result<T>),
    /// Warnings of a release, which continues when it gets an answer.
    Warnings(Warnings),
}

/// Warnings, and the channel for whether one was raised as an error.
struct Warnings {
    texts: Vec<String>,
    answer: Sender<Result<()>>,
}

/// Channel from a working thread to the one that waits for it, on which warnings are raised, since
/// listeners for warnings are registered there.
#[derive(Clone)]
pub(crate) struct Caller(Arc<dyn Fn(Warnings) + Send + Sync>);

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Caller").finish()
    }
}

impl WarningSink for Caller {
    fn warn(&self, warnings: &[String]) -> Result<()> {
        let (answer, answered) = channel();
        (self.0)(Warnings { texts: warnings.to_vec(), answer });
        // Without an answer nobody waits any more.
        answered.recv().unwrap_or_else(|_| Err(stopped()))
    }
}

/// Refusal of a release that nobody waits for, or after a warning was raised as an error. The
/// exception of the warning is raised in place of it.
fn stopped() -> Error {
    Error::request("release", "it was stopped before it cost anything")
        .with_fix("ask for it again, without turning warnings into errors")
}

/// Work that runs in another thread.
pub(crate) struct BackgroundTask<T> {
    messages: Receiver<Message<T>>,
    start: Instant,
}

/// Result of work without measurable progress; an interrupt does not wait for it.
pub(crate) fn done<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> PyResult<T> {
    let done = BackgroundTask::begin(|_| work()).wait(py, &Progress::default(), None, None)?;
    done.map_err(|refused| raised(py, &refused))
}

impl<T: Send + 'static> BackgroundTask<T> {
    /// Starts the work in another thread.
    pub(crate) fn begin(work: impl FnOnce(Caller) -> Result<T> + Send + 'static) -> Self {
        let (sender, messages) = channel();
        hand_over(Box::new(move |thread| {
            let warnings = sender.clone();
            let caller = Caller(Arc::new(move |told| {
                // The sender learns from the missing answer that nobody waits.
                drop(warnings.send(Message::Warnings(told)));
            }));
            let result = work(caller);
            resting().push(thread);
            // Somebody waits for it.
            drop(sender.send(Message::Done(result)));
        }));
        Self { messages, start: Instant::now() }
    }

    /// Waits for the result; meanwhile other threads have the interpreter.
    ///
    /// An interrupt ends the scan, and so the work, before the exception is raised. Work that does
    /// not end then continues in its thread, and its result is dropped: a charge to a ledger that
    /// has begun is settled there, and its answer is lost, as if the exception had come after it.
    ///
    /// `warn` is called with the warnings of a release. If it raises, the release is refused before
    /// it costs anything.
    pub(crate) fn wait(
        self,
        py: Python<'_>,
        progress: &Progress,
        show: Option<&Bound<'_, PyAny>>,
        warn: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Result<T>> {
        let Self { mut messages, start } = self;
        let mut interrupt: Option<(PyErr, Instant)> = None;
        let result = loop {
            let waited;
            (waited, messages) = py.detach(move || (messages.recv_timeout(PAUSE), messages));
            match waited {
                Ok(Message::Done(result)) => break Some(result),
                Ok(Message::Warnings(Warnings { texts, answer })) => {
                    let raised = match (&interrupt, warn) {
                        (None, Some(warn)) => warn.call1((texts,)).map(drop),
                        _ => Ok(()),
                    };
                    if let Err(raised) = raised {
                        interrupt = Some((raised, Instant::now()));
                    }
                    let told = if interrupt.is_some() { Err(stopped()) } else { Ok(()) };
                    // It waits for it.
                    drop(answer.send(told));
                    continue;
                }
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
            (None, None) => {
                Err(raised(py, &Error::internal("suum has failed; nothing was released")))
            }
        }
    }
}

/// Drops a value in another thread, without waiting for it.
pub(crate) fn drop_aside(thing: impl Send + 'static) {
    hand_over(Box::new(move |thread| {
        drop(thing);
        resting().push(thread);
    }));
}

/// Wakes an idle thread, or starts one: the scan's own threads must not be blocked by somebody who
/// waits for a database.
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
