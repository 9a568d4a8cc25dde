//! List of statistics: their names, aliases, and the meaning of each name.
//!
//! Commands, the JSON Schema, Python's types and all pages are made from it, so that a name works
//! at every front end.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Error, Result, Statistics, option};
use suum_data::nearest;

/// Statistic of the list, by the name that a command has for it.
#[derive(Debug)]
pub struct StatisticEntry {
    /// Name: of a command, of a function in Python, and in queries.
    pub name: &'static str,
    /// Other names, which mean the same at every door.
    pub aliases: &'static [&'static str],
    /// Help in one line.
    pub about: &'static str,
    /// Further help; empty if there is nothing to add.
    pub more: &'static str,
    /// Commands that ask for it; `…` stands for the tiers of the example's data.
    pub examples: [&'static str; 3],
    pub(crate) meaning: Meaning,
}

/// Meaning of a name of the list in a query.
#[derive(Debug)]
pub(crate) enum Meaning {
    /// A statistic of that very name.
    Own(StatisticName),
    /// Quantiles at one rank, and none of these options.
    Rank { q: &'static str, without: &'static [&'static str] },
    /// Another statistic, with an option that the query must set.
    Needing { statistic: StatisticName, option: &'static str },
    /// The list of statistics that a query names, or this one.
    Several(&'static [&'static str]),
}

/// Statistic that is published.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum StatisticName {
    /// The mean of a column of numbers.
    Mean,
    /// The sum of a column of numbers.
    Sum,
    /// The number of records.
    #[default]
    Count,
    /// The share of every category of a column.
    Frequency,
    /// Quantiles of a column of numbers.
    Quantile,
    /// Any other statistic that needs nothing but its column of numbers: a variance.
    Plain(suum_core::Estimand),
    /// Several statistics of a column of numbers, from one budget.
    Several(Statistics),
}

pub(crate) const VARIANCE: StatisticName = StatisticName::Plain(suum_core::Estimand::Variance);

/// All statistics, in the order in which help lists them.
static LIST: [StatisticEntry; 9] = [
    StatisticEntry {
        name: "mean",
        aliases: &["average"],
        about: "The private mean of a numeric column",
        more: "",
        examples: [
            "suum mean examples/randhie.csv --value visits --bounds 0,77 …",
            "suum mean people.csv --value income --bounds 0,200000 --epsilon budget --explain",
            "suum mean people.csv --value age --bounds 0,120 --epsilon budget --report age.html",
        ],
        meaning: Meaning::Own(StatisticName::Mean),
    },
    StatisticEntry {
        name: "difference",
        aliases: &[],
        about: "The difference of the private means of two groups",
        more: "As mean with --between.",
        examples: [
            "suum difference examples/randhie.csv --value visits --bounds 0,77 --group-by health \
             --groups excellent,good,fair,poor --between poor,good …",
            "suum difference people.csv --value age --bounds 0,120 --epsilon budget --group-by sex \
             --groups f,m --between f,m",
            "suum mean people.csv --value age --bounds 0,120 --epsilon budget --group-by town \
             --groups A,B --other-group rest --between A,B",
        ],
        meaning: Meaning::Needing { statistic: StatisticName::Mean, option: "between" },
    },
    StatisticEntry {
        name: "sum",
        aliases: &[],
        about: "The private sum of a numeric column",
        more: "",
        examples: [
            "suum sum examples/randhie.csv --value visits --bounds 0,77 …",
            "suum sum sales.csv --value amount --bounds 0,500 --epsilon budget --person customer",
            "suum sum sales.csv --value amount --bounds 0,500 --epsilon budget --target dataset",
        ],
        meaning: Meaning::Own(StatisticName::Sum),
    },
    StatisticEntry {
        name: "frequency",
        aliases: &["shares", "histogram", "proportion"],
        about: "The private share of every category",
        more: "",
        examples: [
            "suum frequency examples/randhie.csv --value health \
             --categories excellent,good,fair,poor …",
            "suum frequency people.csv --value age --bins 0,18,65,120 --epsilon budget",
            "suum frequency people.csv --value town --categories A,B --other rest --epsilon budget",
        ],
        meaning: Meaning::Own(StatisticName::Frequency),
    },
    StatisticEntry {
        name: "quantile",
        aliases: &["quantiles"],
        about: "The private quantiles of a numeric column",
        more: "",
        examples: [
            "suum quantile examples/randhie.csv --value visits --bounds 0,77 --step 1 …",
            "suum quantile people.csv --value income --bounds 0,99999 --q deciles --epsilon e",
            "suum quantile people.csv --value income --bounds auto --cdf --epsilon budget",
        ],
        meaning: Meaning::Own(StatisticName::Quantile),
    },
    StatisticEntry {
        name: "median",
        aliases: &[],
        about: "The private median of a numeric column",
        more: "As quantile with --q 0.5.",
        examples: [
            "suum median examples/randhie.csv --value visits --bounds 0,77 --step 1 …",
            "suum median people.csv --value income --bounds 0,99999 --epsilon budget",
            "suum median people.csv --value income --bounds auto --epsilon budget",
        ],
        meaning: Meaning::Rank { q: "0.5", without: &["q", "cdf", "simultaneous"] },
    },
    StatisticEntry {
        name: "variance",
        aliases: &["std"],
        about: "The private variance of a numeric column, and standard deviation and mean with it",
        more: "",
        examples: [
            "suum variance examples/randhie.csv --value visits --bounds 0,77 …",
            "suum variance people.csv --value height --bounds 100,230 --epsilon budget",
            "suum std people.csv --value height --bounds 100,230 --epsilon budget",
        ],
        meaning: Meaning::Own(VARIANCE),
    },
    StatisticEntry {
        name: "summary",
        aliases: &["describe"],
        about: "Several statistics of a column in one pass, from one budget",
        more: "",
        examples: [
            "suum summary examples/randhie.csv --value visits --bounds 0,77 --step 1 …",
            "suum summary people.csv --value age --bounds 0,120 --statistic mean,q90 --epsilon e",
            "suum summary people.csv --value age --bounds auto --epsilon budget --format json",
        ],
        meaning: Meaning::Several(&["mean", "variance", "q25", "q50", "q75"]),
    },
    StatisticEntry {
        name: "count",
        aliases: &[],
        about: "The number of records per tier",
        more: "Public under replace-one neighbours; else one private number.",
        examples: [
            "suum count examples/randhie.csv …",
            "suum count people.csv --epsilon budget --group-by town --groups A,B,C",
            "suum count people.csv --privacy tier --levels a=0.1,b=1 --neighbors add-remove",
        ],
        meaning: Meaning::Own(StatisticName::Count),
    },
];

impl StatisticEntry {
    /// Returns all statistics, in the order in which help lists them.
    pub fn all() -> &'static [Self] {
        &LIST
    }

    /// Returns the statistic of a name, which may be one of its aliases.
    ///
    /// # Example
    ///
    /// ```
    /// use suum::StatisticEntry;
    ///
    /// assert_eq!(StatisticEntry::named("average").unwrap().name, "mean");
    /// assert!(StatisticEntry::named("mood").is_none());
    /// ```
    pub fn named(name: &str) -> Option<&'static Self> {
        LIST.iter().find(|entry| entry.name == name || entry.aliases.contains(&name))
    }

    /// Returns the name in queries that have been read, such as `quantile` for a median.
    pub fn canonical(&self) -> &'static str {
        self.statistic().name()
    }

    /// Returns the statistic that options are checked for.
    pub(crate) fn statistic(&self) -> StatisticName {
        match &self.meaning {
            Meaning::Own(statistic) | Meaning::Needing { statistic, .. } => statistic.clone(),
            Meaning::Rank { .. } => StatisticName::Quantile,
            Meaning::Several(names) => StatisticName::Several(several(names)),
        }
    }

    /// Returns true if the name leaves the option to the query.
    pub(crate) fn leaves(&self, option: &str) -> bool {
        match &self.meaning {
            Meaning::Rank { without, .. } => !without.contains(&option),
            _ => true,
        }
    }

    /// Returns true if the statistic is a list of others.
    pub fn is_list(&self) -> bool {
        matches!(self.meaning, Meaning::Several(_))
    }

    /// Returns the option that has to be set, beside those that every statistic needs.
    pub fn required_option(&self) -> Option<&'static str> {
        match self.meaning {
            Meaning::Needing { option, .. } => Some(option),
            _ => None,
        }
    }

    /// Returns the list of statistics that it stands for where none is given.
    pub fn default_list(&self) -> Option<String> {
        match self.meaning {
            Meaning::Several(names) => Some(names.join(",")),
            _ => None,
        }
    }
}

/// Returns the statistics of these names, which core knows.
fn several(names: &[&str]) -> Statistics {
    // A test reads every list of the table.
    names.join(",").parse().unwrap_or_default()
}

impl StatisticName {
    /// Returns the names that queries have been read with, but for lists of several.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let own = LIST.iter().filter(|entry| matches!(entry.meaning, Meaning::Own(_)));
        own.map(|entry| entry.name)
    }

    /// Returns every name that a query can have for a statistic, aliases among them.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        LIST.iter().flat_map(|entry| [entry.name].into_iter().chain(entry.aliases.iter().copied()))
    }

    /// Returns the name of the command, as in `suum mean`; several statistics are a `summary`.
    pub fn name(&self) -> &'static str {
        let own = LIST.iter().find(|entry| match &entry.meaning {
            Meaning::Own(statistic) => statistic == self,
            Meaning::Several(_) => matches!(self, Self::Several(_)),
            _ => false,
        });
        // Every statistic that is no list is in the table, as a test says.
        own.map_or("summary", |entry| entry.name)
    }

    /// Returns the estimand of a statistic that needs nothing but its column.
    pub(crate) fn plain(&self) -> Option<suum_core::Estimand> {
        suum_core::Estimand::PLAIN.into_iter().find(|one| one.name() == self.name())
    }

    /// Returns true for one mean or one sum.
    pub(crate) fn is_mean_or_sum(&self) -> bool {
        matches!(self, Self::Mean | Self::Sum)
    }

    /// Returns true if quantiles are among the statistics.
    pub(crate) fn has_quantiles(&self) -> bool {
        match self {
            Self::Quantile => true,
            Self::Several(statistics) => !statistics.quantiles.is_empty(),
            _ => false,
        }
    }
}

impl FromStr for StatisticName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match StatisticEntry::named(text) {
            Some(entry) => Ok(entry.statistic()),
            None if text.contains(',') => Ok(Self::Several(text.parse()?)),
            None => Ok(Self::Several(text.parse().map_err(|_| {
                let hint = match nearest(text, Self::all_names()) {
                    Some(name) => format!("did you mean {name}?"),
                    None => {
                        format!("choose {}, or several such as mean,variance,q50", listed("or"))
                    }
                };
                Error::parameter(option::STATISTIC, "there is none of that name").with_fix(hint)
            })?)),
        }
    }
}

/// Returns all names in a sentence, with this word before the last.
fn listed(before_last: &str) -> String {
    let names: Vec<&str> = LIST.iter().map(|entry| entry.name).collect();
    match names.split_last() {
        Some((last, others)) => format!("{} {before_last} {last}", others.join(", ")),
        None => String::new(),
    }
}

/// One name, or a list of them.
impl Serialize for StatisticName {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Several(statistics) => serializer.collect_seq(statistics.names()),
            one => serializer.serialize_str(one.name()),
        }
    }
}

/// Returns the refusal of a query that names no statistic.
pub(crate) fn no_statistic() -> Error {
    Error::parameter(option::STATISTIC, "it is not said which").with_fix(format!(
        "for example statistic = \"mean\"; there are {}, and several such as mean,variance,q50; \
         options stand at the top level of a file, not in a section",
        listed("and")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;

    fn read(json: &str) -> Result<Query> {
        Query::from_json(json)
    }

    #[test]
    fn every_name_of_the_list_is_read() {
        for entry in StatisticEntry::all() {
            for name in [entry.name].into_iter().chain(entry.aliases.iter().copied()) {
                let statistic: StatisticName = name.parse().unwrap();
                assert_eq!(statistic, entry.statistic(), "{name}");
                assert_eq!(statistic.name(), entry.canonical(), "{name}");
                let needs = entry.required_option().map(|option| format!(r#", "{option}": "a,b""#));
                let groups = r#", "group_by": "g", "groups": "a,b""#;
                let needs = needs.map_or(String::new(), |needs| needs + groups);
                let query = read(&format!(r#"{{"statistic": "{name}"{needs}}}"#)).unwrap();
                assert_eq!(query.statistic.name(), entry.canonical(), "{name}");
            }
        }
        for plain in suum_core::Estimand::PLAIN {
            assert!(StatisticName::names().any(|name| name == plain.name()), "{}", plain.name());
        }
        let names: Vec<&str> = StatisticName::all_names().collect();
        let unique: std::collections::BTreeSet<&&str> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
    }

    #[test]
    fn short_names_stand_for_a_statistic_and_its_options() {
        let median = read(r#"{"statistic": "median", "value": "v"}"#).unwrap();
        assert_eq!(median, read(r#"{"statistic": "quantile", "value": "v", "q": 0.5}"#).unwrap());
        let std = read(r#"{"statistic": "std", "value": "v"}"#).unwrap();
        assert_eq!(std, read(r#"{"statistic": "variance", "value": "v"}"#).unwrap());
        let list = read(r#"{"statistic": ["average", "std", "median"]}"#).unwrap();
        assert_eq!(list, read(r#"{"statistic": "mean,variance,q50"}"#).unwrap());
        let both = read(r#"{"statistic": "mean, std, variance"}"#).unwrap();
        assert_eq!(both, read(r#"{"statistic": "mean,variance"}"#).unwrap());
        let summary = read(r#"{"statistic": "describe"}"#).unwrap();
        assert_eq!(summary, read(r#"{"statistic": "mean,variance,q25,q50,q75"}"#).unwrap());
    }

    #[test]
    fn contradictions_of_a_short_name_are_refused() {
        for (json, option) in [
            (r#"{"statistic": "median", "q": 0.9}"#, "q"),
            (r#"{"statistic": "median", "cdf": true}"#, "cdf"),
            (r#"{"statistic": "difference"}"#, "between"),
            (r#"{"statistic": "meen"}"#, "statistic"),
            (r#"{"statistic": "mean,mean"}"#, "statistic"),
            (r#"{"statistic": "mean,sum"}"#, "statistic"),
        ] {
            let refused = read(json).unwrap_err();
            assert!(refused.to_string().starts_with(&format!("{option}: ")), "{json}: {refused}");
            assert!(refused.fix().is_some(), "{json}");
        }
        let near = read(r#"{"statistic": "meen"}"#).unwrap_err();
        assert_eq!(near.fix().map(ToString::to_string).as_deref(), Some("did you mean mean?"));
    }
}
