//! Checks of combinations of options, by their rows: the same at every front end.

use suum_core::{Error, OptionName, Phrase, Result, leave_out, say};

use super::options;
use crate::options::OptionRow;

/// Refuses options that contradict each other, and those without one that they need; `set` are all
/// that have a value.
///
/// # Errors
///
/// Names the first option that cannot stand where it does, with a way out.
pub fn check_combinations(set: &[&OptionRow]) -> Result<()> {
    let has = |name: &str| set.iter().any(|row| row.name == name);
    for row in set {
        if let Some(exclusion) = row.excludes.iter().find(|exclusion| has(exclusion.other)) {
            let fix = match exclusion.fix {
                None => say("leave one of")
                    .option(row.option())
                    .say("and")
                    .option(OptionName::new(exclusion.other))
                    .say("out"),
                Some(fix) => fix(),
            };
            return Err(Error::request(row.option(), exclusion.problem).with_fix(fix));
        }
        if let Some(need) = row.needs.filter(|need| !need.any_of.iter().any(|name| has(name))) {
            return Err(match need.fix {
                None => Error::request(row.option(), need.problem)
                    .with_fix(leave_out(row.option()).say(", or add").then(one_of(need.any_of))),
                Some(fix) => Error::parameter(row.option(), need.problem).with_fix(fix()),
            });
        }
    }
    Ok(())
}

/// Returns the options with the names of their values, such as `groups=A,B`.
fn one_of(names: &[&'static str]) -> Phrase {
    let mut phrase = Phrase::default();
    for (at, name) in names.iter().enumerate() {
        let name = OptionName::new(name);
        let row = options().find(|row| row.option() == name);
        let value = row.map(OptionRow::value_name).unwrap_or_default();
        let between = if at == 0 { "" } else { "or" };
        phrase = phrase.say(between).set(name, value);
    }
    phrase
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Statistics;
    use crate::statistic::StatisticEntry;

    #[test]
    fn rows_name_options_that_exist() {
        let all: Vec<&OptionRow> = options().collect();
        let exists = |name: &str| all.iter().any(|row| row.name == name);
        for row in &all {
            let needs = row.needs.iter().flat_map(|need| need.any_of).copied();
            for other in needs.chain(row.excludes.iter().map(|exclusion| exclusion.other)) {
                assert!(exists(other) && other != row.name, "{}: {other}", row.name);
            }
            assert!(!row.about().is_empty(), "{}", row.name);
            assert!(row.place.is_none() || !row.short.is_empty(), "{}", row.name);
            for alias in row.aliases {
                assert!(!exists(alias), "{alias}");
            }
        }
        let names: std::collections::BTreeSet<&str> = all.iter().map(|row| row.name).collect();
        assert_eq!(names.len(), all.len());
        let places: Vec<u16> = all.iter().filter_map(|row| row.place).collect();
        let unique: std::collections::BTreeSet<&u16> = places.iter().collect();
        assert_eq!(unique.len(), places.len(), "{places:?}");
    }

    #[test]
    fn every_option_is_for_some_statistic() {
        for row in options().filter(|row| row.of != Statistics::All) {
            let is_used = StatisticEntry::all().iter().any(|one| row.of.include(&one.statistic()));
            assert!(is_used, "{}", row.name);
        }
    }
}
