//! `suum audit`.

use std::fmt::Write;
use std::fs;
use std::sync::Arc;

use suum::{Answer, Error, Neighbors, Profile, Result};
use suum_audit::{
    Progress, Report, SPECIMEN, Settings, Subject, Version, audit, chosen, registered, specimens,
};

use super::audit_page;
use crate::arguments::AuditArguments;
use crate::progress;

/// Runs an audit, and writes its drawing if one is requested.
pub(crate) fn run(
    arguments: &AuditArguments,
    progress: Option<Arc<suum::Progress>>,
) -> Result<Answer> {
    let Some(mechanism) = &arguments.mechanism else { return list(arguments) };
    let people: Profile = arguments.profile.parse()?;
    let neighbors = arguments.neighbors.as_deref().map(str::parse).transpose()?;
    let chosen = chosen(mechanism, &people, arguments.statistic.as_deref(), neighbors)?;
    let settings = Settings {
        runs: arguments.runs.unwrap_or(chosen.runs),
        confidence: arguments.confidence,
        seed: arguments.seed,
    };
    let subjects: Vec<&dyn Subject> = chosen.subjects.iter().map(|one| &**one).collect();
    let quiet = arguments.quiet || progress.is_some();
    let counter = match progress {
        Some(watched) => Progress::until(move || watched.is_cancelled()),
        None => Progress::default(),
    };
    let found =
        progress::while_auditing(&counter, quiet, || audit(&subjects, &settings, &counter))?;
    if let Some(path) = &arguments.plot {
        fs::write(path, found.svg()).map_err(|error| {
            Error::io("plot", format!("{path} cannot be written ({})", error.kind()))
                .with_fix("name another file")
        })?;
    }
    let (drawn, refusal) = (found.clone(), found.refusal());
    let page = audit_page::page(&found);
    Ok(Answer::new(found, Report::text, suum_report::json)
        .with_page(page)
        .with_drawing(move || drawn.svg())
        .with_refusal(refusal))
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
            let neighbors = match subject.neighbors() {
                Neighbors::ReplaceOne => String::new(),
                other => format!(" ({})", other.name()),
            };
            format!("{}{neighbors}", subject.statistic())
        });
        let _ = writeln!(text, "  {name:<20} {}", served.collect::<Vec<_>>().join(", "));
    }
    text.push_str("\nMistakes, kept to be caught:\n");
    for specimen in specimens(Version::Published)? {
        let _ = writeln!(text, "  {SPECIMEN}{}\n      {}", specimen.name(), specimen.mistake());
    }
    Ok(Answer::words(text))
}
