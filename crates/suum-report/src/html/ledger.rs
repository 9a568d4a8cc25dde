//! Datasets of a ledger: the remaining budgets, now and over time, and the releases.

use maud::{Markup, Render, html};
use suum_core::TimeScale;

use super::accounts;
use super::drawing;
use super::markup::{label, section};
use super::page::Page;
use crate::accounts::epsilon;
use crate::axis::Axis;
use crate::content::{Block, Content};
use crate::data_value;
use crate::document::{Document, What};
use crate::figures::percent;
use crate::rounding::Direction;
use crate::sentence::{Piece, Sentence};
use crate::table::Table;
use crate::{LedgerDataset, LedgerRelease, LeftOverTime};

/// Height of the drawing of a tier, and of the space above and below its line.
const ROW: f64 = 56.0;
const MARGIN: f64 = 6.0;
/// Largest number of points of the line of a tier.
const POINTS: usize = 200;

/// Page of a ledger.
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
///     times: vec![1_772_323_200.0, 1_774_000_000.0],
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
    let title = format!("What is left: {}", names.join(", "));
    let mut all = Document::new(What::Ledger, title, Vec::new());
    for (at, dataset) in datasets.iter().enumerate() {
        // All datasets have the same sections, so their names get a number.
        let mut shown = Content::default();
        shown.draw(show(dataset));
        all.answer.add(Block::Within(format!("dataset-{at}-"), shown));
    }
    Page::from_document(all)
}

fn show(dataset: &LedgerDataset) -> Markup {
    let heading = format!("Dataset {}", dataset.name);
    let releases = match dataset.releases.is_empty() {
        true => html! { p { "No release was charged yet." } },
        false => releases(&dataset.releases),
    };
    html! {
        (accounts::tier_section(&heading, &dataset.accounts, &dataset.notes))
        @if let Some(over_time) = &dataset.over_time {
            (section("over-time", &over_time.heading, left(over_time)))
        }
        (section("releases", "Releases, and what each counts against everybody", releases))
    }
}

/// Draws for each tier a line from what it allows at the top to nothing at the bottom, above one
/// axis of time.
fn left(over_time: &LeftOverTime) -> Markup {
    let LeftOverTime { heading, times, tiers } = over_time;
    let ends = times.first().zip(times.last());
    let Some((first, last)) = ends.filter(|_| !tiers.is_empty()) else { return Markup::default() };
    // Room on the left for the whole budget, before anything was spent.
    let space = 0.06 * (last - first).max(60.0);
    let Some(axis) = Axis::between(first - space, last + space) else { return Markup::default() };
    html! {
        figure class="chart" {
            div class="rows" role="img" aria-label={ (heading) ". " (STEPS) } {
                @for (tier, shares) in tiers {
                    span class="name" { (label(tier)) }
                    svg aria-hidden="true" height=(ROW) width="100%" {
                        @for share in [0.0, 0.5, 1.0] {
                            (drawing::line("grid", [0.0, 100.0], [height(share); 2]))
                        }
                        (steps(axis, times, shares))
                    }
                    span class="figure" { (percent(shares.last().copied().unwrap_or(1.0))) }
                }
                span {}
                svg aria-hidden="true" height="24" width="100%" { (dates(axis, *first, *last)) }
                span {}
            }
            figcaption {
                "Left of what each tier allows, from all (upper line) to nothing (lower line), \
                after each cost was known"
            }
        }
    }
}

/// Description of the drawing of what is left.
const STEPS: &str = "For each tier a line from left to right, in steps: at the upper line of its \
    band all is left of what it allows, at the lower one nothing. The share at the end is that of \
    now.";

fn height(share: f64) -> f64 {
    MARGIN + (ROW - 2.0 * MARGIN) * (1.0 - share.clamp(0.0, 1.0))
}

/// Line in steps, from the full budget at the beginning to the last share; a long series is sampled
/// evenly.
fn steps(axis: Axis, times: &[f64], shares: &[f64]) -> Markup {
    let known = times.len().min(shares.len());
    let count = known.min(POINTS);
    let at = |place: usize| place * known.saturating_sub(1) / count.saturating_sub(1).max(1);
    let mut points = vec![(0.0, 1.0)];
    points.extend((0..count).map(at).map(|at| (axis.place(times[at]), shares[at])));
    let end = points.last().map_or(1.0, |(_, share)| *share);
    points.push((100.0, end));
    html! {
        @for pair in points.windows(2) {
            @let ((from, before), (to, after)) = (pair[0], pair[1]);
            (drawing::line("extent", [from, to], [height(before); 2]))
            @if before != after {
                (drawing::line("extent", [to; 2], [height(before), height(after)]))
            }
        }
    }
}

/// Axis of time with the dates of the first and the last change, or one if they are the same.
fn dates(axis: Axis, first: f64, last: f64) -> Markup {
    // Days say enough, unless all is of a few hours.
    let error = if last - first > 172_800.0 { 172_800.0 } else { 120.0 };
    let written = |at: f64| data_value::shown(TimeScale::Seconds, at, error, Direction::Nearest);
    let ends = [(first, "start"), (last, "end")];
    let is_one = written(first) == written(last);
    html! {
        (drawing::line("axis", [0.0, 100.0], [1.0; 2]))
        @for (at, anchor) in ends.into_iter().take(if is_one { 1 } else { 2 }) {
            @let place = axis.place(at);
            (drawing::line("axis", [place; 2], [1.0, 6.0]))
            (drawing::text("faint", anchor, place, 21.0, &written(at)))
        }
    }
}

/// Largest number of holders of accounts that have a column each.
const COLUMNS: usize = 6;

fn releases(releases: &[LedgerRelease]) -> Markup {
    let newest: Vec<&LedgerRelease> = releases.iter().rev().collect();
    let mut holders: Vec<&str> = Vec::new();
    for (holder, _) in releases.iter().flat_map(|release| &release.costs) {
        if !holders.contains(&holder.as_str()) {
            holders.push(holder);
        }
    }
    let mut table = Table::from_rows("Newest first; ε for each person of a tier", &newest)
        .words("when", |release| short_time(&release.at))
        .words("what", |release| {
            let said = Sentence::from_label(&release.what);
            match &release.command {
                Some(command) => said.with(Piece::Break).with(Piece::Code(command.clone())),
                None => said,
            }
        });
    if holders.len() <= COLUMNS {
        for holder in holders {
            table = table.number(Sentence::from_label(holder), |release| {
                let mut costs = release.costs.iter();
                let cost = costs.find(|(name, _)| name == holder);
                cost.map_or_else(String::new, |(_, spent)| epsilon(*spent))
            });
        }
    } else {
        let cost = |said: Sentence, (holder, spent): &(String, f64)| {
            let said = if said.0.is_empty() { said } else { said.with(Piece::Break) };
            said.label(holder).say(" ").say(epsilon(*spent))
        };
        table = table.words("cost", |release| release.costs.iter().fold(Sentence::default(), cost));
    }
    Table::from(table.words("entry", |release| release.entry.to_string())).render()
}

/// Time without seconds: 2026-03-01 09:30.
fn short_time(at: &str) -> String {
    at.get(..16).map_or_else(|| at.to_owned(), |at| at.replace('T', " "))
}
