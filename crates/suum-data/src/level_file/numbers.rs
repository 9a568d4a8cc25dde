//! Integers in JSON, as numbers or as decimal strings.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};
use serde_json::value::RawValue;

/// Integer that a JSON string, or a JSON integer of any length, spells.
pub(super) fn integer(json: &RawValue) -> Option<i128> {
    let text = json.get();
    if text.starts_with('"') {
        serde_json::from_str::<String>(text).ok()?.parse().ok()
    } else {
        text.parse().ok()
    }
}

/// Count of records, which fits a JSON number; `None` if the JSON holds something else.
///
/// A file can have very many, so their texts are not kept.
pub(super) struct Count(pub(super) Option<u64>);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(CountVisitor)
    }
}

struct CountVisitor;

impl Visitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a count")
    }

    fn visit_u64<E>(self, count: u64) -> std::result::Result<Count, E> {
        Ok(Count(Some(count)))
    }

    fn visit_i64<E>(self, _: i64) -> std::result::Result<Count, E> {
        Ok(Count(None))
    }

    fn visit_f64<E>(self, _: f64) -> std::result::Result<Count, E> {
        Ok(Count(None))
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Count, E> {
        Ok(Count(text.parse().ok()))
    }
}
