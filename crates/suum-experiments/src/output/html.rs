//! One page for one or more outcomes: no network, light and dark, wide and narrow.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::number::short;
use super::{papers, svg};
use crate::contest::Beaten;
use crate::outcome::{Entry, Outcome, Panel, Role, Table, Verdict};

const STYLE: &str = "\
:root{color-scheme:light \
dark;--ink:#1d2328;--soft:#5d6770;--rule:#dfe4e8;--paper:#fff;--card:#f6f8f9;--good:#0a7a4b;\
--bad:#b3261e;--new:#3d5a80}\
@media(prefers-color-scheme:dark){:root{--ink:#e8ecef;--soft:#9aa5af;--rule:#343d45;\
--paper:#15191c;--card:#1d2328;--good:#4fcf97;--bad:#ff7b72;--new:#8fb4e3}}\
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 \
system-ui,sans-serif}\
main{max-width:1120px;margin:auto;padding:20px 18px \
60px}h1{font-size:1.7rem;line-height:1.25;margin:.4em \
0}h2{font-size:1.3rem;line-height:1.3;margin:2.4em 0 .3em;padding-top:.8em;border-top:1px solid \
var(--rule)}\
h1+p,.soft{color:var(--soft)}nav ul,.plain{list-style:none;padding:0;margin:.5em 0}nav \
li{margin:.2em 0}a{color:inherit}\
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,460px),1fr));gap:18px;\
margin:1em 0}.panels>.wide{grid-column:1/-1}\
figure{margin:0;background:var(--card);border:1px solid \
var(--rule);border-radius:8px;padding:12px;min-width:0}figcaption{font-weight:600;\
margin-bottom:6px}figure svg{display:block;width:100%;max-width:540px;height:auto;margin:auto}\
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;\
font-size:.92rem;width:100%}th,td{padding:5px 9px;text-align:right;\
border-bottom:1px solid var(--rule);white-space:nowrap}th:first-child{text-align:left;\
position:sticky;left:0;background:var(--card);white-space:normal;min-width:8em}\
td small{display:block;color:var(--soft)}td.best{font-weight:700}td.auto{background:color-mix(in \
srgb,var(--good) 9%,transparent)}\
.plain li{padding-left:6.6em;position:relative;margin:.45em \
0}.tag{position:absolute;left:0;top:.1em;font-size:.8rem;font-weight:600}.agrees{color:var(--good)}\
.differs,.red{color:var(--bad)}.new{color:var(--new)}.red{font-weight:600}\
@media(max-width:520px){main{padding:16px 14px 40px}figure{padding:10px 5px}.plain \
li{padding-left:0}.tag{position:static;display:block}}details{margin:.6em \
0}summary{cursor:pointer;color:var(--soft)}dl{margin:.6em 0}dt{font-weight:600}dd{margin:0 0 .5em}";

/// Page of the outcomes: published results, the published estimators in our implementation, `auto`
/// and the lower bound side by side, and sentences on agreements and disagreements.
pub fn page(outcomes: &[Outcome]) -> String {
    let title = match outcomes {
        [one] => one.title.as_str(),
        _ => "The papers' tables and figures, measured anew",
    };
    let several = outcomes.len() > 1;
    let papers = papers::cited(outcomes.iter().map(|outcome| outcome.source.as_str()));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (title) " – suum" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    p { "Simulated by suum with made-up data; nothing here protects anybody." }
                    @if several { (contents(outcomes)) }
                    @for outcome in outcomes { (section(outcome, several)) }
                    @if !papers.is_empty() {
                        section id="papers" { h2 { "Papers" } (papers::list(&papers)) }
                    }
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn contents(outcomes: &[Outcome]) -> Markup {
    html! {
        nav {
            ul {
                @for outcome in outcomes {
                    @let losses = outcome.contest.beaten.len();
                    li {
                        a href={ "#" (outcome.id) } { (outcome.id) }
                        " " (outcome.title) " "
                        span class=(if losses > 0 { "red" } else { "soft" }) {
                            (verdict_on_auto(losses, outcome.contest.comparisons))
                        }
                    }
                }
            }
        }
    }
}

fn verdict_on_auto(losses: usize, all: usize) -> String {
    match (losses, all) {
        (_, 0) => "exact, nothing to compare".to_owned(),
        (0, _) => format!("suum is best or ties in all {all} comparisons"),
        _ => format!("suum is beaten in {losses} of {all} comparisons"),
    }
}

fn section(outcome: &Outcome, titled: bool) -> Markup {
    let has_bands = |panel: &Panel| matches!(panel, Panel::Chart(chart) if chart.has_bands());
    html! {
        section id=(outcome.id) {
            @if titled { h2 { (outcome.title) } }
            p class="soft" {
                (papers::linked(&outcome.source)) " · " code { (outcome.id) } " · "
                (outcome.trials) " trials · seed " (outcome.seed)
            }
            p { b { "Published:" } " " (outcome.published) }
            ul class="plain" {
                @for finding in &outcome.findings {
                    @let (class, tag) = match finding.verdict {
                        Verdict::Agrees => ("agrees", "✓ agrees"),
                        Verdict::Differs => ("differs", "✗ differs"),
                        Verdict::New => ("new", "+ new"),
                    };
                    li { span class={ "tag " (class) } { (tag) } (code(&finding.text)) }
                }
            }
            (contest(outcome))
            @if outcome.panels.iter().any(has_bands) {
                p class="soft" { "Bands are 95 % confidence." }
            }
            div class="panels" { @for one in &outcome.panels { (panel(one)) } }
            details open {
                summary { "What was chosen here, and what to know" }
                ul { @for note in &outcome.notes { li { (code(note)) } } }
            }
        }
    }
}

/// Text in which `words` between backquotes are code.
fn code(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn panel(panel: &Panel) -> Markup {
    let caption = match panel {
        Panel::Table(shown) => return table(shown),
        Panel::Chart(chart) => &chart.caption,
        Panel::Heatmap(heatmap) => &heatmap.caption,
        Panel::Dots(dots) => &dots.caption,
    };
    html! {
        @if let Some(svg) = svg(panel) {
            figure { figcaption { (caption) } (PreEscaped(svg)) }
        }
    }
}

/// Verdict on `auto`, in red where it was beaten.
fn contest(outcome: &Outcome) -> Markup {
    let contest = &outcome.contest;
    let verdict = sentence(&verdict_on_auto(contest.beaten.len(), contest.comparisons));
    if contest.beaten.is_empty() {
        return html! { p class="agrees" { b { (verdict) } ", up to three standard errors." } };
    }
    html! {
        p class="red" { (verdict) ":" }
        ul {
            @for Beaten { cell, rival, auto, error, reason } in &contest.beaten {
                li {
                    span class="red" {
                        (cell) ": " (rival) " has " (short(*error)) ", auto " (short(*auto)) "."
                    }
                    " " (code(reason.as_deref().unwrap_or("Why is not known.")))
                }
            }
        }
    }
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

fn table(table: &Table) -> Markup {
    let least = |entries: &[Entry]| {
        let measured =
            table.columns.iter().zip(entries).filter(|((_, role), _)| *role != Role::Bound);
        measured
            .filter_map(|(_, entry)| entry.ours)
            .map(|ours| ours.value)
            .fold(f64::INFINITY, f64::min)
    };
    html! {
        figure class="wide" {
            figcaption { (table.caption) }
            div class="scroll" role="region" tabindex="0" aria-label=(table.caption) {
                table {
                    thead {
                        tr {
                            th { (table.corner) }
                            @for (column, _) in &table.columns { th { (column) } }
                        }
                    }
                    tbody {
                        @for (row, entries) in &table.rows {
                            @let least = least(entries);
                            tr {
                                th { (row) }
                                @for ((_, role), entry) in table.columns.iter().zip(entries) {
                                    (cell(*role, entry, least))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn cell(role: Role, entry: &Entry, least: f64) -> Markup {
    let best = role != Role::Bound && entry.ours.is_some_and(|ours| ours.value <= least);
    let class = match (role, best) {
        (Role::Auto, true) => Some("auto best"),
        (Role::Auto, false) => Some("auto"),
        (_, true) => Some("best"),
        _ => None,
    };
    let error = entry.ours.map(|ours| ours.error).filter(|error| *error > 0.0);
    html! {
        td class=[class] {
            (entry.ours.map_or("–".to_owned(), |ours| short(ours.value)))
            @if let Some(published) = entry.published {
                small { "published " (short(published)) }
            } @else if let Some(error) = error {
                small { "± " (short(error)) }
            }
        }
    }
}
