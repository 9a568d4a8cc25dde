//! Values of options that are more than a number or a name.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{
    Bounds, DeclaredBudgets, Epsilon, Error, Grid, PersonValue, Rank, Replacement, Result,
    for_example, leave_out, option, say,
};
use suum_data::list;

use crate::options::{
    Entries, HasDefault, OptionForm, OptionRow, Shape, Word, malformed, thousands,
};

/// Range of values: declared, or to be found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// Found with a part of every budget.
    Auto,
    /// Least and largest possible value, from public knowledge, in the units of the values; values
    /// beyond are clamped.
    Declared(f64, f64),
    /// Range of dates or times.
    Times(Bounds),
}

impl Range {
    /// Declared bounds; `None` if they are to be found.
    pub(crate) fn bounds(self) -> Result<Option<Bounds>> {
        match self {
            Self::Auto => Ok(None),
            Self::Declared(lower, upper) => Bounds::new(lower, upper).map(Some),
            Self::Times(bounds) => Ok(Some(bounds)),
        }
    }
}

impl From<RangeInclusive<f64>> for Range {
    fn from(range: RangeInclusive<f64>) -> Self {
        Self::Declared(*range.start(), *range.end())
    }
}

impl FromStr for Range {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let bounds: Bounds = text.parse()?;
        check_exact(text, bounds)?;
        Ok(match bounds.scale() {
            None => Self::Declared(bounds.lower(), bounds.upper()),
            Some(_) => Self::Times(bounds),
        })
    }
}

/// Refuses ends that are not exactly doubles, if every integer between them counts.
fn check_exact(text: &str, bounds: Bounds) -> Result<()> {
    let are_exact = || {
        let numbers = [bounds.lower(), bounds.upper()];
        text.split(',').zip(numbers).all(|(end, number)| is_exactly(end.trim(), number))
    };
    if !Grid::new(bounds).is_finer_than_doubles() || are_exact() {
        return Ok(());
    }
    Err(Error::parameter(
        option::BOUNDS,
        "beyond 9007199254740992 (2^53) not every number is a double, and one of the two is none",
    )
    .with_fix(
        say("declare bounds that are a little wider, and multiples of a power of two: for example")
            .set(option::BOUNDS, "9007199254740992,9007199254741056"),
    ))
}

/// Returns true if a number beyond 2^53, where doubles are integers, is what its text says.
fn is_exactly(text: &str, number: f64) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    match whole.parse::<i128>() {
        Ok(whole) if fraction.bytes().all(|digit| digit == b'0') => whole == number as i128,
        // A number with an exponent means the double nearest to it.
        _ => text.contains(['e', 'E']),
    }
}

/// Serialized as `"auto"`, or `[lo, hi]`, where both can be dates or times as text.
impl Serialize for Range {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Declared(lower, upper) => [lower, upper].serialize(serializer),
            Self::Times(bounds) => bounds.texts().serialize(serializer),
        }
    }
}

/// Labels, such as categories or groups, in the order declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Labels(pub Vec<String>);

/// Reads `A,B,C`, where a backslash makes a comma part of a label.
impl FromStr for Labels {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(list::items(text)))
    }
}

/// One column, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnNames(pub Vec<String>);

/// Reads `A,B`, where a backslash makes a comma part of a name.
impl FromStr for ColumnNames {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(list::items(text)))
    }
}

/// Serialized as one name, or as a list; as a list of one if the text would be read as another
/// name.
impl Serialize for ColumnNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] if list::items(one) == [one.as_str()] => serializer.serialize_str(one),
            several => serializer.collect_seq(several),
        }
    }
}

/// Value that a person with several rows counts with, as in `total`, or `last:date`: the last of
/// them by this column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerPerson {
    /// Number, shares or category of a person.
    pub value: PersonValue,
    /// Column of the times of rows, of which the last counts.
    pub time: Option<String>,
}

impl From<PersonValue> for PerPerson {
    fn from(value: PersonValue) -> Self {
        Self { value, time: None }
    }
}

impl FromStr for PerPerson {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, time) = match text.split_once(':') {
            Some((name, time)) => (name.trim(), Some(time.trim().to_owned())),
            None => (text.trim(), None),
        };
        let value = name.parse()?;
        match (value, &time) {
            (PersonValue::Last, Some(time)) if !time.is_empty() => {
                Ok(Self { value, time: Some(time.clone()) })
            }
            (PersonValue::Last, _) => Err(Error::parameter(
                option::PER_PERSON,
                "it is not said by which column a row of a person is the last",
            )
            .with_fix(for_example(option::PER_PERSON, "last:date"))),
            (_, Some(_)) => Err(Error::parameter(
                option::PER_PERSON,
                format!("there is a column behind {name}, which needs none"),
            )
            .with_fix(say("use").set(option::PER_PERSON, name.to_owned()))),
            (_, None) => Ok(value.into()),
        }
    }
}

impl fmt::Display for PerPerson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.time {
            Some(time) => write!(f, "{}:{time}", self.value),
            None => self.value.fmt(f),
        }
    }
}

impl Serialize for PerPerson {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Knowledge of who is in which of several groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupMembership {
    /// Everybody may know it of everybody.
    Public,
}

impl FromStr for GroupMembership {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim() {
            "public" => Ok(Self::Public),
            _ => Err(Error::parameter(option::PERSON_GROUPS, "expected public").with_fix(
                say("say")
                    .set(option::PERSON_GROUPS, "public")
                    .say("if everybody may know who is in which groups"),
            )),
        }
    }
}

impl Serialize for GroupMembership {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Public => serializer.serialize_str("public"),
        }
    }
}

/// Groups of one column, or of each of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupLists(pub Vec<Labels>);

impl From<Labels> for GroupLists {
    fn from(groups: Labels) -> Self {
        Self(vec![groups])
    }
}

/// Serialized as a list of labels, or as a list of such lists.
impl Serialize for GroupLists {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            several => serializer.collect_seq(several),
        }
    }
}

/// Treatment of missing values: a number or a declared category stands in their place, or `exclude`
/// leaves their records out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing(pub String);

impl Missing {
    /// Returns true if records without a value are left out.
    pub(crate) fn excludes(&self) -> bool {
        self.0.trim() == Replacement::EXCLUDE
    }

    /// Number that replaces missing values, for a date or time its position on the scale of these
    /// bounds; `None` if records are left out.
    pub(crate) fn number(&self, bounds: Option<Bounds>) -> Result<Option<f64>> {
        if self.excludes() {
            return Ok(None);
        }
        if let Some(scale) = bounds.and_then(Bounds::scale) {
            let number = scale.number(self.0.trim_ascii().as_bytes());
            return number.map(Some).ok_or_else(|| {
                Error::parameter(
                    option::MISSING,
                    "expected a date or time like the bounds, or exclude",
                )
                .with_fix(for_example(option::MISSING, "2020-01-01"))
            });
        }
        thousands::check(option::MISSING, &self.0)?;
        let text = self.0.trim();
        let number = text.parse().map_err(|_| {
            Error::parameter(option::MISSING, "expected a number, or exclude")
                .with_fix(for_example(option::MISSING, "0"))
        })?;
        // Beyond the bounds all numbers are one.
        let counts = |bounds: Bounds| {
            Grid::new(bounds).is_finer_than_doubles() && bounds.clamp(number) == number
        };
        match bounds.is_some_and(counts) && !is_exactly(text, number) {
            false => Ok(Some(number)),
            true => Err(Error::parameter(
                option::MISSING,
                "the constant for missing cells is no \
                 double, but between bounds beyond 9007199254740992 (2^53) that are close to each \
                 other each number counts",
            )
            .with_fix(
                say("name one that is a double, such as a bound:")
                    .set(option::MISSING, "9007199254740992"),
            )),
        }
    }
}

impl FromStr for Missing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(text.to_owned()))
    }
}

/// Serialized as a number if its text is the same, otherwise as text: a category can be called 01.
impl Serialize for Missing {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0.parse::<f64>() {
            Ok(number) if number.is_finite() && number.to_string() == self.0 => {
                serializer.serialize_f64(number)
            }
            _ => serializer.serialize_str(&self.0),
        }
    }
}

/// Least and largest budget that people can have, from public knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EpsilonRange(Epsilon, Epsilon);

impl EpsilonRange {
    /// Distinct budgets in this range.
    pub(crate) fn budgets(self) -> Result<DeclaredBudgets> {
        DeclaredBudgets::range(self.0, self.1)
    }
}

impl FromStr for EpsilonRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        // Says what is wrong with the text.
        text.parse::<DeclaredBudgets>()?;
        let ends = text.split_once(',').unwrap_or((text, text));
        Ok(Self(ends.0.parse()?, ends.1.parse()?))
    }
}

/// Ranks of quantiles, the median by default; the words `deciles` and `percentiles` stand for 9 and
/// 99 of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ranks(pub Vec<Rank>);

impl HasDefault for Ranks {}

impl Default for Ranks {
    fn default() -> Self {
        Self(vec![Rank::MEDIAN])
    }
}

impl Ranks {
    /// All percentiles.
    pub(crate) fn percentiles() -> Result<Self> {
        ranks_of_equal_parts(100).map(Self)
    }
}

impl FromStr for Ranks {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut ranks = Vec::new();
        for word in text.split(',') {
            match word.trim() {
                "deciles" => ranks.extend(ranks_of_equal_parts(10)?),
                "percentiles" => ranks.extend(ranks_of_equal_parts(100)?),
                rank => ranks.push(rank.parse()?),
            }
        }
        Ok(Self(ranks))
    }
}

/// Ranks that divide all records into `parts` equal parts.
fn ranks_of_equal_parts(parts: u64) -> Result<Vec<Rank>> {
    (1..parts).map(|below| Rank::new(below, parts)).collect()
}

/// Publicly known variance of values, in their squared units.
pub(super) struct KnownVariance(f64);

impl FromStr for KnownVariance {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Self(number)),
            _ if text.trim() == "private" => {
                let fix = leave_out(option::VARIANCE).say(
                    ": a mean or a sum measures its own for nothing; variance and summary \
                     publish one",
                );
                Err(Error::parameter(option::VARIANCE, "a private one is not bought for a mean")
                    .with_fix(fix))
            }
            _ => Err(Error::parameter(option::VARIANCE, "expected a number")
                .with_fix(for_example(option::VARIANCE, "20"))),
        }
    }
}

impl From<KnownVariance> for f64 {
    fn from(KnownVariance(variance): KnownVariance) -> Self {
        variance
    }
}

/// Form of a length in the units of the answer, or in percentage points (`0.5pp`, `0.5%`).
pub(crate) struct LengthOrPoints;

impl OptionForm<Length> for LengthOrPoints {
    const SHAPE: Shape = Shape::LENGTH;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<Length> {
        let text = word.text().unwrap_or_default();
        thousands::check(row.option(), text.trim_end_matches(['p', '%']))?;
        let length = Length::parse(&text);
        let expected = "a finite number, or percentage points such as 0.5pp";
        length.ok_or_else(|| malformed(row.name, expected))
    }
}

/// Name of an estimator, or `auto`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EstimatorName(pub String);

impl HasDefault for EstimatorName {}

impl Default for EstimatorName {
    fn default() -> Self {
        Self("auto".to_owned())
    }
}

impl FromStr for EstimatorName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(text.to_owned()))
    }
}

/// Confidence, with its default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Confidence(pub f64);

impl HasDefault for Confidence {}

impl Default for Confidence {
    fn default() -> Self {
        Self(0.95)
    }
}

impl From<f64> for Confidence {
    fn from(probability: f64) -> Self {
        Self(probability)
    }
}

/// PAC level β of the estimators that have one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Beta(pub f64);

impl HasDefault for Beta {}

impl Default for Beta {
    fn default() -> Self {
        Self(0.05)
    }
}

impl From<f64> for Beta {
    fn from(level: f64) -> Self {
        Self(level)
    }
}

/// Length in the units of the answer; for shares and ranks, a part of 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(into = "f64")]
pub struct Length {
    /// The length.
    pub amount: f64,
    /// True if it was given in percentage points.
    pub in_points: bool,
}

impl Length {
    /// Reads a finite number, or percentage points (`0.5pp`, `0.5%`).
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let points = text.strip_suffix("pp").or_else(|| text.strip_suffix('%'));
        let number: f64 = points.unwrap_or(text).trim().parse().ok()?;
        let amount = if points.is_some() { number / 100.0 } else { number };
        amount.is_finite().then_some(Self { amount, in_points: points.is_some() })
    }
}

impl From<Length> for f64 {
    fn from(length: Length) -> Self {
        length.amount
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_are_no_doubles_are_refused_where_each_integer_counts() {
        for narrow in [
            "9007199254740992,9007199254740996",
            "9007199254740992.0, 9007199254740996",
            "9007199254740992,9.007199254741e15",
            "-1152921504606846976,-1152921504606846720",
        ] {
            assert!(narrow.parse::<Range>().is_ok(), "{narrow}");
        }
        for rounded in [
            "9007199254740993,9007199254741003",
            "9007199254740992,9007199254740996.5",
            "-1152921504606846975,-1152921504606846720",
        ] {
            let refused = rounded.parse::<Range>().unwrap_err();
            assert!(refused.to_string().starts_with("bounds: "), "{rounded}: {refused}");
        }
        assert!("0,18446744073709551615".parse::<Range>().is_ok(), "wide bounds may be rounded");
    }

    #[test]
    fn constants_that_are_no_doubles_are_refused_where_each_integer_counts() {
        let narrow: Bounds = "9007199254740992,9007199254741000".parse().unwrap();
        let number = |text: &str, bounds| Missing(text.to_owned()).number(bounds);
        for text in
            ["9007199254740994", " 9007199254741000.0", "9.007199254740994e15", "0.1", "1e20"]
        {
            assert_eq!(number(text, Some(narrow)), Ok(text.trim().parse().ok()), "{text}");
        }
        for text in ["9007199254740993", "9007199254740999", "9007199254740994.5"] {
            let refused = number(text, Some(narrow)).unwrap_err();
            assert!(refused.to_string().starts_with("missing: "), "{text}: {refused}");
            let wide = "0,18446744073709551615".parse().ok();
            assert_eq!(number(text, wide), Ok(text.parse().ok()), "wide bounds may round it");
            assert_eq!(number(text, None), Ok(text.parse().ok()));
        }
    }

    #[test]
    fn words_stand_for_many_ranks() {
        let ranks = |text: &str| text.parse::<Ranks>().map(|ranks| ranks.0);
        let deciles = ranks("deciles").unwrap();
        assert_eq!((deciles.len(), deciles[4]), (9, Rank::MEDIAN));
        assert_eq!(ranks("percentiles").unwrap().len(), 99);
        assert_eq!(ranks("deciles, 0.99").unwrap().len(), 10);
        assert!(ranks("quartiles").is_err());
    }
}
