//! What is particular to a statistic: its words, figures, formulas and caveats, in a file each.
//!
//! A new statistic is a file with the words of its plan ([`PlanWords`]), of how a release was made
//! ([`ReleaseWords`]) and of releases that hide who takes part ([`AddRemoveWords`]), and a line in
//! [`planned`], [`made`] and [`add_remove`]; with [`AnswerWords`] where its answers have a form of
//! their own.
//!
//! * `count`; `weighted` (means and sums, and frequencies of which `frequencies` knows the answers)
//!   with `estimators` side by side, its formulas in `weighted_method` and `interval_method`;
//!   `quantiles` with those in `ranks`; `variance`; `summary`: several of them.
//! * `add_remove`: any of them where it is hidden who takes part, with its formulas in
//!   `add_remove_method`; `unbounded`: where no bounds are declared, with those in
//!   `unbounded_method`; `adaptive`: a mean that learns first.

pub(crate) mod adaptive;
mod add_remove;
mod add_remove_method;
mod count;
mod estimators;
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

/// How a release was made.
pub(crate) trait ReleaseWords {
    /// Its options; of several statistics those of the first.
    fn options(&self) -> Option<&Options>;

    /// Whom its estimates are about.
    fn whom(&self, _: &Release) -> &'static str {
        self.options().map_or("", |options| how::of_target(options.target))
    }

    /// What else has to be known of its estimates.
    fn notes(&self, _: &Release) -> Vec<String> {
        Vec::new()
    }

    /// What is inside the section on the error.
    fn error(&self, _: &Release) -> Content {
        Content::default()
    }

    /// The sections on the error, and how budgets were divided where they were.
    fn cost(&self, release: &Release) -> Content {
        let mut cost = Content::default();
        cost.section("error", how::ERRORS, self.error(release));
        cost
    }

    /// What nobody spends more than, where that was declared or found.
    fn most(&self) -> Option<String> {
        None
    }

    /// The section on the estimators that could have been used.
    fn comparison(&self, _: &Release) -> Content {
        Content::default()
    }

    /// With what of their rows a person counts.
    fn counts_with(&self, _: &Release) -> String {
        how::MEAN_OF_ROWS.to_owned()
    }

    /// Its formulas and sources.
    fn method(&self, release: &Release) -> Method;

    /// Whether these have the search for a range in them, where one was found.
    fn knows_search(&self) -> bool {
        false
    }

    /// What a reader can compute again from public facts.
    fn check(&self) -> Check {
        Check::default()
    }

    /// What else could be done about the interval.
    fn better(&self, _: &Release) -> Option<Phrase> {
        None
    }

    /// Whether the target `dataset-correlated` could be asked for.
    fn can_allow_for_correlation(&self) -> bool {
        false
    }

    /// How many times a value a sum can be.
    fn unit(&self) -> Option<f64> {
        None
    }

    /// The shares of strata that it has kept.
    fn strata(&self) -> Option<String> {
        None
    }

    /// What was done to the estimate, in a word.
    fn done(&self) -> Option<&'static str> {
        None
    }

    /// The releases that it is made of, if these are several.
    fn parts(&self) -> &[SummaryPart] {
        &[]
    }
}

/// How the answers of a release are shown.
pub(crate) trait AnswerWords {
    /// What was estimated.
    fn name(&self, release: &Release) -> String;

    /// What has to be declared and is public, besides budgets.
    fn public(&self) -> &'static str {
        "bounds"
    }

    /// What it does to them that values beyond a range that was found were moved to its ends.
    fn clipped(&self, release: &Release) -> String {
        let what = release.statistic();
        format!(
            "The estimate is the {what} of these clipped values. If a tail is longer on one side \
             than on the other, clipping biases the {what}, and the error can be many times \
             larger. With declared bounds there is an interval."
        )
    }

    /// What was done to them, if that is not what is done to most.
    fn treated(&self, _: &Release) -> Option<String> {
        None
    }

    /// All that there is to say of them.
    fn show(&self, answer: &Answer<'_>) -> Content {
        answer::one(answer)
    }

    /// The same in short.
    fn brief(&self, out: &mut Text, answer: &Answer<'_>, _: Option<Sort>) {
        short::one(out, answer);
    }
}

/// What is particular to a statistic where it is hidden who takes part.
pub(crate) trait AddRemoveWords {
    /// Whom its estimates are about.
    fn whom(&self, target: Target) -> &'static str {
        how::of_target(target)
    }

    /// What the parts of its error are in, and by what they are multiplied for that.
    fn unit_of_error(&self) -> (&'static str, f64) {
        ("standard deviation", 1.0)
    }

    /// What sampling adds to its error, whatever the spread of the values.
    fn sampling(&self) -> &'static str {
        how::SAMPLING
    }

    /// Its formulas and sources, but for the weights.
    fn method(&self, method: &mut Method, measured: &AddRemoveMeasurements<'_>);
}

/// What clipping does to most statistics.
const CLIPPED: &str = "A release has no confidence interval, because values beyond the range are \
                       moved to its ends: if a tail is longer on one side than on the other, the \
                       error can be many times larger. With declared bounds there is an interval.";

/// What it does to quantiles.
const QUANTILES_CLIPPED: &str =
    "Values beyond the range are moved to its ends; a quantile inside it stays the same.";

/// A plan.
pub(crate) trait PlanWords {
    /// What is planned, such as `the mean`.
    fn name(&self) -> String;

    /// What it is a plan of, of so many records.
    fn title(&self, records: String) -> String {
        let assumed = self.records().map_or("", |_| " that are assumed");
        let without = if self.searches() { ", without declared bounds" } else { "" };
        format!("Plan for {} of {records} records{assumed}{without}", self.name())
    }

    /// The errors to expect, as far as they are known.
    fn errors(&self, in_range: bool) -> Vec<PlannedError>;

    /// That of the mean that is measured with it, if one is.
    fn error_of_mean(&self) -> Option<PlannedError> {
        None
    }

    /// What these errors are, and of which estimator; without bounds they are shares of them.
    fn notes(&self, in_range: bool) -> Vec<String>;

    /// The same where a range is found first.
    fn notes_in_range(&self) -> String {
        "The errors depend on the range that is found.".to_owned()
    }

    /// What there is to say besides, where all is said.
    fn more(&self) -> Vec<String> {
        Vec::new()
    }

    /// The sections on errors, and on how every budget would be split.
    fn cost(&self) -> Content {
        Content::default()
    }

    /// What tiers would spend.
    fn spent(&self, tiers: &[Tier]) -> SpendingTable;

    /// What learning would cost them.
    fn learning(&self, _: &[Tier]) -> Vec<[String; 2]> {
        Vec::new()
    }

    /// The section on the estimators that there are.
    fn comparison(&self) -> Content {
        Content::default()
    }

    /// Its formulas and sources.
    fn method(&self) -> Method;

    /// What a reader can compute again.
    fn check(&self) -> Check {
        Check::default()
    }

    /// The bounds, where they are declared for all that is asked.
    fn bounds(&self) -> Option<Bounds> {
        None
    }

    /// Another estimator that would be better.
    fn better(&self) -> Option<Phrase> {
        None
    }

    /// What the errors of several such plans are.
    fn about(&self) -> String {
        "Errors are root mean squared. Plan one group alone for all that is known of it.".to_owned()
    }

    /// What it does to the estimates that values beyond a range are moved to its ends.
    fn clipped(&self) -> &'static str {
        CLIPPED
    }

    /// The same plan for other people, where that is all there is to it.
    fn again(&self, _: Profile) -> Option<Plan> {
        None
    }

    /// The section of its page that has its formulas, where there is one.
    fn what_if(&self, _: &[Tier]) -> Option<String> {
        None
    }

    /// Whether a range is searched first.
    fn searches(&self) -> bool {
        false
    }

    /// Whether `notes` say why there is no interval.
    fn says_why(&self) -> bool {
        false
    }

    /// For how many records it is, where these are assumed.
    fn records(&self) -> Option<u64> {
        None
    }
}

/// How a release was made.
pub(crate) fn made(release: &Release) -> &dyn ReleaseWords {
    match &release.procedure {
        Procedure::Exact => &count::CountWords,
        Procedure::Weighted(plan) => &**plan,
        Procedure::Quantiles(plan) => &**plan,
        Procedure::Variance(plan) => &**plan,
        Procedure::Summary(summary) => &summary.parts,
        Procedure::AddRemove(how) => &**how,
    }
}

/// What is particular to a statistic where it is hidden who takes part.
pub(crate) fn add_remove(asked: &Estimand) -> &'static dyn AddRemoveWords {
    match asked {
        Estimand::Mean => &add_remove_method::Mean,
        Estimand::Sum => &add_remove_method::Sum,
        Estimand::Count => &count::CountWords,
        Estimand::Frequency(_) => &frequencies::Shares,
        Estimand::Quantiles(_) => &quantiles::Ranks,
        Estimand::Variance => &variance::Moments,
        Estimand::Summary(_) => &summary::Several,
    }
}

/// How the answers of a release are shown.
pub(crate) fn shown(release: &Release) -> &'static dyn AnswerWords {
    if !made(release).parts().is_empty() {
        return &summary::Several;
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

/// The answer of a release, and what must be known of it.
pub(crate) fn answered(release: &Release) -> Answer<'_> {
    let (made, name) = (made(release), shown(release).name(release));
    let could_allow = release.range().is_none() && made.can_allow_for_correlation();
    let mut parts = made.parts().iter();
    let why = release.no_interval().or_else(|| parts.find_map(|part| part.release.no_interval()));
    let none = why.map(|why| format!("No confidence interval: {why}."));
    Answer {
        release,
        name,
        figures: Figure::all_of(release),
        whom: made.whom(release),
        said: Caveats::of(release, could_allow, none),
        done: made.done(),
        unit: made.unit(),
        could_allow,
    }
}

/// What is particular to a plan.
pub(crate) fn planned(plan: &Plan) -> &dyn PlanWords {
    match plan {
        Plan::Weighted(plan) => &**plan,
        Plan::Quantiles(plan) => &**plan,
        Plan::Variance(plan) => &**plan,
        Plan::Summary(plan) => &**plan,
        Plan::Unbounded(plan) => &**plan,
        Plan::AddRemove(plan) => &**plan,
    }
}
