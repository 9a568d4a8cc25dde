//! Progress bar on standard error, for work that takes longer than a second.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suum::{Phase, Progress};

/// Runs `work`, and shows its phase and progress on a terminal.
pub(crate) fn while_reading<T>(quiet: bool, work: impl FnOnce(Arc<Progress>) -> T) -> T {
    let progress = Arc::new(Progress::default());
    let bar = || styled(ProgressBar::new(0), "{msg} {spinner} {elapsed}");
    // All of a line at once: numbers of one phase never stand in the words of another.
    let update = |bar: &ProgressBar| {
        bar.set_message(line(&progress));
        bar.tick();
    };
    watched(quiet, bar, update, || work(Arc::clone(&progress)))
}

/// Line of a phase, with the remaining work only if it is known.
fn line(progress: &Progress) -> String {
    let (steps, all) = progress.steps();
    let bytes = progress.bytes();
    match (progress.phase(), progress.total(), all) {
        // Rows of persons wait for each other until all are read.
        (Phase::Reading, Some(total), _) if bytes >= total => "all read, adding up".to_owned(),
        (Phase::Reading, Some(total), _) => {
            format!("reading {} {}", drawn(bytes, total), amount(bytes, Some(total)))
        }
        (Phase::Reading, None, _) => format!("reading {}", amount(bytes, None)),
        (Phase::Planning, ..) => "planning".to_owned(),
        (Phase::Simulating, _, Some(all)) => {
            format!("simulating {} release {steps} of {all}", drawn(steps, all))
        }
        (Phase::Simulating, _, None) => format!("simulating release {steps}"),
        (Phase::Searching, ..) => format!("finding a range, question {steps}"),
        (Phase::Drawing, ..) => "planning and drawing noise".to_owned(),
    }
}

/// Bar that fits a screen of 60 columns, with the text around it.
fn drawn(done: u64, all: u64) -> String {
    const CELLS: u128 = 20;
    let full = (u128::from(done) * CELLS / u128::from(all.max(1))).min(CELLS) as usize;
    format!("[{}{}]", "█".repeat(full), "░".repeat(CELLS as usize - full))
}

/// Number of bytes, and of all if that is known, in one unit.
fn amount(bytes: u64, all: Option<u64>) -> String {
    let largest = all.unwrap_or(bytes);
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let found = units.into_iter().find(|(size, _)| largest >= *size);
    let (size, unit) = found.unwrap_or((1, "B"));
    let decimals = usize::from(unit == "GiB");
    let written = |bytes: u64| format!("{:.decimals$}", bytes as f64 / size as f64);
    match all {
        Some(all) => format!("{} of {} {unit}", written(bytes), written(all)),
        None => format!("{} {unit}", written(bytes)),
    }
}

/// Runs an audit and shows its progress on a terminal.
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

/// Runs `work`, and shows a bar that is updated, unless the work finishes soon or standard error is
/// not a terminal.
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
        assert_eq!(line(&progress), "reading 0 B");
        progress.expect(Some(3 << 20));
        assert_eq!(line(&progress), "reading [░░░░░░░░░░░░░░░░░░░░] 0 of 3 MiB");
        for phase in [Phase::Planning, Phase::Searching, Phase::Drawing] {
            progress.enter(phase, None);
            let line = line(&progress);
            assert!(!line.contains(['[', '░']) && !line.contains(" of "), "{line}");
        }
        progress.enter(Phase::Simulating, Some(200));
        (0..100).for_each(|_| progress.step());
        let shown = line(&progress);
        assert_eq!(shown, "simulating [██████████░░░░░░░░░░] release 100 of 200");
        // With a spinner and some minutes.
        assert!(shown.chars().count() + " ⠂ 12m".chars().count() <= 60, "{shown}");
    }

    #[test]
    fn amounts_have_one_unit() {
        assert_eq!(amount(1 << 20, Some(327_645_594)), "1 of 312 MiB");
        assert_eq!(amount(5 << 28, Some(3 << 30)), "1.2 of 3.0 GiB");
        assert_eq!(amount(2048, None), "2 KiB");
        assert_eq!(amount(9, Some(12)), "9 of 12 B");
        assert_eq!(drawn(9, 9), format!("[{}]", "█".repeat(20)));
        assert_eq!(drawn(0, 0), format!("[{}]", "░".repeat(20)));
    }
}
