//! Allowed, spent and kept budget of each tier, and its meaning for one of its people.

use suum_core::{Epsilon, Loss, Neighbors, ProtectedUnit, Spending};

use crate::content::Content;
use crate::figures::{budget, count, percent, rounded_up, significant, spent, tier, trimmed};
use crate::sentence::Sentence;
use crate::table::Table;
use crate::tiers::{Band, LINES, Line, Tier, kept_part};

/// Table of spending.
pub(crate) struct SpendingTable {
    pub(crate) lines: Vec<Line>,
    pub(crate) whom: ProtectedUnit,
    neighbors: Neighbors,
    /// True for a release, false for a plan.
    done: bool,
    /// Heading of the column of losses.
    pub(crate) heading: &'static str,
}

impl SpendingTable {
    /// Table of the certificate of a release.
    pub(crate) fn for_release(
        privacy: &[Spending],
        neighbors: Neighbors,
        whom: ProtectedUnit,
    ) -> Self {
        let lines = privacy.iter().map(Line::from_spending).collect();
        Self { lines, whom, neighbors, done: true, heading: "spent ε" }
    }

    /// Table of the spending of a plan; `at_most` says that the release may spend less.
    pub(crate) fn for_plan(lines: Vec<Line>, neighbors: Neighbors, at_most: bool) -> Self {
        let heading = if at_most { "spends at most" } else { "would spend" };
        Self { lines, whom: ProtectedUnit::Record, neighbors, done: false, heading }
    }

    /// Table of the spending of a plan whose statistics each have their own weights.
    pub(crate) fn for_losses(
        tiers: &[Tier],
        neighbors: Neighbors,
        loss: impl Fn(Epsilon) -> Loss,
    ) -> Self {
        let is_counted = !neighbors.hides_participation();
        let line = |tier: &Tier| {
            let tier = Tier { count: if is_counted { tier.count } else { 1 }, ..tier.clone() };
            Line { loss: loss(tier.epsilon), tier, is_counted, share: None }
        };
        Self::for_plan(tiers.iter().map(line).collect(), neighbors, false)
    }

    /// Returns true if the number of people of each tier is known; otherwise participation is
    /// protected.
    fn is_counted(&self) -> bool {
        !self.neighbors.hides_participation()
    }

    /// Title of the section.
    pub(crate) fn title(&self) -> String {
        match (self.is_counted(), self.done) {
            (false, true) => {
                format!("What {} with the declared budgets allow and spend", self.whom.many())
            }
            (false, false) => {
                "What records with the declared budgets allow and would spend".to_owned()
            }
            (true, true) => "What each tier allowed, and what was spent of it".to_owned(),
            (true, false) => {
                "What each tier allows, and what this release would spend of it".to_owned()
            }
        }
    }

    /// Content of the table.
    pub(crate) fn content(&self) -> Content {
        let shares = self.is_counted() && self.lines.iter().any(|line| line.share.is_some());
        let (one, many) = (self.whom.one(), self.whom.many());
        let caption = match (self.lines.len() > LINES, self.is_counted(), self.done) {
            (true, true, _) => {
                format!("Tenths of the {many}, the strictest first; the JSON has every level")
            }
            (_, false, _) => {
                "For all with a declared budget, whether or not there are any".to_owned()
            }
            (_, _, true) => caption(self.whom),
            (_, _, false) => format!("For each {one} of a tier, in ε, if the release is made"),
        };
        let mut content = Content::from_sentences([
            "People say themselves how much of their privacy a statistic may use, as a number ε: \
             the smaller, the more private. More than they allow is never used; what is kept can \
             still be used another time.",
        ]);
        content.table(
            Table::from_rows(caption, &Band::from_lines(&self.lines))
                .words("tier", name)
                .when(self.is_counted(), |table| table.number(many, |band| count(band.people())))
                .number("allowed ε", |band| band.ends(|line| budget(line.tier.epsilon)))
                .number(self.heading, losses)
                .number("kept", |band| band.ends(|line| kept_part(&line.loss, line.tier.epsilon)))
                .bars("spent of allowed", true, |band| {
                    let used: Vec<f64> = band.used().collect();
                    let mean = used.iter().sum::<f64>() / used.len() as f64;
                    (String::new(), Some(mean).filter(|_| !used.is_empty()))
                })
                .when(shares, |table| {
                    table.number("share of the estimate", |band| {
                        band.share().map_or_else(|| "–".into(), percent)
                    })
                }),
        );
        if self.lines.iter().any(|line| line.tier.epsilon.is_public()) {
            content.say(
                "∞ (public): these people said that their data need no protection. What a release \
                 spends of them is stated all the same.",
            );
        }
        content
    }

    /// Meaning of the losses for one of the people, for pages.
    pub(crate) fn meaning(&self) -> Content {
        let one = self.whom.one();
        let (said, would) = match self.done {
            true => ("In other words: ", "would have been"),
            false => ("If the release is made: ", "would be"),
        };
        let different = match (self.neighbors, self.whom) {
            (Neighbors::ReplaceOne, ProtectedUnit::Record) => {
                "had the value of one record been different"
            }
            (Neighbors::ReplaceOne, ProtectedUnit::Person) => {
                "had all data of one person been different"
            }
            (Neighbors::AddRemove, ProtectedUnit::Record) => {
                "had one record been left out, or been added"
            }
            (Neighbors::AddRemove, ProtectedUnit::Person) => {
                "had one person not taken part, or taken part who did not"
            }
            (Neighbors::Both, ProtectedUnit::Record) => {
                "had one record been left out or been added, or had another value"
            }
            (Neighbors::Both, ProtectedUnit::Person) => {
                "had one person not taken part, or taken part who did not, or had other data"
            }
        };
        let caption = format!("The most that anybody can learn about one {one}");
        // Question of each column, with the multiple of the loss that it is about.
        let questions: &[(&str, f64)] = match self.neighbors {
            Neighbors::ReplaceOne | Neighbors::Both => {
                &[("a result is at most … times as likely", 1.0)]
            }
            Neighbors::AddRemove => &[
                ("in the data or not: … times as likely", 1.0),
                ("one value or another: … times as likely", 2.0),
            ],
        };
        let mut content = Content::from_sentences([format!(
            "{said}{different}, the very same results {would} at most so many times as likely, or \
             as unlikely, as this table says. Take an observer who knows everything about all \
             others, and for whom two possibilities for this {one} are equally likely, 50 % each. \
             The last columns say how sure of one of them the observer can be after reading the \
             release, at most."
        )]);
        if self.neighbors == Neighbors::AddRemove {
            content.say(format!(
                "There are two questions. Is the {one} in the data at all? And, if it is known to \
                 be there, which of two values does it have? The second costs up to twice the \
                 first, because another value is one {one} less and another more: exp(2ε)."
            ));
        }
        if self.whom == ProtectedUnit::Record {
            content.say(
                "This is about one record. Of a person with several records an observer can learn \
                 more: what the records spent adds up.",
            );
        }
        let bands = Band::from_lines(&self.lines).into_iter();
        let rows: Vec<(&Line, Band<'_>)> =
            bands.filter_map(|band| Some((band.most()?, band))).collect();
        let mut table = Table::from_rows(caption, &rows)
            .words("tier", |(_, band)| name(band))
            .number(self.heading, |(most, _)| spent(&most.loss, most.tier.epsilon));
        for &(heading, times) in questions {
            let loss = move |most: &Line| times * most.loss.rounded_up();
            table = table
                .number(heading, |(most, _)| factor(loss(most)))
                .number("50 % becomes at most", |(most, _)| certainty(loss(most)));
        }
        content.table(table);
        content
    }
}

/// Caption of a certificate for this unit.
pub(crate) fn caption(whom: ProtectedUnit) -> String {
    format!("For each {} of a tier, in ε: smaller is more private", whom.one())
}

fn name(band: &Band<'_>) -> Sentence {
    match band.lines.as_slice() {
        [line] => Sentence::from_label(tier(&line.tier.level, line.tier.epsilon)),
        lines => format!("{}\u{a0}levels", count(lines.len() as u64)).into(),
    }
}

fn losses(band: &Band<'_>) -> Sentence {
    let text = band.ends(|line| spent(&line.loss, line.tier.epsilon));
    match band.lines.as_slice() {
        [line] if line.loss != Loss::Unlimited => {
            Sentence::default().number(text, line.loss.rounded_up())
        }
        _ => text.into(),
    }
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

/// Largest probability that 1/2 can become: exp(ε)/(1 + exp(ε)) in percent, rounded up.
fn certainty(loss: f64) -> String {
    let most = 100.0 / (1.0 + (-loss).exp());
    if most > 99.99 {
        return if loss.is_infinite() { "100 %".into() } else { "> 99.99 %".into() };
    }
    format!("{} %", trimmed(&significant(rounded_up(most, 4), 4)))
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
}
