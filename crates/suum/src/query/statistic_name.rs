//! What is published, by name.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Error, Result, Statistics};

/// What is published.
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
    /// Any other that needs nothing but its column of numbers: a variance.
    Plain(suum_core::Estimand),
    /// Several statistics of a column of numbers, from one budget.
    Several(Statistics),
}

/// The statistics that have options or rules of their own.
const OWN: [(&str, StatisticName); 5] = [
    ("mean", StatisticName::Mean),
    ("sum", StatisticName::Sum),
    ("count", StatisticName::Count),
    ("frequency", StatisticName::Frequency),
    ("quantile", StatisticName::Quantile),
];

/// What people call statistics that are asked for in another way.
const OTHERWISE: [(&str, &str); 7] = [
    ("median", "quantile with q = 0.5"),
    ("average", "mean"),
    ("histogram", "frequency with bins"),
    ("proportion", "frequency with categories"),
    ("std", "variance, which has the standard deviation beside it,"),
    ("difference", "mean with between"),
    ("summary", "a list such as mean,variance,q25,q50,q75"),
];

/// The statistics that have a name of their own, in the order in which they are listed.
fn named() -> impl Iterator<Item = (&'static str, StatisticName)> {
    OWN.into_iter()
        .chain(StatisticName::others().map(|plain| (plain.name(), StatisticName::Plain(plain))))
}

impl StatisticName {
    /// The names that there are, but for lists of several.
    pub fn names() -> impl Iterator<Item = &'static str> {
        named().map(|(name, _)| name)
    }

    /// Those among them that need nothing but a column of numbers, and that the facade knows by
    /// their name alone.
    pub fn others() -> impl Iterator<Item = suum_core::Estimand> {
        let is_own = |name| OWN.iter().any(|(own, _)| *own == name);
        suum_core::Estimand::PLAIN.into_iter().filter(move |plain| !is_own(plain.name()))
    }

    /// The name of the command, as in `suum mean`; several statistics are a `summary`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Plain(plain) => plain.name(),
            own => OWN.iter().find(|(_, one)| one == own).map_or("summary", |(name, _)| name),
        }
    }

    /// The statistic itself, where it needs nothing but its column.
    pub(crate) fn plain(&self) -> Option<suum_core::Estimand> {
        suum_core::Estimand::PLAIN.into_iter().find(|one| one.name() == self.name())
    }

    /// Whether it is one mean or one sum.
    pub(crate) fn is_mean_or_sum(&self) -> bool {
        matches!(self, Self::Mean | Self::Sum)
    }

    /// Whether quantiles are among it.
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
        match named().find(|(name, _)| *name == text) {
            Some((_, asked)) => Ok(asked),
            None if text.contains(',') => Ok(Self::Several(text.parse()?)),
            None => Ok(Self::Several(text.parse().map_err(|_| {
                let hint = match OTHERWISE.iter().find(|(name, _)| *name == text) {
                    Some((name, as_here)) => format!("{name} is {as_here} here"),
                    None => {
                        format!("choose {}, or several such as mean,variance,q50", listed("or"))
                    }
                };
                Error::parameter("statistic: there is none of that name").with_hint(hint)
            })?)),
        }
    }
}

/// All names in a sentence, with this word before the last.
fn listed(before_last: &str) -> String {
    let names: Vec<&str> = StatisticName::names().collect();
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

/// The refusal where nothing is named.
pub(super) fn no_statistic() -> Error {
    Error::parameter("statistic: it is not said which").with_hint(format!(
        "for example statistic = \"mean\"; there are {}, and several such as mean,variance,q50; \
         options stand at the top level of a file, not in a section",
        listed("and")
    ))
}
