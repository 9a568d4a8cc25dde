//! The report as a drawing.
//!
//! There is one panel for each subject. On the left is a bar for every level: the outline is the
//! promise, the filled part is surely lost. On the right is the hockey-stick curve δ(ε) of every
//! level: dashed as far as the promise lets it rise, solid as far as the counted event shows that
//! it does.

use std::fmt::Write;

use suum_core::Loss;

use crate::report::{Evidence, LevelReport, Report, SubjectReport, Verdict};
use crate::text::{figure_text, loss_text};

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 16.0;
/// Height of the head of a panel: its name, and the headings of the columns.
const HEAD: f64 = 52.0;
const ROW: f64 = 22.0;
/// Height of a line of text.
const LINE: f64 = 18.0;
/// Left end of bars, and the length of the longest.
const BARS: f64 = 90.0;
const LONGEST: f64 = 210.0;
/// Left end, width and height of the area of the curves.
const CURVES: f64 = 480.0;
const CURVES_WIDTH: f64 = 250.0;
const CURVES_HEIGHT: f64 = 120.0;
/// Height below the curves, for the numbers of the axis.
const FOOT: f64 = 34.0;
/// Number of points of a curve.
const POINTS: u32 = 60;
/// Number of colours for levels; the style has as many.
const COLOURS: usize = 6;

/// Style of this drawing alone, which may stand in a page with others.
const STYLE: &str = "<style>
.suum-audit{--ink:#1f2933;--soft:#5f6b76;--line:#c3cad1;--page:#ffffff;--warn:#b42318;
--c0:#0b6bcb;--c1:#b8650a;--c2:#1a7f4b;--c3:#8a3ffc;--c4:#007d79;--c5:#a2195b;
background:var(--page)}
@media (prefers-color-scheme:dark){.suum-audit{--ink:#e4e7eb;--soft:#9aa5b1;--line:#52606d;
--page:#161b22;--warn:#ff8a80;
--c0:#6cb6ff;--c1:#f0b25e;--c2:#5fd39a;--c3:#c4a6ff;--c4:#4fd6d0;--c5:#ff8fbf}}
.suum-audit text{fill:var(--ink);font:12px system-ui,sans-serif}
.suum-audit .name{font-size:14px;font-weight:600}
.suum-audit .soft{fill:var(--soft)}
.suum-audit .broken{fill:var(--warn);font-weight:600}
.suum-audit .axis{stroke:var(--line)}
.suum-audit .promise{fill:none;stroke:var(--soft)}
.suum-audit .c0{--mark:var(--c0)}.suum-audit .c1{--mark:var(--c1)}.suum-audit .c2{--mark:var(--c2)}
.suum-audit .c3{--mark:var(--c3)}.suum-audit .c4{--mark:var(--c4)}.suum-audit .c5{--mark:var(--c5)}
.suum-audit .bar{fill:var(--mark)}
.suum-audit .found{fill:none;stroke:var(--mark);stroke-width:2}
.suum-audit .most{fill:none;stroke:var(--mark);stroke-dasharray:4 4}
</style>";

impl Report {
    /// Drawing of the report in SVG that needs nothing beside it: promise and finding for each
    /// level, and the hockey-stick curve δ(ε).
    pub fn svg(&self) -> String {
        report(self)
    }
}

fn report(report: &Report) -> String {
    let mut panels = String::new();
    let mut top = MARGIN;
    for subject in &report.subjects {
        top += panel(subject, top, &mut panels);
    }
    let counted =
        format!("{} counted runs of either neighbour, seed {}.", report.runs, report.seed);
    let sure = format!(
        "With probability {} no bar is longer, and no curve higher, than the truth.",
        report.confidence
    );
    for line in [counted, sure] {
        text(&mut panels, MARGIN, top, "soft", &line);
        top += LINE;
    }
    format!(
        "<svg class=\"suum-audit\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" \
        width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\"><title>Promised and \
        lost privacy</title>{STYLE}\n{panels}</svg>\n",
        height = top,
    )
}

/// Draws a subject from `top` on, and returns its height.
fn panel(subject: &SubjectReport, top: f64, out: &mut String) -> f64 {
    let broken = subject.verdict() == Verdict::Broken;
    let class = if broken { "name broken" } else { "name" };
    let title = format!("{}: {}", subject.name, subject.verdict().describe());
    text(out, MARGIN, top + 12.0, class, &title);
    text(out, MARGIN, top + 36.0, "soft", "level");
    text(out, BARS, top + 36.0, "soft", "surely lost, of promised (outline)");
    let most = subject.levels.iter().map(longest).fold(0.0, f64::max);
    let top_of_rows = top + HEAD;
    for (at, level) in subject.levels.iter().enumerate() {
        row(level, at, top_of_rows + ROW * at as f64, most, out);
    }
    curves(subject, top_of_rows, most, out);
    let rows = ROW * subject.levels.len() as f64;
    HEAD + rows.max(CURVES_HEIGHT + FOOT) + MARGIN
}

/// Loss that the bar of a level needs room for.
fn longest(level: &LevelReport) -> f64 {
    promised(level)
        .unwrap_or(0.0)
        .max(level.evidence.as_ref().map_or(0.0, |evidence| evidence.loss))
}

/// Promised ε, if one was promised.
fn promised(level: &LevelReport) -> Option<f64> {
    (level.certified != Loss::Unlimited).then(|| level.certified.rounded_up())
}

fn row(level: &LevelReport, at: usize, top: f64, most: f64, out: &mut String) {
    let long = |epsilon: f64| if most > 0.0 { LONGEST * epsilon / most } else { 0.0 };
    text(out, MARGIN, top + 13.0, "", &level.level);
    let mut said = level.verdict.describe().to_owned();
    let mut end = 0.0f64;
    if let Some(evidence) = &level.evidence {
        let _ = writeln!(
            out,
            "<rect class=\"bar c{}\" x=\"{BARS}\" y=\"{:.1}\" width=\"{:.1}\" height=\"10\"/>",
            at % COLOURS,
            top + 4.0,
            long(evidence.loss)
        );
        said = format!("{} of {}", figure_text(evidence.loss), loss_text(&level.certified));
        end = long(evidence.loss);
    }
    if let Some(promised) = promised(level) {
        let _ = writeln!(
            out,
            "<rect class=\"promise\" x=\"{BARS}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\"/>",
            top + 2.0,
            long(promised)
        );
        end = end.max(long(promised));
    }
    let broken = level.verdict == Verdict::Broken;
    if broken {
        said.push_str(" BROKEN");
    }
    text(out, BARS + end + 8.0, top + 13.0, if broken { "broken" } else { "soft" }, &said);
}

/// Draws δ(ε) of every level with a counted event.
fn curves(subject: &SubjectReport, top: f64, most: f64, out: &mut String) {
    let seen: Vec<(usize, f64, &Evidence)> = subject
        .levels
        .iter()
        .enumerate()
        .filter_map(|(at, level)| Some((at, promised(level)?, level.evidence.as_ref()?)))
        .collect();
    if seen.is_empty() || most == 0.0 {
        return;
    }
    let (bottom, right) = (top + CURVES_HEIGHT, CURVES + CURVES_WIDTH);
    text(out, CURVES, top - 16.0, "soft", "δ(ε): surely reached, and allowed (dashed)");
    let _ = writeln!(
        out,
        "<path class=\"axis\" fill=\"none\" d=\"M{CURVES} {top} V{bottom} H{right}\"/>\
         <text class=\"soft\" x=\"{label}\" y=\"{y:.1}\" text-anchor=\"end\">1</text>\
         <text class=\"soft\" x=\"{label}\" y=\"{bottom}\" text-anchor=\"end\">0</text>\
         <text class=\"soft\" x=\"{end}\" y=\"{bottom}\">ε</text>",
        label = CURVES - 6.0,
        y = top + 8.0,
        end = right + 6.0,
    );
    let last = most * 1.05;
    let x = |epsilon: f64| CURVES + CURVES_WIDTH * epsilon / last;
    let step = step(last);
    let mut tick = 0.0;
    while tick <= last {
        let _ = writeln!(
            out,
            "<path class=\"axis\" d=\"M{x:.1} {bottom} v4\"/><text class=\"soft\" x=\"{x:.1}\" \
            y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>",
            x = x(tick),
            y = bottom + 17.0,
            label = figure_text(tick),
        );
        tick += step;
    }
    let curve = |delta: &dyn Fn(f64) -> f64| -> String {
        let points = (0..=POINTS).map(|point| {
            let epsilon = last * f64::from(point) / f64::from(POINTS);
            format!("{:.1},{:.1}", x(epsilon), bottom - CURVES_HEIGHT * delta(epsilon))
        });
        points.collect::<Vec<_>>().join(" ")
    };
    for (at, promised, evidence) in seen {
        // The most that any release does that keeps ε: the answer of a coin.
        let most = |epsilon: f64| {
            ((promised - epsilon).exp_m1() / (promised.exp() + 1.0) * epsilon.exp()).max(0.0)
        };
        let _ = writeln!(
            out,
            "<polyline class=\"most c{colour}\" points=\"{}\"/><polyline class=\"found c{colour}\" \
            points=\"{}\"/>",
            curve(&most),
            curve(&|epsilon| evidence.delta_at(epsilon)),
            colour = at % COLOURS,
        );
    }
}

/// Distance of marks on an axis of this length: three to six of them, at round numbers.
fn step(length: f64) -> f64 {
    let power = 10f64.powf((length / 3.0).log10().floor());
    let fits = [5.0, 2.0, 1.0].into_iter().find(|factor| factor * power <= length / 3.0);
    fits.unwrap_or(1.0) * power
}

fn text(out: &mut String, x: f64, y: f64, class: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Progress, Settings, Subject, Version, audit, specimens};

    #[test]
    fn marks_are_few_and_easy_to_read() {
        for (length, expected) in [(1.05, 0.2), (3.0, 1.0), (6.3, 2.0), (0.011, 0.002), (29.0, 5.0)]
        {
            let found = step(length);
            assert!((found / expected - 1.0).abs() < 1e-9, "{length}: {found}");
        }
    }

    /// Checks that marks stay in the drawing, whatever is found: δ is a probability, and bars are
    /// at most the longest.
    #[test]
    fn nothing_is_drawn_outside() {
        for version in [Version::Published, Version::Corrected] {
            let all = specimens(version).unwrap();
            let subjects: Vec<&dyn Subject> =
                all.iter().map(|specimen| specimen as &dyn Subject).collect();
            let settings = Settings { runs: 1000, ..Settings::default() };
            let drawn = audit(&subjects, &settings, &Progress::default()).unwrap().svg();
            let numbers = |key: &str| -> Vec<f64> {
                let key = format!(" {key}=\"");
                let parts = drawn.split(&key).skip(1);
                parts.filter_map(|part| part.split('"').next()?.parse().ok()).collect()
            };
            assert!(numbers("x").iter().all(|x| (0.0..=WIDTH).contains(x)));
            assert!(numbers("width").iter().skip(1).all(|width| (0.0..=LONGEST).contains(width)));
            let heights = numbers("height");
            assert!(numbers("y").iter().all(|y| (0.0..=heights[0]).contains(y)));
            assert_eq!(
                drawn.matches("<polyline").count(),
                2 * (subjects.len() + 1),
                "one specimen has two levels"
            );
        }
    }

    #[test]
    fn names_are_text_and_nothing_else() {
        let mut out = String::new();
        text(&mut out, 0.0, 0.0, "", "<script>&");
        assert!(out.contains("&lt;script&gt;&amp;") && !out.contains("<script"));
    }
}
