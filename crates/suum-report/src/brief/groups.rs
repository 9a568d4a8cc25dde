//! Short text of one release for each group.

use suum_core::{GroupReleases, Release};

use super::{Beside, assumed, tiers, write_details, write_notes};
use crate::answer::interval_heading;
use crate::figure::Figure;
use crate::groups::{
    LINES, differences_table, headline, is_add_remove, once, small_groups_words, useless,
};
use crate::prose::{self, Text, Tone};
use crate::sensitivity;
use crate::sentence::Sentence;
use crate::short::{records, scope_of_groups};
use crate::statistic::{answered, made, name_of};
use crate::table::Table;
use crate::{caveats, how};

/// Name of a group, and its release with its figures, if it has records.
type OfGroup<'a> = (&'a str, Option<(&'a Release, Vec<Figure>)>);

/// Writes one table of answers, and one of the largest loss of each tier.
pub(crate) fn write(out: &mut Text, groups: &GroupReleases, beside: &Beside) {
    let Some(one) = groups.iter().next() else { return };
    let whom = one.protects();
    how::write_warning(out, groups.is_private());
    for sentence in write_answer(out, groups) {
        prose::indented(out, &sentence);
    }
    write_notes(out, &beside.below);
    out.line();
    tiers::write(out, &groups.certificate(), whom, "spent ε", &beside.tiers);
    prose::paragraph(out, once(whom, groups.neighbors()));
    write_notes(out, &beside.last);
    write_details(out);
}

/// Writes the answers alone, in one table, and returns the remaining sentences on their
/// assumptions.
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
        true => name_of(one),
        false => one.statistic().to_owned() + &how::of_persons(one.per_person()),
    };
    let column = one.column.as_deref().unwrap_or_default();
    let figures = || answers.iter().flat_map(|(_, one)| one).flat_map(|(_, figures)| figures);
    let alone = match groups.iter().any(Release::is_simultaneous) {
        _ if how::is_exact(one) => "exact",
        _ if !figures().any(|figure| figure.interval.is_some()) => "no interval",
        true => "intervals of a group hold all at once",
        false => "each interval holds alone",
    };
    // Two groups are compared by their difference, which is the answer.
    let difference = groups.difference().map(|_| headline(groups).text());
    let tone = if difference.is_some() { Tone::Plain } else { Tone::Answer };
    if let Some(sentence) = &difference {
        match groups.difference().is_some_and(|all| all.estimates.len() > 1) {
            // It can be longer than a line.
            true => prose::paragraph(out, sentence),
            false => out.pieces(&[(sentence.clone(), Tone::Answer)]),
        }
        if let Some((_, table)) = differences_table(groups) {
            out.table(&table);
        }
    }
    out.pieces(&[
        (column.to_owned(), Tone::Plain),
        (format!("{what} by {}", groups.by()), tone),
        (alone.to_owned(), Tone::Plain),
        (scope_of_groups(groups).join(" · "), Tone::Quiet),
    ]);
    write_table(out, &answers, is_add_remove(groups), whom.many(), several);
    if difference.is_none() {
        prose::indented(out, &headline(groups).text());
    }
    if let Some(sentence) = small_groups_words(groups.small_groups(), whom.many()) {
        prose::indented(out, &sentence);
    }
    if let Some(sentence) = caveats::useless(&useless(groups), one) {
        prose::indented(out, &sentence);
    }
    if how::is_exact(one) {
        made(one).notes(one).iter().for_each(|note| prose::indented(out, note));
    }
    // The release that takes most for granted speaks for all.
    let most = groups.iter().max_by_key(|release| release.assumptions().len());
    let line = || sensitivity::line_of_groups(groups);
    let assumed = most.map(|release| assumed::sentences_with(&answered(release), line()));
    assumed.iter().flatten().map(|sentence| out.spoken(sentence)).collect()
}

/// Writes all answers, one below the other.
fn write_table(
    out: &mut Text,
    answers: &[OfGroup<'_>],
    add_remove: bool,
    people: &str,
    several: bool,
) {
    let figures = answers.iter().flat_map(|(_, answer)| answer).flat_map(|(_, figures)| figures);
    let interval = interval_heading(figures);
    // Group, number of its records, and figure of each row.
    let mut rows: Vec<(&str, String, Option<&Figure>)> = Vec::new();
    for (group, answer) in answers {
        let Some((release, figures)) = answer else {
            rows.push((group, "0".to_owned(), None));
            continue;
        };
        rows.extend(figures.iter().enumerate().map(|(at, figure)| match at {
            0 => (*group, records(release), Some(figure)),
            _ => ("", String::new(), Some(figure)),
        }));
    }
    let table = Table::at_most(LINES, "", &rows)
        .words("group", |(group, _, _)| *group)
        .when(!add_remove, |table| table.number(people, |(_, people, _)| people.clone()))
        .when(several, |table| {
            table.number("", |(_, _, figure)| {
                figure.map_or_else(String::new, |figure| figure.name.clone())
            })
        })
        .number("estimate", |(_, _, figure)| {
            figure.map_or_else(|| "no records".into(), Figure::show)
        })
        .number(interval, |(_, _, figure)| {
            figure.map_or_else(Sentence::default, Figure::show_interval)
        });
    out.table(&table.into());
}
