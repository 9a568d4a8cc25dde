//! From a command to what it asks for, and what that says.

mod audit;
mod columns;
mod completions;
mod levels;
mod verify;

use std::fs;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use suum::{Answer, Entries, Error, Given, Job, Neighbors, Progress, Result, Sort, View};

use crate::arguments::{
    Command, Format, LedgerCommand, NeighborsArgument, OutputArguments, PlanArguments,
    RunArguments, SortArgument, SummaryArguments,
};
use crate::progress::while_reading;
use crate::report::Report;

/// What the command that was asked for has to say, also as a page if one is asked for.
pub(crate) fn run(command: Command, given: Given) -> Result<Answer> {
    // Before the data are read or a ledger is charged: there must be a place for the page.
    let report = command.report();
    let report = report.map(Report::open).transpose()?;
    let answer = said(command, given)?;
    Ok(match report {
        Some(report) => report.write(answer),
        None => answer,
    })
}

fn said(command: Command, given: Given) -> Result<Answer> {
    if let Some(entries) = entries_of_release(&command)? {
        let quiet = command.output().is_some_and(|output| output.quiet);
        return watched(&Job::new(entries)?, quiet, given, Job::run_with);
    }
    match &command {
        Command::Plan(arguments) => plan(arguments, given),
        Command::Levels(arguments) => {
            let quiet = arguments.quiet;
            while_reading(quiet || given.progress.is_some(), |progress| {
                let progress = given.progress.clone().or(Some(progress));
                levels::run(arguments, Given { progress, ..given.clone() })
            })
        }
        Command::LevelsSql(arguments) => levels::run_sql(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Ledger(command) => ledger(command),
        Command::Audit(arguments) => audit::run(arguments, given.progress),
        Command::Completions { shell } => Ok(completions::run(*shell)),
        _ => Err(Error::internal("internal error: a command asks for nothing")),
    }
}

/// What a command asks for; `None` if it asks for no release.
pub(crate) fn entries_of_release(command: &Command) -> Result<Option<Entries>> {
    let of = |statistic: &str, said: Result<Entries>| Ok(said?.with("statistic", statistic));
    match command {
        Command::Mean(arguments) | Command::Difference(arguments) => of("mean", entries(arguments)),
        Command::Sum(arguments) => of("sum", entries(arguments)),
        Command::Frequency(arguments) => of("frequency", entries(arguments)),
        Command::Quantile(arguments) => of("quantile", entries(arguments)),
        Command::Variance(arguments) => of("variance", entries(arguments)),
        Command::Summary(arguments) => several(arguments),
        Command::Count(arguments) => of("count", entries(arguments)),
        Command::Run(arguments) => in_file(arguments),
        Command::Plan(_)
        | Command::Levels(_)
        | Command::LevelsSql(_)
        | Command::Verify(_)
        | Command::Ledger(_)
        | Command::Audit(_)
        | Command::Completions { .. } => return Ok(None),
    }
    .map(Some)
}

/// What the options of a command say.
fn entries(arguments: &impl Serialize) -> Result<Entries> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(said)) => {
            let said = Value::from(columns::taken_apart(said)?);
            Entries::from_json(&said.to_string()).map(Entries::given)
        }
        _ => Err(Error::internal("internal error: a command has no JSON form")),
    }
}

/// Several statistics, also where it is one in name.
fn several(arguments: &SummaryArguments) -> Result<Entries> {
    let names = arguments.statistic.split(',').map(|name| name.trim().to_owned());
    Ok(entries(arguments)?.with_list("statistic", names))
}

/// What a file asks for, of the data that are named beside it if there are any.
fn in_file(arguments: &RunArguments) -> Result<Entries> {
    let entries = read(&arguments.file)?;
    Ok(match &arguments.data {
        Some(data) => entries.with("data", data),
        None => entries,
    })
}

fn read(file: &str) -> Result<Entries> {
    let text = fs::read_to_string(file).map_err(|error| {
        Error::io(format!("{file}: it cannot be read ({})", error.kind()))
            .with_hint("name a file of TOML in UTF-8, for example survey.toml")
    })?;
    // The JSON of a release says what was asked.
    let entries = match text.trim_start().starts_with('{') {
        true => Entries::from_json(&text)?.of_release(),
        false => Job::entries_of_toml(&text)?,
    };
    for said in ["format", "report", "quiet", "profile", "what_if", "assume"] {
        if entries.has(said) {
            let option = said.replace('_', "-");
            return Err(Error::parameter(format!("{option}: it is no part of what is asked"))
                .with_hint(format!("say --{option} on the command line, behind the file")));
        }
    }
    Ok(entries)
}

/// Who takes part, in what a file asks: not of use to a plan for other people.
const PEOPLE: [&str; 19] = [
    "data",
    "table",
    "query",
    "trust_query",
    "delimiter",
    "encoding",
    "consent",
    "key",
    "from_levels",
    "privacy",
    "epsilon",
    "person",
    "rows",
    "ledger",
    "dataset",
    "spend",
    "public_columns",
    "edition",
    "again",
];

fn plan(arguments: &PlanArguments, given: Given) -> Result<Answer> {
    let mut asked = entries(arguments)?;
    let file =
        arguments.input.data.as_deref().filter(|data| data.to_ascii_lowercase().ends_with(".toml"));
    if let Some(file) = file {
        let of_file = match arguments.profile {
            Some(_) => read(file)?.without(&PEOPLE),
            None => read(file)?,
        };
        asked = asked.without(&["data"]).over(of_file);
    }
    if !asked.has("statistic") && !asked.has("answers") {
        asked = asked.with("statistic", "mean");
    }
    let (mut job, population) = Job::with_population(asked)?;
    let is_known = job.query.neighbors == Neighbors::ReplaceOne;
    let of_file = file.is_some() && arguments.input.levels.is_none();
    if of_file && population.profile.is_some() && is_known {
        // They are the tiers of other people.
        job.query.levels = None;
        job.answers.iter_mut().for_each(|answer| answer.query.levels = None);
    }
    watched(&job, arguments.output.quiet, given, |job, given| job.plan(&population, given))
}

fn ledger(command: &LedgerCommand) -> Result<Answer> {
    match command {
        LedgerCommand::Init { file, accounts } => {
            suum::init_ledger(file.as_ref(), entries(accounts)?)
        }
        LedgerCommand::Show { file, dataset, .. } => {
            suum::show_ledger(file.as_ref(), dataset.as_deref())
        }
        LedgerCommand::Verify { file, accept_loss, accept_move, .. } => {
            suum::verify_ledger(file.as_ref(), *accept_loss, *accept_move)
        }
        LedgerCommand::Export { file } => suum::export_ledger(file.as_ref()),
    }
}

/// Does a job, and shows how far its reading is, unless it is hidden who takes part.
fn watched(
    job: &Job,
    quiet: bool,
    given: Given,
    work: impl FnOnce(&Job, Given) -> Result<Answer>,
) -> Result<Answer> {
    if given.progress.is_some() {
        return work(job, given);
    }
    let quiet = quiet || job.query.neighbors.hides_participation();
    while_reading(quiet, |progress: Arc<Progress>| {
        work(job, Given { progress: Some(progress), ..given })
    })
}

impl From<NeighborsArgument> for Neighbors {
    fn from(argument: NeighborsArgument) -> Self {
        match argument {
            NeighborsArgument::Replace => Self::ReplaceOne,
            NeighborsArgument::AddRemove => Self::AddRemove,
            NeighborsArgument::Both => Self::Both,
        }
    }
}

impl Command {
    /// How to print a statistic or a plan.
    fn output(&self) -> Option<&OutputArguments> {
        match self {
            Self::Mean(arguments) | Self::Difference(arguments) | Self::Sum(arguments) => {
                Some(&arguments.numbers.output)
            }
            Self::Frequency(arguments) => Some(&arguments.output),
            Self::Quantile(arguments) => Some(&arguments.numbers.output),
            Self::Variance(arguments) => Some(&arguments.numbers.output),
            Self::Summary(arguments) => Some(&arguments.numbers.output),
            Self::Count(arguments) => Some(&arguments.output),
            Self::Plan(arguments) => Some(&arguments.output),
            Self::Run(arguments) => Some(&arguments.output),
            Self::Ledger(_)
            | Self::Levels(_)
            | Self::LevelsSql(_)
            | Self::Verify(_)
            | Self::Audit(_)
            | Self::Completions { .. } => None,
        }
    }

    /// The file of the page, if one is asked for.
    fn report(&self) -> Option<&str> {
        match self {
            Self::Ledger(LedgerCommand::Show { report, .. }) => report.as_deref(),
            _ => self.output()?.report.as_deref(),
        }
    }

    /// How much of a text is asked for, in which order.
    pub(crate) fn view(&self) -> View {
        let mut view = View::default();
        let Some(output) = self.output() else { return view };
        view.explain = output.explain;
        view.sort = output.sort.map(|sort| match sort {
            SortArgument::Share => Sort::Share,
            SortArgument::Declared => Sort::Declared,
        });
        view
    }

    /// The format asked for.
    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Audit(arguments) => arguments.format,
            Self::Verify(arguments) => arguments.format,
            Self::Ledger(
                LedgerCommand::Show { format, .. } | LedgerCommand::Verify { format, .. },
            ) => *format,
            command => command.output().map_or(Format::Text, |output| output.format),
        }
    }
}
