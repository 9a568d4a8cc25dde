//! Options of each command, for tests and pages that must not drift from them.

use clap::{Arg, ArgAction};

use crate::arguments::commands;

/// Option of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOption {
    /// Name, without leading dashes.
    pub name: String,
    /// Default, as it would be given; `None` if there is none, or if it is a flag.
    pub default: Option<String>,
    /// Possible values; empty if they cannot be listed.
    pub choices: Vec<String>,
    /// True if it is a flag, without a value.
    pub is_flag: bool,
}

/// Options of a command such as `mean`; empty if there is no such command.
///
/// # Example
///
/// ```
/// let options = suum_cli::options("mean");
/// let option = |name| options.iter().find(|option| option.name == name).unwrap();
/// assert_eq!(option("target").choices, ["population", "dataset", "dataset-correlated"]);
/// assert_eq!(option("format").default.as_deref(), Some("text"));
/// ```
pub fn options(command: &str) -> Vec<CommandOption> {
    let mut suum = commands();
    // With the options of all commands.
    suum.build();
    let Some(command) = suum.find_subcommand(command) else { return Vec::new() };
    command.get_arguments().filter_map(described).collect()
}

fn described(argument: &Arg) -> Option<CommandOption> {
    let is_flag = match argument.get_action() {
        ArgAction::SetTrue => true,
        ArgAction::Set | ArgAction::Append => false,
        _ => return None,
    };
    let default = argument.get_default_values().first().filter(|_| !is_flag);
    Some(CommandOption {
        name: argument.get_long()?.to_owned(),
        default: default.map(|value| value.to_string_lossy().into_owned()),
        choices: match is_flag {
            true => Vec::new(),
            false => argument
                .get_possible_values()
                .iter()
                .map(|value| value.get_name().to_owned())
                .collect(),
        },
        is_flag,
    })
}
