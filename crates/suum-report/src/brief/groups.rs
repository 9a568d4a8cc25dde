//! The short text of one release for each group.

use std::fmt::Write;

use suum_core::{GroupReleases, Procedure, Release};

use super::answer::scope_of_groups;
use super::{Beside, assumed, tiers, write_details, write_notes};
use crate::answer::{Answer, interval_heading};
use crate::groups::{LINES, headline, is_hidden, once, records, useless, write_differences};
use crate::html::figure::Figure;
use crate::prose::{self, Text, Tone};
use crate::table::{Table, selection};
use crate::{caveats, headline, how, release};

/// The name of a group, and its release with its figures, if it has records.
type OfGroup<'a> = (&'a str, Option<(&'a Release, Vec<Figure>)>);

/// One table of answers, and one of the most that each tier spent.
pub(crate) fn write(out: &mut Text, groups: &GroupReleases, beside: &Beside) -> std::fmt::Result {
    let Some(one) = groups.iter().next() else { return Ok(()) };
    let whom = one.protects();
    how::write_warning(out, groups.is_private())?;
    for sentence in write_answer(out, groups) {
        prose::indented(out, &sentence);
    }
    write_notes(out, &beside.below);
    writeln!(out)?;
    tiers::write(out, &groups.certificate(), whom, "spent ε", &beside.tiers);
    prose::paragraph(out, once(whom, groups.neighbors()));
    write_notes(out, &beside.last);
    write_details(out);
    Ok(())
}

/// The answers alone, in one table, and what they take for granted, which is left to be said.
pub(super) fn write_answer(out: &mut Text, groups: &GroupReleases) -> Vec<String> {
    let Some(one) = groups.iter().next() else { return Vec::new() };
    let whom = one.protects();
    let answers: Vec<OfGroup<'_>> = groups
        .groups()
        .iter()
        .map(|(group, release)| {
            let release = release.as_ref();
            (group.as_str(), release.map(|release| (release, Figure::with_margins(release))))
        })
        .collect();
    let several = answers.iter().flat_map(|(_, one)| one).any(|(_, figures)| figures.len() > 1);
    let what = match several {
        true => Answer::of(one).name,
        false => one.statistic().to_owned(),
    };
    let column = one.column.as_deref().unwrap_or_default();
    let figures = || answers.iter().flat_map(|(_, one)| one).flat_map(|(_, figures)| figures);
    let alone = match groups.iter().any(Release::is_simultaneous) {
        _ if one.procedure == Procedure::Exact => "exact",
        _ if !figures().any(|figure| figure.interval.is_some()) => "no interval",
        true => "intervals of a group hold all at once",
        false => "each interval holds alone",
    };
    // Two groups are compared by their difference, which is the answer.
    let difference = groups.difference().map(|_| headline::text(&headline(groups)));
    let tone = if difference.is_some() { Tone::Plain } else { Tone::Answer };
    if let Some(sentence) = &difference {
        match groups.difference().is_some_and(|all| all.estimates.len() > 1) {
            // It can be longer than a line.
            true => prose::paragraph(out, sentence),
            false => out.pieces(&[(sentence.clone(), Tone::Answer)]),
        }
        write_differences(out, groups);
    }
    out.pieces(&[
        (column.to_owned(), Tone::Plain),
        (format!("{what} by {}", groups.by()), tone),
        (alone.to_owned(), Tone::Plain),
        (scope_of_groups(groups).join(" · "), Tone::Quiet),
    ]);
    write_table(out, &answers, is_hidden(groups), whom.many(), several);
    if difference.is_none() {
        prose::indented(out, &headline::text(&headline(groups)));
    }
    if let Some(sentence) = caveats::useless(&useless(groups)) {
        prose::indented(out, &sentence);
    }
    if one.procedure == Procedure::Exact {
        prose::indented(out, &release::exact(whom));
    }
    // The release that takes most for granted speaks for all.
    let most = groups.iter().max_by_key(|release| release.assumptions().len());
    most.map_or_else(Vec::new, |release| assumed::sentences(&Answer::of(release)))
}

/// All answers, one below the other.
fn write_table(out: &mut Text, answers: &[OfGroup<'_>], hidden: bool, people: &str, several: bool) {
    let figures = answers.iter().flat_map(|(_, answer)| answer).flat_map(|(_, figures)| figures);
    let interval = interval_heading(&figures.cloned().collect::<Vec<_>>());
    let mut headings = vec!["group"];
    headings.extend((!hidden).then_some(people));
    headings.extend(several.then_some(""));
    headings.extend(["estimate", &interval]);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let row = |group: &str, people: String, name: &str, estimate: String, interval: String| {
        let mut row = vec![group.to_owned()];
        row.extend((!hidden).then_some(people));
        row.extend(several.then(|| name.to_owned()));
        row.extend([estimate, interval]);
        row
    };
    for (group, answer) in answers {
        let Some((release, figures)) = answer else {
            let none = "no records".to_owned();
            rows.push(row(group, "0".to_owned(), "", none, String::new()));
            continue;
        };
        for (at, figure) in figures.iter().enumerate() {
            let (group, people) = match at {
                0 => (*group, records(release)),
                _ => ("", String::new()),
            };
            let estimate = figure.writing.text(figure.estimate);
            rows.push(row(group, people, &figure.name, estimate, figure.interval_text()));
        }
    }
    let mut table = Table::of(1, &headings);
    let gap = || std::iter::once("…".to_owned()).chain(vec![String::new(); headings.len() - 1]);
    for at in selection(rows.len(), LINES) {
        let row = at.and_then(|at| rows.get(at)).cloned();
        table.row_of(row.unwrap_or_else(|| gap().collect()), None);
    }
    out.table(&table);
}
