//! Who has use for an option: names of statistics, which fields of a query have as `x-for`.

use super::statistic_name::StatisticName;

pub(super) const VALUES: &str = "values, and a count has none";
pub(super) const NUMBERS: &str = "numbers";
pub(super) const FREQUENCY: &str = "a frequency";
pub(super) const FREQUENCY_OTHER: &str = "a frequency; a further group is --other-group";
pub(super) const SEVERAL: &str = "a frequency or quantiles";
pub(super) const QUANTILE: &str = "a quantile";
pub(super) const QUANTILES: &str = "quantiles, and none is asked for";
pub(super) const SPLIT: &str = "several statistics";
pub(super) const MEAN: &str = "a mean or a sum";
pub(super) const WEIGHTED: &str = "a mean, a sum or a frequency";
pub(super) const ESTIMATED: &str = "a mean, a sum, a frequency or a quantile";

/// Whether a statistic is one of these.
pub(super) fn fits(asked: &StatisticName, these: &str) -> bool {
    let is_frequency = *asked == StatisticName::Frequency;
    let is_quantile = *asked == StatisticName::Quantile;
    match these {
        VALUES => *asked != StatisticName::Count,
        NUMBERS => !matches!(asked, StatisticName::Count | StatisticName::Frequency),
        FREQUENCY | FREQUENCY_OTHER => is_frequency,
        SEVERAL => is_frequency || is_quantile,
        QUANTILE => is_quantile,
        QUANTILES => asked.has_quantiles(),
        SPLIT => matches!(asked, StatisticName::Several(_)),
        MEAN => asked.is_mean_or_sum(),
        WEIGHTED => asked.is_mean_or_sum() || is_frequency,
        ESTIMATED => asked.is_mean_or_sum() || is_frequency || is_quantile,
        _ => false,
    }
}
