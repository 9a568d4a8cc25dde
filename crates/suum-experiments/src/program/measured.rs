//! `suum-experiments list`, `run` and `all`.

use std::fmt::Write;

use suum::{Error, Result, option};
use suum_experiments::{Effort, Experiment, Files, Outcome, Trials, Verdict};

use super::arguments::{FileArguments, Measuring};
use super::progress;

/// Name for all experiments, also in the name of their page.
pub(super) const ALL: &str = "all";

pub(super) fn list() -> String {
    Experiment::ALL
        .iter()
        .map(|experiment| format!("{:12}  {}\n", experiment.id, experiment.about))
        .collect()
}

pub(super) fn run(id: &str, arguments: &Measuring) -> Result<String> {
    match id {
        ALL => measure(&Experiment::ALL, ALL, arguments),
        id => measure(&[Experiment::named(id)?], id, arguments),
    }
}

/// Runs experiments one after the other and writes their outcomes.
fn measure(experiments: &[Experiment], name: &str, arguments: &Measuring) -> Result<String> {
    let effort = Effort { trials: trials(arguments)?, files: files(&arguments.files) };
    let mut outcomes = Vec::new();
    for (number, experiment) in (1..).zip(experiments) {
        let bar = format!("{number} of {}: {}", experiments.len(), experiment.id);
        let outcome = progress::while_measuring(&bar, arguments.quiet, |progress| {
            experiment.run(&effort, progress)
        })?;
        outcomes.push(outcome);
    }
    let page = suum_experiments::write(&outcomes, &arguments.out, name)?;
    let mut text: String = outcomes.iter().map(summary).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Written: {}, and CSV and SVG beside it", page.display());
    Ok(text)
}

fn trials(arguments: &Measuring) -> Result<Trials> {
    Ok(match arguments.trials {
        Some(count) if count < 2 => {
            return Err(Error::parameter(option::TRIALS, "expected at least 2")
                .with_fix("leave --trials out"));
        }
        Some(count) => Trials::Exactly(count),
        None if arguments.quick => Trials::Quick,
        None => Trials::Full,
    })
}

fn files(arguments: &FileArguments) -> Files {
    Files {
        salaries: arguments.salaries.clone().zip(arguments.salary_column.clone()),
        cancers: arguments.cancers.clone().zip(arguments.cancer_column.clone()),
    }
}

/// Findings in words.
fn summary(outcome: &Outcome) -> String {
    let mut out = format!("{}: {} ({})\n", outcome.id, outcome.title, outcome.source);
    for finding in &outcome.findings {
        let verdict = match finding.verdict {
            Verdict::Agrees => "agrees ",
            Verdict::Differs => "DIFFERS",
            Verdict::New => "new    ",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {verdict}  {}", finding.text);
    }
    let contest = &outcome.contest;
    let _ = match (contest.beaten.len(), contest.comparisons) {
        (_, 0) => Ok(()),
        (0, all) => writeln!(out, "  auto     is best or ties in all {all} comparisons"),
        (losses, all) => writeln!(out, "  auto     IS BEATEN in {losses} of {all} comparisons"),
    };
    out + "\n"
}
