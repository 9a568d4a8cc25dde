//! What a release did to the accounts of a ledger.

use super::answer::{cell, column, scrolled};
use super::drawing;
use super::markup::Markup;
use crate::Account;
use crate::accounts::{epsilon, left_of};

/// The accounts of tiers, where tiers have them, and what else there is to say.
pub(crate) fn section(out: &mut Markup, heading: &str, accounts: &[Account], notes: &[String]) {
    out.section("ledger", heading, |out| {
        out.paragraph(
            "A ledger keeps account of what all releases together have cost. What somebody has \
            spent is gone for good, and nobody spends more than \
             they allow in all.",
        );
        if let Some(first) = accounts.first() {
            scrolled(out, "Accounts, in ε for each person of a tier", |table| {
                table.element("thead", &[], |head| {
                    head.element("tr", &[], |row| {
                        column(row, "tier", false);
                        column(row, "allowed in all", true);
                        first.amounts.iter().for_each(|(heading, _)| column(row, heading, true));
                        column(row, "left", true);
                        column(row, "part that is left", false);
                    });
                });
                table.element("tbody", &[], |body| {
                    for account in accounts {
                        body.element("tr", &[], |row| {
                            row.element("th", &[("scope", "row")], |name| {
                                name.label(&account.level)
                            });
                            cell(row, "number", &epsilon(account.allowed));
                            account
                                .amounts
                                .iter()
                                .for_each(|(_, amount)| cell(row, "number", &epsilon(*amount)));
                            cell(row, "number", &epsilon(account.left));
                            row.element("td", &[("class", "drawing")], |cell| {
                                match left_of(account) {
                                    Some((share, text)) => {
                                        cell.text(&text);
                                        drawing::bar(cell, share);
                                    }
                                    None => cell.text("public"),
                                }
                            });
                        });
                    }
                });
            });
        }
        notes.iter().for_each(|note| out.paragraph(note));
    });
}
