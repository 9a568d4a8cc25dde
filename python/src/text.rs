//! Text in lists: each distinct text is stored once, if they are few, as tiers and groups are.

use std::sync::Arc;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, StringArray};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};
use rustc_hash::FxHashMap;

use crate::items::watched;

/// Largest number of distinct texts that are stored once each.
const MOST: usize = 1 << 16;

/// Converts a list or tuple of text to an array; `None` if it holds anything else.
pub(crate) fn text(items: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    match once(items)? {
        Uniques::Few(array) => Ok(Some(array)),
        Uniques::Many => each(items),
        Uniques::Other => Ok(None),
    }
}

enum Uniques {
    Few(ArrayRef),
    Many,
    Other,
}

/// Texts as a dictionary. Most cells are objects that were seen before, whose text need not be
/// read.
fn once(items: &Bound<'_, PyAny>) -> PyResult<Uniques> {
    // Objects that are known by their address live as long as it is looked up.
    let mut alive = Vec::new();
    let mut objects = FxHashMap::default();
    let mut places = FxHashMap::<String, i32>::default();
    let mut entries = Vec::new();
    let mut keys = Vec::with_capacity(items.len()?);
    for item in watched(items)? {
        let item = item?;
        let address = item.as_ptr() as usize;
        if let Some(key) = objects.get(&address) {
            keys.push(*key);
            continue;
        }
        let key = match cell(&item) {
            None => return Ok(Uniques::Other),
            Some(None) => None,
            Some(Some(text)) => Some(match places.get(text) {
                Some(place) => *place,
                None if entries.len() == MOST => return Ok(Uniques::Many),
                None => {
                    let place = entries.len() as i32;
                    places.insert(text.to_owned(), place);
                    entries.push(text.to_owned());
                    place
                }
            }),
        };
        keys.push(key);
        if alive.len() < MOST {
            objects.insert(address, key);
            alive.push(item);
        }
    }
    let (keys, entries) = (Int32Array::from(keys), Arc::new(StringArray::from(entries)));
    Ok(DictionaryArray::try_new(keys, entries)
        .map_or(Uniques::Other, |texts| Uniques::Few(Arc::new(texts))))
}

/// Texts one after the other.
fn each(items: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    let mut texts = LargeStringBuilder::new();
    for item in watched(items)? {
        match cell(&item?) {
            None => return Ok(None),
            Some(text) => texts.append_option(text),
        }
    }
    Ok(Some(Arc::new(texts.finish())))
}

/// Text of a cell; `Some(None)` if the cell is missing, `None` if it holds anything else.
fn cell<'a>(item: &'a Bound<'_, PyAny>) -> Option<Option<&'a str>> {
    if let Ok(text) = item.cast::<PyString>() {
        return text.to_str().ok().map(Some);
    }
    is_missing(item).then_some(None)
}

/// Returns true if a cell is missing: `None`, NaN, or one of pandas' markers.
pub(crate) fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    if let Ok(number) = item.cast::<PyFloat>() {
        return number.value().is_nan();
    }
    let is_named = |name: Bound<'_, PyString>| name == "NAType" || name == "NaTType";
    item.is_none() || item.get_type().name().is_ok_and(is_named)
}
