//! Command that repeats a query.

use std::borrow::Cow;

use suum_core::{Asking, Command, OptionValue, Voice};
use suum_data::list;

use super::Query;
use crate::options::Word;
use crate::voice::{CommandLine, quoted, settings_of};

impl Query {
    /// Command line that repeats the query on `data`: a path, or a placeholder.
    ///
    /// Words that a shell would split stand in single quotes.
    pub fn command(&self, data: &str) -> String {
        CommandLine.command(&Command::Ask(self.asking(quoted(data).into())))
    }

    /// Returns the command that repeats the query on these data, for every front end.
    pub(crate) fn asking(&self, data: Cow<'static, str>) -> Asking {
        let name = self.statistic.name();
        let settings = self.settings(name == "summary");
        Asking { data, settings, is_example: false, ..Asking::new(name) }
    }

    /// Returns the options that repeat the query, `with_statistic` if the command does not name it.
    pub(crate) fn settings(&self, with_statistic: bool) -> Vec<OptionValue> {
        let mut settings = Vec::new();
        for (row, word) in self.set() {
            let word = match word {
                // Several columns would be separated by commas.
                Word::Text(text) if row.name == "value" && text.contains([',', '\\']) => {
                    Word::Text(list::escaped(&text))
                }
                word => word,
            };
            if row.name != "statistic" || with_statistic {
                settings.extend(settings_of(row, word));
            }
        }
        settings
    }

    /// Name of the request: "mean of visits by site".
    pub(crate) fn named(&self) -> String {
        let of = self.counted_column().map(|column| format!(" of {column}")).into_iter();
        let by = self.group_by.iter().map(|by| format!(" by {}", by.0.join(", ")));
        let words: String = of.chain(by).collect();
        format!("{}{words}", self.statistic.name())
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
