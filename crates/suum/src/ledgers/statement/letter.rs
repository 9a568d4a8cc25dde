//! Wording of a statement.

use suum_core::Neighbors;
use suum_ledger::Amount;
use suum_report::{Letter, LetterPart, LetterSection};

use super::texts::{Texts, fill};
use super::{StatementRecord, UseRecord, right_of_100};

impl StatementRecord {
    /// Writes the statement in the words of a language.
    pub(super) fn letter(&self, texts: &Texts, date: &str) -> Letter {
        let level = self.level.as_deref().unwrap_or_default();
        let values = [("level", level), ("date", date), ("dataset", self.dataset.as_str())];
        let (kind, title, notice) = match self.is_of_tier() {
            true => (texts.kind_of_tier, texts.title_of_tier, texts.notice_of_tier),
            false => (texts.kind, texts.title, texts.notice),
        };
        let section = |id, heading: &str, paragraphs| LetterSection {
            id,
            heading: heading.to_owned(),
            paragraphs,
            ..LetterSection::default()
        };
        let uses = LetterSection {
            parts: self.uses.iter().map(|one| self.use_words(texts, one)).collect(),
            ..section("uses", texts.uses, self.no_use_words(texts))
        };
        let summary = LetterSection {
            share: self.share_left(),
            ..section("summary", texts.summary, self.summary_words(texts))
        };
        Letter {
            kind: kind.to_owned(),
            title: fill(title, &values),
            notice: fill(notice, &values),
            sections: vec![
                summary,
                section("allowed", texts.allowed, self.allowed_words(texts)),
                uses,
                section("left", texts.left, self.left_words(texts)),
                section("withdraw", texts.withdraw, self.withdraw_words(texts)),
                section("limits", texts.limits, self.limits_words(texts)),
            ],
        }
    }

    fn is_of_tier(&self) -> bool {
        self.statement_for == "tier"
    }

    /// Returns the share of the allowance that is left, where it is a single number.
    fn share_left(&self) -> Option<f64> {
        let (allowed, left) = (self.allowed?.in_epsilon(), self.left?.in_epsilon());
        (self.delta.is_none() && allowed.is_finite() && allowed > 0.0).then_some(left / allowed)
    }

    fn amount(&self, texts: &Texts, amount: Amount) -> String {
        match amount {
            Amount::Micro(_) => amount.to_string(),
            Amount::Unlimited => texts.unlimited.to_owned(),
        }
    }

    fn summary_words(&self, texts: &Texts) -> Vec<String> {
        let used = self.amount(texts, self.used);
        let amount = |amount: Option<Amount>| {
            amount.map_or_else(String::new, |amount| self.amount(texts, amount))
        };
        let (allowed, left) = (amount(self.allowed), amount(self.left));
        let share = self.share_left().map_or_else(String::new, |share| {
            // Down, as what is left is never shown as more than it is.
            let percent = decimal((1000.0 * share + 1e-9).floor() / 10.0);
            fill(texts.summary_share, &[("share", &format!("{percent} %"))])
        });
        let values =
            [("allowed", allowed.as_str()), ("used", &used), ("left", &left), ("share", &share)];
        let numbers = match self.allowed {
            Some(_) if self.lowered => texts.summary_lowered,
            Some(Amount::Unlimited) => texts.summary_unlimited,
            Some(_) => texts.summary_numbers,
            None if self.uses.is_empty() => texts.summary_unknown,
            None => texts.summary_used_only,
        };
        let mut words = vec![fill(numbers, &values), texts.summary_meaning.to_owned()];
        if !self.uses.is_empty() {
            words.extend(self.guess_words(texts));
        }
        words
    }

    /// Explains all uses together as the chances of somebody who guesses.
    fn guess_words(&self, texts: &Texts) -> Vec<String> {
        if self.used == Amount::Unlimited {
            return vec![texts.guess_unlimited.to_owned()];
        }
        // The most that is allowed is a limit of guesses only where nothing went beyond it, and in
        // pure ε.
        let limit = self.allowed.filter(|_| self.delta.is_none() && !self.exceeded);
        let limit = limit.filter(|allowed| *allowed != Amount::Unlimited);
        let guess = |text: &str, times: f64| {
            let right = |amount: Amount| decimal(right_of_100(times * amount.in_epsilon()));
            let most = limit.map(|limit| fill(texts.guess_most, &[("most", &right(limit))]));
            let now = right(self.used);
            fill(text, &[("now", &now), ("most", most.as_deref().unwrap_or_default())])
        };
        match self.relation {
            Neighbors::ReplaceOne => vec![guess(texts.guess_of_values, 1.0)],
            Neighbors::Both => {
                vec![guess(texts.guess_of_values, 1.0), guess(texts.guess_of_presence, 1.0)]
            }
            // A change of values is a removal and an addition.
            Neighbors::AddRemove => {
                vec![guess(texts.guess_of_presence, 1.0), guess(texts.guess_of_changes, 2.0)]
            }
        }
    }

    fn allowed_words(&self, texts: &Texts) -> Vec<String> {
        let mut words = vec![fill(texts.opened, &[("date", day(&self.opened))])];
        let of = |text: &str, date: &str, level: &str, allowed: Amount| {
            let allowed = self.amount(texts, allowed);
            fill(text, &[("date", day(date)), ("level", level), ("allowed", &allowed)])
        };
        match (self.is_of_tier(), self.allowed, &self.level) {
            (true, Some(allowed), Some(level)) => {
                words.push(of(texts.allowed_by_tier, "", level, allowed));
            }
            (_, Some(allowed), _) if self.choices.is_empty() => {
                words.push(of(texts.allowed_by_all, "", "", allowed));
            }
            (_, None, _) if !self.tiers.is_empty() => {
                let tier = |(label, allowed): &(String, Amount)| {
                    format!("“{label}” {}", self.amount(texts, *allowed))
                };
                let choices: Vec<String> = self.tiers.iter().map(tier).collect();
                words.push(fill(texts.choices, &[("choices", &choices.join(", "))]));
            }
            (_, None, _) => words.push(texts.own_later.to_owned()),
            _ => words.extend(self.choices.iter().map(|choice| match &choice.level {
                _ if choice.withdrawn => of(texts.withdrawn, &choice.at, "", choice.allowed),
                Some(level) => of(texts.choice, &choice.at, level, choice.allowed),
                None => of(texts.own, &choice.at, "", choice.allowed),
            })),
        }
        words.push(texts.kept.to_owned());
        words
    }

    fn no_use_words(&self, texts: &Texts) -> Vec<String> {
        let text = match (self.uses.is_empty(), self.is_of_tier()) {
            (false, _) => return Vec::new(),
            (true, false) if !self.choices.is_empty() => texts.nothing_used,
            (true, false) => texts.nothing,
            (true, true) => texts.nothing_of_tier,
        };
        vec![text.to_owned()]
    }

    fn use_words(&self, texts: &Texts, one: &UseRecord) -> LetterPart {
        let what = match &one.because {
            Some(_) => texts.elsewhere.to_owned(),
            None => texts.words_of(
                one.statistic.as_deref().unwrap_or_default(),
                one.column.as_deref().unwrap_or_default(),
                &one.group_by,
            ),
        };
        let heading = fill(texts.use_heading, &[("date", day(&one.at)), ("what", &what)]);
        let mut paragraphs = Vec::new();
        if let Some(because) = &one.because {
            paragraphs.push(fill(texts.elsewhere_because, &[("because", because)]));
        }
        if one.state == "open" {
            paragraphs.push(texts.use_open.to_owned());
        }
        if one.epsilon == Amount::Unlimited {
            paragraphs.push(texts.use_unlimited.to_owned());
            return LetterPart { heading, paragraphs };
        }
        let used = one.epsilon.to_string();
        let guess = fill(texts.use_guess, &[("guess", &decimal(one.guess))]);
        let words = match (self.share_of(one), one.left) {
            (Some(share), Some(left)) => {
                let left = left.to_string();
                fill(texts.use_share, &[("used", &used), ("share", &share), ("left", &left)])
            }
            _ => fill(texts.use_alone, &[("used", &used)]),
        };
        paragraphs.push(format!("{words} {guess}"));
        LetterPart { heading, paragraphs }
    }

    /// Returns the share of the allowance that a use took, in percent, rounded up to a tenth.
    fn share_of(&self, one: &UseRecord) -> Option<String> {
        let allowed = one.allowed.filter(|_| self.delta.is_none())?.in_epsilon();
        let share = 1000.0 * one.epsilon.in_epsilon() / allowed;
        let is_share = allowed.is_finite() && allowed > 0.0;
        is_share.then(|| format!("{} %", decimal((share - 1e-9).ceil() / 10.0)))
    }

    fn left_words(&self, texts: &Texts) -> Vec<String> {
        let used = self.amount(texts, self.used);
        let text = |amount: Option<Amount>| {
            amount.map_or_else(String::new, |amount| self.amount(texts, amount))
        };
        let (allowed, left) = (text(self.allowed), text(self.left));
        let words = match self.left {
            None => texts.left_unknown,
            _ if self.lowered => texts.left_withdrawn,
            _ if self.exceeded => texts.left_exceeded,
            Some(Amount::Unlimited) => texts.left_unlimited,
            Some(left) if left.is_zero() => texts.left_nothing,
            Some(_) => texts.left_some,
        };
        let values = [("used", used.as_str()), ("allowed", &allowed), ("left", &left)];
        let mut words = vec![fill(words, &values)];
        words.extend(self.forecast.as_ref().map(|forecast| {
            let text = match (forecast.releases, forecast.in_all) {
                (0, _) => texts.forecast_none,
                (1, false) => texts.forecast_one,
                (_, false) => texts.forecast,
                (1, true) => texts.forecast_one_in_all,
                (_, true) => texts.forecast_in_all,
            };
            fill(text, &[("count", &forecast.releases.to_string())])
        }));
        if let (Some(delta), Some(total)) = (self.delta, self.total)
            && total < self.used
        {
            let (total, delta) = (self.amount(texts, total), delta.to_string());
            let values = [("total", total.as_str()), ("delta", &delta), ("used", &used)];
            words.push(fill(texts.second_account, &values));
        }
        if self.delta_of_categories > 0.0 {
            let delta = format!("{:e}", self.delta_of_categories);
            words.push(fill(texts.found_categories, &[("delta", &*delta)]));
        }
        words
    }

    fn withdraw_words(&self, texts: &Texts) -> Vec<String> {
        let participation = match self.relation.hides_participation() {
            true => texts.withdraw_is_hidden,
            false => texts.withdraw_is_seen,
        };
        let words = [texts.withdraw_how, texts.withdraw_cannot, participation];
        words.map(str::to_owned).to_vec()
    }

    fn limits_words(&self, texts: &Texts) -> Vec<String> {
        let checked = fill(texts.limits_checked, &[("version", env!("CARGO_PKG_VERSION"))]);
        let of_tier = self.is_of_tier().then(|| texts.limits_of_tier.to_owned());
        [texts.limits_of_account.to_owned()].into_iter().chain(of_tier).chain([checked]).collect()
    }
}

/// Returns the day of a time such as `2026-03-01T12:00:00Z`.
pub(in crate::ledgers) fn day(at: &str) -> &str {
    at.split('T').next().unwrap_or(at)
}

/// Writes a number with at most one decimal.
pub(in crate::ledgers) fn decimal(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}
