//! Command line that repeats a job.

use suum_core::{Asking, Command, OptionValue, Voice, option};

use super::{DataSource, Job, Population};
use crate::options::Word;
use crate::voice::{CommandLine, settings_of};

/// Number of levels up to which a command shows a profile.
const FEW: usize = 10;

impl Job {
    /// Command line that repeats the request. DATA, TABLE, SQL, LEVELS and LEDGER stand for their
    /// locations, and QUERY.toml for a file with several answers.
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
        CommandLine.command(&self.asking())
    }

    /// Returns the command that repeats the request, for every front end.
    pub(crate) fn asking(&self) -> Command {
        if !self.answers.is_empty() {
            // A file says what no line does.
            return Command::RunFile;
        }
        let (data, levels) = self.source.stand_ins();
        let asking = self.query.asking(data.into());
        let settings = levels.into_iter().chain(asking.settings).chain(self.surroundings());
        Command::Ask(Asking { settings: settings.collect(), ..asking })
    }

    /// Returns the command that plans this request for the same people, like
    /// [`command`](Self::command); PROFILE stands for a long profile.
    pub(crate) fn asking_for_plan(&self, population: &Population) -> Command {
        let mut asking = Asking { is_example: false, ..Asking::new("plan") };
        match self.answers.is_empty() {
            false => asking.data = "QUERY.toml".into(),
            true if population.profile.is_none() => {
                let (data, levels) = self.source.stand_ins();
                asking.data = data.into();
                asking.settings.extend(levels);
            }
            true => {}
        }
        for (row, word) in population.set() {
            let levels = population.profile.as_ref().map_or(0, |profile| profile.levels().len());
            let word = match row.name {
                "profile" if levels > FEW => Word::Text("PROFILE".to_owned()),
                _ => word,
            };
            asking.settings.extend(settings_of(row, word));
        }
        if self.answers.is_empty() {
            asking.settings.extend(self.query.settings(true));
            asking.settings.extend(self.surroundings());
        }
        Command::Ask(asking)
    }

    /// Returns the options of the data and of the accounts that pay.
    fn surroundings(&self) -> Vec<OptionValue> {
        let set = [self.source.set(), self.charge.set()].concat();
        // These stand first, or in place of the data.
        let rest = set.into_iter().filter(|(row, _)| !["data", "from_levels"].contains(&row.name));
        rest.flat_map(|(row, word)| settings_of(row, word)).collect()
    }
}

impl DataSource {
    /// Returns what stands for the data in a command: a word, or an option.
    fn stand_ins(&self) -> (&'static str, Option<OptionValue>) {
        match self.from_levels {
            Some(_) => ("", Some((option::FROM_LEVELS, "LEVELS".into()))),
            None => ("DATA", None),
        }
    }
}
