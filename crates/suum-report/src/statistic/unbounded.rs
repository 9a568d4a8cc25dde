//! Statistics without declared bounds: the range that was found, and the plan of the search.

use suum_core::{FoundRange, RangePlan, Release, UnboundedPlan};

use super::PlanWords;
use super::add_remove::add_remove_notes;
use super::estimators::{NO_BOUND, least};
use crate::certificate::SpendingTable;
use crate::content::Content;
use crate::data_value;
use crate::figures::{count, percent, percent_at_least, significant};
use crate::how;
use crate::html::Method;
use crate::planned_error::{self, PlannedError};
use crate::rounding::to_error;
use crate::tiers::Tier;

/// Sentence on the range that was found, its cost, and the effect of clipping.
pub(crate) fn describe_found_range(release: &Release, range: &FoundRange) -> String {
    let (of, what) = match release.counts_totals() {
        true => (" for the total of each person", "totals"),
        false => ("", "values"),
    };
    let sd = significant(range.fit.sd, 3);
    let assumed = release.error_assumes();
    let assumed = assumed.map(|assumed| format!(" The error below assumes {assumed}."));
    format!(
        "No bounds were declared. {} of every budget found the range {}{of}; {what} outside are \
         moved to its ends. It is {} ± {} × {sd}, where {sd} is the standard deviation if the \
         values are normally distributed. {}{}",
        percent(range.share),
        data_value::ends_of(range),
        to_error(range.fit.centre, range.bounds.width() / 60.0),
        significant(range.fit.half_width_sds, 3),
        clipped(release),
        assumed.unwrap_or_default(),
    )
}

/// Effect of clipping on an estimate, whatever is assumed.
fn clipped(release: &Release) -> String {
    match release.learned_range() {
        Some(_) => OF_RANGE.to_owned(),
        None => super::shown(release).clipped(release),
    }
}

const OF_RANGE: &str = "The interval allows for whatever lies inside this range. It takes for \
                        granted that values beyond it move the mean by little, as with tails no \
                        heavier than that of a Pareto distribution with exponent 2.5; with \
                        declared bounds it needs not.";

/// Note that declared bounds would give an interval, which follows the reason why there is none.
pub(crate) fn instead(release: &Release) -> &'static str {
    match release.range() {
        Some(_) => " With declared bounds there is one.",
        None => "",
    }
}

impl PlanWords for UnboundedPlan {
    fn name(&self) -> String {
        super::planned(self.standard()).name()
    }

    fn errors(&self, _: bool) -> Vec<PlannedError> {
        let errors = match self.expected_error() {
            Some(error) => {
                let by = format!("by {}", RangePlan::NAME);
                vec![PlannedError::new(self.name(), error.rmse, "", by)]
            }
            None => super::planned(self.standard()).errors(false),
        };
        errors.into_iter().map(PlannedError::in_deviations).collect()
    }

    fn notes(&self, _: bool) -> Vec<String> {
        let assumed = self.records().map_or("", |_| ", if people are as assumed");
        let said = match self.expected_error() {
            Some(_) => format!(
                "That is the root mean squared error for normal data{assumed}, with the estimator \
                 {}.",
                RangePlan::NAME
            ),
            None => super::planned(self.standard()).notes_in_range(),
        };
        let decision = format!(
            "A part of every budget searches the range; with fewer than about {} records, or \
             values that are not bell-shaped, that can end in a refusal, and what it spent is \
             spent.",
            count(self.search().needed()),
        );
        vec![said, decision, clipping(self).to_owned()]
    }

    fn more(&self) -> Vec<String> {
        let options = &self.request().options;
        match options.neighbors.hides_participation() {
            true => add_remove_notes(options),
            false => vec![format!("All of it is for {}.", how::describe_target(options.target))],
        }
    }

    fn cost(&self) -> Content {
        let mut cost = Content::default();
        if let Some(error) = self.expected_error() {
            let meanings = ["noise: what hides each record", how::SAMPLING, how::TOGETHER];
            let unit = "in standard deviations of the values";
            let basis = "for normal data, before seeing the data";
            let rows = how::error_rows(error, 1.0, meanings);
            cost.section("error", how::ERRORS, how::errors(unit, basis, &rows, 4));
        }
        let search = self.search();
        let shares = search.shares();
        let (rank, half_width_sds) =
            (percent(search.rank().get()), significant(self.half_width_sds(), 3));
        let parts = [
            (shares.centre, "a median, the centre of the range".to_owned()),
            (shares.radius, format!("the distance from it within which {rank} of the values lie")),
            (shares.check, "the decision whether the data lie there at all".to_owned()),
            (
                shares.statistic,
                format!(
                    "{} of the values, moved into {half_width_sds} standard deviations around it",
                    self.name()
                ),
            ),
        ];
        let parts = parts.into_iter().map(|(share, what)| (share.get(), what));
        let rough = self.records().map(|_| (0.05, "a rough count of people (at most)".to_owned()));
        let private = "That decision is private too.".to_owned();
        cost.append(planned_error::split(rough.into_iter().chain(parts), Some(private)));
        cost
    }

    fn spent(&self, tiers: &[Tier]) -> SpendingTable {
        let neighbors = self.request().options.neighbors;
        SpendingTable::for_losses(tiers, neighbors, |allowed| self.loss_of(allowed))
    }

    fn comparison(&self) -> Content {
        let bound = bound(self).unwrap_or_else(|| NO_BOUND.to_owned());
        how::compared("How good could anybody be?", Content::from_sentences([bound]))
    }

    fn method(&self) -> Method {
        if let (Some(_), None) = (self.expected_error(), self.records()) {
            return Method::for_range();
        }
        let mut method = Method::for_search(self.request().options.neighbors);
        method.part("Inside the range", super::planned(self.standard()).method());
        method
    }

    fn about(&self) -> String {
        "Errors (root mean squared) are in standard deviations of the values, for normal data; of \
         quantiles of the rank, in percentage points of records."
            .to_owned()
    }

    fn searches(&self) -> bool {
        true
    }

    fn says_why(&self) -> bool {
        true
    }

    fn records(&self) -> Option<u64> {
        let add_remove = self.request().options.neighbors.hides_participation();
        add_remove.then(|| self.people().records())
    }
}

/// Bound on the best possible estimator, if one is known.
fn bound(plan: &UnboundedPlan) -> Option<String> {
    Some(format!(
        "No method, known or unknown, that keeps these budgets can have a root mean squared error \
         below {} standard deviations for all normal data: {} of the error that is expected of \
         ours.",
        least(plan.lower_bound()?),
        percent_at_least(1.0 / plan.gap()?),
    ))
}

/// Effect of clipping.
fn clipping(plan: &UnboundedPlan) -> &'static str {
    match plan.learns() {
        true => {
            "Inside the range a part of every budget learns first where most values lie, and the \
             mean is measured there; the expected error is about that for normal data. The \
             interval allows for whatever lies inside the range, and takes for granted that values \
             beyond it move the mean by little."
        }
        false => super::planned(plan.standard()).clipped(),
    }
}
