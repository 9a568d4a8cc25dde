//! `suum audit`.

use std::fmt::Write;
use std::fs;
use std::sync::Arc;

use suum::{Error, Neighbors, Result};
use suum_audit::{
    Progress, Registered, Report, Settings, Specimen, Subject, Verdict, Version, audit, registered,
    specimens,
};

use crate::answer::Answer;
use crate::arguments::AuditArguments;
use crate::{input, progress};

/// What comes before the name of a specimen.
const SPECIMEN: &str = "specimen:";

pub(crate) fn run(
    arguments: &AuditArguments,
    progress: Option<Arc<suum::Progress>>,
) -> Result<Answer> {
    let Some(mechanism) = &arguments.mechanism else { return list(arguments) };
    if mechanism == "specimens" || mechanism.starts_with(SPECIMEN) {
        if arguments.statistic.is_some() || arguments.neighbors.is_some() {
            return Err(Error::request(
                "audit: a specimen has a statistic and neighbours of its own",
            )
            .with_hint("leave --statistic and --neighbors out"));
        }
        let found = named_specimens(mechanism)?;
        let runs = found.iter().map(Specimen::runs).max().unwrap_or_default();
        return report(arguments, &found, runs, progress);
    }
    report(arguments, &chosen(arguments, mechanism)?, Settings::default().runs, progress)
}

fn named_specimens(name: &str) -> Result<Vec<Specimen>> {
    let mut all = specimens(Version::Published)?;
    if let Some(name) = name.strip_prefix(SPECIMEN) {
        all.retain(|specimen| specimen.name() == name);
    }
    if all.is_empty() {
        return Err(Error::parameter("audit: there is no specimen of that name")
            .with_hint("suum audit --list has them"));
    }
    Ok(all)
}

fn chosen(arguments: &AuditArguments, mechanism: &str) -> Result<Vec<Registered>> {
    let mut subjects = registered(&arguments.profile.parse()?)?;
    let all = mechanism == "all";
    if !all && !subjects.iter().any(|subject| subject.estimator() == mechanism) {
        return Err(Error::parameter(
            "audit: there is no mechanism of that name for such a profile",
        )
        .with_hint("suum audit --list has them, with the same --profile"));
    }
    let neighbors = arguments.neighbors.map(input::neighbors);
    subjects.retain(|subject| {
        (all || subject.estimator() == mechanism)
            && arguments.statistic.as_ref().is_none_or(|statistic| subject.statistic() == statistic)
            && neighbors.is_none_or(|neighbors| subject.neighbors() == neighbors)
    });
    if subjects.is_empty() {
        return Err(Error::request(
            "audit: the mechanism does not serve that statistic with these neighbours",
        )
        .with_hint("leave --statistic or --neighbors out"));
    }
    Ok(subjects)
}

/// Audits, and draws that if it is asked for.
fn report<S: Subject>(
    arguments: &AuditArguments,
    subjects: &[S],
    runs: u64,
    progress: Option<Arc<suum::Progress>>,
) -> Result<Answer> {
    let settings = Settings {
        runs: arguments.runs.unwrap_or(runs),
        confidence: arguments.confidence,
        seed: arguments.seed,
    };
    let subjects: Vec<&dyn Subject> =
        subjects.iter().map(|subject| subject as &dyn Subject).collect();
    let quiet = arguments.quiet || progress.is_some();
    let counter = match progress {
        Some(watched) => Progress::until(move || watched.is_cancelled()),
        None => Progress::default(),
    };
    let found =
        progress::while_auditing(&counter, quiet, || audit(&subjects, &settings, &counter))?;
    if let Some(path) = &arguments.plot {
        fs::write(path, found.svg()).map_err(|error| {
            Error::io(format!("plot: {path} cannot be written ({})", error.kind()))
                .with_hint("name another file")
        })?;
    }
    Ok(answer_of(found))
}

/// What an audit says, and why that cannot be let pass if a promise is broken.
pub(crate) fn answer_of(report: Report) -> Answer {
    let refusal = (report.verdict() == Verdict::Broken).then(|| {
        Error::budget("audit: a promise is broken").with_hint(
            "specimens are kept to be caught; anything else of suum's that is caught is a mistake \
            in it, please report it",
        )
    });
    let drawn = report.clone();
    Answer::new(report, Report::text, suum_report::json)
        .with_drawing(move || drawn.svg())
        .with_refusal(refusal)
}

fn list(arguments: &AuditArguments) -> Result<Answer> {
    let mut text = String::from("Mechanisms, with the statistics that they serve:\n");
    let subjects = registered(&arguments.profile.parse()?)?;
    let mut names: Vec<&str> = Vec::new();
    for subject in &subjects {
        if !names.contains(&subject.estimator()) {
            names.push(subject.estimator());
        }
    }
    for name in names {
        let served = subjects.iter().filter(|subject| subject.estimator() == name).map(|subject| {
            let hidden =
                if subject.neighbors() == Neighbors::AddRemove { " (add-remove)" } else { "" };
            format!("{}{hidden}", subject.statistic())
        });
        let _ = writeln!(text, "  {name:<20} {}", served.collect::<Vec<_>>().join(", "));
    }
    text.push_str("\nMistakes, kept to be caught:\n");
    for specimen in specimens(Version::Published)? {
        let _ = writeln!(text, "  {SPECIMEN}{}\n      {}", specimen.name(), specimen.mistake());
    }
    Ok(Answer::words(text))
}
