//! Effect of a release on the accounts of a ledger.

use maud::{Markup, html};

use super::markup::section;
use crate::Account;
use crate::accounts::{amounts, left_of};
use crate::table::Table;

/// Accounts of tiers, if tiers have them, and further notes.
pub(crate) fn tier_section(heading: &str, accounts: &[Account], notes: &[String]) -> Markup {
    let left = |account: &Account| match left_of(account) {
        Some((share, text)) => (text, Some(share)),
        None => ("public".to_owned(), None),
    };
    let table = amounts("Accounts, in ε for each person of a tier", accounts);
    let mut table = Table::from(table.bars("part that is left", false, left));
    // Behind the names, so that narrow screens show the bars before they scroll.
    table.columns[1..].rotate_right(1);
    let inside = html! {
        p {
            "A ledger keeps account of what all releases together have cost. What somebody has \
            spent is gone for good, and nobody spends more than they allow in all."
        }
        @if !accounts.is_empty() { (table) }
        @for note in notes { p { (note) } }
    };
    section("ledger", heading, inside)
}
