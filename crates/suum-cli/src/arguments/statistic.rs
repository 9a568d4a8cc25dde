//! The commands of the statistics, each with three examples.

use clap::Subcommand;

use super::Asked;

/// A statistic, and what is asked of it.
#[derive(Debug, Subcommand)]
pub(crate) enum Statistic {
    /// The private mean of a numeric column
    #[command(visible_alias = "average")]
    Mean(Asked),
    /// The difference of the private means of two groups
    ///
    /// As mean with --between.
    Difference(Asked),
    /// The private sum of a numeric column
    Sum(Asked),
    /// The private share of every category
    #[command(visible_alias = "histogram")]
    Frequency(Asked),
    /// The private quantiles of a numeric column
    #[command(visible_alias = "median")]
    Quantile(Asked),
    /// The private variance of a numeric column, and the mean with it
    Variance(Asked),
    /// Several statistics of a column in one pass, from one budget
    Summary(Asked),
    /// The number of records per tier
    ///
    /// Public under replace-one neighbours; else one private number.
    Count(Asked),
}

impl Statistic {
    /// The name of the statistic that is asked for, and what of it.
    pub(crate) fn named(&self) -> (&'static str, &Asked) {
        match self {
            Self::Mean(asked) | Self::Difference(asked) => ("mean", asked),
            Self::Sum(asked) => ("sum", asked),
            Self::Frequency(asked) => ("frequency", asked),
            Self::Quantile(asked) => ("quantile", asked),
            Self::Variance(asked) => ("variance", asked),
            Self::Summary(asked) => ("summary", asked),
            Self::Count(asked) => ("count", asked),
        }
    }
}

/// Examples of each; `…` stands for the tiers of the example's data.
pub(super) const EXAMPLES: [(&str, [&str; 3]); 8] = [
    (
        "mean",
        [
            "suum mean examples/randhie.csv --value visits --bounds 0,77 …",
            "suum mean people.csv --value income --bounds 0,200000 --epsilon budget --explain",
            "suum mean people.csv --value age --bounds 0,120 --epsilon budget --report age.html",
        ],
    ),
    (
        "difference",
        [
            "suum difference examples/randhie.csv --value visits --bounds 0,77 --group-by health \
             --groups excellent,good,fair,poor --between poor,good …",
            "suum difference people.csv --value age --bounds 0,120 --epsilon budget --group-by sex \
             --groups f,m --between f,m",
            "suum mean people.csv --value age --bounds 0,120 --epsilon budget --group-by town \
             --groups A,B --other-group rest --between A,B",
        ],
    ),
    (
        "sum",
        [
            "suum sum examples/randhie.csv --value visits --bounds 0,77 …",
            "suum sum sales.csv --value amount --bounds 0,500 --epsilon budget --person customer",
            "suum sum sales.csv --value amount --bounds 0,500 --epsilon budget --target dataset",
        ],
    ),
    (
        "frequency",
        [
            "suum frequency examples/randhie.csv --value health \
             --categories excellent,good,fair,poor …",
            "suum frequency people.csv --value age --bins 0,18,65,120 --epsilon budget",
            "suum frequency people.csv --value town --categories A,B --other rest --epsilon budget",
        ],
    ),
    (
        "quantile",
        [
            "suum quantile examples/randhie.csv --value visits --bounds 0,77 --step 1 …",
            "suum quantile people.csv --value income --bounds 0,99999 --q deciles --epsilon e",
            "suum median people.csv --value income --bounds auto --epsilon budget",
        ],
    ),
    (
        "variance",
        [
            "suum variance examples/randhie.csv --value visits --bounds 0,77 …",
            "suum variance people.csv --value height --bounds 100,230 --epsilon budget",
            "suum variance people.csv --value height --bounds auto --epsilon budget --explain",
        ],
    ),
    (
        "summary",
        [
            "suum summary examples/randhie.csv --value visits --bounds 0,77 --step 1 …",
            "suum summary people.csv --value age --bounds 0,120 --statistic mean,q90 --epsilon e",
            "suum summary people.csv --value age --bounds auto --epsilon budget --format json",
        ],
    ),
    (
        "count",
        [
            "suum count examples/randhie.csv …",
            "suum count people.csv --epsilon budget --group-by town --groups A,B,C",
            "suum count people.csv --privacy tier --levels a=0.1,b=1 --neighbors add-remove",
        ],
    ),
];
