//! From numbers to places on paper.

use std::fmt::Write;

use super::{BOTTOM, LEFT, LETTERS, RIGHT, TOP};
use crate::output::number::{escape, short, tick};

/// Numbers between two ends, on paper between two others.
pub(super) struct Scale {
    numbers: (f64, f64),
    paper: (f64, f64),
    logarithmic: bool,
}

impl Scale {
    /// A scale for these numbers, or `None` if there is nothing to be seen.
    pub(super) fn of(
        numbers: impl Iterator<Item = f64>,
        paper: (f64, f64),
        logarithmic: bool,
    ) -> Option<Self> {
        let usable = numbers.filter(|number| number.is_finite() && (!logarithmic || *number > 0.0));
        let (low, high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        if low > high {
            return None;
        }
        let wider = |low: f64, high: f64, least: f64| {
            if high - low < least { (low - least, high + least) } else { (low, high) }
        };
        let numbers = if logarithmic {
            let (low, high) = wider(low.ln(), high.ln(), 0.05);
            (low.exp(), high.exp())
        } else {
            wider(low, high, 1e-9 * high.abs().max(1e-9))
        };
        Some(Self { numbers, paper, logarithmic })
    }

    /// The same with a little room at both ends.
    pub(super) fn with_room(mut self, share: f64) -> Self {
        let (low, high) = self.ends();
        let room = share * (high - low);
        let (low, high) = (low - room, high + room);
        self.numbers = if self.logarithmic { (low.exp(), high.exp()) } else { (low, high) };
        self
    }

    fn ends(&self) -> (f64, f64) {
        let (low, high) = self.numbers;
        if self.logarithmic { (low.ln(), high.ln()) } else { (low, high) }
    }

    /// The place of a number; those beyond the ends are at the end.
    pub(super) fn at(&self, number: f64) -> f64 {
        let number = number.clamp(self.numbers.0, self.numbers.1);
        let (low, high) = self.ends();
        let number = if self.logarithmic { number.ln() } else { number };
        self.paper.0 + (self.paper.1 - self.paper.0) * (number - low) / (high - low)
    }

    pub(super) fn contains(&self, number: f64) -> bool {
        (self.numbers.0..=self.numbers.1).contains(&number)
    }

    /// Round numbers between the ends, with how they are written.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = self.numbers;
        let inside = |number: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(number);
        if self.logarithmic {
            let decades = (high / low).log10();
            let powers = || {
                (low.log10().floor() as i32..=high.log10().ceil() as i32)
                    .map(|power| 10f64.powi(power))
            };
            let stride = (decades / 7.0).ceil().max(1.0) as i32;
            let digits: &[f64] = match decades {
                few if few < 0.7 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
                some if some < 1.6 => &[1.0, 2.0, 5.0],
                more if more < 2.5 => &[1.0, 3.0],
                _ => &[1.0],
            };
            let of_stride = |power: &f64| (power.log10().round() as i32).rem_euclid(stride) == 0;
            let all = powers()
                .filter(of_stride)
                .flat_map(|power| digits.iter().map(move |digit| digit * power));
            return all.filter(inside).map(|number| (number, tick(number))).collect();
        }
        let rough = (high - low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|n| (n as f64 * step, short(n as f64 * step))).collect()
    }
}

/// Rules, numbers and names of both axes.
pub(super) fn axes(
    out: &mut String,
    (x, x_name): (&Scale, &str),
    (y, y_name): (&Scale, &str),
    rules: bool,
) {
    // Writing to a string cannot fail.
    for (number, text) in x.ticks() {
        let at = x.at(number);
        if rules {
            let _ = write!(out, "<path class=\"rule\" d=\"M{at:.1} {TOP}V{BOTTOM}\"/>");
        }
        let _ = write!(
            out,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
            BOTTOM + 1.3 * LETTERS
        );
    }
    for (number, text) in y.ticks() {
        let at = y.at(number);
        if rules {
            let _ = write!(out, "<path class=\"rule\" d=\"M{LEFT} {at:.1}H{RIGHT}\"/>");
        }
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 6.0,
            at + 0.35 * LETTERS
        );
    }
    let (middle, height) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
    let _ = write!(
        out,
        "<text class=\"soft\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text class=\"soft\" transform=\"translate(12 {height})rotate(-90)\" \
         text-anchor=\"middle\">{}</text>",
        BOTTOM + 2.7 * LETTERS,
        escape(x_name),
        escape(y_name)
    );
}
