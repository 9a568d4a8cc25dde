//! The page of the reference on what releases say in JSON.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::{Map, Value};

/// The page of this schema: what every answer has, a release, and then all other parts.
pub(super) fn render_page(schema: &Value) -> String {
    let mut page = String::from(
        "# Keys of a release\n\n\
         A test writes this page from the [JSON Schema](release.schema.json), which serde and\n\
         schemars make of the program. [How to read it](json.md), and\n\
         [examples](json-examples.md). Keys without a value are left out.\n",
    );
    let parts = schema["$defs"].as_object().unwrap();
    let release: BTreeSet<String> = rows(&parts["Release"]).into_iter().map(|row| row.0).collect();
    section(&mut page, "Every answer", schema, &BTreeSet::new());
    section(&mut page, "Release", &parts["Release"], &BTreeSet::new());
    for (name, part) in parts.iter().filter(|(name, _)| *name != "Release") {
        section(&mut page, name, part, &release);
    }
    page
}

/// A key, what it takes, and what it means.
type Row = (String, String, String);

fn section(page: &mut String, name: &str, part: &Value, release: &BTreeSet<String>) {
    write!(page, "\n## {name}\n\n{}", filled(&text(part).replace("\\|", "|"))).unwrap();
    let mut rows = rows(part);
    // What has all keys of a release in it need not repeat them.
    let keys: BTreeSet<String> = rows.iter().map(|row| row.0.clone()).collect();
    if !release.is_empty() && release.is_subset(&keys) {
        rows.retain(|row| !release.contains(&row.0));
        *page += "\nIt has the keys of a [Release](#release), too.\n";
    }
    let others = alternatives(part).filter_map(|(_, one)| one["$ref"].as_str());
    let others: Vec<String> = others.map(|one| link(one.rsplit('/').next().unwrap())).collect();
    if !others.is_empty() {
        *page += "\n";
        *page += &filled(&format!("It has the keys of: {}.", others.join(" or ")));
    }
    if rows.is_empty() && part["oneOf"].is_null() {
        *page += "\n";
        *page += &filled(&format!("It is: {}.", form(part)));
    }
    if !rows.is_empty() {
        *page += "\n| key | takes | meaning |\n|---|---|---|\n";
        for (key, takes, meaning) in rows {
            writeln!(page, "| `{key}` | {takes} | {meaning} |").unwrap();
        }
    }
    let values = part["oneOf"].as_array().into_iter().flatten();
    let values: Vec<&Value> = values.filter(|one| one["const"].is_string()).collect();
    if !values.is_empty() {
        *page += "\n| value | meaning |\n|---|---|\n";
        for one in values {
            writeln!(page, "| `{}` | {} |", one["const"].as_str().unwrap(), text(one)).unwrap();
        }
    }
    tagged(page, part);
}

/// The words in lines that fit the width.
fn filled(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line = word.to_owned(),
            Some(line) if line.chars().count() + word.chars().count() < 100 => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

/// The table of alternatives that a key tells apart.
fn tagged(page: &mut String, part: &Value) {
    let mut is_first = true;
    for (_, one) in alternatives(part) {
        let Some((tag, value)) = tag(one) else { continue };
        if is_first {
            write!(page, "\n| `{tag}` | meaning | further keys |\n|---|---|---|\n").unwrap();
            is_first = false;
        }
        let keys = own_rows(one).into_iter().filter(|(key, ..)| key != tag);
        let keys = keys.map(|(key, takes, meaning)| format!("`{key}` ({takes}): {meaning}"));
        let keys: Vec<String> = keys.collect();
        writeln!(page, "| `{value}` | {} | {} |", text(one), keys.join(" ")).unwrap();
    }
}

fn alternatives(part: &Value) -> impl Iterator<Item = (&'static str, &Value)> {
    let of = |word: &'static str| {
        part[word].as_array().into_iter().flatten().map(move |one| (word, one))
    };
    ["allOf", "anyOf", "oneOf"].into_iter().flat_map(of)
}

/// The key that says which alternative it is, and its value.
fn tag(part: &Value) -> Option<(&str, &str)> {
    let properties = part["properties"].as_object()?;
    properties.iter().find_map(|(key, one)| Some((key.as_str(), one["const"].as_str()?)))
}

fn own_rows(part: &Value) -> Vec<Row> {
    let properties = part["properties"].as_object().into_iter().flat_map(Map::iter);
    let required = part["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let required: BTreeSet<&str> = required.collect();
    let row = |(key, one): (&String, &Value)| {
        let takes = form(one);
        // What is null is left out, where it may be.
        let takes = match required.contains(key.as_str()) {
            true => takes,
            false => takes.trim_end_matches(" or null").to_owned(),
        };
        (key.clone(), takes, text(one))
    };
    properties.map(row).collect()
}

/// The keys of a part and of its alternatives, each once.
fn rows(part: &Value) -> Vec<Row> {
    let mut all = own_rows(part);
    for (_, one) in alternatives(part).filter(|(_, one)| tag(one).is_none()) {
        all.extend(rows(one));
    }
    let mut seen = BTreeSet::new();
    all.retain(|row| seen.insert(row.0.clone()));
    all
}

/// Description of a part, for the cell of a table.
fn text(part: &Value) -> String {
    part["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|")
}

fn link(name: &str) -> String {
    format!("[{name}](#{})", name.to_lowercase())
}

/// Form of the value of a key in a few words.
fn form(part: &Value) -> String {
    if let Some(reference) = part["$ref"].as_str() {
        return link(reference.rsplit('/').next().unwrap());
    }
    let several: Vec<String> = alternatives(part).map(|(_, one)| form(one)).collect();
    if !several.is_empty() {
        return several.join(" or ");
    }
    if let Some(one) = part["const"].as_str() {
        return format!("`{one}`");
    }
    let types = match &part["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        single => single.as_str().into_iter().collect::<Vec<_>>(),
    };
    let items = &part["items"];
    let words = types.into_iter().map(|name| match name {
        "array" if items.is_object() => format!("list of {}", form(items)),
        "boolean" => "true or false".to_owned(),
        "integer" => "whole number".to_owned(),
        "string" => "text".to_owned(),
        other => other.to_owned(),
    });
    words.collect::<Vec<_>>().join(" or ")
}
