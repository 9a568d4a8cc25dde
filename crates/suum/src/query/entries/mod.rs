//! What a query says, by name: from JSON, from TOML, or from a command line.

mod columns;
mod take;
mod word;

use serde::de::{Deserialize, Deserializer};
use suum_core::{Error, Result};
use suum_data::nearest;

use word::Word;

/// All that a query says, by name, in the order in which it says it.
///
/// Names are those of the command line, written with `-` or `_`. A value is text, as on the command
/// line, or what it stands for: a number, a list, or a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Entries {
    said: Vec<(String, Word)>,
    /// The names that were asked for: those that there are.
    known: Vec<&'static str>,
}

impl Entries {
    /// What a JSON object says.
    ///
    /// # Errors
    ///
    /// Refuses text that is no JSON object.
    pub fn from_json(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| {
            Error::parameter(format!("query: it is no JSON object of options: {error}"))
                .with_hint("for example {\"statistic\": \"mean\", \"value\": \"visits\"}")
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
            Error::parameter(format!("query: it is no TOML of options{place}: {what}"))
                .with_hint("write one option a line, for example bounds = [0, 77]")
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
                Self { said: said.collect(), known: Vec::new() }
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
                let what = format!("levels: it has a tier {name}, as an option is called");
                Err(Error::parameter(what).with_hint(format!(
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
    pub(crate) fn only(&self, names: &[&str], why: &str) -> Result<()> {
        match self.said.iter().find(|(said, _)| !names.contains(&said.as_str())) {
            Some((name, _)) => Err(Error::request(format!("{}: {why}", name.replace('_', "-")))
                .with_hint(format!("leave {name} out"))),
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

    fn put(&mut self, name: &str, word: Word) {
        let name = plain(name);
        self.said.retain(|(said, _)| *said != name);
        self.said.push((name, word));
    }

    fn take(&mut self, name: &'static str) -> Option<Word> {
        self.known.push(name);
        let at = self.said.iter().position(|(said, _)| said == name)?;
        Some(self.said.remove(at).1).filter(|word| *word != Word::Nothing)
    }

    /// All that is said, as a command line has it; flags have no text. An option that has a list
    /// for each of several columns is said once for each.
    pub(crate) fn words(self) -> impl Iterator<Item = (String, Option<String>)> {
        self.said.into_iter().flat_map(|(name, word)| {
            let each = match word {
                Word::List(lists) if lists.iter().any(|item| matches!(item, Word::List(_))) => {
                    lists
                }
                one => vec![one],
            };
            each.into_iter().map(move |word| (name.clone(), word.text()))
        })
    }

    /// Whether the value is a list, and not text.
    pub(crate) fn is_list(&self, name: &str) -> bool {
        self.said.iter().any(|(said, word)| said == name && matches!(word, Word::List(_)))
    }

    /// The entries that others lack.
    pub(crate) fn missing_in(&self, others: &Self) -> Self {
        let said = self.said.iter().filter(|(name, _)| !others.has(name)).cloned();
        Self { said: said.collect(), known: Vec::new() }
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
        Ok(Self { said, known: Vec::new() })
    }

    /// The names that were asked for.
    pub(crate) fn known(&self) -> &[&'static str] {
        &self.known
    }

    /// Refuses what nobody has asked for.
    pub(crate) fn finish(self) -> Result<()> {
        let Some((name, _)) = self.said.first() else { return Ok(()) };
        let part = self.known.iter().find(|known| name.len() > 3 && known.contains(name.as_str()));
        let near = nearest(name, self.known.iter().copied());
        let hint = match part.copied().or(near) {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => "leave it out; options have the names of the command line".to_owned(),
        };
        Err(Error::parameter(format!("{name}: there is no such option")).with_hint(hint))
    }
}

/// A name as it is looked up.
fn plain(name: &str) -> String {
    name.replace('-', "_")
}

/// The refusal of a value that has not the form of its option.
fn malformed(name: &str, expected: &str) -> Error {
    let option = name.replace('_', "-");
    Error::parameter(format!("{option}: expected {expected}"))
        .with_hint(format!("the help of a command says what --{option} can be"))
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
