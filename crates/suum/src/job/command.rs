//! The command line that asks the same as a job.

use super::{DataSource, Job, Population};
use crate::options::Word;
use crate::query::command::option_words;

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
        let mut words = vec!["suum".to_owned(), "plan".to_owned()];
        match self.answers.is_empty() {
            false => words.push("QUERY.toml".to_owned()),
            true if population.profile.is_none() => words.extend(self.source.words()),
            true => {}
        }
        for (row, word) in population.set() {
            let levels = population.profile.as_ref().map_or(0, |profile| profile.levels().len());
            let word = match row.name {
                "profile" if levels > FEW => Word::Text("PROFILE".to_owned()),
                _ => word,
            };
            words.extend(option_words(row, word));
        }
        if self.answers.is_empty() {
            words.extend(self.query.option_words(true));
            words.extend(self.surroundings());
        }
        words.join(" ")
    }

    /// Returns the words of a command for the data and for the accounts that pay.
    fn surroundings(&self) -> Vec<String> {
        let set = [self.source.set(), self.charge.set()].concat();
        // These stand first, or in place of the data.
        let rest = set.into_iter().filter(|(row, _)| !["data", "from_levels"].contains(&row.name));
        rest.flat_map(|(row, word)| option_words(row, word)).collect()
    }
}

impl DataSource {
    /// Returns the words of a command that stand for the data.
    fn words(&self) -> Vec<String> {
        match self.from_levels {
            Some(_) => vec!["--from-levels".to_owned(), "LEVELS".to_owned()],
            None => vec!["DATA".to_owned()],
        }
    }
}
