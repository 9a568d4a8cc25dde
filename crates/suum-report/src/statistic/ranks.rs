//! Drawing of quantiles and of the ends of their intervals, with formulas and sources.

use suum_core::{
    EndsQuery, Neighbors, QuantileEstimator, QuantileMechanism, QuantileMethod, QuantilePlan,
    Refinement, Target,
};

use super::AddRemoveMeasurements;
use crate::figures::count;
use crate::html::{Method, Source};

/// Questions about ranks, and their neighbouring relation.
#[derive(Debug, Clone, Copy)]
struct QuantileQuestions {
    /// Split of the budget among several quantiles.
    method: QuantileMethod,
    /// True if there is more than one question, so that each has a part of the budget.
    several: bool,
    /// True if intervals are measured.
    ends: bool,
    steps: u32,
    target: Target,
    neighbors: Neighbors,
}

impl Method {
    /// Method of quantiles of people whose number is public.
    pub(crate) fn for_quantiles(plan: &QuantilePlan, counts_with: Option<String>) -> Self {
        let (request, estimator) = (plan.request(), plan.chosen().estimator);
        let asked = QuantileQuestions {
            method: plan.method(),
            several: plan.questions() > 1,
            ends: plan.split().any(|one| one.interval > 0.0),
            steps: request.cells().steps(),
            target: request.options().target,
            neighbors: Neighbors::ReplaceOne,
        };
        let mut method = Self::default();
        method.say(&format!("Estimator: {estimator} ({}).", estimator.describe()));
        method.candidates(asked);
        match estimator {
            QuantileEstimator::Weighted => {
                method.say(
                    "The weights are
                     $ w_i = min(ε_i, τ)",
                );
            }
            QuantileEstimator::Pe => {
                method.say(
                    "The weights are (if anybody is public, public people alone count)
                     $ w_i = ε_i",
                );
            }
            QuantileEstimator::Mixed => {
                method.say(
                    "All this is within each level alone, at its own ε; the draws of the levels \
                     are then combined like means of levels (Ferrando et al. 2021).",
                );
                method.sources.push(Source::Fgk21);
            }
        }
        if is_exact(plan) {
            method.say(
                "No noise is drawn, since only public people count: an answer is a candidate \
                 that is least far from its rank.",
            );
            if asked.ends {
                method.say(&format!(
                    "The ends of intervals are quantiles themselves, at ranks further down and \
                    up. {}",
                    describe_sampling(asked.target)
                ));
            }
        } else {
            method.drawing(asked);
        }
        if let Some(counts_with) = counts_with {
            method.say(&format!("A person with several rows counts once, with {counts_with}."));
        }
        method.say(&format!("Source: {} (weights ε).", Source::Jorgensen.name()));
        method.sources.push(Source::Jorgensen);
        method
    }

    /// Describes quantiles under hidden participation.
    pub(super) fn add_remove_ranks(&mut self, measured: &AddRemoveMeasurements<'_>) {
        let AddRemoveMeasurements { request, method, ends, .. } = *measured;
        let options = request.options();
        let asked = QuantileQuestions {
            method,
            several: ends || request.quantile_count() > 1,
            ends,
            steps: request.cells().map_or(0, |cells| cells.steps()),
            target: options.target,
            neighbors: options.neighbors,
        };
        self.candidates(asked);
        self.drawing(asked);
    }

    /// Describes the candidates, and their distance from a rank.
    fn candidates(&mut self, asked: QuantileQuestions) {
        self.say(&format!(
            "An answer is one of {} candidates over the bounds. Every person weighs w.",
            count(u64::from(asked.steps) + 1)
        ));
        if asked.method == QuantileMethod::Even {
            self.say(
                "L and E are the weights of those below a candidate y and of those at it, T that \
                 of all. How far y is from rank q is the distance
                 $ d(y) = max(L(y) − q T, q T − L(y) − E(y), 0)",
            );
        }
    }

    /// Describes the noisy choice of the answers.
    fn drawing(&mut self, asked: QuantileQuestions) {
        match asked.method {
            QuantileMethod::Recursion => self.recursion(asked.neighbors),
            QuantileMethod::Even => self.one_by_one(asked),
            QuantileMethod::Histogram => return self.histogram(asked),
        }
        let together = asked.method == QuantileMethod::Recursion;
        if asked.ends {
            let around = match together {
                true => "Both ends of an interval are drawn together, by permute-and-flip",
                false => "Both ends of an interval are drawn together, in the same way",
            };
            self.say(&format!(
                "{around}: one width around the estimate, from a list of {} widths. {} The number \
                of widths bounds what the draw does.",
                count(u64::from(EndsQuery::width_count(asked.steps))),
                describe_sampling(asked.target),
            ));
        }
        let (source, drawing) = match together {
            true => (Source::Kaplan, "estimates"),
            false => (Source::McKenna, "drawing"),
        };
        self.say(&format!("Source: {} ({drawing}).", source.name()));
        self.sources.push(source);
        if together && asked.ends {
            self.say(&format!("Source: {} (ends of intervals).", Source::McKenna.name()));
            self.sources.push(Source::McKenna);
        }
    }

    /// Describes questions that are answered one by one.
    fn one_by_one(&mut self, asked: QuantileQuestions) {
        self.say(
            "The answer is drawn by permute-and-flip: go through the candidates in random order, \
             and stop at y with the probability",
        );
        let one_sided = asked.neighbors == Neighbors::AddRemove;
        self.formula(match (asked.several, one_sided) {
            (false, false) => "e^{−d(y)/2}",
            (false, true) => "e^{−d(y)/(2 max(q, 1 − q))}",
            (true, false) => "e^{−a d(y)/2}",
            (true, true) => "e^{−a d(y)/(2 max(q, 1 − q))}",
        });
        if asked.several {
            self.say("where a is the part of the budget that the question has.");
        }
        let moved = match asked.neighbors {
            Neighbors::ReplaceOne => {
                "Replacing one person’s data moves every distance by at most their weight"
            }
            Neighbors::AddRemove => {
                "Somebody who joins or leaves moves every distance by at most max(q, 1 − q) times \
                their weight"
            }
            Neighbors::Both => {
                "Somebody who joins or leaves, or says something else, moves every distance by at \
                most their weight"
            }
        };
        self.say(&match asked.several {
            false => format!("{moved}. So they lose no more than their weight."),
            true => format!(
                "{moved}. So a question costs them no more than a times their weight, and all \
                together no more than their weight."
            ),
        });
    }

    /// Describes recursion: the middle quantile first, the others in the parts that it makes.
    fn recursion(&mut self, neighbors: Neighbors) {
        self.say(
            "The middle quantile is asked for first. Its answer cuts the data, and the others are \
             asked for in the parts below and above it in the same way. The weight at a candidate \
             is spread over 65,536 positions, so that a cut can go through it. Each answer is \
             drawn by the exponential mechanism: position p with
             $ P(p) ∝ e^{−a |(1 − f) L − f G|/(2 c)}",
        );
        self.say(&format!(
            "L and G are the weights in the part below and above p, f is where the rank lies in \
            the part, a is the part of the budget for all estimates, and c is the cost of all \
            their questions together. It is such that {} no more than a times their weight.",
            match neighbors {
                Neighbors::ReplaceOne => "replacing one person’s data costs them",
                Neighbors::AddRemove => "joining or leaving costs somebody",
                Neighbors::Both => "joining, leaving or saying something else costs somebody",
            }
        ));
    }

    /// Describes a histogram from which all quantiles are read.
    fn histogram(&mut self, asked: QuantileQuestions) {
        let (noise, formula, moved) = match asked.neighbors {
            Neighbors::ReplaceOne => (
                "noise z that adds up to zero",
                "P(z) ∝ e^{−a Σ|z|/2}",
                "Replacing one person’s data moves the weights of two cells by at most their \
                weight each",
            ),
            Neighbors::AddRemove => (
                "noise z of its own",
                "P(z) ∝ e^{−a |z|}",
                "Somebody who joins or leaves moves the weight of one cell by at most their \
                weight",
            ),
            Neighbors::Both => (
                "noise z of its own",
                "P(z) ∝ e^{−a |z|/2}",
                "Somebody who joins or leaves moves the weight of one cell by at most their \
                weight, somebody who says something else those of two",
            ),
        };
        self.say(&format!(
            "The weight in cells of equal width is measured with noise. Cells that have much of it \
            are divided into {} and measured again, and neighbours with little of it are joined; \
            what the last look shows counts. A look releases, for every cell, its weight and \
            {noise}, with the probability",
            Refinement::INTO,
        ));
        self.formula(formula);
        self.say(&format!(
            "where a is the part of the budget that the look has. {moved}. So a look costs them no \
            more than a times their weight, and all looks together no more than their weight. \
            Cells depend on earlier answers only.",
        ));
        self.say(&format!(
            "An estimate is where the noisy share below reaches the rank, with the weight of a \
            cell spread evenly over it. The ends of its interval are the cuts beyond which the \
            noise of one share does not explain that the rank is passed, with the stated \
            probability. {}",
            describe_sampling(asked.target),
        ));
    }
}

/// Probability that an interval misses because of sampling rather than the draw.
fn describe_sampling(target: Target) -> &'static str {
    match target {
        Target::Population | Target::Dataset => {
            "Whatever ties and gaps the values have, the probability of a miss is at most what is \
            stated: what sampling does to a rank is bounded for values of any kind."
        }
        Target::DatasetCorrelated => {
            "Whatever ties and gaps the values have, the probability of a miss is at most what is \
            stated: what unequal weights do to a rank at their worst is allowed for."
        }
    }
}

/// Returns true if no noise is drawn at all.
fn is_exact(plan: &QuantilePlan) -> bool {
    match plan.mechanism() {
        QuantileMechanism::Joint(choice) => choice.scale().is_zero(),
        QuantileMechanism::Refined(counts) => counts.scale().is_zero(),
        QuantileMechanism::PerLevel(levels) => {
            levels.iter().all(|(_, choice)| choice.scale().is_zero())
        }
    }
}
