//! Scales from numbers to positions in the drawing.

use maud::{Markup, html};

use super::{BOTTOM, LEFT, LETTERS, RIGHT, TOP, path, text};
use crate::output::number::{short, ticks};

/// Least number of ticks of an axis, if possible.
const FEWEST: usize = 3;

/// Interval of numbers, mapped to an interval of the drawing.
pub(super) struct Scale {
    numbers: (f64, f64),
    paper: (f64, f64),
    logarithmic: bool,
}

impl Scale {
    /// Creates a scale for these numbers; `None` if there is nothing to show.
    pub(super) fn fit(
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

    /// Adds a margin at both ends, a share of the length.
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

    /// Position of a number; numbers beyond the ends are at the end.
    pub(super) fn at(&self, number: f64) -> f64 {
        let number = number.clamp(self.numbers.0, self.numbers.1);
        let (low, high) = self.ends();
        let number = if self.logarithmic { number.ln() } else { number };
        self.paper.0 + (self.paper.1 - self.paper.0) * (number - low) / (high - low)
    }

    pub(super) fn contains(&self, number: f64) -> bool {
        (self.numbers.0..=self.numbers.1).contains(&number)
    }

    /// Round numbers between the ends, with their texts.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = self.numbers;
        let inside = |number: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(number);
        if self.logarithmic {
            let all = self.decades(inside);
            let written = ticks(&all);
            return all.into_iter().zip(written).collect();
        }
        let rough = (high - low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|n| (n as f64 * step, short(n as f64 * step))).collect()
    }

    /// Powers of ten, and as many numbers between them as it takes for enough ticks.
    fn decades(&self, inside: impl Fn(&f64) -> bool) -> Vec<f64> {
        let (low, high) = self.numbers;
        let stride = ((high / low).log10() / 7.0).ceil().max(1.0) as i32;
        let powers = (low.log10().floor() as i32..=high.log10().ceil() as i32)
            .filter(|power| power.rem_euclid(stride) == 0)
            .map(|power| 10f64.powi(power));
        let powers: Vec<f64> = powers.collect();
        let between = |digits: &[f64]| {
            let all = powers.iter().flat_map(|power| digits.iter().map(move |digit| digit * power));
            all.filter(|number| inside(number)).collect::<Vec<f64>>()
        };
        let choices: [&[f64]; 4] =
            [&[1.0], &[1.0, 3.0], &[1.0, 2.0, 5.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0]];
        let found = choices.into_iter().map(between).find(|ticks| ticks.len() >= FEWEST);
        found.unwrap_or_else(|| between(choices[3]))
    }
}

/// Draws rules, numbers and names of both axes.
pub(super) fn axes(
    (x, x_name): (&Scale, &str),
    (y, y_name): (&Scale, &str),
    rules: bool,
) -> Markup {
    let (middle, height) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
    html! {
        @for (number, words) in x.ticks() {
            @let at = x.at(number);
            @if rules { (path("rule", &format!("M{at:.1} {TOP}V{BOTTOM}"))) }
            (text("tick", "middle", at, BOTTOM + 1.3 * LETTERS, &words))
        }
        @for (number, words) in y.ticks() {
            @let at = y.at(number);
            @if rules { (path("rule", &format!("M{LEFT} {at:.1}H{RIGHT}"))) }
            (text("tick", "end", LEFT - 6.0, at + 0.35 * LETTERS, &words))
        }
        (text("soft", "middle", middle, BOTTOM + 2.7 * LETTERS, x_name))
        text class="soft" transform={ "translate(12 " (height) ")rotate(-90)" }
            text-anchor="middle" { (y_name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks_of(low: f64, high: f64, logarithmic: bool) -> Vec<String> {
        let scale = Scale::fit([low, high].into_iter(), (0.0, 1.0), logarithmic).unwrap();
        scale.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn axes_have_some_ticks_and_not_too_many() {
        for (low, high) in [(1.0, 2.0), (0.95, 2.04), (-3.0, 4.0), (0.0, 77.0), (2.8e-4, 1.4e-3)] {
            let count = ticks_of(low, high, false).len();
            assert!((FEWEST..9).contains(&count), "{low} {high}: {count}");
        }
        for (low, high) in [(2.8e-4, 1.4e-3), (1e-5, 1.0), (1e2, 1e7), (0.06, 12.0), (0.3, 3e9)] {
            let count = ticks_of(low, high, true).len();
            assert!((FEWEST..9).contains(&count), "{low} {high}: {count}");
        }
        assert_eq!(ticks_of(0.06, 12.0, true), ["0.1", "1", "10"]);
        assert_eq!(ticks_of(0.95, 2.04, false), ["1", "1.25", "1.5", "1.75", "2"]);
    }
}
