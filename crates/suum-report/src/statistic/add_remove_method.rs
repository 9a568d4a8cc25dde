//! Methods of releases and plans under hidden participation.

use suum_core::{
    AddRemovePlan, AddRemoveProcedure, AddRemoveRequest, Estimator, Neighbors, QuantileMethod,
    Release, Target,
};

use super::AddRemoveWords;
use crate::html::Method;

/// Measurements under hidden participation.
pub(crate) struct AddRemoveMeasurements<'a> {
    pub(super) request: &'a AddRemoveRequest,
    /// True if the spread of the values is measured, too.
    pub(super) spread: bool,
    /// Method for quantiles.
    pub(super) method: QuantileMethod,
    /// True if ends of intervals are measured.
    pub(super) ends: bool,
}

impl AddRemoveMeasurements<'_> {
    /// Returns true if a changed value of a record is protected as well.
    pub(super) fn both(&self) -> bool {
        self.request.options().neighbors == Neighbors::Both
    }
}

/// Words of a mean.
pub(super) struct Mean;

/// Words of a sum.
pub(super) struct Sum;

/// Meaning of the sampling error of a mean or a sum.
const OF_MEAN: &str = "sampling: the records are a sample, at its worst for such a mean";

impl AddRemoveWords for Mean {
    fn sampling(&self) -> &'static str {
        OF_MEAN
    }

    fn method(&self, method: &mut Method, measured: &AddRemoveMeasurements<'_>) {
        method.sums_of_units(measured, measured.spread);
        method.moved_by_weight(measured);
    }
}

impl AddRemoveWords for Sum {
    fn whom(&self, _: Target) -> &'static str {
        "the records with a declared budget, if budgets have nothing to do with values"
    }

    fn sampling(&self) -> &'static str {
        OF_MEAN
    }

    fn method(&self, method: &mut Method, measured: &AddRemoveMeasurements<'_>) {
        method.sums_of_units(measured, measured.spread);
        method.say(
            "The sum is U and V put together, with one declared budget or equal weights; else a \
             noisy count times the mean.",
        );
        method.moved_by_weight(measured);
    }
}

impl Method {
    /// Method of a release under hidden participation.
    pub(super) fn for_add_remove(how: &AddRemoveProcedure, release: &Release) -> Self {
        let measured = AddRemoveMeasurements {
            request: &how.request,
            spread: release.spread().is_some(),
            method: how.together.map_or(QuantileMethod::Even, |together| together.method),
            ends: how.split.iter().any(|one| one.interval > 0.0),
        };
        Self::add_remove(&measured, how.request.estimator(), release.range().is_some())
    }

    /// Method of a plan under hidden participation.
    pub(super) fn for_add_remove_plan(plan: &AddRemovePlan) -> Self {
        let request = plan.request();
        let measured = AddRemoveMeasurements {
            request,
            spread: request.measures_spread(),
            method: plan.chosen().method.unwrap_or(QuantileMethod::Even),
            ends: request.options().interval_share != Some(0.0),
        };
        Self::add_remove(&measured, plan.chosen().estimator, false)
    }

    /// Builds the method; `ranged` says that a range was found first.
    fn add_remove(
        measured: &AddRemoveMeasurements<'_>,
        estimator: Estimator,
        ranged: bool,
    ) -> Self {
        let mut method = match ranged {
            true => Self::for_search(measured.request.options().neighbors),
            false => Self::default(),
        };
        method.say(&format!("Estimator: {estimator}."));
        method.say(match estimator {
            Estimator::Uniform => {
                "Everybody weighs the same, the least declared ε. The weight does not tell who \
                 else is there:
                 $ w_i = ε_min"
            }
            _ => {
                "Everybody weighs what they allow, but no more than τ. The weight depends on \
                 nobody else, so it does not tell who else is there:
                 $ w_i = min(ε_i, τ)"
            }
        });
        super::add_remove(measured.request.estimand()).method(&mut method, measured);
        if matches!(estimator, Estimator::Affine | Estimator::Typical) {
            method.say(
                "Where τ was not given beforehand, a twentieth of every budget buys a rough \
                 count of people for each size of budget, from which τ follows.",
            );
        }
        method
    }

    /// Describes the noise of sums that nobody changes by more than their weight.
    pub(super) fn moved_by_weight(&mut self, measured: &AddRemoveMeasurements<'_>) {
        self.integers_of_units();
        self.say(match measured.both() {
            false => {
                "Somebody who joins or leaves moves this by no more than their weight, which is \
                 what they lose."
            }
            true => {
                "Somebody who joins or leaves, or says something else, moves this by no more than \
                 their weight, which is what they lose."
            }
        });
    }

    /// Describes the sums that a mean is made of, with those of the spread if they are measured.
    pub(super) fn sums_of_units(&mut self, measured: &AddRemoveMeasurements<'_>, moments: bool) {
        match (measured.both(), moments) {
            (true, _) => self.centred_units(moments),
            (false, true) => self.moments_of_units(),
            (false, false) => self.ends_of_units(),
        }
    }

    fn ends_of_units(&mut self) {
        self.say(
            "The distances of all values from both bounds are added up, and noise of scale h is \
             added to each sum. Their sum is a noisy weight of all, so the mean is
             $ lo + h {U}/{U + V}
             $ U = Σ_i w_i (x_i − lo) + K_1
             $ V = Σ_i w_i (hi − x_i) + K_2",
        );
    }

    fn moments_of_units(&mut self) {
        self.say(
            "With y for (x − lo)/h, three numbers of each value are added up that make 1 together, \
             and noise of scale 1 is added to each sum:
             $ A = Σ_i w_i y_i^2 + K_1
             $ B = Σ_i 2 w_i y_i (1 − y_i) + K_2
             $ C = Σ_i w_i (1 − y_i)^2 + K_3
             A + B + C is a noisy weight of all, and U = A + B/2 and V = C + B/2 are the distances \
             from both bounds, so the mean is
             $ lo + h {U}/{U + V}
             The three together tell the spread of the values, too.",
        );
    }

    fn centred_units(&mut self, moments: bool) {
        self.say(
            "With y for (x − lo)/h, numbers of each value are added up that neither another value \
             nor joining or leaving moves by more than 1 together, and noise of scale 1 is added \
             to each sum:
             $ A = Σ_i w_i (y_i − {1}/{2}) + K_1
             $ H = Σ_i {w_i}/{2} + K_2",
        );
        if moments {
            self.formula("S = Σ_i w_i y_i (1 − y_i) + K_3");
        }
        self.say(
            "2 H is a noisy weight of all, so with U = H + A and V = H − A the mean is
             $ lo + h {U}/{U + V}",
        );
        if moments {
            self.say("S tells the spread of the values, too.");
        }
    }
}
