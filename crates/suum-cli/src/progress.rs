//! A progress bar on standard error, for scans that take longer than a second.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suum::{Progress, Source};

/// Runs `scan` and shows how far it is, if somebody is watching.
pub(crate) fn while_scanning<T>(source: &Source, quiet: bool, scan: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    if quiet || !stderr().is_terminal() {
        return scan(&progress);
    }
    let (done, finished) = channel::<()>();
    let shown = &progress;
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut pause = Duration::from_secs(1);
            let mut bar: Option<ProgressBar> = None;
            // Dropping the sender ends the wait.
            while finished.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let bar = bar.get_or_insert_with(|| new_bar(source.total_bytes()));
                bar.set_position(shown.bytes());
                pause = Duration::from_millis(100);
            }
            if let Some(bar) = bar {
                bar.finish_and_clear();
            }
        });
        let result = scan(&progress);
        drop(done);
        result
    })
}

fn new_bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "reading [{bar:40}] {bytes} of {total_bytes}, {eta} left"),
        None => (ProgressBar::new_spinner(), "reading {spinner} {bytes}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar.with_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()))
}
