//! Rows of the table of options: everything that front ends need to know about an option.

use serde_json::Value;

use super::shape::{Form, Parts, Shape};
use crate::statistic::StatisticName;
use suum_core::{OptionName, Phrase, option, say};

/// Option of a question, of its data, of the accounts, or of the population of a plan.
#[derive(Debug)]
pub struct OptionRow {
    /// Name in JSON, TOML, Python and Rust, such as `group_by`.
    pub name: &'static str,
    /// Part of a job that has it.
    pub part: Part,
    /// Names that people and other programs have for it.
    pub aliases: &'static [&'static str],
    /// Place among the options that the short help of a command shows, the lowest first; `None` for
    /// options that only the long help has.
    pub place: Option<u16>,
    /// True if there is no answer without it, or without the option that it is an alternative to.
    pub is_required: bool,
    /// Help in half a line; empty where only the long help has it.
    pub short: &'static str,
    pub(crate) of: Statistics,
    pub(crate) needs: Option<Need>,
    pub(crate) excludes: &'static [Exclusion],
    pub(crate) stand_in: Option<&'static str>,
    pub(crate) is_shared: bool,
    pub(crate) is_of_records: bool,
    pub(crate) is_asked: bool,
    lines: &'static [&'static str],
    value: &'static str,
    shape: Shape,
}

/// Part of a job that has an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// [`Query`](crate::Query).
    Query,
    /// [`DataSource`](crate::DataSource).
    Source,
    /// [`Charge`](crate::Charge).
    Charge,
    /// [`Population`](crate::Population).
    Population,
    /// The study that a request is part of.
    Study,
}

/// Options of which one has to be set beside another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Need {
    /// Names of which one is enough.
    pub(crate) any_of: &'static [&'static str],
    /// Reason of the refusal without them.
    pub(crate) problem: &'static str,
    /// Way to complete it; `None` for an option that has no meaning without the others.
    pub(crate) fix: Option<fn() -> Phrase>,
}

/// Option that cannot be set beside another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exclusion {
    pub(crate) other: &'static str,
    /// Reason of the refusal.
    pub(crate) problem: &'static str,
    /// Way out; `None` for the one that follows from the names.
    pub(crate) fix: Option<fn() -> Phrase>,
}

/// Statistics that an option is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statistics {
    All,
    OfValues,
    OfNumbers,
    Frequency,
    FrequencyOther,
    FrequencyOrQuantile,
    Quantile,
    WithQuantiles,
    Stepped,
    Several,
    MeanOrSum,
    Weighted,
    Estimated,
}

impl Statistics {
    /// Returns true if the statistic is one of these.
    pub(crate) fn include(self, statistic: &StatisticName) -> bool {
        let is_frequency = *statistic == StatisticName::Frequency;
        let is_quantile = *statistic == StatisticName::Quantile;
        let is_mean_or_sum = statistic.is_mean_or_sum();
        match self {
            Self::All => true,
            Self::OfValues => *statistic != StatisticName::Count,
            Self::OfNumbers => {
                !matches!(statistic, StatisticName::Count | StatisticName::Frequency)
            }
            Self::Frequency | Self::FrequencyOther => is_frequency,
            Self::FrequencyOrQuantile => is_frequency || is_quantile,
            Self::Quantile => is_quantile,
            Self::WithQuantiles => statistic.has_quantiles(),
            Self::Stepped => is_mean_or_sum || statistic.has_quantiles(),
            Self::Several => matches!(statistic, StatisticName::Several(_)),
            Self::MeanOrSum => is_mean_or_sum,
            Self::Weighted => is_mean_or_sum || is_frequency,
            Self::Estimated => is_mean_or_sum || is_frequency || is_quantile,
        }
    }

    /// Returns the words for them, as in "is for numbers"; `None` for all statistics.
    pub(crate) fn words(self) -> Option<Phrase> {
        let words = match self {
            Self::All => return None,
            Self::OfValues => "values, and a count has none",
            Self::OfNumbers => "numbers",
            Self::Frequency => "a frequency",
            Self::FrequencyOther => {
                return Some(say("a frequency; a further group is").option(option::OTHER_GROUP));
            }
            Self::FrequencyOrQuantile => "a frequency or quantiles",
            Self::Quantile => "a quantile",
            Self::WithQuantiles => "quantiles, and none is asked for",
            Self::Stepped => "a mean, a sum or quantiles",
            Self::Several => "several statistics",
            Self::MeanOrSum => "a mean or a sum",
            Self::Weighted => "a mean, a sum or a frequency",
            Self::Estimated => "a mean, a sum, a frequency or a quantile",
        };
        Some(say(words))
    }
}

/// A row is written where the option is declared, call by call.
impl OptionRow {
    pub(crate) const fn new(
        part: Part,
        name: &'static str,
        lines: &'static [&'static str],
        shape: Shape,
    ) -> Self {
        Self {
            name,
            part,
            aliases: &[],
            place: None,
            is_required: false,
            short: "",
            of: Statistics::All,
            needs: None,
            excludes: &[],
            stand_in: None,
            is_shared: false,
            is_of_records: false,
            is_asked: true,
            lines,
            value: shape.value,
            shape,
        }
    }

    /// Gives the option a name that no field can have.
    pub(crate) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Gives the option a form of its own, in place of that of its type.
    pub(crate) const fn shaped(mut self, shape: Shape) -> Self {
        self.value = shape.value;
        self.shape = shape;
        self
    }

    /// Gives the value a name in explanations, such as `LO,HI`.
    pub(crate) const fn value(mut self, value: &'static str) -> Self {
        self.value = value;
        self
    }

    /// Restricts the option to some statistics.
    pub(crate) const fn only_for(mut self, statistics: Statistics) -> Self {
        self.of = statistics;
        self
    }

    /// Adds the option to the short help, among the required ones.
    pub(crate) const fn required(mut self, place: u16, short: &'static str) -> Self {
        self.is_required = true;
        self.common(place, short)
    }

    /// Adds the option to the short help.
    pub(crate) const fn common(mut self, place: u16, short: &'static str) -> Self {
        self.place = Some(place);
        self.short = short;
        self
    }

    /// Adds names that other programs have for the option.
    pub(crate) const fn also(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Refuses the option without one of `any_of`, as it then has no meaning.
    pub(crate) const fn needs(
        mut self,
        any_of: &'static [&'static str],
        problem: &'static str,
    ) -> Self {
        self.needs = Some(Need { any_of, problem, fix: None });
        self
    }

    /// Refuses the option without one of `any_of` as incomplete, with the way to complete it.
    pub(crate) const fn incomplete_without(
        mut self,
        any_of: &'static [&'static str],
        problem: &'static str,
        fix: fn() -> Phrase,
    ) -> Self {
        self.needs = Some(Need { any_of, problem, fix: Some(fix) });
        self
    }

    /// Refuses the option beside each of `excludes`, with the reason.
    pub(crate) const fn excludes(mut self, excludes: &'static [Exclusion]) -> Self {
        self.excludes = excludes;
        self
    }

    /// Shows a word in place of the value in commands that repeat a release.
    pub(crate) const fn shown_as(mut self, stand_in: &'static str) -> Self {
        self.stand_in = Some(stand_in);
        self
    }

    /// Makes the option one for all answers of a release.
    pub(crate) const fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }

    /// Marks the option as one about records, which neither a level table nor a profile has.
    pub(crate) const fn about_records(mut self) -> Self {
        self.is_of_records = true;
        self
    }

    /// Excludes the option from the identity of a request: requests that differ in it have the same
    /// answer.
    pub(crate) const fn not_asked(mut self) -> Self {
        self.is_asked = false;
        self
    }
}

/// Refusal of an option beside another, with a reason.
pub(crate) const fn beside(other: &'static str, problem: &'static str) -> Exclusion {
    Exclusion { other, problem, fix: None }
}

/// Refusal of an option beside another, with a reason and a way out of its own.
pub(crate) const fn beside_as(
    other: &'static str,
    problem: &'static str,
    fix: fn() -> Phrase,
) -> Exclusion {
    Exclusion { other, problem, fix: Some(fix) }
}

impl OptionRow {
    /// Returns the name as a word of a command line, without dashes before it.
    pub fn word(&self) -> String {
        self.name.replace('_', "-")
    }

    /// Returns the name of the option, for messages.
    pub(crate) const fn option(&self) -> OptionName {
        OptionName::new(self.name)
    }

    /// Returns the explanation: names of other options stand in backticks.
    pub fn about(&self) -> String {
        self.lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
    }

    /// Returns true if the option describes the people in the data, or what they allow, for which a
    /// plan for other people has no use.
    pub fn is_of_people(&self) -> bool {
        match self.part {
            Part::Source => true,
            Part::Charge => self.form() != Form::Length,
            Part::Query => {
                ["privacy", "epsilon", "person", "per_person", "rows"].contains(&self.name)
            }
            Part::Population | Part::Study => false,
        }
    }

    /// Returns the form of value that the option takes.
    pub fn form(&self) -> Form {
        self.shape.form
    }

    /// Returns the parts of the option's value.
    pub(crate) fn parts(&self) -> Parts {
        self.shape.parts
    }

    /// Returns the name of the option's value in explanations, such as `LO,HI`.
    pub fn value_name(&self) -> String {
        match (self.value, self.shape.form) {
            ("", Form::Number) => self.name.chars().take(1).collect::<String>().to_uppercase(),
            ("", Form::Whole(_)) => "N".to_owned(),
            ("", _) => self.name.to_uppercase(),
            (value, _) => value.to_owned(),
        }
    }

    /// Returns true if a command can say it once for each of several columns.
    pub fn is_of_each_column(&self) -> bool {
        self.shape.is_of_each_column
    }

    /// Returns the option as a property of a JSON Schema.
    pub(crate) fn schema(&self) -> Value {
        let mut schema = (self.shape.schema)();
        let about: Vec<&str> = self.lines.iter().map(|line| line.trim()).collect();
        let excluded: Vec<&str> = self.excludes.iter().map(|one| one.other).collect();
        let said = [
            ("description", Some(about.join("\n"))),
            ("x-value", Some(self.value.to_owned()).filter(|value| !value.is_empty())),
            ("x-for", self.of.words().map(|words| words.to_string())),
            ("x-needs", self.needs.map(|need| need.any_of.join(" or "))),
            ("x-not", Some(excluded.join(" ")).filter(|names| !names.is_empty())),
        ];
        for (key, text) in said {
            if let Some(text) = text {
                schema[key] = text.into();
            }
        }
        schema
    }
}
