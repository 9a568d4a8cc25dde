//! Construction of the interval of a mean, a sum or a frequency.

use suum_core::{Target, WeightedPlan};

use super::weighted_method::sums_to_zero;
use crate::html::Method;

impl Method {
    pub(super) fn interval(&mut self, plan: &WeightedPlan) {
        if plan.measures_spread() {
            return self.interval_of_spread();
        }
        let shares = plan.setting().categories.is_some();
        self.say(match plan.setting().target {
            Target::Population | Target::Dataset if shares => {
                "The interval holds every share p from which the noisy one is no further away \
                than the noise and a normal variable reach together, with the stated probability; \
                the variable has the variance of the sampling part, with p (1 − p) in place of σ²."
            }
            Target::Population | Target::Dataset => {
                "The interval reaches as far as the noise and a normal variable with the standard \
                deviation of the sampling part reach together, \
                 with the stated probability."
            }
            Target::DatasetCorrelated => {
                "The interval reaches as far as the noise reaches with the stated probability, and \
                further by the weighting part at its worst."
            }
        });
        if plan.request().options().simultaneous {
            let both = sums_to_zero(plan) && plan.setting().categories == Some(2);
            self.say(match both {
                true => "Both intervals hold, or none: the two shares add up to 1.",
                false => {
                    "All intervals hold at once: the probability that any fails is divided evenly \
                    among the categories."
                }
            });
            if !both && plan.setting().target != Target::DatasetCorrelated {
                self.say(
                    "So far out few records decide, so each interval is a little wider still.",
                );
            }
        }
    }

    /// Describes the interval of a mean whose spread was measured.
    pub(super) fn interval_of_spread(&mut self) {
        self.say(
            "Beside the sum of the y, that of y (1 − y) is released, each with the noise that the \
             sum alone needs, where y is a value as a share of the bounds. If one y becomes z, \
             both together change by no more than w:
             $ |y − z| + |y (1 − y) − z (1 − z)| ≤ d + d (1 − d) ≤ 1 \" with \" d = |y − z|
             So the second sum costs nobody anything. Of both follows an estimate v of the \
             variance, and a bound u on it that the noise makes too small in at most one of eight \
             cases:
             $ v = {Y (1 − Y) − P + 2 η^2}/{1 − Σ_i w_i^2} \", \" u = v + {η ln 10}/{1 − Σ_i \
             w_i^2}
             Y and P are the noisy weighted means of y and of y (1 − y); u is never more than \
             1/4, nor than (Y (1 − Y) + 2 η)/(1 − Σ w²). For the target dataset both are \
             multiplied by (n − 1)/n, which makes them those of these records. The interval \
             holds every mean that agrees with the estimate: those that noise and a normal \
             variable can explain together, with the stated probability. The normal variable has \
             the variance that values have if this is their mean: u, and more by as much as rare \
             values at the far bound, of which none was seen, would add.",
        );
    }
}
