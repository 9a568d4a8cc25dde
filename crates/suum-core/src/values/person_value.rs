//! Values that persons with many rows count with.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::error::{for_example, option, say};
use crate::{Error, Result};

/// One number for all rows of a person, where values are numbers; their shares or their category,
/// where values are categories.
///
/// A statistic has a [default](Self::for_statistic); all others can be asked for by name. Rows are
/// reduced first and the number is clamped to the bounds, so bounds are those of that number. Only
/// a mean is of rows each of which was clamped.
///
/// # Example
///
/// ```
/// use suum_core::{PersonValue, Statistic};
///
/// assert_eq!(PersonValue::for_statistic(Statistic::Sum), PersonValue::Total);
/// assert_eq!(PersonValue::for_statistic(Statistic::Mean), PersonValue::Rows);
/// assert_eq!(PersonValue::for_statistic(Statistic::Frequency), PersonValue::Share);
/// assert_eq!("total".parse(), Ok(PersonValue::Total));
/// assert_eq!(PersonValue::Total.words_for_persons(), "persons' totals");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PersonValue {
    /// In sums the [`Mean`](Self::Mean), and at candidates of quantiles R rows, evenly spaced by
    /// rank: the default of all statistics but a sum.
    #[default]
    Rows,
    /// Mean of their rows, each clamped to the bounds.
    Mean,
    /// Total of their rows, as they are.
    Total,
    /// Median of their rows, as they are: of an even number the middle of the two middle ones.
    Median,
    /// Least of their rows.
    Min,
    /// Largest of their rows.
    Max,
    /// Last of their rows by a column of times. A missing time comes first; of rows of the same
    /// time the least value counts.
    Last,
    /// Share of their rows in each category.
    Share,
    /// Category that most of their rows are in; of equally frequent ones the first declared.
    Mode,
}

impl PersonValue {
    /// Values that can be asked for, by their names.
    const NAMED: [(&'static str, Self); 8] = [
        ("mean", Self::Mean),
        ("total", Self::Total),
        ("median", Self::Median),
        ("min", Self::Min),
        ("max", Self::Max),
        ("last", Self::Last),
        ("share", Self::Share),
        ("mode", Self::Mode),
    ];

    /// Returns the name in options and level tables; `None` for [`Rows`](Self::Rows), which has
    /// none.
    pub fn name(self) -> Option<&'static str> {
        let named = Self::NAMED.iter().find(|(_, value)| *value == self);
        named.map(|(name, _)| *name)
    }

    /// Returns words for the values of all persons, which follow "mean of".
    pub fn words_for_persons(self) -> &'static str {
        match self {
            Self::Rows | Self::Mean => "persons' means",
            Self::Total => "persons' totals",
            Self::Median => "persons' medians",
            Self::Min => "persons' least values",
            Self::Max => "persons' largest values",
            Self::Last => "persons' last values",
            Self::Share => "persons' shares",
            Self::Mode => "persons' most frequent categories",
        }
    }

    /// Returns words for the value of one person, which follow "counts with".
    pub fn words_for_rows(self) -> &'static str {
        match self {
            Self::Rows | Self::Mean => "the mean of their rows",
            Self::Total => "the total of their rows",
            Self::Median => "the median of their rows",
            Self::Min => "the least of their rows",
            Self::Max => "the largest of their rows",
            Self::Last => "the last of their rows",
            Self::Share => "the share of their rows in each category",
            Self::Mode => {
                "their most frequent category (of equally frequent ones the first declared)"
            }
        }
    }

    /// Returns the words of JSON for the value of one person.
    pub(crate) fn contribution(self) -> &'static str {
        match self {
            Self::Rows | Self::Mean => "mean of rows",
            Self::Total => "total of rows",
            Self::Median => "median of rows",
            Self::Min => "least of rows",
            Self::Max => "largest of rows",
            Self::Last => "last of rows",
            Self::Share => "share of rows in each category",
            Self::Mode => "most frequent category; of equally frequent ones the first declared",
        }
    }

    /// Returns true if values are categories.
    pub fn is_of_categories(self) -> bool {
        matches!(self, Self::Share | Self::Mode)
    }

    /// Refuses numbers of persons where values are categories, and shares of persons where they are
    /// numbers.
    ///
    /// # Errors
    ///
    /// If the value is not one that persons have there.
    pub fn check(self, of_categories: bool) -> Result<()> {
        if self.is_of_categories() == of_categories {
            return Ok(());
        }
        let (values, fix) = match of_categories {
            true => (
                "categories",
                say("use")
                    .set(option::PER_PERSON, "share")
                    .say("or")
                    .set(option::PER_PERSON, "mode")
                    .say(", or give")
                    .option(option::BOUNDS)
                    .say("in place of categories"),
            ),
            false => (
                "numbers",
                say("use")
                    .set(option::PER_PERSON, "mean")
                    .say(", or give")
                    .option(option::CATEGORIES)
                    .say("or")
                    .option(option::BINS)
                    .say("in place of bounds"),
            ),
        };
        Err(Error::request(option::PER_PERSON, format!("{values} have no {self}")).with_fix(fix))
    }

    /// Returns true if a person counts with one number everywhere, and not with rows by rank at
    /// candidates.
    pub fn is_one_number(self) -> bool {
        self != Self::Rows
    }

    /// Returns true if rows are reduced as they are, and only the result is put on the grid.
    ///
    /// The least row is the same on the grid as off it, and so is the largest.
    pub fn is_of_plain_rows(self) -> bool {
        matches!(self, Self::Total | Self::Median)
    }

    /// Returns true if sums of values like these are also sums of `asked`.
    pub(crate) fn serves_sums_of(self, asked: Self) -> bool {
        let is_mean = |value| matches!(value, Self::Rows | Self::Mean);
        self == asked || is_mean(self) && is_mean(asked)
    }
}

impl fmt::Display for PersonValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name().unwrap_or("rows"))
    }
}

impl FromStr for PersonValue {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = Self::NAMED.iter().find(|(name, _)| *name == text);
        named.map(|(_, value)| *value).ok_or_else(|| {
            Error::parameter(option::PER_PERSON, "there is no value of that name for a person")
                .with_fix(for_example(option::PER_PERSON, "total").say(
                    "; others are mean, median, min, max and last:COL, and share and mode of \
                         categories",
                ))
        })
    }
}

impl Serialize for PersonValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for (name, value) in PersonValue::NAMED {
            assert_eq!((name.parse(), value.name()), (Ok(value), Some(name)));
            assert_eq!(value.to_string(), name);
        }
        let refused = "rows".parse::<PersonValue>().unwrap_err();
        assert!(refused.to_string().starts_with("per_person: ") && refused.fix().is_some());
        assert_eq!(PersonValue::Rows.name(), None);
    }

    #[test]
    fn only_means_stand_for_each_other() {
        use PersonValue::{Max, Mean, Rows, Total};
        assert!(Rows.serves_sums_of(Mean) && Mean.serves_sums_of(Rows));
        assert!(Max.serves_sums_of(Max) && !Max.serves_sums_of(Rows));
        assert!(!Rows.serves_sums_of(Total) && !Total.serves_sums_of(Mean));
    }
}
