//! The options of a query as those of a command, and what is said by them.

use std::iter;

use clap::builder::{PossibleValue, PossibleValuesParser, Resettable};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};
use suum::{Form, Job, Levels, OptionDescription, Part, Query, TimeScale};

use super::estimator_purpose::offer;
use super::output::OutputArguments;
use super::sections::in_sections;

/// What is said by options of a query, by their names.
#[derive(Debug, Clone)]
pub(crate) struct OptionValues(pub(crate) Map<String, Value>);

/// What a statistic or a plan is told.
#[derive(Debug)]
pub(crate) struct StatisticArguments {
    pub(crate) said: OptionValues,
    pub(crate) output: OutputArguments,
}

/// What is said more than once where there are several columns.
const OF_COLUMNS: [&str; 4] = ["bounds", "categories", "bins", "groups"];

/// What a summary is of, unless it is said.
const SUMMARY: &str = "mean,variance,q25,q50,q75";

/// The command with the options of the query that it asks.
fn with_options(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let mut options: Vec<&OptionDescription> =
        Job::described().iter().filter(|option| takes(&name, option)).collect();
    // The data come first.
    options.sort_by_key(|option| option.of != Part::Source);
    let has = |name: &str| options.iter().any(|option| option.name == name);
    let groups = options.iter().filter_map(|option| one_of(option));
    let command = groups.fold(command, Command::group);
    options.iter().fold(command, |command, option| {
        let others = option.not_with.iter().filter(|name| has(name)).map(String::as_str);
        let argument = match option.name.as_str() {
            "missing" if !has("categories") => argument(option).value_parser(missing_number),
            "estimator" => argument(option).value_parser(offer(&name)),
            "statistic" => of_several(argument(option), &name),
            "between" => argument(option).required(name == "difference"),
            // Where there are no categories.
            "other_group" if !has("other") => argument(option).alias("other"),
            _ => argument(option),
        };
        command.arg(argument.hide(is_refused(&name, option)).conflicts_with_all(others))
    })
}

/// The statistic that a command is about, if it is one.
fn statistic(command: &str) -> &str {
    if command == "difference" { "mean" } else { command }
}

fn takes(command: &str, option: &OptionDescription) -> bool {
    let name = option.name.as_str();
    match (command, option.of) {
        ("plan", _) => name != "insecure_seed",
        // They only say why they cannot charge anybody.
        ("levels" | "levels-sql", Part::Charge) => true,
        ("levels" | "levels-sql", _) => name != "adapt" && Levels::options().contains(&name),
        ("summary", Part::Query) if name == "statistic" => true,
        (_, Part::Population) => false,
        (_, of) => Query::options(statistic(command))
            .is_ok_and(|options| of != Part::Query || options.iter().any(|one| one == name)),
    }
}

/// Whether a command takes an option only to say why it cannot do what it says.
fn is_refused(command: &str, option: &OptionDescription) -> bool {
    let is_target = TARGETS.contains(&option.name.as_str());
    match command {
        "levels" => option.of == Part::Charge,
        "levels-sql" => {
            option.of == Part::Charge || ["data", "from_levels"].contains(&option.name.as_str())
        }
        "summary" | "count" => is_target,
        _ => false,
    }
}

/// The statistics that a plan or a summary is of.
fn of_several(argument: Arg, command: &str) -> Arg {
    match command {
        "summary" => argument
            .default_value(SUMMARY)
            .help("Which statistics: mean, variance, and quantiles such as q50 or q99.9"),
        _ => {
            let names: Vec<_> =
                suum::StatisticName::names().filter(|name| *name != "count").collect();
            argument.help(format!(
                "Which statistic to plan: {}, with --neighbors add-remove count, or several such \
                 as mean,variance,q50 [default: mean]",
                names.join(", ")
            ))
        }
    }
}

fn argument(option: &'static OptionDescription) -> Arg {
    let argument = Arg::new(option.name.as_str()).help(help(&option.about));
    let argument = match option.name.as_str() {
        "data" => argument,
        _ => argument.long(option.word.as_str()),
    };
    let argument = match &option.needs {
        Some(needs) => argument.requires(needs.as_str()),
        None => argument,
    };
    let argument = match OF_COLUMNS.contains(&option.name.as_str()) {
        true => argument.action(ArgAction::Append),
        false => argument,
    };
    let valued = argument.clone().value_name(option.value.as_str());
    match &option.form {
        Form::Flag => argument.action(ArgAction::SetTrue),
        Form::NumberOrNothing => valued
            .value_parser(number_or_nothing)
            .allow_hyphen_values(true)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(NOTHING),
        Form::Number if TARGETS.contains(&option.name.as_str()) => {
            valued.value_parser(length).allow_hyphen_values(true)
        }
        Form::Number => valued.value_parser(number).allow_hyphen_values(true),
        Form::Whole(bits) => {
            let most = u64::MAX >> (64 - bits.min(&64));
            valued.value_parser(move |text: &str| whole(text, most))
        }
        Form::Choice(choices) => {
            valued.value_parser(PossibleValuesParser::new(choices.iter().map(choice)))
        }
        Form::NumberOrText => valued.allow_hyphen_values(true),
        Form::Text => valued,
    }
}

/// The options of which one is needed, where there are several.
fn one_of(option: &'static OptionDescription) -> Option<ArgGroup> {
    let needs = option.needs.as_deref().filter(|needs| needs.contains(" or "))?;
    Some(ArgGroup::new(needs).args(needs.split(" or ")).multiple(true))
}

/// The words for what an option is: names of others are words of the command line here.
fn help(about: &str) -> String {
    let part =
        |(at, part): (usize, &str)| match Job::described().iter().find(|one| one.name == part) {
            // Every second part stands between backticks.
            Some(option) if at % 2 == 1 => format!("--{}", option.word),
            _ if at % 2 == 1 => format!("`{part}`"),
            _ => part.to_owned(),
        };
    let words: String = about.split('`').enumerate().map(part).collect();
    words.strip_suffix('.').map_or(words.clone(), str::to_owned)
}

/// Stands for no number, where none is needed.
const NOTHING: &str = "true";

fn number(text: &str) -> Result<String, String> {
    match text.trim().parse::<f64>() {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("expected a number".to_owned()),
    }
}

/// Options that say how near an estimate is to come.
const TARGETS: [&str; 2] = ["target_rmse", "target_half_width"];

/// A number, or percentage points.
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

/// What becomes of missing numbers, dates or times: one in their place, or `exclude`.
fn missing_number(text: &str) -> Result<String, String> {
    let is_value = text.trim() == "exclude" || TimeScale::of(text).is_some();
    match is_value || number(text).is_ok() {
        true => Ok(text.to_owned()),
        false => Err("expected a number, a date or time, or exclude".to_owned()),
    }
}

/// The choices of an option, for commands that ask no query.
pub(super) fn choices_of(name: &str) -> PossibleValuesParser {
    let form = Job::described().iter().find(|option| option.name == name).map(|one| &one.form);
    match form {
        Some(Form::Choice(choices)) => PossibleValuesParser::new(choices.iter().map(choice)),
        _ => PossibleValuesParser::new(iter::empty::<PossibleValue>()),
    }
}

fn choice((name, about): &'static (String, String)) -> PossibleValue {
    PossibleValue::new(name.as_str()).help(about.as_str())
}

/// The options are put together once the command is asked for: all of them take longer than many a
/// command.
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
        let said = Job::described().iter().filter_map(|option| {
            let name = option.name.as_str();
            let value = match option.form {
                Form::Flag => Value::Bool(matches.try_get_one::<bool>(name).ok()?.copied()?),
                _ => of_texts(option, matches.try_get_many::<String>(name).ok()??),
            };
            (value != Value::Bool(false)).then(|| (option.name.clone(), value))
        });
        Ok(Self(said.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|said| *self = said)
    }
}

/// What the words of an option say: a list where they can be said for each of several columns.
fn of_texts<'a>(option: &OptionDescription, mut texts: impl Iterator<Item = &'a String>) -> Value {
    match option.form {
        _ if OF_COLUMNS.contains(&option.name.as_str()) => texts.cloned().collect(),
        Form::NumberOrNothing => match texts.next() {
            Some(text) if text != NOTHING => text.clone().into(),
            _ => true.into(),
        },
        _ => texts.next().cloned().into(),
    }
}
