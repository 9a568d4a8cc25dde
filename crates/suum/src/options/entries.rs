//! What a query says, by name: from JSON, from TOML, or from a command line.

mod columns;

use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use suum_core::{Command, Error, OptionName, Phrase, Result, option};
use suum_data::{list, nearest};

use super::row::OptionRow;
use super::thousands;
use super::word::Word;

/// All that a query says, by name, in the order in which it says it.
///
/// Names are those of the command line, written with `-` or `_`. A value is text, as on the command
/// line, or what it stands for: a number, a list, or a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entries {
    said: Vec<(String, Word)>,
    /// The names that were asked for: those that there are.
    known: Vec<&'static str>,
    /// Other names of those, each with the name here.
    aliases: Vec<(&'static str, &'static str)>,
}

impl Entries {
    /// What a JSON object says.
    ///
    /// # Errors
    ///
    /// Refuses text that is no JSON object.
    pub fn from_json(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| {
            Error::parameter(option::QUERY, format!("it is no JSON object of options: {error}"))
                .with_fix("for example {\"statistic\": \"mean\", \"value\": \"visits\"}")
        })
    }

    /// What a file of TOML says.
    ///
    /// # Errors
    ///
    /// Refuses text that is no TOML, and says where.
    pub fn from_toml(text: &str) -> Result<Self> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let line = error.span().map(|span| {
                text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1
            });
            // Where the whole is wrong, and not a line, there is none.
            let place = line.map_or_else(String::new, |line| format!(" in line {line}"));
            let what = error.message();
            Error::parameter(option::QUERY, format!("it is no TOML of options{place}: {what}"))
                .with_fix("write one option a line, for example bounds = [0, 77]")
        })
    }

    /// What was asked, if these are the entries of a release in JSON; else the entries.
    #[must_use]
    pub fn of_release(self) -> Self {
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

    /// The entries with one more, or with another value for it.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.put(name, Word::Text(value.into()));
        self
    }

    /// As [`with`](Self::with), of a list.
    #[must_use]
    pub fn with_list(mut self, name: &str, items: impl IntoIterator<Item = String>) -> Self {
        self.put(name, Word::List(items.into_iter().map(Word::Text).collect()));
        self
    }

    /// The entries that say something: neither nothing, nor that a flag is not set.
    #[must_use]
    pub fn given(mut self) -> Self {
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

    /// The entries without those of these names.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        self.said.retain(|(said, _)| !names.contains(&said.as_str()));
        self
    }

    /// The entries, and those of others that are not among them.
    #[must_use]
    pub fn over(mut self, others: Self) -> Self {
        let others = others.said.into_iter().filter(|(name, _)| !self.has(name));
        let others: Vec<_> = others.collect();
        self.said.extend(others);
        self
    }

    /// Whether something is said of this name.
    pub fn has(&self, name: &str) -> bool {
        self.said.iter().any(|(said, _)| said == name)
    }

    /// Returns the value of an entry.
    pub(crate) fn value(&self, name: &str) -> Option<&Word> {
        self.said.iter().find(|(said, _)| said == name).map(|(_, word)| word)
    }

    /// Puts a text in the place of a value.
    pub(crate) fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, Word::Text(text.to_owned()));
    }

    /// Puts a list in the place of a value.
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

    /// Whether the value is a list, and not text.
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

    /// The text of an entry.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>> {
        self.take(name).map(|word| plain_text(name, word)).transpose()
    }

    /// An entry that is a column or another name, whatever characters it has.
    pub(crate) fn name(&mut self, name: &'static str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Word::Text(text)) => Ok(Some(text)),
            Some(_) => Err(malformed(name, "one name")),
        }
    }

    /// An entry that has a form of its own.
    pub(crate) fn parsed<T: FromStr<Err = Error>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>> {
        self.text(name)?.map(|text| text.parse()).transpose()
    }

    /// A finite number.
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

    /// A list of tables, each with entries of its own.
    pub(crate) fn tables(&mut self, name: &'static str) -> Result<Option<Vec<Self>>> {
        let Some(word) = self.take(name) else { return Ok(None) };
        let refused = || malformed(name, "a list of tables of options");
        let Word::List(items) = word else { return Err(refused()) };
        let table = |item: Word| match item {
            Word::Table(pairs) => Self::of(pairs)
                .map_err(|twice| Error::parameter(name, twice).with_fix("leave one of them out")),
            _ => Err(refused()),
        };
        items.into_iter().map(table).collect::<Result<_>>().map(Some)
    }

    /// The entries that others lack.
    pub(crate) fn missing_in(&self, others: &Self) -> Self {
        let said = self.said.iter().filter(|(name, _)| !others.has(name)).cloned();
        Self { said: said.collect(), ..Self::default() }
    }

    /// Entries of these names, each of which is said once.
    fn of(pairs: Vec<(String, Word)>) -> std::result::Result<Self, String> {
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

    /// Refuses what nobody has asked for.
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

/// A name as it is looked up.
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

/// The refusal of a value that has not the form of its option.
pub(crate) fn malformed(name: &'static str, expected: &str) -> Error {
    let option = OptionName::new(name);
    Error::parameter(option, format!("expected {expected}"))
        .with_fix(Phrase::from(Command::Help).say("says what").option(option).say("can be"))
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        match Word::deserialize(from)? {
            Word::Table(pairs) => Self::of(pairs).map_err(serde::de::Error::custom),
            _ => Err(serde::de::Error::custom("expected names and values")),
        }
    }
}

#[cfg(test)]
mod tests;
