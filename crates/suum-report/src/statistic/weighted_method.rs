//! Method of a mean, a sum or frequencies: the estimator, and the risk by which it was chosen.

use suum_core::{Estimator, HpVariant, Mechanism, Target, WeightedPlan};

use crate::figures::significant;
use crate::html::Method;
use crate::html::Source;

impl Method {
    /// Method of a mean, a sum or a frequency.
    pub(super) fn for_plan(plan: &WeightedPlan) -> Self {
        let mut method = Self::default();
        let frequency = plan.setting().categories.is_some();
        method.say(&format!(
            "Estimator: {} ({}).",
            plan.chosen().estimator,
            plan.chosen().estimator.describe()
        ));
        method.say(match frequency {
            false => {
                "The values x are clamped to the bounds, whose width is h; w is the weight of \
                a person and ε what they allow."
            }
            true if sums_to_zero(plan) => {
                "In the formulas x is 1 for the people of a category and 0 for all others, and h \
                is 1: if somebody changes category, one count falls by their weight and another \
                rises by it. w is the weight of a person and ε what they allow."
            }
            true => {
                "In the formulas x is 1 for the people of a category and 0 for all others, and h \
                is 2: if somebody changes category, one count falls and another rises. w is the \
                weight of a person and ε what they allow."
            }
        });
        method.estimator(plan);
        method.risk(plan);
        method.interval(plan);
        if sums_to_zero(plan) {
            method.integers_that_sum_to_zero();
        } else {
            method.integers();
        }
        method
    }

    fn estimator(&mut self, plan: &WeightedPlan) {
        let chosen = plan.chosen();
        match chosen.estimator {
            Estimator::Affine => {
                self.clipped_weights();
                if let Some(tau) = chosen.design.tau {
                    self.say(&format!(
                        "τ = {} is the clip level of least risk. Above it more of somebody’s ε \
                        would make the answer worse, not better: their \
                         single value would count too much. So what is above it is kept.",
                        significant(tau, 4)
                    ));
                }
                self.source(
                    Source::Cc23,
                    ", algorithm ADPM; for the two dataset targets the exact \
                    forms of the objectives in Chaudhuri and Courtade 2024, section 3",
                );
                self.sources.push(Source::Cc24);
            }
            Estimator::Typical => {
                self.clipped_weights();
                if let Some(tau) = chosen.design.tau {
                    self.say(&format!(
                        "τ = {} is the clip level of least risk for values whose standard \
                        deviation is about a quarter of the width of the bounds, 1/√15 of it. \
                        What is above it is kept.",
                        significant(tau, 4)
                    ));
                }
                self.source(
                    Source::Cc23,
                    ", algorithm ADPM, with a smaller variance than the largest",
                );
            }
            Estimator::Threshold => {
                self.say(
                    "People who allow at least e are treated alike; all others are left out. n \
                     with index e is the number of those who count:
                     $ w_i = {1}/{n_e} \" if \" ε_i ≥ e",
                );
                self.weighted_sum();
                if let Some(tau) = chosen.design.tau {
                    self.say(&format!("e = {} is the level of least risk.", significant(tau, 4)));
                }
                self.source(Source::Cz26, ", Definition 6");
            }
            Estimator::Uniform => {
                self.say(
                    "Everybody counts alike, at what the strictest person allows:
                     $ w_i = {1}/{n}",
                );
                self.weighted_sum();
                self.source(Source::Cc23, ", UNI");
            }
            Estimator::Proportional => {
                self.say(
                    "Weights are in proportion to ε. If anybody is public, public people alone \
                     count:
                     $ w_i = {ε_i}/{Σ_j ε_j}",
                );
                self.weighted_sum();
                self.source(Source::Cc23, ", PropDPM");
            }
            Estimator::Mixed => {
                self.say(
                    "Each level j answers alone, with its own noise; the answers are combined by \
                     their expected errors:
                     $ β_j = {1/V_j}/{Σ_l 1/V_l} \" with \" V_j = {σ^2}/{n_j} + {2 h^2}/{(n_j \
                     ε_j)^2}
                     V is the variance of the answer of a level of n people; for frequencies the \
                     2 is what the largest of several noises has in its place.",
                );
                self.source(Source::Fgk21, ", with the sensitivity corrected to h");
            }
            Estimator::Local if plan.setting().categories.is_some() => {
                self.say(
                    "Every person’s answers to “are you in this category?” are flipped at random, \
                     each alone, and the counts corrected for it:
                     $ P(\"flip\") = {1}/{1 + e^{ε_i/2}}",
                );
                self.source(Source::Cc24, ", Appendix L");
            }
            Estimator::Local => {
                self.say(
                    "Every person’s value gets noise of its own, as if nobody could be trusted \
                     with it, and is then weighted:
                     $ \"estimate\" = Σ_i w_i (x_i + \"noise of scale \" {h}/{ε_i})",
                );
                self.source(Source::Cc24, ", Appendix L");
            }
            Estimator::Hpm(variant) | Estimator::Hpf(variant) => self.published(variant),
            // Its name was written above.
            _ => self.weighted_sum(),
        }
    }

    /// Describes one of the weightings of CC24.
    fn published(&mut self, variant: HpVariant) {
        match variant {
            HpVariant::A => {
                self.say(
                    "Weights grow with ε, but never beyond 1:
                     $ w_i = {1 − e^{−ε_i}}/{Σ_j (1 − e^{−ε_j})}",
                );
            }
            HpVariant::Cp | HpVariant::Ce => {
                self.say(
                    "The weights minimise
                     $ (Σ_i |w_i − {1}/{n}|)^2 + L^2 (max_i {w_i}/{ε_i})^2",
                );
            }
            HpVariant::Up | HpVariant::Ue => {
                self.say(
                    "The weights minimise
                     $ min((Σ_i |w_i − {1}/{n}|)^2, L Σ_i w_i^2) + L^2 (max_i {w_i}/{ε_i})^2",
                );
            }
            HpVariant::CpT | HpVariant::CeT => {
                self.say(
                    "The weights minimise
                     $ n Σ_i (w_i − {1}/{n})^2 + L^2 (max_i {w_i}/{ε_i})^2",
                );
            }
            HpVariant::UpT | HpVariant::UeT => {
                self.say(
                    "The weights minimise
                     $ min(n Σ_i (w_i − {1}/{n})^2, L Σ_i w_i^2) + L^2 (max_i {w_i}/{ε_i})^2",
                );
            }
        }
        if variant != HpVariant::A {
            self.say(
                "L is ln(k/β) in the variants for PAC error, ln k in those for squared error (1 \
                 for a mean), k being the number of categories, or 1.",
            );
        }
        self.weighted_sum();
        self.source(Source::Cc24, ", Algorithms 1 and 2, equations (6) and (7)");
    }

    pub(super) fn weighted_sum(&mut self) {
        self.say(
            "$ \"estimate\" = Σ_i w_i x_i + \"noise of scale \" η
             $ η = h max_i {w_i}/{ε_i}",
        );
    }

    /// Describes weights in proportion to ε up to τ.
    pub(super) fn clipped_weights(&mut self) {
        self.say(
            "Everybody counts with a weight in proportion to their ε, but to no more than τ of it. \
             One noise is added to the sum:
             $ w_i = {min(ε_i, τ)}/{Σ_j min(ε_j, τ)}",
        );
        self.weighted_sum();
    }

    /// Describes the risk, by which estimators are compared.
    fn risk(&mut self, plan: &WeightedPlan) {
        let frequency = plan.setting().categories.is_some();
        self.say(
            "Estimators are compared by their risk, the expected squared error in the worst \
             case. That of a weighted sum is",
        );
        match plan.setting().target {
            Target::Population => self.formula("σ^2 Σ_i w_i^2 + 2 η^2"),
            Target::Dataset => self.formula("{n}/{n − 1} σ^2 Σ_i (w_i − {1}/{n})^2 + 2 η^2"),
            Target::DatasetCorrelated => self.formula("({b}/{2} Σ_i |w_i − {1}/{n}|)^2 + 2 η^2"),
        }
        let variance = match (plan.request().options().variance, frequency, plan.setting().target) {
            (_, _, Target::DatasetCorrelated) => "b is the width of the bounds, 1 for a share. ",
            (_, true, _) => "σ² is 1/4, the variance of the category that is hardest to sample. ",
            (Some(_), false, _) => "σ² is the variance that was declared. ",
            (None, false, _) => {
                "σ² is the largest variance that values inside the bounds can have. "
            }
        };
        self.say(&format!(
            "{variance}The first term is what would be wrong without noise, the second is the \
            noise{}.",
            match (frequency, sums_to_zero(plan)) {
                (false, _) => "",
                (true, false) => {
                    " (in place of 2 stands what the largest of the noises of all categories has)"
                }
                (true, true) => {
                    " (in place of 2 stands what the largest of the noises of all categories has, \
                    of noises that add up to zero)"
                }
            }
        ));
        self.say(&format!(
            "Source: {}, equation (17); {}, section 2.",
            Source::Cc23.name(),
            Source::Cc24.name()
        ));
        self.sources.extend([Source::Cc23, Source::Cc24]);
        if let Some(shrinkage) = plan.shrinkage() {
            self.say(&format!(
                "Afterwards the estimate is moved towards the middle of the bounds, to {} of its \
                distance from it, which makes the worst case better. It \
                 costs no privacy.",
                significant(shrinkage.factor, 3)
            ));
        }
    }
}

/// Returns true if the noise of frequencies adds up to zero.
pub(super) fn sums_to_zero(plan: &WeightedPlan) -> bool {
    matches!(plan.mechanism(), Mechanism::WeightedCounts(_))
}
