//! Checks of what goes together, by the rows of options: the same at every door.

use suum_core::{Error, Result};

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
        let word = row.word();
        if let Some(exclusion) = row.excludes.iter().find(|exclusion| has(exclusion.other)) {
            let hint = match exclusion.hint {
                "" => format!("leave one of {} and --{} out", flag(row), in_words(exclusion.other)),
                hint => hint.to_owned(),
            };
            let problem = format!("{word}: {}", exclusion.problem);
            return Err(Error::request(problem).with_hint(hint));
        }
        if let Some(need) = row.needs.filter(|need| !need.any_of.iter().any(|name| has(name))) {
            let ways: Vec<String> = need.any_of.iter().map(|name| example(name)).collect();
            let problem = format!("{word}: {}", need.problem);
            return Err(match need.hint {
                "" => Error::request(problem).with_hint(format!(
                    "leave {} out, or add {}",
                    flag(row),
                    ways.join(" or ")
                )),
                hint => Error::parameter(problem).with_hint(hint),
            });
        }
    }
    Ok(())
}

/// Returns an option as a command says it; the data have no dashes.
fn flag(row: &OptionRow) -> String {
    if row.name == "data" { row.value_name() } else { format!("--{}", row.word()) }
}

fn in_words(name: &str) -> String {
    name.replace('_', "-")
}

/// Returns an option with the name of its value, such as `--groups A,B`.
fn example(name: &str) -> String {
    match options().find(|row| row.name == name) {
        Some(row) if row.name == "data" => row.value_name(),
        Some(row) => format!("--{} {}", row.word(), row.value_name()),
        None => format!("--{}", in_words(name)),
    }
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
