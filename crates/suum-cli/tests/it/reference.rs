//! Files that tests write: pages of the reference (the options of a query, and examples of JSON),
//! and the names that Python's types have.

use std::fs;

use serde_json::{Value, json};
use suum::sql::Dialect;
use suum::{Estimator, QuantileEstimator, RangePlan, StatisticEntry};

use super::architecture::workspace;
use super::book::is_written;
use super::cli::common::{RANDHIE, TIERS, VISITS, stdout};

/// Form of the value of an option in a few words, by its part of the JSON Schema.
fn form(schema: &Value) -> String {
    if let Some(choices) = schema["enum"].as_array() {
        let choices = choices.iter().map(|choice| format!("`{}`", choice.as_str().unwrap()));
        return choices.collect::<Vec<_>>().join(", ");
    }
    if let Some(forms) = schema["anyOf"].as_array() {
        let mut words: Vec<String> = forms.iter().map(form).collect();
        words.dedup();
        return words.join("; ");
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        single => single.as_str().into_iter().collect::<Vec<_>>(),
    };
    let words = types.into_iter().filter(|name| *name != "null").map(|name| match name {
        "array" => "list",
        "boolean" => "`true`",
        "integer" => "whole number",
        "object" => "table",
        "string" => "text",
        other => other,
    });
    words.collect::<Vec<_>>().join(" or ")
}

/// The cell of a table that an option takes: the forms, and how a text is written.
fn cell(schema: &Value) -> String {
    let forms = schema["anyOf"].as_array().into_iter().flatten();
    let written = forms.filter(|form| form["type"] == "string");
    let written = written.filter_map(|form| form["description"].as_str());
    let written: Vec<String> = written.map(|text| format!("(text: {text})")).collect();
    [&[form(schema)], written.as_slice()].concat().join(" ")
}

/// All options of a query, as `INSTA_UPDATE=always` writes them.
#[test]
fn the_reference_of_options_is_the_schema() {
    let schema = suum::Job::schema();
    let mut page = String::from(
        "# Options of a query\n\n\
         A test writes this page from the [JSON Schema](query.schema.json), which the program\n\
         makes of its table of options. [How to write a query](../how-to/query.md).\n\n\
         | option | takes | meaning |\n|---|---|---|\n",
    );
    let options = schema["properties"].as_object().unwrap();
    assert!(options.len() > 50, "options were not found: {}", options.len());
    for (name, option) in options {
        let meaning = option["description"].as_str().unwrap().replace('\n', " ");
        assert!(!meaning.contains('|') && !meaning.is_empty(), "{name}");
        page += &format!("| `{name}` | {} | {meaning} |\n", cell(option));
    }
    page += "\n## Examples\n";
    for example in schema["examples"].as_array().unwrap() {
        let example = serde_json::to_string_pretty(example).unwrap();
        page += &format!("\n```json\n{example}\n```\n");
    }
    is_written("docs/reference/options.md", &page);
}

/// Long lists end after two items, and long texts after some sixty characters.
fn shorten(value: &mut Value) {
    match value {
        Value::String(text) if text.chars().count() > 64 => {
            *text = text.chars().take(60).chain(['…']).collect();
        }
        Value::Array(items) => {
            if items.len() > 4 {
                items.truncate(2);
                items.push(json!("…"));
            }
            items.iter_mut().for_each(shorten);
        }
        Value::Object(entries) => entries.values_mut().for_each(shorten),
        _ => {}
    }
}

/// A command on lines that fit a page.
fn wrapped(command: &[&str]) -> String {
    let mut lines = vec!["$ suum".to_owned()];
    for word in command {
        let full = lines.last().is_some_and(|line| line.len() + word.len() > 90);
        if full {
            lines.push("   ".to_owned());
        }
        let line = lines.last_mut().unwrap();
        *line += " ";
        *line += word;
    }
    lines.join(" \\\n")
}

/// One answer of each kind in JSON, as `INSTA_UPDATE=always` writes them.
#[test]
fn the_examples_of_json_are_what_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let release = folder.path().join("release.json");
    let mean = [&["mean", RANDHIE], VISITS.as_slice(), TIERS.as_slice()].concat();
    let health = ["--value", "health", "--categories", "excellent,good,fair,poor"];
    let frequency = [&["frequency", RANDHIE], health.as_slice(), TIERS.as_slice()].concat();
    let quantile = [&["quantile", RANDHIE, "--q", "0.5", "--step", "1"], VISITS.as_slice()];
    let quantile = [quantile.concat().as_slice(), TIERS.as_slice()].concat();
    let add_remove = [mean.as_slice(), &["--neighbors", "add-remove"]].concat();
    let count = [&["count", RANDHIE], TIERS.as_slice()].concat();
    let plan = ["plan", "--profile", "0.1:3400,inf:23", "--bounds", "0,77"];
    let audit = ["audit", "affine", "--statistic", "mean", "--neighbors", "replace"];
    let commands = [
        ("A mean", mean.as_slice(), true),
        ("Frequencies", &frequency, true),
        ("A quantile", &quantile, true),
        ("A mean that hides who takes part", &add_remove, true),
        ("A count", &count, false),
        ("A plan", &plan, false),
        ("An audit", &audit, false),
        ("A certificate, computed again", &["verify", "release.json"], false),
    ];
    let mut page = String::from(
        "# Examples of JSON\n\n\
         What commands print with `--format json`. A test writes this page. Releases have a seed,\n\
         so that they are the same each time; a real one has \"private\": true. Long lists and\n\
         texts end with \"…\". [What the keys mean](json.md).\n",
    );
    for (title, command, seeded) in commands {
        let shown = wrapped(command);
        let command = match command {
            ["verify", _] => vec!["verify", release.to_str().unwrap()],
            other => other.to_vec(),
        };
        let seed: &[&str] = if seeded { &["--insecure-seed", "1"] } else { &[] };
        let said = stdout(&[command.as_slice(), &["--format", "json"], seed].concat());
        if title == "A mean" {
            fs::write(&release, &said).unwrap();
        }
        let mut said: Value = serde_json::from_str(&said).unwrap();
        shorten(&mut said);
        let said = serde_json::to_string_pretty(&said).unwrap();
        page += &format!("\n## {title}\n\n```text\n{shown}\n```\n\n```json\n{said}\n```\n");
    }
    assert!(page.lines().count() > 300 && workspace().join("docs").exists());
    is_written("docs/reference/json-examples.md", &page);
}

/// Names as items of a list of Python, in lines that fit the width.
fn listed(names: &[&str]) -> String {
    let mut width = usize::MAX;
    let items = names.iter().map(|name| {
        let item = format!("\"{name}\",");
        let (before, indent) =
            if width > 98 - item.len() { ("\n    ", 4) } else { (" ", width + 1) };
        width = indent + item.len();
        format!("{before}{item}")
    });
    items.collect()
}

/// The names of estimators and of dialects in Python's types, as `INSTA_UPDATE=always` writes them.
#[test]
fn the_names_in_the_types_of_python_are_those_of_the_registries() {
    let of_weights = |frequency: bool| {
        let all = Estimator::ALL.into_iter().filter(move |one| one.serves(frequency));
        all.filter(|one| !one.is_for_study()).map(Estimator::name)
    };
    let auto = || std::iter::once("auto");
    let of_quantiles = || QuantileEstimator::ALL.map(QuantileEstimator::name);
    let means: Vec<&str> = auto().chain(of_weights(false)).chain([RangePlan::NAME]).collect();
    let shares: Vec<&str> = auto().chain(of_weights(true)).collect();
    let quantiles: Vec<&str> = auto().chain(of_quantiles()).collect();
    let mut any = Vec::new();
    for name in [&means, &shares, &quantiles].into_iter().flatten() {
        if !any.contains(name) {
            any.push(*name);
        }
    }
    let about = "The names of estimators, statistics and dialects; a test writes this file.";
    let mut module = format!("\"\"\"{about}\"\"\"\n\nfrom typing import Literal\n");
    for (name, choices) in [
        ("MeanEstimator", means),
        ("FrequencyEstimator", shares),
        ("QuantileEstimator", quantiles),
        ("AnyEstimator", any),
        ("Statistic", suum::StatisticName::names().collect()),
        ("Dialect", Dialect::ALL.map(Dialect::name).to_vec()),
    ] {
        module += &format!("\n{name} = Literal[{}\n]\n", listed(&choices));
    }
    let aliases = StatisticEntry::all().iter().flat_map(|entry| {
        let line = |alias: &&str| format!("    \"{alias}\": \"{}\",\n", entry.name);
        entry.aliases.iter().map(line)
    });
    let aliases: String = aliases.collect();
    module += "\n#: Other names of statistics, which mean the same.\n";
    module += &format!("ALIASES = {{\n{aliases}}}\n");
    is_written("python/suum/_names.py", &module);
}
