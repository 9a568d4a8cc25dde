//! Progress bar on standard error, for work that takes longer than a second.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suum_experiments::Progress;

/// Runs an experiment and shows its progress, unless it finishes soon or standard error is not a
/// terminal.
pub(super) fn while_measuring<T>(
    name: &str,
    quiet: bool,
    measure: impl FnOnce(&Progress) -> T,
) -> T {
    let progress = Progress::default();
    if quiet || !stderr().is_terminal() {
        return measure(&progress);
    }
    let (done, finished) = channel::<()>();
    let counter = &progress;
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut pause = Duration::from_secs(1);
            let mut bar: Option<ProgressBar> = None;
            // Dropping the sender ends the wait.
            while finished.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let bar = bar.get_or_insert_with(|| new_bar(name));
                let (done, total) = counter.get();
                bar.set_length(total);
                bar.set_position(done);
                pause = Duration::from_millis(100);
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        let result = measure(counter);
        drop(done);
        result
    })
}

fn new_bar(name: &str) -> ProgressBar {
    let bar = ProgressBar::new(0).with_prefix(name.to_owned());
    bar.set_draw_target(ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{prefix} [{bar:40}] {percent} %, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
