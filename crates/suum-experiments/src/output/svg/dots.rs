//! Selected numbers beside the published ones: a line each, with a dot and a ring.

use maud::{Markup, html};

use super::scale::Scale;
use super::{LEFT, LETTERS, RIGHT, TOP, WIDTH, border, fine, frame, path, text};
use crate::outcome::{Dots, Entry, Role};

/// Distance between lines.
const LINE: f64 = 1.25 * LETTERS;
/// Height of the name of a group, with the space above it.
const GROUP: f64 = 2.1 * LETTERS;

pub(super) fn draw(dots: &Dots) -> String {
    let lines =
        |entries: &[Entry]| entries.iter().filter(|entry| entry.ours.is_some()).count() as f64;
    let height: f64 = dots.groups.iter().map(|(_, entries)| GROUP + LINE * lines(entries)).sum();
    let bottom = TOP + height + 0.5 * LINE;
    let numbers = dots.groups.iter().flat_map(|(_, entries)| entries);
    let numbers = numbers
        .flat_map(|entry| entry.published.into_iter().chain(entry.ours.map(|ours| ours.value)));
    let Some(x) = Scale::fit(numbers, (LEFT, RIGHT), true) else {
        return frame(bottom, &dots.caption, Markup::default());
    };
    let x = x.with_room(0.03);
    let mut y = TOP;
    let mut groups = Vec::new();
    for (name, entries) in &dots.groups {
        y += GROUP;
        let top = y;
        let mut rows = Vec::new();
        for ((name, role), entry) in dots.columns.iter().zip(entries) {
            let Some(ours) = entry.ours else { continue };
            rows.push(row(&x, name, *role, (ours.value, entry.published), y + 0.5 * LINE));
            y += LINE;
        }
        groups.push(html! {
            text x=(LEFT + 6.0) y=(fine(top - 0.5 * LETTERS)) font-weight="600" { (name) }
            @for row in rows { (row) }
        });
    }
    let below = bottom + 2.7 * LETTERS;
    let drawn = html! {
        @for (number, words) in x.ticks() {
            @let at = x.at(number);
            (path("rule", &format!("M{at:.1} {TOP}V{bottom:.1}")))
            (text("tick", "middle", at, bottom + 1.3 * LETTERS, &words))
        }
        @for group in groups { (group) }
        (border(bottom))
        (text("soft", "middle", WIDTH / 2.0, below, &format!("{}; ● ours, ○ published", dots.x)))
    };
    frame(below + 0.7 * LETTERS, &dots.caption, drawn)
}

/// Draws our number as a dot, and a published one as a ring.
fn row(x: &Scale, name: &str, role: Role, numbers: (f64, Option<f64>), middle: f64) -> Markup {
    let colour = if role == Role::Auto { "var(--auto)" } else { "var(--s0)" };
    let (at, published) = (x.at(numbers.0), numbers.1.map(|published| x.at(published)));
    let dot = |x: f64, style: &str| {
        html! { circle cx=(fine(x)) cy=(fine(middle)) r="4.2" style=(style) {} }
    };
    html! {
        (text("name", "end", LEFT - 6.0, middle + 0.35 * LETTERS, name))
        @if let Some(there) = published {
            path class="rule" style="stroke:var(--soft)"
                d=(format!("M{at:.1} {middle:.1}H{there:.1}")) {}
            (dot(there, &format!("fill:var(--paper);stroke:{colour};stroke-width:1.6")))
        }
        (dot(at, &format!("fill:{colour}")))
    }
}
