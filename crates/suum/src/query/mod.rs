//! What is asked, as data: the same from the command line, from Python, from a file and in Rust.

mod answers;
mod asked;
mod check;
mod columns;
pub(crate) mod command;
mod consent;
mod entries;
mod estimation;
mod fits;
mod label_file;
pub(crate) mod schema;
mod strata;
mod values;

use schemars::JsonSchema;
use serde::Serialize;
use suum_core::{Epsilon, Neighbors, Parts, PostProcessing, Result, Share, Target};
use suum_data::{Edges, Tiers};

pub use answers::AnswerQuery;
pub(crate) use answers::{AskedRecord, place};
pub use asked::Asked;
pub(crate) use columns::{needs_bounds, no_categories};
pub use consent::MissingConsent;
pub use entries::Entries;
pub use estimation::studied;
pub use strata::PopulationShares;
use values::KnownVariance;
pub use values::{
    Beta, ColumnNames, Confidence, EpsilonRange, EstimatorName, GroupLists, Labels, Missing, Range,
    Ranks,
};

/// What is asked of data, wherever they are.
///
/// Fields have the names of the command line's options. In JSON and TOML each is a text, as on the
/// command line, or what that stands for: a number, a list, a table. What is at its default is not
/// written.
///
/// # Example
///
/// ```
/// use suum::Query;
///
/// let query = Query::from_json(
///     r#"{
///         "statistic": "mean",
///         "value": "visits",
///         "bounds": [0, 77],
///         "privacy": "consent",
///         "levels": {"strict": 0.1, "public": "inf"}
///     }"#,
/// )?;
/// assert_eq!(
///     query.command("people.csv"),
///     "suum mean people.csv --value visits --bounds 0,77 --privacy consent \
///         --levels strict=0.1,public=inf"
/// );
/// # Ok::<(), suum::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// What is published: mean, sum, count, frequency, quantile, variance, or a list such as
    /// ["mean", "variance", "q50"].
    #[schemars(schema_with = "schema::statistic")]
    pub statistic: Asked,

    /// Column of values.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::column")]
    pub value: Option<String>,
    /// The range that values can take, from public knowledge; values beyond are clamped. In a sum
    /// with persons it is that of a person's total. With "auto" a part of every budget finds one.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::bounds")]
    pub bounds: Option<Range>,
    /// Also release how many values lie at each of the bounds, or beyond it, from this part of
    /// every budget: 0.05 if it is true.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::number_or_true")]
    pub check_bounds: Option<f64>,
    /// Two columns of categories in place of one of values: the share of each pair of their
    /// categories, and of each category of both, which are the sums of their cells.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::two_columns")]
    pub crosstab: Option<ColumnNames>,
    /// The categories, from public knowledge; of a crosstab a list for each column.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::group_lists")]
    pub categories: Option<GroupLists>,
    /// Edges of numeric bins, from public knowledge: [0, 10, 20] counts [0, 10) and [10, 20].
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::numbers")]
    pub bins: Option<Edges>,
    /// A further category for all other values; without it they are refused.
    #[serde(skip_serializing_if = "is_default")]
    pub other: Option<String>,
    /// A public constant, or a declared category, in place of missing values; or "exclude", which
    /// leaves their records out: replace neighbours then become both, for whether a record has a
    /// value is private. Without it they are refused.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::number_or_text")]
    pub missing: Option<Missing>,

    /// Texts that stand for an empty cell, in whatever column; in columns of numbers also numbers.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::labels")]
    pub null: Option<Labels>,

    /// Column of consent tiers; needs levels, or a ledger that has them.
    #[serde(skip_serializing_if = "is_default")]
    pub privacy: Option<String>,
    /// What each tier allows: a table of ε by label.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::budgets")]
    pub levels: Option<Tiers>,
    /// What records with an empty cell of privacy or epsilon count as: a declared tier, or 0, which
    /// means that they are not used; without it they are refused.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::number_or_text")]
    pub missing_consent: Option<MissingConsent>,
    /// Column of numeric budgets ε; inf is public, 0 is "do not use".
    #[serde(skip_serializing_if = "is_default")]
    pub epsilon: Option<String>,
    /// Column that names persons, who can have many rows; without it each row is protected alone.
    #[serde(skip_serializing_if = "is_default")]
    pub person: Option<String>,
    /// With add-remove or both neighbours: the least and the largest ε that people can have, from
    /// public knowledge.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::budget_range")]
    pub epsilon_range: Option<EpsilonRange>,
    /// With add-remove or both neighbours: the most that a record should spend.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::number_or_text")]
    pub clip: Option<Epsilon>,

    /// Column of groups, or up to four: one release for each group, or combination of them. Who is
    /// in which group is public.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::columns")]
    pub group_by: Option<ColumnNames>,
    /// The groups, from public knowledge; of several columns a list for each.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::group_lists")]
    pub groups: Option<GroupLists>,
    /// A further group for all others, in each column; without it they are refused.
    #[serde(skip_serializing_if = "is_default")]
    pub other_group: Option<String>,
    /// Two of the groups: the difference of their means, sums, quantiles or shares, the first less
    /// the second, and no release of another group.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::names")]
    pub between: Option<Labels>,

    /// Column of strata, of which budgets may depend: the estimate keeps the share of each. Who is
    /// in which stratum is public.
    #[serde(skip_serializing_if = "is_default")]
    pub strata: Option<String>,
    /// Column of design weights: records of equal weight are a stratum, whose share is that of its
    /// weights.
    #[serde(skip_serializing_if = "is_default")]
    pub weight: Option<String>,
    /// The strata, or the design weights, that may occur, from public knowledge. The shares are
    /// those of the records.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::labels")]
    pub classes: Option<Labels>,
    /// What part of the population each stratum is, or how large it is there.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::parts")]
    pub population_shares: Option<PopulationShares>,

    /// Which quantiles: the shares of records that lie below them.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::numbers")]
    pub q: Ranks,
    /// The whole distribution function: all percentiles, with intervals that hold at once.
    #[serde(skip_serializing_if = "is_default")]
    pub cdf: bool,
    /// The step between possible values, 1 for integers; in place of cells.
    #[serde(skip_serializing_if = "is_default")]
    pub step: Option<f64>,
    /// Into how many steps the bounds are divided.
    #[serde(skip_serializing_if = "is_default")]
    pub cells: Option<u32>,
    /// With how many of their rows each person counts, evenly spaced by rank.
    #[serde(skip_serializing_if = "is_default")]
    pub rows: Option<u32>,
    /// The part of the quantiles' budget that buys the ends of their intervals.
    #[serde(skip_serializing_if = "is_default")]
    pub interval_share: Option<f64>,
    /// Parts of every budget for mean, variance and quantile, as in {mean = 2}.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::parts")]
    pub split: Option<Parts>,
    /// Variance of the values, if publicly known.
    #[serde(skip_serializing_if = "is_default")]
    pub variance: Option<f64>,
    /// Shrink the estimate towards the middle of the bounds where noise dominates.
    #[serde(skip_serializing_if = "is_default")]
    pub shrink: bool,
    /// Learn first, with a part of the budgets, where the values lie, although a ledger keeps
    /// account; without a ledger this is the default of a mean or a sum.
    #[serde(skip_serializing_if = "is_default")]
    pub adapt: bool,
    /// Do not learn first where the values lie: nobody spends more than the mean itself needs.
    #[serde(skip_serializing_if = "is_default")]
    pub no_adapt: bool,
    /// The part of what the mean leaves over that learning must not touch, between 0 and 1.
    #[serde(skip_serializing_if = "is_default")]
    pub spare: Option<f64>,
    /// What is done to noisy shares: simplex, clamp or none.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::post")]
    pub post: PostProcessing,
    /// The confidence of the intervals of frequencies or quantiles is that of all of them together.
    #[serde(skip_serializing_if = "is_default")]
    pub simultaneous: bool,

    /// What the estimate should be close to: population, dataset or dataset-correlated.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::target")]
    pub target: Target,
    /// Which datasets a release must not tell apart: replace, add-remove or both.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::neighbors")]
    pub neighbors: Neighbors,
    /// Confidence of intervals, between 0 and 1.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(with = "f64")]
    pub confidence: Confidence,
    /// How to weight records; auto chooses from public facts.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(with = "String")]
    pub estimator: EstimatorName,
    /// PAC level of the -cp and -up estimators.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(with = "f64")]
    pub beta: Beta,
    /// Reproducible noise for tests. The release is then NOT PRIVATE.
    #[serde(skip_serializing_if = "is_default")]
    pub insecure_seed: Option<u64>,
    /// The part of every budget that it may spend, as one of several answers: their job decides.
    #[serde(skip)]
    #[schemars(skip)]
    pub part: Share,
}

impl Query {
    /// The query that these entries say.
    ///
    /// # Errors
    ///
    /// Refuses names that do not exist, values that are malformed, and options that the statistic
    /// has no use for.
    pub fn new(mut entries: Entries) -> Result<Self> {
        let query = Self::take(&mut entries)?;
        entries.finish()?;
        query.check()?;
        Ok(query)
    }

    /// The query that a JSON object says, such as the `query` of a release.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn from_json(text: &str) -> Result<Self> {
        Self::new(Entries::from_json(text)?)
    }

    /// What is asked, in words: "mean of visits by site".
    pub(crate) fn named(&self) -> String {
        let of = self.counted_column().map(|column| format!(" of {column}")).into_iter();
        let by = self.group_by.iter().map(|by| format!(" by {}", by.0.join(", ")));
        let words: String = of.chain(by).collect();
        format!("{}{words}", self.statistic.name())
    }

    /// Takes what the entries say of the query, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        let statistic = match entries.is_list("statistic") {
            true => entries.parsed("statistic")?.map(Asked::Several),
            false => entries.parsed("statistic")?,
        };
        let crosstab: Option<ColumnNames> = entries.labels("crosstab")?;
        let group_by: Option<ColumnNames> = entries.labels("group_by")?;
        let query = Self {
            statistic: statistic.ok_or_else(asked::no_statistic)?,
            value: entries.name("value")?,
            bounds: entries.parsed("bounds")?,
            check_bounds: entries.number_or_true("check_bounds", check::USUAL)?,
            categories: entries.declared_lists("categories", crosstab.is_some())?,
            crosstab,
            bins: entries.parsed("bins")?,
            other: entries.name("other")?,
            missing: entries.parsed("missing")?,
            null: entries.labels("null")?,
            privacy: entries.name("privacy")?,
            levels: entries.parsed("levels")?,
            missing_consent: entries.parsed("missing_consent")?,
            epsilon: entries.name("epsilon")?,
            person: entries.name("person")?,
            epsilon_range: entries.parsed("epsilon_range")?,
            clip: entries.parsed("clip")?,
            groups: entries.declared_lists("groups", is_several(&group_by))?,
            group_by,
            other_group: entries.name("other_group")?,
            between: entries.labels("between")?,
            strata: entries.name("strata")?,
            weight: entries.name("weight")?,
            classes: entries.labels("classes")?,
            population_shares: entries.parsed("population_shares")?,
            q: entries.parsed("q")?.unwrap_or_default(),
            cdf: entries.flag("cdf")?,
            step: entries.number("step")?,
            cells: entries.count("cells")?,
            rows: entries.count("rows")?,
            interval_share: entries.number("interval_share")?,
            split: entries.parsed("split")?,
            variance: entries.parsed("variance")?.map(|KnownVariance(variance)| variance),
            shrink: entries.flag("shrink")?,
            adapt: entries.flag("adapt")?,
            no_adapt: entries.flag("no_adapt")?,
            spare: entries.number("spare")?,
            post: entries.choice("post")?.unwrap_or_default(),
            simultaneous: entries.flag("simultaneous")?,
            target: entries.choice("target")?.unwrap_or_default(),
            neighbors: entries.choice("neighbors")?.unwrap_or_default(),
            confidence: entries.number("confidence")?.map(Confidence).unwrap_or_default(),
            estimator: entries.choice("estimator")?.unwrap_or_default(),
            beta: entries.number("beta")?.map(Beta).unwrap_or_default(),
            insecure_seed: entries.count("insecure_seed")?,
            part: Share::ALL,
        };
        Ok(query.with_hidden_missing())
    }
}

fn is_several(columns: &Option<ColumnNames>) -> bool {
    columns.as_ref().is_some_and(|ColumnNames(names)| names.len() > 1)
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
