//! Value of an entry as it was written.

use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use suum_data::list;

/// Value as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Word {
    Nothing,
    Flag(bool),
    /// Text, or a whole number.
    Text(String),
    Number(f64),
    List(Vec<Word>),
    Table(Vec<(String, Word)>),
}

impl Word {
    /// Returns a value as JSON writes it.
    pub(crate) fn from_value(value: &impl Serialize) -> Self {
        // A value of an option always has a JSON form. As text: tables keep their order.
        let json = serde_json::to_string(value);
        json.ok().and_then(|json| serde_json::from_str(&json).ok()).unwrap_or(Self::Nothing)
    }

    /// Value as a command line would have it.
    pub(crate) fn text(self) -> Option<String> {
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

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_any(AnyWord)
    }
}

struct AnyWord;

/// Key with which the crate `toml` marks a date or time without quotes.
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
