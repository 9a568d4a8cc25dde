//! Conversion of a command to its job, and of the job to an answer.

mod audit;
mod audit_page;
mod columns;
mod completions;
mod levels;
mod sensitivity;
mod verify;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use suum::{
    Answer, CommandLine, Entries, Error, Job, JobInputs, Neighbors, OptionName, OptionRow, Place,
    Progress, QueryFile, Result, Sort, StatisticName, View, Voice, check_combinations, option,
    options, say,
};

use crate::arguments::{
    AnswerFormat, Command, LedgerCommand, OptionValues, OutputArguments, RunArguments,
    SortArgument, Statistic, StatisticArguments, StudyCommand, identifier,
};
use crate::progress::while_reading;
use crate::report::Report;

/// Runs a command and returns its answer; also writes the answer as a page if one is requested.
pub(crate) fn run(command: Command, given: JobInputs) -> Result<Answer> {
    // Before the data are read or a ledger is charged: there must be a place for the page.
    let report = command.report();
    let report = report.map(Report::open).transpose()?;
    let (voice, view) = (command.voice(), command.view());
    let given = JobInputs { voice: Some(voice), ..given };
    let answer = execute(command, given)?.in_voice(voice);
    Ok(match report {
        Some(report) => report.write(answer, &view),
        None => answer,
    })
}

fn execute(command: Command, given: JobInputs) -> Result<Answer> {
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
                levels::run(arguments, JobInputs { progress, ..given.clone() })
            })
        }
        Command::LevelsSql(arguments) => levels::run_sql(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Sensitivity(arguments) => sensitivity::run(arguments),
        Command::Study(StudyCommand::Init { data, file }) => {
            let entries = entries(data)?;
            let entries = match file {
                Some(file) => entries.with("file", file.as_str()),
                None => entries,
            };
            suum::init_study(entries, given)
        }
        Command::Ledger(command) => ledger(command),
        Command::Audit(arguments) => audit::run(arguments, given.progress),
        Command::Completions { shell } => Ok(completions::run(*shell)),
        _ => Err(Error::internal("a command asks for nothing")),
    }
}

/// Entries of the release that a command requests; `None` for other commands.
pub(crate) fn entries_of_release(command: &Command) -> Result<Option<Entries>> {
    let Statistic { entry, asked } = match command {
        Command::Run(arguments) => return in_file(arguments).map(Some),
        Command::Statistic(statistic) => statistic,
        _ => return Ok(None),
    };
    let entries = entries(&asked.said)?;
    if !entry.is_list() {
        return Ok(Some(entries.with("statistic", entry.name)));
    }
    // Also where it is one in name.
    let OptionValues(said) = &asked.said;
    let names = said.get("statistic").and_then(Value::as_str).unwrap_or_default();
    let names = names.split(',').map(|name| name.trim().to_owned());
    Ok(Some(entries.with_list("statistic", names)))
}

/// Entries of the options of a command.
fn entries(OptionValues(said): &OptionValues) -> Result<Entries> {
    let said = Value::from(columns::split_columns(said.clone())?);
    Entries::from_json(&said.to_string())
}

/// Entries of a file; data that are named beside it replace its own.
fn in_file(arguments: &RunArguments) -> Result<Entries> {
    let entries = read(&arguments.file)?;
    Ok(match arguments.data.is_empty() {
        true => entries,
        false => entries.with_list("data", arguments.data.iter().cloned()),
    })
}

fn read(file: &str) -> Result<Entries> {
    let text = fs::read_to_string(file).map_err(|error| {
        Error::io(Place::file(file), format!("it cannot be read ({})", error.kind()))
            .with_fix("name a file of TOML in UTF-8, for example survey.toml")
    })?;
    // The JSON of a release says what was asked.
    let entries = match text.trim_start().starts_with('{') {
        true => Entries::from_json(&text)?.into_request(),
        false => Job::entries_of_toml(&text)?,
    };
    for said in ["format", "report", "quiet", "profile", "what_if", "assume"] {
        if entries.has(said) {
            let option = OptionName::new(said);
            return Err(Error::parameter(option, "it is no part of what is asked").with_fix(
                format!("say --{} on the command line, behind the file", option.with_hyphens()),
            ));
        }
    }
    Ok(entries)
}

/// Returns true if a word in place of the data is the name of a statistic and not of a file.
fn is_statistic(data: &str) -> bool {
    StatisticName::all_names().any(|name| name == data) && !Path::new(data).exists()
}

/// Returns the names of the data that a command has.
fn data_names(values: &Map<String, Value>) -> Vec<&str> {
    let names = values.get("data").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).collect()
}

/// Returns true for the name of a file of TOML.
fn names_query(data: &str) -> bool {
    data.to_ascii_lowercase().ends_with(".toml")
}

fn plan(arguments: &StatisticArguments, given: JobInputs) -> Result<Answer> {
    let OptionValues(said) = &arguments.said;
    let mut asked = entries(&arguments.said)?;
    let data = data_names(said);
    if let Some(name) = data.first().filter(|name| is_statistic(name)) {
        return Err(Error::request((*name).to_owned(), "the first word after plan names data")
            .with_fix(say("name the statistic with").set(option::STATISTIC, (*name).to_owned())));
    }
    let file = data.first().filter(|name| names_query(name));
    if let Some(file) = file {
        let of_people = options().filter(|row| row.is_of_people());
        let of_people: Vec<&str> = of_people.map(|row| row.name).collect();
        let of_file = match said.contains_key("profile") {
            true => read(file)?.without(&of_people),
            false => read(file)?,
        };
        asked = asked.without(&["data"]);
        if data.len() > 1 {
            // In place of those that the file names, as of a run.
            asked = asked.with_list("data", data[1..].iter().map(|name| (*name).to_owned()));
        }
        asked = asked.over(of_file);
    }
    if !asked.has("statistic") && !asked.has("answers") {
        asked = asked.with("statistic", "mean");
    }
    let (mut job, population) = Job::with_population(asked)?;
    let is_known = job.query.neighbors == Neighbors::ReplaceOne;
    let of_file = (file.is_some() || said.contains_key("study")) && !said.contains_key("levels");
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
            let accounts = serde_json::to_string(accounts)
                .map_err(|_| Error::internal("accounts have no JSON form"))?;
            suum::init_ledger(file.as_ref(), Entries::from_json(&accounts)?.without_empty())
        }
        LedgerCommand::Charge { file, charge, .. } => {
            let charge = Value::from(charge.with_identifier()?).to_string();
            suum::charge_ledger(file.as_ref(), Entries::from_json(&charge)?.without_empty())
        }
        LedgerCommand::Amend { file, amendment, register, .. } => {
            let amendment = Value::from(amendment.with_register(register)?).to_string();
            suum::amend_ledger(file.as_ref(), Entries::from_json(&amendment)?.without_empty(), None)
        }
        LedgerCommand::Statement { file, dataset, id, tier, .. } => {
            let id = id.as_deref().map(identifier).transpose()?;
            let said = json!({"dataset": dataset, "id": id, "tier": tier}).to_string();
            suum::ledger_statement(file.as_ref(), Entries::from_json(&said)?.without_empty())
        }
        LedgerCommand::Dossier { file, dataset, .. } => {
            suum::ledger_dossier(file.as_ref(), dataset.as_deref())
        }
        LedgerCommand::Show { file, entry: Some(entry), .. } => {
            suum::show_ledger_entry(file.as_ref(), *entry)
        }
        LedgerCommand::Show { file, dataset, .. } => {
            suum::show_ledger(file.as_ref(), dataset.as_deref())
        }
        LedgerCommand::Verify { file, accept_loss, accept_move, release, .. } => {
            let release = release.as_deref().map(verify::text).transpose()?;
            let verify = || suum::verify_ledger(file.as_ref(), *accept_loss, *accept_move);
            let Some(release) = release else { return verify() };
            if *accept_loss || *accept_move {
                verify()?;
            }
            suum::verify_ledger_release(file.as_ref(), &release)
        }
        LedgerCommand::Export { file } => suum::export_ledger(file.as_ref()),
    }
}

/// Does a job, and shows the progress of its reading, unless participation is hidden.
fn watched(
    job: &Job,
    quiet: bool,
    given: JobInputs,
    work: impl FnOnce(&Job, JobInputs) -> Result<Answer>,
) -> Result<Answer> {
    if given.progress.is_some() {
        return work(job, given);
    }
    let quiet = quiet || job.query.neighbors.hides_participation();
    while_reading(quiet, |progress: Arc<Progress>| {
        work(job, JobInputs { progress: Some(progress), ..given })
    })
}

impl Command {
    /// Refuses options that contradict each other, or lack one that they need.
    ///
    /// # Errors
    ///
    /// Names the option, before anything is read.
    pub(crate) fn check_usage(&self) -> Result<()> {
        let OptionValues(values) = match self {
            Self::Statistic(statistic) => &statistic.asked.said,
            Self::Plan(arguments) => &arguments.said,
            Self::Levels(arguments) => &arguments.said,
            Self::LevelsSql(arguments) => &arguments.said,
            _ => return Ok(()),
        };
        let names_file = data_names(values).first().is_some_and(|name| names_query(name));
        if names_file || values.contains_key("study") {
            // The file can have what options here need.
            return Ok(());
        }
        let rows: Vec<&OptionRow> = options().filter(|row| values.contains_key(row.name)).collect();
        check_combinations(&rows)
    }

    /// Output options of a statistic or a plan.
    fn output(&self) -> Option<&OutputArguments> {
        match self {
            Self::Plan(asked) => Some(&asked.output),
            Self::Run(arguments) => Some(&arguments.output),
            Self::Statistic(statistic) => Some(&statistic.asked.output),
            _ => None,
        }
    }

    /// File of the page, if one is requested.
    fn report(&self) -> Option<&str> {
        match self {
            Self::Audit(arguments) => arguments.report.as_deref(),
            Self::Ledger(
                LedgerCommand::Show { report, .. }
                | LedgerCommand::Statement { report, .. }
                | LedgerCommand::Dossier { report, .. },
            ) => report.as_deref(),
            _ => self.output()?.report.as_deref(),
        }
    }

    /// Returns the voice of the request: that of a query file, or of the command line.
    pub(crate) fn voice(&self) -> &'static dyn Voice {
        match self {
            Self::Run(_) => &QueryFile,
            _ => &CommandLine,
        }
    }

    /// Length of the text, and the order of its shares.
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

    /// Format of the answer.
    pub(crate) fn format(&self) -> AnswerFormat {
        let format = match self {
            Self::Audit(arguments) => arguments.format,
            Self::Verify(arguments) => arguments.format,
            Self::Sensitivity(arguments) => arguments.format,
            Self::Ledger(
                LedgerCommand::Show { format, .. }
                | LedgerCommand::Charge { format, .. }
                | LedgerCommand::Amend { format, .. }
                | LedgerCommand::Statement { format, .. }
                | LedgerCommand::Dossier { format, .. }
                | LedgerCommand::Verify { format, .. },
            ) => *format,
            command => return command.output().map_or_else(Default::default, |one| one.format),
        };
        format.into()
    }
}
