//! Accounts of privacy budget: allowed in all, spent, and left.

use std::fmt::Write;

use crate::figures::{bar, percent};
use crate::prose::{self, Text};
use crate::sentence::Sentence;
use crate::table::{Rows, Table};
use crate::view::View;

/// Account of a tier, in ε.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// The tier.
    pub level: String,
    /// Amount that each of its people allows in all; infinite if public.
    pub allowed: f64,
    /// Amounts in ε, each with its heading.
    pub amounts: Vec<(&'static str, f64)>,
    /// Amount that is left.
    pub left: f64,
}

/// Length of the bar of a full account, where there is room.
const LENGTH: usize = 20;

/// Least length of such a bar; a shorter one is not drawn.
const LEAST: usize = 6;

/// Accounts with a bar for what is left of each, as long as there is room on the screen.
///
/// # Example
///
/// ```
/// use suum_report::{Account, View};
///
/// let strict = Account {
///     level: "strict".into(),
///     allowed: 0.1,
///     amounts: vec![("spent", 0.075)],
///     left: 0.025,
/// };
/// let text = suum_report::accounts_text(&[strict], &View::default());
/// assert!(text.contains("0.025  █████") && text.contains("25 %"));
/// ```
pub fn accounts_text(accounts: &[Account], view: &View) -> String {
    let beside = Table::from(amounts("", accounts)).width() + "  ".len() + " 99.9 %".len();
    let length = view.width().saturating_sub(beside).min(LENGTH);
    let table = amounts("", accounts).words("", |account| match left_of(account) {
        Some((_, text)) if length < LEAST => text,
        Some((share, text)) => format!("{:<length$} {text}", bar(share, length)),
        None => "public".to_owned(),
    });
    let mut out = Text::new(view);
    out.table(&table.into());
    out.finish()
}

/// Table of the amount allowed to each tier in all, its amounts, and what is left.
pub(crate) fn amounts<'a>(caption: &str, accounts: &'a [Account]) -> Rows<'a, Account> {
    let headings = accounts.first().map_or(&[][..], |first| first.amounts.as_slice());
    let mut table = Table::from_rows(caption, accounts)
        .words("tier", |account| Sentence::from_label(&account.level))
        .number("allowed in all", |account| epsilon(account.allowed));
    for (at, (heading, _)) in headings.iter().enumerate() {
        table = table.number(*heading, move |account| {
            account.amounts.get(at).map_or_else(String::new, |(_, amount)| epsilon(*amount))
        });
    }
    table.number("left", |account| epsilon(account.left))
}

/// Largest number of characters of a sparkline.
const SPARKS: usize = 40;

/// Draws shares of one over time as a line of blocks, followed by the last share in words. A long
/// series is sampled evenly, with its first and last shares.
///
/// # Example
///
/// ```
/// assert_eq!(suum_report::sparkline(&[1.0, 0.5, 0.25, 0.0]), "█▅▃▁  0 %");
/// assert_eq!(suum_report::sparkline(&[1.0; 365]).chars().count(), 40 + "  100 %".len());
/// assert_eq!(suum_report::sparkline(&[]), "");
/// ```
pub fn sparkline(shares: &[f64]) -> String {
    let Some(last) = shares.last() else { return String::new() };
    let length = shares.len().min(SPARKS);
    let at = |place: usize| place * (shares.len() - 1) / (length - 1).max(1);
    let block = |place: usize| {
        let share = shares[if length == 1 { 0 } else { at(place) }].clamp(0.0, 1.0);
        ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][(share * 7.0).round() as usize]
    };
    format!("{}  {}", (0..length).map(block).collect::<String>(), percent(*last))
}

/// Writes what a release did to accounts: a heading, the accounts, and further notes.
///
/// # Example
///
/// ```
/// use suum_report::View;
///
/// let notes = ["It is kept.".to_owned()];
/// let text = suum_report::effect_text("Ledger", &[], &notes, &View::default());
/// assert_eq!(text, "\nLedger\n  It is kept.\n");
/// ```
pub fn effect_text(heading: &str, accounts: &[Account], notes: &[String], view: &View) -> String {
    let mut out = Text::new(view);
    out.heading(heading);
    if !accounts.is_empty() {
        // Writing to a text cannot fail.
        let _ = out.write_str(&accounts_text(accounts, view));
    }
    notes.iter().for_each(|note| prose::indented(&mut out, note));
    out.finish()
}

/// Share of an account that is left, as a number and in words; `None` if the tier is public.
pub(crate) fn left_of(account: &Account) -> Option<(f64, String)> {
    let share = if account.allowed > 0.0 { account.left / account.allowed } else { 0.0 };
    account.allowed.is_finite().then(|| (share, percent(share)))
}

/// Amount with six digits; amounts are whole millionths, so these are exact.
pub(crate) fn epsilon(amount: f64) -> String {
    if amount.is_infinite() {
        return "∞".into();
    }
    let text = format!("{amount:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_fit_every_screen() {
        let account = |level: &str, allowed| Account {
            level: level.to_owned(),
            allowed,
            amounts: vec![("spent", 0.375708), ("reserved", 0.125236)],
            left: allowed - 0.500944,
        };
        let accounts = [account("relaxed", 10.0), account("public", f64::INFINITY)];
        for columns in [60, 80, 120] {
            let text = accounts_text(&accounts, &View::default().wide(columns));
            assert!(text.lines().all(|line| line.chars().count() <= columns), "{text}");
            assert!(text.contains("9.499056") && text.contains("95 %"), "{text}");
        }
    }
}
