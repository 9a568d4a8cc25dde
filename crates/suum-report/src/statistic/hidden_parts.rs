//! Several statistics where it is hidden who takes part, or one without declared bounds.

use suum_core::{AddRemovePartsPlan, AddRemovePlan, Unit};

use super::Planned;
use super::hidden::{GUESS, error, hiding, name_of};
use super::unbounded::in_deviations;
use crate::certificate::Spent;
use crate::content::Content;
use crate::html::Method;
use crate::planned_error::{self, PlannedError};
use crate::tiers::{Line, Tier};

impl Planned for AddRemovePartsPlan {
    fn name(&self) -> String {
        match (self.statistic(), self.parts().next()) {
            ("summary", _) => "several statistics".to_owned(),
            ("quantile", Some((_, part))) => name_of(part.request()),
            (one, _) => format!("the {one}"),
        }
    }

    fn title(&self, records: String) -> String {
        let without = if self.searches() { ", without declared bounds" } else { "" };
        format!("Plan for {} of {records} records that are assumed{without}", self.name())
    }

    fn errors(&self, _: bool) -> Vec<PlannedError> {
        self.parts().flat_map(|(_, part)| errors(self, part)).collect()
    }

    fn notes(&self, in_range: bool) -> Vec<String> {
        let normal = if self.searches() { " and data normal" } else { "" };
        vec![planned_error::several(
            &format!("if people are as assumed{normal}"),
            &self.errors(in_range),
        )]
    }

    fn more(&self) -> Vec<String> {
        let (neighbors, target) = self.made();
        vec![hiding(neighbors, target), GUESS.to_owned()]
    }

    fn cost(&self) -> Content {
        let search = self.search().into_iter().flat_map(|search| {
            let shares = search.shares();
            let searched = shares.centre.get() + shares.radius.get() + shares.check.get();
            [
                (0.05, "a rough count of people (at most)".to_owned()),
                (searched, "the search for a range".to_owned()),
            ]
        });
        let parts = self.shares().map(|(what, share)| (share.get(), what.to_owned()));
        planned_error::split(search.chain(parts), None)
    }

    fn spent(&self, _: &[Tier]) -> Spent {
        let lines = self.privacy().iter().map(Line::of_release).collect();
        Spent::of_plan(lines, self.made().0, false)
    }

    fn method(&self) -> Method {
        let mut all = Method::default();
        for (what, part) in self.parts() {
            all.part(&format!("The {what}"), Planned::method(part));
        }
        all
    }

    fn about(&self) -> String {
        "Plan one group alone for its errors.".to_owned()
    }

    fn searches(&self) -> bool {
        self.search().is_some()
    }

    fn records(&self) -> Option<u64> {
        Some(self.assumed().records())
    }
}

/// The errors of a part: that of a variance with that of the mean, if that is asked for.
fn errors(plan: &AddRemovePartsPlan, part: &AddRemovePlan) -> Vec<PlannedError> {
    let deviations = |unit| plan.search().map_or("", |_| in_deviations(unit));
    let mean = part.chosen().mean.filter(|_| plan.asks_mean()).map(|mean| {
        PlannedError::new(
            "the mean",
            mean.rmse,
            deviations(Unit::Value),
            "with the variance".to_owned(),
        )
    });
    let own = match part.request().ranks() {
        [] if plan.search().is_some() => PlannedError {
            unit: deviations(part.request().asked().unit()).to_owned(),
            ..error(part)
        },
        _ => error(part),
    };
    mean.into_iter().chain([own]).collect()
}
