//! The datasets of a ledger: what is left, as it was left over time, and what was released.

use super::accounts;
use super::answer::{cell, column, scrolled};
use super::drawing;
use super::markup::Markup;
use super::page::{Page, What};
use crate::accounts::epsilon;
use crate::figures::percent;
use crate::{LedgerDataset, LedgerRelease, LeftOverTime};

/// How tall the drawing of a tier is, and how many points its line has at most.
const ROW: i32 = 44;
const POINTS: usize = 200;

/// The page of a ledger.
///
/// # Example
///
/// ```
/// use suum_report::{Account, LedgerDataset, LeftOverTime, ledger_page};
///
/// let strict = Account {
///     level: "strict".into(),
///     allowed: 0.1,
///     amounts: vec![("spent", 0.075)],
///     left: 0.025,
/// };
/// let over_time = LeftOverTime {
///     heading: "Left to each tier, in March".into(),
///     tiers: vec![("strict".into(), vec![0.5, 0.25])],
/// };
/// let visits = LedgerDataset {
///     name: "visits".into(),
///     accounts: vec![strict],
///     over_time: Some(over_time),
///     ..LedgerDataset::default()
/// };
/// assert!(ledger_page(&[visits]).html("[]").contains("Left to each tier, in March"));
/// ```
pub fn ledger_page(datasets: &[LedgerDataset]) -> Page {
    let names: Vec<&str> = datasets.iter().map(|dataset| dataset.name.as_str()).collect();
    let mut page = Page::new(What::Ledger, format!("What is left: {}", names.join(", ")));
    for (at, dataset) in datasets.iter().enumerate() {
        let shown = Markup::of(|out| show(out, dataset));
        // The same sections for each, so that their names need an order.
        page.answer.push(&shown.with_ids(&format!("dataset-{at}-")));
    }
    page
}

fn show(out: &mut Markup, dataset: &LedgerDataset) {
    let heading = format!("Dataset {}", dataset.name);
    accounts::section(out, &heading, &dataset.accounts, &dataset.notes);
    if let Some(over_time) = &dataset.over_time {
        out.section("over-time", &over_time.heading, |out| left(out, over_time));
    }
    out.section(
        "releases",
        "Releases, and what each counts against everybody",
        |out| match dataset.releases.is_empty() {
            true => out.paragraph("No release was charged yet."),
            false => releases(out, &dataset.releases),
        },
    );
}

/// For each tier a line from what it allows at the top to nothing at the bottom.
fn left(out: &mut Markup, over_time: &LeftOverTime) {
    let description = "For each tier a line from left to right, in steps: at the top of its band \
        all is left of what it allows, at the bottom nothing. The share at the end is that of \
        now.";
    let height = ROW * over_time.tiers.len() as i32;
    drawing::named(out, "left", height, &over_time.heading, description, |svg| {
        for (at, (tier, shares)) in over_time.tiers.iter().enumerate() {
            let top = ROW * at as i32;
            let y = (top + 14).to_string();
            svg.element("text", &[("x", "0"), ("y", &y), ("class", "name")], |text| {
                text.text(tier);
            });
            let last = shares.last().copied().unwrap_or(1.0);
            let number = [("x", "100%"), ("y", &y), ("text-anchor", "end"), ("class", "strong")];
            svg.element("text", &number, |text| text.text(&percent(last)));
            steps(svg, shares, f64::from(top + 20), f64::from(ROW - 24));
        }
    });
}

/// A line in steps, from all at the beginning to the last share; some evenly spaced ones of many.
fn steps(svg: &mut Markup, shares: &[f64], top: f64, height: f64) {
    let count = shares.len().min(POINTS);
    let share = |place: usize| match place.checked_sub(1) {
        None => 1.0,
        Some(_) if count == 1 => shares[0],
        Some(place) => shares[place * (shares.len() - 1) / (count - 1)],
    };
    let x = |place: usize| drawing::percent(100.0 * place as f64 / (count + 1) as f64);
    let y = |share: f64| (top + height * (1.0 - share.clamp(0.0, 1.0))).to_string();
    let mut line = |from: (&str, &str), to: (&str, &str)| {
        let ends = [("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)];
        svg.shape("line", &[&ends[..], &[("class", "reach")]].concat());
    };
    for place in 0..=count {
        let (from, to, now) = (x(place), x(place + 1), y(share(place)));
        let before = place.checked_sub(1).map(|before| y(share(before)));
        if let Some(before) = before.filter(|before| *before != now) {
            line((&from, &before), (&from, &now));
        }
        line((&from, &now), (&to, &now));
    }
}

fn releases(out: &mut Markup, releases: &[LedgerRelease]) {
    scrolled(out, "Newest first; ε for each person of a tier", |table| {
        table.element("thead", &[], |head| {
            head.element("tr", &[], |row| {
                for heading in ["entry", "when", "what", "cost"] {
                    column(row, heading, false);
                }
            });
        });
        table.element("tbody", &[], |body| {
            for release in releases.iter().rev() {
                body.element("tr", &[], |row| {
                    row.element("th", &[("scope", "row")], |entry| {
                        entry.text(&release.entry.to_string());
                    });
                    cell(row, "", &release.at);
                    row.element("td", &[], |cell| {
                        cell.label(&release.what);
                        if let Some(command) = &release.command {
                            cell.raw("<br>\n");
                            cell.element("code", &[], |code| code.text(command));
                        }
                    });
                    row.element("td", &[], |cell| costs(cell, release));
                });
            }
        });
    });
}

fn costs(out: &mut Markup, release: &LedgerRelease) {
    for (at, (level, spent)) in release.costs.iter().enumerate() {
        if at > 0 {
            out.raw("<br>\n");
        }
        out.label(level);
        out.text(&format!(" {}", epsilon(*spent)));
    }
}
