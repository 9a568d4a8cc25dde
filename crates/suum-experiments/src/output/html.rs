//! One page for one or more outcomes: no network, light and dark, wide and narrow.

use std::fmt::Write;

use super::number::{escape, short};
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

/// A page that shows the outcomes: published figures, the published estimators in our hands, `auto`
/// and the lower bound side by side, and in sentences what agrees and what does not.
pub fn page(outcomes: &[Outcome]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, outcomes);
    out
}

fn write(out: &mut String, outcomes: &[Outcome]) -> std::fmt::Result {
    let title = match outcomes {
        [one] => one.title.clone(),
        _ => "The papers' tables and figures, measured anew".to_owned(),
    };
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
        content=\"width=device-width,initial-scale=1\">\
         <title>{0} – suum</title><style>{STYLE}</style></head><body><main><h1>{0}</h1>\
         <p>Simulated by suum with made-up data; nothing here protects anybody.</p>",
        escape(&title)
    )?;
    if outcomes.len() > 1 {
        out.push_str("<nav><ul>");
        for outcome in outcomes {
            let (losses, all) = (outcome.contest.beaten.len(), outcome.contest.comparisons);
            let class = if losses > 0 { "red" } else { "soft" };
            write!(
                out,
                "<li><a href=\"#{id}\">{id}</a> {} <span class=\"{class}\">{}</span></li>",
                escape(&outcome.title),
                verdict_on_auto(losses, all),
                id = outcome.id,
            )?;
        }
        out.push_str("</ul></nav>");
    }
    for outcome in outcomes {
        section(out, outcome, outcomes.len() > 1)?;
    }
    let papers = papers::cited(outcomes.iter().map(|outcome| outcome.source.as_str()));
    if !papers.is_empty() {
        write!(out, "<section id=\"papers\"><h2>Papers</h2>{}</section>", papers::list(&papers))?;
    }
    out.push_str("</main></body></html>\n");
    Ok(())
}

fn verdict_on_auto(losses: usize, all: usize) -> String {
    match (losses, all) {
        (_, 0) => "exact, nothing to compare".to_owned(),
        (0, _) => format!("suum is best or ties in all {all} comparisons"),
        _ => format!("suum is beaten in {losses} of {all} comparisons"),
    }
}

fn section(out: &mut String, outcome: &Outcome, titled: bool) -> std::fmt::Result {
    write!(out, "<section id=\"{}\">", outcome.id)?;
    if titled {
        write!(out, "<h2>{}</h2>", escape(&outcome.title))?;
    }
    write!(
        out,
        "<p class=\"soft\">{} · <code>{}</code> · {} trials · seed {}</p><p><b>Published:</b> \
        {}</p>",
        papers::linked(&outcome.source),
        outcome.id,
        outcome.trials,
        outcome.seed,
        escape(&outcome.published)
    )?;
    out.push_str("<ul class=\"plain\">");
    for finding in &outcome.findings {
        let (class, tag) = match finding.verdict {
            Verdict::Agrees => ("agrees", "✓ agrees"),
            Verdict::Differs => ("differs", "✗ differs"),
            Verdict::New => ("new", "+ new"),
        };
        write!(out, "<li><span class=\"tag {class}\">{tag}</span>{}</li>", code(&finding.text))?;
    }
    out.push_str("</ul>");
    contest(out, outcome)?;
    if outcome.panels.iter().any(|panel| matches!(panel, Panel::Chart(chart) if chart.has_bands()))
    {
        out.push_str("<p class=\"soft\">Bands are 95 % confidence.</p>");
    }
    out.push_str("<div class=\"panels\">");
    for panel in &outcome.panels {
        match (panel, svg(panel)) {
            (Panel::Table(shown), _) => table(out, shown)?,
            (Panel::Chart(_) | Panel::Heatmap(_) | Panel::Dots(_), None) => {}
            (Panel::Chart(chart), Some(svg)) => figure(out, &chart.caption, &svg)?,
            (Panel::Heatmap(heatmap), Some(svg)) => figure(out, &heatmap.caption, &svg)?,
            (Panel::Dots(dots), Some(svg)) => figure(out, &dots.caption, &svg)?,
        }
    }
    out.push_str(
        "</div><details open><summary>What was chosen here, and what to know</summary><ul>",
    );
    for note in &outcome.notes {
        write!(out, "<li>{}</li>", code(note))?;
    }
    out.push_str("</ul></details></section>");
    Ok(())
}

/// Text in which `words` between backquotes are code.
fn code(text: &str) -> String {
    let parts = escape(text);
    let parts = parts.split('`').enumerate();
    parts
        .map(|(i, part)| if i % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() })
        .collect()
}

fn figure(out: &mut String, caption: &str, svg: &str) -> std::fmt::Result {
    write!(out, "<figure><figcaption>{}</figcaption>{svg}</figure>", escape(caption))
}

/// Whether `auto` did best, in red where it did not.
fn contest(out: &mut String, outcome: &Outcome) -> std::fmt::Result {
    let contest = &outcome.contest;
    if contest.beaten.is_empty() {
        return write!(
            out,
            "<p class=\"agrees\"><b>{}</b>, up to three standard errors.</p>",
            sentence(&verdict_on_auto(0, contest.comparisons))
        );
    }
    write!(
        out,
        "<p class=\"red\">{}:</p><ul>",
        sentence(&verdict_on_auto(contest.beaten.len(), contest.comparisons))
    )?;
    for beaten in &contest.beaten {
        let Beaten { cell, rival, auto, error, reason } = beaten;
        let reason = reason.as_deref().unwrap_or("Why is not known.");
        write!(
            out,
            "<li><span class=\"red\">{}: {} has {}, auto {}.</span> {}</li>",
            escape(cell),
            escape(rival),
            short(*error),
            short(*auto),
            code(reason)
        )?;
    }
    out.push_str("</ul>");
    Ok(())
}

fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

fn table(out: &mut String, table: &Table) -> std::fmt::Result {
    write!(
        out,
        "<figure class=\"wide\"><figcaption>{0}</figcaption><div \
        class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\"><table><thead><tr>\
        <th>{1}</th>",
        escape(&table.caption),
        escape(&table.corner)
    )?;
    for (column, _) in &table.columns {
        write!(out, "<th>{}</th>", escape(column))?;
    }
    out.push_str("</tr></thead><tbody>");
    for (row, entries) in &table.rows {
        write!(out, "<tr><th>{}</th>", escape(row))?;
        let measured =
            table.columns.iter().zip(entries).filter(|((_, role), _)| *role != Role::Bound);
        let least = measured
            .filter_map(|(_, entry)| entry.ours)
            .map(|ours| ours.value)
            .fold(f64::INFINITY, f64::min);
        for ((_, role), entry) in table.columns.iter().zip(entries) {
            cell(out, *role, entry, least)?;
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div></figure>");
    Ok(())
}

fn cell(out: &mut String, role: Role, entry: &Entry, least: f64) -> std::fmt::Result {
    let best = role != Role::Bound && entry.ours.is_some_and(|ours| ours.value <= least);
    let class = match (role, best) {
        (Role::Auto, true) => " class=\"auto best\"",
        (Role::Auto, false) => " class=\"auto\"",
        (_, true) => " class=\"best\"",
        _ => "",
    };
    let ours = entry.ours.map_or("–".to_owned(), |ours| short(ours.value));
    write!(out, "<td{class}>{ours}")?;
    if let Some(published) = entry.published {
        write!(out, "<small>published {}</small>", short(published))?;
    } else if let Some(error) = entry.ours.map(|ours| ours.error).filter(|error| *error > 0.0) {
        write!(out, "<small>± {}</small>", short(error))?;
    }
    out.push_str("</td>");
    Ok(())
}
