//! The keywords of Python's functions are the options of their statistics: a test adds those that
//! are not there yet.

use std::collections::BTreeSet;
use std::fs;

use suum::{Form, OptionRow, Part, Query, options};

use super::architecture::workspace;
use super::book::is_written;

/// File with the types of keywords.
const FILE: &str = "python/suum/keywords.py";

/// Types of keywords, each behind those that it inherits from, with the statistic that they are of
/// and the options that they do not have.
const TYPES: [(&str, &str, &[&str]); 13] = [
    ("Count", "count", &[]),
    ("Variance", "variance", &[]),
    ("Deviation", "std", &[]),
    ("Summary", "summary", &[]),
    ("Median", "median", &[]),
    ("Quantile", "quantile", &[]),
    ("Mean", "mean", &[]),
    ("Sum", "sum", &[]),
    ("Difference", "difference", &[]),
    ("Histogram", "histogram", &["categories", "crosstab"]),
    ("Frequency", "frequency", &[]),
    // It draws nothing.
    ("Plan", "", &["insecure_seed"]),
    // A study says these by its columns and methods.
    ("StudyOptions", "", &["bins", "bounds", "categories", "cdf", "crosstab", "q"]),
];

/// Returns true if a type of keywords of the statistic has the option; "" stands for every
/// statistic.
fn is_of(option: &OptionRow, statistic: &str) -> bool {
    let has = |options: Vec<&str>| options.contains(&option.name);
    match (option.part, statistic) {
        // Parameters of a function that are no keywords, and what `adapt=False` stands for.
        _ if ["between", "data", "no_adapt", "statistic", "value"].contains(&option.name) => false,
        // In Python a study is a `Study`.
        (Part::Population | Part::Study, _) => false,
        (Part::Query, "") => true,
        (Part::Query, statistic) => has(Query::options(statistic).unwrap()),
        (Part::Source | Part::Charge, _) => true,
    }
}

/// The keyword of an option, with its type.
fn keyword(option: &OptionRow) -> String {
    let kind = match option.form() {
        Form::Flag => "bool",
        Form::NumberOrNothing => "float | bool",
        Form::Number => "float",
        Form::Whole(_) => "int",
        Form::Length | Form::NumberOrText => "float | str",
        Form::Choice(_) | Form::Text => "str",
    };
    format!("    {}: {kind} | None", option.name)
}

/// Text of a class, and its place in the file.
fn class<'a>(text: &'a str, name: &str) -> (usize, &'a str) {
    let begin = text.find(&format!("\nclass {name}(")).unwrap() + 1;
    let length = text[begin..].find("\n\n\n").unwrap();
    (begin, &text[begin..begin + length])
}

/// Names of the keywords that a class has, or inherits.
fn names(text: &str, name: &str) -> BTreeSet<String> {
    let (_, class) = class(text, name);
    let (bases, body) = class.split_once("):").unwrap();
    let bases = bases.split_once('(').unwrap().1.split(", ");
    let inherited = bases.filter(|base| *base != "TypedDict" && !base.contains('='));
    let keywords = body.lines().filter_map(|line| line.trim().split_once(": "));
    let keywords = keywords.map(|(keyword, _)| keyword.to_owned());
    keywords.chain(inherited.flat_map(|base| names(text, base))).collect()
}

/// Class with the options that are missing, each behind the one that is declared before it.
fn completed(class: &str, missing: &[&OptionRow], all: &[&OptionRow]) -> String {
    let mut lines: Vec<String> = class.lines().map(str::to_owned).collect();
    // Its first lines are the header, the documentation and an empty one.
    if !missing.is_empty() && lines.len() < 3 {
        lines.push(String::new());
    }
    let place = |lines: &[String], option: &OptionRow| {
        let start = format!("    {}: ", option.name);
        lines.iter().position(|line| line.starts_with(&start))
    };
    for option in missing {
        let at = all.iter().position(|one| one.name == option.name).unwrap();
        let before = all[..at].iter().rev().find_map(|one| place(&lines, one));
        lines.insert(before.map_or(3, |at| at + 1), keyword(option));
    }
    lines.join("\n")
}

/// `INSTA_UPDATE=always` writes them.
#[test]
fn the_keywords_of_python_are_the_options_of_a_query() {
    let mut text = fs::read_to_string(workspace().join(FILE)).unwrap();
    for (name, statistic, without) in TYPES {
        let known = names(&text, name);
        let all = options().filter(|option| is_of(option, statistic));
        let all: Vec<&OptionRow> = all.filter(|option| !without.contains(&option.name)).collect();
        let missing = all.iter().copied().filter(|option| !known.contains(option.name));
        let missing: Vec<&OptionRow> = missing.collect();
        let (begin, class) = class(&text, name);
        let end = begin + class.len();
        text = format!("{}{}{}", &text[..begin], completed(class, &missing, &all), &text[end..]);
    }
    is_written(FILE, &text);
}

#[test]
fn keywords_that_are_there_stay_and_others_are_added() {
    let of = |name: &str| options().find(|option| option.name == name).unwrap();
    let all = [of("value"), of("shrink"), of("spare"), of("cells")];
    let cells = "    cells: int | None";
    let head = "class Mean(Count, total=False):\n    \"\"\"Keywords.\"\"\"";
    assert_eq!(
        completed(&format!("{head}\n\n    value: str\n    spare: int"), &[all[1], all[3]], &all),
        format!("{head}\n\n    value: str\n    shrink: bool | None\n    spare: int\n{cells}")
    );
    assert_eq!(completed(head, &all[1..2], &all), format!("{head}\n\n    shrink: bool | None"));
    let text = format!(
        "\n{head}\n\n    a: int\n\n\nclass Count(TypedDict, total=False):\n    b: int\n\n\n"
    );
    assert_eq!(names(&text, "Mean"), ["a".to_owned(), "b".to_owned()].into());
}
