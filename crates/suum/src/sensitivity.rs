//! `suum sensitivity`: dependence of the intervals of a release on budgets, from its JSON alone.

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use suum_core::{
    Claim, Error, GroupName, IntervalAt, Result, SensitivityRecord, for_example, option, say,
    unchanged_json,
};
use suum_report::SensitivityAnswer;

use crate::Answer;

/// Intervals of a release if tiers differ, and the largest difference for which a claim holds.
///
/// `text` is the JSON of a release. `difference` is one for which the intervals are requested.
///
/// # Errors
///
/// Refuses text that is not a release, and a release without known sensitivities: under hidden
/// participation, of variances and counts.
///
/// # Example
///
/// ```
/// # let folder = std::env::temp_dir();
/// # let path = folder.join("suum-sensitivity-example.csv");
/// # std::fs::write(&path, "visits,eps\n2,0.5\n3,inf\n3,1\n")?;
/// # let people = path.to_str().unwrap();
/// let answer = suum::query(people).epsilon("eps").mean("visits", 0.0..=77.0).run()?;
/// let sensitivity = suum::release_sensitivity(&answer.json()?, None, Some(0.5))?;
/// assert!(sensitivity.text().contains("tiers differ by at most"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn release_sensitivity(
    text: &str,
    claim: Option<Claim>,
    difference: Option<f64>,
) -> Result<Answer> {
    if difference.is_some_and(|difference| !(difference >= 0.0 && difference.is_finite())) {
        return Err(Error::parameter(
            option::DIFFERENCE,
            "it must be a number that is not negative",
        )
        .with_fix(for_example(option::DIFFERENCE, "0.5")));
    }
    let record: ReleaseOfJson = parse_release(text)?;
    let mut answers = Vec::new();
    record.collect(&[], &mut answers);
    let answers = answers.into_iter().map(Entry::read).collect::<Result<Vec<_>>>()?;
    if answers.is_empty() {
        return Err(Error::parameter("sensitivity", "this release says nothing of it").with_fix(
            say("means, sums, shares and quantiles have one, with")
                .set(option::NEIGHBORS, "replace"),
        ));
    }
    let all = Question { answers, claim, difference };
    Ok(Answer::new(all, Question::text, |all| suum_report::json(&all.record())))
}

/// Reads the JSON of a release.
///
/// # Errors
///
/// Refuses other text, with the position of the fault but none of the text.
pub(crate) fn parse_release<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let problem = format!("this is not the JSON of a release (line {line}, column {column})");
        Error::parameter("release", problem).with_fix(unchanged_json())
    })
}

/// Sensitivities of a release, and the question about them.
struct Question {
    answers: Vec<SensitivityAnswer>,
    claim: Option<Claim>,
    difference: Option<f64>,
}

impl Question {
    fn text(&self) -> String {
        suum_report::sensitivity_text(&self.answers, self.claim, self.difference)
    }

    fn record(&self) -> AnswersRecord<'_> {
        let answers = self.answers.iter().map(|answer| {
            let sensitivity = &answer.sensitivity;
            let broken = |claim: Claim| {
                let breakdown = sensitivity.breakdown(claim)?;
                Some(match breakdown.is_finite() {
                    true => Value::from(breakdown),
                    false => Value::from("inf"),
                })
            };
            let at = |difference| {
                let [lower, upper] = sensitivity.at(difference);
                IntervalAt { difference, lower, upper }
            };
            AnswerRecord {
                of: &answer.of,
                statistic: &answer.statistic,
                column: answer.column.as_deref(),
                name: answer.name.as_deref(),
                difference: answer.is_difference,
                estimate: answer.estimate,
                tv: sensitivity.tv(),
                bias: sensitivity.bias(),
                most: sensitivity.most(),
                breakdown: self.claim.and_then(broken),
                at: self.difference.map(at),
                curve: sensitivity.curve(),
            }
        });
        AnswersRecord {
            claim: self.claim.map(|claim| ClaimRecord { side: claim.side(), limit: claim.limit() }),
            answers: answers.collect(),
        }
    }
}

/// Answer as JSON.
#[derive(Serialize)]
struct AnswersRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<ClaimRecord>,
    answers: Vec<AnswerRecord<'a>>,
}

#[derive(Serialize)]
struct ClaimRecord {
    side: &'static str,
    limit: f64,
}

#[derive(Serialize)]
struct AnswerRecord<'a> {
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    of: &'a [String],
    statistic: &'a str,
    column: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    difference: bool,
    estimate: f64,
    tv: f64,
    bias: f64,
    most: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<IntervalAt>,
    curve: Vec<IntervalAt>,
}

/// JSON of a release, with the fields that its sensitivities need.
#[derive(Deserialize)]
struct ReleaseOfJson {
    statistic: Option<String>,
    /// Statistic of a difference.
    of: Option<Value>,
    column: Option<GroupName>,
    #[serde(flatten)]
    only: OneOfJson,
    mean: Option<Value>,
    frequencies: Option<Vec<OneOfJson>>,
    quantiles: Option<Vec<OneOfJson>>,
    differences: Option<Vec<OneOfJson>>,
    strata: Option<IgnoredAny>,
    bounds: Option<Value>,
    learned_range: Option<LearnedOfJson>,
    privacy: Option<Vec<RowOfJson>>,
    group: Option<GroupName>,
    groups: Option<Vec<Self>>,
    answers: Option<Vec<Self>>,
}

/// Number with its sensitivity.
#[derive(Deserialize, Clone)]
struct OneOfJson {
    category: Option<GroupName>,
    q: Option<f64>,
    estimate: Option<f64>,
    interval: Option<EndsOfJson>,
    sensitivity: Option<SensitivityRecord>,
}

#[derive(Deserialize, Clone)]
struct EndsOfJson {
    lower: Value,
    upper: Value,
}

#[derive(Deserialize)]
struct LearnedOfJson {
    bounds: Value,
}

#[derive(Deserialize)]
struct RowOfJson {
    count: Option<u64>,
    weight: Option<f64>,
}

/// Sensitivity with its subject.
struct Entry {
    answer: Subject,
    record: SensitivityRecord,
    published: Option<(f64, f64)>,
    levels: Option<Vec<(f64, f64)>>,
}

/// Subject of a sensitivity.
struct Subject {
    of: Vec<String>,
    statistic: String,
    column: Option<String>,
    name: Option<String>,
    is_difference: bool,
    in_strata: bool,
    is_clipped: bool,
    estimate: f64,
}

impl Entry {
    fn read(self) -> Result<SensitivityAnswer> {
        let sensitivity = self.record.read().ok_or_else(|| {
            Error::parameter("sensitivity", "it cannot be computed again from this release")
                .with_fix(unchanged_json())
        })?;
        let Subject { of, statistic, column, name, .. } = self.answer;
        Ok(SensitivityAnswer {
            of,
            statistic,
            column,
            name,
            is_difference: self.answer.is_difference,
            in_strata: self.answer.in_strata,
            is_clipped: self.answer.is_clipped,
            estimate: self.answer.estimate,
            sensitivity,
        })
    }
}

impl ReleaseOfJson {
    /// Collects all sensitivities in it, each with the names of its parents.
    fn collect(&self, of: &[String], into: &mut Vec<Entry>) {
        for (at, answer) in self.answers.iter().flatten().enumerate() {
            let of: Vec<String> =
                of.iter().cloned().chain([format!("answer {}", at + 1)]).collect();
            answer.collect(&of, into);
        }
        let is_difference = self.statistic.as_deref() == Some("difference");
        let is_clipped = |release: &Self| {
            let range = release.learned_range.as_ref();
            range.is_some_and(|range| Some(&range.bounds) != release.bounds.as_ref())
        };
        let clipped = match is_difference {
            true => self.groups.iter().flatten().any(is_clipped),
            false => is_clipped(self),
        };
        let in_strata = match is_difference {
            true => self.groups.iter().flatten().any(|group| group.strata.is_some()),
            false => self.strata.is_some(),
        };
        let statistic = match (is_difference, &self.of) {
            (true, Some(Value::String(of))) => of.clone(),
            _ => self.statistic.clone().unwrap_or_default(),
        };
        let mean = self.mean.as_ref().and_then(|mean| OneOfJson::deserialize(mean).ok());
        let one = |one: &OneOfJson, statistic: &str| {
            let record = one.sensitivity.clone()?;
            let name = one.category.as_ref().map(|name| name.as_str().to_owned());
            let name = name.or_else(|| one.q.map(|q| q.to_string()));
            let answer = Subject {
                of: of.to_vec(),
                statistic: statistic.to_owned(),
                column: self.column.as_ref().map(|name| name.as_str().to_owned()),
                name,
                is_difference,
                in_strata,
                is_clipped: clipped,
                estimate: one.estimate.unwrap_or(f64::NAN),
            };
            let published = one.interval.as_ref().and_then(EndsOfJson::numbers);
            let levels = self.levels().filter(|_| !is_difference && !in_strata);
            Some(Entry { answer, record, published, levels })
        };
        into.extend(one(&self.only, &statistic));
        into.extend(mean.as_ref().and_then(|mean| one(mean, "mean")));
        let several = [
            (&self.frequencies, "frequency"),
            (&self.quantiles, "quantile"),
            (&self.differences, statistic.as_str()),
        ];
        for (list, statistic) in several {
            into.extend(list.iter().flatten().filter_map(|each| one(each, statistic)));
        }
        for group in self.groups.iter().flatten() {
            let name = group.group.as_ref().map_or("group", GroupName::as_str).to_owned();
            let of: Vec<String> = of.iter().cloned().chain([name]).collect();
            group.collect(&of, into);
        }
    }

    /// Number of records and weight of one record, for each level, if all are known.
    fn levels(&self) -> Option<Vec<(f64, f64)>> {
        let rows = self.privacy.as_ref()?.iter();
        rows.map(|row| Some((row.count? as f64, row.weight?))).collect()
    }
}

impl EndsOfJson {
    fn numbers(&self) -> Option<(f64, f64)> {
        Some((self.lower.as_f64()?, self.upper.as_f64()?))
    }
}

/// Faults of sensitivities that do not follow from the release, each with the names of its parents.
pub(crate) fn faults(text: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let Ok(record) = serde_json::from_str::<ReleaseOfJson>(text) else { return Vec::new() };
    let mut all = Vec::new();
    record.collect(&[], &mut all);
    let each = all.into_iter().map(|listed| {
        let faults = listed.record.faults(listed.published, listed.levels.as_deref());
        (listed.answer.of, faults)
    });
    each.filter(|(_, faults)| !faults.is_empty()).collect()
}
