//! The keywords of Python's functions are the options of their statistics: a test adds those that
//! are not there yet.

use std::fs;

use suum::{Form, OptionRow, Part, Query, options};

use super::architecture::workspace;
use super::book::is_written;

/// Functions by their file, with the statistic of each, and the options that they do not have.
const FUNCTIONS: [(&str, &str, &str, &[&str]); 12] = [
    ("_means.py", "mean", "mean", &[]),
    ("_means.py", "sum", "sum", &[]),
    ("_means.py", "variance", "variance", &[]),
    ("_difference.py", "difference", "difference", &[]),
    ("_statistics.py", "frequency", "frequency", &[]),
    ("_statistics.py", "quantile", "quantile", &[]),
    ("_statistics.py", "summary", "summary", &[]),
    ("_statistics.py", "count", "count", &[]),
    ("_shorthands.py", "median", "median", &[]),
    ("_shorthands.py", "std", "std", &[]),
    ("_shorthands.py", "histogram", "histogram", &["categories", "crosstab"]),
    // It checks no bounds, and draws nothing.
    ("_tables.py", "plan", "", &["check_bounds", "insecure_seed"]),
];

/// Returns true if a function of the statistic has the option as a keyword; "" stands for every
/// statistic.
fn is_of(option: &OptionRow, statistic: &str) -> bool {
    let has = |options: Vec<&str>| options.contains(&option.name);
    match (option.part, statistic) {
        // The argument of a function that is no keyword, and what `adapt=False` stands for.
        _ if ["data", "no_adapt", "statistic"].contains(&option.name) => false,
        // In Python a study is a `Study`.
        (Part::Population | Part::Study, _) => false,
        (Part::Query, "") => true,
        (Part::Query, statistic) => has(Query::options(statistic).unwrap()),
        (Part::Source | Part::Charge, _) => true,
    }
}

/// The keyword of an option, with its type and its default.
fn keyword(option: &OptionRow) -> String {
    let kind = match option.form() {
        Form::Flag => "bool = False",
        Form::NumberOrNothing => "float | bool | None = None",
        Form::Number => "float | None = None",
        Form::Whole(_) => "int | None = None",
        Form::Length | Form::NumberOrText => "float | str | None = None",
        Form::Choice(_) | Form::Text => "str | None = None",
    };
    format!("    {}: {kind},", option.name)
}

/// Keywords with those that are missing, each behind the option that is declared before it.
fn completed(keywords: &str, options: &[&OptionRow]) -> String {
    let mut lines: Vec<String> = keywords.lines().map(str::to_owned).collect();
    let place = |lines: &[String], option: &OptionRow| {
        let start = format!("    {}: ", option.name);
        lines.iter().position(|line| line.starts_with(&start))
    };
    for (at, option) in options.iter().enumerate() {
        if place(&lines, option).is_none() {
            let before = options[..at].iter().rev().find_map(|one| place(&lines, one));
            lines.insert(before.map_or(0, |at| at + 1), keyword(option));
        }
    }
    lines.join("\n")
}

/// `INSTA_UPDATE=always` writes them.
#[test]
fn the_functions_of_python_have_the_options_of_a_query() {
    for (file, function, statistic, without) in FUNCTIONS {
        let path = format!("python/suum/{file}");
        let text = fs::read_to_string(workspace().join(&path)).unwrap();
        let begin = text.find(&format!("\ndef {function}(\n    data: ")).unwrap();
        let end = begin + text[begin..].find("    *,\n").unwrap();
        let (before, rest) = text.split_at(end + "    *,\n".len());
        let (keywords, after) = rest.split_once("\n) -> ").unwrap();
        let all = options().filter(|option| is_of(option, statistic));
        let rows: Vec<&OptionRow> = all.filter(|option| !without.contains(&option.name)).collect();
        let keywords = completed(keywords, &rows);
        is_written(&path, &format!("{before}{keywords}\n) -> {after}"));
    }
}

#[test]
fn keywords_that_are_there_stay_and_others_are_added() {
    let of = |name: &str| options().find(|option| option.name == name).unwrap();
    let rows = [of("value"), of("shrink"), of("spare"), of("cells")];
    assert_eq!(
        completed("    value: str = \"a\",\n    spare: float | None = None,", &rows),
        "    value: str = \"a\",\n    shrink: bool = False,\n    spare: float | None = None,\n    \
         cells: int | None = None,"
    );
}
