//! Errors in the words of a command line, with suggestions.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use suum::{Error, OptionRow, nearest};

/// Refusal of a command line, with a way out.
pub(crate) fn refusal(usage: clap::Error, commands: &mut Command) -> Error {
    // With the options of all: another one may have the option.
    commands.build();
    let said = |kind| match usage.get(kind) {
        Some(ContextValue::String(said)) => Some(said.as_str()),
        _ => None,
    };
    let option = said(ContextKind::InvalidArg).map(|option| option.split(' ').next().unwrap_or(""));
    match (usage.kind(), option) {
        (ErrorKind::UnknownArgument, Some(option)) => {
            unknown(option, &typed(&usage, commands), commands)
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let command = said(ContextKind::InvalidSubcommand).unwrap_or_default();
            let (path, above) = typed(&usage, commands);
            Error::parameter(command.to_owned(), "there is no such command").with_fix(did_you_mean(
                meant(
                    command,
                    above.get_subcommands().flat_map(Command::get_name_and_visible_aliases),
                ),
                &format!("{path} --help lists the commands"),
            ))
        }
        (ErrorKind::InvalidValue, Some(option)) => {
            let choices = match usage.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(choices)) => choices.as_slice(),
                _ => &[],
            };
            match said(ContextKind::InvalidValue).filter(|value| !value.is_empty()) {
                Some(value) if !choices.is_empty() => {
                    let meant = meant(value, choices.iter().map(String::as_str));
                    Error::parameter(option.to_owned(), format!("it cannot be {value}"))
                        .with_fix(did_you_mean(meant, &format!("it can be {}", choices.join(", "))))
                }
                _ => in_other_words(&usage, commands),
            }
        }
        (ErrorKind::ArgumentConflict, Some(option)) => {
            let other = match usage.get(ContextKind::PriorArg) {
                Some(ContextValue::String(other)) => other.as_str(),
                Some(ContextValue::Strings(others)) => others.first().map_or("", String::as_str),
                _ => "",
            };
            let other = other.split(' ').next().filter(|other| !other.is_empty());
            match other {
                Some(other) => {
                    Error::request(option.to_owned(), format!("it does not go with {other}"))
                        .with_fix(format!("leave one of {option} and {other} out"))
                }
                None => in_other_words(&usage, commands),
            }
        }
        (ErrorKind::MissingRequiredArgument, _) => match usage.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => {
                let are = if missing.len() == 1 { "is" } else { "are" };
                let path = typed(&usage, commands).0;
                Error::parameter((), format!("{} {are} missing", missing.join(" and ")))
                    .with_fix(format!("{path} -h says what it needs"))
            }
            _ => in_other_words(&usage, commands),
        },
        _ => in_other_words(&usage, commands),
    }
}

/// Refusal of a word that a command does not accept.
fn unknown(word: &str, (path, command): &(String, &Command), commands: &Command) -> Error {
    let more = format!("{path} --help lists the options");
    let Some(option) = word.strip_prefix("--") else {
        return Error::parameter(word.to_owned(), format!("it is one word too many for {path}"))
            .with_fix(format!("put options before words, and text with spaces in quotes; {more}"));
    };
    let has = |command: &Command| command.get_arguments().any(|one| one.get_long() == Some(option));
    let options = || {
        let shown = command.get_arguments().filter(|one| !one.is_hide_set());
        shown.filter_map(|option| option.get_long())
    };
    let called = called(option).and_then(|own| options().find(|name| *name == own));
    let meant = called.or_else(|| meant(option, options()));
    let elsewhere = commands.get_subcommands().find(|other| has(other)).map(Command::get_name);
    let hint = match (meant, elsewhere) {
        (Some(meant), _) => format!("did you mean --{meant}?"),
        (None, Some(other)) => format!("suum {other} has it; {more}"),
        (None, None) => more,
    };
    Error::parameter(format!("--{option}"), format!("{path} has no such option")).with_fix(hint)
}

/// Names of output options in other programs, with ours.
const OTHER_NAMES: [(&str, &str); 2] = [("html", "report"), ("output", "report")];

/// Returns the option that another name is for.
fn called(name: &str) -> Option<String> {
    let of_output = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    let of_query = || {
        let plain = name.replace('-', "_");
        suum::options().find(|row| row.aliases.contains(&plain.as_str())).map(OptionRow::word)
    };
    of_output.map(|(_, own)| (*own).to_owned()).or_else(of_query)
}

/// Command that was typed, as far as there is one, with its words.
fn typed<'a>(usage: &clap::Error, commands: &'a Command) -> (String, &'a Command) {
    let line = match usage.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(line)) => line.to_string(),
        _ => String::new(),
    };
    let mut found = ("suum".to_owned(), commands);
    for word in line.split_whitespace().skip_while(|word| *word != "suum").skip(1) {
        match found.1.find_subcommand(word) {
            Some(command) => found = (format!("{} {word}", found.0), command),
            None => break,
        }
    }
    found
}

/// Name that a word resembles, or begins.
fn meant<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let names: Vec<&str> = names.collect();
    let begun = names.iter().copied().find(|name| word.len() > 2 && name.starts_with(word));
    nearest(word, names).or(begun)
}

fn did_you_mean(meant: Option<&str>, otherwise: &str) -> String {
    match meant {
        Some(meant) => format!("did you mean {meant}?"),
        None => otherwise.to_owned(),
    }
}

/// Message of clap, without its tip on the shell, and without the usage of the command.
fn in_other_words(usage: &clap::Error, commands: &mut Command) -> Error {
    let path = match typed(usage, commands).0 {
        path if path == "suum" => "suum COMMAND".to_owned(),
        path => path,
    };
    let text = usage.render().to_string();
    let message = text.split("\n\n").next().unwrap_or_default().trim();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    Error::parameter((), message.split_whitespace().collect::<Vec<_>>().join(" "))
        .with_fix(format!("{path} -h says what it needs, and which values there are"))
}
