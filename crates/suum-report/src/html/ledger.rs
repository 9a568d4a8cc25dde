//! Datasets of a ledger: the remaining budgets, now and over time, and the releases.

use maud::{Markup, Render, html};

use super::accounts;
use super::drawing;
use super::markup::section;
use super::page::Page;
use crate::accounts::epsilon;
use crate::content::{Block, Content};
use crate::document::{Document, What};
use crate::figures::percent;
use crate::sentence::{Piece, Sentence};
use crate::table::Table;
use crate::{LedgerDataset, LedgerRelease, LeftOverTime};

/// Height of the drawing of a tier, and the largest number of points of its line.
const ROW: f64 = 44.0;
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
    Page::of(all)
}

fn show(dataset: &LedgerDataset) -> Markup {
    let heading = format!("Dataset {}", dataset.name);
    let releases = match dataset.releases.is_empty() {
        true => html! { p { "No release was charged yet." } },
        false => releases(&dataset.releases),
    };
    html! {
        (accounts::of_tiers(&heading, &dataset.accounts, &dataset.notes))
        @if let Some(over_time) = &dataset.over_time {
            (section("over-time", &over_time.heading, left(over_time)))
        }
        (section("releases", "Releases, and what each counts against everybody", releases))
    }
}

/// Draws for each tier a line from what it allows at the top to nothing at the bottom.
fn left(over_time: &LeftOverTime) -> Markup {
    let description = "For each tier a line from left to right, in steps: at the top of its band \
        all is left of what it allows, at the bottom nothing. The share at the end is that of \
        now.";
    let height = ROW * over_time.tiers.len() as f64;
    let drawn = html! {
        @for (at, (tier, shares)) in over_time.tiers.iter().enumerate() {
            @let top = ROW * at as f64;
            @let last = shares.last().copied().unwrap_or(1.0);
            (drawing::named_row(top + 14.0, tier, &percent(last)))
            (steps(shares, top + 20.0, ROW - 24.0))
        }
    };
    drawing::named("left", height, &over_time.heading, description, None, drawn)
}

/// Line in steps, from the full budget at the beginning to the last share; a long series is sampled
/// evenly.
fn steps(shares: &[f64], top: f64, height: f64) -> Markup {
    let count = shares.len().min(POINTS);
    let share = |place: usize| match place.checked_sub(1) {
        None => 1.0,
        Some(_) if count == 1 => shares[0],
        Some(place) => shares[place * (shares.len() - 1) / (count - 1)],
    };
    let x = |place: usize| 100.0 * place as f64 / (count + 1) as f64;
    let y = |place: usize| top + height * (1.0 - share(place).clamp(0.0, 1.0));
    html! {
        @for place in 0..=count {
            @let (now, before) = (y(place), y(place.saturating_sub(1)));
            @if before != now { (drawing::line("extent", [x(place); 2], [before, now])) }
            (drawing::line("extent", [x(place), x(place + 1)], [now; 2]))
        }
    }
}

fn releases(releases: &[LedgerRelease]) -> Markup {
    let newest: Vec<&LedgerRelease> = releases.iter().rev().collect();
    let cost = |said: Sentence, (level, spent): &(String, f64)| {
        let said = if said.0.is_empty() { said } else { said.with(Piece::Break) };
        said.label(level).say(" ").say(epsilon(*spent))
    };
    let table = Table::of("Newest first; ε for each person of a tier", &newest)
        .words("entry", |release| release.entry.to_string())
        .words("when", |release| release.at.clone())
        .words("what", |release| {
            let said = Sentence::of_label(&release.what);
            match &release.command {
                Some(command) => said.with(Piece::Break).with(Piece::Code(command.clone())),
                None => said,
            }
        })
        .words("cost", |release| release.costs.iter().fold(Sentence::default(), cost));
    Table::from(table).render()
}
