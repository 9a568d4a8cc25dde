//! The forms of options in JSON Schema, where they are more than a number or a text.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};
use serde_json::{Map, Value};

/// The options of a type, by name.
pub(crate) fn properties<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = schema_for!(T).to_value();
    match schema.get_mut("properties").map(Value::take) {
        Some(Value::Object(all)) => all,
        _ => Map::new(),
    }
}

pub(crate) fn statistic(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "NAME,…",
        "anyOf": [
            {"enum": super::StatisticName::names().collect::<Vec<_>>()},
            {
                "type": "array",
                "items": {"type": "string", "pattern": "^(mean|variance|q[0-9.]+)$"},
                "minItems": 1,
            },
            {
                "type": "string",
                "description": "several, as in mean,variance,q50",
                "pattern": "^ *(mean|variance|q[0-9.]+)( *, *(mean|variance|q[0-9.]+))* *$",
            },
        ]
    })
}

pub(crate) fn column(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "COL,…",
        "anyOf": [
            {"type": "string"},
            {
                "type": "array",
                "description": "several columns, each with an answer of its own",
                "items": {"type": "string"},
                "minItems": 1,
            },
        ]
    })
}

pub(crate) fn bounds(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "LO,HI|auto",
        "anyOf": [
            {
                "type": "array",
                "description": "numbers, or dates or times in ISO 8601",
                "items": {"type": ["number", "string"]},
                "minItems": 2,
                "maxItems": 2,
            },
            {"type": "string", "description": "LO,HI or auto"},
            {
                "type": "object",
                "description": "of several columns, by their names",
                "additionalProperties": {"type": ["array", "string"]},
            },
        ]
    })
}

pub(crate) fn labels(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "A,B,…",
        "anyOf": [
            {"type": "array", "items": {"type": ["string", "number"]}},
            {"type": "string", "description": "A,B,C or @FILE; \\, is a comma in a label"},
        ]
    })
}

pub(crate) fn names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "A,B",
        "anyOf": [
            {"type": "array", "items": {"type": ["string", "number"]}},
            {"type": "string", "description": "A,B,C; \\, is a comma in a name"},
        ]
    })
}

pub(crate) fn columns(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "COL",
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 4},
            {"type": "string", "description": "COL or COL,COL; \\, is a comma in a name"},
        ]
    })
}

pub(crate) fn two_columns(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "COL,COL",
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
            {"type": "string", "description": "COL,COL; \\, is a comma in a name"},
        ]
    })
}

pub(crate) fn group_lists(generator: &mut SchemaGenerator) -> Schema {
    let mut labels = labels(generator);
    let value = labels.remove("x-value");
    json_schema!({
        "x-value": value,
        "anyOf": [
            labels,
            {"type": "array", "items": labels, "minItems": 2, "maxItems": 4},
        ]
    })
}

pub(crate) fn numbers(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
            {"type": ["string", "number"]},
        ]
    })
}

pub(crate) fn number_or_text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["number", "string"]})
}

pub(crate) fn number_or_true(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"x-value": "SHARE", "anyOf": [{"type": "number"}, {"type": "boolean"}]})
}

pub(crate) fn budgets(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "TIER=EPSILON,…",
        "anyOf": [
            {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {
                    "anyOf": [{"type": "number", "minimum": 0}, {"const": "inf"}],
                },
            },
            {"type": "string", "description": "TIER=EPSILON,…"},
        ]
    })
}

pub(crate) fn budget_range(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "LO,HI",
        "anyOf": [
            {
                "type": "array",
                "items": {"anyOf": [{"type": "number"}, {"const": "inf"}]},
                "minItems": 2,
                "maxItems": 2,
            },
            {"type": "string", "description": "LO,HI"},
        ]
    })
}

pub(crate) fn parts(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "x-value": "NAME=PARTS,…",
        "anyOf": [
            {"type": "object", "additionalProperties": {"type": "number"}},
            {"type": "string", "description": "NAME=PARTS,…"},
        ]
    })
}

pub(crate) fn post(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": ["simplex", "clamp", "none"],
        "enumDescriptions": [
            "None negative, adding up to 1",
            "Each in [0, 1]",
            "As the noise left them",
        ],
    })
}

pub(crate) fn target(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": ["population", "dataset", "dataset-correlated"],
        "enumDescriptions": [
            "The population the records were drawn from; intervals assume that budgets have \
             nothing to do with values",
            "These records; intervals assume that budgets have nothing to do with values",
            "These records; budgets may depend on values",
        ],
    })
}

pub(crate) fn neighbors(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": ["replace", "add-remove", "both"],
        "enumDescriptions": [
            "Replace-one: hide each record's value, up to a factor of exp(ε); how many records \
             there are is public",
            "Hide whether a record is in the data, up to a factor of exp(ε); two values of a \
             record can differ by up to exp(2ε). A release tells how many records there are, and \
             their budgets, only through noise; refusals and run time can tell more",
            "Both at once: whether a record is in the data and what its value is, up to a factor \
             of exp(ε). Answers are noisier; of groups each spends half",
        ],
    })
}

/// Answers: each has the options of a query but those of all, and a share.
pub(crate) fn answers(_: &mut SchemaGenerator) -> Schema {
    let names = properties::<super::Query>().into_iter().map(|(name, _)| name);
    let own = names.filter(|name| !super::answers::OF_ALL.contains(&name.as_str()));
    let reference = |name: String| {
        let place = serde_json::json!({"$ref": format!("#/properties/{name}")});
        (name, place)
    };
    let mut options: Map<String, Value> = own.map(reference).collect();
    let share = serde_json::json!({
        "type": "number",
        "exclusiveMinimum": 0,
        "description": "The part of every budget that the answer may spend, in proportion to those \
                        of the others; 1 if it is not said.",
    });
    options.insert("share".to_owned(), share);
    json_schema!({
        "description": "Several answers in one release, from one split of every budget: what \
                        differs between them. What all have in common stands above them.",
        "type": "array",
        "minItems": 1,
        "items": {"type": "object", "properties": options, "additionalProperties": false},
    })
}
