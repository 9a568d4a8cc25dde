//! Methods of a range that is found or learned before a mean.

use suum_core::{Neighbors, RangePlan};

use crate::html::Method;
use crate::html::Source;

impl Method {
    /// Method of a mean or a sum whose range was found.
    pub(crate) fn for_range() -> Self {
        let mut method = Self::default();
        method.say(&format!("Estimator: {} ({}).", RangePlan::NAME, RangePlan::ABOUT));
        method.search(Neighbors::ReplaceOne);
        method.say(
            "Inside the range the estimator is affine: one noisy sum with the weights
             $ w_i = {min(ε_i, τ)}/{Σ_j min(ε_j, τ)}",
        );
        method.sources.push(Source::Cc23);
        method.integers();
        method
    }

    /// Method of the search for a range alone.
    pub(crate) fn for_search(neighbors: Neighbors) -> Self {
        let mut method = Self::default();
        method.search(neighbors);
        method
    }

    /// Method of a range that a mean has learned.
    pub(crate) fn for_learning(neighbors: Neighbors) -> Self {
        let mut method = Self::default();
        method.say(
            "A part of every budget, r for each record, chooses one of some thousand ranges: the \
             bounds, three quarters of them, a half and so on, each width in many places. A range \
             R is drawn by permute-and-flip with
             $ P(R) ∝ e^{−d(R)/2} \", \" d(R) = max(0, N − t) + max(0, s − M) + p
             where N is the weight Σ r of the records outside R, M the least weight outside any \
             of five halves of it, t and s are slacks, and p is more for widths of which there \
             are many ranges. A record that moves over the border of R changes N and M in the \
             same direction, and by at most r, so that d changes by no more than r: that is what \
             it costs the record. The range is then widened to 1.75 times its width or more, and \
             to a bound that is near.",
        );
        let (look, sums) = match neighbors.hides_participation() {
            true => ("", "sums of how far values lie below and above the range, and the weight,"),
            false => (
                "If budgets suffice, another part looks at the variance inside the range, with the \
                 two sums described above, so that weights fit it. ",
                "sums of how far values lie below and above the range,",
            ),
        };
        method.say(&format!(
            "{look}What is left pays for the mean of the values clamped to the range, but for a \
             part that its error can afford: that measures the {sums} each with noise. Each end of \
             the interval is moved by its own sum, with its noise and the largest sampling error \
             that values inside the bounds can have.",
        ));
        method
    }

    fn search(&mut self, neighbors: Neighbors) {
        self.say(
            "A small part of every budget finds a private weighted median m, and a private \
             quantile r of the distances from it. One noisy number decides whether the data really \
             lie there; if not, there is no answer. What is left of every budget is spent on the \
             values, moved into the range
             $ m ± k σ
             where σ is the standard deviation of normal data with the radius r, and k is made \
             so that normal data lose little. Candidates y are drawn from all doubles with",
        );
        if neighbors == Neighbors::AddRemove {
            self.say(
                "$ P(y) ∝ e^{−d(y)/(2 max(q, 1 − q))}
                 where d is the distance of y from the rank q, in units of ε. Somebody who joins \
                 or leaves moves it by at most max(q, 1 − q) of their weight, min(ε, τ) of the \
                 part.",
            );
        } else {
            self.say(
                "$ P(y) ∝ e^{−d(y)/2}
                 where d is the distance of y from the middle rank, in units of ε. Replacing one \
                 person moves it by at most their weight, min(ε, τ) of the part.",
            );
        }
        self.source(Source::Dg26, ", Algorithm 6, on weighted counts in place of random samples");
    }
}
