//! Requests for the shares of categories that are found.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::UndeclaredCategories;
use crate::error::{OptionName, for_example, leave_out, option, say};
use crate::plan::any_statistic::AnyStatistic;
use crate::plan::checks::{check_per_person, check_probability, check_used};
use crate::{
    Bounds, Choice, Delta, Error, FoundPlan, Numbers, Options, Plan, Profile, Result, Unit,
};

/// Validated request for the shares of categories that are found.
///
/// # Example
///
/// ```
/// use suum_core::{FoundRequest, Options};
///
/// let request = FoundRequest::new("1e-8".parse()?, false, Options::default())?;
/// let plan = request.plan("0.1:20000,1:5000,inf:20".parse()?)?;
/// // A category of so many records shows in half of all releases.
/// assert!(plan.records_shown_by_half() > 40.0 && plan.records_shown_by_half() < 400.0);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRequest {
    asked: UndeclaredCategories,
    options: Options,
}

/// Least δ, as 10 to minus this: probabilities are computed to 128 binary places.
const LEAST_PLACES: usize = 30;

impl FoundRequest {
    /// Returns a request for the shares of all categories that show, where one of a single person
    /// shows with a probability of at most `delta`; `are_divided` is true if records are persons
    /// with shares in several categories.
    ///
    /// # Errors
    ///
    /// Refuses a δ below 10^−30, neighbours that hide who takes part, and options that are for
    /// declared categories: strata, tiers that differ, and a choice of the estimator.
    pub fn new(delta: Delta, are_divided: bool, options: Options) -> Result<Self> {
        if options.neighbors.hides_participation() {
            return Err(hidden());
        }
        let used = [option::SIMULTANEOUS, option::PER_PERSON];
        for (given, option) in [
            (options.strata.is_some(), option::STRATA),
            (options.tiers_differ.is_some(), option::TIERS_DIFFER),
            (options.estimator != Choice::Auto, option::ESTIMATOR),
        ] {
            if given {
                return Err(not_found(option));
            }
        }
        check_used(&options, "frequency", &used)?;
        check_per_person(&options, true)?;
        check_probability(option::CONFIDENCE, options.confidence, 0.95)?;
        check_probability(option::BETA, options.beta, 0.05)?;
        if delta.exact() < least() {
            return Err(Error::parameter(option::DELTA, "must be at least 1e-30")
                .with_fix(for_example(option::DELTA, "1e-8")));
        }
        Ok(Self { asked: UndeclaredCategories { delta, are_divided }, options })
    }

    /// Returns δ.
    pub fn delta(&self) -> Delta {
        self.asked.delta
    }

    /// Returns the statistic.
    pub(crate) fn undeclared_categories(&self) -> UndeclaredCategories {
        self.asked
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the plan for a public profile.
    ///
    /// # Errors
    ///
    /// Refuses a profile without usable records.
    pub fn plan(&self, allowed: Profile) -> Result<FoundPlan> {
        FoundPlan::new(self, allowed)
    }
}

/// Returns the least δ.
fn least() -> RBig {
    RBig::from_parts(1.into(), UBig::from(10u8).pow(LEAST_PLACES))
}

/// Returns the refusal of categories that are found where participation is hidden.
pub(super) fn hidden() -> Error {
    Error::request(
        option::CATEGORIES,
        "they are found only where the number of records is public, and here participation \
         is hidden",
    )
    .with_fix(
        say("declare them:")
            .set(option::CATEGORIES, "good,fair,poor")
            .say("; or use")
            .set(option::NEIGHBORS, "replace")
            .say("without leaving out those without a value"),
    )
}

/// Returns the refusal of an option that is for declared categories.
fn not_found(option: OptionName) -> Error {
    Error::request(option, "is for declared categories, and not for those that are found").with_fix(
        leave_out(option)
            .say(", or declare the categories:")
            .set(option::CATEGORIES, "good,fair,poor"),
    )
}

impl AnyStatistic for UndeclaredCategories {
    fn plan(&self, allowed: Profile, _: Numbers, options: Options) -> Result<Plan> {
        FoundRequest::new(self.delta, self.are_divided, options)?.plan(allowed).map(Plan::from)
    }

    fn check_options(&self, _: Option<Bounds>, options: Options) -> Result<()> {
        FoundRequest::new(self.delta, self.are_divided, options).map(|_| ())
    }

    fn is_of_numbers(&self) -> bool {
        false
    }

    fn unit(&self) -> Unit {
        Unit::Share
    }
}
