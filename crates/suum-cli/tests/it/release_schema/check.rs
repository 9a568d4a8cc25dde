//! Check that JSON follows a schema, as far as schemars writes schemas. A key that the schema does
//! not have is wrong.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Map, Value};
use suum::Answer;

/// A schema, and which of its keys were there in what was checked.
pub(crate) struct Schema {
    root: Value,
    used: RefCell<BTreeSet<String>>,
    wrong: RefCell<BTreeSet<String>>,
}

/// Keys of an object that the schema has, or what is wrong.
type Checked = Result<BTreeSet<String>, String>;

impl Schema {
    /// Schema of releases.
    pub(crate) fn for_releases() -> Self {
        Self::new(suum::release_schema().to_value())
    }

    pub(crate) fn new(root: Value) -> Self {
        Self { root, used: RefCell::default(), wrong: RefCell::default() }
    }

    /// Notes what is wrong with the JSON of an answer, if it is of releases.
    pub(crate) fn look_at(&self, answer: &Answer) {
        let json = answer.json().unwrap_or_default();
        // One that is shown again is stored as JSON.
        if answer.releases().is_some() || json.contains("\"shown_again\"") {
            let value: Value = serde_json::from_str(&json).unwrap();
            self.wrong.borrow_mut().extend(self.check(&value).err());
        }
    }

    /// Faults that were found in answers.
    pub(crate) fn wrong(&self) -> BTreeSet<String> {
        self.wrong.borrow().clone()
    }

    /// Returns an error if the value does not follow the schema.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        self.whole(&self.root, value, "")
    }

    /// Keys of the schema that were in nothing that was checked.
    pub(crate) fn never_used(&self) -> Vec<String> {
        self.keys(false).difference(&self.used.borrow()).cloned().collect()
    }

    /// All keys by the name of their type, or those that are not described.
    pub(crate) fn keys(&self, undescribed: bool) -> BTreeSet<String> {
        let mut keys = BTreeSet::new();
        let definitions = self.root["$defs"].as_object().unwrap();
        let all = definitions.iter().map(|(name, schema)| (name.as_str(), schema));
        for (name, schema) in all.chain([("", &self.root)]) {
            collect(schema, name, undescribed, &mut keys);
        }
        keys
    }

    /// Checks a value, in which no key may be left over.
    fn whole(&self, schema: &Value, value: &Value, of: &str) -> Result<(), String> {
        let known = self.part(schema, value, of)?;
        let keys = value.as_object().into_iter().flat_map(Map::keys);
        match keys.into_iter().find(|key| !known.contains(*key)) {
            Some(key) => Err(format!("{of}: {key} is not in the schema")),
            None => Ok(()),
        }
    }

    /// Checks a value, of which another part of the schema can know further keys.
    fn part(&self, schema: &Value, value: &Value, of: &str) -> Checked {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap();
            return self.part(&self.root["$defs"][name], value, name);
        }
        let Some(schema) = schema.as_object() else {
            return Ok(value.as_object().into_iter().flat_map(Map::keys).cloned().collect());
        };
        let mut known = BTreeSet::new();
        for (word, rule) in schema {
            match word.as_str() {
                "type" if !is_of_type(rule, value) => return Err(format!("{of}: not a {rule}")),
                "const" if rule != value => return Err(format!("{of}: not {rule}")),
                "enum" if !rule.as_array().unwrap().contains(value) => {
                    return Err(format!("{of}: none of {rule}"));
                }
                "required" => {
                    let mut names = rule.as_array().unwrap().iter().filter_map(Value::as_str);
                    if let Some(name) = names.find(|name| value.get(name).is_none()) {
                        return Err(format!("{of}: no {name}"));
                    }
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.whole(rule, item, of)?;
                    }
                }
                "properties" => {
                    for (key, schema) in rule.as_object().unwrap() {
                        if let Some(value) = value.get(key) {
                            self.whole(schema, value, &format!("{of}.{key}"))?;
                            known.insert(key.clone());
                        }
                    }
                }
                "additionalProperties" if rule == &Value::Bool(true) => {
                    known.extend(value.as_object().into_iter().flat_map(Map::keys).cloned());
                }
                "allOf" => {
                    for schema in rule.as_array().unwrap() {
                        known.extend(self.part(schema, value, of)?);
                    }
                }
                "anyOf" | "oneOf" => known.extend(self.any(rule, value, of)?),
                _ => {}
            }
        }
        let name = of.split('.').next().unwrap();
        let used = known.iter().map(|key| format!("{name}.{key}"));
        self.used.borrow_mut().extend(used);
        Ok(known)
    }

    /// Checks that one of several schemas fits; what is known are the keys of all that fit.
    fn any(&self, schemas: &Value, value: &Value, of: &str) -> Checked {
        let mut wrong = Vec::new();
        let mut known = None;
        for schema in schemas.as_array().unwrap() {
            match self.part(schema, value, of) {
                Ok(keys) => known.get_or_insert_with(BTreeSet::new).extend(keys),
                Err(one) => wrong.push(one),
            }
        }
        known.ok_or_else(|| wrong.join(", or "))
    }
}

fn is_of_type(rule: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    };
    rule.as_array().map_or_else(|| is(rule), |names| names.iter().any(is))
}

/// The keys of a schema and of its alternatives.
fn collect(schema: &Value, name: &str, undescribed: bool, keys: &mut BTreeSet<String>) {
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        if !undescribed || property["description"].is_null() && property["const"].is_null() {
            keys.insert(format!("{name}.{key}"));
        }
    }
    for word in ["allOf", "anyOf", "oneOf"] {
        for schema in schema[word].as_array().into_iter().flatten() {
            collect(schema, name, undescribed, keys);
        }
    }
}
