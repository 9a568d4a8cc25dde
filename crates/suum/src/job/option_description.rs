//! The options of a job as its comments and types describe them, for whoever offers them by name.

use std::sync::LazyLock;

use serde_json::Value;

use super::{Charge, DataSource, Job, Population};
use crate::query::{Entries, Query, schema};

/// An option of a query, of its data, of who pays, or of whom a plan is made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionDescription {
    /// The name of the field, such as `group_by`.
    pub name: String,
    /// The same as a word of a command line, without dashes before it, such as `group-by`.
    pub word: String,
    /// Whose field it is.
    pub of: Part,
    /// What it is, as JSON Schema has it: names of other options stand in backticks.
    pub about: String,
    /// What stands for its value where it is explained, such as `LO,HI`.
    pub value: String,
    /// What it takes.
    pub form: Form,
    /// The option that it needs, or several of which one does, as in `levels or ledger`.
    pub needs: Option<String>,
    /// The options beside which it means nothing.
    pub not_with: Vec<String>,
}

/// Which part of a job has an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// [`Query`].
    Query,
    /// [`DataSource`].
    Source,
    /// [`Charge`].
    Charge,
    /// [`Population`].
    Population,
}

/// What an option takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// Nothing: it is said or not.
    Flag,
    /// A number, or nothing.
    NumberOrNothing,
    /// A number.
    Number,
    /// A whole number that is not negative, of so many bits.
    Whole(u32),
    /// One of these, each with what it means.
    Choice(Vec<(String, String)>),
    /// Text, which can be the text of a number.
    NumberOrText,
    /// Text.
    Text,
}

impl Job {
    /// All options, in the order in which they are declared.
    ///
    /// # Example
    ///
    /// ```
    /// let spare = suum::Job::described().iter().find(|option| option.name == "spare").unwrap();
    /// assert_eq!((&spare.form, spare.value.as_str()), (&suum::Form::Number, "SHARE"));
    /// ```
    pub fn described() -> &'static [OptionDescription] {
        static ALL: LazyLock<Vec<OptionDescription>> = LazyLock::new(described);
        &ALL
    }
}

fn described() -> Vec<OptionDescription> {
    let parts = [
        (Part::Query, schema::properties::<Query>()),
        (Part::Source, schema::properties::<DataSource>()),
        (Part::Charge, schema::properties::<Charge>()),
        (Part::Population, schema::properties::<Population>()),
    ];
    // They are asked for in the order of their declaration, which a schema has not.
    let mut entries = Entries::default().with("statistic", "count");
    let asked = Job::take(&mut entries).and_then(|_| Population::take(&mut entries));
    debug_assert!(asked.is_ok(), "{asked:?}");
    let mut all: Vec<OptionDescription> = Vec::new();
    for name in entries.known() {
        let found = parts.iter().find_map(|(of, options)| Some((*of, options.get(*name)?)));
        if let Some((of, option)) = found.filter(|_| all.iter().all(|one| one.name != *name)) {
            all.push(of_schema(name, of, option));
        }
    }
    all
}

fn of_schema(name: &str, of: Part, option: &Value) -> OptionDescription {
    let text = |key: &str| option.get(key).and_then(Value::as_str).map(str::to_owned);
    let form = form(option);
    let value = text("x-value").unwrap_or_else(|| match form {
        Form::Number => name.chars().take(1).collect::<String>().to_uppercase(),
        Form::Whole(_) => "N".to_owned(),
        _ => name.to_uppercase(),
    });
    OptionDescription {
        name: name.to_owned(),
        word: name.replace('_', "-"),
        of,
        about: text("description").unwrap_or_default().replace('\n', " "),
        value,
        form,
        needs: text("x-needs"),
        not_with: text("x-not").iter().flat_map(|all| all.split(' ')).map(str::to_owned).collect(),
    }
}

fn form(option: &Value) -> Form {
    let texts = |key: &str| -> Vec<String> {
        let all = option.get(key).and_then(Value::as_array).into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let choices = texts("enum");
    if !choices.is_empty() {
        let meanings =
            texts("enumDescriptions").into_iter().chain(std::iter::repeat(String::new()));
        return Form::Choice(choices.into_iter().zip(meanings).collect());
    }
    let mut types = Vec::new();
    let forms = option.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    for one in std::iter::once(option).chain(forms) {
        match one.get("type") {
            Some(Value::String(one)) => types.push(one.as_str()),
            Some(Value::Array(several)) => types.extend(several.iter().filter_map(Value::as_str)),
            _ => {}
        }
    }
    types.retain(|one| *one != "null");
    match types.as_slice() {
        ["boolean"] => Form::Flag,
        ["number", "boolean"] => Form::NumberOrNothing,
        ["number"] => Form::Number,
        ["integer"] => {
            let format = option.get("format").and_then(Value::as_str).unwrap_or_default();
            Form::Whole(format.trim_start_matches("uint").parse().unwrap_or(64))
        }
        // Also among the items of a list.
        _ if option.to_string().contains("\"number\"") => Form::NumberOrText,
        _ => Form::Text,
    }
}
