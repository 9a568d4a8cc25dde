//! Dependence of an answer on the assumption that budgets have nothing to do with values.
//!
//! Tiers weigh more or less in an estimate than they have records. If the means of tiers differ by
//! at most D, the estimate is off by at most D·TV, whichever tier has which mean: so a release
//! tells its own interval for any D, from public facts alone.

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

/// Dependence of one answer on the assumption that budgets have nothing to do with values.
///
/// A difference is the largest distance of the means of two tiers, in units of the values; of
/// shares of categories that of two shares, and of a quantile that of the shares of records below
/// it. Where a mean learned a range first it is the largest distance of two distributions
/// (Wasserstein-1), which is no less than that of their means.
///
/// # Formula
///
/// With p_j the share of the records that tier j has, and W_j the share of the estimate,
/// TV = Σ (p_j − W_j)₊; in strata that of each, weighted by its share of the estimate. Since
/// Σ (W_j − p_j) = 0, |Σ W_j·m_j − Σ p_j·m_j| ≤ D·TV for all means m_j in an interval of length D,
/// and there are means with which it is as much.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity {
    /// TV, between 0 and 1; of the difference of two groups the sum of both.
    tv: f64,
    /// The largest difference that there can be.
    most: f64,
    model: Model,
}

/// Origin of the interval at a difference.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Model {
    /// Noise and errors at both ends of one estimate.
    Ends(Box<Ends>),
    /// Means of tiers that were measured apart.
    Tiers(Box<TierMeans>),
    /// What one estimate has more than another, of which both have their own intervals.
    Apart(Box<Apart>),
    /// The rank of a quantile, as a share of the records, of which the bias alone is known: that
    /// for a difference of 1, beyond the one that its interval allows for.
    Rank { rank: f64, bias: f64, declared: f64 },
}

/// An estimate with the errors at both ends of its interval, in units of the statistic.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ends {
    /// The interval as it was published.
    pub(crate) published: Interval,
    /// The confidence of each interval alone, where several hold at once.
    pub(crate) confidence: f64,
    /// The difference for which the published interval allows.
    pub(crate) declared: f64,
    /// The estimate that the interval is around: before it was shrunk or projected.
    pub(crate) centre: f64,
    /// The least and the largest possible value; `None` where there is none.
    pub(crate) possible: Option<[f64; 2]>,
    /// The standard deviation of the error that a sample of tiers makes of their shares, for a
    /// difference of 1.
    pub(crate) tiers_sd: f64,
    /// The errors below and above.
    pub(crate) errors: [EndErrors; 2],
}

/// What one estimate has more than another, in units of the statistic.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Apart {
    /// The interval of the difference, as it was published.
    published: Interval,
    /// The least and the largest possible difference; `None` where there is none.
    possible: Option<[f64; 2]>,
    both: [Sensitivity; 2],
}

/// How often the range is halved in which a breakdown is searched for.
const HALVINGS: usize = 60;

/// As many powers of ten as a curve can go through.
const DECADES: i32 = 5;

/// TV below which weights are equal but for rounding.
pub(crate) const EQUAL: f64 = 1e-9;

impl Sensitivity {
    /// Dependence of an estimate with these errors; `None` where one of them is not finite.
    pub(crate) fn of_ends(tv: f64, most: f64, ends: Ends) -> Option<Self> {
        let Ends { published, centre, possible, tiers_sd, errors, declared, .. } = &ends;
        let numbers = [tv, most, published.lower, published.upper, *centre, *tiers_sd, *declared];
        let possible = possible.iter().flatten().copied();
        let finite = numbers.into_iter().chain(possible).all(f64::is_finite)
            && errors.iter().all(EndErrors::is_finite);
        let tv = if tv < EQUAL { 0.0 } else { tv };
        finite.then(|| Self { tv, most, model: Model::Ends(Box::new(ends)) })
    }

    /// Dependence of an estimate that is made of means of tiers; `None` where one of their numbers
    /// is not finite.
    pub(crate) fn of_tiers(most: f64, means: TierMeans) -> Option<Self> {
        let is_possible = means.is_possible() && most.is_finite();
        is_possible.then(|| {
            let tv = Some(means.tv()).filter(|tv| *tv >= EQUAL).unwrap_or(0.0);
            Self { tv, most, model: Model::Tiers(Box::new(means)) }
        })
    }

    /// Dependence of the rank of a quantile whose interval allows for this difference.
    pub(crate) fn of_rank(tv: f64, bias: f64, rank: f64, declared: f64) -> Self {
        let [tv, bias] = [tv, bias].map(|one| if one < EQUAL { 0.0 } else { one });
        Self { tv, most: 1.0, model: Model::Rank { rank, bias, declared } }
    }

    /// Dependence of a difference of two estimates, of which this interval was published:
    /// `together` says that it is made of the errors of both. Where both allow for tiers that
    /// differ, so does their difference, and its interval is made anew.
    pub(crate) fn of_difference(
        one: &Self,
        other: &Self,
        published: Interval,
        (together, possible): (bool, Option<[f64; 2]>),
    ) -> Option<Self> {
        let (tv, most) = (one.tv + other.tv, one.most.max(other.most));
        match (&one.model, &other.model) {
            (Model::Ends(first), Model::Ends(second)) if together => {
                let [below, above] = &first.errors;
                let [other_below, other_above] = &second.errors;
                let errors = [below.and(other_above)?, above.and(other_below)?];
                let centre = first.centre - second.centre;
                let tiers_sd = first.tiers_sd.hypot(second.tiers_sd);
                let declared = first.declared.min(second.declared);
                let confidence = published.confidence;
                let mut ends =
                    Ends { published, confidence, declared, centre, possible, tiers_sd, errors };
                ends.allow_for_declared(centre);
                Self::of_ends(tv, most, ends)
            }
            (Model::Ends(_) | Model::Tiers(_), Model::Ends(_) | Model::Tiers(_)) => {
                let both = [one.clone(), other.clone()];
                let apart = Apart { published, possible, both };
                Some(Self { tv, most, model: Model::Apart(Box::new(apart)) })
            }
            _ => None,
        }
    }

    /// TV: the part of the estimate that some tiers have more than their share of the records, and
    /// others less. Of a difference of two groups it is the sum of both.
    pub fn tv(&self) -> f64 {
        self.tv
    }

    /// The largest difference that there can be: the width of the bounds, and 1 for shares.
    pub fn most(&self) -> f64 {
        self.most
    }

    /// The difference for which the published interval allows; 0 unless one was declared.
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

    /// The published interval; `None` of a rank.
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

    /// By how much more the answer can be off for every 1 by which tiers differ, in units of the
    /// statistic; 0 where its interval allows for any difference already.
    pub fn bias(&self) -> f64 {
        match &self.model {
            Model::Ends(ends) => ends.errors.iter().map(|end| end.bias).fold(0.0, f64::max),
            Model::Tiers(means) => self.tv * means.unit,
            Model::Apart(apart) => apart.both.iter().map(Self::bias).sum(),
            Model::Rank { bias, .. } => *bias,
        }
    }

    /// Lower and upper end of the interval if tiers differ by at most `difference`; of a quantile
    /// the least and the largest rank that it can have but for noise and sampling.
    ///
    /// Up to the [declared](Self::declared) difference it is the published interval, and at the
    /// largest it contains all others.
    ///
    /// # Formula
    ///
    /// Half widths t solve F(t − B) + F(t + B) = 1 − confidence, with B = `difference`·TV and F the
    /// upper tail of the noise and a normal sampling error. For the target `population` this has
    /// max w for Σ w², since tiers may have other variances, too, and another D/(2√n) for the
    /// shares of tiers; for `dataset` the difference is that of the means in these data, and there
    /// is none. Never is an interval inside one for a smaller difference.
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

    /// The largest difference of tiers at which the interval still says what is claimed, for that
    /// and all smaller ones: 0 if it does not even do so at 0, and ∞ if it does at the largest that
    /// there can be. `None` of the rank of a quantile.
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

    /// Intervals for differences from 0 to the largest one, at round numbers between.
    pub fn curve(&self) -> Vec<IntervalAt> {
        let at = |difference: f64| {
            let [lower, upper] = self.at(difference);
            IntervalAt { difference, lower, upper }
        };
        self.differences().into_iter().map(at).collect()
    }

    /// The differences of the curve: 0, the declared one if there is one, the numbers 1, 2 and 5
    /// times powers of ten from about a tenth of that at which the bias is as long as half the
    /// interval, and the largest.
    fn differences(&self) -> Vec<f64> {
        let mut all = vec![0.0];
        let [lower, upper] = self.at(0.0);
        let bias = self.bias();
        if bias > 0.0 && self.most > 0.0 {
            let tenth = (upper - lower) / 20.0 / bias;
            let first = tenth.clamp(1e-3 * self.most, 0.1 * self.most);
            let power = first.log10().floor() as i32;
            // Decimals, so that they are written as short as they are.
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

    /// Puts an interval that allows for the declared difference, and holds the estimate, in place
    /// of the published one.
    pub(crate) fn allow_for_declared(&mut self, estimate: f64) {
        if self.declared > 0.0 {
            let [lower, upper] = self.reach(self.declared);
            let (lower, upper) = (lower.min(estimate), upper.max(estimate));
            self.published = Interval { lower, upper, ..self.published };
        }
    }

    /// The least and the largest value that agree with the estimate if tiers differ by at most so
    /// much.
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
