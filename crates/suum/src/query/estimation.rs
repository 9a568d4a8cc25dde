//! How a query is to be answered: the options of the statistics.

use suum_core::{
    Choice, Error, Estimator, Neighbors, Options, QuantileEstimator, Randomness, RangePlan, Rank,
    Result, Share, Split, Statistics, TierDifference, for_study, leave_out, option, say,
};

use super::Query;
use super::values::Ranks;
use crate::statistic::StatisticName;

/// The names of published estimators that are for study, and that another program has.
pub fn studied() -> impl Iterator<Item = &'static str> {
    let compared = Estimator::ALL.into_iter().filter(|estimator| estimator.is_for_study());
    compared.map(Estimator::name).chain(["gaussian-diffusion"])
}

/// The seed that stands for no noise at all, in tests only.
#[cfg(all(feature = "noiseless", debug_assertions))]
const NOISELESS: u64 = u64::MAX;

impl Query {
    /// Randomness from the operating system, or from a seed for tests.
    pub(crate) fn randomness(&self) -> Result<Randomness> {
        match self.insecure_seed {
            #[cfg(all(feature = "noiseless", debug_assertions))]
            Some(NOISELESS) => Ok(Randomness::noiseless()),
            Some(seed) => Ok(Randomness::insecure(seed)),
            None => crate::entropy(),
        }
    }

    /// The options of the statistic. What it has no use for was refused before.
    pub(crate) fn estimation(&self) -> Result<Options> {
        let (of_number, hides) =
            (self.statistic.is_mean_or_sum(), self.neighbors.hides_participation());
        // Inside a range that is found there is one choice for `gaussian`, and for those of whom
        // it must not show who they are; nor do these learn in one of several answers.
        let learns = match hides {
            true => !self.wants_range() && self.part == Share::ALL,
            false => !self.wants_range() || self.estimator.0 != RangePlan::NAME,
        };
        let options = Options {
            estimator: self.choice()?,
            confidence: self.confidence_of_each(),
            simultaneous: self.simultaneous || self.cdf,
            whole: self.step.is_some(),
            adapt: of_number && !self.no_adapt && learns,
            strata: self.strata()?,
            ..self.given()
        };
        if of_number {
            self.check_adapting(&options)?;
        }
        let adapt = if hides { options.adapts() } else { options.adapt };
        Ok(Options { adapt, share: self.share_of_group()?, ..options })
    }

    /// Refuses to ask for what will not be done.
    fn check_adapting(&self, options: &Options) -> Result<()> {
        for (given, option) in [(self.adapt, "adapt"), (self.spare.is_some(), "spare")] {
            if given && !options.adapts() {
                return Err(Error::request(
                    option,
                    "this mean does not learn where the values lie",
                )
                .with_fix(
                    say("it does with")
                        .set(option::ESTIMATOR, "auto")
                        .say(", without")
                        .option(option::SHRINK)
                        .say(",")
                        .option(option::VARIANCE)
                        .say(",")
                        .option(option::CLIP)
                        .say("and")
                        .option(option::NO_ADAPT)
                        .say(", where the target is not dataset-correlated, with")
                        .set(option::BOUNDS, "auto")
                        .say("only under")
                        .set(option::NEIGHBORS, "replace")
                        .say("; where there is a ledger, add")
                        .option(option::ADAPT),
                ));
            }
        }
        Ok(())
    }

    /// The same where a ledger keeps account: what people keep is kept for other releases, unless
    /// adapting is asked for, and means of tiers that differ may do so in any order.
    #[must_use]
    pub(crate) fn with_accounts(mut self) -> Self {
        self.no_adapt |= self.statistic.is_mean_or_sum() && !self.adapt;
        // What is left of budgets can be in another order than what people chose.
        self.tiers_differ = self.tiers_differ.map(TierDifference::in_any_direction);
        self
    }

    /// The same where records without a value are left out: another value of a record can be none,
    /// so their number is private, and what hides a change of value alone does not do.
    #[must_use]
    pub(crate) fn with_add_remove_missing(mut self) -> Self {
        if self.leaves_out_missing() && self.neighbors == Neighbors::ReplaceOne {
            self.neighbors = Neighbors::Both;
        }
        self
    }

    /// Refuses what has no use without declared bounds.
    pub(crate) fn check_range_options(&self) -> Result<()> {
        let of_mean = matches!(self.statistic, StatisticName::Mean | StatisticName::Sum);
        let is_part_of_width =
            of_mean && self.tiers_differ.is_some_and(|one| one.is_part_of_width());
        for (given, option) in [
            (self.variance.is_some(), option::VARIANCE),
            (self.shrink, option::SHRINK),
            (self.split.is_some() && of_mean, option::SPLIT),
            (self.step.is_some(), option::STEP),
            (self.clip.is_some(), option::CLIP),
            (is_part_of_width, option::TIERS_DIFFER),
            (self.tiers_apart, option::TIERS_APART),
        ] {
            if given {
                return Err(Error::request(option, "needs declared bounds").with_fix(
                    leave_out(option).say(", or declare bounds with").set(option::BOUNDS, "LO,HI"),
                ));
            }
        }
        Ok(())
    }

    /// Refuses estimators that are for study, and says who has them.
    fn check_not_studied(&self) -> Result<()> {
        match studied().any(|studied| studied == self.estimator.0) {
            true => Err(for_study(&self.estimator.0)),
            false => Ok(()),
        }
    }

    /// The estimator that is asked for, by the names that the statistic has for them.
    fn choice(&self) -> Result<Choice> {
        let name = self.estimator.0.as_str();
        if self.statistic == StatisticName::Quantile {
            return QuantileEstimator::choice(name);
        }
        self.check_not_studied()?;
        if self.statistic.is_mean_or_sum() && self.wants_range() {
            return match ["auto", RangePlan::NAME].contains(&name) {
                true => Ok(Choice::Auto),
                false => Err(Error::parameter(
                    option::ESTIMATOR,
                    "there is none of that name without declared bounds",
                )
                .with_fix(
                    say("choose auto or gaussian, or declare bounds with")
                        .set(option::BOUNDS, "LO,HI"),
                )),
            };
        }
        if name == RangePlan::NAME {
            return Err(Error::request(
                option::ESTIMATOR,
                "this one finds the range of the values",
            )
            .with_fix(
                leave_out(option::ESTIMATOR)
                    .say(", or ask for a mean or a sum with")
                    .set(option::BOUNDS, "auto"),
            ));
        }
        let of_quantiles = QuantileEstimator::ALL.iter().any(|one| one.name() == name);
        if of_quantiles && !Estimator::ALL.iter().any(|one| one.name() == name) {
            return Err(Error::request(option::ESTIMATOR, "this one is for quantiles")
                .with_fix(leave_out(option::ESTIMATOR).say(", or ask for a quantile")));
        }
        name.parse()
    }

    /// The ranks of the quantiles that are asked for.
    pub(crate) fn ranks(&self) -> Result<Vec<Rank>> {
        match self.cdf {
            false => Ok(self.q.0.clone()),
            true => Ok(Ranks::percentiles()?.0),
        }
    }

    /// How several statistics share every budget.
    pub(crate) fn split(&self, statistics: &Statistics) -> Result<Split> {
        let even = Split::even(statistics);
        let Some(parts) = self.split else { return Ok(even) };
        for (asked, part, name) in [
            (statistics.mean, parts.mean, "mean"),
            (statistics.variance, parts.variance, "variance"),
            (!statistics.quantiles.is_empty(), parts.quantile, "quantile"),
        ] {
            if !asked && part.is_some() {
                return Err(Error::request(option::SPLIT, format!("no {name} is asked for"))
                    .with_fix(
                        say(format!("leave {name} out of"))
                            .option(option::SPLIT)
                            .say(", or name one with")
                            .option(option::STATISTIC),
                    ));
            }
        }
        Ok(even.with(parts))
    }

    /// The confidence of the interval of each release: where two groups are compared whose errors
    /// cannot be put together, both intervals hold at the one that is asked for. Those of means and
    /// sums can, unless it must not show who takes part.
    fn confidence_of_each(&self) -> f64 {
        let confidence = self.confidence.0;
        let is_apart = self.neighbors.hides_participation() || !self.statistic.is_mean_or_sum();
        match self.between.is_some() && is_apart {
            true => 1.0 - (1.0 - confidence) / 2.0,
            false => confidence,
        }
    }

    /// The part of every budget that the release of one group may spend. With both kinds of
    /// neighbours a record that changes group is in two releases, which share its budget.
    pub(crate) fn share_of_group(&self) -> Result<Share> {
        match (self.neighbors, &self.group_by) {
            (Neighbors::Both, Some(_)) => self.part.times(Share::HALF),
            _ => Ok(self.part),
        }
    }
}
