//! Which options everybody needs, which many, and which few: the sections of a command's help.

use clap::{Arg, ArgAction, Command};

/// A section of the help of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Without these there is no answer.
    Required,
    Common,
    /// What `--help` shows and `-h` does not.
    Expert,
}
use Section::{Common, Expert, Required};

impl Section {
    fn heading(self) -> &'static str {
        match self {
            Self::Required => "Required",
            Self::Common => "Common",
            Self::Expert => "Expert",
        }
    }
}

/// Options by their names in the order of their importance, with a help that takes one line. What
/// is not among them is for experts.
const SECTIONS: [(&str, Section, &str); 35] = [
    ("data", Required, "CSV, Parquet, folder, -, SQLite, postgresql://"),
    ("profile", Required, "The people in place of data: 0.1:340,inf:23"),
    ("dialect", Required, "Whose SQL: postgres, sqlite, duckdb, spark, …"),
    ("value", Required, "Column of values"),
    ("bounds", Required, "What is possible, from public knowledge"),
    ("categories", Required, "The categories, from public knowledge"),
    ("bins", Required, "Or: edges of numeric bins, 0,10,20"),
    ("privacy", Required, "Column of consent tiers"),
    ("levels", Required, "Their budgets: strict=0.01,public=inf"),
    ("epsilon", Required, "Or: column of numeric privacy budgets"),
    ("statistic", Common, "Such as mean, or mean,variance,q50"),
    ("q", Common, "Which quantiles: 0.25,0.5 or 90% or deciles"),
    ("step", Common, "Between possible values: 1 for integers"),
    ("other", Common, "A further category for all other values"),
    ("what_if", Common, "Compare with other people: inf:+500"),
    ("assume", Common, "Simulate data: normal, skewed, lumpy, two-valued"),
    ("target", Common, "population, dataset or dataset-correlated"),
    ("neighbors", Common, "replace, add-remove or both"),
    ("confidence", Common, "Confidence of intervals [default: 0.95]"),
    ("explain", Common, "Say all: estimators, errors, the guarantee"),
    ("report", Common, "Write a page of HTML, too"),
    ("format", Common, "text for people, json for programs"),
    ("sort", Common, "Shares by share, or as declared"),
    ("person", Common, "Column that names persons with many rows"),
    ("group_by", Common, "Column of groups: a release for each"),
    ("groups", Common, "The groups, from public knowledge"),
    ("ledger", Common, "Charge this ledger; spend what is left at most"),
    ("spend", Common, "How much: 10%, 1/12, 10%-of-left, eps=0.05"),
    ("missing", Common, "In place of missing values, or exclude"),
    ("table", Common, "The table of a database"),
    ("cdf", Common, "The whole distribution function"),
    ("dataset", Common, "Whose accounts in the ledger"),
    ("query", Common, "A query whose rows are the records"),
    ("estimator", Common, "How to weight records [default: auto]"),
    ("quiet", Common, "No progress on standard error"),
];

/// How many options `-h` shows: with what is around them they fit a screen of 30 lines.
const SHOWN: usize = 20;

/// The command with its options in sections, if it reads records: `-h` has one line each for the
/// first of them, and `--help` all.
pub(super) fn in_sections(command: Command) -> Command {
    let has = |name: &str| command.get_arguments().any(|argument| argument.get_id() == name);
    if !has("privacy") {
        return command;
    }
    // Only shares have an order of their own.
    let hides_sort = !has("categories");
    let place_of =
        |argument: &Arg| SECTIONS.iter().position(|(name, ..)| argument.get_id() == name);
    let is_hidden =
        |argument: &Arg| argument.is_hide_set() || (hides_sort && argument.get_id() == "sort");
    let seen = command.get_arguments().filter(|argument| !is_hidden(argument));
    let mut shown: Vec<usize> = seen.filter_map(place_of).collect();
    shown.sort_unstable();
    shown.truncate(SHOWN);
    // In the long help the last line of its section.
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let help =
        help.help("With -h one line for what most people need").display_order(SECTIONS.len());
    let command = command.disable_help_flag(true).mut_args(|argument| match place_of(&argument) {
        Some(place) => section(argument, place).hide_short_help(!shown.contains(&place)),
        None => argument.help_heading(Expert.heading()).hide_short_help(true),
    });
    command.arg(help.help_heading(Common.heading()).hide_short_help(true))
}

/// The option in its section, with its short help for `-h`.
fn section(argument: Arg, place: usize) -> Arg {
    let (_, section, short) = SECTIONS[place];
    let long = argument.get_help().cloned();
    let argument = argument.help_heading(section.heading()).help(short).display_order(place);
    match long {
        Some(long) => argument.long_help(long),
        None => argument,
    }
}
