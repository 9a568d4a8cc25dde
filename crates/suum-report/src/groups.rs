//! One release per declared group, in one table.

use std::fmt::Write;

use suum_core::{GroupName, GroupReleases, Neighbors, Protected, Release, Spending};

use crate::answer::interval_heading;
use crate::caveats::{self, Said};
use crate::figures::{budget, count, half_width, spent, tier};
use crate::headline::{self, Piece};
use crate::html::figure::{Figure, Writing};
use crate::prose;
use crate::prose::Text;
use crate::table::{Table, selection};
use crate::{guarantee, how};

/// How many lines a table has at most; the JSON form has all.
pub(crate) const LINES: usize = 200;

/// All there is to say of one release per group.
pub(crate) fn write(out: &mut Text, groups: &GroupReleases) -> std::fmt::Result {
    let by = groups.by();
    let Some(one) = groups.iter().next() else { return Ok(()) };
    let whom = one.protects();
    how::write_warning(out, groups.is_private())?;
    writeln!(out, "Private statistics{} by {by}", how::of_column(one.column.as_deref()))?;
    prose::paragraph(out, &headline::text(&headline(groups)));
    write_differences(out, groups);
    let mut rows: Vec<[String; 5]> = Vec::new();
    for (group, release) in groups.groups() {
        let Some(release) = release else {
            let none = "no records".into();
            rows.push([group.to_string(), "0".into(), String::new(), none, String::new()]);
            continue;
        };
        for (at, figure) in Figure::with_margins(release).iter().enumerate() {
            let (group, people) = match at {
                0 => (group.to_string(), records(release)),
                _ => Default::default(),
            };
            let estimate = figure.writing.text(figure.estimate);
            rows.push([group, people, figure.name.clone(), estimate, figure.interval_text()]);
        }
    }
    // A column without numbers, where they are private.
    let people = if is_hidden(groups) { "" } else { whom.many() };
    let mut table = Table::new(1, ["group", people, "statistic", "estimate", "interval"]);
    for at in selection(rows.len(), LINES) {
        table.row(at.and_then(|at| rows.get(at)).cloned().unwrap_or_else(gap));
    }
    out.table(&table);
    if let Some(sentence) = caveats::useless(&useless(groups)) {
        prose::paragraph(out, &sentence);
    }
    prose::paragraph(out, alone(groups));
    said(groups).write(out);

    out.heading("What each tier allowed and what was really spent");
    let mut rows: Vec<[String; 5]> = Vec::new();
    for (group, lines) in certificates(groups) {
        for (at, line) in lines.iter().enumerate() {
            rows.push([
                if at == 0 { group.clone() } else { String::new() },
                tier(&line.level, line.epsilon),
                line.count.map_or_else(String::new, count),
                budget(line.epsilon),
                spent(&line.spent, line.epsilon),
            ]);
        }
    }
    let mut table = Table::new(2, ["group", "tier", people, "allowed ε", "spent ε"]);
    for at in selection(rows.len(), LINES) {
        table.row(at.and_then(|at| rows.get(at)).cloned().unwrap_or_else(gap));
    }
    out.table(&table);
    prose::paragraph(out, once(whom, groups.neighbors()));
    guarantee::write(out, &guarantee(groups))
}

/// How many records a release is of; nothing where that is private.
pub(crate) fn records(release: &Release) -> String {
    let counts = release.privacy.iter().filter_map(|row| row.count);
    counts.reduce(|sum, count| sum + count).map_or_else(String::new, count)
}

/// What each tier spent in each group; and in two of them, where a record that changes group is in
/// both.
pub(crate) fn certificates(groups: &GroupReleases) -> Vec<(String, Vec<Spending>)> {
    let each = groups.groups().iter();
    let each = each
        .filter_map(|(name, release)| Some((name.to_string(), release.as_ref()?.privacy.clone())));
    let two = (groups.neighbors() == Neighbors::Both)
        .then(|| ("(two groups)".to_owned(), groups.certificate()));
    each.chain(two).collect()
}

/// Whether it is private who is in which group.
pub(crate) fn is_hidden(groups: &GroupReleases) -> bool {
    groups.neighbors().hides_participation()
}

/// The words of the guarantee.
pub(crate) fn guarantee(groups: &GroupReleases) -> String {
    if let Some(first) = groups.iter().next()
        && is_hidden(groups)
    {
        let words = guarantee::hidden(first);
        if groups.neighbors() == Neighbors::Both {
            return format!(
                "{words} The group counts as a value: who changes it is in two releases. So spent \
                 ε is here what two groups cost together, and each spends at most half of a \
                 budget. The declared groups are public."
            );
        }
        return format!(
            "{words} Which group somebody is in counts as a value; the declared groups are public."
        );
    }
    let column = groups.iter().find_map(|release| release.person.as_deref());
    let counts_with = match groups.iter().any(Release::counts_totals) {
        true => guarantee::TOTAL_OF_ROWS,
        false => "a summary of their rows",
    };
    guarantee::known(&groups.certificate(), Some("groups"), column, counts_with)
}

/// What an interval of a line is.
pub(crate) fn alone(groups: &GroupReleases) -> &'static str {
    let mut releases = groups.groups().iter().filter_map(|(_, release)| release.as_ref());
    match releases.any(Release::is_simultaneous) {
        true => "All intervals of a group hold at once with the stated confidence.",
        false => "Each interval holds for its line alone.",
    }
}

/// That a budget is spent in one group only, and for whom that is known.
pub(crate) fn once(whom: Protected, neighbors: Neighbors) -> &'static str {
    match whom {
        Protected::Record if neighbors == Neighbors::Both => {
            "Each record is in one group. In another one instead it would change two releases, \
             which is what two groups cost together. A person with rows in several groups spends \
             in each of them."
        }
        Protected::Person if neighbors == Neighbors::Both => {
            "Each person counts in one group, the first declared one of which they have rows, with \
             the rows they have there. With other rows it could be another group, which would \
             change two releases."
        }
        Protected::Person if neighbors.hides_participation() => {
            "Each person counts in one group, the first declared one of which they have rows, with \
             the rows they have there. So they spend their budget once."
        }
        Protected::Person => {
            "All rows of a person are in one group (data with others are refused), so each person \
             spends their budget once."
        }
        Protected::Record => {
            "Each record is in one group, so its budget is spent once. A person with rows in \
             several groups spends in each of them."
        }
    }
}

/// The difference of two groups, if they are compared; else in which group the first of the
/// statistics is largest, as far as intervals tell.
pub(crate) fn headline(groups: &GroupReleases) -> Vec<headline::Piece> {
    if let Some(difference) = difference(groups) {
        return difference;
    }
    let firsts: Vec<(&str, Figure)> = groups
        .groups()
        .iter()
        .filter_map(|(group, release)| {
            Some((group.as_str(), Figure::all_of(release.as_ref()?).into_iter().next()?))
        })
        .collect();
    let named: Vec<(&str, &Figure)> =
        firsts.iter().map(|(group, figure)| (*group, figure)).collect();
    let what = firsts.first().map_or("number", |(_, figure)| figure.name.as_str());
    headline::largest(what, &named).unwrap_or_else(|| {
        let one = if named.len() == 1 { "group" } else { "groups" };
        let some = format!("A release for each of {} {one}, by ", named.len());
        vec![
            Piece::Words(some),
            Piece::Label(groups.by().to_string()),
            Piece::Words(".".to_owned()),
        ]
    })
}

/// The differences of two groups that are compared: a figure for each estimate.
pub(crate) fn differences(groups: &GroupReleases) -> Option<Vec<Figure>> {
    let (difference, release) = (groups.difference()?, groups.iter().next()?);
    let intervals = difference.estimates.iter().filter_map(|one| one.interval);
    let widest = intervals.map(half_width).fold(0.0, f64::max);
    let of = |one| match Figure::of_difference(one, release) {
        // All of them to the same digit.
        figure @ Figure { writing: Writing::Points(_), .. } if widest > 0.0 => {
            Figure { writing: Writing::Points(widest), ..figure }
        }
        figure => figure,
    };
    Some(difference.estimates.iter().map(of).collect())
}

/// The difference of two groups in a sentence, if they are compared; of several the one of which
/// the interval is furthest from 0, if any is.
fn difference(groups: &GroupReleases) -> Option<Vec<Piece>> {
    let difference = groups.difference()?;
    let [one, other] = &difference.between;
    let figures = differences(groups)?;
    let figure = match figures.as_slice() {
        [only] => only.clone(),
        several => return Some(clearest([one, other], several)),
    };
    let interval = match figure.interval {
        Some(_) => {
            let heading = interval_heading(std::slice::from_ref(&figure));
            format!("{heading} {}", figure.interval_text())
        }
        None => "it has no interval".to_owned(),
    };
    Some(vec![
        Piece::Words(format!("Difference of the {}, ", figure.name)),
        Piece::Label(one.to_string()),
        Piece::Words(" less ".to_owned()),
        Piece::Label(other.to_string()),
        Piece::Words(": ".to_owned()),
        Piece::Number(figure.writing.text(figure.estimate), figure.estimate),
        Piece::Words(format!(" ({interval}).")),
    ])
}

/// Of several differences the one whose interval is furthest from 0, in its length, if any is.
fn clearest([one, other]: [&GroupName; 2], figures: &[Figure]) -> Vec<Piece> {
    let words = |words: &str| Piece::Words(words.to_owned());
    let [one, other] = [one, other].map(|group| Piece::Label(group.to_string()));
    if figures.iter().all(|figure| figure.interval.is_none()) {
        return vec![words("What "), one, words(" has more than "), other, words(": no interval.")];
    }
    let distance = |figure: &Figure| {
        let interval = figure.interval?;
        let beyond = interval.lower.max(-interval.upper) / (interval.upper - interval.lower);
        (beyond > 0.0).then_some(beyond)
    };
    let clear = figures.iter().filter_map(|figure| Some((figure, distance(figure)?)));
    match clear.max_by(|(_, one), (_, other)| one.total_cmp(other)) {
        Some((figure, _)) => vec![
            words("As far as intervals tell, "),
            one,
            words(" and "),
            other,
            words(" differ most clearly in "),
            Piece::Label(figure.name.clone()),
            words(": "),
            Piece::Number(figure.writing.text(figure.estimate), figure.estimate),
            words(&format!(" ({}).", figure.interval_text())),
        ],
        None => vec![
            words("No difference is clear between "),
            one,
            words(" and "),
            other,
            words(": every interval contains 0."),
        ],
    }
}

/// Several differences as a table, if that is what was asked for.
pub(crate) fn write_differences(out: &mut Text, groups: &GroupReleases) {
    let Some(figures) = differences(groups).filter(|figures| figures.len() > 1) else { return };
    let between = groups.difference().map(|one| one.between.each_ref());
    let less = between.map_or_else(String::new, |[one, other]| format!("{one} less {other}"));
    let mut table = Table::of(1, &["", &less, &interval_heading(&figures)]);
    for at in selection(figures.len(), LINES) {
        let row = at.and_then(|at| figures.get(at)).map(|figure| {
            let estimate = figure.writing.text(figure.estimate);
            vec![figure.name.clone(), estimate, figure.interval_text()]
        });
        let gap = || ["…", "", ""].map(str::to_owned).into();
        table.row_of(row.unwrap_or_else(gap), None);
    }
    out.table(&table);
}

/// The answers that say next to nothing, by group.
pub(crate) fn useless(groups: &GroupReleases) -> Vec<String> {
    let of_group = |(group, release): &(GroupName, Option<Release>)| {
        let Some(release) = release else { return Vec::new() };
        let figures = Figure::all_of(release);
        let names = headline::useless(release, &figures);
        match figures.len() {
            1 => names.iter().map(|_| group.to_string()).collect(),
            _ => names.iter().map(|name| format!("{name} in {group}")).collect::<Vec<_>>(),
        }
    };
    groups.groups().iter().flat_map(of_group).collect()
}

/// What must be known of the releases: that of the first one, which all were made like.
pub(crate) fn said(groups: &GroupReleases) -> Said {
    // The release that takes most for granted speaks for all.
    match groups.iter().max_by_key(|release| release.assumptions().len()) {
        Some(release) => Said::of(release),
        None => Said::nothing(),
    }
}

fn gap() -> [String; 5] {
    ["…".into(), String::new(), String::new(), String::new(), String::new()]
}
