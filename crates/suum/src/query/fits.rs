//! Which options a statistic has use for. What it has none for is refused: it would be ignored.

use suum_core::{Error, Result, Statistics};

use super::{Asked, Query, schema};

/// Whether a statistic has use for an option.
type Fits = fn(&Asked) -> bool;

/// The options that not all statistics have use for, who has, and how that is said.
const OPTIONS: [(&str, Fits, &str); 30] = [
    ("value", is_of_values, "values, and a count has none"),
    ("missing", is_of_values, "values, and a count has none"),
    ("target", is_of_values, "values, and a count has none"),
    ("bounds", is_of_numbers, "numbers"),
    ("check_bounds", is_of_numbers, "numbers"),
    ("categories", is_frequency, "a frequency"),
    ("bins", is_frequency, "a frequency"),
    ("crosstab", is_frequency, "a frequency"),
    ("other", is_frequency, "a frequency; a further group is --other-group"),
    ("post", is_frequency, "a frequency"),
    ("simultaneous", has_several, "a frequency or quantiles"),
    ("between", has_differences, "a mean, a sum, a frequency or a quantile"),
    ("q", is_quantile, "a quantile"),
    ("cdf", is_quantile, "a quantile"),
    ("step", Asked::has_quantiles, "quantiles, and none is asked for"),
    ("cells", Asked::has_quantiles, "quantiles, and none is asked for"),
    ("rows", Asked::has_quantiles, "quantiles, and none is asked for"),
    ("interval_share", Asked::has_quantiles, "quantiles, and none is asked for"),
    ("split", is_split, "several statistics"),
    ("variance", is_mean_or_sum, "a mean or a sum"),
    ("shrink", is_mean_or_sum, "a mean or a sum"),
    ("adapt", is_mean_or_sum, "a mean or a sum"),
    ("no_adapt", is_mean_or_sum, "a mean or a sum"),
    ("spare", is_mean_or_sum, "a mean or a sum"),
    ("strata", has_estimators, "a mean, a sum, a frequency or a quantile"),
    ("weight", has_estimators, "a mean, a sum, a frequency or a quantile"),
    ("classes", has_estimators, "strata of a mean, a sum, a frequency or a quantile"),
    ("population_shares", has_estimators, "strata of a mean, a sum, a frequency or a quantile"),
    ("estimator", has_estimators, "a mean, a sum, a frequency or a quantile"),
    ("beta", has_beta, "a mean, a sum or a frequency"),
];

fn is_of_values(asked: &Asked) -> bool {
    *asked != Asked::Count
}

fn is_of_numbers(asked: &Asked) -> bool {
    !matches!(asked, Asked::Count | Asked::Frequency)
}

fn is_frequency(asked: &Asked) -> bool {
    *asked == Asked::Frequency
}

fn is_quantile(asked: &Asked) -> bool {
    *asked == Asked::Quantile
}

fn has_several(asked: &Asked) -> bool {
    is_frequency(asked) || is_quantile(asked)
}

fn is_mean_or_sum(asked: &Asked) -> bool {
    matches!(asked, Asked::Mean | Asked::Sum)
}

fn has_differences(asked: &Asked) -> bool {
    is_mean_or_sum(asked) || has_several(asked)
}

fn is_split(asked: &Asked) -> bool {
    matches!(asked, Asked::Several(_))
}

fn has_beta(asked: &Asked) -> bool {
    is_mean_or_sum(asked) || is_frequency(asked)
}

fn has_estimators(asked: &Asked) -> bool {
    has_beta(asked) || is_quantile(asked)
}

impl Query {
    /// The options that a statistic has use for, by the names of the fields, without the statistic
    /// itself. `summary` stands for several statistics.
    ///
    /// # Errors
    ///
    /// Refuses names that no statistic has.
    ///
    /// # Example
    ///
    /// ```
    /// let options = suum::Query::options("count")?;
    /// assert!(options.iter().any(|name| name == "epsilon"));
    /// assert!(!options.iter().any(|name| name == "bounds"));
    /// # Ok::<(), suum::Error>(())
    /// ```
    pub fn options(statistic: &str) -> Result<Vec<String>> {
        let asked = match statistic {
            "summary" => {
                let quantiles = vec![suum_core::Rank::MEDIAN];
                Asked::Several(Statistics { quantiles, ..Statistics::default() })
            }
            name => name.parse()?,
        };
        let names = schema::names_of::<Self>().into_iter().filter(|name| {
            let known = OPTIONS.iter().find(|(option, ..)| option == name);
            *name != "statistic" && known.is_none_or(|(_, fits, _)| fits(&asked))
        });
        Ok(names.collect())
    }

    /// Refuses options that the statistic has no use for.
    pub(crate) fn check(&self) -> Result<()> {
        for (option, _) in self.entries().words() {
            let known = OPTIONS.iter().find(|(name, ..)| *name == option);
            if let Some((name, fits, what)) = known
                && !fits(&self.statistic)
            {
                let name = name.replace('_', "-");
                return Err(Error::request(format!("{name}: is for {what}"))
                    .with_hint(format!("leave --{name} out")));
            }
        }
        Ok(())
    }
}
