//! One release per declared group.

use suum_core::{
    GroupName, GroupReleases, Interval, MemberKind, Memberships, Neighbors, ProtectedUnit,
    Quantity, Release, SmallGroups, Spending,
};

use crate::answer::{self, Answer, interval_heading};
use crate::assumed;
use crate::certificate::{self, SpendingTable};
use crate::content::{Block, Content};
use crate::document::{Document, What};
use crate::figure::{Figure, Writing};
use crate::figures::{budget, capitalised, count, half_width, spent, tier};
use crate::guarantee;
use crate::headline;
use crate::how;
use crate::html::drawing::{self, Chart, Shape};
use crate::release;
use crate::sensitivity;
use crate::sentence::Sentence;
use crate::short::{self, records};
use crate::statistic::{answered, caveats_of, release_words};
use crate::table::Table;
use crate::view::Sort;

/// Largest number of lines of a table; the JSON form has all.
pub(crate) const LINES: usize = 200;

/// Complete content of one release per group: the answers, the spending in each group, and the
/// guarantee.
pub(crate) fn document(groups: &GroupReleases, sort: Option<Sort>) -> Document {
    let (by, first) = (groups.by().as_str(), groups.iter().next());
    let column = first.and_then(|one| one.column.as_deref());
    let of_persons = how::persons_suffix(first.and_then(Release::per_person));
    let title = format!("Private statistics{of_persons}{} by {by}", how::column_suffix(column));
    let mut all = Document::new(What::Release, title, short::scope_of_groups(groups));
    all.private = groups.is_private();
    let whom = first.map_or(ProtectedUnit::Record, Release::protects);
    all.answer = answers(groups, whom.many(), sort);
    all.answer.say_all(small_groups_words(groups.small_groups(), whom.many(), groups.neighbors()));
    let answered = answered_each(groups);
    if let Some(speaker) = speaker(&answered) {
        all.lines = assumed::lines_on_page(speaker, &answered);
        all.caveats = caveats_of(speaker.release);
    }
    all.cost.append(sensitivity::section_of_groups(groups));
    let mut inside = Content::default();
    inside.table(spending(groups, whom));
    if let Memberships::Public(kinds) = groups.memberships() {
        inside.table(members(kinds, whom));
    }
    inside.say(once(groups));
    all.cost.section("tiers", "What each tier allowed, and what was spent of it", inside);
    let spent = SpendingTable::for_release(&groups.certificate(), groups.neighbors(), whom);
    all.guarantees(&spent, Some(guarantee(groups)));
    if let Some(first) = first {
        all.method.say(
            "Every group has a release of its own, made from the records in it alone, all in the \
             same way.",
        );
        all.method.part("Within a group", release::method(first));
    }
    all
}

/// Returns the sentence on groups that were left out because they have few records, if small ones
/// were to be; `many` says of what. If `neighbors` hides participation, noise is in their number.
///
/// # Example
///
/// ```
/// use suum_core::{Neighbors, SmallGroups};
///
/// let small = SmallGroups { below: 10, groups: vec!["east".into()] };
/// let words = suum_report::small_groups_words(Some(&small), "people", Neighbors::ReplaceOne);
/// assert!(words.is_some_and(|words| words.contains("fewer than 10 people: east.")));
/// ```
pub fn small_groups_words(
    small: Option<&SmallGroups>,
    many: &str,
    neighbors: Neighbors,
) -> Option<String> {
    const NAMED: usize = 12;
    let SmallGroups { below, groups } = small?;
    let below = count(*below);
    let is_noisy = neighbors.hides_participation();
    if groups.is_empty() {
        let counted = if is_noisy { ", counted with noise" } else { "" };
        return Some(format!(
            "No group has fewer than {below} {many}{counted}, so none is left out."
        ));
    }
    let named = groups.iter().take(NAMED).map(|group| group.as_str());
    let named = named.collect::<Vec<_>>().join("; ");
    let more = match groups.len().checked_sub(NAMED) {
        Some(more @ 1..) => format!(" and {more} more"),
        _ => String::new(),
    };
    Some(match is_noisy {
        true => format!(
            "Left out, with fewer than {below} {many} counted with noise, which alone was spent: \
             {named}{more}."
        ),
        false => format!(
            "Left out, and nothing spent, of groups with fewer than {below} {many}: {named}{more}."
        ),
    })
}

/// Name of a group, and its release with its figures, if it has records.
pub(crate) type OfGroup<'a> = (&'a str, Option<(&'a Release, Vec<Figure>)>);

/// Groups in the order in which they are shown: as declared, or that with the largest first
/// estimate first and those without one last.
pub(crate) fn each_group(groups: &GroupReleases, sort: Option<Sort>) -> Vec<OfGroup<'_>> {
    let each = groups.groups().iter().map(|(name, release)| {
        let figures = |release| (release, Figure::with_margins(release));
        (name.as_str(), release.as_ref().map(figures))
    });
    let mut each: Vec<OfGroup<'_>> = each.collect();
    let first = |(_, answer): &OfGroup<'_>| {
        let first = answer.as_ref().and_then(|(_, figures)| figures.first());
        first.map_or(f64::NEG_INFINITY, |figure| figure.estimate)
    };
    if sort == Some(Sort::Share) {
        each.sort_by(|one, other| first(other).total_cmp(&first(one)));
    }
    each
}

/// Answers: for each statistic the groups below one another, on one axis.
fn answers(releases: &GroupReleases, people: &str, sort: Option<Sort>) -> Content {
    let (by, add_remove) = (releases.by().as_str(), is_add_remove(releases));
    let of_groups = each_group(releases, sort);
    let mut content = Content::default();
    let Some((first_release, first)) = of_groups.iter().find_map(|(_, one)| one.as_ref()) else {
        return content;
    };
    content.add(Block::Answer(headline(releases), true));
    if let Some(figures) = differences(releases) {
        content.draw(drawn_difference(releases, &figures));
    }
    content.0.extend(differences_table(releases).map(Block::Table));
    for (at, one) in first.iter().enumerate() {
        let figure = |of: &OfGroup<'_>| of.1.as_ref().and_then(|(_, all)| all.get(at).cloned());
        let figures: Vec<(&str, Option<Figure>)> =
            of_groups.iter().map(|of| (of.0, figure(of))).collect();
        let drawn: Vec<(&str, &Figure)> =
            figures.iter().filter_map(|(name, one)| Some((*name, one.as_ref()?))).collect();
        let title = format!("{} by {by}", capitalised(&one.name));
        let column = first_release.column.as_deref();
        content.draw(drawing::rows(&Chart {
            title: &title,
            axis: drawing::axis_title(&one.name, column, one),
            shape: answer::shape(one),
            is_difference: false,
            rows: &drawn,
        }));
        content.table(
            Table::at_most(LINES, title, &of_groups)
                .words(by, |(name, _)| Sentence::from_label(*name))
                .when(!add_remove, |table| {
                    table.number(people, |(_, of)| {
                        of.as_ref().map_or_else(|| "0".to_owned(), |(release, _)| records(release))
                    })
                })
                .number(one.name.as_str(), |of| {
                    figure(of).map_or_else(|| "no records".into(), |figure| figure.show())
                })
                .number(interval_heading([one]), |of| {
                    figure(of).map(|figure| figure.show_interval()).unwrap_or_default()
                }),
        );
    }
    content.append(answer::after_table(first_release, &useless(releases), alone(releases)));
    content
}

/// Answer of each group that has records.
pub(crate) fn answered_each(groups: &GroupReleases) -> Vec<Answer<'_>> {
    let answers = groups.iter().map(|release| {
        let answer = answered(release);
        // Each group has its own number of records.
        let total = answer.expected_total.as_ref();
        let expected_total = total.map(|_| "as many new records of each group".to_owned());
        Answer { expected_total, counts: counts(groups), ..answer }
    });
    answers.collect()
}

/// Answer that takes most for granted, which speaks for all.
pub(crate) fn speaker<'a, 'b>(answers: &'b [Answer<'a>]) -> Option<&'b Answer<'a>> {
    answers.iter().max_by_key(|answer| answer.release.assumptions().len())
}

/// Table of the spending of each tier in each group.
fn spending(groups: &GroupReleases, whom: ProtectedUnit) -> Table {
    let certificates = certificates(groups);
    let rows: Vec<(&str, usize, &Spending)> = certificates
        .iter()
        .flat_map(|(group, rows)| {
            rows.iter().enumerate().map(move |(at, row)| (group.as_str(), at, row))
        })
        .collect();
    Table::at_most(LINES, certificate::caption(whom), &rows)
        .words(groups.by().as_str(), |(group, at, _)| match at {
            0 => Sentence::from_label(*group),
            _ => Sentence::default(),
        })
        .words("tier", |(_, _, one)| Sentence::from_label(tier(&one.level, one.epsilon)))
        .when(!is_add_remove(groups), |table| {
            table.number(whom.many(), |(_, _, one)| one.count.map_or_else(String::new, count))
        })
        .number("allowed ε", |(_, _, one)| budget(one.epsilon))
        .number("spent ε", |(_, _, one)| spent(&one.spent, one.epsilon))
        .into()
}

/// Table of persons by the number of their groups, with the part of their budget that each of these
/// releases may spend.
fn members(kinds: &[MemberKind], whom: ProtectedUnit) -> Table {
    let title = format!("{} by the number of their groups", capitalised(whom.many()));
    Table::at_most(LINES, title, kinds)
        .words("tier", |kind| Sentence::from_label(tier(&kind.level, kind.epsilon)))
        .number("groups", |kind| count(kind.groups.get().into()))
        .number(whom.many(), |kind| count(kind.persons))
        .number("allowed ε", |kind| budget(kind.epsilon))
        .number("in each group", |kind| budget(kind.part))
        .into()
}

/// Spending of each tier in each group, and in several of them, if one record can change several.
/// With public memberships that in all groups is enough: another table has the part of each.
fn certificates(groups: &GroupReleases) -> Vec<(String, Vec<Spending>)> {
    let each = groups.groups().iter();
    let each = each
        .filter_map(|(name, release)| Some((name.to_string(), release.as_ref()?.privacy.clone())));
    let is_of_both = groups.neighbors() == Neighbors::Both;
    let together = match groups.memberships() {
        Memberships::One if is_of_both => Some("(two groups)"),
        Memberships::Public(_) => Some("all together"),
        memberships if is_of_both || memberships.are_several() => Some("(together)"),
        _ => None,
    };
    let together = together.map(|name| (name.to_owned(), groups.certificate()));
    match groups.memberships() {
        Memberships::Public(_) => together.into_iter().collect(),
        Memberships::One | Memberships::AtMost(_) => each.chain(together).collect(),
    }
}

/// Returns true if membership in groups is private.
pub(crate) fn is_add_remove(groups: &GroupReleases) -> bool {
    groups.neighbors().hides_participation()
}

/// Words of the guarantee.
pub(crate) fn guarantee(groups: &GroupReleases) -> String {
    if let Some(first) = groups.iter().next()
        && is_add_remove(groups)
    {
        let words = guarantee::add_remove(first, counts(groups));
        if groups.neighbors() == Neighbors::Both && groups.memberships().are_several() {
            return format!(
                "{words} The groups of a person count as values: who changes them is in the \
                 releases of the old and of the new ones. So spent ε is here what all of these \
                 cost together, and each spends a part of a budget. The declared groups are public."
            );
        }
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
    let first = groups.iter().next();
    let counts_with = first.map_or_else(String::new, |one| release_words(one).counts_with(one));
    let counted = (counts(groups), counts_with.as_str());
    guarantee::describe_known(&groups.certificate(), Some("groups"), column, counted)
}

/// Words for how often a person counts.
fn counts(groups: &GroupReleases) -> &'static str {
    match groups.memberships().are_several() {
        true => how::COUNTS_IN_GROUPS,
        false => how::COUNTS_ONCE,
    }
}

/// Meaning of the interval of a line.
fn alone(groups: &GroupReleases) -> &'static str {
    let mut releases = groups.groups().iter().filter_map(|(_, release)| release.as_ref());
    match releases.any(Release::is_simultaneous) {
        true => "All intervals of a group hold at once with the stated confidence.",
        false => "Each interval holds for its line alone.",
    }
}

/// Note on the groups in which one record spends its budget.
pub(crate) fn once(groups: &GroupReleases) -> String {
    let neighbors = groups.neighbors();
    let whom = groups.iter().next().map_or(ProtectedUnit::Record, Release::protects);
    let several = memberships_words(groups.memberships(), neighbors, groups.groups().len());
    several.unwrap_or_else(|| once_in_one(whom, neighbors).to_owned())
}

/// Returns the sentences on persons who can count in several of this many groups; `None` if each
/// record is in one.
///
/// # Example
///
/// ```
/// use std::num::NonZero;
/// use suum_core::{Memberships, Neighbors};
///
/// let three = Memberships::AtMost(NonZero::new(3).unwrap());
/// let words = suum_report::memberships_words(&three, Neighbors::AddRemove, 12);
/// assert!(words.is_some_and(|words| words.contains("at most 3 groups")));
/// ```
pub fn memberships_words(
    memberships: &Memberships,
    neighbors: Neighbors,
    groups: usize,
) -> Option<String> {
    match memberships {
        Memberships::One => None,
        Memberships::AtMost(most) => {
            let are_all = most.get() as usize >= groups;
            let in_groups = match most.get() {
                _ if are_all => "all of their groups".to_owned(),
                1 => "one group".to_owned(),
                most => format!("at most {most} groups"),
            };
            let changed = match neighbors {
                Neighbors::Both => {
                    " With other rows these could be other groups, which would change the releases \
                     of all of them."
                }
                Neighbors::ReplaceOne | Neighbors::AddRemove => "",
            };
            let leaning = match are_all {
                true => "",
                false => {
                    " Answers lean towards persons in few groups, since others do not count in \
                     all of theirs."
                }
            };
            Some(format!(
                "Each person counts in {in_groups}, with the rows they have there and an equal \
                 part of their budget in each. Which groups these are is hidden.{changed}{leaning}"
            ))
        }
        Memberships::Public(_) => Some(
            "Each person counts in all of their groups, with the rows they have there and a part \
             of their budget in each, and spends at most all of it. Who has rows in which group is \
             public, not protected."
                .to_owned(),
        ),
    }
}

/// Note on the only group in which a record spends its budget, under this relation.
fn once_in_one(whom: ProtectedUnit, neighbors: Neighbors) -> &'static str {
    match whom {
        ProtectedUnit::Record if neighbors == Neighbors::Both => {
            "Each record is in one group. In another one instead it would change two releases, \
             which is what two groups cost together. A person with rows in several groups spends \
             in each of them."
        }
        ProtectedUnit::Person if neighbors == Neighbors::Both => {
            "Each person counts in one group, the first declared one of which they have rows, with \
             the rows they have there. With other rows it could be another group, which would \
             change two releases."
        }
        ProtectedUnit::Person if neighbors.hides_participation() => {
            "Each person counts in one group, the first declared one of which they have rows, with \
             the rows they have there. So they spend their budget once."
        }
        ProtectedUnit::Person => {
            "All rows of a person are in one group (data with others are refused), so each person \
             spends their budget once."
        }
        ProtectedUnit::Record => {
            "Each record is in one group, so its budget is spent once. A person with rows in \
             several groups spends in each of them."
        }
    }
}

/// Difference of two groups, if they are compared; otherwise the group with the largest first
/// statistic, as far as intervals tell.
pub(crate) fn headline(groups: &GroupReleases) -> Sentence {
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
    let is_share = |release: &Release| {
        let first = release.estimates.first();
        first.is_some_and(|one| matches!(one.of, Quantity::Share(_)))
    };
    let what = match firsts.first() {
        // It is named by its category, which may be a number or a bin.
        Some((_, figure)) if groups.iter().next().is_some_and(is_share) => {
            Sentence::from("share of ").label(figure.name.as_str())
        }
        Some((_, figure)) => figure.name.as_str().into(),
        None => "number".into(),
    };
    headline::largest(what, &named).unwrap_or_else(|| {
        let one = if named.len() == 1 { "group" } else { "groups" };
        let some = format!("A release for each of {} {one}, by ", named.len());
        Sentence::from(some).label(groups.by().to_string()).say(".")
    })
}

/// Differences of two groups that are compared: a figure for each estimate.
fn differences(groups: &GroupReleases) -> Option<Vec<Figure>> {
    let (difference, release) = (groups.difference()?, groups.iter().next()?);
    let intervals = difference.estimates.iter().filter_map(|one| one.interval);
    let widest = intervals.map(half_width).fold(0.0, f64::max);
    let of = |one| match Figure::from_difference(one, release) {
        // All of them to the same digit.
        figure @ Figure { writing: Writing::Points(_), .. } if widest > 0.0 => {
            Figure { writing: Writing::Points(widest), ..figure }
        }
        figure => figure,
    };
    Some(difference.estimates.iter().map(of).collect())
}

/// Draws the differences of two groups on an axis that marks zero.
fn drawn_difference(groups: &GroupReleases, figures: &[Figure]) -> maud::Markup {
    let Some(difference) = groups.difference() else { return maud::Markup::default() };
    let [one, other] = &difference.between;
    let less = format!("{one} less {other}");
    let named = |figure: &Figure| match figures.len() {
        1 => less.clone(),
        _ => figure.name.clone(),
    };
    let names: Vec<String> = figures.iter().map(named).collect();
    let rows: Vec<(&str, &Figure)> = names.iter().map(String::as_str).zip(figures).collect();
    let Some(first) = figures.first() else { return maud::Markup::default() };
    let axis = format!("Difference, {less}{}", drawing::unit(first.writing));
    let (title, shape) = (format!("Differences, {less}"), Shape::Dots);
    drawing::rows(&Chart { title: &title, axis, shape, is_difference: true, rows: &rows })
}

/// Sentence on the difference of two groups, if they are compared; among several the one whose
/// interval is furthest from 0, if any excludes it.
fn difference(groups: &GroupReleases) -> Option<Sentence> {
    let [one, other] = &groups.difference()?.between;
    let figures = differences(groups)?;
    let [figure] = figures.as_slice() else {
        return Some(clearest([one, other], &figures));
    };
    let column = groups.iter().next().and_then(|release| release.column.as_deref());
    let of = capitalised(&format!("{}{}", figure.name, how::column_suffix(column)));
    let both = |between: &str| {
        Sentence::default().label(one.to_string()).say(between).label(other.to_string())
    };
    let Some(interval) = figure.interval else {
        let said = Sentence::from(format!("{of}: ")).and(both(" less "));
        return Some(said.say(" is about ").and(figure.show()).say("; there is no interval."));
    };
    if interval.lower <= 0.0 && interval.upper >= 0.0 {
        let said = Sentence::from(format!("{of}: no clear difference between "));
        let said = said.and(both(" and ")).say("; ").and(both(" less ")).say(" is ");
        let said = said.and(figure.show());
        return Some(said.say(format!(
            " ({} {}).",
            interval_heading([figure]),
            figure.interval_text()
        )));
    }
    let [more, less] = match figure.writing {
        Writing::Span(..) => [" later than ", " earlier than "],
        _ => [" more than ", " less than "],
    };
    // Of a negative difference the distance, with the ends of its interval turned round.
    let is_more = figure.estimate >= 0.0;
    let shown = match is_more {
        true => figure.clone(),
        false => {
            let Interval { confidence, lower, upper } = interval;
            let interval = Some(Interval { confidence, lower: -upper, upper: -lower });
            Figure { estimate: -figure.estimate, interval, ..figure.clone() }
        }
    };
    let said = Sentence::from(format!("{of}: ")).label(one.to_string()).say(" ");
    let said = said.number(shown.text(), figure.estimate);
    let said = said.say(if is_more { more } else { less }).label(other.to_string());
    Some(said.say(format!(" ({} {}).", interval_heading([&shown]), shown.interval_text())))
}

/// Sentence on the difference whose interval is furthest from 0, relative to its length, if any
/// excludes it.
fn clearest([one, other]: [&GroupName; 2], figures: &[Figure]) -> Sentence {
    let both = |before: &str, between: &str| {
        let said = Sentence::from(before).label(one.to_string());
        said.say(between).label(other.to_string())
    };
    if figures.iter().all(|figure| figure.interval.is_none()) {
        return both("Differences of ", " and ").say(" have no interval.");
    }
    let distance = |figure: &Figure| {
        let interval = figure.interval?;
        let beyond = interval.lower.max(-interval.upper) / (interval.upper - interval.lower);
        (beyond > 0.0).then_some(beyond)
    };
    let clear = figures.iter().filter_map(|figure| Some((figure, distance(figure)?)));
    match clear.max_by(|(_, one), (_, other)| one.total_cmp(other)) {
        Some((figure, _)) => both("", " and ")
            .say(" differ most clearly in ")
            .label(figure.name.as_str())
            .say(", as far as intervals tell: ")
            .and(figure.show())
            .say(format!(" ({}).", figure.interval_text())),
        None => {
            both("No difference is clear between ", " and ").say(": every interval contains 0.")
        }
    }
}

/// Table of several differences, if groups are compared.
pub(crate) fn differences_table(groups: &GroupReleases) -> Option<Table> {
    let figures = differences(groups).filter(|figures| figures.len() > 1)?;
    let [one, other] = &groups.difference()?.between;
    let less = format!("{one} less {other}");
    let table = Table::at_most(LINES, format!("Differences, {less}"), &figures)
        .words("of", |figure| Sentence::from_label(figure.name.as_str()))
        .number(Sentence::from_label(less), Figure::show)
        .number(interval_heading(&figures), Figure::show_interval)
        .into();
    Some(table)
}

/// Uninformative answers, by group.
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
