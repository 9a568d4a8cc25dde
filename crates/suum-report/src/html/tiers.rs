//! What each tier allowed, what was spent of it and what was kept, and what that means for one of
//! its people.

use maud::{Markup, html};
use suum_core::{Epsilon, Loss, Neighbors, Protected, Spending};

use super::drawing;
use super::markup::{data, label};
use super::table::Table;
use crate::figures::{budget, count, percent, rounded_up, significant, spent, tier, trimmed};
use crate::tiers::{LINES, Line, Tier, kept};

/// Tiers that share a line of a table: one, or a tenth of the people where there are very many.
struct Band<'a> {
    lines: Vec<&'a Line>,
}

/// Which tiers a table is about.
pub(crate) struct Spent {
    lines: Vec<Line>,
    whom: Protected,
    neighbors: Neighbors,
    /// Whether it has happened.
    done: bool,
}

impl Spent {
    /// The certificate of a release; `done` if it is not only planned.
    pub(crate) fn of_release(
        privacy: &[Spending],
        neighbors: Neighbors,
        done: bool,
        whom: Protected,
    ) -> Self {
        Self { lines: privacy.iter().map(Line::of_release).collect(), whom, neighbors, done }
    }

    /// What a plan would spend.
    pub(crate) fn of_plan(lines: Vec<Line>) -> Self {
        Self { lines, whom: Protected::Record, neighbors: Neighbors::ReplaceOne, done: false }
    }

    /// Whether it is known how many there are of each tier; if not, presence is protected.
    fn counted(&self) -> bool {
        !self.neighbors.hides_participation()
    }

    /// Whether there are too many tiers for a line each.
    pub(crate) fn is_long(&self) -> bool {
        self.lines.len() > LINES
    }

    fn bands(&self) -> Vec<Band<'_>> {
        if !self.is_long() {
            return self.lines.iter().map(|line| Band { lines: vec![line] }).collect();
        }
        let mut sorted: Vec<&Line> = self.lines.iter().collect();
        sorted.sort_by(|a, b| a.tier.epsilon.get().total_cmp(&b.tier.epsilon.get()));
        let people: u128 = sorted.iter().map(|line| u128::from(line.tier.count)).sum();
        let mut bands: Vec<Band<'_>> = Vec::new();
        let (mut before, mut open) = (0u128, None);
        for line in sorted {
            // The tenth in which the first of the people of this level are.
            let tenth = before * 10 / people.max(1);
            before += u128::from(line.tier.count);
            match bands.last_mut() {
                Some(band) if open == Some(tenth) => band.lines.push(line),
                _ => bands.push(Band { lines: vec![line] }),
            }
            open = Some(tenth);
        }
        bands
    }

    /// The table of spending.
    pub(crate) fn table(&self) -> Markup {
        let shares = self.counted() && self.lines.iter().any(|line| line.share.is_some());
        let (one, many) = (self.whom.one(), self.whom.many());
        let caption = match (self.is_long(), self.counted(), self.done) {
            (true, true, _) => {
                format!("Tenths of the {many}, the strictest first; the JSON has every level")
            }
            (_, false, _) => {
                "For all with a declared budget, whether or not there are any".to_owned()
            }
            (_, _, true) => caption(self.whom),
            (_, _, false) => format!("For each {one} of a tier, in ε, if the release is made"),
        };
        let table = Table::new(caption, self.bands())
            .words("tier", Band::name)
            .when(self.counted(), |table| table.number(many, |band| count(band.people())))
            .number("allowed ε", |band| band.ends(|line| budget(line.tier.epsilon)))
            .number(self.spending(), Band::spent)
            .number("kept", |band| band.ends(|line| kept(&line.loss, line.tier.epsilon)))
            .narrow_drawing("spent of allowed", |band| {
                band.used().map(drawing::bar).unwrap_or_default()
            })
            .when(shares, |table| {
                table.number("share of the estimate", |band| {
                    band.share().map_or_else(|| "–".into(), percent)
                })
            });
        html! {
            p {
                "People say themselves how much of their privacy a statistic may use, as a number \
                ε: the smaller, the more private. More than they allow is never used; what is kept \
                can still be used another time."
            }
            (table)
            @if self.lines.iter().any(|line| line.tier.epsilon.is_public()) {
                p {
                    "∞ (public): these people said that their data need no protection. What a \
                    release spends of them is stated all the same."
                }
            }
        }
    }

    /// What the column of losses is called.
    fn spending(&self) -> &'static str {
        if self.done { "spent ε" } else { "would spend" }
    }

    /// What the losses mean for one of them.
    pub(crate) fn meaning(&self) -> Markup {
        let (one, would) =
            (self.whom.one(), if self.done { "would have been" } else { "would be" });
        let said = if self.done { "In other words: " } else { "If the release is made: " };
        let different = match (self.neighbors, self.whom) {
            (Neighbors::ReplaceOne, Protected::Record) => {
                "had the value of one record been different"
            }
            (Neighbors::ReplaceOne, Protected::Person) => {
                "had all data of one person been different"
            }
            (Neighbors::AddRemove, Protected::Record) => {
                "had one record been left out, or been added"
            }
            (Neighbors::AddRemove, Protected::Person) => {
                "had one person not taken part, or taken part who did not"
            }
            (Neighbors::Both, Protected::Record) => {
                "had one record been left out or been added, or had another value"
            }
            (Neighbors::Both, Protected::Person) => {
                "had one person not taken part, or taken part who did not, or had other data"
            }
        };
        let caption = format!("The most that anybody can learn about one {one}");
        // How often each loss is spent on what a column is about.
        let questions: &[(&str, f64)] = match self.neighbors {
            Neighbors::ReplaceOne | Neighbors::Both => {
                &[("a result is at most … times as likely", 1.0)]
            }
            Neighbors::AddRemove => &[
                ("in the data or not: … times as likely", 1.0),
                ("one value or another: … times as likely", 2.0),
            ],
        };
        let rows = self.bands().into_iter().filter_map(|band| Some((band.most()?, band)));
        let mut table = Table::new(caption, rows)
            .words("tier", |(_, band)| band.name())
            .number(self.spending(), |(most, _)| spent(&most.loss, most.tier.epsilon));
        for &(heading, times) in questions {
            let loss = move |most: &Line| times * most.loss.rounded_up();
            table = table
                .number(heading, move |(most, _)| factor(loss(most)))
                .number("50 % becomes at most", move |(most, _)| certainty(loss(most)));
        }
        html! {
            p {
                (said) (different) ", the very same results " (would) " at most so many times as \
                likely, or as unlikely, as this table says. Take an observer who knows everything \
                about all others, and for whom two possibilities for this " (one) " are equally \
                likely, 50 % each. The last columns say how sure of one of them the observer can \
                be after reading the release, at most."
            }
            @if self.neighbors == Neighbors::AddRemove {
                p {
                    "There are two questions. Is the " (one) " in the data at all? And, if it is \
                    known to be there, which of two values does it have? The second costs up to \
                    twice the first, because another value is one " (one) " less and another more: \
                    exp(2ε)."
                }
            }
            @if self.whom == Protected::Record {
                p {
                    "This is about one record. Of a person with several records an observer can \
                    learn more: what the records spent adds up."
                }
            }
            (table)
        }
    }
}

/// For whom a certificate is.
pub(crate) fn caption(whom: Protected) -> String {
    format!("For each {} of a tier, in ε: smaller is more private", whom.one())
}

/// exp(ε), rounded up.
fn factor(loss: f64) -> String {
    match loss.exp() {
        factor if loss == 0.0 => significant(factor, 1),
        factor if factor.is_finite() && factor < 1e6 => {
            trimmed(&significant(rounded_up(factor, 4), 4))
        }
        factor if factor.is_finite() => significant(rounded_up(factor, 2), 2),
        _ => "∞".into(),
    }
}

/// What a probability of a half can become: exp(ε)/(1 + exp(ε)), rounded up.
fn certainty(loss: f64) -> String {
    let most = 100.0 / (1.0 + (-loss).exp());
    if most > 99.99 {
        return if loss.is_infinite() { "100 %".into() } else { "> 99.99 %".into() };
    }
    format!("{} %", trimmed(&significant(rounded_up(most, 4), 4)))
}

impl<'a> Band<'a> {
    fn name(&self) -> Markup {
        match self.lines.as_slice() {
            [line] => label(&tier(&line.tier.level, line.tier.epsilon)),
            lines => html! { (count(lines.len() as u64)) "\u{a0}levels" },
        }
    }

    fn people(&self) -> u64 {
        self.lines.iter().map(|line| line.tier.count).sum()
    }

    /// What the first and the last one have, if they differ, in words.
    fn ends(&self, text: impl Fn(&Line) -> String) -> String {
        let (Some(first), Some(last)) = (self.lines.first(), self.lines.last()) else {
            return String::new();
        };
        let (first, last) = (text(first), text(last));
        if first == last { first } else { format!("{first} to {last}") }
    }

    /// The line of the largest loss.
    fn most(&self) -> Option<&'a Line> {
        self.lines
            .iter()
            .copied()
            .max_by(|a, b| a.loss.rounded_up().total_cmp(&b.loss.rounded_up()))
    }

    fn spent(&self) -> Markup {
        let text = self.ends(|line| spent(&line.loss, line.tier.epsilon));
        match self.lines.as_slice() {
            [line] if line.loss != Loss::Unlimited => data(line.loss.rounded_up(), &text),
            _ => html! { (text) },
        }
    }

    /// The part of its budget that the band has spent; none where that says nothing.
    fn used(&self) -> Option<f64> {
        let ratio = |line: &&Line| {
            let Tier { epsilon, .. } = line.tier;
            let known = !epsilon.is_public() && !epsilon.is_unused();
            known.then(|| line.loss.rounded_up() / Epsilon::get(epsilon))
        };
        let used: Vec<f64> = self.lines.iter().filter_map(ratio).collect();
        (!used.is_empty()).then(|| used.iter().sum::<f64>() / used.len() as f64)
    }

    fn share(&self) -> Option<f64> {
        self.lines.iter().map(|line| line.share).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_observer_learns_is_rounded_up() {
        assert_eq!(factor(0.0), "1");
        assert_eq!(factor(0.01), "1.011");
        assert_eq!(factor(1.0), "2.719");
        assert_eq!(factor(f64::INFINITY), "∞");
        assert_eq!(certainty(0.0), "50 %");
        assert_eq!(certainty(0.01), "50.25 %");
        assert_eq!(certainty(0.1), "52.5 %");
        assert_eq!(certainty(1.0), "73.11 %");
        assert_eq!(certainty(20.0), "> 99.99 %");
        assert_eq!(certainty(f64::INFINITY), "100 %");
    }

    #[test]
    fn many_tiers_become_tenths_of_the_people() {
        let line = |at: u32| Line {
            tier: Tier {
                level: at.to_string(),
                epsilon: Epsilon::new(f64::from(at)).unwrap(),
                count: if at == 500 { 900 } else { 1 },
            },
            loss: Loss::ratio(u64::from(at.min(700)), 1),
            share: Some(0.001),
        };
        let spent = Spent::of_plan((1..=1000).rev().map(line).collect());
        let bands = spent.bands();
        assert!(bands.len() <= 10);
        assert_eq!(bands.iter().map(Band::people).sum::<u64>(), 1899);
        assert_eq!(bands[0].ends(|line| budget(line.tier.epsilon)), "1 to 190");
        assert_eq!(bands.last().unwrap().most().map(|line| line.loss.rounded_up()), Some(700.0));
        assert!((bands.iter().filter_map(Band::share).sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
