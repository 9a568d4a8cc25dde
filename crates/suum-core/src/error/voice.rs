//! Front ends, each with its own syntax for options and commands.

use std::borrow::Cow;
use std::fmt;

use super::option::OptionName;
use super::phrase::{Asking, Command, OptionValue, Phrase, Word};
use super::place::Place;

/// Syntax of a front end: the one place where it writes options and commands.
pub trait Voice: fmt::Debug + Send + Sync {
    /// Writes an option without a value, such as `--bounds`.
    fn option(&self, option: OptionName) -> String;

    /// Writes an option with a value, such as `--bounds 0,77` or `bounds=(0, 77)`. The value comes
    /// as the command line has it.
    fn setting(&self, option: OptionName, value: &str) -> String;

    /// Writes an option of a command; one with an empty value is a flag.
    fn argument(&self, (option, value): &OptionValue) -> String {
        match value.is_empty() {
            true => self.option(*option),
            false => self.setting(*option, value),
        }
    }

    /// Writes a request to the front end, such as `suum ledger show FILE`.
    fn command(&self, command: &Command) -> String;

    /// Returns the text at the end of a line of a command that continues on the next line; empty by
    /// default.
    fn continuation(&self) -> &'static str {
        ""
    }

    /// Writes the option at fault at the beginning of a message.
    fn subject(&self, option: OptionName) -> String {
        option.to_string()
    }
}

/// Voice of these libraries, for which an option is its name: `bounds=0,77`.
#[derive(Debug, Clone, Copy)]
pub struct Library;

impl Voice for Library {
    fn option(&self, option: OptionName) -> String {
        option.to_string()
    }

    fn setting(&self, option: OptionName, value: &str) -> String {
        format!("{option}={value}")
    }

    fn command(&self, command: &Command) -> String {
        match command {
            Command::Explain => "the explained text".to_owned(),
            Command::Page => "the page".to_owned(),
            Command::Json => "the JSON that suum wrote".to_owned(),
            Command::NameData => {
                "name a file, a folder or a database, or hand over data".to_owned()
            }
            Command::Ask(Asking { name, data, settings, has_more, .. }) => {
                let data = (!data.is_empty()).then(|| data.to_string()).into_iter();
                let settings = settings.iter().map(|setting| self.argument(setting));
                let more = has_more.then(|| "…".to_owned());
                let arguments: Vec<String> = data.chain(settings).chain(more).collect();
                format!("{name}({})", arguments.join(", "))
            }
            Command::RunFile => "a run of the query file".to_owned(),
            Command::Help => "the reference of options".to_owned(),
            Command::VerifyLedger => "a verification of the ledger".to_owned(),
            Command::AcceptMove => "a verification that accepts the move".to_owned(),
            Command::ShowLedger => "the balance of the ledger".to_owned(),
            Command::ExportLedger => "the export of the ledger".to_owned(),
            Command::OpenPersons => "an opening of accounts of persons".to_owned(),
            Command::ListAudits => "the list of audits".to_owned(),
            Command::LevelQuery(dialect) => format!("the level query for {dialect}"),
            Command::Study(_) => "suum-experiments".to_owned(),
        }
    }
}

impl Phrase {
    /// Writes it as a front end has it.
    pub fn render_for(&self, voice: &dyn Voice) -> String {
        let mut spoken = String::new();
        for word in self.words() {
            let part = match word {
                Word::Text(text) => text.as_ref().into(),
                Word::Option(option) => Cow::Owned(voice.option(*option)),
                Word::Setting(option, value) => Cow::Owned(voice.setting(*option, value)),
                Word::Command(command) => Cow::Owned(voice.command(command)),
            };
            let is_apart = !spoken.is_empty()
                && !spoken.ends_with(['(', ' '])
                && !part.starts_with([',', '.', ';', ':', ')', '?', ' ']);
            if is_apart {
                spoken.push(' ');
            }
            spoken.push_str(&part);
        }
        spoken
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render_for(&Library))
    }
}

impl Place {
    /// Writes the place as it stands before the problem; nothing for none.
    pub(super) fn render_for(&self, voice: &dyn Voice) -> String {
        match self {
            Self::Anywhere => String::new(),
            Self::Option(option) => format!("{}: ", voice.subject(*option)),
            Self::Subject(name) => format!("{name}: "),
            Self::File(path) => format!("{path}: "),
            Self::Cell { file, column, row } => {
                let file = file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
                let column = column.as_ref().map(|column| format!("column {column}"));
                let row = row.map(|row| format!("row {row}"));
                let cell: Vec<String> = column.into_iter().chain(row).collect();
                match cell.is_empty() {
                    true => file,
                    false => format!("{file}{}: ", cell.join(", ")),
                }
            }
        }
    }
}
