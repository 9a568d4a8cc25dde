//! The command line that asks the same as a job.

use suum_data::list;

use super::{Charge, Job, Population};
use crate::query::command::said;
use crate::query::{Entries, Labels};

/// How many levels of a profile a command shows.
const FEW: usize = 10;

impl Job {
    /// The command line that asks the same again. DATA, TABLE, SQL, LEVELS and LEDGER stand for
    /// where these are, and QUERY.toml for a file that asks for several answers.
    ///
    /// # Example
    ///
    /// ```
    /// let job = suum::query("people.csv").epsilon("eps");
    /// assert_eq!(job.command(), "suum count DATA --epsilon eps");
    /// let toml = "statistic = 'count'\nprivacy = 't'\nledger = 'a.db'\nspend = '10%'";
    /// let charged = suum::Job::from_toml(toml)?;
    /// assert_eq!(charged.command(), "suum count DATA --privacy t --ledger LEDGER --spend 10%");
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn command(&self) -> String {
        let Self { query, answers, source, .. } = self;
        if !answers.is_empty() {
            // A file says what no line does.
            return "suum run QUERY.toml DATA".to_owned();
        }
        let mut words = query.words(source.words());
        words.extend(self.surroundings());
        words.join(" ")
    }

    /// The command line that plans the same for the same people, as [`command`](Self::command);
    /// PROFILE stands for a long one.
    pub(crate) fn plan_command(&self, population: &Population) -> String {
        let Population { profile, what_if, assume } = population;
        let mut words = vec!["suum".to_owned(), "plan".to_owned()];
        match self.answers.is_empty() {
            false => words.push("QUERY.toml".to_owned()),
            true if profile.is_none() => words.extend(self.source.words()),
            true => {}
        }
        let profile = profile.as_ref().map(|profile| match profile.levels().len() {
            ..=FEW => profile.to_string(),
            _ => "PROFILE".to_owned(),
        });
        let assume = assume.as_ref().map(ToString::to_string);
        for (option, text) in [("profile", &profile), ("what_if", what_if), ("assume", &assume)] {
            words.extend(text.iter().flat_map(|text| said(option, Some(text))));
        }
        if self.answers.is_empty() {
            words.extend(self.query.option_words(true));
            words.extend(self.surroundings());
        }
        words.join(" ")
    }

    /// What a command says of the data and of the accounts that pay.
    fn surroundings(&self) -> Vec<String> {
        let Self { source, charge, .. } = self;
        let filter = source.filter.as_ref().map(ToString::to_string);
        let public = source.public_columns.as_ref().map(|Labels(names)| {
            names.iter().map(|name| list::escaped(name)).collect::<Vec<_>>().join(",")
        });
        let mut words = Vec::new();
        for (given, option, text) in [
            (source.table.is_some(), "table", Some("TABLE")),
            (source.query.is_some(), "query", Some("SQL")),
            (source.trust_query, "trust_query", None),
            (filter.is_some(), "where", filter.as_deref()),
            (public.is_some(), "public_columns", public.as_deref()),
            (source.delimiter.is_some(), "delimiter", Some("DELIMITER")),
            (source.encoding.is_some(), "encoding", Some("ENCODING")),
            (source.consent.is_some(), "consent", Some("CONSENT")),
            (source.key.is_some(), "key", source.key.as_deref()),
            (charge.ledger.is_some(), "ledger", Some("LEDGER")),
        ] {
            if given {
                words.extend(said(option, text));
            }
        }
        let json = serde_json::to_string(&Charge { ledger: None, ..charge.clone() });
        let entries = json.ok().and_then(|json| Entries::from_json(&json).ok()).unwrap_or_default();
        for (option, text) in entries.words() {
            words.extend(said(&option, text.as_deref()));
        }
        words
    }
}
