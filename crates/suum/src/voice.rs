//! Front ends: the command line, query files in TOML, and Python, each with its own syntax for
//! options and commands.

use serde_json::Value;
use suum_core::{Asking, Command, OptionName, OptionValue, Voice, option};
use suum_data::list;

use crate::job::options;
use crate::options::{Form, OptionRow, Parts, Word};

/// The command line: `--bounds 0,77`, `suum ledger show FILE`.
#[derive(Debug, Clone, Copy)]
pub struct CommandLine;

/// A query file in TOML: `bounds = [0, 77]`; commands are those of the command line.
#[derive(Debug, Clone, Copy)]
pub struct QueryFile;

/// Python: `bounds=(0, 77)`, `suum.Ledger(FILE).balance()`.
#[derive(Debug, Clone, Copy)]
pub struct Python;

impl Voice for CommandLine {
    fn option(&self, option: OptionName) -> String {
        match option {
            option::DATA => "DATA".to_owned(),
            _ => format!("--{}", option.with_hyphens()),
        }
    }

    fn setting(&self, option: OptionName, value: &str) -> String {
        let is_optional = row(option).is_some_and(|row| row.form() == Form::NumberOrNothing);
        match option {
            option::DATA => quoted(value),
            // A value that begins with a dash would be taken for an option.
            _ if is_optional || value.starts_with('-') => {
                format!("{}={}", self.option(option), quoted(value))
            }
            _ => format!("{} {}", self.option(option), quoted(value)),
        }
    }

    fn subject(&self, option: OptionName) -> String {
        option.with_hyphens()
    }

    fn continuation(&self) -> &'static str {
        " \\"
    }

    fn command(&self, command: &Command) -> String {
        match command {
            Command::Explain => "--explain".to_owned(),
            Command::Page => "--report FILE.html".to_owned(),
            Command::Json => "what suum wrote with --format json".to_owned(),
            Command::NameData => "name a CSV or Parquet file, a folder, - for standard input, a \
                                  database, or --from-levels FILE"
                .to_owned(),
            Command::RunFile => "suum run QUERY.toml DATA".to_owned(),
            Command::Help => "the help of a command".to_owned(),
            Command::VerifyLedger => "suum ledger verify FILE".to_owned(),
            Command::AcceptMove => "suum ledger verify FILE --accept-move".to_owned(),
            Command::ExportLedger => "suum ledger export FILE".to_owned(),
            Command::ShowLedger => "suum ledger show FILE".to_owned(),
            Command::OpenPersons => "suum ledger init --persons".to_owned(),
            Command::ListAudits => "suum audit --list".to_owned(),
            Command::LevelQuery(dialect) => format!("suum levels-sql --dialect {dialect}"),
            Command::Study(estimator) => {
                format!("suum-experiments mean DATA --estimator {estimator}")
            }
            Command::Ask(asking) => {
                let settings = asking.settings.iter().map(|setting| self.argument(setting));
                let words = ["suum".to_owned(), asking.name.to_owned(), asking.data.to_string()];
                let json = asking.as_json.then(|| "--format json".to_owned());
                let more = asking.has_more.then(|| "…".to_owned());
                let words: Vec<String> = words
                    .into_iter()
                    .filter(|word| !word.is_empty())
                    .chain(settings)
                    .chain(json)
                    .chain(more)
                    .collect();
                words.join(" ")
            }
        }
    }
}

impl Voice for QueryFile {
    fn option(&self, option: OptionName) -> String {
        option.to_string()
    }

    fn setting(&self, option: OptionName, value: &str) -> String {
        match value.is_empty() {
            true => format!("{option} = true"),
            false => format!("{option} = {}", literal(option, value, &TOML)),
        }
    }

    fn command(&self, command: &Command) -> String {
        CommandLine.command(command)
    }
}

impl Voice for Python {
    fn option(&self, option: OptionName) -> String {
        match option {
            option::DATA => "data".to_owned(),
            option::NO_ADAPT => "adapt=False".to_owned(),
            option::REPORT => "to_html()".to_owned(),
            _ if row(option).is_some_and(|row| row.form() == Form::Flag) => {
                format!("{option}=True")
            }
            _ => option.to_string(),
        }
    }

    fn setting(&self, option: OptionName, value: &str) -> String {
        match option {
            option::DATA => value.to_owned(),
            option::NO_ADAPT => self.option(option),
            _ if value.is_empty() => format!("{option}=True"),
            _ => format!("{option}={}", literal(option, value, &EXAMPLE)),
        }
    }

    fn command(&self, command: &Command) -> String {
        match command {
            Command::Explain => "explain()".to_owned(),
            Command::Page => "to_html()".to_owned(),
            Command::Json => "what to_json() wrote".to_owned(),
            Command::NameData => {
                "give a path, a table, a column with epsilon beside it, or Levels".to_owned()
            }
            Command::RunFile => "suum.run(QUERY, DATA)".to_owned(),
            Command::Help => "help(…) of the function".to_owned(),
            Command::VerifyLedger => "suum.Ledger(FILE).verify()".to_owned(),
            Command::AcceptMove => "suum.Ledger(FILE).verify(accept_move=True)".to_owned(),
            Command::ExportLedger => "suum.Ledger(FILE).export()".to_owned(),
            Command::ShowLedger => "suum.Ledger(FILE).balance()".to_owned(),
            Command::OpenPersons => "suum.Ledger.create(…, persons=True)".to_owned(),
            Command::ListAudits => "docs/how-to/audit.md".to_owned(),
            Command::LevelQuery(dialect) => format!("suum.levels_sql(dialect=\"{dialect}\", …)"),
            Command::Study(_) => CommandLine.command(command),
            Command::Ask(asking) => call(asking),
        }
    }
}

/// Returns a call of the function that asks for the same.
fn call(asking: &Asking) -> String {
    let function = asking.name.replace('-', "_");
    if asking.data.is_empty() && asking.settings.is_empty() && !asking.has_more {
        return format!("suum.{function}");
    }
    let style = if asking.is_example { EXAMPLE } else { CALL };
    let data = match asking.data.contains('.') && asking.is_example {
        true => json_text(&asking.data),
        false => asking.data.to_string(),
    };
    let mut arguments: Vec<String> = [data].into_iter().filter(|data| !data.is_empty()).collect();
    let mut settings = asking.settings.as_slice();
    while let Some(((option, value), _)) = settings.split_first() {
        let count = settings.iter().take_while(|(other, _)| other == option).count();
        arguments.push(match (*option, count) {
            (option::NO_ADAPT, _) => "adapt=False".to_owned(),
            _ if value.is_empty() => format!("{option}=True"),
            (_, 1) => format!("{option}={}", literal(*option, value, &style)),
            // A list for each of several columns.
            _ => {
                let each =
                    settings[..count].iter().map(|(_, value)| literal(*option, value, &style));
                format!("{option}=[{}]", each.collect::<Vec<_>>().join(", "))
            }
        });
        settings = &settings[count..];
    }
    arguments.extend(asking.has_more.then(|| "…".to_owned()));
    format!("suum.{function}({})", arguments.join(", "))
}

/// Ways in which a language writes values.
#[derive(Debug, Clone, Copy)]
struct Style {
    /// Infinite number.
    infinity: &'static str,
    /// Delimiters of two numbers.
    pair: [&'static str; 2],
    /// Delimiters of a table, the text between a key and its value, and the quotes of keys.
    table: [&'static str; 3],
    quotes_keys: bool,
    /// True if words in capitals are stand-ins, which need no quotes.
    has_stand_ins: bool,
}

const TOML: Style = Style {
    infinity: "\"inf\"",
    pair: ["[", "]"],
    table: ["{ ", " = ", " }"],
    quotes_keys: false,
    has_stand_ins: true,
};

const CALL: Style = Style {
    infinity: "math.inf",
    pair: ["(", ")"],
    table: ["{", ": ", "}"],
    quotes_keys: true,
    has_stand_ins: false,
};

const EXAMPLE: Style = Style { has_stand_ins: true, ..CALL };

/// Writes a value of the command line as a literal.
fn literal(option: OptionName, value: &str, style: &Style) -> String {
    let row = row(option);
    let is_text = row.is_some_and(|row| row.form() == Form::Text);
    let stand_in = row.and_then(|row| row.stand_in);
    let is_stand_in = |word: &str| {
        let is_capital = !word.is_empty() && !word.contains(|one: char| one.is_lowercase());
        let is_word = word.contains(|one: char| one.is_alphabetic() || one == '…');
        stand_in == Some(word) || style.has_stand_ins && is_capital && is_word
    };
    let one = |word: &str, is_text: bool| match word {
        "inf" if !is_text => style.infinity.to_owned(),
        _ if !is_text && is_number(word) => word.to_owned(),
        _ if is_stand_in(word) => word.to_owned(),
        _ => json_text(word),
    };
    let parts = row.map_or(Parts::One, OptionRow::parts);
    let items = || list::items(value);
    match parts {
        Parts::Pair if value.contains(',') => {
            let ends: Vec<String> = items().iter().map(|end| one(end, false)).collect();
            format!("{}{}{}", style.pair[0], ends.join(", "), style.pair[1])
        }
        Parts::Numbers if value.contains(',') => {
            let numbers: Vec<String> = items().iter().map(|number| one(number, false)).collect();
            format!("[{}]", numbers.join(", "))
        }
        Parts::Labels => match value.strip_prefix('@') {
            Some(_) => json_text(value),
            None => {
                let labels: Vec<String> = items()
                    .iter()
                    .map(|label| match label.as_str() {
                        "…" => label.clone(),
                        label => json_text(label),
                    })
                    .collect();
                format!("[{}]", labels.join(", "))
            }
        },
        Parts::Names => match items().as_slice() {
            [name] => one(name, true),
            names => {
                let names: Vec<String> = names.iter().map(|name| one(name, true)).collect();
                format!("[{}]", names.join(", "))
            }
        },
        Parts::Table(between) => {
            let pairs: Vec<Option<(String, String)>> = match between {
                '=' => list::pairs(value),
                _ => {
                    let pair = |item: &str| {
                        let (key, number) = item.split_once(between)?;
                        Some((key.trim().to_owned(), number.trim().to_owned()))
                    };
                    value.split(',').map(pair).collect()
                }
            };
            let [open, colon, close] = style.table;
            let pair = |pair: Option<(String, String)>| {
                let Some((key, number)) = pair else { return "…".to_owned() };
                let key = match between {
                    // Budgets are numbers.
                    ':' if style.quotes_keys => one(&key, false),
                    _ if style.quotes_keys || !is_plain_key(&key) => json_text(&key),
                    _ => key,
                };
                format!("{key}{colon}{}", one(&number, false))
            };
            let pairs: Vec<String> = pairs.into_iter().map(pair).collect();
            format!("{open}{}{close}", pairs.join(", "))
        }
        _ => one(value, is_text),
    }
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_plain_key(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|one| one.is_ascii_alphanumeric() || "_-".contains(one))
}

fn json_text(word: &str) -> String {
    Value::from(word).to_string()
}

/// Returns the row of an option, if it is one of a job.
fn row(option: OptionName) -> Option<&'static OptionRow> {
    options().find(|row| row.option() == option)
}

/// Returns a word as a shell has to be given it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "-_./,:=%+@^…".contains(one);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Returns the settings of an option, one for each list that it has.
pub(crate) fn settings_of(row: &'static OptionRow, word: Word) -> Vec<OptionValue> {
    let option = row.option();
    if let (Some(stand_in), false) = (row.stand_in, matches!(word, Word::Flag(_))) {
        return vec![(option, stand_in.into())];
    }
    let lists = match word {
        Word::List(lists) if lists.iter().any(|item| matches!(item, Word::List(_))) => lists,
        one => vec![one],
    };
    lists.into_iter().map(|word| (option, word.text().unwrap_or_default().into())).collect()
}
