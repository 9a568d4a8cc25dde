//! A progress bar on standard error, for what takes longer than a second.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suum::Progress;

/// Runs `work`, and shows how far its reading is, if somebody is watching.
pub(crate) fn while_reading<T>(quiet: bool, work: impl FnOnce(Arc<Progress>) -> T) -> T {
    let progress = Arc::new(Progress::default());
    let bar = || match progress.total() {
        Some(total) => styled(
            ProgressBar::new(total),
            "reading [{bar:40}] {bytes} of {total_bytes}, {eta} left",
        ),
        None => styled(ProgressBar::new_spinner(), "reading {spinner} {bytes}"),
    };
    let update = |bar: &ProgressBar| bar.set_position(progress.bytes());
    watched(quiet, bar, update, || work(Arc::clone(&progress)))
}

/// Runs an audit and shows how far it is, if somebody is watching.
pub(crate) fn while_auditing<T>(
    counter: &suum_audit::Progress,
    quiet: bool,
    audit: impl FnOnce() -> T,
) -> T {
    let bar = || {
        styled(ProgressBar::new(counter.total()), "releasing [{bar:40}] {percent} %, {eta} left")
    };
    watched(quiet, bar, |bar| bar.set_position(counter.done()), audit)
}

/// Runs `work`, and shows a bar that is kept up to date, unless it is done soon or nobody is
/// watching.
fn watched<T>(
    quiet: bool,
    new: impl Fn() -> ProgressBar + Send,
    update: impl Fn(&ProgressBar) + Send,
    work: impl FnOnce() -> T,
) -> T {
    if quiet || !stderr().is_terminal() {
        return work();
    }
    let (done, finished) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut pause = Duration::from_secs(1);
            let mut bar: Option<ProgressBar> = None;
            // Dropping the sender ends the wait.
            while finished.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                update(bar.get_or_insert_with(&new));
                pause = Duration::from_millis(100);
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar.with_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
