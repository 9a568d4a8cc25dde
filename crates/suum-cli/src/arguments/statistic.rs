//! The commands of the statistics, from the list of statistics.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use suum::StatisticEntry;

use super::StatisticArguments;

/// A statistic, and what is asked of it.
#[derive(Debug)]
pub(crate) struct Statistic {
    pub(crate) entry: &'static StatisticEntry,
    pub(crate) asked: StatisticArguments,
}

fn command(entry: &'static StatisticEntry) -> Command {
    let command = StatisticArguments::augment_args(Command::new(entry.name)).about(entry.about);
    let command = command.visible_aliases(entry.aliases.iter().copied());
    match entry.more {
        "" => command,
        more => command.long_about(format!("{}\n\n{more}", entry.about)),
    }
}

impl FromArgMatches for Statistic {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, matches) = matches.subcommand().unwrap_or(("", matches));
        match StatisticEntry::named(name) {
            Some(entry) => {
                Ok(Self { entry, asked: StatisticArguments::from_arg_matches(matches)? })
            }
            None => Err(clap::Error::raw(ErrorKind::InvalidSubcommand, name)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        Self::from_arg_matches(matches).map(|statistic| *self = statistic)
    }
}

impl Subcommand for Statistic {
    fn augment_subcommands(commands: Command) -> Command {
        commands.subcommands(StatisticEntry::all().iter().map(command))
    }

    fn augment_subcommands_for_update(commands: Command) -> Command {
        Self::augment_subcommands(commands)
    }

    fn has_subcommand(name: &str) -> bool {
        StatisticEntry::named(name).is_some()
    }
}
