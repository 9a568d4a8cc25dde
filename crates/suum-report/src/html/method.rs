//! How it was done: the estimator that was used, its formulas and sources.

use suum_core::{
    AddRemovePlan, AddRemoveProcedure, AddRemoveRequest, Estimator, Hpm, Mechanism, Neighbors,
    QuantileMethod, RangePlan, Release, Target, WeightedPlan,
};

use super::markup::Markup;
use super::sources::Source;
use crate::figures::significant;

/// A method in words and formulas, and where it comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Method {
    pub(crate) words: Markup,
    pub(crate) sources: Vec<Source>,
}

impl Method {
    pub(super) fn say(&mut self, text: &str) {
        self.words.paragraph(text);
    }

    pub(super) fn formula(&mut self, line: &'static str) {
        self.words.formula(line);
    }

    fn source(&mut self, source: Source, place: &str) {
        self.words.paragraph(&format!("Source: {}{place}.", source.name()));
        self.sources.push(source);
    }

    /// A further part of the method, under its own heading.
    pub(crate) fn part(&mut self, heading: &str, part: Method) {
        self.words.element("h3", &[], |h3| h3.text(heading));
        self.words.push(&part.words);
        self.sources.extend(part.sources);
    }

    /// Of a mean, a sum or a frequency.
    pub(crate) fn of_plan(plan: &WeightedPlan) -> Self {
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
                    "People who allow at least e are treated alike; all others are left out. \
                    n with index e is the number of those who count:",
                );
                self.formula("w_i = {1}/{n_e} \" if \" ε_i ≥ e");
                self.weighted_sum();
                if let Some(tau) = chosen.design.tau {
                    self.say(&format!("e = {} is the level of least risk.", significant(tau, 4)));
                }
                self.source(Source::Cz26, ", Definition 6");
            }
            Estimator::Uniform => {
                self.say("Everybody counts alike, at what the strictest person allows:");
                self.formula("w_i = {1}/{n}");
                self.weighted_sum();
                self.source(Source::Cc23, ", UNI");
            }
            Estimator::Proportional => {
                self.say(
                    "Weights are in proportion to ε. If anybody is public, public people \
                    alone count:",
                );
                self.formula("w_i = {ε_i}/{Σ_j ε_j}");
                self.weighted_sum();
                self.source(Source::Cc23, ", PropDPM");
            }
            Estimator::Mixed => {
                self.say(
                    "Each level j answers alone, with its own noise; the answers are combined \
                    by their expected errors:",
                );
                self.formula(
                    "β_j = {1/V_j}/{Σ_l 1/V_l} \" with \" V_j = {σ^2}/{n_j} + {2 h^2}/{(n_j \
                    ε_j)^2}",
                );
                self.say(
                    "V is the variance of the answer of a level of n people; for frequencies \
                    the 2 is what the largest of several noises has in its place.",
                );
                self.source(Source::Fgk21, ", with the sensitivity corrected to h");
            }
            // Nothing is released by them.
            Estimator::Sample | Estimator::Stretch => {}
            Estimator::Local if plan.setting().categories.is_some() => {
                self.say(
                    "Every person’s answers to “are you in this category?” are flipped at \
                    random, each alone, and the counts corrected for it:",
                );
                self.formula("P(\"flip\") = {1}/{1 + e^{ε_i/2}}");
                self.source(Source::Cc24, ", Appendix L");
            }
            Estimator::Local => {
                self.say(
                    "Every person’s value gets noise of its own, as if nobody could be \
                    trusted with it, and is then weighted:",
                );
                self.formula("\"estimate\" = Σ_i w_i (x_i + \"noise of scale \" {h}/{ε_i})");
                self.source(Source::Cc24, ", Appendix L");
            }
            Estimator::Hpm(variant) | Estimator::Hpf(variant) => self.published(variant),
        }
    }

    /// One of the weightings of CC24.
    fn published(&mut self, variant: Hpm) {
        match variant {
            Hpm::A => {
                self.say("Weights grow with ε, but never beyond 1:");
                self.formula("w_i = {1 − e^{−ε_i}}/{Σ_j (1 − e^{−ε_j})}");
            }
            Hpm::Cp | Hpm::Ce => {
                self.say("The weights minimise");
                self.formula("(Σ_i |w_i − {1}/{n}|)^2 + L^2 (max_i {w_i}/{ε_i})^2");
            }
            Hpm::Up | Hpm::Ue => {
                self.say("The weights minimise");
                self.formula(
                    "min((Σ_i |w_i − {1}/{n}|)^2, L Σ_i w_i^2) + L^2 (max_i {w_i}/{ε_i})^2",
                );
            }
            Hpm::CpT | Hpm::CeT => {
                self.say("The weights minimise");
                self.formula("n Σ_i (w_i − {1}/{n})^2 + L^2 (max_i {w_i}/{ε_i})^2");
            }
            Hpm::UpT | Hpm::UeT => {
                self.say("The weights minimise");
                self.formula(
                    "min(n Σ_i (w_i − {1}/{n})^2, L Σ_i w_i^2) + L^2 (max_i {w_i}/{ε_i})^2",
                );
            }
        }
        if variant != Hpm::A {
            self.say(
                "L is ln(k/β) in the variants for PAC error, ln k in those for squared error \
                (1 for a mean), k being the number of categories, or 1.",
            );
        }
        self.weighted_sum();
        self.source(Source::Cc24, ", Algorithms 1 and 2, equations (6) and (7)");
    }

    fn weighted_sum(&mut self) {
        self.formula("\"estimate\" = Σ_i w_i x_i + \"noise of scale \" η");
        self.formula("η = h max_i {w_i}/{ε_i}");
    }

    /// Weights in proportion to ε up to τ.
    fn clipped_weights(&mut self) {
        self.say(
            "Everybody counts with a weight in proportion to their ε, but to no more than τ of it. \
            One noise is added to the sum:",
        );
        self.formula("w_i = {min(ε_i, τ)}/{Σ_j min(ε_j, τ)}");
        self.weighted_sum();
    }

    /// The risk, by which estimators are compared.
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
            (Some(_), false, _) => {
                "σ² is the variance that was declared, or the bound on it that was bought. "
            }
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

    fn interval(&mut self, plan: &WeightedPlan) {
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

    /// The interval of a mean whose spread was measured.
    fn interval_of_spread(&mut self) {
        self.say(
            "Beside the sum of the y, that of y (1 − y) is released, each with the noise that the \
            sum alone needs, where y is a value as a share of the bounds. If one y becomes z, both \
            together change by no more than w:",
        );
        self.formula(
            "|y − z| + |y (1 − y) − z (1 − z)| ≤ d + d (1 − d) ≤ 1 \" with \" d = |y − z|",
        );
        self.say(
            "So the second sum costs nobody anything. Of both follows an estimate v of the \
            variance, and a bound u on it that the noise makes too small in at most one of eight \
            cases:",
        );
        self.formula(
            "v = {Y (1 − Y) − P + 2 η^2}/{1 − Σ_i w_i^2} \", \" u = v + {η ln 10}/{1 − Σ_i w_i^2}",
        );
        self.say(
            "Y and P are the noisy weighted means of y and of y (1 − y); u is never more than 1/4, \
            nor than (Y (1 − Y) + 2 η)/(1 − Σ w²). For the target dataset both are multiplied by \
            (n − 1)/n, which makes them those of these records. The interval holds every \
            mean that agrees with the estimate: those that noise and a normal variable can \
            explain together, with the stated probability. The normal variable has the variance \
            that values have if this is their mean: u, and more by as much as rare values at the \
            far bound, of which none was seen, would add.",
        );
    }

    /// How noise is drawn, of a scale that is made for the weights.
    fn integers(&mut self) {
        self.noise(
            "where b is the least integer with which, in exact arithmetic, nobody loses more than \
            they allow. It is drawn once, exactly, from the \
             randomness of the operating system.",
        );
    }

    /// How noise is drawn that adds up to zero.
    fn integers_that_sum_to_zero(&mut self) {
        self.say(
            "No floating-point number stands between a record and the noise: weights W are \
            integers rounded down, and the noises Z of all categories are integers that add up to \
            zero, as all shares together are 1 without noise. They have",
        );
        self.formula("P(Z = z) ∝ e^{−Σ_c |z_c|/(2 b)}");
        self.say(
            "where b is the least integer with which, in exact arithmetic, nobody loses more than \
            they allow. If somebody changes category, two sums move by W, one up and one down, \
            and the exponent by no more than W/b: that is what they lose. The noise is drawn \
            once, exactly, from the randomness of the operating system.",
        );
        self.source(
            Source::Canonne,
            ", Algorithms 1 and 2, for single integers; noise in proportion to what one person \
            can change: Dwork et al. 2006",
        );
        self.sources.push(Source::Dwork);
    }

    /// How noise is drawn, where weights are made for its scale.
    fn integers_of_units(&mut self) {
        self.noise(
            "where b is an integer that depends on what was declared alone; weights are such that, \
            in exact arithmetic, nobody loses more than they allow. It is \
             drawn exactly, from the randomness of the operating system.",
        );
    }

    fn noise(&mut self, scale: &str) {
        self.say(
            "No floating-point number stands between a value and the noise: values are integers on \
            a grid, weights are integers rounded down, and the noise K is an integer with",
        );
        self.formula("P(K = k) ∝ e^{−|k|/b}");
        self.say(scale);
        self.source(
            Source::Canonne,
            ", Algorithms 1 and 2; noise in proportion to what one person can change: Dwork et al. \
            2006",
        );
        self.sources.push(Source::Dwork);
    }

    /// Of a variance.
    pub(crate) fn of_variance(target: Target, tau: f64) -> Self {
        let mut method = Self::default();
        method.say(
            "Estimator: affine. The values are moved to u between −1 and 1. Two noisy \
            weighted means, of u and of u², are made together:",
        );
        method.formula("m_1 = Σ_i w_i u_i + K_1");
        method.formula("m_2 = Σ_i w_i u_i^2 + K_2");
        method.formula("w_i = {min(ε_i, τ)}/{Σ_j min(ε_j, τ)}");
        method.say("K are two noises of the same scale η. From them the variance is");
        match target {
            Target::Population => method.formula("{m_2 − m_1^2 + 2 η^2}/{1 − Σ_i w_i^2}"),
            Target::Dataset | Target::DatasetCorrelated => {
                method.formula("{n − 1}/{n} {m_2 − m_1^2 + 2 η^2}/{1 − Σ_i w_i^2}");
            }
        }
        method.say(&format!(
            "in units of half the width of the bounds, squared. τ = {} is the clip level of least \
            error at the distribution whose variance is hardest to sample.",
            significant(tau, 4)
        ));
        method.say(
            "Replacing u by v moves the two sums by |u − v| and |u² − v²|, together by at \
            most 9/4. So somebody of weight w loses",
        );
        method.formula("{9 w}/{4 η}");
        method.integers();
        method.sources.push(Source::Cc23);
        method
    }

    /// Of a mean or a sum whose range was found.
    pub(crate) fn of_range() -> Self {
        let mut method = Self::default();
        method.say(&format!("Estimator: {} ({}).", RangePlan::NAME, RangePlan::ABOUT));
        method.search(Neighbors::ReplaceOne);
        method.say("Inside the range the estimator is affine: one noisy sum with the weights");
        method.formula("w_i = {min(ε_i, τ)}/{Σ_j min(ε_j, τ)}");
        method.sources.push(Source::Cc23);
        method.integers();
        method
    }

    /// Of the search for a range alone.
    pub(crate) fn of_search(neighbors: Neighbors) -> Self {
        let mut method = Self::default();
        method.search(neighbors);
        method
    }

    /// Of a range that a mean has learned.
    pub(crate) fn of_learning() -> Self {
        let mut method = Self::default();
        method.say(
            "A part of every budget, r for each record, chooses one of some thousand ranges: the \
            bounds, three quarters of them, a half and so on, each width in many places. A range R \
            is drawn by permute-and-flip with",
        );
        method.formula("P(R) ∝ e^{−d(R)/2} \", \" d(R) = max(0, N − t) + max(0, s − M) + p");
        method.say(
            "where N is the weight Σ r of the records outside R, M the least weight outside any of \
            five halves of it, t and s are slacks, and p is more for widths of which there are \
            many ranges. A record that moves over the border of R changes N and M in the same \
            direction, and by at most r, so that d changes by no more than r: that is what it \
            costs the record. The range is then widened to 1.75 times its width or more, and to a \
            bound that is near.",
        );
        method.say(
            "If budgets suffice, another part looks at the variance inside the range, with the two \
            sums described above, so that weights fit it. What is left pays for the mean of the \
            values clamped to the range, but for a part that its error can afford: that measures \
            the sums of how far values lie below and above the range, each with \
            noise. Each end of the interval is moved by its own sum, with its noise and the \
            largest sampling error that values inside the bounds can have.",
        );
        method
    }

    fn search(&mut self, neighbors: Neighbors) {
        self.say(
            "A small part of every budget finds a private weighted median m, and a private \
            quantile r of the distances from it. One noisy number \
             decides whether the data really lie there; if not, there is no answer. What \
             is left of every budget is spent on the values, \
             moved into the range",
        );
        self.formula("m ± k σ");
        self.say(
            "where σ is the standard deviation of normal data with the radius r, \
            and k is made so that normal data lose little. Candidates y are drawn from all \
            doubles with",
        );
        if neighbors == Neighbors::AddRemove {
            self.formula("P(y) ∝ e^{−d(y)/(2 max(q, 1 − q))}");
            self.say(
                "where d is the distance of y from the rank q, in units of ε. Somebody who joins \
                or leaves moves it by at most max(q, 1 − q) of their weight, min(ε, τ) of the \
                part.",
            );
        } else {
            self.formula("P(y) ∝ e^{−d(y)/2}");
            self.say(
                "where d is the distance of y from the middle rank, in units of ε. \
                Replacing one person moves it by at most their weight, min(ε, τ) of the part.",
            );
        }
        self.source(Source::Dg26, ", Algorithm 6, on weighted counts in place of random samples");
    }

    /// Of a release that hides who takes part.
    pub(crate) fn of_add_remove(how: &AddRemoveProcedure, release: &Release) -> Self {
        let (ranged, spread) = (release.range().is_some(), release.spread().is_some());
        let ends = how.split.iter().any(|one| one.interval > 0.0);
        let method = how.together.map_or(QuantileMethod::Even, |together| together.method);
        let asked = (method, ends);
        Self::hidden(&how.request, how.request.estimator(), (ranged, spread), asked)
    }

    /// Of a plan of one.
    pub(crate) fn of_add_remove_plan(plan: &AddRemovePlan) -> Self {
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
                    "Everybody weighs the same, the least declared ε. The weight does not \
                    tell who else is there:",
                );
                method.formula("w_i = ε_min");
            }
            _ => {
                method.say(
                    "Everybody weighs what they allow, but no more than τ. The weight \
                    depends on nobody else, so it does not tell who else is there:",
                );
                method.formula("w_i = min(ε_i, τ)");
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
                method.say("Noise of scale 1 is added to the sum of the weights:");
                method.formula("{Σ_i w_i + K}/{ε_min}");
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
                            minus the sum of the squared shares of the weights, for a population.",
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
                "Where τ was not given beforehand, a twentieth of every budget buys a rough count \
                of people for each size of budget, from which τ follows.",
            );
        }
        method
    }

    fn ends_of_units(&mut self) {
        self.say(
            "The distances of all values from both bounds are added up, and noise of scale h is \
            added to each sum. Their sum is a noisy weight of all, so the mean is",
        );
        self.formula("lo + h {U}/{U + V}");
        self.formula("U = Σ_i w_i (x_i − lo) + K_1");
        self.formula("V = Σ_i w_i (hi − x_i) + K_2");
    }

    fn moments_of_units(&mut self) {
        self.say(
            "With y for (x − lo)/h, three numbers of each value are added up that make 1 together, \
            and noise of scale 1 is added to each sum:",
        );
        self.formula("A = Σ_i w_i y_i^2 + K_1");
        self.formula("B = Σ_i 2 w_i y_i (1 − y_i) + K_2");
        self.formula("C = Σ_i w_i (1 − y_i)^2 + K_3");
        self.say(
            "A + B + C is a noisy weight of all, and U = A + B/2 and V = C + B/2 are the distances \
            from both bounds, so the mean is",
        );
        self.formula("lo + h {U}/{U + V}");
        self.say("The three together tell the spread of the values, too.");
    }

    fn centred_units(&mut self, moments: bool) {
        self.say(
            "With y for (x − lo)/h, numbers of each value are added up that neither another value \
            nor joining or leaving moves by more than 1 together, and noise of scale 1 is added \
            to each sum:",
        );
        self.formula("A = Σ_i w_i (y_i − {1}/{2}) + K_1");
        self.formula("H = Σ_i {w_i}/{2} + K_2");
        if moments {
            self.formula("S = Σ_i w_i y_i (1 − y_i) + K_3");
        }
        self.say("2 H is a noisy weight of all, so with U = H + A and V = H − A the mean is");
        self.formula("lo + h {U}/{U + V}");
        if moments {
            self.say("S tells the spread of the values, too.");
        }
    }
}

/// Whether the noise of frequencies adds up to zero.
fn sums_to_zero(plan: &WeightedPlan) -> bool {
    matches!(plan.mechanism(), Mechanism::WeightedCounts(_))
}
