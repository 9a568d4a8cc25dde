//! Phrases for people, which name options and commands without the syntax of any front end.

use std::borrow::Cow;

use super::option::{BOUNDS, OptionName};

/// Text with the options and commands that it speaks of, which a [`Voice`](crate::Voice) writes as
/// its front end has them.
///
/// It is put together part by part; a space stands between two parts, but not before punctuation.
/// No part of it holds a value of the data.
///
/// # Example
///
/// ```
/// use suum_core::{option, say};
///
/// let fix = say("swap the two numbers:").set(option::BOUNDS, "LO,HI").say(", or one of them");
/// assert_eq!(fix.to_string(), "swap the two numbers: bounds=LO,HI, or one of them");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phrase {
    words: Vec<Word>,
}

/// Part of a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Text that is the same at every front end.
    Text(Cow<'static, str>),
    /// Option without a value.
    Option(OptionName),
    /// Option with a value, written as the command line writes it, such as `0,100` or `A,B,…`.
    Setting(OptionName, Cow<'static, str>),
    /// Request to the front end.
    Command(Command),
}

/// Request that a front end understands: a command, a function or a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Text that explains an answer in full.
    Explain,
    /// The page of an answer.
    Page,
    /// JSON that suum wrote for an answer.
    Json,
    /// Data are named, or handed over.
    NameData,
    /// A command of these data with these options.
    Ask(Asking),
    /// A query file is run.
    RunFile,
    /// The help of commands, which lists options and values.
    Help,
    /// The sound copy of a ledger is checked.
    VerifyLedger,
    /// A move of a ledger to another place is accepted.
    AcceptMove,
    /// All entries of a ledger are written.
    ExportLedger,
    /// The accounts of a ledger are shown.
    ShowLedger,
    /// A dataset with accounts of persons is opened in a ledger.
    OpenPersons,
    /// The mechanisms that are audited are listed.
    ListAudits,
    /// The level query in this dialect is printed.
    LevelQuery(&'static str),
    /// An estimator is studied, by another program.
    Study(Cow<'static, str>),
}

/// Command that asks for something, with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asking {
    /// Name of the command.
    pub name: &'static str,
    /// Stand-in for its data, such as `DATA`; empty for none.
    pub data: Cow<'static, str>,
    /// Options, each with its value; an empty value is that of a flag.
    pub settings: Vec<OptionValue>,
    /// True if more options follow.
    pub has_more: bool,
    /// True if its answer is asked for as JSON.
    pub as_json: bool,
    /// True if words in capitals stand for something; otherwise values are as they are.
    pub is_example: bool,
}

impl Asking {
    /// Returns an example of the command of this name, without data and options.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            data: "".into(),
            settings: Vec::new(),
            has_more: false,
            as_json: false,
            is_example: true,
        }
    }
}

/// Option with its value, written as the command line writes it; empty for a flag.
pub type OptionValue = (OptionName, Cow<'static, str>);

impl Command {
    /// Returns the command of this name, without data and options.
    pub fn ask(name: &'static str) -> Self {
        Self::Ask(Asking::new(name))
    }

    /// Returns the command that makes a level table of data, with these options and others.
    pub fn levels(settings: &[(OptionName, &'static str)]) -> Self {
        Self::for_data("levels", "DATA", settings, true)
    }

    /// Returns a command of data with these options, and perhaps others.
    pub fn for_data(
        name: &'static str,
        data: &'static str,
        settings: &[(OptionName, &'static str)],
        has_more: bool,
    ) -> Self {
        let settings = settings.iter().map(|(option, value)| (*option, (*value).into())).collect();
        Self::Ask(Asking { data: data.into(), settings, has_more, ..Asking::new(name) })
    }
}

/// Begins a phrase with text.
pub fn say(text: impl Into<Cow<'static, str>>) -> Phrase {
    Phrase::default().say(text)
}

/// Returns the phrase `leave OPTION out`.
pub fn leave_out(option: OptionName) -> Phrase {
    say("leave").option(option).say("out")
}

/// Returns the way out of missing bounds: to declare them.
pub fn declare_bounds() -> Phrase {
    say("declare the range that values can take, from public knowledge:").set(BOUNDS, "LO,HI")
}

/// Returns the way out of JSON that was changed: to give it as it was written.
pub fn unchanged_json() -> Phrase {
    say("give").command(Command::Json).say(", unchanged")
}

/// Returns the phrase `for example OPTION VALUE`.
pub fn for_example(option: OptionName, value: impl Into<Cow<'static, str>>) -> Phrase {
    say("for example").set(option, value)
}

impl Phrase {
    /// Adds text.
    #[must_use]
    pub fn say(self, text: impl Into<Cow<'static, str>>) -> Self {
        let text = text.into();
        match text.is_empty() {
            true => self,
            false => self.with(Word::Text(text)),
        }
    }

    /// Adds the name of an option.
    #[must_use]
    pub fn option(self, option: OptionName) -> Self {
        self.with(Word::Option(option))
    }

    /// Adds an option with its value, written as the command line writes it.
    #[must_use]
    pub fn set(self, option: OptionName, value: impl Into<Cow<'static, str>>) -> Self {
        self.with(Word::Setting(option, value.into()))
    }

    /// Adds a command.
    #[must_use]
    pub fn command(self, command: Command) -> Self {
        self.with(Word::Command(command))
    }

    /// Adds another phrase.
    #[must_use]
    pub fn then(mut self, other: impl Into<Self>) -> Self {
        self.words.extend(other.into().words);
        self
    }

    fn with(mut self, word: Word) -> Self {
        self.words.push(word);
        self
    }

    /// Returns the parts, in their order.
    pub fn words(&self) -> &[Word] {
        &self.words
    }
}

impl From<&'static str> for Phrase {
    fn from(text: &'static str) -> Self {
        say(text)
    }
}

impl From<Command> for Phrase {
    fn from(command: Command) -> Self {
        Self::default().command(command)
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        say(text)
    }
}
