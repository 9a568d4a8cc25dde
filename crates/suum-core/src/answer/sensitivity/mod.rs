//! Dependence of an answer on the assumption that budgets are unrelated to values.
//!
//! The weight of a tier in an estimate can differ from its share of the records. If the means of
//! tiers differ by at most D, the bias of the estimate is at most D·TV, for any means of the tiers.
//! So an interval for any D follows from public facts and the release itself.

mod claim;
mod ends;
mod record;
mod tiers;

use crate::Interval;
use crate::answer::interval::Biases;

pub use claim::Claim;
pub(crate) use ends::{EndErrors, NoiseLaw};
pub use record::{IntervalAt, SensitivityRecord};
pub(crate) use tiers::{MeasuredTier, TierErrors, TierMeans, tier_weights};

/// Dependence of one answer on the assumption that budgets are unrelated to values.
///
/// A difference is the largest distance between the means of two tiers, in units of the values. For
/// shares of categories it is between two shares, and for a quantile between the shares of records
/// below it. If a mean learned a range first, it is the largest distance of two distributions
/// (Wasserstein-1), which is no less than that of their means.
///
/// # Formula
///
/// With p_j the share of tier j in the records, and W_j its share in the estimate, TV = Σ (p_j −
/// W_j)₊; with strata that of each, weighted by its share of the estimate. Because Σ (W_j −
/// p_j) = 0, |Σ W_j·m_j − Σ p_j·m_j| ≤ D·TV for all means m_j in an interval of length D, and some
/// means attain it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// TV, between 0 and 1; for the difference of two groups the sum of both.
    tv: f64,
    /// Largest possible difference.
    most: f64,
    model: Model,
}

/// Model from which the interval at a difference is computed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Model {
    /// Noise and errors at both ends of one estimate.
    Ends(Box<Ends>),
    /// Means of tiers that were measured apart.
    Tiers(Box<TierMeans>),
    /// Difference of two estimates, which have their own intervals.
    Apart(Box<Apart>),
    /// Rank of a quantile, as a share of the records, of which only the bias is known: the bias for
    /// a difference of 1, beyond the declared difference that its interval allows for.
    Rank { rank: f64, bias: f64, declared: f64 },
}

/// Estimate with the errors at both ends of its interval, in units of the statistic.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ends {
    /// Published interval.
    pub(crate) published: Interval,
    /// Confidence of each interval alone, if several hold together.
    pub(crate) confidence: f64,
    /// Difference that the published interval allows for.
    pub(crate) declared: f64,
    /// Estimate at the centre of the interval: before it was shrunk or projected.
    pub(crate) centre: f64,
    /// Least and largest possible value; `None` without limits.
    pub(crate) possible: Option<[f64; 2]>,
    /// Standard deviation of the error from the shares of tiers in a sample, for a difference of 1.
    pub(crate) tiers_sd: f64,
    /// Errors below and above.
    pub(crate) errors: [EndErrors; 2],
}

/// Difference of two estimates, in units of the statistic.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Apart {
    /// Published interval of the difference.
    published: Interval,
    /// Least and largest possible difference; `None` without limits.
    possible: Option<[f64; 2]>,
    both: [Sensitivity; 2],
}

/// Number of halvings of the range in the search for a breakdown.
const HALVINGS: usize = 60;

/// Largest number of powers of ten in a curve.
const DECADES: i32 = 5;

/// TV below which weights are equal except for rounding.
pub(crate) const EQUAL: f64 = 1e-9;

impl Sensitivity {
    /// Returns the dependence of an estimate with these errors; `None` if one of them is not
    /// finite.
    pub(crate) fn from_ends(tv: f64, most: f64, ends: Ends) -> Option<Self> {
        let Ends { published, centre, possible, tiers_sd, errors, declared, .. } = &ends;
        let numbers = [tv, most, published.lower, published.upper, *centre, *tiers_sd, *declared];
        let possible = possible.iter().flatten().copied();
        let finite = numbers.into_iter().chain(possible).all(f64::is_finite)
            && errors.iter().all(EndErrors::is_finite);
        let tv = if tv < EQUAL { 0.0 } else { tv };
        finite.then(|| Self { tv, most, model: Model::Ends(Box::new(ends)) })
    }

    /// Returns the dependence of an estimate that is computed from means of tiers; `None` if one of
    /// their numbers is not finite.
    pub(crate) fn from_tiers(most: f64, means: TierMeans) -> Option<Self> {
        let is_possible = means.is_possible() && most.is_finite();
        is_possible.then(|| {
            let tv = Some(means.tv()).filter(|tv| *tv >= EQUAL).unwrap_or(0.0);
            Self { tv, most, model: Model::Tiers(Box::new(means)) }
        })
    }

    /// Returns the dependence of the rank of a quantile whose interval allows for this difference.
    pub(crate) fn from_rank(tv: f64, bias: f64, rank: f64, declared: f64) -> Self {
        let [tv, bias] = [tv, bias].map(|one| if one < EQUAL { 0.0 } else { one });
        Self { tv, most: 1.0, model: Model::Rank { rank, bias, declared } }
    }

    /// Returns the dependence of a difference of two estimates with this published interval. If the
    /// interval combines the errors of both, `sd_of_both` returns the standard deviation of their
    /// sampling errors together. If both allow for tiers that differ, so does their difference, and
    /// its interval is computed again.
    pub(crate) fn from_difference(
        one: &Self,
        other: &Self,
        published: Interval,
        possible: Option<[f64; 2]>,
        sd_of_both: Option<fn(f64, f64) -> f64>,
    ) -> Option<Self> {
        let (tv, most) = (one.tv + other.tv, one.most.max(other.most));
        match (&one.model, &other.model, sd_of_both) {
            (Model::Ends(first), Model::Ends(second), Some(sd_of_both)) => {
                let [below, above] = &first.errors;
                let [other_below, other_above] = &second.errors;
                let errors =
                    [below.and(other_above, sd_of_both)?, above.and(other_below, sd_of_both)?];
                let centre = first.centre - second.centre;
                let tiers_sd = sd_of_both(first.tiers_sd, second.tiers_sd);
                let declared = first.declared.min(second.declared);
                let confidence = published.confidence;
                let mut ends =
                    Ends { published, confidence, declared, centre, possible, tiers_sd, errors };
                ends.allow_for_declared(centre);
                Self::from_ends(tv, most, ends)
            }
            (Model::Ends(_) | Model::Tiers(_), Model::Ends(_) | Model::Tiers(_), _) => {
                let both = [one.clone(), other.clone()];
                let apart = Apart { published, possible, both };
                Some(Self { tv, most, model: Model::Apart(Box::new(apart)) })
            }
            _ => None,
        }
    }

    /// Returns TV: the part of the estimate by which the weights of some tiers exceed their shares
    /// of the records, and those of others fall short. For a difference of two groups it is the sum
    /// of both.
    pub fn tv(&self) -> f64 {
        self.tv
    }

    /// Returns the largest possible difference: the width of the bounds, and 1 for shares.
    pub fn most(&self) -> f64 {
        self.most
    }

    /// Returns the difference that the published interval allows for; 0 unless one was declared.
    pub fn declared(&self) -> f64 {
        match &self.model {
            Model::Ends(ends) => ends.declared,
            Model::Tiers(means) => means.declared,
            Model::Apart(apart) => {
                apart.both.iter().map(Self::declared).fold(f64::INFINITY, f64::min)
            }
            Model::Rank { declared, .. } => *declared,
        }
    }

    /// Returns the published interval; `None` for a rank.
    pub(crate) fn published(&self) -> Option<Interval> {
        match &self.model {
            Model::Ends(ends) => Some(ends.published),
            Model::Tiers(means) => Some(means.published),
            Model::Apart(apart) => Some(apart.published),
            Model::Rank { .. } => None,
        }
    }

    /// Returns true if it is about the rank of a quantile, and not about the quantile.
    pub fn is_of_rank(&self) -> bool {
        matches!(self.model, Model::Rank { .. })
    }

    /// Returns the additional bias for every 1 by which tiers differ, in units of the statistic; 0
    /// if the interval already allows for any difference.
    pub fn bias(&self) -> f64 {
        match &self.model {
            Model::Ends(ends) => ends.errors.iter().map(|end| end.bias).fold(0.0, f64::max),
            Model::Tiers(means) => self.tv * means.unit,
            Model::Apart(apart) => apart.both.iter().map(Self::bias).sum(),
            Model::Rank { bias, .. } => *bias,
        }
    }

    /// Returns the lower and upper end of the interval if tiers differ by at most `difference`. For
    /// a quantile these are the least and the largest rank that it can have, apart from noise and
    /// sampling.
    ///
    /// Up to the [declared](Self::declared) difference it is the published interval, and at the
    /// largest it contains all others.
    ///
    /// # Formula
    ///
    /// Half widths t solve F(t − B) + F(t + B) = 1 − confidence, with B = `difference`·TV and F the
    /// upper tail of the noise and a normal sampling error. For the target `population` this has
    /// max w for Σ w², because tiers may also have different variances, and another D/(2√n) for the
    /// shares of tiers; for `dataset` the difference is that of the means in these data, and there
    /// is no sampling error. An interval is never inside one for a smaller difference.
    pub fn at(&self, difference: f64) -> [f64; 2] {
        let difference = difference.abs().min(self.most);
        match &self.model {
            Model::Ends(ends) => ends.at(difference),
            Model::Tiers(means) => means.at(difference),
            Model::Apart(_) if difference <= self.declared() => {
                self.published().map_or([0.0; 2], |published| [published.lower, published.upper])
            }
            Model::Apart(apart) => apart.at(difference),
            Model::Rank { rank, bias, declared } => {
                let bias = (difference - declared).max(0.0) * bias;
                [(rank - bias).max(0.0), (rank + bias).min(1.0)]
            }
        }
    }

    /// Returns the largest difference of tiers up to which the interval supports the claim: 0 if it
    /// does not even at 0, and ∞ if it does at the largest possible difference. `None` for the rank
    /// of a quantile.
    pub fn breakdown(&self, claim: Claim) -> Option<f64> {
        if self.is_of_rank() {
            return None;
        }
        let holds = |difference: f64| claim.is_true_of(self.at(difference));
        if !holds(0.0) {
            return Some(0.0);
        }
        if holds(self.most) {
            return Some(f64::INFINITY);
        }
        let (mut low, mut high) = (0.0, self.most);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if holds(middle) { low = middle } else { high = middle }
        }
        Some(low)
    }

    /// Returns intervals for differences from 0 to the largest one, at round numbers in between.
    pub fn curve(&self) -> Vec<IntervalAt> {
        let at = |difference: f64| {
            let [lower, upper] = self.at(difference);
            IntervalAt { difference, lower, upper }
        };
        self.differences().into_iter().map(at).collect()
    }

    /// Returns the differences of the curve: 0, the declared one if any, the numbers 1, 2 and 5
    /// times powers of ten from about a tenth of the difference at which the bias equals half the
    /// interval's length, and the largest.
    fn differences(&self) -> Vec<f64> {
        let mut all = vec![0.0];
        let [lower, upper] = self.at(0.0);
        let bias = self.bias();
        if bias > 0.0 && self.most > 0.0 {
            let tenth = (upper - lower) / 20.0 / bias;
            let first = tenth.clamp(1e-3 * self.most, 0.1 * self.most);
            let power = first.log10().floor() as i32;
            // Decimal numbers, parsed so that their text is as short.
            let number = |(digit, power)| format!("{digit}e{power}").parse().unwrap_or(0.0);
            let digits = |power| [1, 2, 5].map(|digit| (digit, power));
            let numbers = (power..power + DECADES).flat_map(digits).map(number);
            let declared = self.declared();
            all.extend(Some(declared).filter(|declared| (0.0..self.most).contains(declared)));
            all.dedup();
            let is_more = |number: &f64| *number > declared && (first..self.most).contains(number);
            all.extend(numbers.filter(is_more));
        }
        all.push(self.most);
        all
    }
}

impl Apart {
    /// See [`Sensitivity::at`].
    fn at(&self, difference: f64) -> [f64; 2] {
        let Interval { lower, upper, .. } = self.published;
        if difference <= 0.0 {
            return [lower, upper];
        }
        let [one, other] = self.both.each_ref().map(|each| each.at(difference));
        let [lowest, highest] = self.possible.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        [(one[0] - other[1]).max(lowest).min(lower), (one[1] - other[0]).min(highest).max(upper)]
    }
}

impl Ends {
    /// See [`Sensitivity::at`].
    fn at(&self, difference: f64) -> [f64; 2] {
        let Interval { lower, upper, .. } = self.published;
        if difference <= self.declared || self.errors.iter().all(|end| end.bias == 0.0) {
            return [lower, upper];
        }
        let [least, most] = self.reach(difference);
        [least.min(lower), most.max(upper)]
    }

    /// Replaces the published interval by one that allows for the declared difference and contains
    /// the estimate.
    pub(crate) fn allow_for_declared(&mut self, estimate: f64) {
        if self.declared > 0.0 {
            let [lower, upper] = self.reach(self.declared);
            let (lower, upper) = (lower.min(estimate), upper.max(estimate));
            self.published = Interval { lower, upper, ..self.published };
        }
    }

    /// Returns the least and the largest value that agree with the estimate if tiers differ by at
    /// most `difference`.
    fn reach(&self, difference: f64) -> [f64; 2] {
        let sd = self.tiers_sd * difference;
        let biases = self.errors.each_ref().map(|end| end.bias * difference);
        let half_width = |end: usize| {
            let biases = Biases { here: biases[end], there: biases[1 - end] };
            self.errors[end].half_width(self.confidence, biases, sd)
        };
        let (below, above) = (half_width(0), half_width(1));
        let [lowest, highest] = self.possible.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let middle = self.centre.max(lowest - above / 2.0).min(highest + below / 2.0);
        let inside = |end: f64| end.max(lowest).min(highest);
        [inside(middle - below), inside(middle + above)]
    }
}

#[cfg(test)]
mod tests;
