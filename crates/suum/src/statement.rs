//! What a release did to the accounts of a ledger, in words.

use suum_report::{Account, Page};

use crate::meter::{Statement, TierStatement};

/// What a release or plan did or would do to the accounts, in words.
pub(crate) fn text(statement: &Statement) -> String {
    let mut out = heading(statement) + "\n";
    let accounts = accounts(statement);
    if !accounts.is_empty() {
        out.push_str(&suum_report::accounts_text(&accounts));
    }
    for note in notes(statement) {
        out.push_str(&format!("  {note}\n"));
    }
    out
}

/// The page of a release or plan with what it did or would do to the accounts.
pub(crate) fn onto_page(page: Page, statement: &Statement) -> Page {
    let page = page.with_accounts(&heading(statement), &accounts(statement), &notes(statement));
    match statement.said_first() {
        Some(sentence) => page.with_notice(&sentence),
        None => page,
    }
}

fn heading(statement: &Statement) -> String {
    let entry = match statement.entry {
        Some(entry) => format!(", entry {entry}"),
        None => ", if it is made".to_owned(),
    };
    format!("Ledger, dataset {}{entry}", statement.dataset)
}

fn accounts(statement: &Statement) -> Vec<Account> {
    let spent = if statement.entry.is_some() { "this release" } else { "would cost" };
    let account = |tier: &TierStatement| Account {
        level: tier.level.clone(),
        allowed: tier.allowed.in_epsilon(),
        amounts: vec![("before", tier.before.in_epsilon()), (spent, tier.spent.in_epsilon())],
        left: tier.left.in_epsilon(),
    };
    statement.tiers.iter().map(account).collect()
}

/// What there is to say besides the accounts of tiers.
fn notes(statement: &Statement) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(again) = &statement.shown_again {
        let version = again.suum.as_deref().unwrap_or("of another version");
        notes.push(format!(
            "The answer above is the one that suum {version} stored when it was released.\n  \
             It is of the same query and edition; whether the data have changed since was not\n  \
             looked at. --again makes a new release, which costs something."
        ));
        return notes;
    }
    if let Some(persons) = &statement.persons {
        let most = persons.most.in_epsilon();
        notes.push(format!(
            "{} persons, each charged what they lose: at most {most}",
            persons.charged
        ));
    }
    notes.extend(rests(statement));
    let (exhausted, not_asked) =
        (statement.exhausted.unwrap_or(0), statement.not_asked.unwrap_or(0));
    if let Some(people) = statement.people.filter(|_| exhausted + not_asked > 0) {
        let uncounted = exhausted + not_asked;
        let many = statement.many();
        let percent = 100.0 * uncounted as f64 / people.max(1) as f64;
        let why = match (exhausted, not_asked) {
            (_, 0) => "have nothing left".to_owned(),
            (0, _) => "are asked for nothing".to_owned(),
            _ => format!("have nothing left ({exhausted}) or are asked for nothing ({not_asked})"),
        };
        notes.push(format!(
            "{uncounted} of {people} {many} ({percent:.1} %) {why} and do not count.\n  If their \
            values differ from those of \
             the others, the result is off towards the others,\n  by up to {percent:.1} % of the \
             difference; no interval contains that."
        ));
    }
    if let Some(warning) = &statement.warning {
        notes.push(format!("{warning}\n  So all that was reserved counts as spent."));
    }
    if statement.sealed {
        if statement.tiers.is_empty() {
            notes.push(
                "Each person is charged no less than they lose, and no more than they may spend."
                    .to_owned(),
            );
        }
        notes.push(
            "The ledger is sealed: who takes part is hidden, so keep it as safe as the data."
                .into(),
        );
    }
    notes
}

/// Where an instalment is more than what is left, so that the rest is taken.
fn rests(statement: &Statement) -> Vec<String> {
    let took = if statement.entry.is_some() { "was taken" } else { "would be taken" };
    let of_tier = |tier: &TierStatement| {
        let (instalment, had) = (tier.instalment?, tier.had);
        let level = &tier.level;
        Some(format!("{level}: {instalment} was asked for; {had} was left, and all of it {took}"))
    };
    let persons = statement.persons.iter().filter(|persons| persons.rest > 0).map(|persons| {
        let rest = persons.rest;
        format!("{rest} had less left than was asked for: all that was left {took}")
    });
    statement.tiers.iter().filter_map(of_tier).chain(persons).collect()
}
