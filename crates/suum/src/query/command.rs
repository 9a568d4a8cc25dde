//! The command that repeats a query.

use suum_data::list;

use super::Query;
use crate::options::{Form, OptionRow, Word};

impl Query {
    /// The command line that asks the same of `data`: a path, or what else names them.
    ///
    /// Words that a shell would take apart stand in single quotes.
    pub fn command(&self, data: &str) -> String {
        self.words([quoted(data)]).join(" ")
    }

    /// The words of the command that asks the same of what these words name.
    pub(crate) fn words(&self, data: impl IntoIterator<Item = String>) -> Vec<String> {
        let name = self.statistic.name();
        let mut words = vec!["suum".to_owned(), name.to_owned()];
        words.extend(data);
        words.extend(self.option_words(name == "summary"));
        words
    }

    /// The options that ask the same, `with_statistic` where the command does not say which.
    pub(crate) fn option_words(&self, with_statistic: bool) -> Vec<String> {
        let mut words = Vec::new();
        for (row, word) in self.set() {
            let word = match word {
                // Several columns would be separated by commas.
                Word::Text(text) if row.name == "value" && text.contains([',', '\\']) => {
                    Word::Text(list::escaped(&text))
                }
                word => word,
            };
            if row.name != "statistic" || with_statistic {
                words.extend(option_words(row, word));
            }
        }
        words
    }

    /// What is asked, in words: "mean of visits by site".
    pub(crate) fn named(&self) -> String {
        let of = self.counted_column().map(|column| format!(" of {column}")).into_iter();
        let by = self.group_by.iter().map(|by| format!(" by {}", by.0.join(", ")));
        let words: String = of.chain(by).collect();
        format!("{}{words}", self.statistic.name())
    }
}

/// Returns an option as words of a command, once for each list that it has.
pub(crate) fn option_words(row: &OptionRow, word: Word) -> Vec<String> {
    let option = format!("--{}", row.word());
    if let (Some(stand_in), false) = (row.stand_in, matches!(word, Word::Flag(_))) {
        return vec![option, stand_in.to_owned()];
    }
    let lists = match word {
        Word::List(lists) if lists.iter().any(|item| matches!(item, Word::List(_))) => lists,
        one => vec![one],
    };
    let each = lists.into_iter().flat_map(|word| match word.text() {
        None => vec![option.clone()],
        // A text that begins with a dash would be taken for an option, and where a value may be
        // left out, it stands in the same word.
        Some(text) if text.starts_with('-') || row.form() == Form::NumberOrNothing => {
            vec![format!("{option}={}", quoted(&text))]
        }
        Some(text) => vec![option.clone(), quoted(&text)],
    });
    each.collect()
}

/// A word as a shell has to be given it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./,:=%+@^".contains(&byte);
    match !word.is_empty() && word.bytes().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        let query = Query::from_json(
            r#"{"statistic": ["mean", "q50"], "value": "it's", "groups": ["a b", "c,d"],
                "group_by": "g", "epsilon": "e", "shrink": false, "bounds": "-5,5"}"#,
        );
        let expected = [
            "suum summary 'my data.csv' --statistic mean,q50",
            r"--value 'it'\''s' --bounds=-5,5 --epsilon e --group-by g --groups 'a b,c\,d'",
        ];
        assert_eq!(query.unwrap().command("my data.csv"), expected.join(" "));
        // One column, and not two.
        let query = Query::from_json(r#"{"statistic": "mean", "value": "a,b=c"}"#).unwrap();
        assert_eq!(query.command("d"), r"suum mean d --value 'a\,b\=c'");
    }
}
