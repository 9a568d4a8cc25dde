//! τ: the most that anybody spends on the estimate.

use super::people::People;
use super::rough::{Rough, buckets, top};
use super::{AddRemoveOptions, AddRemoveRequest};
use crate::moment::largest_laplace_square;
use crate::session::{Account, Session};
use crate::{Bounds, Epsilon, Estimator, Rank, Result, Target};

/// How records weigh in an estimate, and what is known of all of them together.
#[derive(Debug, Clone)]
pub(super) struct Weighing {
    /// τ.
    pub(super) clip: Epsilon,
    /// Whether everybody weighs the same.
    pub(super) equal: bool,
    /// Σ r²/Σ r: at most τ, and τ where nothing is known.
    typical: f64,
    /// What it is at most, with some confidence: an interval must not be narrow by mistake.
    cautious: f64,
}

impl AddRemoveRequest {
    /// τ where it is a public constant, for the estimator of that name.
    fn known_clip(&self, estimator: Estimator, account: &Account) -> Option<Epsilon> {
        match estimator {
            Estimator::Uniform => Some(account.least().min(top(account))),
            Estimator::Proportional => Some(account.most()),
            // Nobody can spend more than the largest budget.
            _ if self.options().clip.is_some() => {
                self.options().clip.map(|clip| clip.min(account.most()))
            }
            _ => (buckets(self.budgets(), account).len() == 1).then(|| top(account)),
        }
    }

    /// Whether a rough profile has to be bought to find τ.
    pub(super) fn needs_profile(&self, estimator: Estimator, account: &Account) -> bool {
        self.known_clip(estimator, account).is_none()
    }

    /// The rough profile, where τ has to be found.
    pub(super) fn profile_for_clip(
        &self,
        people: &People<'_>,
        session: &mut Session<'_>,
    ) -> Result<Option<Rough>> {
        match self.needs_profile(self.options().estimator(), session.account()) {
            true => Rough::measured(people, self.budgets(), session).map(Some),
            false => Ok(None),
        }
    }

    /// The weights of the estimator: those with least Σ r² + c over (Σ r)², where that is to be
    /// found.
    pub(super) fn weighing(
        &self,
        estimator: Estimator,
        account: &Account,
        rough: Option<&Rough>,
        c: f64,
    ) -> Weighing {
        let (least, top) = (account.least(), top(account));
        let clip = self.known_clip(estimator, account).unwrap_or_else(|| {
            let found = rough.map_or(f64::INFINITY, |rough| rough.clip_level(c));
            Epsilon::new(found).unwrap_or(top).max(least).min(top)
        });
        let equal = clip <= least;
        match rough {
            Some(rough) if !equal => {
                let typical = |deviations| rough.typical_weight(clip.get(), deviations);
                Weighing { clip, equal, typical: typical(0.0), cautious: typical(2.0) }
            }
            _ => Weighing { equal, ..Weighing::at(clip) },
        }
    }
}

impl Weighing {
    /// Everybody at τ, as far as is known.
    pub(super) fn at(clip: Epsilon) -> Self {
        Self { clip, equal: true, typical: clip.get(), cautious: clip.get() }
    }

    /// Whether sampling is no error: the dataset is what is asked for, and everybody weighs the
    /// same.
    pub(super) fn is_exact(&self, options: &AddRemoveOptions) -> bool {
        self.equal && options.target == Target::Dataset
    }

    /// Q = Σ r² of people with Σ r = `whole`; zero where sampling is no error.
    pub(super) fn square(&self, options: &AddRemoveOptions, whole: f64) -> f64 {
        if self.is_exact(options) { 0.0 } else { self.typical * whole }
    }

    /// As [`square`](Self::square), and rather too large than too small.
    pub(super) fn cautious_square(&self, options: &AddRemoveOptions, whole: f64) -> f64 {
        if self.is_exact(options) { 0.0 } else { self.cautious * whole }
    }
}

/// σ² over the squared width of the bounds: declared, or 1/4.
pub(super) fn relative_variance(options: &AddRemoveOptions, bounds: Bounds) -> f64 {
    options.variance.map_or(0.25, |variance| variance / bounds.width() / bounds.width())
}

/// c of a mean: noise of at most 2/N² over σ²Q/N², as for the clip level of a replace-one mean.
///
/// At a mean of u, in units of the range, the noise has 2(u² + (1 − u)²)/N², half as much in the
/// middle as at the ends. The variance can be largest in the middle, so half of this c would be
/// best in the worst case, by a per cent or two; this one serves means near an end far better.
pub(super) fn factor_of_mean(variance: f64) -> f64 {
    2.0 / variance
}

/// c of frequencies over k categories, at equal ones.
pub(super) fn factor_of_frequencies(categories: usize) -> f64 {
    4.0 * noise_of_frequencies(categories, 1.0 / categories as f64)
}

/// The expected largest square of the noise over all categories, for noise of scale 1 in a whole of
/// 1, if the most frequent has share f: (1 − 1/k)·E max over k − 1 Laplace variables, and what is
/// more in the most frequent one than in all others on average, 2(kf² − 2f + 1/k). Exact for two
/// categories, within 13 % of the root in simulations of up to 30.
pub(super) fn noise_of_frequencies(categories: usize, most: f64) -> f64 {
    let k = categories as f64;
    let most = most.clamp(1.0 / k, 1.0);
    (1.0 - 1.0 / k) * largest_laplace_square(categories - 1)
        + (2.0 * (k * most * most - 2.0 * most + 1.0 / k)).max(0.0)
}

/// c of quantiles that have `part` of the budget each: noise 8·max(q, 1 − q)²/part² over sampling
/// q(1 − q), each summed over the ranks.
pub(super) fn factor_of_quantiles(ranks: &[Rank], part: f64) -> f64 {
    let (noise, sampling) =
        ranks.iter().map(|rank| rank.get()).fold((0.0, 0.0), |(noise, sampling), q| {
            (noise + rank_noise(q, part), sampling + q * (1.0 - q))
        });
    noise / sampling
}

/// The variance of the noise of a rank, in a whole of 1.
pub(super) fn rank_noise(q: f64, part: f64) -> f64 {
    8.0 * (q.max(1.0 - q) / part).powi(2)
}
