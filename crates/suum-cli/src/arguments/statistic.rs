//! The commands of the statistics, each with three examples.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use super::StatisticArguments;

/// A statistic, and what is asked of it.
#[derive(Debug)]
pub(crate) struct Statistic {
    command: &'static str,
    asked: StatisticArguments,
}

impl Statistic {
    /// The name of the statistic that is asked for, and what of it.
    pub(crate) fn named(&self) -> (&'static str, &StatisticArguments) {
        (if self.command == "difference" { "mean" } else { self.command }, &self.asked)
    }
}

/// Commands of one column that have options of their own, and what they do.
const OF_VALUES: [(&str, &str); 5] = [
    ("mean", "The private mean of a numeric column"),
    ("difference", "The difference of the private means of two groups"),
    ("sum", "The private sum of a numeric column"),
    ("frequency", "The private share of every category"),
    ("quantile", "The private quantiles of a numeric column"),
];

/// Commands of several statistics, and of the number of records.
const OF_RECORDS: [(&str, &str); 2] = [
    ("summary", "Several statistics of a column in one pass, from one budget"),
    ("count", "The number of records per tier"),
];

/// What else commands are called.
const ALIASES: [(&str, &str); 3] =
    [("mean", "average"), ("frequency", "histogram"), ("quantile", "median")];

/// What only the long help says.
const MORE: [(&str, &str); 2] = [
    ("difference", "As mean with --between."),
    ("count", "Public under replace-one neighbours; else one private number."),
];

/// All commands in the order in which help lists them, and what they do.
fn all() -> impl Iterator<Item = (&'static str, String)> {
    let words = |(name, about): (&'static str, &str)| (name, about.to_owned());
    let others = suum::StatisticName::others().map(|plain| {
        let beside = plain.beside().map_or(String::new(), |one| format!(", and {one} with it"));
        let called = plain.name().replace('-', " ");
        (plain.name(), format!("The private {called} of a numeric column{beside}"))
    });
    OF_VALUES.into_iter().map(words).chain(others).chain(OF_RECORDS.into_iter().map(words))
}

fn command((name, about): (&'static str, String)) -> Command {
    let of = |table: &[(&str, &'static str)]| {
        table.iter().find(|(of, _)| *of == name).map(|(_, words)| *words)
    };
    let more = of(&MORE).map(|more| format!("{about}\n\n{more}"));
    let command = StatisticArguments::augment_args(Command::new(name)).about(about);
    let command = more.into_iter().fold(command, Command::long_about);
    of(&ALIASES).into_iter().fold(command, Command::visible_alias)
}

impl FromArgMatches for Statistic {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (said, matches) = matches.subcommand().unwrap_or(("", matches));
        match all().find(|(name, _)| *name == said) {
            Some((command, _)) => {
                Ok(Self { command, asked: StatisticArguments::from_arg_matches(matches)? })
            }
            None => Err(clap::Error::raw(ErrorKind::InvalidSubcommand, said)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|said| *self = said)
    }
}

impl Subcommand for Statistic {
    fn augment_subcommands(commands: Command) -> Command {
        commands.subcommands(all().map(command))
    }

    fn augment_subcommands_for_update(commands: Command) -> Command {
        Self::augment_subcommands(commands)
    }

    fn has_subcommand(name: &str) -> bool {
        all().any(|(known, _)| known == name)
    }
}

/// Examples of the command of a statistic.
pub(super) fn examples(name: &str) -> Option<[String; 3]> {
    let own = EXAMPLES.iter().find(|(of, _)| *of == name);
    let own = own.map(|(_, examples)| examples.map(str::to_owned));
    let is_other = || suum::StatisticName::others().any(|plain| plain.name() == name);
    own.or_else(|| is_other().then(|| of_other(name)))
}

/// Examples of a statistic that needs nothing but a column of numbers.
fn of_other(name: &str) -> [String; 3] {
    [
        "examples/randhie.csv --value visits --bounds 0,77 …",
        "people.csv --value height --bounds 100,230 --epsilon budget",
        "people.csv --value height --bounds 100,230 --epsilon budget --report height.html",
    ]
    .map(|options| format!("suum {name} {options}"))
}

/// Examples of those that have options of their own; `…` stands for the tiers of the example's
/// data.
const EXAMPLES: [(&str, [&str; 3]); 7] = [
    (
        "mean",
        [
            "suum mean examples/randhie.csv --value visits --bounds 0,77 …",
            "suum mean people.csv --value income --bounds 0,200000 --epsilon budget --explain",
            "suum mean people.csv --value age --bounds 0,120 --epsilon budget --report age.html",
        ],
    ),
    (
        "difference",
        [
            "suum difference examples/randhie.csv --value visits --bounds 0,77 --group-by health \
             --groups excellent,good,fair,poor --between poor,good …",
            "suum difference people.csv --value age --bounds 0,120 --epsilon budget --group-by sex \
             --groups f,m --between f,m",
            "suum mean people.csv --value age --bounds 0,120 --epsilon budget --group-by town \
             --groups A,B --other-group rest --between A,B",
        ],
    ),
    (
        "sum",
        [
            "suum sum examples/randhie.csv --value visits --bounds 0,77 …",
            "suum sum sales.csv --value amount --bounds 0,500 --epsilon budget --person customer",
            "suum sum sales.csv --value amount --bounds 0,500 --epsilon budget --target dataset",
        ],
    ),
    (
        "frequency",
        [
            "suum frequency examples/randhie.csv --value health \
             --categories excellent,good,fair,poor …",
            "suum frequency people.csv --value age --bins 0,18,65,120 --epsilon budget",
            "suum frequency people.csv --value town --categories A,B --other rest --epsilon budget",
        ],
    ),
    (
        "quantile",
        [
            "suum quantile examples/randhie.csv --value visits --bounds 0,77 --step 1 …",
            "suum quantile people.csv --value income --bounds 0,99999 --q deciles --epsilon e",
            "suum median people.csv --value income --bounds auto --epsilon budget",
        ],
    ),
    (
        "summary",
        [
            "suum summary examples/randhie.csv --value visits --bounds 0,77 --step 1 …",
            "suum summary people.csv --value age --bounds 0,120 --statistic mean,q90 --epsilon e",
            "suum summary people.csv --value age --bounds auto --epsilon budget --format json",
        ],
    ),
    (
        "count",
        [
            "suum count examples/randhie.csv …",
            "suum count people.csv --epsilon budget --group-by town --groups A,B,C",
            "suum count people.csv --privacy tier --levels a=0.1,b=1 --neighbors add-remove",
        ],
    ),
];
