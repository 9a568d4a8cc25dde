//! Sections of a command's help: options that everybody needs, that many need, and that few need.

use clap::{Arg, ArgAction, Command};
use suum::options;

/// Section of the help of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Options without which there is no answer.
    Required,
    Common,
    /// Options that `--help` shows and `-h` does not.
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

/// Options of the output and of commands that are not part of a query: place, section, and short
/// help.
const OF_COMMANDS: [(&str, u16, Section, &str); 6] = [
    ("dialect", 30, Required, "Whose SQL: postgres, sqlite, duckdb, spark, …"),
    ("explain", 200, Common, "Say all: estimators, errors, the guarantee"),
    ("report", 210, Common, "Write a page of HTML, too"),
    ("format", 220, Common, "text for people, json for programs"),
    ("sort", 230, Common, "Shares and groups by size, or as declared"),
    ("quiet", 350, Common, "No progress on standard error"),
];

/// Returns the place of an option among all, its section and its short help; `None` for those that
/// only experts need.
fn place_of(name: &str) -> Option<(u16, Section, &'static str)> {
    let of_command = OF_COMMANDS.iter().find(|(own, ..)| *own == name);
    let of_command = of_command.map(|(_, place, section, short)| (*place, *section, *short));
    of_command.or_else(|| {
        let row = options().find(|row| row.name == name)?;
        let section = if row.is_required { Required } else { Common };
        Some((row.place?, section, row.short))
    })
}

/// Number of options that `-h` shows: with the text around them they fit a screen of 30 lines.
const SHOWN: usize = 20;

/// Puts the options of a command in sections, if it reads records: `-h` has one line each for the
/// first of them, and `--help` all.
pub(super) fn in_sections(command: Command) -> Command {
    let has = |name: &str| command.get_arguments().any(|argument| argument.get_id() == name);
    if !has("privacy") {
        return command;
    }
    // It matters most for shares.
    let hides_sort = !has("categories");
    let place = |argument: &Arg| place_of(argument.get_id().as_str());
    let is_hidden =
        |argument: &Arg| argument.is_hide_set() || (hides_sort && argument.get_id() == "sort");
    let seen = command.get_arguments().filter(|argument| !is_hidden(argument));
    let mut shown: Vec<u16> = seen.filter_map(place).map(|(place, ..)| place).collect();
    shown.sort_unstable();
    shown.truncate(SHOWN);
    // In the long help the last line of its section.
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let help = help
        .help("With -h one line for what most people need")
        .display_order(usize::from(u16::MAX));
    let command = command.disable_help_flag(true).mut_args(|argument| match place(&argument) {
        Some(row) => section(argument, row).hide_short_help(!shown.contains(&row.0)),
        None => argument.help_heading(Expert.heading()).hide_short_help(true),
    });
    command.arg(help.help_heading(Common.heading()).hide_short_help(true))
}

/// Puts an option in its section, with its short help for `-h`.
fn section(argument: Arg, (place, section, short): (u16, Section, &'static str)) -> Arg {
    let long = argument.get_help().cloned();
    let argument =
        argument.help_heading(section.heading()).help(short).display_order(usize::from(place));
    match long {
        Some(long) => argument.long_help(long),
        None => argument,
    }
}
