//! Options of a query as those of a command, and their values.

use std::iter;

use clap::builder::{PossibleValue, PossibleValuesParser, Resettable};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};
use suum::{Form, Levels, OptionRow, Part, Query, StatisticEntry, TimeScale, options};

use super::estimator_purpose::offer;
use super::output::OutputArguments;
use super::sections::in_sections;

/// Values of options of a query, by their names.
#[derive(Debug, Clone)]
pub(crate) struct OptionValues(pub(crate) Map<String, Value>);

/// Arguments of a statistic or a plan.
#[derive(Debug)]
pub(crate) struct StatisticArguments {
    pub(crate) said: OptionValues,
    pub(crate) output: OutputArguments,
}

/// Returns the command with the options of the query that it asks.
fn with_options(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let mut rows: Vec<&OptionRow> = options().filter(|row| takes(&name, row)).collect();
    // The data come first.
    rows.sort_by_key(|row| row.part != Part::Source);
    let has = |name: &str| rows.iter().any(|row| row.name == name);
    let entry = StatisticEntry::named(&name);
    rows.iter().fold(command, |command, row| {
        let argument = match row.name {
            "missing" if !has("categories") => argument(row).value_parser(missing_number),
            "data" if name == "amend" => argument(row).num_args(1).help(
                "The database that has the register as a table: a SQLite file (also as \
                 sqlite:PATH), or postgresql://USER@HOST/DATABASE",
            ),
            "estimator" => argument(row).value_parser(offer(&name)),
            "statistic" => statistics_argument(argument(row), entry),
            // Commands without categories.
            "other_group" if !has("other") => argument(row).alias("other"),
            _ => argument(row),
        };
        let is_required = entry.is_some_and(|entry| entry.required_option() == Some(row.name));
        command.arg(argument.hide(is_refused(&name, row)).required(is_required))
    })
}

/// The options of a register beside those whose names begin with `consent`.
const OF_REGISTERS: [&str; 8] =
    ["data", "key", "privacy", "epsilon", "as_of", "delimiter", "encoding", "decimal"];

/// The options with which the header of data is read.
const OF_HEADERS: [&str; 7] =
    ["data", "table", "query", "trust_query", "delimiter", "encoding", "decimal"];

fn takes(command: &str, row: &OptionRow) -> bool {
    let is_list = StatisticEntry::named(command).is_some_and(StatisticEntry::is_list);
    match (command, row.part) {
        ("plan", _) => row.name != "insecure_seed",
        ("init", _) => OF_HEADERS.contains(&row.name),
        ("amend", _) => row.name.starts_with("consent") || OF_REGISTERS.contains(&row.name),
        // They only say why they cannot charge anybody.
        ("levels" | "levels-sql", Part::Charge | Part::Study) => true,
        ("levels" | "levels-sql", _) => {
            row.name != "adapt" && Levels::options().contains(&row.name)
        }
        (_, Part::Query) if row.name == "statistic" => is_list,
        (_, Part::Population) => false,
        (_, part) => Query::options(command)
            .is_ok_and(|options| part != Part::Query || options.contains(&row.name)),
    }
}

/// Returns true if a command accepts an option only to refuse it with a reason.
fn is_refused(command: &str, row: &OptionRow) -> bool {
    let is_target = row.form() == Form::Length;
    match command {
        "levels" => row.part == Part::Charge,
        "levels-sql" => row.part == Part::Charge || ["data", "from_levels"].contains(&row.name),
        "summary" | "count" => is_target,
        _ => false,
    }
}

/// Returns the argument that names the statistics of a plan or of a summary.
fn statistics_argument(argument: Arg, entry: Option<&'static StatisticEntry>) -> Arg {
    if let Some(list) = entry.and_then(StatisticEntry::default_list) {
        return argument
            .default_value(list)
            .help("Which statistics: mean, variance, and quantiles such as q50 or q99.9");
    }
    let all = StatisticEntry::all().iter().map(|entry| entry.name);
    let names: Vec<&str> = all.filter(|name| *name != "count").collect();
    argument.help(format!(
        "Which statistic to plan: {}, with --neighbors add-remove count, or several such as \
         mean,variance,q50 [default: mean]",
        names.join(", ")
    ))
}

fn argument(row: &'static OptionRow) -> Arg {
    let argument = Arg::new(row.name).help(help(&row.about()));
    let argument = match row.name {
        // Several files, say by a glob of the shell.
        "data" => argument.num_args(1..),
        _ => argument.long(row.word()),
    };
    let argument = match row.is_of_each_column() {
        true => argument.action(ArgAction::Append),
        false => argument,
    };
    let valued = argument.clone().value_name(row.value_name());
    match row.form() {
        Form::Flag => argument.action(ArgAction::SetTrue),
        Form::NumberOrNothing => valued
            .value_parser(number_or_nothing)
            .allow_hyphen_values(true)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(NOTHING),
        Form::Length => valued.value_parser(length).allow_hyphen_values(true),
        Form::Number => valued.value_parser(number).allow_hyphen_values(true),
        Form::Whole(bits) => {
            let most = u64::MAX >> (64 - bits.min(64));
            valued.value_parser(move |text: &str| whole(text, most))
        }
        Form::Choice(choices) => {
            valued.value_parser(PossibleValuesParser::new(choices.iter().map(choice)))
        }
        Form::NumberOrText => valued.allow_hyphen_values(true),
        Form::Text => valued,
    }
}

/// Help of an option, in which names of other options become words of the command line.
fn help(about: &str) -> String {
    let part = |(at, part): (usize, &str)| match options().find(|row| row.name == part) {
        // Every second part stands between backticks.
        Some(row) if at % 2 == 1 => format!("--{}", row.word()),
        _ if at % 2 == 1 => format!("`{part}`"),
        _ => part.to_owned(),
    };
    let words: String = about.split('`').enumerate().map(part).collect();
    words.strip_suffix('.').map_or(words.clone(), str::to_owned)
}

/// Placeholder for an optional number that is not given.
const NOTHING: &str = "true";

fn number(text: &str) -> Result<String, String> {
    match text.trim().parse::<f64>() {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("expected a number".to_owned()),
    }
}

/// Checks a number, or percentage points.
fn length(text: &str) -> Result<String, String> {
    let text = text.trim();
    let points = text.strip_suffix("pp").or_else(|| text.strip_suffix('%')).unwrap_or(text);
    match number(points) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("expected a number, or percentage points such as 0.5pp".to_owned()),
    }
}

fn number_or_nothing(text: &str) -> Result<String, String> {
    if text == NOTHING { Ok(text.to_owned()) } else { number(text) }
}

fn whole(text: &str, most: u64) -> Result<String, String> {
    match text.trim().parse::<u64>() {
        Ok(number) if number <= most => Ok(text.to_owned()),
        _ => Err(format!("expected a whole number from 0 to {most}")),
    }
}

/// Checks a replacement for missing numbers, dates or times: one of these, or `exclude`.
fn missing_number(text: &str) -> Result<String, String> {
    let is_value = text.trim() == "exclude" || TimeScale::detect(text).is_some();
    match is_value || number(text).is_ok() {
        true => Ok(text.to_owned()),
        false => Err("expected a number, a date or time, or exclude".to_owned()),
    }
}

/// Choices of an option, for commands that are not queries.
pub(super) fn choices_of(name: &str) -> PossibleValuesParser {
    match options().find(|row| row.name == name).map(OptionRow::form) {
        Some(Form::Choice(choices)) => PossibleValuesParser::new(choices.iter().map(choice)),
        _ => PossibleValuesParser::new(iter::empty::<PossibleValue>()),
    }
}

fn choice((name, about): &(&'static str, &'static str)) -> PossibleValue {
    PossibleValue::new(*name).help(*about)
}

/// Builds the options only for the command that is called: building those of all commands takes
/// longer than running many a command.
impl Args for StatisticArguments {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| {
            let (about, more) = (command.get_about().cloned(), command.get_long_about().cloned());
            let command = in_sections(OutputArguments::augment_args(with_options(command)));
            // The output arguments say what they are about, too.
            command.about(Resettable::from(about)).long_about(Resettable::from(more))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for StatisticArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let output = OutputArguments::from_arg_matches(matches)?;
        Ok(Self { said: OptionValues::from_arg_matches(matches)?, output })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|asked| *self = asked)
    }
}

impl Args for OptionValues {
    fn augment_args(command: Command) -> Command {
        with_options(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        with_options(command)
    }
}

impl FromArgMatches for OptionValues {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let values = options().filter_map(|row| {
            let value = match row.form() {
                Form::Flag => Value::Bool(matches.try_get_one::<bool>(row.name).ok()?.copied()?),
                _ => value_from_texts(row, matches.try_get_many::<String>(row.name).ok()??),
            };
            (value != Value::Bool(false)).then(|| (row.name.to_owned(), value))
        });
        Ok(Self(values.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|said| *self = said)
    }
}

/// Value of the texts of an option: a list if it can be given for each of several columns or files.
fn value_from_texts<'a>(row: &OptionRow, mut texts: impl Iterator<Item = &'a String>) -> Value {
    match row.form() {
        _ if row.is_of_each_column() || row.name == "data" => texts.cloned().collect(),
        Form::NumberOrNothing => match texts.next() {
            Some(text) if text != NOTHING => text.clone().into(),
            _ => true.into(),
        },
        _ => texts.next().cloned().into(),
    }
}
