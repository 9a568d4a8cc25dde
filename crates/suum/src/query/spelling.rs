//! Names of statistics that stand for another statistic and its options.

use suum_core::{Error, OptionName, Result, leave_out, say};

use crate::options::{Entries, Word};
use crate::statistic::{Meaning, StatisticEntry, VARIANCE};

/// Spells out the statistic of a query: aliases and short names become the statistic and the
/// options that they stand for.
///
/// # Errors
///
/// Refuses options that contradict a short name, and a name without the option that it needs.
pub(crate) fn spell_out(entries: &mut Entries) -> Result<()> {
    let names = match entries.value("statistic") {
        Some(Word::List(items)) => {
            let names = items.iter().map(|item| item.clone().text());
            names.collect::<Option<Vec<_>>>().unwrap_or_default()
        }
        Some(Word::Text(text)) if text.contains(',') => {
            text.split(',').map(str::to_owned).collect()
        }
        Some(Word::Text(text)) => match StatisticEntry::named(text.trim()) {
            Some(entry) => return spell_out_name(entry, entries),
            None => return Ok(()),
        },
        _ => return Ok(()),
    };
    let mut spelled: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let name = in_list(name.trim());
        let is_repeated_alias = spelled.contains(&name) && name == VARIANCE.name();
        if !is_repeated_alias {
            spelled.push(name);
        }
    }
    entries.set_list("statistic", spelled);
    Ok(())
}

/// Spells out the statistic that several answers have in common, of which each has more options.
pub(crate) fn spell_out_shared(entries: &mut Entries) {
    let name = match entries.value("statistic") {
        Some(Word::Text(text)) => StatisticEntry::named(text.trim()),
        _ => None,
    };
    if let Some(entry) = name.filter(|entry| !entry.is_list()) {
        entries.set_text("statistic", entry.canonical());
    }
}

/// Returns the name that a list has for a statistic.
fn in_list(name: &str) -> String {
    match StatisticEntry::named(name).map(|entry| (entry, &entry.meaning)) {
        // A share such as 0.5 is the percentage 50.
        Some((_, Meaning::Rank { q: "0.5", .. })) => "q50".to_owned(),
        Some((entry, _)) => entry.canonical().to_owned(),
        None => name.to_owned(),
    }
}

fn spell_out_name(entry: &'static StatisticEntry, entries: &mut Entries) -> Result<()> {
    match &entry.meaning {
        Meaning::Own(_) => {}
        Meaning::Rank { q, without } => {
            if let Some(option) = without.iter().find(|option| entries.has(option)) {
                let option = OptionName::new(option);
                return Err(Error::request(
                    option,
                    format!("a {} is the quantile at {q}", entry.name),
                )
                .with_fix(leave_out(option).say(", or ask for a quantile")));
            }
        }
        Meaning::Needing { option, .. } => {
            if !entries.has(option) {
                let option = OptionName::new(option);
                return Err(Error::parameter(option, format!("a {} needs it", entry.name))
                    .with_fix(say("name the two groups:").set(option, "A,B")));
            }
        }
        Meaning::Several(names) => {
            entries.set_list("statistic", names.iter().map(|name| (*name).to_owned()).collect());
            return Ok(());
        }
    }
    entries.set_text("statistic", entry.canonical());
    Ok(())
}
