//! Study: who allows what, who is a person, what columns mean, and which ledger pays, said once.

use suum_core::{Error, Result, option, say};

use super::{Charge, DataSource, Job, options};
use crate::options::{Entries, Name, OptionRow, Part, Word, option_struct};
use crate::query::{Codebook, Query};
use crate::text_file;

option_struct! {
    /// The study that a request is part of.
    pub struct StudyFile of Study {
        /// A study file in TOML: where the data are, what people allow, who is a person, which
        /// ledger pays, and below [columns.NAME] what a column means: its bounds, step, categories
        /// or groups. A request takes from it what it does not say itself. `suum study init` writes
        /// one.
        pub study: Option<String> as Name
            => value("FILE.toml")
            .common(15, "Study file: consent, persons, columns")
            .not_asked();
    }
}

/// Options that all requests of a study have in common, and the meaning of its columns.
#[derive(Debug, Clone, PartialEq, Default)]
struct Study {
    shared: Entries,
    codebook: Codebook,
}

/// Completes the entries of a request with those of its study, if it names one, and returns the
/// meaning of the columns.
///
/// # Errors
///
/// Refuses a study that cannot be read, or that says what only a request can.
pub(crate) fn take(entries: &mut Entries) -> Result<Codebook> {
    let file = StudyFile::read(entries)?.study;
    let own = Codebook::take(entries)?;
    let Some(file) = file else { return Ok(own) };
    let study = Study::read(&file).map_err(|refused| refused.within(file))?;
    let needed = study.needed(entries);
    *entries = std::mem::take(entries).over(needed);
    own.over(study.codebook.with_persons(study.shared.has("person")))
}

impl Study {
    fn read(path: &str) -> Result<Self> {
        let text = text_file::read(path).map_err(|problem| {
            Error::io(option::STUDY, format!("it {problem}"))
                .with_fix("name a file of TOML in UTF-8, as suum study init writes it: study.toml")
        })?;
        Self::new(Job::entries_of_toml(&text)?)
    }

    fn new(mut entries: Entries) -> Result<Self> {
        let codebook = Codebook::take(&mut entries)?;
        for name in entries.names() {
            match options().find(|row| row.name == name) {
                Some(row) if !is_of_studies(row) => {
                    let option = row.option();
                    return Err(Error::request(option, "it is no part of a study").with_fix(
                        say("say").option(option).say(
                            "in the request; a column has its own \
                                                       options below [columns.NAME]",
                        ),
                    ));
                }
                _ => {}
            }
        }
        // What does not exist, or is malformed, is refused here and not as part of a request.
        let mut all = entries.clone().with("statistic", "count");
        Query::take(&mut all)?;
        DataSource::read(&mut all)?;
        Charge::read(&mut all)?;
        all.finish()?;
        Ok(Self { shared: entries, codebook })
    }

    /// Returns the options that a request needs: not those that it sets, that it excludes, or that
    /// would have no meaning beside it.
    fn needed(&self, request: &Entries) -> Entries {
        let is_set = |name: &str| request.has(name);
        let excludes =
            |row: &OptionRow, name: &str| row.excludes.iter().any(|one| one.other == name);
        let has_database = request.value("data").is_some_and(names_database);
        let is_replaced = |row: &OptionRow| {
            let is_of_others = match row.name {
                "missing_consent" => is_set("epsilon"),
                "table" | "query" => is_set("data"),
                "delimiter" | "encoding" | "decimal" => has_database,
                // Where who takes part is public, there is no range to declare.
                "epsilon_range" => {
                    request.value("neighbors") == Some(&Word::Text("replace".to_owned()))
                }
                _ => false,
            };
            let is_of_people = is_set("profile") && row.is_of_people();
            let is_excluded = row.excludes.iter().any(|one| is_set(one.other));
            let mut set = options().filter(|other| is_set(other.name));
            let excludes_it = set.any(|other| excludes(other, row.name));
            is_of_others || is_of_people || is_excluded || excludes_it
        };
        let mut rows: Vec<&OptionRow> =
            options().filter(|row| self.shared.has(row.name) && !is_replaced(row)).collect();
        // What has no meaning without an option that is replaced goes with it.
        loop {
            let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
            let is_there = |name: &&str| is_set(name) || names.contains(name);
            rows.retain(|row| row.needs.is_none_or(|need| need.any_of.iter().any(is_there)));
            if rows.len() == names.len() {
                return self.shared.clone().with_only(&names);
            }
        }
    }
}

/// Returns true if the data of a request are those of a database.
fn names_database(word: &Word) -> bool {
    match word {
        Word::Text(name) => suum_sql::dialect_of(name).is_some(),
        Word::List(names) => names.iter().any(names_database),
        _ => false,
    }
}

/// Returns true for an option that all requests of a study have in common.
fn is_of_studies(row: &OptionRow) -> bool {
    match row.part {
        Part::Query => row.is_shared && row.name != "insecure_seed",
        // A query that was looked at is trusted where it is said.
        Part::Source => !["from_levels", "trust_query"].contains(&row.name),
        Part::Charge => ["ledger", "dataset"].contains(&row.name),
        Part::Population | Part::Study => false,
    }
}

impl Job {
    /// Adds to each query what a codebook says of its columns.
    ///
    /// # Errors
    ///
    /// Refuses texts that stand for an empty cell in one column and are a value of another.
    pub(super) fn complete(&mut self, codebook: &Codebook) -> Result<()> {
        let answers = self.answers.iter_mut().map(|answer| &mut answer.query);
        let mut queries: Vec<&mut Query> = answers.chain([&mut self.query]).collect();
        codebook.complete(&mut queries, &self.source)?;
        let shown = queries.iter().flat_map(|query| codebook.shown_by(query));
        let shown = shown.chain(codebook.chosen_by(&self.source)).collect();
        self.source.add_public(shown);
        Ok(())
    }
}
