//! Reading and writing of values, with a type for each way in which front ends write them.

use std::str::FromStr;

use serde::Serialize;
use suum_core::{Error, Neighbors, PostProcessing, Profile, Result, Target};

use super::entries::{Entries, finite, malformed, plain_text};
use super::row::OptionRow;
use super::shape::Shape;
use super::thousands;
use super::word::Word;
use crate::statistic::StatisticName;

/// Form of a value, in which every front end writes it.
pub(crate) trait OptionForm<T: Serialize> {
    /// Shape that is announced to front ends.
    const SHAPE: Shape;

    /// Reads a value; `all` are the entries that it stands among.
    ///
    /// # Errors
    ///
    /// Refuses a word of another form, and what the type of the value refuses.
    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<T>;

    /// Writes a value in the form in which it is read.
    fn write(value: &T) -> Word {
        Word::from_value(value)
    }
}

/// Field of options, which may not be set.
pub(crate) trait OptionField<F>: Default + PartialEq {
    /// Shape that is announced to front ends.
    const SHAPE: Shape;

    /// Reads a value that is set.
    ///
    /// # Errors
    ///
    /// Fails like [`OptionForm::read`].
    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<Self>;

    /// Writes the value; `None` for one that is not set.
    fn write(&self) -> Option<Word>;

    /// Returns true if there is a value to write.
    fn is_set(&self) -> bool {
        *self != Self::default()
    }
}

impl<T: PartialEq + Serialize, F: OptionForm<T>> OptionField<F> for Option<T> {
    const SHAPE: Shape = F::SHAPE;

    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<Self> {
        F::read(row, word, all).map(Some)
    }

    fn write(&self) -> Option<Word> {
        self.as_ref().map(F::write)
    }
}

/// Type of a field that has a value by default, at which it is not written.
pub(crate) trait HasDefault: Default + PartialEq + Serialize {}

impl HasDefault for Neighbors {}
impl HasDefault for PostProcessing {}
impl HasDefault for Target {}

impl<T: HasDefault, F: OptionForm<T>> OptionField<F> for T {
    const SHAPE: Shape = F::SHAPE;

    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<Self> {
        F::read(row, word, all)
    }

    fn write(&self) -> Option<Word> {
        (*self != Self::default()).then(|| F::write(self))
    }
}

/// True or false.
pub(crate) struct Flag;

impl OptionField<Flag> for bool {
    const SHAPE: Shape = Shape::FLAG;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<Self> {
        match word {
            Word::Flag(is_set) => Ok(is_set),
            _ => Err(malformed(row.name, "true or false")),
        }
    }

    fn write(&self) -> Option<Word> {
        self.then_some(Word::Flag(true))
    }
}

/// A column or another name, whatever characters it has: never a list.
pub(crate) struct Name;

impl OptionForm<String> for Name {
    const SHAPE: Shape = Shape::NAME;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<String> {
        match word {
            Word::Text(text) => Ok(text),
            _ => Err(malformed(row.name, "one name")),
        }
    }
}

/// One of several words, or a text with a form of its own: never a list.
pub(crate) struct Choice;

impl<T: FromStr<Err = Error> + Serialize> OptionForm<T> for Choice {
    const SHAPE: Shape = Shape::TEXT;

    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<T> {
        Name::read(row, word, all)?.parse()
    }
}

/// A text with a form of its own, or the number, list or table that it stands for.
pub(crate) struct ParsedText;

impl<T: FromStr<Err = Error> + Serialize> OptionForm<T> for ParsedText {
    const SHAPE: Shape = Shape::NUMBER_OR_TEXT;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<T> {
        plain_text(row.name, word)?.parse()
    }
}

/// Numbers, refused if some may have points between thousands.
pub(crate) struct Numbers;

impl<T: FromStr<Err = Error> + Serialize> OptionForm<T> for Numbers {
    const SHAPE: Shape = Shape::NUMBER_OR_TEXT;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<T> {
        let text = plain_text(row.name, word)?;
        thousands::check(row.option(), &text)?;
        text.parse()
    }
}

/// A value that is read as another type than it is kept in, with the same form.
pub(crate) struct ParsedAs<P>(P);

impl<T: Serialize, P: FromStr<Err = Error> + Into<T>> OptionForm<T> for ParsedAs<P> {
    const SHAPE: Shape = Shape::NUMBER_OR_TEXT;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<T> {
        let text = plain_text(row.name, word)?;
        thousands::check(row.option(), &text)?;
        text.parse::<P>().map(Into::into)
    }
}

/// A list of labels. Numbers with a point are refused: 1.0 would be the label 1, or 1.0.
pub(crate) struct LabelList;

impl<T: FromStr<Err = Error> + Serialize> OptionForm<T> for LabelList {
    const SHAPE: Shape = Shape::LABELS;

    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<T> {
        check_labels(row.name, &word)?;
        ParsedText::read(row, word, all)
    }
}

/// A finite number.
pub(crate) struct Number;

impl<T: From<f64> + Serialize> OptionForm<T> for Number {
    const SHAPE: Shape = Shape::NUMBER;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<T> {
        finite(row.name, word).map(T::from)
    }
}

/// A number; true stands for the usual one.
pub(crate) struct NumberOrTrue;

/// Part of the budget of an answer that checks its bounds, if no number is given.
const USUAL: f64 = 0.05;

impl OptionField<NumberOrTrue> for Option<f64> {
    const SHAPE: Shape = Shape::NUMBER_OR_TRUE;

    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<Self> {
        match word {
            Word::Flag(is_set) => Ok(is_set.then_some(USUAL)),
            word => Number::read(row, word, all).map(Some),
        }
    }

    fn write(&self) -> Option<Word> {
        self.map(Word::Number)
    }
}

/// A whole number that is not negative.
pub(crate) struct Whole;

impl OptionForm<u32> for Whole {
    const SHAPE: Shape = Shape::WHOLE_32;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<u32> {
        whole(row, word)
    }
}

impl OptionForm<u64> for Whole {
    const SHAPE: Shape = Shape::WHOLE_64;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<u64> {
        whole(row, word)
    }
}

fn whole<T: FromStr>(row: &OptionRow, word: Word) -> Result<T> {
    let number = word.text().and_then(|text| text.trim().parse().ok());
    number.ok_or_else(|| malformed(row.name, "a whole number, not negative and not huge"))
}

/// One statistic, or a list of them.
pub(crate) struct StatisticOrList;

impl OptionField<StatisticOrList> for StatisticName {
    const SHAPE: Shape = Shape::STATISTIC;

    fn read(row: &OptionRow, word: Word, all: &Entries) -> Result<Self> {
        match word {
            list @ Word::List(_) => {
                let text = list.text().ok_or_else(|| malformed(row.name, "names of statistics"))?;
                text.parse().map(Self::Several)
            }
            word => ParsedText::read(row, word, all),
        }
    }

    /// Returns a value always: a query without a statistic is none.
    fn write(&self) -> Option<Word> {
        Some(Word::from_value(self))
    }

    fn is_set(&self) -> bool {
        true
    }
}

/// Numbers of people by budget: a table, or its text `EPSILON:COUNT,…`.
pub(crate) struct Counts;

impl OptionForm<Profile> for Counts {
    const SHAPE: Shape = Shape::COUNTS;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<Profile> {
        counts(row, word, "")?.parse()
    }

    fn write(value: &Profile) -> Word {
        Word::Text(value.to_string())
    }
}

/// Changes of numbers of people by budget: a table, or its text `EPSILON:+N,EPSILON:-N,…`.
pub(crate) struct CountChanges;

impl OptionForm<String> for CountChanges {
    const SHAPE: Shape = Shape::COUNT_CHANGES;

    fn read(row: &OptionRow, word: Word, _: &Entries) -> Result<String> {
        counts(row, word, "+")
    }
}

/// Returns the text of numbers by budget, in which numbers without a sign have this one.
fn counts(row: &OptionRow, word: Word, sign: &str) -> Result<String> {
    let Word::Table(pairs) = word else {
        return word.text().ok_or_else(|| malformed(row.name, "EPSILON:COUNT pairs"));
    };
    let pair = |(epsilon, count): (String, Word)| match count {
        Word::Text(count) if count.starts_with(['+', '-']) => Ok(format!("{epsilon}:{count}")),
        Word::Text(count) => Ok(format!("{epsilon}:{sign}{count}")),
        Word::Number(count) => Ok(format!("{epsilon}:{sign}{count}")),
        _ => Err(malformed(row.name, "a number of people for each budget")),
    };
    Ok(pairs.into_iter().map(pair).collect::<Result<Vec<_>>>()?.join(","))
}

/// Refuses numbers with a point among labels.
pub(crate) fn check_labels(name: &'static str, word: &Word) -> Result<()> {
    match word {
        Word::List(items) if items.iter().any(|item| matches!(item, Word::Number(_))) => {
            Err(malformed(name, "labels as text, such as \"1.0\", not numbers with a point"))
        }
        _ => Ok(()),
    }
}
