//! Short form of the answer: in a line or a table.

use suum_core::{GroupReleases, Release, Replacement};

use crate::answer::{Answer, interval_heading};
use crate::data_value;
use crate::figure::Figure;
use crate::figures::count;
use crate::prose::{self, Text, Tone};
use crate::sentinel;
use crate::statistic::adaptive;
use crate::table::Table;

/// Writes one number with its interval.
pub(crate) fn one(out: &mut Text, answer: &Answer<'_>) {
    let Answer { release, figures, name, .. } = answer;
    let Some(figure) = figures.first() else { return };
    let useless = answer.is_useless();
    let said = match useless {
        true => "no useful answer".to_owned(),
        false => figure.writing.text(figure.estimate),
    };
    let said = format!("{name}{} {said}", if useless { ":" } else { "" });
    let interval = match figure.interval {
        Some(_) if useless => String::new(),
        Some(_) => format!("{} {}", interval_heading(figures), figure.interval_text()),
        None => "no interval".to_owned(),
    };
    let [of, done] = records_and_treatment(answer);
    let (said, interval) = ((said, Tone::Answer), (interval, Tone::Plain));
    out.pieces(&[column(answer), said, interval, of, done]);
    if let Some(question) = sentinel::question(release) {
        prose::indented(out, &question);
    }
    if let Some(learned_range) = adaptive::sentence(release) {
        prose::indented(out, &learned_range);
    }
    if useless {
        prose::indented(out, &answer.sentence(figure).text());
    }
}

/// Writes the line above several numbers.
pub(crate) fn above(out: &mut Text, answer: &Answer<'_>, what: &str) {
    let what = format!("{} {what}", answer.figures.len());
    let alone = match answer.release.is_simultaneous() {
        true => "intervals hold all at once",
        false => "each interval holds alone",
    };
    let has_interval = answer.figures.iter().any(|figure| figure.interval.is_some());
    let alone = if has_interval { alone } else { "" };
    let [of, done] = records_and_treatment(answer);
    let alone = (alone.to_owned(), Tone::Plain);
    out.pieces(&[column(answer), (what, Tone::Answer), alone, of, done]);
    if let Some(question) = sentinel::question(answer.release) {
        prose::indented(out, &question);
    }
}

/// Writes a line for each of these figures.
pub(crate) fn lines(out: &mut Text, answer: &Answer<'_>, figures: &[&Figure]) {
    let table = Table::from_rows("", figures)
        .words("", |figure| figure.name.clone())
        .number("estimate", |figure| figure.show())
        .number(interval_heading(&answer.figures), |figure| figure.show_interval());
    out.table(&table.into());
}

fn column(answer: &Answer<'_>) -> (String, Tone) {
    (answer.column().unwrap_or_default().to_owned(), Tone::Plain)
}

/// Number of records of an answer, as far as it is public, and the range of their values.
pub(crate) fn scope(release: &Release) -> Vec<String> {
    let records = match release.neighbors().hides_participation() {
        true if release.is_noiseless() => "everybody is public".to_owned(),
        true => "participation hidden".to_owned(),
        false => format!("{} {}", records(release), release.protects().many()),
    };
    std::iter::once(records).chain(values(release)).collect()
}

/// Number of records of all groups, and the range of their values, like [`scope`].
pub(crate) fn scope_of_groups(groups: &GroupReleases) -> Vec<String> {
    let Some(first) = groups.iter().next() else { return Vec::new() };
    let counts = groups.certificate().into_iter().filter_map(|row| row.count);
    let records = counts.reduce(|sum, count| sum + count).map_or_else(
        || "participation hidden".to_owned(),
        |all| format!("{} {}", count(all), first.protects().many()),
    );
    // A range that was found is that of one group.
    let bounds = first.bounds().and_then(|_| values(first));
    std::iter::once(records).chain(bounds).collect()
}

/// Number and range of the records of an answer, and the treatment of their values.
fn records_and_treatment(answer: &Answer<'_>) -> [(String, Tone); 2] {
    let release = answer.release;
    let missing = release.missing.as_ref().map(|done| match done {
        Replacement::Excluded => "those without a value left out".to_owned(),
        constant => format!("missing values as {}", data_value::replaced(release, constant)),
    });
    let done: Vec<String> = missing.into_iter().chain(answer.done.map(str::to_owned)).collect();
    let dot = if done.is_empty() { "" } else { "· " };
    let done = format!("{dot}{}", done.join(" · "));
    [(scope(release).join(" · "), Tone::Quiet), (done, Tone::Quiet)]
}

/// Range to which values were moved.
fn values(release: &Release) -> Option<String> {
    if let Some(found) = release.range() {
        return Some(format!("range found: {}", data_value::ends_of(found)));
    }
    let of = if release.counts_totals() { "bounds of totals" } else { "bounds" };
    release.bounds().map(|bounds| format!("{of} {}", data_value::between(bounds)))
}

/// Number of records of a release; empty if it is private.
pub(crate) fn records(release: &Release) -> String {
    let counts = release.privacy.iter().filter_map(|row| row.count);
    counts.reduce(|sum, count| sum + count).map_or_else(String::new, count)
}
