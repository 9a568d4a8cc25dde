//! The forms of options in JSON Schema, where they are more than a number or a text.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, schema_for};

/// The names of all options of a type.
pub(crate) fn names_of<T: JsonSchema>() -> Vec<String> {
    let schema = schema_for!(T).to_value();
    let names = schema.get("properties").and_then(|all| all.as_object());
    names.into_iter().flat_map(|all| all.keys()).cloned().collect()
}

pub(crate) fn statistic(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            {"enum": ["mean", "sum", "count", "frequency", "quantile", "variance"]},
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
        "anyOf": [
            {"type": "array", "items": {"type": ["string", "number"]}},
            {"type": "string", "description": "A,B,C or @FILE; \\, is a comma in a label"},
        ]
    })
}

pub(crate) fn names(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            {"type": "array", "items": {"type": ["string", "number"]}},
            {"type": "string", "description": "A,B,C; \\, is a comma in a name"},
        ]
    })
}

pub(crate) fn columns(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 4},
            {"type": "string", "description": "COL or COL,COL; \\, is a comma in a name"},
        ]
    })
}

pub(crate) fn two_columns(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
            {"type": "string", "description": "COL,COL; \\, is a comma in a name"},
        ]
    })
}

pub(crate) fn group_lists(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [
            labels(generator),
            {"type": "array", "items": labels(generator), "minItems": 2, "maxItems": 4},
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
    json_schema!({"anyOf": [{"type": "number"}, {"type": "boolean"}]})
}

pub(crate) fn budgets(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
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
        "anyOf": [
            {"type": "object", "additionalProperties": {"type": "number"}},
            {"type": "string", "description": "NAME=PARTS,…"},
        ]
    })
}

pub(crate) fn post(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": ["simplex", "clamp", "none"]})
}

pub(crate) fn target(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": ["population", "dataset", "dataset-correlated"]})
}

pub(crate) fn neighbors(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": ["replace", "add-remove", "both"]})
}

/// Answers: each has the options of a query but those of all, and a share.
pub(crate) fn answers(_: &mut SchemaGenerator) -> Schema {
    let names = names_of::<super::Query>();
    let own = names.iter().filter(|name| !super::answers::OF_ALL.contains(&name.as_str()));
    let mut options: serde_json::Map<String, serde_json::Value> = own
        .map(|name| (name.clone(), serde_json::json!({"$ref": format!("#/properties/{name}")})))
        .collect();
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
