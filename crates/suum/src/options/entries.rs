//! Entries of a query, by name: from JSON, from TOML, or from a command line.

mod columns;

use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use suum_core::{Command, Error, OptionName, Phrase, Result, option};
use suum_data::{list, nearest};

use super::row::OptionRow;
use super::thousands;
use super::word::Word;

/// Entries of a query, by name, in their order.
///
/// Names are those of the command line, written with `-` or `_`. A value is text, as on the command
/// line, or its equivalent: a number, a list, or a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entries {
    said: Vec<(String, Word)>,
    /// Names that have been looked up, and so exist.
    known: Vec<&'static str>,
    /// Other names for those, each with its main name.
    aliases: Vec<(&'static str, &'static str)>,
}

impl Entries {
    /// Reads the entries of a JSON object.
    ///
    /// # Errors
    ///
    /// Refuses text that is not a JSON object.
    pub fn from_json(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| {
            Error::parameter(option::QUERY, format!("it is no JSON object of options: {error}"))
                .with_fix("for example {\"statistic\": \"mean\", \"value\": \"visits\"}")
        })
    }

    /// Reads the entries of a TOML file.
    ///
    /// # Errors
    ///
    /// Refuses text that is not TOML, with the line.
    pub fn from_toml(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| {
                text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1
            });
            // No line is named if the whole text is wrong.
            let place = line.map_or_else(String::new, |line| format!(" in line {line}"));
            let what = error.message();
            Error::parameter(option::QUERY, format!("it is no TOML of options{place}: {what}"))
                .with_fix("write one option a line, for example bounds = [0, 77]")
        })
    }

    /// Returns the request if these are the entries of a release in JSON; otherwise the entries.
    #[must_use]
    pub fn into_request(self) -> Self {
        let asked = self.said.iter().find_map(|(name, word)| match word {
            Word::Table(pairs) if name == "query" => Some(pairs),
            _ => None,
        });
        match asked {
            Some(pairs) => {
                let said = pairs.iter().map(|(name, word)| (plain(name), word.clone()));
                Self { said: said.collect(), ..Self::default() }
            }
            None => self,
        }
    }

    /// Refuses options that stand below the section of tiers, of which TOML makes them a part.
    pub(crate) fn check_tiers(&self, options: &[&str]) -> Result<()> {
        let tiers = self.said.iter().find_map(|(name, word)| match word {
            Word::Table(pairs) if name == "levels" => Some(pairs),
            _ => None,
        });
        let mut names = tiers.into_iter().flatten().map(|(name, _)| name);
        match names.find(|name| options.contains(&plain(name).as_str())) {
            Some(name) => {
                let what = format!("it has a tier {name}, as an option is called");
                Err(Error::parameter(option::LEVELS, what).with_fix(format!(
                    "options stand above the section [levels]; a tier of that name is said in a \
                     text: levels = \"{name}=0.1,public=inf\""
                )))
            }
            None => Ok(()),
        }
    }

    /// Sets an entry, in place of an existing one.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.put(name, Word::Text(value.into()));
        self
    }

    /// Sets an entry to a list, like [`with`](Self::with).
    #[must_use]
    pub fn with_list(mut self, name: &str, items: impl IntoIterator<Item = String>) -> Self {
        self.put(name, Word::List(items.into_iter().map(Word::Text).collect()));
        self
    }

    /// Drops empty entries, and flags that are not set.
    #[must_use]
    pub fn without_empty(mut self) -> Self {
        self.said.retain(|(_, word)| !matches!(word, Word::Nothing | Word::Flag(false)));
        self
    }

    /// Refuses entries of other names than these.
    pub(crate) fn only(&self, names: &[&str], why: &'static str) -> Result<()> {
        match self.said.iter().find(|(said, _)| !names.contains(&said.as_str())) {
            Some((name, _)) => {
                Err(Error::request(name.clone(), why).with_fix(format!("leave {name} out")))
            }
            None => Ok(()),
        }
    }

    /// Drops the entries with these names.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        self.said.retain(|(said, _)| !names.contains(&said.as_str()));
        self
    }

    /// Drops the entries of other names than these.
    #[must_use]
    pub(crate) fn with_only(mut self, names: &[&str]) -> Self {
        self.said.retain(|(said, _)| names.contains(&said.as_str()));
        self
    }

    /// Adds the entries of `others` that these lack.
    #[must_use]
    pub fn over(mut self, others: Self) -> Self {
        let others = others.said.into_iter().filter(|(name, _)| !self.has(name));
        let others: Vec<_> = others.collect();
        self.said.extend(others);
        self
    }

    /// Returns true if there is an entry of this name.
    pub fn has(&self, name: &str) -> bool {
        self.said.iter().any(|(said, _)| said == name)
    }

    /// Names of the entries.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.said.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the value of an entry.
    pub(crate) fn value(&self, name: &str) -> Option<&Word> {
        self.said.iter().find(|(said, _)| said == name).map(|(_, word)| word)
    }

    /// Replaces a value with a text.
    pub(crate) fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, Word::Text(text.to_owned()));
    }

    /// Replaces a value with a list.
    pub(crate) fn set_list(&mut self, name: &str, items: Vec<String>) {
        self.set(name, Word::List(items.into_iter().map(Word::Text).collect()));
    }

    fn set(&mut self, name: &str, word: Word) {
        if let Some((_, value)) = self.said.iter_mut().find(|(said, _)| said == name) {
            *value = word;
        }
    }

    fn put(&mut self, name: &str, word: Word) {
        let name = plain(name);
        self.said.retain(|(said, _)| *said != name);
        self.said.push((name, word));
    }

    /// Takes the value of an option, if it has one.
    pub(crate) fn take_option(&mut self, row: &'static OptionRow) -> Option<Word> {
        self.aliases.extend(row.aliases.iter().map(|alias| (*alias, row.name)));
        self.take(row.name)
    }

    /// Takes the value of an entry, if there is one.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<Word> {
        self.known.push(name);
        let at = self.said.iter().position(|(said, _)| said == name)?;
        Some(self.said.remove(at).1).filter(|word| *word != Word::Nothing)
    }

    /// Returns true if the value is a list, not text.
    pub(crate) fn is_list(&self, name: &str) -> bool {
        self.said.iter().any(|(said, word)| said == name && matches!(word, Word::List(_)))
    }

    /// Returns true if the value names more than one column.
    pub(crate) fn has_several(&self, name: &str) -> bool {
        let value = self.said.iter().find(|(said, _)| said == name).map(|(_, word)| word);
        match value {
            Some(Word::List(items)) => items.len() > 1,
            Some(Word::Text(text)) => list::items(text).len() > 1,
            _ => false,
        }
    }

    /// Takes an entry that is text.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>> {
        self.take(name).map(|word| plain_text(name, word)).transpose()
    }

    /// Takes an entry that is a column or another name, with any characters.
    pub(crate) fn name(&mut self, name: &'static str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Word::Text(text)) => Ok(Some(text)),
            Some(_) => Err(malformed(name, "one name")),
        }
    }

    /// Takes an entry whose type has a text form.
    pub(crate) fn parsed<T: FromStr<Err = Error>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>> {
        self.text(name)?.map(|text| text.parse()).transpose()
    }

    /// Takes an entry that is a finite number.
    pub(crate) fn number(&mut self, name: &'static str) -> Result<Option<f64>> {
        self.take(name).map(|word| finite(name, word)).transpose()
    }

    /// Returns true if a flag is set.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool> {
        match self.take(name) {
            None => Ok(false),
            Some(Word::Flag(is_set)) => Ok(is_set),
            Some(_) => Err(malformed(name, "true or false")),
        }
    }

    /// Takes a list of tables, each with entries of its own.
    pub(crate) fn tables(&mut self, name: &'static str) -> Result<Option<Vec<Self>>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        let refused = || malformed(name, "a list of tables of options");
        let Word::List(items) = word else { return Err(refused()) };
        let table = |item: Word| match item {
            Word::Table(pairs) => Self::from_pairs(pairs)
                .map_err(|twice| Error::parameter(name, twice).with_fix("leave one of them out")),
            _ => Err(refused()),
        };
        items.into_iter().map(table).collect::<Result<_>>().map(Some)
    }

    /// Takes a table of tables, each with a name and entries of its own.
    pub(crate) fn named_tables(
        &mut self,
        name: &'static str,
    ) -> Result<Option<Vec<(String, Self)>>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        let refused = || malformed(name, "a table of columns, each with a table of options");
        let Word::Table(tables) = word else { return Err(refused()) };
        let table = |(key, word): (String, Word)| match word {
            Word::Table(pairs) => match Self::from_pairs(pairs) {
                Ok(own) => Ok((key, own)),
                Err(twice) => Err(Error::parameter(name, twice).with_fix("leave one of them out")),
            },
            _ => Err(refused()),
        };
        tables.into_iter().map(table).collect::<Result<_>>().map(Some)
    }

    /// Entries that `others` lack.
    pub(crate) fn missing_in(&self, others: &Self) -> Self {
        let said = self.said.iter().filter(|(name, _)| !others.has(name)).cloned();
        Self { said: said.collect(), ..Self::default() }
    }

    /// Creates entries with these names, none of which may be repeated.
    fn from_pairs(pairs: Vec<(String, Word)>) -> std::result::Result<Self, String> {
        let mut said: Vec<(String, Word)> = Vec::with_capacity(pairs.len());
        for (name, word) in pairs {
            let name = plain(&name);
            if said.iter().any(|(known, _)| *known == name) {
                return Err(format!("{name} is said twice"));
            }
            said.push((name, word));
        }
        Ok(Self { said, ..Self::default() })
    }

    /// Refuses entries that nobody has looked up.
    pub(crate) fn finish(self) -> Result<()> {
        let Some((name, _)) = self.said.first() else { return Ok(()) };
        let called = self.aliases.iter().find(|(alias, _)| alias == name).map(|(_, name)| *name);
        let part = self.known.iter().find(|known| name.len() > 3 && known.contains(name.as_str()));
        let near = nearest(name, self.known.iter().copied());
        let hint = match called.or(part.copied()).or(near) {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => "leave it out; the reference of options has their names".to_owned(),
        };
        Err(Error::parameter(name.clone(), "there is no such option").with_fix(hint))
    }
}

/// Normalized name for look-up.
fn plain(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns a text, or that of the number, list or table in its place.
pub(crate) fn plain_text(name: &'static str, word: Word) -> Result<String> {
    word.text().ok_or_else(|| malformed(name, "a text, a number or a list of them"))
}

/// Returns a finite number; one that perhaps has points between thousands is refused.
pub(crate) fn finite(name: &'static str, word: Word) -> Result<f64> {
    let text = word.text().unwrap_or_default();
    thousands::check(OptionName::new(name), &text)?;
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| malformed(name, "a finite number"))
}

/// Refusal of a value in another form than that of its option.
pub(crate) fn malformed(name: &'static str, expected: &str) -> Error {
    let option = OptionName::new(name);
    Error::parameter(option, format!("expected {expected}"))
        .with_fix(Phrase::from(Command::Help).say("says what").option(option).say("can be"))
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        match Word::deserialize(from)? {
            Word::Table(pairs) => Self::from_pairs(pairs).map_err(serde::de::Error::custom),
            _ => Err(serde::de::Error::custom("expected names and values")),
        }
    }
}

#[cfg(test)]
mod tests;
