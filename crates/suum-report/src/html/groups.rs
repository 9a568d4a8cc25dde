//! The page of one release per declared group.

use std::slice;

use maud::html;
use suum_core::{GroupReleases, Protected, Release, Spending};

use super::answer;
use super::drawing;
use super::figure::Figure;
use super::markup::label;
use super::page::{Page, What};
use super::release::{guaranteed, method};
use super::table::Table;
use super::tiers::{self, Spent};
use crate::answer::interval_heading;
use crate::brief;
use crate::figures::{budget, count, spent, tier};
use crate::groups::{
    LINES, alone, certificates, differences, guarantee as words, headline, is_hidden, once,
    records, said, useless,
};
use crate::how;

/// The page of one release per group: the answers on one axis, what was spent in each, and what is
/// guaranteed.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let numbers = Numbers {
///     grid: Grid::new(Bounds::new(0.0, 10.0)?),
///     squares: true,
///     cells: Some(Cells::new(10)?),
/// };
/// let points = i128::from(numbers.grid.points());
/// let people = Cohort {
///     label: None,
///     epsilon: Epsilon::new(0.5)?,
///     count: 1000,
///     // All of them at 5, the middle.
///     sums: [500 * points, 0].map(ExactSum::from_raw).to_vec(),
///     cells: CellCounts::from_raw(vec![(5, 1000)]),
/// };
/// let table = LevelTable::new(Some("score".into()), Measure::Numbers(numbers), vec![people])?;
/// let request = WeightedRequest::new(Statistic::Mean, numbers.grid.bounds(), Options::default())?;
/// let plan = WeightedPlan::new(&request, table.profile()?, numbers.grid)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// let groups = vec![("north".to_owned(), Some(release)), ("south".to_owned(), None)];
/// let releases = GroupReleases::new("region", groups)?;
/// let json = suum_report::json(&releases)?;
/// assert!(suum_report::groups_page(&releases).html(&json).contains("no records"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn groups_page(groups: &GroupReleases) -> Page {
    let (by, first) = (groups.by().as_str(), groups.iter().next());
    let column_name = first.and_then(|one| one.column.as_deref());
    let title = format!("Private statistics{} by {by}", how::of_column(column_name));
    let mut page = Page::new(What::Release, title);
    page.private = groups.is_private();
    page.scope.extend(brief::scope_of_groups(groups));
    let whom = first.map_or(Protected::Record, Release::protects);
    let (people, hidden) = (whom.many(), is_hidden(groups));
    answers(&mut page, groups, people);
    let certificates = certificates(groups);
    let rows: Vec<(&str, &Spending)> = certificates
        .iter()
        .flat_map(|(group, rows)| rows.iter().map(move |row| (group.as_str(), row)))
        .collect();
    let table = Table::at_most(LINES, tiers::caption(whom), &rows)
        .words(by, |(group, _)| label(group))
        .words("tier", |(_, one)| label(&tier(&one.level, one.epsilon)))
        .when(!hidden, |table| {
            table.number(people, |(_, one)| one.count.map_or_else(String::new, count))
        })
        .number("allowed ε", |(_, one)| budget(one.epsilon))
        .number("spent ε", |(_, one)| spent(&one.spent, one.epsilon));
    let inside = html! { (table) p { (once(whom, groups.neighbors())) } };
    let heading = "What each tier allowed, and what was spent of it";
    page.cost.section("tiers", heading, inside);
    let spent = Spent::of_release(&groups.certificate(), groups.neighbors(), true, whom);
    guaranteed(&mut page, &spent, &words(groups));
    if let Some(first) = first {
        page.method.words.paragraph(
            "Every group has a release of its own, made from the records in it alone, all in the \
            same way.",
        );
        page.method.part("Within a group", method(first));
    }
    page
}

/// The answers: for each statistic the groups below one another, on one axis.
fn answers(page: &mut Page, releases: &GroupReleases, people: &str) {
    let by = releases.by().as_str();
    let (groups, hidden) = (releases.groups(), is_hidden(releases));
    let figures: Vec<Option<Vec<Figure>>> =
        groups.iter().map(|(_, release)| release.as_ref().map(Figure::with_margins)).collect();
    let Some(first) = figures.iter().flatten().next() else { return };
    page.answer.add(answer::headline(&headline(releases), true));
    if let Some(differences) = differences(releases).filter(|figures| figures.len() > 1) {
        let between = releases.difference().map(|one| one.between.each_ref());
        let caption = between
            .map_or_else(String::new, |[one, other]| format!("Differences, {one} less {other}"));
        page.answer.add(answer::several(&caption, "of", &differences));
    }
    for (at, one) in first.iter().enumerate() {
        let of_groups: Vec<Row<'_>> = groups
            .iter()
            .zip(&figures)
            .map(|((name, release), figures)| Row {
                name: name.as_str(),
                release: release.as_ref(),
                figure: figures.as_ref().and_then(|figures| figures.get(at)),
            })
            .collect();
        let drawn: Vec<(&str, &Figure)> =
            of_groups.iter().filter_map(|row| Some((row.name, row.figure?))).collect();
        let title = format!("By group: {}", one.name);
        let table = Table::at_most(LINES, &title, &of_groups)
            .words(by, |row| label(row.name))
            .when(!hidden, |table| {
                table.number(people, |row| row.release.map_or_else(|| "0".to_owned(), records))
            })
            .number(&one.name, |row| match row.figure {
                Some(figure) => figure.show(),
                None => html! { "no records" },
            })
            .number(interval_heading(slice::from_ref(one)), |row| {
                row.figure.map(Figure::show_interval).unwrap_or_default()
            });
        let drawing = drawing::several(&format!("groups-{at}"), &title, &drawn);
        page.answer.add(html! { (drawing) (table) });
    }
    let said = said(releases);
    page.answer.add(answer::after_table(&useless(releases), alone(releases), &said));
}

/// What is shown of a group.
struct Row<'a> {
    name: &'a str,
    release: Option<&'a Release>,
    figure: Option<&'a Figure>,
}
