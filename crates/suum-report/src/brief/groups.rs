//! Short text of one release for each group.

use suum_core::{GroupReleases, Phrase, Release};

use super::{Beside, tiers, write_details, write_notes, write_protected, write_sentences};
use crate::answer::interval_heading;
use crate::assumed;
use crate::figure::Figure;
use crate::groups::{
    self, LINES, OfGroup, differences_table, each_group, headline, is_add_remove, once,
    small_groups_words, useless,
};
use crate::prose::{self, Text, Tone};
use crate::sensitivity;
use crate::sentence::Sentence;
use crate::short::{records, scope_of_groups};
use crate::statistic::{name_of, release_words};
use crate::table::Table;
use crate::view::Sort;
use crate::{caveats, how};

/// Writes one table of answers, and one of the largest loss of each tier.
pub(crate) fn write(out: &mut Text, groups: &GroupReleases, beside: &Beside) {
    let Some(one) = groups.iter().next() else { return };
    let whom = one.protects();
    how::write_warning(out, groups.is_private());
    write_answer(out, groups, beside.sort);
    write_sentences(out, &sentences(groups, true));
    write_notes(out, &beside.below);
    out.line();
    tiers::write(out, &groups.certificate(), whom, "spent ε", &beside.tiers);
    write_protected(out, one);
    prose::paragraph(out, &once(groups));
    write_notes(out, &beside.last);
    write_details(out);
}

/// Sentences on the assumptions of all groups; without that on intervals unless it is `whole`.
pub(super) fn sentences(groups: &GroupReleases, whole: bool) -> Vec<Phrase> {
    let answers = groups::answered_each(groups);
    let Some(speaker) = groups::speaker(&answers) else { return Vec::new() };
    let interval = assumed::together(&answers).filter(|_| whole);
    assumed::sentences_with(speaker, interval, sensitivity::line_of_groups(groups))
}

/// Writes the answers alone, in one table.
pub(super) fn write_answer(out: &mut Text, groups: &GroupReleases, sort: Option<Sort>) {
    let Some(one) = groups.iter().next() else { return };
    let whom = one.protects();
    let answers = each_group(groups, sort);
    let several = answers.iter().flat_map(|(_, one)| one).any(|(_, figures)| figures.len() > 1);
    let what = match several {
        true => name_of(one),
        false => one.statistic().to_owned() + &how::persons_suffix(one.per_person()),
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
        out.pieces(&[(sentence.clone(), Tone::Answer)]);
        if let Some(table) = differences_table(groups) {
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
    let small = small_groups_words(groups.small_groups(), whom.many(), groups.neighbors());
    if let Some(sentence) = small {
        prose::indented(out, &sentence);
    }
    if let Some(sentence) = caveats::useless(&useless(groups), one) {
        prose::indented(out, &sentence);
    }
    if how::is_exact(one) {
        release_words(one).notes(one).iter().for_each(|note| prose::indented(out, note));
    }
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
    // Shares of several categories, or quantiles, would be many lines on one axis.
    let lines: Vec<Option<&Figure>> = rows.iter().map(|(_, _, figure)| *figure).collect();
    match several || rows.len() > LINES {
        true => out.table(&table.into()),
        false => out.intervals(&table.into(), &lines),
    }
}
