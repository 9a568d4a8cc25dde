//! The edges of bins.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Error, Phrase, Result, TimeScale, for_example, option};

/// Edges of bins: finite numbers, dates or times in ascending order, at least two.
///
/// # Example
///
/// ```
/// assert!("0,10,20".parse::<suum_data::Edges>().is_ok());
/// assert!("0,20,10".parse::<suum_data::Edges>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Edges {
    pub(crate) numbers: Vec<f64>,
    pub(crate) scale: Option<TimeScale>,
}

impl Edges {
    /// Text of an edge in the name of a bin.
    pub(crate) fn label(&self, edge: f64) -> String {
        self.scale.map_or_else(|| plain(edge), |scale| scale.label(edge))
    }
}

/// Serialized as a list of numbers, or of dates or times as text.
impl Serialize for Edges {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.scale {
            None => self.numbers.serialize(serializer),
            Some(scale) => {
                serializer.collect_seq(self.numbers.iter().map(|edge| scale.text(*edge)))
            }
        }
    }
}

impl FromStr for Edges {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let scale = TimeScale::detect_common(text.split(','));
        parse_edges(text, scale).map(|numbers| Self { numbers, scale })
    }
}

fn parse_edges(text: &str, scale: Option<TimeScale>) -> Result<Vec<f64>> {
    let example = || for_example(option::BINS, "0,10,20");
    let mut edges: Vec<f64> = Vec::new();
    for (position, edge) in text.split(',').enumerate() {
        let refuse = |what| {
            Err(refused_bins(format!("edge {} is not {what}", position + 1)).with_fix(example()))
        };
        let edge = edge.trim_ascii();
        let number = match scale {
            None => edge.parse::<f64>().ok(),
            Some(scale) => scale.number(edge.as_bytes()),
        };
        match number.ok_or(()) {
            Ok(edge) if !edge.is_finite() => return refuse("finite"),
            Ok(edge) if edges.last().is_some_and(|last| edge <= *last) => {
                return refuse("above the one before it");
            }
            // Negative zero is the one zero.
            Ok(edge) => edges.push(edge + 0.0),
            Err(_) => return refuse("a number"),
        }
    }
    if edges.len() < 2 {
        return Err(refused_bins("there must be at least two edges").with_fix(example()));
    }
    Ok(edges)
}

/// The refusal of edges.
pub(crate) fn refused_bins(what: impl Into<Phrase>) -> Error {
    Error::parameter(option::BINS, what)
}

/// Shortest text that reads back as the number; equal edges have equal texts, however they were
/// spelled.
fn plain(edge: f64) -> String {
    let text = format!("{edge:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}
