//! The page of one release per declared group.

use std::slice;

use suum_core::{GroupReleases, Protected, Release, Spending};

use super::answer::{self, cell, column, scrolled};
use super::drawing;
use super::figure::Figure;
use super::page::{Page, What};
use super::release::{guaranteed, method};
use super::tiers::{self, Spent};
use crate::answer::interval_heading;
use crate::brief;
use crate::figures::{budget, count, spent, tier};
use crate::groups::{
    LINES, alone, certificates, differences, guarantee as words, headline, is_hidden, once,
    records, said, useless,
};
use crate::how;
use crate::table::selection;

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
    page.cost.section("tiers", "What each tier allowed, and what was spent of it", |out| {
        let certificates = certificates(groups);
        let rows: Vec<(&str, &Spending)> = certificates
            .iter()
            .flat_map(|(group, rows)| rows.iter().map(move |row| (group.as_str(), row)))
            .collect();
        scrolled(out, &tiers::caption(whom), |table| {
            table.element("thead", &[], |head| {
                head.element("tr", &[], |row| {
                    column(row, by, false);
                    column(row, "tier", false);
                    if !hidden {
                        column(row, people, true);
                    }
                    column(row, "allowed ε", true);
                    column(row, "spent ε", true);
                });
            });
            table.element("tbody", &[], |body| {
                for at in selection(rows.len(), LINES) {
                    body.element("tr", &[], |tr| match at.and_then(|at| rows.get(at)) {
                        Some((group, one)) => {
                            tr.element("th", &[("scope", "row")], |name| name.label(group));
                            tr.element("td", &[], |name| {
                                name.label(&tier(&one.level, one.epsilon))
                            });
                            if !hidden {
                                cell(tr, "number", &one.count.map_or_else(String::new, count));
                            }
                            cell(tr, "number", &budget(one.epsilon));
                            cell(tr, "number", &spent(&one.spent, one.epsilon));
                        }
                        None => tr.element("td", &[("colspan", "5")], |gap| {
                            gap.text("… (the JSON has all)")
                        }),
                    });
                }
            });
        });
        out.paragraph(once(whom, groups.neighbors()));
    });
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
    answer::headline(&mut page.answer, &headline(releases), true);
    if let Some(differences) = differences(releases).filter(|figures| figures.len() > 1) {
        let between = releases.difference().map(|one| one.between.each_ref());
        let caption = between
            .map_or_else(String::new, |[one, other]| format!("Differences, {one} less {other}"));
        answer::table(&mut page.answer, &caption, "of", &differences);
    }
    for (at, one) in first.iter().enumerate() {
        let of_groups: Vec<Option<&Figure>> = figures
            .iter()
            .map(|figures| figures.as_ref().and_then(|figures| figures.get(at)))
            .collect();
        let drawn = groups.iter().zip(&of_groups);
        let drawn: Vec<(&str, &Figure)> =
            drawn.filter_map(|((name, _), figure)| Some((name.as_str(), (*figure)?))).collect();
        let title = format!("By group: {}", one.name);
        drawing::several(&mut page.answer, &format!("groups-{at}"), &title, &drawn);
        let interval = interval_heading(slice::from_ref(one));
        scrolled(&mut page.answer, &title, |table| {
            table.element("thead", &[], |head| {
                head.element("tr", &[], |row| {
                    column(row, by, false);
                    if !hidden {
                        column(row, people, true);
                    }
                    column(row, &one.name, true);
                    column(row, &interval, true);
                });
            });
            table.element("tbody", &[], |body| {
                for at in selection(groups.len(), LINES) {
                    let found = at.and_then(|at| Some((groups.get(at)?, of_groups.get(at)?)));
                    body.element("tr", &[], |row| match found {
                        Some(((group, Some(release)), Some(figure))) => {
                            row.element("th", &[("scope", "row")], |name| {
                                name.label(group.as_str())
                            });
                            if !hidden {
                                cell(row, "number", &records(release));
                            }
                            row.element("td", &[("class", "number")], |cell| {
                                figure.writing.show(cell, figure.estimate)
                            });
                            row.element("td", &[("class", "number")], |cell| {
                                figure.show_interval(cell)
                            });
                        }
                        Some(((group, _), _)) => {
                            row.element("th", &[("scope", "row")], |name| {
                                name.label(group.as_str())
                            });
                            cell(row, "number", "0");
                            row.element("td", &[("colspan", "2")], |gap| gap.text("no records"));
                        }
                        None => row.element("td", &[("colspan", "5")], |gap| {
                            gap.text("… (the JSON has all)")
                        }),
                    });
                }
            });
        });
    }
    answer::after_table(&mut page.answer, &useless(releases), alone(releases), &said(releases));
}
