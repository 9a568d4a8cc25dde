//! A progress bar on standard error, for what takes longer than a second.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suum::{Phase, Progress};

/// Runs `work`, and shows what it does and how far that is, if somebody is watching.
pub(crate) fn while_reading<T>(quiet: bool, work: impl FnOnce(Arc<Progress>) -> T) -> T {
    let progress = Arc::new(Progress::default());
    let bar = || styled(ProgressBar::new(0), "{spinner}");
    let update = |bar: &ProgressBar| {
        let shown = Shown::of(&progress);
        bar.set_style(style(shown.template));
        bar.set_length(shown.length);
        bar.set_position(shown.position);
        bar.tick();
    };
    watched(quiet, bar, update, || work(Arc::clone(&progress)))
}

/// What is shown of a phase: how much is left only where that is known.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    template: &'static str,
    position: u64,
    length: u64,
}

impl Shown {
    fn of(progress: &Progress) -> Self {
        let (steps, all) = progress.steps();
        let bytes = progress.bytes();
        let (template, position, length) = match (progress.phase(), progress.total(), all) {
            // Rows of persons wait for each other until all are read.
            (Phase::Reading, Some(total), _) if bytes >= total => {
                ("all read, adding up {spinner} {elapsed}", 0, 0)
            }
            (Phase::Reading, Some(total), _) => {
                ("reading [{bar:40}] {bytes} of {total_bytes}", bytes, total)
            }
            (Phase::Reading, None, _) => ("reading {spinner} {bytes}", bytes, 0),
            (Phase::Planning, ..) => ("planning {spinner} {elapsed}", 0, 0),
            (Phase::Simulating, _, Some(all)) => {
                ("simulating [{bar:40}] release {pos} of {len}", steps, all)
            }
            (Phase::Simulating, _, None) => ("simulating {spinner} release {pos}", steps, 0),
            (Phase::Searching, ..) => ("finding a range {spinner} question {pos}", steps, 0),
            (Phase::Drawing, ..) => ("planning and drawing noise {spinner} {elapsed}", 0, 0),
        };
        Self { template, position, length }
    }
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
    bar.with_style(style(template))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_follows_the_phase_and_promises_no_end_that_is_not_known() {
        let progress = Progress::default();
        assert_eq!(Shown::of(&progress).template, "reading {spinner} {bytes}");
        progress.expect(Some(10));
        assert_eq!(Shown::of(&progress).length, 10);
        for phase in [Phase::Planning, Phase::Searching, Phase::Drawing] {
            progress.enter(phase, None);
            let shown = Shown::of(&progress);
            assert!(shown.length == 0 && !shown.template.contains("{bar"), "{shown:?}");
        }
        progress.enter(Phase::Simulating, Some(200));
        progress.step();
        let shown = Shown::of(&progress);
        assert_eq!((shown.position, shown.length), (1, 200));
    }
}
