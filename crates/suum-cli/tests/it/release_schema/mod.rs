//! The JSON Schema of releases: its file and its page in the reference, and that all releases on
//! record follow it.

mod check;
mod further;
mod page;

use serde_json::{Value, json};

pub(crate) use check::Schema;
pub(crate) use further::look_at;

use super::book::is_written;

fn schema() -> Value {
    suum::release_schema().to_value()
}

/// The file, as `INSTA_UPDATE=always` writes it.
#[test]
fn the_schema_in_the_documentation_is_that_of_releases() {
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    is_written("docs/reference/release.schema.json", &text);
}

/// The page, as `INSTA_UPDATE=always` writes it.
#[test]
fn the_reference_of_releases_is_the_schema() {
    is_written("docs/reference/release.md", &page::render_page(&schema()));
}

#[test]
fn every_key_is_described() {
    let schema = Schema::for_releases();
    let without: Vec<String> = schema.keys(true).into_iter().collect();
    assert!(schema.keys(false).len() > 100, "keys were not found");
    assert_eq!(without, Vec::<String>::new(), "say what these mean");
}

/// The check finds what is wrong: keys that do not exist, that lack, and other types.
#[test]
fn what_does_not_follow_the_schema_is_found() {
    let interval = json!({
        "type": "object",
        "properties": {"lower": {"type": ["number", "null"]}, "kind": {"enum": ["a", "b"]}},
        "required": ["lower"],
    });
    let schema = Schema::new(json!({
        "anyOf": [{"$ref": "#/$defs/Interval"}, {"type": "array", "items": {"const": "inf"}}],
        "$defs": {"Interval": interval},
    }));
    for right in
        [json!({"lower": 1}), json!({"lower": null, "kind": "b"}), json!(["inf"]), json!([])]
    {
        assert_eq!(schema.check(&right), Ok(()), "{right}");
    }
    for wrong in [
        json!({"lower": 1, "upper": 2}),
        json!({"kind": "a"}),
        json!({"lower": 1, "kind": "c"}),
        json!({"lower": "1"}),
        json!(["-inf"]),
        json!(1),
    ] {
        assert!(schema.check(&wrong).is_err(), "{wrong}");
    }
    assert_eq!(schema.never_used(), Vec::<String>::new());
}
