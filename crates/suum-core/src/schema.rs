//! JSON Schema of types whose JSON is written by hand: numbers, names, pairs.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::number::{Number, NumberOrText};
use crate::{Bounds, Epsilon, Exact, GroupName, Loss, Rank, Replacement};

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number; infinity is the text inf, and what is undefined is null.",
            "anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}],
        })
    }
}

impl JsonSchema for Epsilon {
    fn schema_name() -> Cow<'static, str> {
        "Epsilon".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An ε: a number, or the text inf.",
            "anyOf": [{"type": "number", "minimum": 0}, {"const": "inf"}],
        })
    }
}

impl JsonSchema for Loss {
    fn schema_name() -> Cow<'static, str> {
        "Loss".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An exact loss, rounded up to the next double; or the text inf.",
            "anyOf": [{"type": "number", "minimum": 0}, {"const": "inf"}],
        })
    }
}

impl JsonSchema for Exact {
    fn schema_name() -> Cow<'static, str> {
        "Exact".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An exact number as a text, such as 1073741824 or 9/4.",
            "type": "string",
            "pattern": "^[0-9]+(/[0-9]+)?$",
        })
    }
}

impl JsonSchema for Bounds {
    fn schema_name() -> Cow<'static, str> {
        "Bounds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The least and the largest value, in units of the data.",
            "type": "array",
            "items": {"type": "number"},
            "minItems": 2,
            "maxItems": 2,
        })
    }
}

impl JsonSchema for GroupName {
    fn schema_name() -> Cow<'static, str> {
        "GroupName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A label or a column; of several columns a list.",
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "string"}},
            ],
        })
    }
}

impl JsonSchema for Rank {
    fn schema_name() -> Cow<'static, str> {
        "Rank".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1})
    }
}

impl JsonSchema for Replacement {
    fn schema_name() -> Cow<'static, str> {
        "Replacement".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        NumberOrText::json_schema(generator)
    }
}
