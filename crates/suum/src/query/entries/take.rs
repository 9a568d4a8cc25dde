//! What entries say of an option, taken out of them in the form that the option has.

use std::str::FromStr;

use suum_core::{Error, Result};

use super::word::Word;
use super::{Entries, malformed};
use crate::query::label_file;
use crate::query::values::{GroupLists, Labels};

impl Entries {
    /// The text of an entry.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        word.text().map(Some).ok_or_else(|| malformed(name, "a text, a number or a list of them"))
    }

    /// The text of an entry that is a column or another name, whatever characters it has.
    pub(crate) fn name(&mut self, name: &'static str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Word::Text(text)) => Ok(Some(text)),
            Some(_) => Err(malformed(name, "one name")),
        }
    }

    /// A list of tables, each with entries of its own.
    pub(crate) fn tables(&mut self, name: &'static str) -> Result<Option<Vec<Self>>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        let refused = || malformed(name, "a list of tables of options");
        let Word::List(items) = word else { return Err(refused()) };
        let table = |item: Word| match item {
            Word::Table(pairs) => Self::of(pairs).map_err(|twice| {
                Error::parameter(format!("{name}: {twice}")).with_hint("leave one of them out")
            }),
            _ => Err(refused()),
        };
        items.into_iter().map(table).collect::<Result<_>>().map(Some)
    }

    /// A list of labels. Numbers with a point are refused: 1.0 would be the label 1, or 1.0.
    pub(crate) fn labels<T: FromStr<Err = Error>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>> {
        let word = self.said.iter().find(|(said, _)| said == name);
        word.map_or(Ok(()), |(_, word)| check_labels(name, word))?;
        self.parsed(name)
    }

    /// The labels of each of several columns, or of one: a list of them, or `@FILE` for those in a
    /// file.
    pub(crate) fn declared_lists(
        &mut self,
        name: &'static str,
        several: bool,
    ) -> Result<Option<GroupLists>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        let lists = match word {
            Word::List(items)
                if several || items.iter().any(|item| matches!(item, Word::List(_))) =>
            {
                items
            }
            one => vec![one],
        };
        let lists = lists.into_iter().map(|list| declared(name, list));
        Ok(Some(GroupLists(lists.collect::<Result<_>>()?)))
    }

    /// One of several words, never a list.
    pub(crate) fn choice<T: FromStr<Err = Error>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>> {
        self.name(name)?.map(|text| text.parse()).transpose()
    }

    /// An entry that has a form of its own.
    pub(crate) fn parsed<T: FromStr<Err = Error>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>> {
        self.text(name)?.map(|text| text.parse()).transpose()
    }

    /// A table of numbers of people by budget, or its text `EPSILON:COUNT,…`.
    pub(crate) fn counts(&mut self, name: &'static str, sign: &str) -> Result<Option<String>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        let Word::Table(pairs) = word else {
            return word.text().map(Some).ok_or_else(|| malformed(name, "EPSILON:COUNT pairs"));
        };
        let pair = |(epsilon, count): (String, Word)| match count {
            Word::Text(count) if count.starts_with(['+', '-']) => Ok(format!("{epsilon}:{count}")),
            Word::Text(count) => Ok(format!("{epsilon}:{sign}{count}")),
            Word::Number(count) => Ok(format!("{epsilon}:{sign}{count}")),
            _ => Err(malformed(name, "a number of people for each budget")),
        };
        Ok(Some(pairs.into_iter().map(pair).collect::<Result<Vec<_>>>()?.join(",")))
    }

    /// A finite number.
    pub(crate) fn number(&mut self, name: &'static str) -> Result<Option<f64>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        let number = word.text().and_then(|text| text.trim().parse().ok());
        let number = number.filter(|number: &f64| number.is_finite());
        number.map(Some).ok_or_else(|| malformed(name, "a finite number"))
    }

    /// A finite number, or so many percentage points (`0.5pp`, `0.5%`) as a part of 1, and whether
    /// it was given in points.
    pub(crate) fn length(&mut self, name: &'static str) -> Result<(Option<f64>, bool)> {
        let Some(word) = self.take(name) else { return Ok((None, false)) };
        let text = word.text().unwrap_or_default();
        let text = text.trim();
        let points = text.strip_suffix("pp").or_else(|| text.strip_suffix('%'));
        let number = points.unwrap_or(text).trim().parse().ok();
        let number = number.filter(|number: &f64| number.is_finite());
        let number = number.map(|number| if points.is_some() { number / 100.0 } else { number });
        let number = number.ok_or_else(|| {
            malformed(name, "a finite number, or percentage points such as 0.5pp")
        })?;
        Ok((Some(number), points.is_some()))
    }

    /// A number; true stands for the usual one.
    pub(crate) fn number_or_true(&mut self, name: &'static str, usual: f64) -> Result<Option<f64>> {
        match self.said.iter().any(|(said, word)| said == name && matches!(word, Word::Flag(_))) {
            true => Ok(self.flag(name)?.then_some(usual)),
            false => self.number(name),
        }
    }

    /// A whole number that is not negative.
    pub(crate) fn count<T: FromStr>(&mut self, name: &'static str) -> Result<Option<T>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        let number = word.text().and_then(|text| text.trim().parse().ok());
        number.map(Some).ok_or_else(|| malformed(name, "a whole number, not negative and not huge"))
    }

    /// Whether something is so.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool> {
        match self.take(name) {
            None => Ok(false),
            Some(Word::Flag(is_so)) => Ok(is_so),
            Some(_) => Err(malformed(name, "true or false")),
        }
    }
}

/// Refuses numbers with a point among labels.
fn check_labels(name: &str, word: &Word) -> Result<()> {
    match word {
        Word::List(items) if items.iter().any(|item| matches!(item, Word::Number(_))) => {
            Err(malformed(name, "labels as text, such as \"1.0\", not numbers with a point"))
        }
        _ => Ok(()),
    }
}

/// The labels that a value says, or those of the file that it names.
fn declared(name: &str, word: Word) -> Result<Labels> {
    check_labels(name, &word)?;
    if let Word::Text(text) = &word
        && let Some(path) = label_file::named(text)
    {
        return label_file::read(&name.replace('_', "-"), path);
    }
    let text = word.text().ok_or_else(|| malformed(name, "labels: A,B,C, or a list of them"))?;
    text.parse()
}
