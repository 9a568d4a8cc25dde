//! What is asked, as data: the same from the command line, from Python, from a file and in Rust.

mod answers;
mod check;
mod columns;
pub(crate) mod command;
mod consent;
mod entries;
mod estimation;
mod fits;
mod label_file;
mod read;
pub(crate) mod schema;
mod statistic_name;
mod strata;
mod uses;
mod values;

use schemars::JsonSchema;
use serde::Serialize;
use suum_core::{Epsilon, Neighbors, Options, Parts, PostProcessing, Result, Share, Target};
use suum_data::{Edges, Tiers};

pub use answers::AnswerQuery;
pub(crate) use answers::{AskedRecord, place};
pub(crate) use columns::{needs_bounds, no_categories};
pub use consent::MissingConsent;
pub use entries::Entries;
pub use estimation::studied;
pub use statistic_name::StatisticName;
pub use strata::PopulationShares;
use uses::{
    ESTIMATED, FREQUENCY, FREQUENCY_OTHER, MEAN, NUMBERS, QUANTILE, QUANTILES, SEVERAL, SPLIT,
    VALUES, WEIGHTED,
};
use values::KnownVariance;
pub use values::{
    Beta, ColumnNames, Confidence, EpsilonRange, EstimatorName, GroupLists, Labels, Missing, Range,
    Ranks,
};

/// What is asked of data, wherever they are.
///
/// Fields have the names of the command line's options. In JSON and TOML each is a text, as on the
/// command line, or what that stands for: a number, a list, a table. What is at its default is not
/// written. Comments are the help of the command line, too; `x-for` says which statistics have use
/// for an option, `x-value` what stands for its value, `x-needs` and `x-not` what it goes with.
///
/// # Example
///
/// ```
/// use suum::Query;
///
/// let query = Query::from_json(
///     r#"{"statistic": "mean", "value": "visits", "bounds": [0, 77], "epsilon": "eps"}"#,
/// )?;
/// assert_eq!(
///     query.command("people.csv"),
///     "suum mean people.csv --value visits --bounds 0,77 --epsilon eps"
/// );
/// # Ok::<(), suum::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Query {
    /// What is published, by name; or several statistics, such as mean,variance,q50.
    #[schemars(schema_with = "schema::statistic")]
    pub statistic: StatisticName,

    /// Column of values: of numbers, or for a frequency of categories. Of several, as in
    /// wage,hours, each has an answer and a part of every budget; in a name \, is a comma.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::column", extend("x-for" = VALUES, "x-not" = "crosstab"))]
    pub value: Option<String>,
    /// The range that values are clamped to; declare what is possible, do not look it up in the
    /// data. With `auto` a part of every budget finds a range. Of several columns it is said once
    /// for each, as in wage=0,50. A plan without it has errors that are shares of the range.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::bounds", extend("x-for" = NUMBERS))]
    pub bounds: Option<Range>,
    /// Also release how many values lie at each of the bounds, or beyond it, from this part of
    /// every budget: for bounds that may be wrong. Without a number it is 0.05.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::number_or_true", extend("x-for" = NUMBERS))]
    pub check_bounds: Option<f64>,
    /// Two columns of categories in place of `value`: the share of each pair of their categories,
    /// and both margins, which are the sums of the cells. `categories` are those of each column, in
    /// their order.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::two_columns", extend("x-for" = FREQUENCY))]
    pub crosstab: Option<ColumnNames>,
    /// The categories, from public knowledge: A,B,C, or @FILE with a label on each line; of a
    /// `crosstab` once for each column. In a label, here and in `levels` and `groups`, \, is a
    /// comma and \= an equals sign.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::group_lists", extend("x-for" = FREQUENCY, "x-not" = "bins"))]
    pub categories: Option<GroupLists>,
    /// Edges of numeric bins, from public knowledge: 0,10,20 counts [0, 10) and [10, 20].
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::numbers", extend("x-for" = FREQUENCY, "x-value" = "EDGE,…"))]
    pub bins: Option<Edges>,
    /// A further category for all other values; without it they are refused.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = FREQUENCY_OTHER, "x-value" = "NAME"))]
    pub other: Option<String>,
    /// A public constant, or of a frequency a declared category, to put in place of missing values,
    /// so that the result is about the data with it in them; or `exclude` to leave records without
    /// a value out, which hides who has one: `neighbors` replace then becomes both. Without it they
    /// are refused.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(
        schema_with = "schema::number_or_text",
        extend("x-for" = VALUES, "x-value" = "VALUE|exclude")
    )]
    pub missing: Option<Missing>,

    /// Texts that stand for an empty cell, in whatever column: NA,null. In columns of numbers also
    /// numbers: -99.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::labels", extend("x-value" = "TEXT,…"))]
    pub null: Option<Labels>,

    /// Column of consent tiers; needs `levels`, or a ledger that has them.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-value" = "COL", "x-needs" = "levels or ledger"))]
    pub privacy: Option<String>,
    /// What each tier allows, for example strict=0.01,standard=0.1,public=inf.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::budgets")]
    pub levels: Option<Tiers>,
    /// What records with an empty cell of `privacy` or `epsilon` count as: a declared tier, or 0,
    /// which means that they are not used; without it they are refused.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::number_or_text", extend("x-value" = "TIER|0"))]
    pub missing_consent: Option<MissingConsent>,
    /// Column of numeric privacy budgets; inf is public, 0 is "do not use".
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-value" = "COL", "x-not" = "privacy levels"))]
    pub epsilon: Option<String>,
    /// Column that names persons, who can have many rows: each counts once, at the strictest tier
    /// of their rows; in a sum with the total of them, and `bounds` are then those of such a total.
    /// Without it each row is protected alone, and rows of one person add up.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-value" = "COL"))]
    pub person: Option<String>,
    /// With `neighbors` add-remove or both: the least and the largest ε that people can have, from
    /// public knowledge, for example 0.01,1 or 0.01,inf. Records below are not used. Tiers need no
    /// range.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::budget_range")]
    pub epsilon_range: Option<EpsilonRange>,
    /// With `neighbors` add-remove or both: the most that a record should spend, if you know better
    /// than a rough count of people, which a twentieth of every budget buys otherwise.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::number_or_text", extend("x-value" = "EPSILON"))]
    pub clip: Option<Epsilon>,

    /// Column of groups: one release, or level table, for each, in one pass. Of up to four columns,
    /// COL,COL, for each combination of their groups (\, is a comma in a name). Who is in which
    /// group is public. With `from_levels` that of the table.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::columns", extend("x-needs" = "groups"))]
    pub group_by: Option<ColumnNames>,
    /// The groups, from public knowledge: A,B,C, or @FILE. Of several columns once for each, in
    /// their order. With `from_levels` all groups of the table.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::group_lists", extend("x-needs" = "group_by"))]
    pub groups: Option<GroupLists>,
    /// A further group for all others, in each column; without it they are refused.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-value" = "NAME", "x-needs" = "group_by"))]
    pub other_group: Option<String>,
    /// The difference of two of the groups, the first less the second, with an interval: of each
    /// quantile or share if there are several. Others spend nothing. Who is in which group is
    /// public, but for `neighbors` both.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::names", extend("x-for" = ESTIMATED, "x-needs" = "group_by"))]
    pub between: Option<Labels>,

    /// Column of strata, of which budgets may depend, such as age groups: the estimate keeps the
    /// share of each. Who is in which stratum is public.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = ESTIMATED, "x-value" = "COL", "x-not" = "weight"))]
    pub strata: Option<String>,
    /// Column of design weights: records of equal weight are a stratum, with the share of its
    /// weights.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = ESTIMATED, "x-value" = "COL", "x-needs" = "classes"))]
    pub weight: Option<String>,
    /// The strata, or the design weights, that may occur, from public knowledge. The shares of
    /// strata are then those of the records.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::labels", extend("x-for" = ESTIMATED))]
    pub classes: Option<Labels>,
    /// What part of the population each stratum is, or how large it is there: young=0.4,old=0.6.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::parts", extend("x-for" = ESTIMATED, "x-value" = "A=SHARE,…"))]
    pub population_shares: Option<PopulationShares>,

    /// Which quantiles: the shares of records that lie below them, as 0.9 or 90%; or deciles, or
    /// percentiles. Default: 0.5.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::numbers", extend("x-for" = QUANTILE, "x-value" = "Q,…"))]
    pub q: Ranks,
    /// The whole distribution function: all percentiles, with intervals that hold at once.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = QUANTILE, "x-not" = "q"))]
    pub cdf: bool,
    /// The step between possible values, 1 for integers; in place of `cells`. Default: 1 if the
    /// type of the column says integers, else none.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = QUANTILES))]
    pub step: Option<f64>,
    /// Into how many steps the bounds are divided. Default: 65536 if there is no `step`; where
    /// participation is hidden fewer, if budgets can be very different.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = QUANTILES, "x-not" = "step"))]
    pub cells: Option<u32>,
    /// With how many of their rows each person counts, evenly spaced by rank; 1 is their median.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = QUANTILES, "x-needs" = "person"))]
    pub rows: Option<u32>,
    /// The part of the quantiles' budget that buys the ends of their intervals; with 0 there are
    /// none. Default: the most of 0.5, 0.4, 0.3 and 0.2 that makes the expected error at most 25 %
    /// larger, else 0; of hidden people 0.2 or 0.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = QUANTILES, "x-value" = "SHARE"))]
    pub interval_share: Option<f64>,
    /// Parts of every budget for mean, variance and quantile (all of them together), for example
    /// mean=2,quantile=1.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::parts", extend("x-for" = SPLIT))]
    pub split: Option<Parts>,
    /// Variance of the values (in a sum with `person` of the totals), if publicly known; of a plan
    /// also if it is expected. Without it it is measured beside the mean, which costs nothing, or
    /// the worst that the bounds allow.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::number_or_text", extend("x-for" = MEAN, "x-value" = "V"))]
    pub variance: Option<f64>,
    /// Shrink the estimate towards the middle of the bounds where noise dominates.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = MEAN))]
    pub shrink: bool,
    /// Learn first where the values lie, although a ledger keeps account; without a ledger this is
    /// the default.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = MEAN))]
    pub adapt: bool,
    /// Do not learn first where the values lie: nobody spends more than the mean itself needs. A
    /// level table then has no sums in cells.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = MEAN, "x-not" = "adapt"))]
    pub no_adapt: bool,
    /// The part of what the mean leaves over that learning must not touch, 0 to 1.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = MEAN, "x-value" = "SHARE"))]
    pub spare: Option<f64>,
    /// What is done to the noisy shares; it costs no privacy. Default: simplex.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::post", extend("x-for" = FREQUENCY))]
    pub post: PostProcessing,
    /// Intervals of shares or quantiles that hold all at once, with the stated confidence.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(extend("x-for" = SEVERAL))]
    pub simultaneous: bool,

    /// What the estimate should be close to. Default: population.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::target", extend("x-for" = VALUES))]
    pub target: Target,
    /// Neighbouring datasets: which ones a release must not tell apart. Default: replace.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(schema_with = "schema::neighbors")]
    pub neighbors: Neighbors,
    /// Confidence of the interval. Default: 0.95.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(with = "f64")]
    pub confidence: Confidence,
    /// How to weight records. Default: auto.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(with = "String", extend("x-for" = ESTIMATED, "x-value" = "NAME"))]
    pub estimator: EstimatorName,
    /// PAC level of the -cp and -up estimators. Default: 0.05.
    #[serde(skip_serializing_if = "is_default")]
    #[schemars(with = "f64", extend("x-for" = WEIGHTED))]
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
    /// Takes what the entries say of the query, and leaves the rest.
    pub(crate) fn take(entries: &mut Entries) -> Result<Self> {
        let statistic = match entries.is_list("statistic") {
            true => entries.parsed("statistic")?.map(StatisticName::Several),
            false => entries.parsed("statistic")?,
        };
        let crosstab: Option<ColumnNames> = entries.labels("crosstab")?;
        let group_by: Option<ColumnNames> = entries.labels("group_by")?;
        let query = Self {
            statistic: statistic.ok_or_else(statistic_name::no_statistic)?,
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
            groups: entries
                .declared_lists("groups", group_by.as_ref().is_some_and(|by| by.0.len() > 1))?,
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
        Ok(query.with_add_remove_missing())
    }

    /// What suum-core is told as it is said; [`estimation`](Self::estimation) adds what depends on
    /// several options.
    fn given(&self) -> Options {
        Options {
            target: self.target,
            neighbors: self.neighbors,
            clip: self.clip,
            variance: self.variance,
            beta: self.beta.0,
            confidence: self.confidence.0,
            shrink: self.shrink,
            post: self.post,
            simultaneous: self.simultaneous,
            interval_share: self.interval_share,
            share: self.part,
            spare: self.spare.unwrap_or(0.0),
            ..Options::default()
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
