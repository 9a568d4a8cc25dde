//! Words on the making of a release that all statistics share.

use suum_core::{
    Command, ExpectedError, PersonValue, Phrase, Plan, Procedure, ProtectedUnit, Release, Target,
    say,
};

use crate::content::Content;
use crate::figures::{percent, significant, trimmed};
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::table::Table;

/// Heading of the parts of the error.
pub(crate) const ERRORS: &str = "Where the error can come from";

/// Basis of an error that follows from public facts and is a worst case.
pub(crate) const WORST: &str = "worst case, before seeing the data";

/// Basis of an error that follows from public facts, and is no worst case.
pub(crate) const BEFORE: &str = "before seeing the data";

/// Name of the total error.
pub(crate) const TOGETHER: &str = "together (root mean squared error)";

/// Meaning of the sampling error.
pub(crate) const SAMPLING: &str = "sampling: the records are a sample";

/// Returns true if the release is exact, so that errors and privacy need no words.
pub(crate) fn is_exact(release: &Release) -> bool {
    release.procedure == Procedure::Exact
}

/// Population that an estimate is about.
pub(crate) fn describe_target(target: Target) -> &'static str {
    match target {
        Target::Population => "the population the records come from",
        Target::Dataset => "these records, if budgets have nothing to do with values",
        Target::DatasetCorrelated => "these records, however budgets relate to values",
    }
}

/// Sentence on the population that the estimate of a plan would be about.
pub(crate) fn would_be_for(whom: &str) -> String {
    format!("The estimate would be for {whom}.")
}

/// Confidence as a percentage.
pub(crate) fn confidence(confidence: f64) -> String {
    format!("{} %", trimmed(&significant(confidence * 100.0, 6)))
}

pub(crate) fn column_suffix(column: Option<&str>) -> String {
    column.map_or_else(String::new, |column| format!(" of {column}"))
}

/// Warning of a release whose noise came from a seed.
pub(crate) const NOT_PRIVATE: &str =
    "NOT PRIVATE: made with a fixed seed, for tests only. Do not publish.";

/// Sentence that takes back the guarantees of such a release.
pub(crate) const NOT_GUARANTEED: &str = "Nothing below that is said to be guaranteed is.";

pub(crate) fn write_warning(out: &mut Text, private: bool) {
    if !private {
        prose::paragraph(out, NOT_PRIVATE);
        prose::paragraph(out, NOT_GUARANTEED);
        out.line();
    }
}

/// Meaning of the noise.
pub(crate) fn noise_of(whom: ProtectedUnit) -> &'static str {
    match whom {
        ProtectedUnit::Record => "noise: what hides each record",
        ProtectedUnit::Person => "noise: what hides each person",
    }
}

/// Words for the shortage that makes an answer useless.
pub(crate) fn so_few(release: &Release) -> String {
    let many = release.protects().many();
    match release.is_noiseless() {
        true => format!("so few {many}"),
        false => format!("so few {many} or so little ε"),
    }
}

/// Sentence on the absence of noise and its reason, without the final period.
pub(crate) fn no_noise(whom: ProtectedUnit) -> String {
    format!("No noise was added: all {} that count are public", whom.many())
}

/// Parts of an error and, last, the total, with their meanings; all are multiplied by `times`.
pub(crate) fn error_rows(
    error: ExpectedError,
    times: f64,
    meanings: [&str; 3],
) -> Vec<(f64, &str)> {
    let parts = [error.noise_sd, error.sampling_sd, error.rmse].map(|part| part * times);
    parts.into_iter().zip(meanings).collect()
}

/// Table of the parts of an error; `unit` is the unit of the figures.
pub(crate) fn errors(unit: &str, basis: &str, rows: &[(f64, &str)], digits: i32) -> Content {
    let total: f64 = rows.last().map_or(0.0, |(total, _)| total * total);
    let parts = rows.len().saturating_sub(1);
    let numbered: Vec<_> = rows.iter().enumerate().collect();
    let mut content = Content::default();
    content.table(
        Table::from_rows(format!("Errors ({unit}): {basis}"), &numbered)
            .words("source", |(_, (_, meaning))| *meaning)
            .number("error", |(_, (figure, _))| {
                Sentence::default().number(significant(*figure, digits), *figure)
            })
            .when(parts > 0, |table| {
                table.bars("part of the squared error", false, |(at, (figure, _))| {
                    let share = figure * figure / total;
                    let share = Some(share).filter(|share| *at < parts && !share.is_nan());
                    (share.map_or_else(String::new, |share| percent(share.min(1.0))), share)
                })
            }),
    );
    content
}

/// Estimators that were left out, each with its reason.
pub(crate) fn left_out(excluded: &[suum_core::Exclusion]) -> Vec<String> {
    let reason = |one: &suum_core::Exclusion| {
        format!("Left out: {}", one.reason.trim_start_matches("estimator: "))
    };
    excluded.iter().map(reason).collect()
}

/// Section on estimators side by side.
pub(crate) fn compared(heading: &str, inside: Content) -> Content {
    let mut content = Content::default();
    content.section("comparison", heading, inside);
    content
}

/// Heading of a comparison.
pub(crate) const COMPARED: &str = "The estimators compared";

/// Words for the part of a person's rows that counts in a quantile, which is one number if a value
/// was asked for.
pub(crate) fn counts_with(rows: u32, value: Option<PersonValue>) -> String {
    match (value, rows) {
        (Some(value), _) => value.words_for_rows().to_owned(),
        (None, 1) => PersonValue::Median.words_for_rows().to_owned(),
        (None, _) => format!("{rows} of their rows, evenly spaced by rank"),
    }
}

/// Words for what a person counts with, where that was asked for, as in "mean of persons' totals";
/// empty elsewhere, and for shares, as which categories are counted anyhow.
pub(crate) fn persons_suffix(asked: Option<PersonValue>) -> String {
    let told = asked.filter(|value| *value != PersonValue::Share);
    told.map_or_else(String::new, |value| format!(" of {}", value.words_for_persons()))
}

/// Returns the same text for a plan.
pub(crate) fn planned_persons_suffix(plan: &Plan) -> String {
    persons_suffix(plan.options().and_then(|options| options.per_person))
}

/// Words for a person who counts in one release.
pub(crate) const COUNTS_ONCE: &str = "counts once";

/// Words for a person who counts in the releases of several groups.
pub(crate) const COUNTS_IN_GROUPS: &str = "counts once in a group";

/// Sentence on the part of a person's rows that counts, if records are persons with values.
pub(crate) fn counting(release: &Release, counts: &str, counts_with: &str) -> Option<String> {
    let has_values = !is_exact(release) && release.statistic() != "count";
    (release.protects() == ProtectedUnit::Person && has_values)
        .then(|| format!("Each person {counts}, with {counts_with}."))
}

/// Note that most of the error is noise, and advice on reducing it.
pub(crate) fn mostly_noise(release: &Release) -> Option<Phrase> {
    let error = release.error?;
    (error.noise_sd > 2.0 * error.sampling_sd).then(|| {
        say("Wide? Mostly noise: more records, narrower bounds or larger ε help (")
            .command(Command::ask("plan"))
            .say(").")
    })
}
