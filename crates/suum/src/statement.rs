//! Effect of a release on the accounts of a ledger, in words.

use suum_report::{Account, Page, View};

use crate::accountant::{Forecast, PersonStatement, Statement, TierStatement};

/// Text on the effect of a release or plan on the accounts.
pub(crate) fn text(statement: &Statement, view: &View) -> String {
    suum_report::statement_text(&heading(statement), &accounts(statement), &notes(statement), view)
}

/// Sentences right below the answer of a short text: people who do not count, and failures.
pub(crate) fn below(statement: &Statement) -> Vec<String> {
    let rests = rests(statement).into_iter();
    uncounted(statement).into_iter().chain(rests).chain(warning(statement)).collect()
}

/// Sentences at the end of a short text: the accounts in a line.
pub(crate) fn last(statement: &Statement) -> Vec<String> {
    let tiers = statement.tiers.iter().filter(|tier| tier.allowed.in_epsilon().is_finite());
    let tiers: Vec<String> =
        tiers.map(|tier| format!("{} {}", tier.level, tier.left.in_epsilon())).collect();
    let left = match (&statement.persons, tiers.is_empty()) {
        (Some(persons), _) => persons_charged(persons),
        (None, true) => "tiers are public".to_owned(),
        (None, false) => format!("left ε: {}", tiers.join(", ")),
    };
    let forecast = statement.forecast.iter().map(|forecast| format!(" {}", forecast.text()));
    let left = format!("{left}.{}", forecast.collect::<String>());
    let sealed = if statement.sealed { format!(" {SEALED}") } else { String::new() };
    vec![format!("{}: {left}{sealed}", heading(statement))]
}

/// Page of a release or plan with its effect on the accounts.
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

/// Notes besides the accounts of tiers.
fn notes(statement: &Statement) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(again) = &statement.shown_again {
        let version = again.suum.as_deref().unwrap_or("of another version");
        notes.push(format!(
            "The answer above is the one that suum {version} stored when it was released. It is \
             of the same query and edition; whether the data have changed since was not looked \
             at. To ask for it again (again) makes a new release, which costs something."
        ));
        return notes;
    }
    notes.extend(statement.persons.as_ref().map(persons_charged));
    notes.extend(rests(statement));
    notes.extend(uncounted(statement));
    notes.extend(warning(statement));
    notes.extend(statement.forecast.as_ref().map(Forecast::text));
    if statement.sealed {
        if statement.tiers.is_empty() {
            notes.push(
                "Each person is charged no less than they lose, and no more than they may spend."
                    .to_owned(),
            );
        }
        notes.push(SEALED.to_owned());
    }
    notes
}

/// Notes on instalments that exceed what is left, so that the rest is taken.
fn rests(statement: &Statement) -> Vec<String> {
    let took = if statement.entry.is_some() { "was taken" } else { "would be taken" };
    let of_tier = |tier: &TierStatement| {
        let (instalment, had) = (tier.instalment?, tier.had);
        let level = &tier.level;
        Some(format!("{level}: {instalment} was asked for; {had} was left, and all of it {took}."))
    };
    let persons = statement.persons.iter().filter(|persons| persons.rest > 0).map(|persons| {
        let rest = persons.rest;
        let who = if rest == 1 { "person" } else { "persons" };
        format!("{rest} {who} had less left than was asked for: all that was left {took}.")
    });
    statement.tiers.iter().filter_map(of_tier).chain(persons).collect()
}

/// Number of persons who were charged.
fn persons_charged(persons: &PersonStatement) -> String {
    let most = persons.most.in_epsilon();
    format!("{} persons, each charged what they lose: at most {most}", persons.charged)
}

/// Note on a sealed ledger.
const SEALED: &str =
    "The ledger is sealed: who takes part is hidden, so keep it as safe as the data.";

/// Note on people who do not count, because they have nothing left or are asked for nothing.
fn uncounted(statement: &Statement) -> Option<String> {
    let (exhausted, not_asked) =
        (statement.exhausted.unwrap_or(0), statement.not_asked.unwrap_or(0));
    let people = statement.people.filter(|_| exhausted + not_asked > 0)?;
    let uncounted = exhausted + not_asked;
    let many = statement.many();
    let percent = 100.0 * uncounted as f64 / people.max(1) as f64;
    let (have, are, do_not) = match uncounted {
        1 => ("has", "is", "does not"),
        _ => ("have", "are", "do not"),
    };
    let why = match (exhausted, not_asked) {
        (_, 0) => format!("{have} nothing left"),
        (0, _) => format!("{are} asked for nothing"),
        _ => format!("have nothing left ({exhausted}) or are asked for nothing ({not_asked})"),
    };
    Some(format!(
        "{uncounted} of {people} {many} ({percent:.1} %) {why} and {do_not} count. If their values \
         differ from those of the others, the result is off towards the others, by up to \
         {percent:.1} % of the difference; no interval contains that."
    ))
}

/// Warning if the whole reservation counts as spent, with the reason.
fn warning(statement: &Statement) -> Option<String> {
    let warning = statement.warning.as_ref()?;
    Some(format!("{warning} So all that was reserved counts as spent."))
}
