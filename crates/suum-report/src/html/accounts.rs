//! What a release did to the accounts of a ledger.

use maud::{Markup, Render, html};

use super::drawing;
use super::markup::{label, section};
use super::table::Table;
use crate::Account;
use crate::accounts::{epsilon, left_of};

/// The accounts of tiers, where tiers have them, and what else there is to say.
pub(crate) fn of_tiers(heading: &str, accounts: &[Account], notes: &[String]) -> Markup {
    let inside = html! {
        p {
            "A ledger keeps account of what all releases together have cost. What somebody has \
            spent is gone for good, and nobody spends more than they allow in all."
        }
        @if let Some(first) = accounts.first() { (amounts(first, accounts)) }
        @for note in notes { p { (note) } }
    };
    section("ledger", heading, inside)
}

fn amounts(first: &Account, accounts: &[Account]) -> Markup {
    let mut table = Table::new("Accounts, in ε for each person of a tier", accounts)
        .words("tier", |account| label(&account.level))
        .number("allowed in all", |account| epsilon(account.allowed));
    for (at, (heading, _)) in first.amounts.iter().enumerate() {
        table = table.number(heading, move |account| {
            account.amounts.get(at).map_or_else(String::new, |(_, amount)| epsilon(*amount))
        });
    }
    table
        .number("left", |account| epsilon(account.left))
        .drawing("part that is left", |account| match left_of(account) {
            Some((share, text)) => html! { (text) (drawing::bar(share)) },
            None => html! { "public" },
        })
        .render()
}
