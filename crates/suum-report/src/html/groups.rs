//! The page of one release per declared group.

use suum_core::{Protected, Spending};

use super::answer::{self, cell, column, scrolled};
use super::drawing::{self, Axis};
use super::figure::{Figure, Writing};
use super::page::{Page, What};
use super::release::{Shown, guarantee};
use super::tiers::{self, Spent};
use crate::figures::{budget, count, spent, tier};
use crate::groups::{ALONE, Grouped, LINES, headline, once, said, useless};
use crate::how::{self, Person};
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
/// let request = Request::new(Statistic::Mean, numbers.grid.bounds(), Options::default())?;
/// let plan = Plan::new(&request, table.profile()?, numbers.grid)?;
/// let release = plan.release(table, &mut Randomness::insecure(1))?;
/// let groups = [("north".to_owned(), Some(release)), ("south".to_owned(), None)];
/// let json = suum_report::groups_json("mean", "region", &groups)?;
/// assert!(suum_report::groups_page("region", &groups).html(&json).contains("no records"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn groups_page<R: Grouped + Shown>(by: &str, groups: &[(String, Option<R>)]) -> Page {
    let released = || groups.iter().filter_map(|(_, release)| release.as_ref());
    let certificates = || released().map(Grouped::certificate);
    let column_name = certificates().next().and_then(|one| one.column);
    let person = certificates().next().and_then(|one| one.person);
    let title = format!("Private statistics{} by {by}", how::of_column(column_name));
    let mut page = Page::new(What::Release, title);
    page.private = certificates().all(|one| one.private);
    let whom = Protected::by(person.map(String::as_str));
    let people = whom.many();
    answers(&mut page, by, groups, people);
    page.cost.section("tiers", "What each tier allowed, and what was spent of it", |out| {
        let rows: Vec<(&str, &Spending)> = groups
            .iter()
            .flat_map(|(group, release)| {
                release.iter().map(move |release| (group.as_str(), release))
            })
            .flat_map(|(group, release)| {
                release.certificate().privacy.iter().map(move |row| (group, row))
            })
            .collect();
        scrolled(out, &tiers::caption(whom), |table| {
            table.element("thead", &[], |head| {
                head.element("tr", &[], |row| {
                    column(row, by, false);
                    column(row, "tier", false);
                    column(row, people, true);
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
                            cell(tr, "number", &count(one.count));
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
        out.paragraph(once(whom));
    });
    let all: Vec<Spending> = certificates().flat_map(|one| one.privacy).cloned().collect();
    let spent = Spent::of_release(&largest(&all), whom);
    let person = Person::new(person, "a summary of their rows");
    guarantee(&mut page, &spent, &how::guarantee(&all, Some("groups"), person));
    if let Some(first) = released().next() {
        page.method.words.paragraph(
            "Every group has a release of its own, made from the records in it alone, all in the \
            same way.",
        );
        page.method.part("Within a group", first.page().method);
    }
    page
}

/// Of every tier the line with the largest loss in any group.
fn largest(all: &[Spending]) -> Vec<Spending> {
    let mut most: Vec<Spending> = Vec::new();
    for one in all {
        match most.iter_mut().find(|known| known.level == one.level && known.epsilon == one.epsilon)
        {
            Some(known) if known.spent.rounded_up() >= one.spent.rounded_up() => {
                known.count += one.count
            }
            Some(known) => *known = Spending { count: known.count + one.count, ..one.clone() },
            None => most.push(one.clone()),
        }
    }
    most
}

/// The answers: for each statistic the groups below one another, on one axis.
fn answers<R: Grouped + Shown>(
    page: &mut Page,
    by: &str,
    groups: &[(String, Option<R>)],
    people: &str,
) {
    let figures: Vec<Option<Vec<Figure>>> = groups
        .iter()
        .map(|(_, release)| release.as_ref().map(|release| release.figures().0))
        .collect();
    let count_of =
        |release: &R| release.certificate().privacy.iter().map(|one| one.count).sum::<u64>();
    let Some(first) = figures.iter().flatten().next() else {
        return page.answer.paragraph("No group has records.");
    };
    answer::headline(&mut page.answer, &headline(by, groups), true);
    for (at, one) in first.iter().enumerate() {
        let of_groups: Vec<Option<&Figure>> = figures
            .iter()
            .map(|figures| figures.as_ref().and_then(|figures| figures.get(at)))
            .collect();
        let axis =
            Axis::around(of_groups.iter().flatten().filter_map(|figure| figure.interval), 0.04);
        let confidence = one
            .interval
            .map(|interval| format!("{} interval", how::confidence(interval.confidence)));
        scrolled(&mut page.answer, &format!("By group: {}", one.name), |table| {
            table.element("thead", &[], |head| {
                head.element("tr", &[], |row| {
                    column(row, by, false);
                    column(row, people, true);
                    column(row, &one.name, true);
                    column(row, confidence.as_deref().unwrap_or("interval"), true);
                    if let Some(axis) = axis {
                        let writing = if let Writing::ToError(_) = one.writing {
                            Writing::Value
                        } else {
                            one.writing
                        };
                        row.element("td", &[("class", "drawing")], |cell| {
                            drawing::heading(cell, axis, writing)
                        });
                    }
                });
            });
            table.element("tbody", &[], |body| {
                for at in selection(groups.len(), LINES) {
                    let found = at.and_then(|at| Some((groups.get(at)?, of_groups.get(at)?)));
                    body.element("tr", &[], |row| match found {
                        Some(((group, Some(release)), Some(figure))) => {
                            row.element("th", &[("scope", "row")], |name| name.label(group));
                            cell(row, "number", &count(count_of(release)));
                            row.element("td", &[("class", "number")], |cell| {
                                figure.writing.show(cell, figure.estimate)
                            });
                            row.element("td", &[("class", "number")], |cell| {
                                figure.show_interval(cell)
                            });
                            if let Some(axis) = axis {
                                row.element("td", &[("class", "drawing")], |cell| {
                                    drawing::in_row(cell, figure, axis)
                                });
                            }
                        }
                        Some(((group, _), _)) => {
                            row.element("th", &[("scope", "row")], |name| name.label(group));
                            cell(row, "number", "0");
                            row.element("td", &[("colspan", "3")], |gap| gap.text("no records"));
                        }
                        None => row.element("td", &[("colspan", "5")], |gap| {
                            gap.text("… (the JSON has all)")
                        }),
                    });
                }
            });
        });
    }
    answer::after_table(&mut page.answer, &useless(groups), ALONE, &said(groups));
}
