//! JSON of suum as dictionaries and lists of Python.

use std::fmt;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// Keys whose values are text, even where it reads as infinity: names that people give.
const TEXTS: [&str; 8] =
    ["level", "category", "group", "column", "columns", "person", "group_by", "dataset"];

/// Value of a text in JSON, with infinities as numbers where numbers are due; `None` if it is not
/// JSON.
pub(crate) fn record<'py>(py: Python<'py>, json: &str) -> Option<Bound<'py, PyAny>> {
    let mut json = serde_json::Deserializer::from_str(json);
    let value = Value { py, is_text: false }.deserialize(&mut json).ok()?;
    json.end().ok().map(|()| value)
}

/// Value of the JSON of an answer; `None` if a text is not JSON.
#[pyfunction]
pub(crate) fn read_record<'py>(py: Python<'py>, text: &str) -> Option<Bound<'py, PyAny>> {
    record(py, text)
}

/// Makes a value.
#[derive(Clone, Copy)]
struct Value<'py> {
    py: Python<'py>,
    /// True if text stays text, even where it reads as infinity.
    is_text: bool,
}

impl<'py> Value<'py> {
    fn build<E: serde::de::Error>(
        self,
        value: impl IntoPyObject<'py>,
    ) -> Result<Bound<'py, PyAny>, E> {
        value.into_bound_py_any(self.py).map_err(E::custom)
    }
}

impl<'py, 'de> DeserializeSeed<'de> for Value<'py> {
    type Value = Bound<'py, PyAny>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'py, 'de> Visitor<'de> for Value<'py> {
    type Value = Bound<'py, PyAny>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
        Ok(self.py.None().into_bound(self.py))
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Self::Value, E> {
        self.build(value)
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Self::Value, E> {
        self.build(value)
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
        self.build(value)
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Self::Value, E> {
        self.build(value)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        match text {
            "inf" if !self.is_text => self.build(f64::INFINITY),
            "-inf" if !self.is_text => self.build(f64::NEG_INFINITY),
            _ => self.build(text),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let list = PyList::empty(self.py);
        while let Some(item) = items.next_element_seed(self)? {
            list.append(item).map_err(A::Error::custom)?;
        }
        Ok(list.into_any())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let dictionary = PyDict::new(self.py);
        while let Some(key) = entries.next_key::<String>()? {
            // Everything below a key of texts, as in a list of names, is text.
            let is_text = self.is_text || TEXTS.contains(&key.as_str());
            let value = entries.next_value_seed(Self { is_text, ..self })?;
            dictionary
                .set_item(PyString::intern(self.py, &key), value)
                .map_err(A::Error::custom)?;
        }
        Ok(dictionary.into_any())
    }
}
