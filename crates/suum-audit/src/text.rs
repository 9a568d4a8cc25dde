//! The report as text.

use std::fmt::Write;

use suum_core::Loss;

use crate::report::{LevelReport, Report, SubjectReport, Verdict};

/// Length of a bar at the promise; a larger loss is drawn beyond it.
const BAR: f64 = 20.0;
const LONGEST: usize = 40;

impl Report {
    /// Report for people.
    pub fn text(&self) -> String {
        report(self)
    }
}

fn report(report: &Report) -> String {
    let mut text = String::new();
    for subject in &report.subjects {
        table(subject, &mut text);
    }
    conclusion(report, &mut text);
    text
}

fn table(subject: &SubjectReport, text: &mut String) {
    let _ = writeln!(text, "{}: {}", subject.name, subject.verdict().describe());
    let exact = subject.levels.iter().any(|level| level.exact.is_some());
    let mut rows = vec![vec!["level".to_owned(), "certified".to_owned(), "at least".to_owned()]];
    if exact {
        rows[0].push("exactly".to_owned());
    }
    for level in &subject.levels {
        let found =
            level.evidence.as_ref().map_or("-".to_owned(), |evidence| figure_text(evidence.loss));
        let mut row = vec![level.level.clone(), loss_text(&level.certified), found];
        if exact {
            row.push(level.exact.as_ref().map_or("-".to_owned(), loss_text));
        }
        rows.push(row);
    }
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for (at, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "  {cell:>width$}");
        }
        if let Some(level) = at.checked_sub(1).map(|at| &subject.levels[at]) {
            let _ = write!(line, "  {}  {}", bar(level), level.verdict.describe());
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for level in subject.levels.iter().filter(|level| level.verdict == Verdict::Broken) {
        broken(level, text);
    }
    text.push('\n');
}

/// Writes what breaks the promise, so that everybody can repeat the count.
fn broken(level: &LevelReport, text: &mut String) {
    for words in broken_words(level) {
        let _ = writeln!(text, "  {words}");
    }
}

/// Returns what breaks the promise of a level: a counted event, or the distribution itself.
///
/// # Example
///
/// ```
/// use suum_audit::{LevelReport, Verdict, broken_words};
/// use suum_core::{Epsilon, Loss};
///
/// let (certified, allowed) = (Loss::ratio(1, 2), Epsilon::new(0.5)?);
/// let (exact, verdict) = (Some(Loss::ratio(1, 1)), Verdict::Broken);
/// let level = "0.5".to_owned();
/// let found = LevelReport { level, allowed, certified, exact, evidence: None, verdict };
/// assert_eq!(broken_words(&found), ["level 0.5: the distribution itself loses 1"]);
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn broken_words(level: &LevelReport) -> Vec<String> {
    let promised = level.certified.rounded_up();
    let evidence = level.evidence.as_ref().filter(|evidence| evidence.loss > promised);
    let event = evidence.map(|evidence| {
        format!(
            "level {}: with {}, {} was seen {} times with the likelier dataset and {} times with \
             the other; δ ≥ {} at the certified ε",
            level.level,
            evidence.difference,
            evidence.event,
            evidence.often,
            evidence.seldom,
            figure_text(evidence.delta),
        )
    });
    let exact = level.exact.as_ref().filter(|exact| exact.rounded_up() > promised);
    let exact = exact.map(|exact| {
        format!("level {}: the distribution itself loses {}", level.level, loss_text(exact))
    });
    event.into_iter().chain(exact).collect()
}

/// Bar of the lost part of the promise.
fn bar(level: &LevelReport) -> String {
    let Some(evidence) = &level.evidence else { return " ".repeat(BAR as usize + 2) };
    let promised = level.certified.rounded_up();
    let share = if promised > 0.0 {
        evidence.loss / promised
    } else if evidence.loss > 0.0 {
        2.0
    } else {
        0.0
    };
    let filled = ((share * BAR).floor() as usize).min(LONGEST);
    let inside = filled.min(BAR as usize);
    format!(
        "{}{}|{}",
        "█".repeat(inside),
        "·".repeat(BAR as usize - inside),
        "█".repeat(filled - inside)
    )
}

/// Returns a loss in words, with about four significant digits.
///
/// # Example
///
/// ```
/// assert_eq!(suum_audit::loss_text(&suum_core::Loss::ratio(1, 3)), "0.3333");
/// ```
pub fn loss_text(loss: &Loss) -> String {
    match loss {
        Loss::Unlimited => "inf".to_owned(),
        Loss::Finite(_) => figure_text(loss.rounded_up()),
    }
}

/// Returns a number with about four significant digits.
///
/// # Example
///
/// ```
/// assert_eq!(suum_audit::figure_text(0.123456), "0.1235");
/// ```
pub fn figure_text(number: f64) -> String {
    if number == 0.0 || number >= 1e6 {
        return format!("{number}");
    }
    let digits = (3 - number.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{number:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn conclusion(report: &Report, text: &mut String) {
    let levels: usize = report.subjects.iter().map(|subject| subject.levels.len()).sum();
    let broken: Vec<&str> = report
        .subjects
        .iter()
        .filter(|subject| subject.verdict() == Verdict::Broken)
        .map(|subject| subject.name.as_str())
        .collect();
    let silent = report.subjects.iter().flat_map(|subject| &subject.levels);
    let silent = silent.filter(|level| level.verdict == Verdict::NothingReleased).count();
    let subjects = plural(report.subjects.len(), "mechanism");
    let _ = writeln!(
        text,
        "{subjects}, {}, {} counted runs of either neighbour, seed {}.",
        plural(levels, "level"),
        report.runs,
        report.seed
    );
    if broken.is_empty() {
        let _ = writeln!(
            text,
            "No promise was disproved. That is no proof: it shows that no event that was looked \
            for tells a record apart by more than was certified."
        );
    } else {
        let _ = writeln!(text, "Broken promises: {}.", broken.join(", "));
    }
    if silent > 0 {
        let _ = writeln!(
            text,
            "{} released nothing in any run and so were not tested.",
            plural(silent, "level")
        );
    }
    let _ = writeln!(
        text,
        "\"At least\" is what a record surely loses (as ε). With probability {} all these bounds \
        hold at once, so an alarm is false at most once in {:.0} such audits.",
        report.confidence,
        1.0 / (1.0 - report.confidence)
    );
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
