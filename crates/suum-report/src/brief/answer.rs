//! The answer, in a line or a table.

use suum_core::{GroupReleases, Procedure, Release, Replacement};

use crate::answer::{Answer, Form, interval_heading};
use crate::crosstab::Crossed;
use crate::figures::{bar, count};
use crate::groups::records;
use crate::html::figure::Figure;
use crate::prose::{self, Text, Tone};
use crate::table::Table;
use crate::view::Sort;
use crate::{adaptive, caveats, crosstab, frequencies, headline, moment, range, release, variance};

/// How long the longest bar is, and the shortest that is worth drawing.
const BAR: [usize; 2] = [6, 40];

/// How many quantiles there are lines for.
const QUANTILES: usize = 15;

/// The exact number of records.
pub(super) fn exact(out: &mut Text, release: &Release) {
    let whom = release.protects();
    let answer = format!("{} {}", count(release.estimate() as u64), whom.many());
    out.pieces(&[(answer, Tone::Answer), ("exact".to_owned(), Tone::Plain)]);
    prose::indented(out, &release::exact(whom));
}

/// The answer, and below it what belongs to it.
pub(super) fn write(out: &mut Text, answer: &Answer<'_>, sort: Option<Sort>) {
    match answer.form() {
        Form::Number => number(out, answer),
        Form::Moments => {
            number(out, answer);
            let others = answer.figures.iter().skip(1).zip(variance::NAMES);
            let others = others.map(|(figure, name)| {
                let estimate = figure.writing.text(figure.estimate);
                format!("{name}: {estimate} ({})", figure.interval_text())
            });
            prose::indented(out, &format!("{}.", others.collect::<Vec<_>>().join(". ")));
        }
        Form::Shares(_) => match Crossed::of(answer.release) {
            Some(crossed) => {
                several(out, answer, "cells, and margins");
                crosstab::write(out, &crossed);
            }
            None => shares(out, answer, sort),
        },
        Form::Quantiles => {
            several(out, answer, "quantiles");
            let shown = some(&answer.figures);
            lines(out, answer, &shown);
            let others = answer.figures.len() - shown.len();
            if others > 0 {
                let others = format!("{others} more: --explain lists them, --report draws all.");
                prose::indented(out, &others);
            }
        }
        Form::Statistics => {
            several(out, answer, "statistics");
            lines(out, answer, &answer.figures.iter().collect::<Vec<_>>());
        }
    }
    if answer.form() != Form::Number
        && let Some(useless) = caveats::useless(&answer.useless())
    {
        prose::indented(out, &useless);
    }
}

/// The shares of the categories of one column.
fn shares(out: &mut Text, answer: &Answer<'_>, sort: Option<Sort>) {
    let mut figures: Vec<&Figure> = answer.figures.iter().collect();
    if sort != Some(Sort::Declared) {
        figures.sort_by(|one, other| other.estimate.total_cmp(&one.estimate));
    }
    several(out, answer, "shares of categories");
    bars(out, &figures, &interval_heading(&answer.figures));
    if let Some(sentence) = frequencies::largest(&answer.figures) {
        prose::indented(out, &headline::text(&sentence));
    }
}

/// One number with its interval.
fn number(out: &mut Text, answer: &Answer<'_>) {
    let Answer { release, figures, .. } = answer;
    let Some(figure) = figures.first() else { return };
    let useless = release.uninformative().contains(&figure.key);
    let estimate = figure.writing.text(figure.estimate);
    let said = if useless {
        (format!("{}: no useful answer", answer.name), Tone::Answer)
    } else {
        (format!("{} {estimate}", answer.name), Tone::Answer)
    };
    let interval = match figure.interval {
        Some(_) if useless => String::new(),
        Some(_) => format!("{} {}", interval_heading(figures), figure.interval_text()),
        None => "no interval".to_owned(),
    };
    let [of, done] = of_what(release);
    out.pieces(&[column(answer), said, (interval, Tone::Plain), of, done]);
    if let Some(learned) = adaptive::sentence(release) {
        prose::indented(out, &learned);
    }
    if useless {
        let sentence =
            headline::single(&answer.name, answer.column(), figure, true, release.protects());
        prose::indented(out, &headline::text(&sentence));
    }
}

/// The line above several numbers.
fn several(out: &mut Text, answer: &Answer<'_>, what: &str) {
    let what = format!("{} {what}", answer.figures.len());
    let alone = match answer.release.is_simultaneous() {
        true => "intervals hold all at once",
        false => "each interval holds alone",
    };
    let has_interval = answer.figures.iter().any(|figure| figure.interval.is_some());
    let alone = if has_interval { alone } else { "" };
    let [of, done] = of_what(answer.release);
    let alone = (alone.to_owned(), Tone::Plain);
    out.pieces(&[column(answer), (what, Tone::Answer), alone, of, done]);
}

fn column(answer: &Answer<'_>) -> (String, Tone) {
    (answer.column().unwrap_or_default().to_owned(), Tone::Plain)
}

/// How many records an answer is of, as far as that is public, and of which values.
pub(super) fn scope(release: &Release) -> Vec<String> {
    let records = match release.neighbors().hides_participation() {
        true => "participation hidden".to_owned(),
        false => format!("{} {}", records(release), release.protects().many()),
    };
    std::iter::once(records).chain(values(release)).collect()
}

/// As [`scope`], of all groups.
pub(super) fn scope_of_groups(groups: &GroupReleases) -> Vec<String> {
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

/// What an answer is of, and what was done to its values.
fn of_what(release: &Release) -> [(String, Tone); 2] {
    let missing = release.missing.as_ref().map(|done| match done {
        Replacement::Excluded => "those without a value left out".to_owned(),
        constant => format!("missing values as {}", moment::replaced(release, constant)),
    });
    let shrunk = match &release.procedure {
        Procedure::Weighted(plan) => plan.shrinkage().map(|_| "shrunk".to_owned()),
        _ => None,
    };
    let joined = |parts: [Option<String>; 2]| {
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(" · ")
    };
    let done = joined([missing, shrunk]);
    let done = if done.is_empty() { done } else { format!("· {done}") };
    [(scope(release).join(" · "), Tone::Quiet), (done, Tone::Quiet)]
}

/// Where values were moved to.
fn values(release: &Release) -> Option<String> {
    if let Some(found) = release.range() {
        return Some(format!("range found: {}", range::ends(found)));
    }
    let of = if release.counts_totals() { "bounds of totals" } else { "bounds" };
    release.bounds().map(|bounds| format!("{of} {}", moment::between(bounds)))
}

/// Shares with bars.
fn bars(out: &mut Text, figures: &[&Figure], interval: &str) {
    let mut table = Table::new(1, ["category", "share", interval, ""]);
    let row = |figure: &Figure| {
        [figure.name.clone(), figure.writing.text(figure.estimate), figure.interval_text()]
    };
    figures.iter().for_each(|figure| table.row(with_end(row(figure))));
    let most = figures.iter().map(|figure| figure.estimate).fold(0.0, f64::max);
    let left = out.width().saturating_sub(table.width() + 2).min(BAR[1]);
    let mut table = Table::new(1, ["category", "share", interval, ""]);
    for figure in figures {
        let bar = match left >= BAR[0] && most > 0.0 {
            true => bar(figure.estimate / most, left),
            false => String::new(),
        };
        table.row_with_tail(row(figure), bar);
    }
    out.table(&table);
}

fn with_end([a, b, c]: [String; 3]) -> [String; 4] {
    [a, b, c, String::new()]
}

/// Of many quantiles those nearest to the deciles and to the ends, of few ones all.
fn some(figures: &[Figure]) -> Vec<&Figure> {
    if figures.len() <= QUANTILES {
        return figures.iter().collect();
    }
    let rank = |figure: &Figure| figure.key.parse::<f64>().unwrap_or(f64::NAN);
    let tenths = (1..10).map(|tenth| f64::from(tenth) / 10.0);
    let near = [0.01, 0.05].into_iter().chain(tenths).chain([0.95, 0.99]).filter_map(|q| {
        let distance = |at: &usize| figures.get(*at).map_or(f64::NAN, |one| (rank(one) - q).abs());
        (0..figures.len()).min_by(|one, other| distance(one).total_cmp(&distance(other)))
    });
    let mut places: Vec<usize> = near.collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().filter_map(|at| figures.get(at)).collect()
}

/// A line for each of these figures.
fn lines(out: &mut Text, answer: &Answer<'_>, figures: &[&Figure]) {
    let interval = interval_heading(&answer.figures);
    let mut table = Table::new(1, ["", "estimate", &interval]);
    for figure in figures {
        let estimate = figure.writing.text(figure.estimate);
        table.row([figure.name.clone(), estimate, figure.interval_text()]);
    }
    out.table(&table);
}

/// Whether a release is one of quantiles.
pub(super) fn has_ranks(release: &Release) -> bool {
    matches!(release.procedure, Procedure::Quantiles(_))
}
