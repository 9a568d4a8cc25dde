//! Several answers of one job: their own options, and the common ones.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use suum_core::{Error, Result, option, say};

use super::{Query, spelling};
use crate::Job;
use crate::options::{Entries, OptionRow, Part};

/// One of several answers of a job.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnswerQuery {
    /// Query with its own options, and those that all answers have in common.
    pub query: Query,
    /// Part of every budget that it may spend, in proportion to the shares of the other answers; 1
    /// by default.
    pub share: Option<f64>,
}

/// Largest number of answers in one job.
const MOST: usize = 1000;

impl AnswerQuery {
    /// Takes the answers that the entries list, if there are any, and the common options of a
    /// query. Also returns the query of the common options alone.
    ///
    /// Several columns of one statistic are an answer each.
    pub(crate) fn take(entries: &mut Entries) -> Result<Option<(Query, Vec<Self>)>> {
        let listed = entries.tables("answers")?;
        let of_columns = entries.take_columns();
        let listed = match (listed, &of_columns) {
            (None, None) => return Ok(None),
            (None, Some(_)) => vec![Entries::default()],
            (Some(listed), _) => listed,
        };
        let mut answers = Vec::with_capacity(listed.len());
        for (at, own) in listed.into_iter().enumerate() {
            let own = own.over(of_columns.clone().unwrap_or_default());
            answers.extend(own.each_column().map_err(|refused| refused.within(place(at)))?);
        }
        if answers.is_empty() || answers.len() > MOST {
            return Err(Error::parameter("answers", format!("there must be from 1 to {MOST}"))
                .with_fix("write a section [[answers]] for each"));
        }
        let mut rest = entries.clone();
        spelling::spell_out_shared(&mut rest);
        if !rest.has("statistic") {
            // Each answer says its own.
            rest = rest.with("statistic", "count");
        }
        let common = Query::take(&mut rest)?;
        let options = entries.missing_in(&rest);
        *entries = rest;
        let each = answers.into_iter().enumerate().map(|(at, own)| {
            let taken = Self::from_entries(own, &options);
            taken.map_err(|refused| refused.within(place(at)))
        });
        let each = each.collect::<Result<Vec<_>>>()?;
        match each.iter().position(|one| one.query.neighbors != common.neighbors) {
            None => Ok(Some((common, each))),
            Some(at) => Err(Error::request(
                option::MISSING,
                "with exclude it is hidden who has a value, in all answers or none",
            )
            .with_fix("say neighbors = \"both\" once, above the first [[answers]]")
            .within(place(at))),
        }
    }

    /// Reads an answer from its own entries and the common options.
    fn from_entries(mut own: Entries, options: &Entries) -> Result<Self> {
        let is_for_all = |row: &&OptionRow| match row.part {
            Part::Query => row.is_shared,
            Part::Source | Part::Study | Part::Charge => true,
            Part::Population => false,
        };
        let shared = crate::options().filter(is_for_all).find(|row| own.has(row.name));
        if let Some(name) = shared.map(OptionRow::option) {
            return Err(Error::request(name, "it is the same for all answers")
                .with_fix(say("say").option(name).say("once, above the first [[answers]]")));
        }
        let share = own.number("share")?;
        if share.is_some_and(|share| share <= 0.0) {
            return Err(Error::parameter(option::SHARE, "must be a positive number")
                .with_fix("for example share = 2, twice the part of an answer without a share"));
        }
        let mut all = own.over(options.clone());
        let query = Query::take(&mut all)?;
        all.finish()?;
        Ok(Self { query, share })
    }
}

/// Name of one of several answers in refusals.
pub(crate) fn place(at: usize) -> String {
    format!("answer {}", at + 1)
}

/// Stored form of a request: a query, or several answers below their common options.
pub(crate) struct AskedRecord<'a>(pub(crate) &'a Job);

/// Written by hand, since all answers decide which options stand above them.
impl Serialize for AskedRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Self(job) = self;
        if job.answers.is_empty() {
            return job.query.serialize(serializer);
        }
        let each: Vec<Map<String, Value>> = job.answers.iter().map(object).collect();
        let common = common(&job.query, &each);
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in &common {
            match (name.as_str(), job.answers.first()) {
                // In a value the order of tiers would be lost, and it counts.
                ("levels", Some(one)) => map.serialize_entry("levels", &one.query.levels)?,
                _ => map.serialize_entry(name, value)?,
            }
        }
        let own = each.into_iter().map(|one| {
            let own = one.into_iter().filter(|(name, _)| !common.contains_key(name));
            own.collect::<BTreeMap<_, _>>()
        });
        map.serialize_entry("answers", &own.collect::<Vec<_>>())?;
        map.end()
    }
}

/// Options of an answer as a JSON object.
fn object(answer: &AnswerQuery) -> Map<String, Value> {
    // A query always has a JSON form, which is an object.
    let mut object = match serde_json::to_value(&answer.query) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    };
    if let Some(share) = answer.share {
        object.insert("share".to_owned(), share.into());
    }
    object
}

/// Common options that all answers have with the same value.
fn common(query: &Query, each: &[Map<String, Value>]) -> Map<String, Value> {
    let whole = object(&AnswerQuery { query: query.clone(), share: None });
    let is_common = |(name, value): &(&String, &Value)| {
        each.iter().all(|answer| answer.get(*name) == Some(value))
    };
    let all = whole.iter().filter(is_common);
    all.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SURVEY: &str = r#"
        data = "d.csv"
        epsilon = "e"
        confidence = 0.9
        [[answers]]
        statistic = "mean"
        value = "wage"
        bounds = [0, 50]
        share = 2
        [[answers]]
        statistic = "mean"
        value = "hours"
        bounds = [0, 80]
        confidence = 0.95
    "#;

    #[test]
    fn answers_have_the_options_above_them_and_are_read_back() {
        let job = Job::from_toml(SURVEY).unwrap();
        let [wage, hours] = &job.answers[..] else { panic!() };
        assert_eq!(wage.query.epsilon.as_deref(), Some("e"));
        assert_eq!((wage.query.confidence.0, hours.query.confidence.0), (0.9, 0.95));
        assert_eq!((wage.share, hours.share), (Some(2.0), None));
        let json = serde_json::to_value(&job).unwrap();
        let expected = serde_json::json!({
            "data": "d.csv", "epsilon": "e",
            "answers": [
                {
                    "statistic": "mean", "value": "wage", "bounds": [0.0, 50.0],
                    "confidence": 0.9, "share": 2.0,
                },
                {"statistic": "mean", "value": "hours", "bounds": [0.0, 80.0]},
            ],
        });
        assert_eq!(json, expected);
        let again = Job::new(Entries::from_json(&json.to_string()).unwrap()).unwrap();
        assert_eq!(again.answers, job.answers);
    }

    #[test]
    fn several_columns_are_an_answer_each() {
        let read = |json: &str| Entries::from_json(json).and_then(Job::new);
        let columns = read(
            r#"{"statistic": "mean", "epsilon": "e", "value": ["wage", "hours"],
                "bounds": {"hours": [0, 80], "wage": [0, 50]}}"#,
        );
        let answers = read(
            r#"{"statistic": "mean", "epsilon": "e", "answers": [
                {"value": "wage", "bounds": [0, 50]}, {"value": "hours", "bounds": "0,80"}]}"#,
        );
        assert_eq!(columns.unwrap(), answers.unwrap());
        let same = read(
            r#"{"statistic": "mean", "epsilon": "e", "value": ["a", "b"], "bounds": [0, 9],
                "answers": [{"share": 2}, {"statistic": "quantile"}]}"#,
        );
        let said = |one: &AnswerQuery| {
            (one.query.statistic.name(), one.query.value.clone().unwrap(), one.share)
        };
        assert_eq!(
            same.unwrap().answers.iter().map(said).collect::<Vec<_>>(),
            [
                ("mean", "a".to_owned(), Some(2.0)),
                ("mean", "b".to_owned(), Some(2.0)),
                ("quantile", "a".to_owned(), None),
                ("quantile", "b".to_owned(), None),
            ]
        );
        let wrong = read(r#"{"statistic": "mean", "value": ["a", "b"], "bounds": {"c": [0, 9]}}"#);
        let refused = wrong.unwrap_err().to_string();
        assert_eq!(refused, "answer 1: bounds: value names no column c");
    }

    #[test]
    fn what_is_wrong_is_refused_with_its_place() {
        let refused = |change: &dyn Fn(&str) -> String| {
            Job::from_toml(&change(SURVEY)).unwrap_err().to_string()
        };
        for (from, to, said) in [
            ("bounds = [0, 80]", "bound = [0, 80]", "answer 2: bound: "),
            ("bounds = [0, 80]", "cells = 3", "answer 2: cells: "),
            ("share = 2", "share = 0", "answer 1: share: "),
            ("share = 2", "share = \"much\"", "answer 1: share: "),
            ("share = 2", "share = \"200.000\"", "answer 1: share: 200.000 can be two"),
            ("share = 2", "neighbors = \"both\"", "answer 1: neighbors: "),
            ("share = 2", "ledger = \"l\"", "answer 1: ledger: "),
            ("confidence = 0.9\n", "confidnce = 0.9\n", "confidnce: "),
            ("confidence = 0.9\n", "share = 2\n", "share: "),
        ] {
            let refused = refused(&|text| text.replace(from, to));
            assert!(refused.starts_with(said), "{from} -> {to}: {refused}");
        }
        let none = Entries::from_json(r#"{"answers": [], "epsilon": "e"}"#).and_then(Job::new);
        assert!(none.unwrap_err().to_string().starts_with("answers: "));
    }
}
