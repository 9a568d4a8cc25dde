//! The JSON Schema of a job, from the rows of its options.

use serde_json::{Map, Value, json};

use super::{Job, options};
use crate::options::{OptionRow, Part};
use crate::query::{OF_COLUMN, PUBLIC};

impl Job {
    /// Returns the JSON Schema of a job, of which a query is the part that does not say where data
    /// are.
    pub fn schema() -> Value {
        let of_job = || options().filter(|row| row.part != Part::Population);
        let mut properties: Map<String, Value> =
            of_job().map(|row| (row.name.to_owned(), row.schema())).collect();
        properties.insert("answers".to_owned(), answers(of_job()));
        properties.insert("columns".to_owned(), columns());
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "suum query",
            "description": "What is asked of data, where they are, and who pays: a file for \
                            `suum run`.",
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
            "anyOf": [{"required": ["statistic"]}, {"required": ["answers"]}],
            "examples": examples(),
        })
    }
}

/// Returns the schema of answers: each has the options of a query but those of all, and a share.
fn answers(options: impl Iterator<Item = &'static OptionRow>) -> Value {
    let own = options.filter(|row| row.part == Part::Query && !row.is_shared);
    let reference = |row: &OptionRow| {
        (row.name.to_owned(), json!({"$ref": format!("#/properties/{}", row.name)}))
    };
    let mut properties: Map<String, Value> = own.map(reference).collect();
    let share = json!({
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "The part of every budget that the answer may spend, in proportion to those \
                        of the others; 1 if it is not said.",
    });
    properties.insert("share".to_owned(), share);
    json!({
        "description": "Several answers in one release, from one split of every budget: what \
                        differs between them. What all have in common stands above them.",
        "type": "array",
        "minItems": 1,
        "items": {"type": "object", "properties": properties, "additionalProperties": false},
    })
}

/// Returns the schema of a codebook: the options of each column by its name.
fn columns() -> Value {
    let reference = |name: &str| (name.to_owned(), json!({"$ref": format!("#/properties/{name}")}));
    let mut properties: Map<String, Value> = OF_COLUMN.into_iter().map(reference).collect();
    let is_public = json!({
        "type": "boolean",
        "description": "True if everybody may know the column of everybody, for good: a request \
                        that groups or chooses records by it then declares it in `public_columns`.",
    });
    properties.insert(PUBLIC.to_owned(), is_public);
    json!({
        "description": "What columns mean, by their names: a request takes from it what it does \
                        not say itself of the columns that it uses. Labels under `categories`, \
                        `groups` or `classes` stand for each other.",
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        },
    })
}

fn examples() -> Value {
    json!([
        {
            "statistic": "mean",
            "value": "visits",
            "bounds": [0, 77],
            "privacy": "privacy",
            "levels": {"strict": 0.01, "standard": 0.1, "relaxed": 1, "public": "inf"}
        },
        {
            "statistic": "quantile",
            "value": "visits",
            "bounds": [0, 77],
            "q": [0.5, 0.9],
            "step": 1,
            "group_by": "health",
            "groups": ["excellent", "good", "fair", "poor"],
            "privacy": "privacy",
            "levels": "strict=0.01,standard=0.1,relaxed=1,public=inf"
        },
        {
            "statistic": "frequency",
            "value": "health",
            "categories": ["excellent", "good", "fair", "poor"],
            "epsilon": "epsilon",
            "simultaneous": true
        }
    ])
}
