//! Effect of a release on the accounts of a ledger, in words.

use suum_report::{Account, Page, View};

use crate::accountant::{Forecast, LedgerEffect, PersonsEffect, TierEffect};

/// Text on the effect of a release or plan on the accounts.
pub(crate) fn text(effect: &LedgerEffect, view: &View) -> String {
    suum_report::effect_text(&heading(effect), &accounts(effect), &notes(effect), view)
}

/// Sentences right below the answer of a short text: people who do not count, and failures.
pub(crate) fn below(effect: &LedgerEffect) -> Vec<String> {
    let rests = rests(effect).into_iter();
    uncounted(effect).into_iter().chain(rests).chain(warning(effect)).collect()
}

/// Sentences at the end of a short text: the accounts in a line.
pub(crate) fn last(effect: &LedgerEffect) -> Vec<String> {
    let tiers = effect.tiers.iter().filter(|tier| tier.allowed.in_epsilon().is_finite());
    let tiers: Vec<String> =
        tiers.map(|tier| format!("{} {}", tier.level, tier.left.in_epsilon())).collect();
    let left = match (&effect.persons, tiers.is_empty()) {
        (Some(persons), _) => persons_charged(persons),
        (None, true) => "tiers are public".to_owned(),
        (None, false) => format!("left ε: {}", tiers.join(", ")),
    };
    let forecast = effect.forecast.iter().map(|forecast| format!(" {}", forecast.text()));
    let left = format!("{left}.{}", forecast.collect::<String>());
    let hidden = if effect.hidden_participation { format!(" {HIDDEN}") } else { String::new() };
    vec![format!("{}: {left}{hidden}", heading(effect))]
}

/// Page of a release or plan with its effect on the accounts.
pub(crate) fn onto_page(page: Page, effect: &LedgerEffect) -> Page {
    let page = page.with_accounts(&heading(effect), &accounts(effect), &notes(effect));
    match effect.first_sentences() {
        Some(sentence) => page.with_notice(&sentence),
        None => page,
    }
}

fn heading(effect: &LedgerEffect) -> String {
    let entry = match effect.entry {
        Some(entry) => format!(", entry {entry}"),
        None => ", if it is made".to_owned(),
    };
    format!("Ledger, dataset {}{entry}", effect.dataset)
}

fn accounts(effect: &LedgerEffect) -> Vec<Account> {
    let spent = if effect.entry.is_some() { "this release" } else { "would cost" };
    let account = |tier: &TierEffect| Account {
        level: tier.level.clone(),
        allowed: tier.allowed.in_epsilon(),
        amounts: vec![("before", tier.before.in_epsilon()), (spent, tier.spent.in_epsilon())],
        left: tier.left.in_epsilon(),
    };
    effect.tiers.iter().map(account).collect()
}

/// Notes besides the accounts of tiers.
fn notes(effect: &LedgerEffect) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(again) = &effect.shown_again {
        let version = again.suum.as_deref().unwrap_or("of another version");
        notes.push(format!(
            "The answer above is the one that suum {version} stored when it was released. It is \
             of the same query and edition; whether the data have changed since was not looked \
             at. To ask for it again (again) makes a new release, which costs something."
        ));
        return notes;
    }
    notes.extend(effect.persons.as_ref().map(persons_charged));
    notes.extend(rests(effect));
    notes.extend(uncounted(effect));
    notes.extend(warning(effect));
    notes.extend(effect.forecast.as_ref().map(Forecast::text));
    if effect.hidden_participation {
        if effect.tiers.is_empty() {
            notes.push(
                "Each person is charged no less than they lose, and no more than they may spend."
                    .to_owned(),
            );
        }
        notes.push(HIDDEN.to_owned());
    }
    notes
}

/// Notes on instalments that exceed what is left, so that the rest is taken.
fn rests(effect: &LedgerEffect) -> Vec<String> {
    let took = if effect.entry.is_some() { "was taken" } else { "would be taken" };
    let of_tier = |tier: &TierEffect| {
        let (instalment, had) = (tier.instalment?, tier.had);
        let level = &tier.level;
        Some(format!("{level}: {instalment} was asked for; {had} was left, and all of it {took}."))
    };
    let persons = effect.persons.iter().filter(|persons| persons.rest > 0).map(|persons| {
        let rest = persons.rest;
        let who = if rest == 1 { "person" } else { "persons" };
        format!("{rest} {who} had less left than was asked for: all that was left {took}.")
    });
    effect.tiers.iter().filter_map(of_tier).chain(persons).collect()
}

/// Number of persons who were charged.
fn persons_charged(persons: &PersonsEffect) -> String {
    let most = persons.most.in_epsilon();
    format!("{} persons, each charged what they lose: at most {most}", persons.charged)
}

/// Note on a ledger of hidden participation.
const HIDDEN: &str = "Participation is hidden: keep the ledger as safe as the data.";

/// Note on people who do not count, because they have nothing left or are asked for nothing.
fn uncounted(effect: &LedgerEffect) -> Option<String> {
    let (exhausted, not_asked) = (effect.exhausted.unwrap_or(0), effect.not_asked.unwrap_or(0));
    let people = effect.people.filter(|_| exhausted + not_asked > 0)?;
    let uncounted = exhausted + not_asked;
    let many = effect.many();
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
fn warning(effect: &LedgerEffect) -> Option<String> {
    let warning = effect.warning.as_ref()?;
    Some(format!("{warning} So all that was reserved counts as spent."))
}
