//! Words of each statistic: its names, figures, formulas and caveats, in a file each.
//!
//! A new statistic is a file with the words of its plan ([`PlanWords`]), of how a release was made
//! ([`ReleaseWords`]) and of releases that hide who takes part ([`AddRemoveWords`]), and a line in
//! [`planned`], [`release_words`] and [`add_remove`]; with [`AnswerWords`] where its answers have a
//! form of their own.
//!
//! * `count`; `weighted` (means and sums, and frequencies of which `frequencies` knows the answers)
//!   with `estimators` side by side, its formulas in `weighted_method` and `interval_method`;
//!   `found`: frequencies of categories that nobody has declared; `quantiles` with its formulas in
//!   `ranks`; `variance`; `summary`: several of them.
//! * `add_remove`: any of them where participation is hidden, with its formulas in
//!   `add_remove_method`; `unbounded`: where no bounds are declared, with those in
//!   `unbounded_method`; `adaptive`: a mean that learns first.

pub(crate) mod adaptive;
mod add_remove;
mod add_remove_method;
mod count;
mod estimators;
pub(crate) mod found;
mod frequencies;
mod interval_method;
pub(crate) mod quantiles;
mod ranks;
mod summary;
pub(crate) mod unbounded;
mod unbounded_method;
mod variance;
mod weighted;
mod weighted_method;

pub(crate) use add_remove::GUESS;
pub(crate) use add_remove_method::AddRemoveMeasurements;

use suum_core::{
    Bounds, Estimand, Options, Phrase, Plan, Procedure, Profile, Quantity, Release, SummaryPart,
    Target,
};

use crate::answer::{self, Answer};
use crate::caveats::Caveats;
use crate::certificate::SpendingTable;
use crate::content::Content;
use crate::figure::Figure;
use crate::how;
use crate::html::{Check, Method};
use crate::planned_error::PlannedError;
use crate::prose::Text;
use crate::short;
use crate::tiers::Tier;
use crate::view::Sort;

/// Words on the making of a release.
pub(crate) trait ReleaseWords {
    /// Options of the release; of the first one if there are several statistics.
    fn options(&self) -> Option<&Options>;

    /// Population that the estimates are about.
    fn whom(&self, _: &Release) -> &'static str {
        self.options().map_or("", |options| how::describe_target(options.target))
    }

    /// Records of which the estimate is the expected total, if it is one.
    fn expected_total(&self, _: &Release) -> Option<String> {
        None
    }

    /// Further notes on the estimates.
    fn notes(&self, _: &Release) -> Vec<String> {
        Vec::new()
    }

    /// Content of the section on the error.
    fn error(&self, _: &Release) -> Content {
        Content::default()
    }

    /// Sections on the error, and on the split of budgets if they were split.
    fn cost(&self, release: &Release) -> Content {
        let mut cost = Content::default();
        cost.section("error", how::ERRORS, self.error(release));
        cost
    }

    /// Note on the largest amount that anybody spends, if it was declared or found.
    fn most(&self) -> Option<String> {
        None
    }

    /// Section on the estimators that could have been used.
    fn comparison(&self, _: &Release) -> Content {
        Content::default()
    }

    /// Part of their rows with which a person counts.
    fn counts_with(&self, release: &Release) -> String {
        release.person_value().words_for_rows().to_owned()
    }

    /// Formulas and sources of the method.
    fn method(&self, release: &Release) -> Method;

    /// Returns true if the method includes the search for a range.
    fn knows_search(&self) -> bool {
        false
    }

    /// Facts that a reader can recompute from public facts.
    fn check(&self) -> Check {
        Check::default()
    }

    /// Suggestion for a better interval.
    fn better(&self, _: &Release) -> Option<Phrase> {
        None
    }

    /// Returns true if the target `dataset-correlated` is available.
    fn can_allow_for_correlation(&self) -> bool {
        false
    }

    /// Largest multiple of a value that a sum can be.
    fn unit(&self) -> Option<f64> {
        None
    }

    /// Shares of strata that the estimate keeps.
    fn strata(&self) -> Option<String> {
        None
    }

    /// Treatment of the estimate, in a word.
    fn done(&self) -> Option<&'static str> {
        None
    }

    /// Releases that it is made of, if there are several.
    fn parts(&self) -> &[SummaryPart] {
        &[]
    }
}

/// Form of the answers of a release.
pub(crate) trait AnswerWords {
    /// Name of the estimated quantity.
    fn name(&self, release: &Release) -> String;

    /// Public declarations besides budgets.
    fn public(&self) -> &'static str {
        "bounds"
    }

    /// Effect of moving values to the ends of a found range.
    fn clipped(&self, release: &Release) -> String {
        let what = release.statistic();
        format!(
            "The estimate is the {what} of these clipped values. If a tail is longer on one side \
             than on the other, clipping biases the {what}, and the error can be many times \
             larger. With declared bounds there is an interval."
        )
    }

    /// Note on the treatment of estimates, if it is unusual.
    fn treated(&self, _: &Release) -> Option<String> {
        None
    }

    /// Full content of the answers.
    fn show(&self, answer: &Answer<'_>, _: Option<Sort>) -> Content {
        answer::one(answer)
    }

    /// Short form of the answers.
    fn brief(&self, out: &mut Text, answer: &Answer<'_>, _: Option<Sort>) {
        short::one(out, answer);
    }
}

/// Words of a statistic under hidden participation.
pub(crate) trait AddRemoveWords {
    /// Population that its estimates are about.
    fn whom(&self, target: Target) -> &'static str {
        how::describe_target(target)
    }

    /// Name of the parts of its error, and the factor that converts them to its unit.
    fn unit_of_error(&self) -> (&'static str, f64) {
        ("standard deviation", 1.0)
    }

    /// Meaning of the sampling error, whatever the spread of the values.
    fn sampling(&self) -> &'static str {
        how::SAMPLING
    }

    /// Formulas and sources of the method, except for the weights.
    fn method(&self, method: &mut Method, measured: &AddRemoveMeasurements<'_>);
}

/// Effect of clipping on most statistics.
const CLIPPED: &str = "A release has no confidence interval, because values beyond the range are \
                       moved to its ends: if a tail is longer on one side than on the other, the \
                       error can be many times larger. With declared bounds there is an interval.";

/// Effect of clipping on quantiles.
const QUANTILES_CLIPPED: &str =
    "Values beyond the range are moved to its ends; a quantile inside it stays the same.";

/// Words of a plan.
pub(crate) trait PlanWords {
    /// Name of the planned statistic, such as `the mean`.
    fn name(&self) -> String;

    /// Title of a plan for this number of records.
    fn title(&self, records: String, of_persons: &str) -> String {
        let assumed = self.records().map_or("", |_| " that are assumed");
        let without = if self.searches() { ", without declared bounds" } else { "" };
        let name = self.name() + of_persons;
        format!("Plan for {name} of {records} records{assumed}{without}")
    }

    /// Expected errors, as far as they are known.
    fn errors(&self, in_range: bool) -> Vec<PlannedError>;

    /// Expected error of the mean that is measured with the statistic, if one is.
    fn error_of_mean(&self) -> Option<PlannedError> {
        None
    }

    /// Notes on the errors and their estimator; without bounds errors are shares of the range.
    fn notes(&self, in_range: bool) -> Vec<String>;

    /// Note on the errors if a range is found first.
    fn notes_in_range(&self) -> String {
        "The errors depend on the range that is found.".to_owned()
    }

    /// Further notes for the long text.
    fn more(&self) -> Vec<String> {
        Vec::new()
    }

    /// Sections on errors, and on the split of every budget.
    fn cost(&self) -> Content {
        Content::default()
    }

    /// Spending of tiers.
    fn spent(&self, tiers: &[Tier]) -> SpendingTable;

    /// Cost of learning for tiers.
    fn learning(&self, _: &[Tier]) -> Vec<[String; 2]> {
        Vec::new()
    }

    /// Section on the available estimators.
    fn comparison(&self) -> Content {
        Content::default()
    }

    /// Formulas and sources of the method.
    fn method(&self) -> Method;

    /// Facts that a reader can recompute.
    fn check(&self) -> Check {
        Check::default()
    }

    /// Bounds, if they are declared for all statistics of the plan.
    fn bounds(&self) -> Option<Bounds> {
        None
    }

    /// Suggestion of a better estimator.
    fn better(&self) -> Option<Phrase> {
        None
    }

    /// Note on the errors of several such plans.
    fn about(&self) -> String {
        "Errors are root mean squared. Plan one group alone for all that is known of it.".to_owned()
    }

    /// Effect of moving values to the ends of a range.
    fn clipped(&self) -> &'static str {
        CLIPPED
    }

    /// Plan of the same request for another profile; `None` if a plan depends on more than the two.
    fn again(&self, _: Profile) -> Option<Plan> {
        None
    }

    /// Section of the page that has its formulas in JavaScript, if there is one.
    fn what_if(&self, _: &[Tier]) -> Option<String> {
        None
    }

    /// Returns true if a range is searched first.
    fn searches(&self) -> bool {
        false
    }

    /// Returns true if `notes` explain why there is no interval.
    fn says_why(&self) -> bool {
        false
    }

    /// Number of records, if it is assumed.
    fn records(&self) -> Option<u64> {
        None
    }
}

/// Words on the making of a release.
pub(crate) fn release_words(release: &Release) -> &dyn ReleaseWords {
    match &release.procedure {
        Procedure::Exact => &count::CountWords,
        Procedure::Weighted(plan) => &**plan,
        Procedure::Found(plan) => &**plan,
        Procedure::Quantiles(plan) => &**plan,
        Procedure::Variance(plan) => &**plan,
        Procedure::Summary(summary) => &summary.parts,
        Procedure::AddRemove(how) => &**how,
    }
}

/// Words of a statistic under hidden participation.
pub(crate) fn add_remove(asked: &Estimand) -> &'static dyn AddRemoveWords {
    match asked {
        Estimand::Mean => &add_remove_method::Mean,
        Estimand::Sum => &add_remove_method::Sum,
        Estimand::Count => &count::CountWords,
        Estimand::Frequency(_) | Estimand::FoundFrequency(_) => &frequencies::Shares,
        Estimand::Quantiles(_) => &quantiles::Ranks,
        Estimand::Variance => &variance::Moments,
        Estimand::Summary(_) => &summary::Several,
    }
}

/// Form of the answers of a release.
pub(crate) fn shown(release: &Release) -> &'static dyn AnswerWords {
    if !release_words(release).parts().is_empty() {
        return &summary::Several;
    }
    if release.found_categories().is_some() {
        return &found::FoundShares;
    }
    match release.estimates.first().map(|one| &one.of) {
        Some(Quantity::Share(_)) => &frequencies::Shares,
        Some(Quantity::Quantile(_)) if release.estimates.len() > 1 => &quantiles::Ranks,
        Some(Quantity::Quantile(_)) => &quantiles::OneRank,
        Some(Quantity::Variance) => &variance::Moments,
        Some(Quantity::Count) => &count::CountWords,
        _ => &count::Number,
    }
}

/// Returns the name of what was estimated, with the number that a person counts with if it was
/// asked for.
pub(crate) fn name_of(release: &Release) -> String {
    shown(release).name(release) + &how::persons_suffix(release.per_person())
}

/// Answer of a release, with its caveats.
pub(crate) fn answered(release: &Release) -> Answer<'_> {
    let (made, name) = (release_words(release), name_of(release));
    let could_allow = release.range().is_none() && made.can_allow_for_correlation();
    let mut parts = made.parts().iter();
    let why = release.no_interval().or_else(|| parts.find_map(|part| part.release.no_interval()));
    let none = why.map(|why| format!("No confidence interval: {why}."));
    Answer {
        release,
        name,
        figures: Figure::all_of(release),
        whom: made.whom(release),
        expected_total: made.expected_total(release),
        said: Caveats::collect(release, could_allow, none),
        done: made.done(),
        unit: made.unit(),
        could_allow,
        counts: how::COUNTS_ONCE,
    }
}

/// Caveats of a release.
pub(crate) fn caveats_of(release: &Release) -> Caveats {
    answered(release).said
}

/// Words of a plan.
pub(crate) fn planned(plan: &Plan) -> &dyn PlanWords {
    match plan {
        Plan::Weighted(plan) => &**plan,
        Plan::Found(plan) => &**plan,
        Plan::Quantiles(plan) => &**plan,
        Plan::Variance(plan) => &**plan,
        Plan::Summary(plan) => &**plan,
        Plan::Unbounded(plan) => &**plan,
        Plan::AddRemove(plan) => &**plan,
    }
}
