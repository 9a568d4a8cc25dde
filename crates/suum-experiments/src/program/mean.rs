//! `suum-experiments mean`.

use std::fmt::Write;

use serde_json::{Value, json};
use suum::{Error, Neighbors, Randomness, Result, Risk};
use suum_experiments::published::{Answer, LevelSpending, PublishedEstimator, Question};

use super::arguments::{Format, MeanArguments};
use super::people;

/// Note on the use of these estimators.
const FOR_STUDY: &str = "For study only; to publish a mean, use suum mean.";

pub(super) fn run(arguments: &MeanArguments) -> Result<String> {
    let estimator: PublishedEstimator = arguments.estimator.parse()?;
    let question = Question {
        bounds: arguments.bounds.as_deref().map(str::parse).transpose()?,
        threshold: arguments.sample_threshold.as_deref().map(str::parse).transpose()?,
        budgets: arguments.epsilon_range.as_deref().map(str::parse).transpose()?,
    };
    // Before the data are read: what makes no sense should not have to wait for them.
    estimator.check(&question)?;
    let mut randomness = match arguments.insecure_seed {
        Some(seed) => Randomness::insecure(seed),
        None => suum::entropy()?,
    };
    let people = people::read(&arguments.data, &arguments.value, &arguments.epsilon)?;
    let answer = estimator.mean(&people, &question, &mut randomness)?;
    match arguments.format {
        Format::Text => Ok(text(estimator, &arguments.value, &answer)),
        Format::Json => record(estimator, &arguments.value, &answer),
    }
}

fn text(estimator: PublishedEstimator, column: &str, answer: &Answer) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, estimator, column, answer);
    out
}

fn write(
    out: &mut String,
    estimator: PublishedEstimator,
    column: &str,
    answer: &Answer,
) -> std::fmt::Result {
    if !answer.private {
        writeln!(out, "NOT PRIVATE: made with a fixed seed, for tests only. Do not publish.\n")?;
    }
    writeln!(out, "Mean of {column}: {}", figure(answer.estimate))?;
    let bounds = answer.bounds;
    match answer.interval {
        Some(interval) => writeln!(
            out,
            "{} % interval for the mean of the population: {} to {}",
            interval.confidence * 100.0,
            figure(interval.lower),
            figure(interval.upper),
        )?,
        None => writeln!(
            out,
            "No interval: values were moved into the range that was found, {} to {}",
            figure(bounds.lower()),
            figure(bounds.upper()),
        )?,
    }
    writeln!(out, "Estimator: {estimator}; {}", estimator.describe())?;
    if let Some(risk) = answer.risk {
        writeln!(
            out,
            "Exact risk (root mean squared error, worst case): {}; noise {}, sampling {}",
            figure(risk.rmse()),
            figure(risk.noise_sd()),
            figure(risk.sampling_sd()),
        )?;
    }
    writeln!(out, "\n  allowed ε     records      spent ε")?;
    for LevelSpending { epsilon, count, spent } in &answer.privacy {
        let count = count.map_or_else(|| "private".to_owned(), |count| count.to_string());
        let (allowed, spent) = (epsilon.name(), figure(spent.rounded_up()));
        writeln!(out, "{allowed:>11} {count:>11} {spent:>12}")?;
    }
    let guarantee = match estimator.neighbors() {
        Neighbors::ReplaceOne => {
            "Had one record another value, the probability of any release would differ by\n\
            at most a factor of exp(spent ε). How many records allow how much is public."
        }
        Neighbors::AddRemove | Neighbors::Both => {
            "Whether one record is in the data or not, the probability of any release\n\
            differs by at most a factor of exp(spent ε); had it another value, by at most\n\
            exp(2 · spent ε)."
        }
    };
    writeln!(out, "\n{guarantee}\nEach row is a record of its own; those of one person add up.")?;
    writeln!(out, "\n{FOR_STUDY}")
}

/// Number with at most six digits.
fn figure(number: f64) -> String {
    if !number.is_finite() || number == 0.0 {
        return if number.is_infinite() { "inf".to_owned() } else { number.to_string() };
    }
    let exponent = number.abs().log10().floor() as i32;
    if (-5..12).contains(&exponent) {
        let decimals = (5 - exponent).max(0) as usize;
        let text = format!("{number:.decimals$}");
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        }
    } else {
        format!("{number:.5e}")
    }
}

/// Answer as JSON, with the field names of suum's answers.
fn record(estimator: PublishedEstimator, column: &str, answer: &Answer) -> Result<String> {
    let row = |row: &LevelSpending| {
        json!({
            "level": row.epsilon.name(),
            "epsilon": number(row.epsilon.get()),
            "count": row.count,
            "spent": number(row.spent.rounded_up()),
        })
    };
    let risk = |risk: Risk| {
        json!({
            "noise_sd": number(risk.noise_sd()),
            "sampling_sd": number(risk.sampling_sd()),
            "rmse": number(risk.rmse()),
        })
    };
    let whole = json!({
        "statistic": "mean",
        "column": column,
        "estimate": answer.estimate,
        "interval": answer.interval,
        "bounds": answer.bounds,
        "estimator": { "name": estimator.name() },
        "error": answer.risk.map(risk),
        "neighbors": estimator.neighbors(),
        "privacy": answer.privacy.iter().map(row).collect::<Vec<Value>>(),
        "for_study": true,
        "private": answer.private,
    });
    let text = serde_json::to_string_pretty(&whole).map_err(|_| {
        Error::internal("the answer cannot be written as JSON; nothing was printed")
    })?;
    Ok(text + "\n")
}

/// A JSON number, or `"inf"`.
fn number(value: f64) -> Value {
    if value.is_infinite() { json!("inf") } else { json!(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_six_digits() {
        for (number, text) in [
            (0.0, "0"),
            (f64::INFINITY, "inf"),
            (-2.5, "-2.5"),
            (1.0 / 3.0, "0.333333"),
            (123_456_789.0, "123456789"),
            (1e-9, "1.00000e-9"),
            (100.0, "100"),
            (0.05, "0.05"),
        ] {
            assert_eq!(figure(number), text);
        }
    }
}
