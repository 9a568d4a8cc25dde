//! Any statistic under hidden participation.

use suum_core::{
    AddRemovePlan, AddRemoveProcedure, Bounds, ExpectedError, Neighbors, Options, RangePlan,
    Release, Target,
};

use super::estimators::{at_most, least};
use super::{PlanWords, ReleaseWords, adaptive, quantiles};
use crate::certificate::SpendingTable;
use crate::comparison::{self, Row};
use crate::content::Content;
use crate::data_value;
use crate::figures::{percent_at_least, significant};
use crate::how;
use crate::html::Method;
use crate::planned_error::PlannedError;
use crate::tiers::{Line, Tier};

impl ReleaseWords for AddRemoveProcedure {
    fn options(&self) -> Option<&Options> {
        Some(self.request.options())
    }

    fn whom(&self, _: &Release) -> &'static str {
        super::add_remove(self.request.estimand()).whom(self.request.options().target)
    }

    fn error(&self, release: &Release) -> Content {
        let mut content = match release.error {
            Some(error) if !error.rmse.is_nan() => errors(self, release, error),
            // Even the noisy numbers tell nothing of it.
            Some(_) => Content::from_sentences([
                "There are too few records, or too little ε, to say how large the error is.",
            ]),
            None => Content::default(),
        };
        content.say_all(self.together.as_ref().map(|together| {
            format!("The quantiles were {}.", quantiles::describe_together(together))
        }));
        content
    }

    fn most(&self) -> Option<String> {
        let tau = significant(Some(self.tau).filter(|tau| tau.is_finite())?, 4);
        Some(format!("Nobody spends more than τ = {tau} on the estimate."))
    }

    fn comparison(&self, release: &Release) -> Content {
        let name = match release.is_planned_in_range() {
            true => RangePlan::NAME,
            false => self.request.estimator().name(),
        };
        how::compared("The estimator", Content::from_sentences([format!("Estimator: {name}.")]))
    }

    fn counts_with(&self, release: &Release) -> String {
        match self.request.cells() {
            Some(cells) => how::counts_with(cells.rows(), release.per_person()),
            None => release.person_value().words_for_rows().to_owned(),
        }
    }

    fn method(&self, release: &Release) -> Method {
        Method::for_add_remove(self, release)
    }

    fn knows_search(&self) -> bool {
        true
    }
}

/// Parts of the error, each with its meaning.
fn errors(how: &AddRemoveProcedure, release: &Release, error: ExpectedError) -> Content {
    let words = super::add_remove(how.request.estimand());
    let (unit, times) = words.unit_of_error();
    let sampling = match how.request.options().target {
        Target::Dataset => "weighting: records of different budgets count differently",
        _ if release.range().is_some() => how::SAMPLING,
        _ if release.spread().is_some() => {
            "sampling: the records are a sample, of the spread that was measured"
        }
        _ => words.sampling(),
    };
    let meanings = [how::noise_of(release.protects()), sampling, how::TOGETHER];
    let mut rows = how::error_rows(error, times, meanings);
    // A count has nothing to sample.
    if error.sampling_sd == 0.0 {
        rows.truncate(1);
    }
    how::errors(unit, "estimated from noisy numbers", &rows, 3)
}

impl PlanWords for AddRemovePlan {
    fn name(&self) -> String {
        match self.request().ranks() {
            [] => format!("the {}", self.request().statistic()),
            ranks => quantiles::which(ranks),
        }
    }

    fn errors(&self, _: bool) -> Vec<PlannedError> {
        vec![error(self)]
    }

    fn error_of_mean(&self) -> Option<PlannedError> {
        let (error, by) = (self.chosen().mean?, "measured with the variance".to_owned());
        Some(PlannedError::new("the mean", error.rmse, "", by))
    }

    fn notes(&self, _: bool) -> Vec<String> {
        let said = format!(
            "That is the root mean squared error if people are as assumed, with the estimator \
             {}. A release does not see the profile.",
            self.chosen().estimator
        );
        [said].into_iter().chain(self.learning().map(|_| adaptive::PLANNED.to_owned())).collect()
    }

    fn more(&self) -> Vec<String> {
        add_remove_notes(self.request().options())
    }

    fn notes_in_range(&self) -> String {
        PlanWords::notes(self, true).join(" ")
    }

    fn spent(&self, _: &[Tier]) -> SpendingTable {
        let lines = self.chosen().privacy.iter().map(Line::from_spending).collect();
        SpendingTable::for_plan(
            lines,
            self.request().options().neighbors,
            self.learning().is_some(),
        )
    }

    fn learning(&self, _: &[Tier]) -> Vec<[String; 2]> {
        self.learning().map_or_else(Vec::new, adaptive::declared_costs)
    }

    fn comparison(&self) -> Content {
        let times = if self.request().ranks().is_empty() { 1.0 } else { 100.0 };
        let rows = self.candidates().iter().map(|one| Row {
            name: one.estimator.name(),
            error: one.error.rmse * times,
            parts: Some([one.error.noise_sd * times, one.error.sampling_sd * times]),
            tau: Some(one.tau),
            root: one.error.rmse,
            chosen: one.estimator == self.chosen().estimator,
            for_study: false,
        });
        let caption = "Expected errors (root mean squared), if the people are as assumed";
        let mut inside = Content::default();
        inside.table(comparison::table(caption, "error", &rows.collect::<Vec<_>>()));
        inside.say_all(how::left_out(self.excluded()));
        inside.say_all(bound(self));
        how::compared(how::COMPARED, inside)
    }

    fn method(&self) -> Method {
        Method::for_add_remove_plan(self)
    }

    fn bounds(&self) -> Option<Bounds> {
        self.request().bounds()
    }

    fn clipped(&self) -> &'static str {
        match self.request().ranks() {
            [] => super::CLIPPED,
            _ => super::QUANTILES_CLIPPED,
        }
    }

    fn about(&self) -> String {
        match self.request().ranks() {
            [] => "Errors are root mean squared. Plan one group alone for all that is known of it.",
            _ => "Errors (root mean squared) are of the rank, in percentage points of records.",
        }
        .to_owned()
    }

    fn records(&self) -> Option<u64> {
        Some(self.assumed().records())
    }
}

/// Error of a plan.
fn error(plan: &AddRemovePlan) -> PlannedError {
    let (request, chosen) = (plan.request(), plan.chosen());
    let (rmse, by) = (chosen.error.rmse, format!("by {}", chosen.estimator));
    let of = format!("the {}", request.statistic());
    if !request.ranks().is_empty() {
        return PlannedError::for_rank(&of, rmse, by);
    }
    if request.categories().is_some() {
        return PlannedError::for_share(&of, rmse, by);
    }
    let scale = request.bounds().and_then(Bounds::scale);
    let error = PlannedError::new(of, rmse, data_value::unit(scale), by);
    PlannedError { kind: request.estimand().unit(), ..error }
}

/// Notes on what is hidden, the population of the estimate, and the basis of the plan.
pub(super) fn add_remove_notes(options: &Options) -> Vec<String> {
    let both = if options.neighbors == Neighbors::Both { " and what they say" } else { "" };
    let whom = how::would_be_for(how::describe_target(options.target));
    let add_remove = format!("A release would hide who takes part{both}. {whom}");
    vec![add_remove, GUESS.to_owned()]
}

/// Note that a plan is made from a profile, and a release is not.
pub(crate) const GUESS: &str = "The profile is a guess. A release does not see it, and finds its \
    weights from noisy numbers.";

/// Bound on the best possible method, if people are as assumed.
fn bound(plan: &AddRemovePlan) -> Option<String> {
    let rmse = least(plan.lower_bound()?.sqrt());
    let what = match plan.gap() {
        Some(_) => format!("a worst-case error below {rmse} (root mean squared)"),
        None => format!(
            "a largest error over the categories below {rmse} in the worst case (root mean squared)"
        ),
    };
    let gap = plan.gap().map(|gap| {
        format!(
            ": {} of the error that is expected of {}, or a factor of {} in squared error",
            percent_at_least(1.0 / gap.sqrt()),
            plan.chosen().estimator,
            at_most(gap),
        )
    });
    Some(format!(
        "If people are as assumed, no method, known or unknown, that keeps these budgets can have \
         {what}{}.",
        gap.unwrap_or_default()
    ))
}
