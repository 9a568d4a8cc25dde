//! One thin file per subcommand.

pub(crate) mod audit;
mod completions;
mod count;
mod frequency;
mod ledger;
mod levels;
mod levels_sql;
mod plan;
mod quantile;
mod release;
mod summary;
mod unbounded;
mod variance;

use std::sync::Arc;

use suum::{Error, Plan, Progress, Result, Statistic};

use crate::answer::Answer;
use crate::arguments::{
    Command, Format, GroupArguments, InputArguments, LedgerCommand, NeighborsArgument,
    OutputArguments, ReleaseArguments,
};
use crate::columns::Reads;
use crate::given::Given;
use crate::input;
use crate::metering::{self, Aim, Cost};
use crate::noted::Noted;
use crate::report::Report;

/// What the command that was asked for has to say, also as a page if one is asked for.
pub(crate) fn run(mut command: Command, given: Given) -> Result<Answer> {
    let progress = given.progress.clone();
    let noted = Noted::default();
    if let Some(input) = command.input() {
        input.given = given;
        input.noted = noted.clone();
    }
    let (says_all, quiet) = (command.output().is_some(), command.wants_no_warnings());
    // Before the data are read or a ledger is charged: there must be a place for the page.
    let report = command
        .output()
        .and_then(|output| output.report.as_deref())
        .map(Report::open)
        .transpose()?;
    let answer = said(command, progress)?;
    let answer = match (says_all, quiet) {
        (true, _) => answer.with_remarks(noted.remarks()),
        // Their words are a table or a query, and are to be read by programs.
        (false, false) if !noted.remarks().is_empty() => {
            answer.with_warnings(noted.remarks().warnings())
        }
        (false, _) => answer,
    };
    Ok(match report {
        Some(report) => report.write(answer),
        None => answer,
    })
}

/// What the command has to say; an audit is seen in `progress`, if somebody looks.
fn said(command: Command, progress: Option<Arc<Progress>>) -> Result<Answer> {
    match command {
        Command::Mean(arguments) => of_number(Statistic::Mean, arguments),
        Command::Sum(arguments) => of_number(Statistic::Sum, arguments),
        Command::Frequency(mut arguments) => {
            let common = &arguments.options.common;
            let aim = Aim::of(common.neighbors);
            let reads = reads(&arguments.value, &arguments.groups);
            metering::open(&mut arguments.input, common.neighbors, aim, Cost::Charged, reads)?;
            frequency::run(&arguments)
        }
        Command::Quantile(mut arguments) => {
            let aim = Aim::of(arguments.common.neighbors);
            let neighbors = arguments.common.neighbors;
            let reads = reads(&arguments.value.value, &arguments.groups);
            metering::open(&mut arguments.input, neighbors, aim, Cost::Charged, reads)?;
            quantile::run(&arguments)
        }
        Command::Variance(mut arguments) => {
            let aim = Aim::of(arguments.common.neighbors);
            let neighbors = arguments.common.neighbors;
            let reads = reads(&arguments.value.value, &arguments.groups);
            metering::open(&mut arguments.input, neighbors, aim, Cost::Charged, reads)?;
            variance::run(&arguments)
        }
        Command::Summary(mut arguments) => {
            let (neighbors, aim) = (arguments.common.neighbors, Aim::Impossible);
            let reads = reads(&arguments.value.value, &arguments.groups);
            metering::open(&mut arguments.input, neighbors, aim, Cost::Charged, reads)?;
            summary::run(&arguments)
        }
        Command::Count(mut arguments) => {
            let cost = match arguments.neighbors {
                NeighborsArgument::Replace => Cost::Free,
                NeighborsArgument::AddRemove => Cost::Charged,
            };
            let (neighbors, aim) = (arguments.neighbors, Aim::Impossible);
            let reads = (Reads::Counts, arguments.groups.group_by.as_ref());
            metering::open(&mut arguments.input, neighbors, aim, cost, reads)?;
            count::run(&arguments)
        }
        Command::Plan(mut arguments) => {
            let neighbors = arguments.options.common.neighbors;
            let known = arguments.bounds.as_deref() != Some(input::AUTO);
            let aim = if known { Aim::of(neighbors) } else { Aim::Impossible };
            let reads = (Reads::Counts, None);
            metering::open(&mut arguments.input, neighbors, aim, Cost::Charged, reads)?;
            plan::run(&arguments)
        }
        Command::Levels(arguments) => {
            metering::refuse(&arguments.input)?;
            levels::run(&arguments)
        }
        Command::LevelsSql(arguments) => {
            metering::refuse(&arguments.input)?;
            levels_sql::run(&arguments)
        }
        Command::Ledger(command) => ledger::run(&command),
        Command::Audit(arguments) => audit::run(&arguments, progress),
        Command::Completions { shell } => Ok(completions::run(shell)),
    }
}

/// The plan of a mean, a sum or frequencies for a profile.
pub(crate) fn planned(command: &Command) -> Result<Plan> {
    match command {
        Command::Plan(arguments) => plan::of_profile(arguments),
        _ => Err(Error::request("plan: the command makes none")
            .with_hint("ask for one, for example plan --profile 0.1:3400,inf:23")),
    }
}

impl Command {
    /// What the command reads, if it reads data.
    fn input(&mut self) -> Option<&mut InputArguments> {
        match self {
            Self::Mean(arguments) | Self::Sum(arguments) => Some(&mut arguments.input),
            Self::Frequency(arguments) => Some(&mut arguments.input),
            Self::Quantile(arguments) => Some(&mut arguments.input),
            Self::Variance(arguments) => Some(&mut arguments.input),
            Self::Summary(arguments) => Some(&mut arguments.input),
            Self::Count(arguments) => Some(&mut arguments.input),
            Self::Plan(arguments) => Some(&mut arguments.input),
            Self::Levels(arguments) => Some(&mut arguments.input),
            Self::LevelsSql(arguments) => Some(&mut arguments.input),
            Self::Ledger(_) | Self::Audit(_) | Self::Completions { .. } => None,
        }
    }

    /// How to print a statistic or a plan.
    fn output(&self) -> Option<&OutputArguments> {
        match self {
            Self::Mean(arguments) | Self::Sum(arguments) => Some(&arguments.output),
            Self::Frequency(arguments) => Some(&arguments.output),
            Self::Quantile(arguments) => Some(&arguments.output),
            Self::Variance(arguments) => Some(&arguments.output),
            Self::Summary(arguments) => Some(&arguments.output),
            Self::Count(arguments) => Some(&arguments.output),
            Self::Plan(arguments) => Some(&arguments.output),
            Self::Ledger(_)
            | Self::Levels(_)
            | Self::LevelsSql(_)
            | Self::Audit(_)
            | Self::Completions { .. } => None,
        }
    }

    /// Whether nothing is to be said on standard error, not even a warning.
    fn wants_no_warnings(&self) -> bool {
        matches!(self, Self::Levels(arguments) if arguments.quiet)
    }

    /// The format asked for.
    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Audit(arguments) => arguments.format,
            Self::Ledger(
                LedgerCommand::Show { format, .. } | LedgerCommand::Verify { format, .. },
            ) => *format,
            command => command.output().map_or(Format::Text, |output| output.format),
        }
    }
}

fn of_number(statistic: Statistic, mut arguments: ReleaseArguments) -> Result<Answer> {
    let neighbors = arguments.options.common.neighbors;
    // Without bounds, or with a variance that is measured first, the error depends on what is
    // found.
    let unknown = input::wants_range(&arguments.value)
        || arguments.mean.variance.as_deref() == Some("private");
    let aim = if unknown { Aim::Impossible } else { Aim::of(neighbors) };
    let reads = reads(&arguments.value.value, &arguments.groups);
    metering::open(&mut arguments.input, neighbors, aim, Cost::Charged, reads)?;
    release::run(statistic, &arguments)
}

/// What a release of the values of a column reads.
fn reads<'a>(
    value: &'a Option<String>,
    groups: &'a GroupArguments,
) -> (Reads<'a>, Option<&'a String>) {
    (Reads::Values(value.as_deref()), groups.group_by.as_ref())
}
