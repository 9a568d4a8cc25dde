//! Some numbers beside those that were published: a line each, with a dot and a ring.

use std::fmt::Write;

use super::scale::Scale;
use super::{LEFT, LETTERS, RIGHT, TOP, WIDTH, frame};
use crate::outcome::{Dots, Entry, Role};
use crate::output::number::escape;

/// From a line to the next.
const LINE: f64 = 1.25 * LETTERS;
/// The name of a group, with the room above it.
const GROUP: f64 = 2.1 * LETTERS;

pub(super) fn draw(dots: &Dots) -> String {
    let mut out = String::new();
    let lines =
        |entries: &[Entry]| entries.iter().filter(|entry| entry.ours.is_some()).count() as f64;
    let height: f64 = dots.groups.iter().map(|(_, entries)| GROUP + LINE * lines(entries)).sum();
    let bottom = TOP + height + 0.5 * LINE;
    let numbers = dots.groups.iter().flat_map(|(_, entries)| entries);
    let numbers = numbers
        .flat_map(|entry| entry.published.into_iter().chain(entry.ours.map(|ours| ours.value)));
    let Some(x) = Scale::of(numbers, (LEFT, RIGHT), true) else {
        return frame(bottom, &dots.caption, "");
    };
    let x = x.with_room(0.03);
    // Writing to a string cannot fail.
    for (number, text) in x.ticks() {
        let at = x.at(number);
        let _ = write!(
            out,
            "<path class=\"rule\" d=\"M{at:.1} {TOP}V{bottom:.1}\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
            bottom + 1.3 * LETTERS
        );
    }
    let mut y = TOP;
    for (group, entries) in &dots.groups {
        y += GROUP;
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{:.1}\" font-weight=\"600\">{}</text>",
            LEFT + 6.0,
            y - 0.5 * LETTERS,
            escape(group)
        );
        for ((name, role), entry) in dots.columns.iter().zip(entries) {
            let Some(ours) = entry.ours else { continue };
            let colour = if *role == Role::Auto { "var(--auto)" } else { "var(--s0)" };
            let (at, middle) = (x.at(ours.value), y + 0.5 * LINE);
            let _ = write!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                middle + 0.35 * LETTERS,
                escape(name)
            );
            if let Some(published) = entry.published {
                let there = x.at(published);
                let _ = write!(
                    out,
                    "<path class=\"rule\" style=\"stroke:var(--soft)\" d=\"M{at:.1} \
                    {middle:.1}H{there:.1}\"/>\
                     <circle cx=\"{there:.1}\" cy=\"{middle:.1}\" r=\"4.2\" \
                     style=\"fill:var(--paper);stroke:{colour};stroke-width:1.6\"/>"
                );
            }
            let _ = write!(
                out,
                "<circle cx=\"{at:.1}\" cy=\"{middle:.1}\" r=\"4.2\" style=\"fill:{colour}\"/>"
            );
            y += LINE;
        }
    }
    let _ = write!(
        out,
        "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{:.1}\"/>",
        RIGHT - LEFT,
        bottom - TOP
    );
    let below = bottom + 2.7 * LETTERS;
    let _ = write!(
        out,
        "<text class=\"soft\" x=\"{:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{}; ● ours, ○ \
        published</text>",
        WIDTH / 2.0,
        escape(&dots.x)
    );
    frame(below + 0.7 * LETTERS, &dots.caption, &out)
}
