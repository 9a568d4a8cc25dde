//! Means, sums and frequencies: weighted sums with noise.

use suum_core::{
    Bounds, Choice, ExpectedError, LearnedRange, Method as Noise, Neighbors, OptionValue, Options,
    Phrase, Plan, Profile, ProtectedUnit, RangePlan, Release, Shares, Statistic, Target, TimeScale,
    WeightedPlan, option,
};

use super::estimators::{better, bound, compared, gain, least};
use super::{PlanWords, ReleaseWords, adaptive};
use crate::certificate::SpendingTable;
use crate::content::Content;
use crate::data_value;
use crate::figures::significant;
use crate::how;
use crate::html::{Check, Method};
use crate::planned_error::PlannedError;
use crate::short;
use crate::strata;
use crate::tiers::{self, Tier};
use crate::tiers_apart;
use crate::what_if;

impl ReleaseWords for WeightedPlan {
    fn options(&self) -> Option<&Options> {
        Some(self.request().options())
    }

    fn whom(&self, _: &Release) -> &'static str {
        estimand(self)
    }

    fn expected_total(&self, release: &Release) -> Option<String> {
        is_expected_total(self)
            .then(|| format!("{} new records of the population", short::records(release)))
    }

    fn notes(&self, release: &Release) -> Vec<String> {
        let shrunk = self.shrinkage().map(|shrinkage| {
            format!(
                "The estimate is shrunk towards the middle of the bounds: factor {}, error {}{} \
                 ({}).",
                significant(shrinkage.factor, 3),
                significant(shrinkage.risk.sqrt() * self.unit(), 3),
                data_value::unit(release.scale()),
                how::WORST,
            )
        });
        shrunk.into_iter().collect()
    }

    fn error(&self, release: &Release) -> Content {
        let (whom, basis) = (release.protects(), Basis::from_release(release));
        release.error.map_or_else(Content::default, |error| errors(self, error, whom, basis, 3))
    }

    fn comparison(&self, release: &Release) -> Content {
        let estimator = self.chosen().estimator;
        let (name, about) = match release.is_planned_in_range() {
            true => (RangePlan::NAME, RangePlan::ABOUT),
            false => (estimator.name(), estimator.describe()),
        };
        let mut inside = Content::from_sentences([format!("Estimator: {name} ({about}).")]);
        if release.learned_range().is_some() {
            inside.say(adaptive::WEIGHTS);
        }
        if release.learned_range().is_some() || release.is_planned_in_range() {
            return how::compared("The estimator", inside);
        }
        inside.append(compared(self, false));
        inside.say_all(gain(self));
        how::compared(how::COMPARED, inside)
    }

    fn method(&self, release: &Release) -> Method {
        match release.is_planned_in_range() {
            true => Method::for_range(),
            false => Method::for_plan(self),
        }
    }

    fn knows_search(&self) -> bool {
        true
    }

    fn check(&self) -> Check {
        check(self)
    }

    fn better(&self, release: &Release) -> Option<Phrase> {
        better(self).or_else(|| how::mostly_noise(release))
    }

    fn can_allow_for_correlation(&self) -> bool {
        true
    }

    fn unit(&self) -> Option<f64> {
        Some(WeightedPlan::unit(self))
    }

    fn strata(&self) -> Option<String> {
        strata::describe_kept(self)
    }

    fn done(&self) -> Option<&'static str> {
        self.shrinkage().map(|_| "shrunk")
    }
}

impl PlanWords for WeightedPlan {
    fn name(&self) -> String {
        format!("the {}", self.request().statistic().name())
    }

    fn errors(&self, in_range: bool) -> Vec<PlannedError> {
        let (name, by) = (PlanWords::name(self), format!("by {}", self.chosen().estimator));
        let rmse = self.chosen().risk.rmse() * self.unit();
        if self.setting().categories.is_some() {
            return vec![PlannedError::for_share(&name, rmse, by)];
        }
        let unit = match in_range {
            true => " of the width of the bounds".to_owned(),
            false => data_value::unit(self.request().bounds().scale()),
        };
        vec![PlannedError::new(name, rmse, unit, by)]
    }

    fn notes(&self, in_range: bool) -> Vec<String> {
        let is_of_shares = self.setting().categories.is_some();
        let of = if is_of_shares { " of the category where it is largest" } else { "" };
        let by = self.chosen().estimator;
        let unit = match in_range && !is_of_shares {
            true => " Errors are shares of the width of the bounds.",
            false => "",
        };
        let bound =
            self.lower_bound().map_or_else(String::new, |bound| promised(self, bound, in_range));
        let may_differ = !self.setting().difference.is_none();
        let if_so = match (self.setting().target, self.request().options().variance) {
            (Target::DatasetCorrelated, _) => "Whatever the data",
            (_, None) if may_differ => "Whatever the values, if tiers differ at most as declared",
            (_, Some(_)) if may_differ => "If values vary and tiers differ at most as declared",
            (_, None) => "Whatever the values, if budgets do not depend on them",
            (_, Some(_)) => "If values vary at most as declared, and budgets do not depend on them",
        };
        let said = format!(
            "{if_so}, the root mean squared error{of} is at most this with the estimator \
             {by}.{bound}{unit}"
        );
        let rmse = self.chosen().risk.rmse() * self.unit();
        let adapts = self.adaptive().map(|_| adaptive::PLANNED.to_owned());
        let kept = self.stratified();
        let price = kept.as_ref().map(|kept| strata::price(kept, rmse, 1.0, ""));
        let strata = strata::describe_kept(self).into_iter().chain(price);
        let apart = self.request().options().tiers_apart.then(|| tiers_apart::price(self));
        [said].into_iter().chain(adapts).chain(strata).chain(apart.flatten()).collect()
    }

    fn more(&self) -> Vec<String> {
        let scope = self.request().categories();
        let scope = scope.map_or_else(String::new, |all| format!(", in {} categories", all.len()));
        let estimator = self.chosen().estimator;
        let shrunk = self.shrinkage().map(|shrinkage| {
            format!(
                "Shrunk towards the middle of the bounds by the factor {} it is {}.",
                significant(shrinkage.factor, 3),
                significant(shrinkage.risk.sqrt() * self.unit(), 4),
            )
        });
        let whom = how::would_be_for(&format!("{}{scope}", estimand(self)));
        let about = format!("Estimator: {estimator} ({}).", estimator.describe());
        [whom, about].into_iter().chain(shrunk).collect()
    }

    fn cost(&self) -> Content {
        let (risk, unit) = (self.chosen().risk, self.unit());
        let error = ExpectedError {
            noise_sd: risk.noise_sd() * unit,
            sampling_sd: risk.sampling_sd() * unit,
            rmse: risk.rmse() * unit,
        };
        let mut cost = Content::default();
        let errors = errors(self, error, ProtectedUnit::Record, Basis::Worst, 4);
        cost.section("error", how::ERRORS, errors);
        cost
    }

    fn spent(&self, tiers: &[Tier]) -> SpendingTable {
        let weights = self.chosen().design.weights.per_level();
        let lines = tiers::lines_of(tiers, |tier| {
            let position = self.position(tier.epsilon)?;
            // In a mean that learns first, weights depend on the learned range; in strata they
            // differ.
            let has_one = self.adaptive().is_none() && !self.setting().profile.is_stratified();
            let weight = weights.get(position).copied().filter(|_| has_one);
            Some((self.loss_of(tier.epsilon), weight))
        });
        SpendingTable::for_plan(lines, Neighbors::ReplaceOne, self.adaptive().is_some())
    }

    fn learning(&self, tiers: &[Tier]) -> Vec<[String; 2]> {
        let adaptive = self.adaptive();
        adaptive.map_or_else(Vec::new, |adaptive| adaptive::planned_costs(self, adaptive, tiers))
    }

    fn comparison(&self) -> Content {
        let mut inside = compared(self, true);
        inside.say("For study: suum-experiments mean DATA --estimator NAME.");
        inside.say_all(how::left_out(self.excluded()));
        inside.say_all(gain(self));
        inside.say(bound(self));
        how::compared(how::COMPARED, inside)
    }

    fn method(&self) -> Method {
        Method::for_plan(self)
    }

    fn check(&self) -> Check {
        check(self)
    }

    fn bounds(&self) -> Option<Bounds> {
        self.setting().categories.is_none().then(|| self.request().bounds())
    }

    fn better(&self) -> Option<Phrase> {
        better(self).or_else(|| tiers_apart::suggestion(self))
    }

    fn again(&self, profile: Profile) -> Option<Plan> {
        let has_strata = self.request().options().strata.is_some();
        Some(self.request().plan(profile).ok().filter(|_| !has_strata)?.into())
    }

    fn what_if(&self, tiers: &[Tier]) -> Option<String> {
        // It computes the error of a mean that does not learn.
        what_if::section(&self.without_adapting(), tiers)
    }

    fn about(&self) -> String {
        let adapts = match self.adaptive() {
            Some(_) => {
                format!(", of a {} that does not learn first", self.request().statistic().name())
            }
            None => String::new(),
        };
        format!(
            "Errors (root mean squared) and half-widths are worst cases, before seeing the \
             data{adapts}."
        )
    }
}

/// Sentence on what no method can promise.
fn promised(plan: &WeightedPlan, bound: f64, in_range: bool) -> String {
    let error = bound.sqrt() * plan.unit();
    match (plan.setting().categories.is_some(), in_range) {
        (true, _) => format!(
            " No method with these budgets can promise that the largest error of a category is \
             below {} percentage points.",
            least(100.0 * error)
        ),
        (false, true) => {
            format!(" No method with these budgets can promise an error below {}.", least(error))
        }
        (false, false) => format!(
            " No method with these budgets can promise an error below {}{}.",
            least(error),
            data_value::unit(plan.request().bounds().scale())
        ),
    }
}

/// Population that the interval is for.
fn estimand(plan: &WeightedPlan) -> &'static str {
    match (plan.setting().target, plan.request().statistic()) {
        (Target::Population, Statistic::Sum) => match is_expected_total(plan) {
            true => "the expected total of as many new records",
            false => "the population that these records stand for",
        },
        (target, _) => how::describe_target(target),
    }
}

/// Returns true if the estimate is the expected total of as many records from the population.
fn is_expected_total(plan: &WeightedPlan) -> bool {
    let strata = plan.request().options().strata.as_ref();
    let is_scaled = strata.is_some_and(|strata| *strata.shares() != Shares::Records);
    let is_sum = plan.request().statistic() == Statistic::Sum;
    plan.setting().target == Target::Population && is_sum && !is_scaled
}

/// Data for which the stated error of a mean holds.
#[derive(Clone, Copy, PartialEq)]
enum Basis {
    /// Worst case.
    Worst,
    /// Data inside the range that was found.
    InRange,
    /// Data of a variance that the measured spread leaves possible.
    Measured,
    /// Data of such a variance inside a learned range.
    LearnedRange,
}

impl Basis {
    /// Basis of the error of a release.
    fn from_release(release: &Release) -> Self {
        match (release.range(), release.spread()) {
            (None, Some(_)) if release.learned_range().is_some_and(LearnedRange::is_narrower) => {
                Self::LearnedRange
            }
            (Some(_), _) => Self::InRange,
            (None, Some(_)) => Self::Measured,
            (None, None) => Self::Worst,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Worst => how::WORST,
            Self::InRange => "if no value lies beyond the range",
            Self::LearnedRange => {
                "of values in the learned range, for the largest variance likely there"
            }
            Self::Measured => "for the largest variance that the measured spread leaves likely",
        }
    }
}

/// Parts of the error, and the total, each with its meaning.
fn errors(
    plan: &WeightedPlan,
    error: ExpectedError,
    whom: ProtectedUnit,
    basis: Basis,
    digits: i32,
) -> Content {
    let target = plan.setting().target;
    let may_differ = !plan.setting().difference.is_none();
    let weighting = match target {
        Target::Population if may_differ => {
            Some("sampling: the records are a sample; with the largest bias of tiers that differ")
        }
        Target::Dataset if may_differ => Some("bias: the largest, of tiers that differ"),
        Target::Population => None,
        Target::Dataset => Some("weighting: records of different tiers count differently"),
        Target::DatasetCorrelated => Some("weighting: at its worst, if budgets go with values"),
    };
    let together = match plan.shrinkage() {
        Some(_) => "together (root mean squared error), before shrinking",
        None => how::TOGETHER,
    };
    if plan.setting().categories.is_some() {
        let noise = format!("{}; the largest over the categories", how::noise_of(whom));
        let sampling =
            weighting.unwrap_or("sampling: the records are a sample; for the worst category");
        let rows = how::error_rows(error, 1.0, [&noise, sampling, together]);
        return how::errors("root mean square, as a share of 1", how::WORST, &rows, digits);
    }
    let is_worst = basis == Basis::Worst && plan.request().options().variance.is_none();
    let sampling = weighting.unwrap_or(match is_worst {
        true => "sampling: the records are a sample; no distribution in the bounds is worse",
        false => how::SAMPLING,
    });
    let unit = match plan.request().bounds().scale() {
        None => "standard deviation",
        Some(TimeScale::Days) => "standard deviation, in days",
        Some(_) => "standard deviation, in seconds",
    };
    let rows = how::error_rows(error, 1.0, [how::noise_of(whom), sampling, together]);
    how::errors(unit, basis.words(), &rows, digits)
}

/// Option for a difference of tiers, if one is declared.
pub(super) fn differing(options: &Options) -> Option<OptionValue> {
    options.tiers_differ.map(|difference| (option::TIERS_DIFFER, difference.to_string().into()))
}

/// Command that makes this plan.
fn check(plan: &WeightedPlan) -> Check {
    let (request, options, setting) = (plan.request(), plan.request().options(), plan.setting());
    let mut settings: Vec<OptionValue> = vec![(option::TARGET, setting.target.name().into())];
    match request.categories() {
        Some(categories) => {
            settings.push((option::STATISTIC, "frequency".into()));
            settings.push(Check::categories(categories.names()));
        }
        None => {
            if request.statistic() == Statistic::Sum {
                settings.push((option::STATISTIC, "sum".into()));
            }
            settings.push(Check::bounds(request.bounds()));
        }
    }
    if let Choice::Named(estimator) = options.estimator {
        settings.push((option::ESTIMATOR, estimator.to_string().into()));
    }
    settings.extend(differing(options));
    settings.extend(options.tiers_apart.then(|| (option::TIERS_APART, "".into())));
    settings
        .extend(options.variance.map(|variance| (option::VARIANCE, variance.to_string().into())));
    // A plan of a mean learns first where the values lie, unless it is told not to.
    let adapts = Options { adapt: true, ..options.clone() }.adapts();
    if adapts && !options.adapt && plan.measures_spread() {
        settings.push((option::NO_ADAPT, "".into()));
    }
    settings.extend(Check::confidence(options.confidence));
    if options.beta != 0.05 {
        settings.push((option::BETA, options.beta.to_string().into()));
    }
    settings.extend(options.shrink.then(|| (option::SHRINK, "".into())));
    let is_single = plan.chosen().design.method == Noise::WeightedSum;
    let arithmetic = (is_single && setting.categories.is_none()).then_some(
        "By hand: divide the spent ε of any tier by the share of the estimate that one of its \
         people has. The quotient is the same for every tier that counts, and the standard \
         deviation of the noise is √2 times the width of the bounds divided by it (for a sum, \
         times the number of people, too). A spread that was measured beside it costs nothing, \
         and changes none of that.",
    );
    // With an option that has no words here, the command would request something else.
    let said = Options {
        target: options.target,
        neighbors: options.neighbors,
        estimator: options.estimator,
        variance: options.variance,
        beta: options.beta,
        confidence: options.confidence,
        shrink: options.shrink,
        post: options.post,
        simultaneous: options.simultaneous,
        share: options.share,
        adapt: options.adapt,
        spare: options.spare,
        strata: options.strata.clone(),
        tiers_differ: options.tiers_differ,
        tiers_apart: options.tiers_apart,
        ..Options::default()
    };
    let whole = options.share.get() == 1.0 && *options == said;
    Check::for_plan(plan.allowed(), settings, whole).with(arithmetic)
}
