//! Job: a query, its data, and the accounts that pay.

mod as_of;
mod build;
mod charge;
mod combinations;
mod command;
mod data_names;
mod inputs;
mod population;
mod schema;
mod source;
mod study;

use serde::{Serialize, Serializer};
use suum_core::Result;

use crate::options::{Entries, OptionRow, Part};
use crate::query::{AnswerQuery, AskedRecord, Query};

pub use as_of::AsOf;
pub use charge::Charge;
pub use combinations::check_combinations;
pub use data_names::DataNames;
pub use inputs::{Batches, HeldRecords, JobInputs, WarningSink};
pub use population::Population;
pub use source::DataSource;
pub use study::StudyFile;
pub(crate) use study::take as take_study;

/// Returns all options, in the order in which they are declared.
///
/// # Example
///
/// ```
/// let spare = suum::options().find(|option| option.name == "spare").unwrap();
/// assert_eq!((spare.form(), spare.value_name().as_str()), (suum::Form::Number, "SHARE"));
/// ```
pub fn options() -> impl Iterator<Item = &'static OptionRow> {
    let parts = [
        Query::OPTIONS,
        DataSource::OPTIONS,
        StudyFile::OPTIONS,
        Charge::OPTIONS,
        Population::OPTIONS,
    ];
    parts.into_iter().flatten().copied()
}

/// A query, its data, and the accounts that pay.
///
/// # Example
///
/// ```no_run
/// # fn main() -> suum::Result<()> {
/// let answer = suum::query("people.csv").epsilon("eps").mean("visits", 0.0..=77.0).run()?;
/// println!("{}", answer.text());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Job {
    /// Query; if there are several answers, their common options.
    pub query: Query,
    /// Several answers in one release, from one split of every budget.
    pub answers: Vec<AnswerQuery>,
    /// Location of the records.
    pub source: DataSource,
    /// Accounts that pay, if there are any.
    pub charge: Charge,
}

/// Serialized like a derived record, except that the answers share their common options.
impl Serialize for Job {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            #[serde(flatten)]
            asked: AskedRecord<'a>,
            #[serde(flatten)]
            source: &'a DataSource,
            #[serde(flatten)]
            charge: &'a Charge,
        }
        let Self { source, charge, .. } = self;
        Record { asked: AskedRecord(self), source, charge }.serialize(serializer)
    }
}

/// Creates a job on these data, which counts records until another statistic is set.
///
/// `data` is a path, as the command line takes it, or [`DataNames`] of several files.
///
/// # Example
///
/// ```no_run
/// # fn main() -> suum::Result<()> {
/// let job = suum::query("survey.parquet")
///     .tiers("consent", "strict=0.1,public=inf".parse()?)
///     .with(|query| query.confidence.0 = 0.9)
///     .median("age", 0.0..=120.0);
/// let answer = job.run()?;
/// # Ok(())
/// # }
/// ```
pub fn query(data: impl Into<DataNames>) -> Job {
    let source = DataSource { data: Some(data.into()), ..DataSource::default() };
    Job { source, ..Job::default() }
}

impl Job {
    /// Reads a job from entries.
    ///
    /// # Errors
    ///
    /// Fails like [`Query::new`].
    pub fn new(mut entries: Entries) -> Result<Self> {
        let job = Self::take(&mut entries)?;
        entries.finish()?;
        job.check()?;
        Ok(job)
    }

    /// Reads what is said so far of a job, completed by what its columns say; that it can be
    /// answered is not checked.
    ///
    /// # Errors
    ///
    /// Refuses options that there are not, malformed values, and texts that stand for an empty cell
    /// in one column and can be a value of another.
    ///
    /// # Example
    ///
    /// ```
    /// let columns = r#"{"age": {"bounds": [0, 120], "step": 1, "public": true}}"#;
    /// let asked = format!(r#"{{"statistic": "median", "value": "age", "columns": {columns}}}"#);
    /// let job = suum::Job::completed(suum::Entries::from_json(&asked)?)?;
    /// assert!(job.command().contains("--bounds 0,120 --step 1"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn completed(mut entries: Entries) -> Result<Self> {
        let job = Self::take(&mut entries)?;
        entries.finish()?;
        Ok(job)
    }

    /// Reads a job from entries, and the population that it is planned for.
    ///
    /// # Errors
    ///
    /// Fails like [`Query::new`].
    pub fn with_population(mut entries: Entries) -> Result<(Self, Population)> {
        let job = Self::take(&mut entries)?;
        let population = Population::read(&mut entries)?;
        entries.finish()?;
        job.check_planned()?;
        Ok((job, population))
    }

    /// Reads a job from TOML, with the option names of the command line.
    ///
    /// # Errors
    ///
    /// Fails like [`Query::new`].
    ///
    /// # Example
    ///
    /// ```
    /// use suum::Job;
    ///
    /// let toml = "data = \"people.csv\"\nstatistic = \"count\"\nepsilon = \"eps\"";
    /// let job = Job::from_toml(toml)?;
    /// assert_eq!(job, suum::query("people.csv").epsilon("eps"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Self> {
        Self::new(Self::entries_of_toml(text)?)
    }

    /// Reads the entries of a job from TOML.
    ///
    /// # Errors
    ///
    /// Refuses text that is not TOML, and options below a section such as `[levels]`, of which they
    /// would be a part.
    pub fn entries_of_toml(text: &str) -> Result<Entries> {
        let entries = Entries::from_toml(text)?;
        let names = options().filter(|row| row.part != Part::Population).map(|row| row.name);
        entries.check_tiers(&names.chain(["answers", "columns"]).collect::<Vec<_>>())?;
        Ok(entries)
    }

    /// Returns the rows of the options of all its parts that have a value.
    pub(crate) fn set_rows(&self) -> Vec<&'static OptionRow> {
        [self.query.set_rows(), self.source.set_rows(), self.charge.set_rows()].concat()
    }

    /// Jobs of each of several answers.
    pub(crate) fn each(&self) -> impl Iterator<Item = Self> + '_ {
        let Self { source, charge, .. } = self;
        self.answers.iter().map(|answer| Self {
            query: answer.query.clone(),
            answers: Vec::new(),
            source: source.clone(),
            charge: charge.clone(),
        })
    }

    fn take(entries: &mut Entries) -> Result<Self> {
        let codebook = study::take(entries)?;
        let (query, answers) = match AnswerQuery::take(entries)? {
            Some(several) => several,
            None => (Query::take(entries)?, Vec::new()),
        };
        let (source, charge) = (DataSource::read(entries)?, Charge::read(entries)?);
        let mut job = Self { query, answers, source, charge };
        job.complete(&codebook)?;
        Ok(job)
    }
}
