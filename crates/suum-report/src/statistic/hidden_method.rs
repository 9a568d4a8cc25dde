//! Releases and plans that hide who takes part.

use suum_core::{
    AddRemovePlan, AddRemoveProcedure, AddRemoveRequest, Estimator, Neighbors, QuantileMethod,
    Release,
};

use crate::html::Method;

impl Method {
    /// Of a release that hides who takes part.
    pub(super) fn of_add_remove(how: &AddRemoveProcedure, release: &Release) -> Self {
        let (ranged, spread) = (release.range().is_some(), release.spread().is_some());
        let ends = how.split.iter().any(|one| one.interval > 0.0);
        let method = how.together.map_or(QuantileMethod::Even, |together| together.method);
        let asked = (method, ends);
        Self::hidden(&how.request, how.request.estimator(), (ranged, spread), asked)
    }

    /// Of a plan of one.
    pub(super) fn of_add_remove_plan(plan: &AddRemovePlan) -> Self {
        let request = plan.request();
        let spread = request.measures_spread();
        let method = plan.chosen().method.unwrap_or(QuantileMethod::Even);
        let asked = (method, request.options().interval_share != Some(0.0));
        Self::hidden(request, plan.chosen().estimator, (false, spread), asked)
    }

    /// `ranged` says whether a range was found first, `spread` whether that of the values was
    /// measured, `ranks` how quantiles are asked for, and whether their intervals are bought.
    fn hidden(
        request: &AddRemoveRequest,
        estimator: Estimator,
        (ranged, spread): (bool, bool),
        ranks: (QuantileMethod, bool),
    ) -> Self {
        let statistic = request.statistic();
        let both = request.options().neighbors == Neighbors::Both;
        let mut method = match ranged {
            true => Self::of_search(request.options().neighbors),
            false => Self::default(),
        };
        method.say(&format!("Estimator: {estimator}."));
        match estimator {
            Estimator::Uniform => {
                method.say(
                    "Everybody weighs the same, the least declared ε. The weight does not tell who \
                     else is there:
                     $ w_i = ε_min",
                );
            }
            _ => {
                method.say(
                    "Everybody weighs what they allow, but no more than τ. The weight depends on \
                     nobody else, so it does not tell who else is there:
                     $ w_i = min(ε_i, τ)",
                );
            }
        }
        match statistic {
            "quantile" => method.hidden_ranks(request, ranks),
            "frequency" => {
                method.say(match both {
                    false => {
                        "Noise of scale 1 is added to the weight of every category, and each is \
                         divided by the noisy weight of all:"
                    }
                    true => {
                        "Noise of scale 2 is added to the weight of every category, because \
                         another value changes two of them, and each is divided by the noisy \
                         weight of all:"
                    }
                });
                method.formula("{Σ_{i \" in \" c} w_i + K_c}/{Σ_i w_i + Σ_l K_l}");
                method.integers_of_units();
            }
            "count" => {
                method.say(
                    "Noise of scale 1 is added to the sum of the weights:
                     $ {Σ_i w_i + K}/{ε_min}",
                );
                method.integers_of_units();
            }
            _ => {
                let moments = spread || statistic == "variance";
                if both {
                    method.centred_units(moments);
                } else if moments {
                    method.moments_of_units();
                } else {
                    method.ends_of_units();
                }
                match statistic {
                    "sum" => method.say(
                        "The sum is U and V put together, with one declared budget or equal \
                        weights; else a noisy count times the mean.",
                    ),
                    "variance" => {
                        method.say("With m for the mean of y, the variance is");
                        method.formula(match both {
                            false => "h^2 ({A}/{A + B + C} − m^2 + s^2)",
                            true => "h^2 (m (1 − m) − {S}/{2 H} + s^2)",
                        });
                        method.say(
                            "where s² is the variance of the noise in m; and that divided by 1 \
                             minus the sum of the squared shares of the weights, for a \
                             population.",
                        );
                    }
                    _ => {}
                }
                method.integers_of_units();
            }
        }
        if statistic != "quantile" {
            method.say(match both {
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
        if matches!(estimator, Estimator::Affine | Estimator::Typical) {
            method.say(
                "Where τ was not given beforehand, a twentieth of every budget buys a rough \
                 count of people for each size of budget, from which τ follows.",
            );
        }
        method
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
