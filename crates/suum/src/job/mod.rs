//! A query, the data that it is asked of, and the accounts that pay.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use suum_core::{Error, Profile, Result};
use suum_data::arrow_schema::SchemaRef;
use suum_data::{CsvForm, Delimiter, Encoding, Progress, Tiers};

use crate::Spend;
use crate::query::command::said;
use crate::query::{
    AnswerQuery, Asked, AskedRecord, ColumnNames, Entries, GroupLists, Labels, Query, Range, schema,
};
use crate::simulation::Shape;

/// How many levels of a profile a command shows.
const FEW: usize = 10;

/// A query, the data that it is asked of, and the accounts that pay.
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
#[derive(Debug, Clone, PartialEq, Default, JsonSchema)]
#[schemars(
    title = "suum query",
    description = "What is asked of data, where they are, and who pays: a file for `suum run`.",
    extend(
        "anyOf" = [{"required": ["statistic"]}, {"required": ["answers"]}],
        "additionalProperties" = false,
        "examples" = [
            {
                "statistic": "mean",
                "value": "visits",
                "bounds": [0, 77],
                "privacy": "privacy",
                "levels": {"strict": 0.01, "standard": 0.1, "relaxed": 1, "public": "inf"}
            },
            {
                "statistic": "quantile",
                "value": "visits",
                "bounds": [0, 77],
                "q": [0.5, 0.9],
                "step": 1,
                "group_by": "health",
                "groups": ["excellent", "good", "fair", "poor"],
                "privacy": "privacy",
                "levels": "strict=0.01,standard=0.1,relaxed=1,public=inf"
            },
            {
                "statistic": "frequency",
                "value": "health",
                "categories": ["excellent", "good", "fair", "poor"],
                "epsilon": "epsilon",
                "simultaneous": true
            }
        ]
    )
)]
pub struct Job {
    /// What is asked; of several answers the options that all of them have.
    #[serde(flatten)]
    pub query: Query,
    /// Several answers in one release, from one split of every budget.
    #[schemars(schema_with = "schema::answers")]
    pub answers: Vec<AnswerQuery>,
    /// Where the records are.
    #[serde(flatten)]
    pub source: DataSource,
    /// Who pays, where accounts are kept.
    #[serde(flatten)]
    pub charge: Charge,
}

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

/// Where records, or their level table, come from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(default)]
pub struct DataSource {
    /// A file, a folder or a glob of files, - for standard input, or a database. Paths are relative
    /// to the working directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The table or view of a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// A query whose rows are the records of a database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// You have checked that the query is row-wise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub trust_query: bool,
    /// What separates the cells of CSV files, such as ";" or "tab"; a comma by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub delimiter: Option<Delimiter>,
    /// How the text of CSV files is encoded: utf-8 (the default) or latin-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub encoding: Option<Encoding>,
    /// A CSV or Parquet file with the column privacy or epsilon, found by a key: one line for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consent: Option<String>,
    /// The column of keys in the data and in the consent file: COL, or COL=COL if they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// A level table in place of data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_levels: Option<String>,
}

impl DataSource {
    /// Takes what the entries say of the source, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        Ok(Self {
            data: entries.name("data")?,
            table: entries.name("table")?,
            query: entries.name("query")?,
            trust_query: entries.flag("trust_query")?,
            delimiter: entries.choice("delimiter")?,
            encoding: entries.choice("encoding")?,
            consent: entries.name("consent")?,
            key: entries.name("key")?,
            from_levels: entries.name("from_levels")?,
        })
    }

    /// The words of a command that stand for the data.
    fn words(&self) -> Vec<String> {
        match self.from_levels {
            Some(_) => said("from_levels", Some("LEVELS")),
            None => vec!["DATA".to_owned()],
        }
    }

    /// How CSV files are written.
    pub(crate) fn csv_form(&self) -> CsvForm {
        CsvForm {
            delimiter: self.delimiter.unwrap_or_default(),
            encoding: self.encoding.unwrap_or_default(),
        }
    }

    /// What is said of CSV files, if anything is.
    pub(crate) fn said_of_csv(&self) -> Option<&'static str> {
        let delimiter = self.delimiter.map(|_| "delimiter");
        delimiter.or(self.encoding.map(|_| "encoding"))
    }

    /// The refusal of what is said of CSV files, where there are none.
    pub(crate) fn no_csv(option: &str) -> Error {
        Error::request(format!("{option}: it is said of CSV files, and none is read"))
            .with_hint(format!("leave --{option} out, or name a CSV file as the data"))
    }
}

/// The accounts that a release is charged to, and how much of them it may use.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(default)]
pub struct Charge {
    /// The ledger that keeps account of what releases cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<String>,
    /// Whose accounts in the ledger; needed if it has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// How much may be used: a share such as 10% or 1/12 of what was allowed in all, 10%-of-left of
    /// what is left, or an ε as eps=0.05, which does not limit those who allow ∞.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub spend: Option<Spend>,
    /// Spend the least with which the expected error is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_rmse: Option<f64>,
    /// Spend the least with which half the length of the interval is expected to be at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_half_width: Option<f64>,
    /// Columns that everybody may know of everybody, for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::names")]
    pub public_columns: Option<Labels>,
    /// Which state of the data this is, in your words: what the ledger has released of it by the
    /// same query is shown again, and costs nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Release anew, and pay, although the edition has an answer to the query.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

impl Charge {
    /// How near the estimate is to come, if that is said.
    pub(crate) fn target(&self) -> Option<f64> {
        self.target_half_width.or(self.target_rmse)
    }

    /// Takes what the entries say of accounts, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        Ok(Self {
            ledger: entries.name("ledger")?,
            dataset: entries.name("dataset")?,
            spend: entries.parsed("spend")?,
            target_rmse: entries.number("target_rmse")?,
            target_half_width: entries.number("target_half_width")?,
            public_columns: entries.labels("public_columns")?,
            edition: entries.name("edition")?,
            again: entries.flag("again")?,
        })
    }
}

/// For whom a plan is made, where that is not for the people in the data.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Population {
    /// How many people have which budget.
    pub profile: Option<Profile>,
    /// Other people to compare with, as in `inf:+500,0.1:-20`.
    pub what_if: Option<String>,
    /// The shape of data for which releases are simulated.
    pub assume: Option<Shape>,
}

impl Population {
    /// Takes what the entries say of people, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        Ok(Self {
            profile: entries.counts("profile", "")?.map(|text| text.parse()).transpose()?,
            what_if: entries.counts("what_if", "+")?,
            assume: entries.choice("assume")?,
        })
    }
}

/// What is handed over beside a job, in place of what it names.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Records in memory, in place of the data that the job names.
    pub records: Option<Arc<dyn Held>>,
    /// What the file given as `from_levels` would hold.
    pub levels: Option<Vec<u8>>,
    /// How far the scan has come, for whoever asks.
    pub progress: Option<Arc<Progress>>,
}

/// Records in memory, or in somebody else's hands.
pub trait Held: fmt::Debug + Send + Sync {
    /// All records, from the first one on.
    ///
    /// # Errors
    ///
    /// Refuses where they cannot be read, or only once and have been.
    fn batches(&self) -> Result<Batches>;

    /// The columns and their types; `None` where types are not known, or follow from values.
    fn schema(&self) -> Option<SchemaRef> {
        None
    }
}

/// Records, one batch after the other.
pub type Batches = Box<dyn Iterator<Item = Result<suum_data::arrow_array::RecordBatch>> + Send>;

/// A job on these data, which counts records until it is told what else to ask.
///
/// `data` is a path, as the command line takes it.
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
pub fn query(data: impl Into<String>) -> Job {
    let source = DataSource { data: Some(data.into()), ..DataSource::default() };
    Job { source, ..Job::default() }
}

impl Job {
    /// The job that these entries say.
    ///
    /// # Errors
    ///
    /// As [`Query::new`].
    pub fn new(mut entries: Entries) -> Result<Self> {
        let job = Self::take(&mut entries)?;
        entries.finish()?;
        job.check()?;
        Ok(job)
    }

    /// The job that these entries say, and for whom a plan of it is made.
    ///
    /// # Errors
    ///
    /// As [`Query::new`].
    pub fn with_population(mut entries: Entries) -> Result<(Self, Population)> {
        let job = Self::take(&mut entries)?;
        let population = Population::take(&mut entries)?;
        entries.finish()?;
        job.check_planned()?;
        Ok((job, population))
    }

    /// The job in a file of TOML: options by the names of the command line.
    ///
    /// # Errors
    ///
    /// As [`Query::new`].
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

    /// What a file of TOML says of a job.
    ///
    /// # Errors
    ///
    /// Refuses text that is no TOML, and options below a section such as `[levels]`, of which they
    /// would be a part.
    pub fn entries_of_toml(text: &str) -> Result<Entries> {
        let entries = Entries::from_toml(text)?;
        let schema = Self::schema().to_value();
        let options = schema.get("properties").and_then(|all| all.as_object());
        let options = options.into_iter().flat_map(|all| all.keys()).map(String::as_str);
        entries.check_tiers(&options.collect::<Vec<_>>())?;
        Ok(entries)
    }

    /// The JSON Schema of a job, of which a query is the part that does not say where data are.
    pub fn schema() -> schemars::Schema {
        let mut schema = schemars::schema_for!(Job);
        // It has to be said.
        if let Some(statistic) = schema.pointer_mut("/properties/statistic") {
            let _ = statistic.as_object_mut().and_then(|statistic| statistic.remove("default"));
        }
        schema
    }

    /// The options that say where data are and who pays.
    pub(crate) fn options() -> Vec<String> {
        [schema::names_of::<DataSource>(), schema::names_of::<Charge>()].concat()
    }

    /// The job of each of several answers.
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
        let (query, answers) = match AnswerQuery::take(entries)? {
            Some(several) => several,
            None => (Query::take(entries)?, Vec::new()),
        };
        let (source, charge) = (DataSource::take(entries)?, Charge::take(entries)?);
        Ok(Self { query, answers, source, charge })
    }

    /// Numeric budgets ε are in this column.
    #[must_use]
    pub fn epsilon(mut self, column: impl Into<String>) -> Self {
        self.query.epsilon = Some(column.into());
        self
    }

    /// Consent tiers are in this column.
    #[must_use]
    pub fn tiers(mut self, column: impl Into<String>, tiers: Tiers) -> Self {
        self.query.privacy = Some(column.into());
        self.query.levels = Some(tiers);
        self
    }

    /// This column says whose row it is, where people can have many.
    #[must_use]
    pub fn person(mut self, column: impl Into<String>) -> Self {
        self.query.person = Some(column.into());
        self
    }

    /// One release for each of these groups.
    #[must_use]
    pub fn group_by(
        mut self,
        column: impl Into<String>,
        groups: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let groups = Labels(groups.into_iter().map(Into::into).collect());
        self.query.group_by = Some(ColumnNames(vec![column.into()]));
        self.query.groups = Some(groups.into());
        self
    }

    /// One release for each combination of the groups of these columns.
    ///
    /// # Example
    ///
    /// ```
    /// let job = suum::query("people.csv")
    ///     .epsilon("eps")
    ///     .group_by_each([("region", ["north", "south"]), ("sex", ["f", "m"])]);
    /// assert_eq!(
    ///     job.command(),
    ///     "suum count DATA --epsilon eps --group-by region,sex --groups north,south \
    ///         --groups f,m"
    /// );
    /// ```
    #[must_use]
    pub fn group_by_each<C: Into<String>, G: Into<String>>(
        mut self,
        columns: impl IntoIterator<Item = (C, impl IntoIterator<Item = G>)>,
    ) -> Self {
        let (names, lists) = columns
            .into_iter()
            .map(|(name, groups)| {
                (name.into(), Labels(groups.into_iter().map(Into::into).collect()))
            })
            .unzip();
        self.query.group_by = Some(ColumnNames(names));
        self.query.groups = Some(GroupLists(lists));
        self
    }

    /// The estimate keeps the shares of the strata in this column: those of the records.
    #[must_use]
    pub fn strata(
        mut self,
        column: impl Into<String>,
        classes: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.query.strata = Some(column.into());
        self.query.classes = Some(Labels(classes.into_iter().map(Into::into).collect()));
        self
    }

    /// Any field of the query.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Query)) -> Self {
        change(&mut self.query);
        self
    }

    /// Asks for the mean of a column: of values in this range, or in one to be found.
    #[must_use]
    pub fn mean(self, column: impl Into<String>, range: impl Into<Range>) -> Self {
        self.of_numbers(Asked::Mean, column, range)
    }

    /// Asks for the sum of a column of values in this range; of [persons](Self::person) it is that
    /// of their totals.
    #[must_use]
    pub fn sum(self, column: impl Into<String>, range: impl Into<Range>) -> Self {
        self.of_numbers(Asked::Sum, column, range)
    }

    /// Asks for the median of a column of values in this range.
    #[must_use]
    pub fn median(self, column: impl Into<String>, range: impl Into<Range>) -> Self {
        self.of_numbers(Asked::Quantile, column, range)
    }

    /// Asks for the variance of a column of values in this range.
    #[must_use]
    pub fn variance(self, column: impl Into<String>, range: impl Into<Range>) -> Self {
        self.of_numbers(Asked::Variance, column, range)
    }

    /// Asks for the share of each of these categories in a column.
    #[must_use]
    pub fn frequency(
        mut self,
        column: impl Into<String>,
        categories: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.query.statistic = Asked::Frequency;
        self.query.value = Some(column.into());
        let categories = Labels(categories.into_iter().map(Into::into).collect());
        self.query.categories = Some(categories.into());
        self
    }

    /// Asks for the share of each pair of categories of two columns, and for both margins.
    ///
    /// # Example
    ///
    /// ```
    /// let columns = [("region", vec!["north", "south"]), ("sex", vec!["f", "m"])];
    /// let job = suum::query("people.csv").crosstab(columns).epsilon("eps");
    /// assert_eq!(
    ///     job.command(),
    ///     "suum frequency DATA --crosstab region,sex --categories north,south --categories f,m \
    ///         --epsilon eps"
    /// );
    /// ```
    #[must_use]
    pub fn crosstab<L: Into<String>>(
        mut self,
        columns: [(impl Into<String>, impl IntoIterator<Item = L>); 2],
    ) -> Self {
        let columns = columns.map(|(column, labels)| {
            (column.into(), Labels(labels.into_iter().map(Into::into).collect()))
        });
        let (names, labels) = columns.into_iter().unzip();
        self.query.statistic = Asked::Frequency;
        self.query.crosstab = Some(ColumnNames(names));
        self.query.categories = Some(GroupLists(labels));
        self
    }

    fn of_numbers(
        mut self,
        asked: Asked,
        column: impl Into<String>,
        range: impl Into<Range>,
    ) -> Self {
        self.query.statistic = asked;
        self.query.value = Some(column.into());
        self.query.bounds = Some(range.into());
        self
    }

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
        let mut words = Vec::new();
        for (given, option, text) in [
            (source.table.is_some(), "table", Some("TABLE")),
            (source.query.is_some(), "query", Some("SQL")),
            (source.trust_query, "trust_query", None),
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
