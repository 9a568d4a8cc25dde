//! Parts of an answer that are kept on record.

use serde_json::{Map, Value};

/// Fields that another design must have too, under these names.
const KEPT: [&str; 62] = [
    "allowed",
    "bounds",
    "category",
    "cells",
    "centre",
    "chosen",
    "clip",
    "confidence",
    "count",
    "counts",
    "deviation",
    "distribution",
    "epsilon",
    "error",
    "estimate",
    "estimator",
    "estimators",
    "expected",
    "factor",
    "frequencies",
    "gap",
    "grid",
    "group",
    "group_by",
    "groups",
    "interval",
    "learned",
    "ledger",
    "left",
    "level",
    "levels",
    "lower",
    "lower_bound",
    "mean",
    "measured",
    "name",
    "neighbors",
    "noise",
    "noise_scale",
    "noise_sd",
    "parts",
    "post",
    "privacy",
    "profile",
    "q",
    "quantiles",
    "range",
    "records",
    "rmse",
    "rows",
    "sampling_sd",
    "scale",
    "share",
    "shrinkage",
    "spent",
    "split",
    "statistic",
    "sum",
    "target",
    "tau",
    "upper",
    "weight",
];

/// An answer in JSON as one line, without what is said in words or said twice.
pub(super) fn project(json: &str) -> String {
    let whole: Value = serde_json::from_str(json).unwrap();
    keep_fields(&whole).to_string()
}

fn keep_fields(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| KEPT.contains(&name.as_str()));
            let fields = fields.filter(|(_, value)| !value.is_null());
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), keep_fields(value)))
                    .collect::<Map<_, _>>(),
            )
        }
        Value::Array(items) => Value::Array(items.iter().map(keep_fields).collect()),
        // Ten digits: the last ones depend on the order of additions.
        Value::Number(number) => match number.as_f64() {
            Some(double) if !number.is_u64() && !number.is_i64() => rounded(double),
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

fn rounded(double: f64) -> Value {
    let rounded: f64 = format!("{double:.9e}").parse().unwrap();
    Value::from(rounded)
}
