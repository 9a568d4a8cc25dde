//! Clip level τ of the weights: the most that a record spends on the estimate.

use super::AddRemoveRequest;
use super::noisy_profile::{NoisyProfile, buckets, top};
use super::people::People;
use crate::answer::spread::VarianceShares;
use crate::private::session::{Account, Session};
use crate::statistics::quantile::Division;
use crate::strategy::estimator::typical;
use crate::strategy::laplace_maximum::largest_laplace_square;
use crate::{
    Bounds, Epsilon, Estimator, Neighbors, Options, QuantileMethod, Rank, RankTree, Result, Share,
    Target,
};

/// Weights of records in an estimate, with estimates of the sums of their squares.
#[derive(Debug, Clone)]
pub(crate) struct Weighing {
    /// Share of what is left that a record may spend.
    pub(crate) share: Share,
    /// Clip level τ.
    pub(crate) clip: Epsilon,
    /// True if all records have the same weight.
    pub(crate) equal: bool,
    /// Estimate of Σ r²/Σ r, at most τ; τ if nothing is known.
    typical: f64,
    /// Cautious estimate of Σ r²/Σ r, some standard deviations higher, so that intervals are not
    /// too short.
    cautious: f64,
}

impl AddRemoveRequest {
    /// Returns τ if it is a public constant for the given estimator.
    fn public_clip(&self, estimator: Estimator, account: &Account) -> Option<Epsilon> {
        match estimator {
            Estimator::Uniform => Some(account.least().min(top(account))),
            Estimator::Proportional => Some(account.most()),
            // No record can spend more than the largest budget.
            _ if self.options().clip.is_some() => {
                self.options().clip.map(|clip| clip.min(account.most()))
            }
            _ => (buckets(self.budgets(), account).len() == 1).then(|| top(account)),
        }
    }

    /// Returns true if a noisy profile is needed to choose τ.
    pub(crate) fn needs_profile(&self, estimator: Estimator, account: &Account) -> bool {
        self.public_clip(estimator, account).is_none()
    }

    /// Measures the noisy profile if τ has to be chosen from it, or a range may be learned.
    pub(crate) fn profile_for_clip(
        &self,
        people: &People<'_>,
        session: &mut Session<'_>,
    ) -> Result<Option<NoisyProfile>> {
        let needed = self.needs_profile(self.estimator(), session.account());
        match needed || self.may_learn(people) {
            true => NoisyProfile::measured(people, self.budgets(), session).map(Some),
            false => Ok(None),
        }
    }

    /// Returns the weights of the estimator. Unless τ is public, it minimises (Σ r² + c)/(Σ r)²
    /// over the noisy profile.
    pub(crate) fn weighing(
        &self,
        estimator: Estimator,
        account: &Account,
        noisy_profile: Option<&NoisyProfile>,
        c: f64,
    ) -> Weighing {
        self.weighing_of_part(estimator, account, noisy_profile, c, Share::ALL)
    }

    /// Returns the weights where records may spend only `share` of what they have left.
    /// `noisy_profile` has the same share of every budget.
    pub(crate) fn weighing_of_part(
        &self,
        estimator: Estimator,
        account: &Account,
        noisy_profile: Option<&NoisyProfile>,
        c: f64,
        share: Share,
    ) -> Weighing {
        let (least, top) = (share.apply_to(account.least()), share.apply_to(top(account)));
        let clip = self.public_clip(estimator, account).map(|clip| share.apply_to(clip));
        let clip = clip.unwrap_or_else(|| {
            let found =
                noisy_profile.map_or(f64::INFINITY, |noisy_profile| noisy_profile.clip_level(c));
            Epsilon::new(found).unwrap_or(top).max(least).min(top)
        });
        let equal = clip <= least;
        match noisy_profile {
            Some(noisy_profile) if !equal => {
                let typical = |deviations| noisy_profile.typical_weight(clip.get(), deviations);
                Weighing { share, clip, equal, typical: typical(0.0), cautious: typical(2.0) }
            }
            _ => Weighing { share, equal, ..Weighing::at(clip) },
        }
    }
}

impl Weighing {
    /// Returns equal weights τ for all records, for lack of a noisy profile.
    pub(crate) fn at(clip: Epsilon) -> Self {
        let typical = clip.get();
        Self { share: Share::ALL, clip, equal: true, typical, cautious: typical }
    }

    /// Returns the weights in units of a noise of `noise` times the scale.
    pub(crate) fn over(&self, noise: f64) -> Self {
        let clip = Epsilon::new(self.clip.get() / noise).unwrap_or(self.clip);
        let (typical, cautious) = (self.typical / noise, self.cautious / noise);
        Self { clip, typical, cautious, ..*self }
    }

    /// Returns true if there is no sampling error: all weights are equal, and the target is the
    /// dataset.
    pub(crate) fn is_exact(&self, options: &Options) -> bool {
        self.equal && options.target == Target::Dataset
    }

    /// Returns Q = Σ r² of records with Σ r = `whole`; zero if there is no sampling error.
    pub(crate) fn square(&self, options: &Options, whole: f64) -> f64 {
        if self.is_exact(options) { 0.0 } else { self.typical * whole }
    }

    /// Returns the shares of a variance that records with these weights and Σ r = `whole` show.
    pub(crate) fn variance_shares(&self, options: &Options, whole: f64) -> VarianceShares {
        if self.is_exact(options) {
            return VarianceShares { shown: 1.0, asked: 1.0 };
        }
        // At least whole/τ records: of n, the variance of the dataset itself is (n − 1)/n.
        let asked =
            if options.target == Target::Dataset { 1.0 - self.clip.get() / whole } else { 1.0 };
        VarianceShares { shown: 1.0 - self.typical / whole, asked: asked.max(0.0) }
    }

    /// Returns an estimate of Q that is rather too large than too small; see
    /// [`square`](Self::square).
    pub(crate) fn cautious_square(&self, options: &Options, whole: f64) -> f64 {
        if self.is_exact(options) { 0.0 } else { self.cautious * whole }
    }
}

/// Returns the declared variance over the squared width of the bounds, or 1/4, the largest
/// possible.
pub(crate) fn relative_variance(options: &Options, bounds: Bounds) -> f64 {
    options.variance.map_or(0.25, |variance| variance / bounds.width() / bounds.width())
}

/// Noise factor c of a mean: noise of at most 2/N² over σ²Q/N², as for the clip level of a
/// replace-one mean.
///
/// At a mean of u, in units of the range, the noise has 2(u² + (1 − u)²)/N², half as much in the
/// middle as at the ends. The variance can be largest in the middle, so half of this c would be
/// best in the worst case, by a per cent or two; this one serves means near an end far better.
///
/// With `typical` the variance is not the largest, but an ordinary one. With `both` the noise is
/// twice as much at the ends, and in the middle.
pub(crate) fn factor_of_mean(options: &Options, estimator: Estimator, variance: f64) -> f64 {
    let variance = if estimator == Estimator::Typical { typical::VARIANCE } else { variance };
    let noise = if options.neighbors == Neighbors::Both { 4.0 } else { 2.0 };
    noise / variance
}

/// Noise factor c of a variance: the noise at the distribution whose sampling error is largest, as
/// for a variance under replace-one.
///
/// In units of the range that is two values at the bounds of probabilities p and 1 − p with
/// p(1 − p) = 1/8, of variance v = 1/8, whose squared distances from the mean have a variance of
/// 1/16. Noise of variance 2 in each sum makes 2·(((1 − p)² − v)² + (2v)² + (p² − v)²) = 7/8.
///
/// With `both`, noise of variance 2 in the middle distance, the product and the half makes
/// 2·((2p − 1)² + 1 + (1 − 2p(1 − p) − 2v)²) = 7/2.
pub(crate) fn factor_of_variance(options: &Options) -> f64 {
    noise_of_variance(options) / SAMPLING_OF_VARIANCE
}

/// Returns the variance of the noise of a variance, for records with Σ r = 1, in squared units of
/// the squared range.
pub(crate) fn noise_of_variance(options: &Options) -> f64 {
    if options.neighbors == Neighbors::Both { 3.5 } else { 7.0 / 8.0 }
}

/// Sampling error of a variance, for weights with Σ r² = 1.
pub(crate) const SAMPLING_OF_VARIANCE: f64 = 1.0 / 16.0;

/// Noise factor c of frequencies over k categories, at equal frequencies.
pub(crate) fn factor_of_frequencies(categories: usize) -> f64 {
    4.0 * noise_of_frequencies(categories, 1.0 / categories as f64)
}

/// Returns the expected largest square of the noise over k categories, for noise of scale 1 and
/// Σ r = 1, if the most frequent category has the share `most`.
///
/// It is (1 − 1/k)·E max over k − 1 Laplace variables, plus the excess in the most frequent
/// category over the average of all others, 2(kf² − 2f + 1/k), where f is `most`. Exact for two
/// categories, within 13 % of the root in simulations of up to 30.
pub(crate) fn noise_of_frequencies(categories: usize, most: f64) -> f64 {
    let k = categories as f64;
    let most = most.clamp(1.0 / k, 1.0);
    (1.0 - 1.0 / k) * largest_laplace_square(categories - 1)
        + (2.0 * (k * most * most - 2.0 * most + 1.0 / k)).max(0.0)
}

/// Noise factor c of quantiles whose ranks have this noise: noise over sampling error q(1 − q),
/// each summed over the ranks.
pub(crate) fn factor_of_quantiles(ranks: &[Rank], noise: &[f64]) -> f64 {
    let sampling: f64 = ranks.iter().map(|rank| rank.get() * (1.0 - rank.get())).sum();
    noise.iter().sum::<f64>() / sampling
}

/// Returns the variance of the noise of each rank, for records with Σ r = 1, if the estimates get
/// `share` of the budget together.
pub(crate) fn rank_noise(
    options: &Options,
    ranks: &[Rank],
    division: &Division,
    share: f64,
) -> Vec<f64> {
    let parts = division.budgets(ranks, 1.0, 1.0);
    let of_one = |(rank, part): (&Rank, f64)| {
        // The cost of a tree includes both sides.
        let side = if division.tree().is_some() { 1.0 } else { side(options, rank.get()) };
        8.0 * (side / (part * share)).powi(2)
    };
    ranks.iter().zip(parts).map(of_one).collect()
}

/// Returns the division of the budget among these quantiles: the one asked for, or the one with
/// less noise.
///
/// # Errors
///
/// Refuses a rank that is there twice.
pub(crate) fn division(options: &Options, ranks: &[Rank]) -> Result<Division> {
    if ranks.len() < 2 {
        return Ok(Division::Even);
    }
    let cost = match options.neighbors {
        Neighbors::AddRemove => RankTree::cost_of_presence,
        Neighbors::ReplaceOne | Neighbors::Both => RankTree::cost,
    };
    let recursion = Division::recursion(ranks, cost)?;
    match options.method {
        Some(QuantileMethod::Even) => return Ok(Division::Even),
        Some(QuantileMethod::Recursion) => return Ok(recursion),
        Some(QuantileMethod::Histogram) | None => {}
    }
    let noise = |division| rank_noise(options, ranks, division, 1.0).iter().sum::<f64>();
    Ok(if noise(&recursion) < noise(&Division::Even) { recursion } else { Division::Even })
}

/// Returns the most by which a record of weight 1 moves the distance of a candidate from rank q.
pub(crate) fn side(options: &Options, q: f64) -> f64 {
    if options.neighbors == Neighbors::Both { 1.0 } else { q.max(1.0 - q) }
}
