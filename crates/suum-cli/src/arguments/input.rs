//! Which data are read, and what of them is counted.

use clap::{ArgGroup, Args};
use serde::{Serialize, Serializer};
use suum::list;

use super::estimation::CellArguments;
use super::ledger::LedgerArguments;
use super::number::{MissingNumber, Number};

/// Where the records, or their level table, come from.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
#[command(group = ArgGroup::new("known_tiers").args(["levels", "ledger"]).multiple(true))]
pub(crate) struct InputArguments {
    /// A CSV (also .gz and .zst) or Parquet file, a folder or a glob of them, - for CSV on standard
    /// input, a SQLite file (also as sqlite:PATH), or a PostgreSQL database
    /// (postgresql://USER@HOST/DATABASE)
    pub(crate) data: Option<String>,
    /// The table or view of a database, as NAME or SCHEMA.NAME
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["query", "from_levels"])]
    pub(crate) table: Option<String>,
    /// A query whose rows are the records of a database: a SELECT in its dialect
    #[arg(long, value_name = "SQL", conflicts_with = "from_levels")]
    pub(crate) query: Option<String>,
    /// You have checked that the query is row-wise: each record gives at most one row, computed
    /// from that record alone, and whether it gives one does not depend on private values. Without
    /// this, queries that are not known to be row-wise are refused
    #[arg(long, requires = "query", conflicts_with_all = ["table", "from_levels"])]
    pub(crate) trust_query: bool,
    /// Column of consent tiers; needs --levels, or a ledger that has them
    #[arg(long, value_name = "COL", requires = "known_tiers", conflicts_with = "epsilon")]
    pub(crate) privacy: Option<String>,
    /// What each tier allows, for example strict=0.01,standard=0.1,public=inf
    #[arg(long, value_name = "TIER=EPSILON,…", conflicts_with = "epsilon")]
    pub(crate) levels: Option<String>,
    /// What separates the cells of CSV files: for example ';', or tab [default: ,]
    #[arg(long, value_name = "CHARACTER", requires = "data")]
    pub(crate) delimiter: Option<String>,
    /// How the text of CSV files is encoded: utf-8, or latin-1 [default: utf-8]
    #[arg(long, value_name = "NAME", requires = "data")]
    pub(crate) encoding: Option<String>,
    /// A CSV or Parquet file with the column of --privacy or --epsilon, which the data then lack:
    /// one line for each key. A record whose key it lacks is refused, or counts as
    /// --missing-consent says
    #[arg(
        long,
        value_name = "FILE",
        requires = "key",
        conflicts_with_all = ["table", "query", "from_levels"]
    )]
    pub(crate) consent: Option<String>,
    /// The column of keys in the data and in the consent file: COL, or COL=COL if they differ;
    /// often that of --person
    #[arg(long, value_name = "COL[=COL]", requires = "consent")]
    pub(crate) key: Option<String>,
    /// Texts that stand for an empty cell, in whatever column: NA,null. In columns of numbers also
    /// numbers: -99
    #[arg(long, value_name = "TEXT,…", allow_hyphen_values = true, conflicts_with = "from_levels")]
    pub(crate) null: Option<String>,
    /// What records with an empty privacy cell count as: a declared tier, or 0, which means that
    /// they are not used; without it they are refused
    #[arg(long, value_name = "TIER|0", conflicts_with = "from_levels")]
    pub(crate) missing_consent: Option<String>,
    /// Column of numeric privacy budgets; inf is public, 0 is "do not use"
    #[arg(long, value_name = "COL")]
    pub(crate) epsilon: Option<String>,
    /// Column that names persons, who can have many rows: each counts once, at the strictest tier
    /// of their rows. Without it each row is protected alone, and rows of one person add up
    #[arg(long, value_name = "COL")]
    pub(crate) person: Option<String>,
    /// A level table in place of data: JSON from `suum levels`, or the result of `suum levels-sql`
    /// as CSV, Parquet or JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["data", "privacy", "epsilon", "person"])]
    pub(crate) from_levels: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) ledger: LedgerArguments,
}

/// The column that is summed.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct ValueArguments {
    /// Column of values. Of several, as in wage,hours, each has an answer and a part of every
    /// budget; in a name \, is a comma
    #[arg(long, value_name = "COL,…")]
    pub(crate) value: Option<String>,
    /// The range values are clamped to; declare what is possible, do not look it up in the data.
    /// With `auto` a part of every budget finds a range. Of several columns once for each, as in
    /// wage=0,50
    #[arg(long, value_name = "LO,HI|auto", allow_hyphen_values = true)]
    pub(crate) bounds: Vec<String>,
    /// A public constant to put in place of missing values, so that the result is about the data
    /// with this value in them; or `exclude` to leave records without a value out, which hides who
    /// has one: --neighbors replace then becomes both. Without it they are refused
    #[arg(
        long,
        value_name = "VALUE|exclude",
        allow_hyphen_values = true,
        conflicts_with = "from_levels"
    )]
    pub(crate) missing: Option<MissingNumber>,
}

/// Whether bounds are checked.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct CheckArguments {
    /// Also release how many values lie at each of the bounds, or beyond it, from this part of
    /// every budget: for bounds that may be wrong. Without a number it is 0.05
    #[arg(
        long,
        value_name = "SHARE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0.05",
        allow_hyphen_values = true
    )]
    pub(crate) check_bounds: Option<Number>,
}

/// What a level table counts and adds up.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct CountedArguments {
    /// Column of values
    #[arg(long, value_name = "COL")]
    pub(crate) value: Option<String>,
    /// The range values are clamped to; declare what is possible, do not look it up in the data
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    pub(crate) bounds: Vec<String>,
    /// A public constant, or a declared category, to put in place of missing values; or `exclude`
    /// to leave records without a value out, for releases that hide who has one. Without it they
    /// are refused
    #[arg(
        long,
        value_name = "VALUE|NAME|exclude",
        allow_hyphen_values = true,
        conflicts_with = "from_levels"
    )]
    pub(crate) missing: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) categories: CategoryArguments,
    #[command(flatten)]
    #[serde(flatten)]
    pub(crate) cells: CellArguments,
    /// Add nothing up in cells, from which a mean learns where the values lie
    #[arg(long)]
    pub(crate) no_adapt: bool,
}

/// What is counted by a frequency.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct CategoryArguments {
    /// Two columns of categories in place of --value: the share of each pair of their categories,
    /// and both margins, which are the sums of the cells. Declare the categories of each, in their
    /// order: --crosstab region,sex --categories north,south --categories f,m
    #[arg(long, value_name = "COL,COL", conflicts_with_all = ["value", "bins"])]
    pub(crate) crosstab: Option<String>,
    /// The categories, from public knowledge: A,B,C, or @FILE with a label on each line; of a
    /// --crosstab once for each column. In a label, here and in --levels and --groups, \, is a
    /// comma and \= an equals sign
    #[arg(long, value_name = "A,B,…", conflicts_with = "bins")]
    pub(crate) categories: Vec<String>,
    /// Edges of numeric bins, from public knowledge: 0,10,20 counts [0, 10) and [10, 20]
    #[arg(long, value_name = "EDGE,EDGE,…", allow_hyphen_values = true)]
    pub(crate) bins: Vec<String>,
    /// A further category for all other values; without it they are refused
    #[arg(long, value_name = "NAME")]
    pub(crate) other: Option<String>,
}

/// One release per declared group.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct GroupArguments {
    /// Column of groups: one release, or level table, for each, in one pass. Of up to four columns,
    /// COL,COL, for each combination of their groups (\, is a comma in a name). Who is in which
    /// group is public. With --from-levels that of the table
    #[arg(long, value_name = "COL", requires = "groups")]
    pub(crate) group_by: Option<String>,
    /// The groups, from public knowledge: A,B,C, or @FILE. Of several columns once for each, in
    /// their order. With --from-levels all groups of the table
    #[arg(long, value_name = "A,B,…", requires = "group_by")]
    #[serde(serialize_with = "one_or_several")]
    pub(crate) groups: Vec<String>,
}

/// What is said once as a text, and what is said for several columns as a list for each.
fn one_or_several<S: Serializer>(said: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Labels<'a> {
        File(&'a str),
        List(Vec<String>),
    }
    fn labels(text: &str) -> Labels<'_> {
        match text.starts_with('@') {
            true => Labels::File(text),
            false => Labels::List(list::items(text)),
        }
    }
    match said {
        [] => serializer.serialize_none(),
        [one] => serializer.serialize_str(one),
        several => serializer.collect_seq(several.iter().map(|text| labels(text))),
    }
}

/// Two groups that are compared.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct ComparedArguments {
    /// The difference of two of the groups, the first less the second, with an interval: of each
    /// quantile or share if there are several. Others spend nothing. Who is in which group is
    /// public, but for --neighbors both
    #[arg(long, value_name = "A,B", requires = "group_by")]
    pub(crate) between: Option<String>,
}

/// The group for all others, where `--other` means it too.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct OtherGroupArguments {
    /// A further group for all others, in each column; without it they are refused
    #[arg(long, alias = "other", value_name = "NAME", requires = "group_by")]
    pub(crate) other_group: Option<String>,
}

/// The group for all others, where `--other` is a category.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
pub(crate) struct FurtherGroupArguments {
    /// A further group for all others, in each column; without it they are refused
    #[arg(long, value_name = "NAME", requires = "group_by")]
    pub(crate) other_group: Option<String>,
}
