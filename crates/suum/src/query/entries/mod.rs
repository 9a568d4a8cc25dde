//! What a query says, by name: from JSON, from TOML, or from a command line.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use suum_core::{Error, Result};
use suum_data::{list, nearest};

use super::label_file;
use super::values::{GroupLists, Labels};

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
enum Word {
    Nothing,
    Flag(bool),
    /// Text, or a whole number.
    Text(String),
    Number(f64),
    List(Vec<Word>),
    Table(Vec<(String, Word)>),
}

impl Word {
    /// The value as a command line has it.
    fn text(self) -> Option<String> {
        let item = |word: Word| match word {
            Word::Text(text) => Some(text),
            // In the fewest digits that read back as it.
            Word::Number(number) => Some(number.to_string()),
            _ => None,
        };
        match self {
            Self::Text(_) | Self::Number(_) => item(self),
            Self::List(items) => {
                let items = items.into_iter().map(|word| Some(list::escaped(&item(word)?)));
                Some(items.collect::<Option<Vec<_>>>()?.join(","))
            }
            Self::Table(pairs) => {
                let pair =
                    |(label, word)| Some(format!("{}={}", list::escaped(label), item(word)?));
                let pairs = pairs.iter().map(|(label, word)| (label.as_str(), word.clone()));
                Some(pairs.map(pair).collect::<Option<Vec<_>>>()?.join(","))
            }
            Self::Nothing | Self::Flag(_) => None,
        }
    }
}

/// What can be said of each of several columns.
const OF_COLUMNS: [&str; 4] = ["value", "bounds", "categories", "bins"];

fn is_of_columns(name: &str) -> bool {
    OF_COLUMNS.contains(&name)
}

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

    /// What is said of several columns, where `value` lists them: taken out of the entries.
    pub(crate) fn of_columns(&mut self) -> Option<Self> {
        if !self.is_list("value") {
            return None;
        }
        let said = std::mem::take(&mut self.said);
        let (of_columns, rest) = said.into_iter().partition(|(name, _)| is_of_columns(name));
        self.said = rest;
        Some(Self { said: of_columns, known: Vec::new() })
    }

    /// The same for each of several columns, if `value` lists them: of a table by column each has
    /// its own part.
    pub(crate) fn each_column(self) -> Result<Vec<Self>> {
        let columns = self.said.iter().find_map(|(name, word)| match word {
            Word::List(columns) if name == "value" => Some(columns.clone()),
            _ => None,
        });
        let Some(columns) = columns else { return Ok(vec![self]) };
        let name = |word: Word| word.text().ok_or_else(|| malformed("value", "names of columns"));
        let columns = columns.into_iter().map(name).collect::<Result<Vec<String>>>()?;
        let is_column = |label: &String| columns.contains(label);
        for (option, word) in self.said.iter().filter(|(name, _)| is_of_columns(name)) {
            if let Word::Table(pairs) = word
                && let Some((label, _)) = pairs.iter().find(|(label, _)| !is_column(label))
            {
                return Err(Error::parameter(format!("{option}: value names no column {label}"))
                    .with_hint(format!("name the columns of {option} as value does")));
            }
        }
        let of = |column: &String| {
            let said = self.said.iter().filter_map(|(name, word)| match word {
                _ if name == "value" => Some((name.clone(), Word::Text(column.clone()))),
                Word::Table(pairs) if is_of_columns(name) => {
                    let own = pairs.iter().find(|(label, _)| label == column)?;
                    Some((name.clone(), own.1.clone()))
                }
                word => Some((name.clone(), word.clone())),
            });
            Self { said: said.collect(), known: Vec::new() }
        };
        Ok(columns.iter().map(of).collect())
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

/// A name as it is looked up.
fn plain(name: &str) -> String {
    name.replace('-', "_")
}

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

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_any(AnyWord)
    }
}

struct AnyWord;

/// What the crate `toml` calls a date or time that stands in a file without quotes.
const TOML_DATE: &str = "$__toml_private_datetime";

impl<'de> Visitor<'de> for AnyWord {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Word, E> {
        Ok(Word::Nothing)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Word, E> {
        Ok(Word::Flag(value))
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Word, E> {
        Ok(Word::Text(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Word, E> {
        Ok(Word::Text(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> std::result::Result<Word, E> {
        Ok(Word::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Word, E> {
        Ok(Word::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Word, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Word::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> std::result::Result<Word, A::Error> {
        let mut table = Vec::new();
        while let Some(pair) = pairs.next_entry()? {
            table.push(pair);
        }
        // A date of TOML is a table of one text.
        match table.as_slice() {
            [(name, Word::Text(date))] if name == TOML_DATE => Ok(Word::Text(date.clone())),
            _ => Ok(Word::Table(table)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_toml_and_words_say_the_same() {
        let json = r#"{"bounds": [0, 77.5], "levels": {"a,b": 0.1, "c": "inf"}, "shrink": true}"#;
        let toml = "bounds = [0, 77.5]\nlevels = { \"a,b\" = 0.1, c = \"inf\" }\nshrink = true\n";
        let words = r#"{"bounds": "0,77.5", "levels": "a\\,b=0.1,c=inf", "shrink": true}"#;
        for entries in
            [Entries::from_json(json), Entries::from_toml(toml), Entries::from_json(words)]
        {
            let mut entries = entries.unwrap();
            assert_eq!(entries.text("bounds").unwrap().unwrap(), "0,77.5");
            assert_eq!(entries.text("levels").unwrap().unwrap(), r"a\,b=0.1,c=inf");
            assert!(entries.flag("shrink").unwrap());
            assert!(entries.finish().is_ok());
        }
    }

    #[test]
    fn labels_stay_what_they_are() {
        let toml = "categories = [\"1.0\", 2, \"03\"]\ngroups = [1.0]\nbounds = [0.0, 7e1]\n";
        let mut entries = Entries::from_toml(toml).unwrap();
        let labels: crate::Labels = entries.labels("categories").unwrap().unwrap();
        assert_eq!(labels.0, ["1.0", "2", "03"]);
        assert!(entries.labels::<crate::Labels>("groups").is_err());
        assert_eq!(entries.text("bounds").unwrap().unwrap(), "0,70");
        for missing in ["01", "1", "1.0", "-2.5", "1e3", "naïve", "nan", "9007199254740993"] {
            let query = crate::Query {
                missing: Some(crate::Missing(missing.to_owned())),
                ..crate::Query::default()
            };
            let again = serde_json::to_string(&query).unwrap();
            let mut entries = Entries::from_json(&again).unwrap();
            assert_eq!(entries.text("missing").unwrap().as_deref(), Some(missing), "{again}");
        }
    }

    #[test]
    fn dates_stand_in_toml_with_and_without_quotes() {
        for bounds in ["[2020-01-01, 2024-12-31]", "[\"2020-01-01\", \"2024-12-31\"]"] {
            let toml = format!("statistic = \"mean\"\nvalue = \"d\"\nbounds = {bounds}\n");
            let query = crate::Query::new(Entries::from_toml(&toml).unwrap()).unwrap();
            assert_eq!(
                query.command("d.csv"),
                "suum mean d.csv --value d --bounds 2020-01-01,2024-12-31"
            );
            let json = serde_json::to_value(&query).unwrap();
            assert_eq!(json["bounds"], serde_json::json!(["2020-01-01", "2024-12-31"]));
            assert_eq!(crate::Query::from_json(&json.to_string()).unwrap(), query);
        }
        let times = "[2020-01-01T07:30:00Z, 2020-01-02 07:30:00]";
        let mut entries = Entries::from_toml(&format!("bins = {times}")).unwrap();
        let bins: suum_data::Edges = entries.parsed("bins").unwrap().unwrap();
        let json = serde_json::to_string(&bins).unwrap();
        assert_eq!(json, "[\"2020-01-01T07:30:00\",\"2020-01-02T07:30:00\"]");
    }

    #[test]
    fn what_is_malformed_is_refused_by_name() {
        let entries = |json| Entries::from_json(json).unwrap();
        let wrong = entries(r#"{"confidence": [[1]]}"#).number("confidence").unwrap_err();
        assert_eq!(wrong.to_string(), "confidence: expected a finite number");
        let wrong = entries(r#"{"group-by": ["a", "b"]}"#).name("group_by").unwrap_err();
        assert_eq!(wrong.to_string(), "group-by: expected one name");
        let mut unknown = entries(r#"{"bound": 1}"#);
        assert!(unknown.text("bounds").unwrap().is_none() && unknown.name("q").unwrap().is_none());
        let unknown = unknown.finish().unwrap_err();
        assert_eq!(unknown.hint(), Some("did you mean bounds?"));
        assert!(Entries::from_json("[1]").is_err());
        let twice = Entries::from_json(r#"{"group-by": "a", "group_by": "a"}"#).unwrap_err();
        assert!(twice.to_string().contains("group_by is said twice"), "{twice}");
        // What says nothing must have a name that there is, too.
        assert!(entries(r#"{"spendd": false, "x": null}"#).finish().is_err());
        assert!(entries(r#"{"spendd": false, "x": null}"#).given().finish().is_ok());
        let release = entries(r#"{"estimate": 1, "query": {"statistic": "count", "q": 0.5}}"#);
        let query = release.of_release();
        assert!(query.has("q") && query.has("statistic") && !query.has("estimate"));
        let sql = entries(r#"{"query": "SELECT 1", "q": 0.5}"#).of_release();
        assert!(sql.has("q") && sql.has("query"));
        let below = Entries::from_toml("[levels]\na = 1\nconfidence = 0.5").unwrap();
        let refused = below.check_tiers(&["confidence"]).unwrap_err();
        assert!(refused.to_string().starts_with("levels: it has a tier confidence"), "{refused}");
        let wrong = Entries::from_toml("a = 1\nb = \n").unwrap_err();
        assert!(
            wrong.to_string().starts_with("query: it is no TOML of options in line 2"),
            "{wrong}"
        );
    }
}
