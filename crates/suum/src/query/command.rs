//! The command that repeats a query.

use suum_data::list;

use super::{Entries, Query};

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
        for (option, text) in self.entries().words() {
            let text = match text {
                // Several columns would be separated by commas.
                Some(text) if option == "value" && text.contains([',', '\\']) => {
                    Some(list::escaped(&text))
                }
                text => text,
            };
            if option != "statistic" || with_statistic {
                words.extend(said(&option, text.as_deref()));
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

    /// What the query says, in the order of its fields.
    pub(crate) fn entries(&self) -> Entries {
        let json = serde_json::to_string(self);
        // A query always has a JSON form, which is an object.
        json.ok().and_then(|json| Entries::from_json(&json).ok()).unwrap_or_default()
    }
}

/// An option and its text, if it has one. What begins with a dash would be taken for an option.
pub(crate) fn said(option: &str, text: Option<&str>) -> Vec<String> {
    let option = format!("--{}", option.replace('_', "-"));
    match text {
        None => vec![option],
        // What can stand without a text has it in the same word.
        Some(text) if text.starts_with('-') || option == "--check-bounds" => {
            vec![format!("{option}={}", quoted(text))]
        }
        Some(text) => vec![option, quoted(text)],
    }
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
