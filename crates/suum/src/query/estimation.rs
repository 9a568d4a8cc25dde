//! Options of the statistics, from a query.

use std::num::NonZero;

use suum_core::{
    Choice, Error, Estimator, Memberships, Neighbors, Options, QuantileEstimator, Randomness,
    RangePlan, Rank, Result, Share, Split, Statistics, TierDifference, for_study, leave_out,
    option, say,
};

use super::Query;
use super::values::GroupMembership;
use super::values::Ranks;
use crate::statistic::StatisticName;
use suum_data::{CountedGroups, PersonGroups};

/// Names of published estimators that are for study, which only another program offers.
pub fn studied() -> impl Iterator<Item = &'static str> {
    let compared = Estimator::ALL.into_iter().filter(|estimator| estimator.is_for_study());
    compared.map(Estimator::name).chain(["gaussian-diffusion"])
}

/// Seed that stands for no noise at all, in tests only.
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

    /// Options of the statistic. Options that it has no use for were refused before.
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
            whole: self.step.is_some() && !of_number,
            step: self.step.filter(|_| of_number),
            adapt: of_number && !self.no_adapt && learns,
            strata: self.strata()?,
            ..self.independent_options()
        };
        if of_number {
            self.check_adapting(&options)?;
        }
        let adapt = if hides { options.adapts() } else { options.adapt };
        Ok(Options { adapt, share: self.share_of_group()?, ..options })
    }

    /// Refuses options of learning that would have no effect.
    fn check_adapting(&self, options: &Options) -> Result<()> {
        for (given, option) in [(self.adapt, "adapt"), (self.spare.is_some(), "spare")] {
            let bounds = self.declared_bounds()?.filter(|_| self.step.is_some());
            if given && !bounds.map_or_else(|| options.adapts(), |one| options.adapts_inside(one)) {
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

    /// Adapts the defaults to a ledger: unspent budget is kept for other releases, unless `adapt`
    /// is set, and means of tiers that differ may do so in any order.
    #[must_use]
    pub(crate) fn with_accounts(mut self) -> Self {
        self.no_adapt |= self.statistic.is_mean_or_sum() && !self.adapt;
        // Remaining budgets can have another order than the chosen tiers.
        self.tiers_differ = self.tiers_differ.map(TierDifference::in_any_direction);
        self
    }

    /// Adapts the relation if records without a value are left out: a changed value can be a
    /// missing one, so the number of records is private, and hiding a change of value alone does
    /// not suffice.
    #[must_use]
    pub(crate) fn with_add_remove_missing(mut self) -> Self {
        if self.leaves_out_missing() && self.neighbors == Neighbors::ReplaceOne {
            self.neighbors = Neighbors::Both;
        }
        self
    }

    /// Refuses options that need declared bounds.
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

    /// Refuses estimators that are for study, and names the program that offers them.
    fn check_not_studied(&self) -> Result<()> {
        match studied().any(|studied| studied == self.estimator.0) {
            true => Err(for_study(&self.estimator.0)),
            false => Ok(()),
        }
    }

    /// Requested estimator, by the names of the statistic.
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

    /// Ranks of the requested quantiles.
    pub(crate) fn ranks(&self) -> Result<Vec<Rank>> {
        match self.cdf {
            false => Ok(self.q.0.clone()),
            true => Ok(Ranks::percentiles()?.0),
        }
    }

    /// Split of every budget among several statistics.
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

    /// Confidence of the interval of each release. If two groups are compared and their errors
    /// cannot be combined, both intervals hold at the requested confidence. Errors of means and
    /// sums can be combined, unless participation is hidden.
    fn confidence_of_each(&self) -> f64 {
        let confidence = self.confidence.0;
        let is_apart = self.neighbors.hides_participation() || !self.statistic.is_mean_or_sum();
        match self.between.is_some() && is_apart {
            true => 1.0 - (1.0 - confidence) / 2.0,
            false => confidence,
        }
    }

    /// Part of every budget that the release of one group may spend, where memberships are hidden:
    /// a record that counts in several groups, or changes its groups, is in as many releases, which
    /// share its budget.
    pub(crate) fn share_of_group(&self) -> Result<Share> {
        if self.group_by.is_none() || !self.neighbors.hides_participation() {
            return Ok(self.part);
        }
        let share = self.hidden_memberships().share(self.neighbors, self.released_groups()?);
        self.part.times(share)
    }

    /// Number of groups in which a record counts at most, where memberships are hidden.
    pub(crate) fn hidden_memberships(&self) -> Memberships {
        match self.max_groups.and_then(NonZero::new) {
            Some(most) => Memberships::AtMost(most),
            None => Memberships::One,
        }
    }

    /// Refuses persons in several groups where there are no groups, and where memberships are not
    /// as hidden as participation.
    pub(crate) fn check_memberships(&self) -> Result<()> {
        let (at, is_for_hidden) = match (self.person_groups, self.max_groups) {
            (Some(_), _) => (option::PERSON_GROUPS, false),
            (None, Some(0)) => {
                let problem = "a person counts in at least one group";
                return Err(Error::parameter(option::MAX_GROUPS, problem)
                    .with_fix(leave_out(option::MAX_GROUPS).say(", or say 1 or more")));
            }
            (None, Some(_)) => (option::MAX_GROUPS, true),
            (None, None) => return Ok(()),
        };
        if self.group_by.is_none() {
            return Err(Error::request(at, "there are no groups").with_fix(
                leave_out(at).say(", or name their column with").set(option::GROUP_BY, "COL"),
            ));
        }
        match (is_for_hidden, self.neighbors.hides_participation()) {
            (true, false) => Err(Error::request(
                at,
                "who is in which group is public with replace-one neighbours",
            )
            .with_fix(
                say("say so with")
                    .set(option::PERSON_GROUPS, "public")
                    .say(", and everybody counts in all of their groups; or hide who takes part:")
                    .set(option::NEIGHBORS, "both"),
            )),
            (false, true) => {
                Err(Error::request(at, "who is in which group is hidden with these neighbours")
                    .with_fix(
                        say("say in how many groups a person counts at most:")
                            .set(option::MAX_GROUPS, "2"),
                    ))
            }
            _ => Ok(()),
        }
    }

    /// Number of groups that have a release.
    fn released_groups(&self) -> Result<usize> {
        match &self.between {
            Some(_) => Ok(2),
            // Groups that are read off the data are not declared yet.
            None => Ok(self.groups()?.map_or(2, |groups| groups.count())),
        }
    }

    /// Groups in which a person with rows in several groups counts, for a scan.
    pub(crate) fn person_groups_of_scan(&self) -> Result<Option<PersonGroups>> {
        let counted = match (self.person_groups, self.hidden_memberships()) {
            (Some(GroupMembership::Public), _) => CountedGroups::All,
            (None, Memberships::AtMost(most)) => CountedGroups::AtMost(most),
            (None, _) => return Ok(None),
        };
        let released = match (self.compared()?, self.groups()?) {
            (Some(between), Some(groups)) => {
                Some(groups.names().map(|name| between.contains(&name)).collect())
            }
            _ => None,
        };
        Ok(Some(PersonGroups { counted, released }))
    }
}
