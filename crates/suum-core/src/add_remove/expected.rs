//! What a release that hides participation would do, for people as one assumes them to be.

use super::AddRemoveRequest;
use super::clip::{
    Weighing, factor_of_mean, factor_of_variance, noise_of_frequencies, relative_variance,
};
use super::count::count_units;
use super::options::check_weights;
use super::quantiles::{AskedRanks, Crowd, Way, factor};
use super::ratio::{Made, Ratio};
use super::release::{error, worst_mean};
use super::rough::{Rough, pay_for_profile};
use super::variance::expected_of_variance;
use crate::quantile::why_no_interval;
use crate::session::{Account, Cost};
use crate::{
    Asked, Bounds, Cells, Choice, Error, Estimator, Excluded, ExpectedError, PrivacyUnits, Profile,
    QuantileMethod, Rank, Result, Setting, Share, Spending, lower_bound,
};

/// An estimator with what it would do.
#[derive(Debug, Clone, PartialEq)]
pub struct AddRemoveCandidate {
    /// The estimator.
    pub estimator: Estimator,
    /// τ, the most that anybody would spend on the estimate.
    pub tau: f64,
    /// The expected error: of a mean or sum in the worst case over the mean, of frequencies the
    /// largest over the categories at equal ones, of quantiles that of the rank.
    pub error: ExpectedError,
    /// Of a variance, the error of the mean that is measured with it, in the worst case over the
    /// mean; `None` of others.
    pub mean: Option<ExpectedError>,
    /// Of quantiles, half the length of the longest interval, of the rank, as a share of records:
    /// between the ranks at which its ends are asked for, if noise does not make people look more
    /// or fewer. `None` where no interval could be had, and of others.
    pub rank_half_width: Option<f64>,
    /// Of quantiles, how they would be asked for; `None` of others.
    pub method: Option<QuantileMethod>,
    /// What every declared budget would spend.
    pub privacy: Vec<Spending>,
}

/// What releases with add-remove neighbours would do for an assumed profile.
///
/// The profile is a guess from public knowledge. No release is made from it: a release finds its
/// weights from noisy numbers. It serialises to the JSON of `suum plan`, as far as that makes sense
/// here.
///
/// # Example
///
/// ```
/// use suum_core::*;
///
/// let mean = Request::mean(Neighbors::AddRemove);
/// let request = mean.hiding(Bounds::UNIT, "0.01,1".parse()?)?;
/// let plan = request.expected("0.01:5000,0.1:4000,1:1000".parse()?)?;
/// let error = |name| plan.candidates().iter().find(|c| c.estimator == name).map(|c| c.error.rmse);
/// assert!(error(Estimator::Affine) < error(Estimator::Uniform));
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AddRemovePlan {
    request: AddRemoveRequest,
    assumed: Profile,
    candidates: Vec<AddRemoveCandidate>,
    excluded: Vec<Excluded>,
    learning: Option<Vec<Spending>>,
}

impl AddRemoveRequest {
    /// What a release is expected to do for people as in `assumed`, which is a guess: it must not
    /// be read off the data.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which no declared budget allows anything, and several statistics.
    pub fn expected(&self, assumed: Profile) -> Result<AddRemovePlan> {
        AddRemovePlan::new(self, assumed)
    }
}

/// The refusal of a profile of other people than those that are declared.
pub(super) fn nobody() -> Error {
    Error::parameter("profile: nobody has one of the declared budgets")
        .with_hint("assume budgets inside those that are declared")
}

impl AddRemovePlan {
    pub(super) fn new(request: &AddRemoveRequest, assumed: Profile) -> Result<Self> {
        if request.parts().next().is_some() {
            return Err(Error::request("plan: several statistics that hide who takes part")
                .with_hint("plan them one at a time, for the shares that --split gives them"));
        }
        if Rough::assumed(&assumed, &request.account()).people() == 0.0 {
            return Err(nobody());
        }
        let mut candidates = Vec::new();
        let mut excluded = Vec::new();
        let estimators: &[Estimator] = match request.asked() {
            Asked::Count => &[Estimator::Uniform],
            _ if request.measures_spread() => &[
                Estimator::Typical,
                Estimator::Affine,
                Estimator::Uniform,
                Estimator::Proportional,
            ],
            _ => &[Estimator::Affine, Estimator::Uniform, Estimator::Proportional],
        };
        for estimator in estimators.iter().copied() {
            match Guess::new(request, estimator, &assumed) {
                Ok(guess) => candidates.push(guess.candidate()?),
                Err(reason) if request.options().estimator == Choice::Named(estimator) => {
                    return Err(reason);
                }
                Err(reason) => excluded.push(Excluded { estimator, reason: reason.to_string() }),
            }
        }
        let learning = match request.planned_learning(&assumed)? {
            None => None,
            Some([learning, most]) => {
                let usual = |one: &&mut AddRemoveCandidate| one.estimator == request.estimator();
                if let Some(chosen) = candidates.iter_mut().find(usual) {
                    chosen.privacy = most;
                }
                Some(learning)
            }
        };
        Ok(Self { request: request.clone(), assumed, candidates, excluded, learning })
    }

    /// What every declared budget would spend to learn where the values lie, if a mean or a sum
    /// does that first. Then errors are those of one that does not, and what is spent is the most
    /// that can be.
    pub fn learning(&self) -> Option<&[Spending]> {
        self.learning.as_deref()
    }

    /// What was asked for.
    pub fn request(&self) -> &AddRemoveRequest {
        &self.request
    }

    /// The profile that was assumed.
    pub fn assumed(&self) -> &Profile {
        &self.assumed
    }

    /// The estimators that can be had, the usual one first.
    pub fn candidates(&self) -> &[AddRemoveCandidate] {
        &self.candidates
    }

    /// The estimators that make no sense here, and why.
    pub fn excluded(&self) -> &[Excluded] {
        &self.excluded
    }

    /// What a release of the request would use.
    pub fn chosen(&self) -> &AddRemoveCandidate {
        let name = self.request.estimator();
        let chosen = self.candidates.iter().position(|candidate| candidate.estimator == name);
        // A count has one way to be made, whatever it is called.
        &self.candidates[chosen.unwrap_or(0)]
    }

    /// A lower bound on the worst-case squared error of any method that keeps these budgets, if
    /// people are as assumed; of means and frequencies, where we know one. A change of value may
    /// cost 2ε, or ε under `both`.
    pub fn lower_bound(&self) -> Option<f64> {
        let options = self.request.options();
        let profile = options.share.of_profile(&self.assumed).ok()?;
        let setting = match self.request.asked() {
            Asked::Mean => {
                let bounds = self.request.inside();
                let width = bounds.width();
                Setting {
                    variance: relative_variance(options, bounds) * width * width,
                    ..Setting::new(profile, bounds, options.target)
                }
            }
            Asked::Frequency(categories) => {
                Setting::frequency(profile, categories.len(), options.target)
            }
            _ => return None,
        };
        lower_bound(&setting, options.neighbors)
    }

    /// Why some quantiles would have no interval; `None` if all would have one, and of others.
    pub fn no_interval(&self) -> Option<&'static str> {
        let Asked::Quantiles { .. } = self.request.asked() else { return None };
        let none = self.chosen().rank_half_width.is_none();
        none.then(|| why_no_interval(self.request.options().interval_share))
    }

    /// The squared error that is expected of the mean in the worst case, over the lower bound.
    /// `None` for frequencies, of which the expected error is not that of the worst case, and where
    /// so little is allowed that the expected error, an approximation, is below the bound.
    pub fn gap(&self) -> Option<f64> {
        let Asked::Mean = self.request.asked() else { return None };
        let rmse = self.chosen().error.rmse;
        self.lower_bound().map(|bound| rmse * rmse / bound).filter(|gap| *gap >= 1.0)
    }
}

/// One estimator on the way to its expected error.
struct Guess<'a> {
    request: &'a AddRemoveRequest,
    estimator: Estimator,
    assumed: &'a Profile,
    account: Account,
}

impl<'a> Guess<'a> {
    fn new(
        request: &'a AddRemoveRequest,
        estimator: Estimator,
        assumed: &'a Profile,
    ) -> Result<Self> {
        let mut account = request.account();
        check_weights(estimator, &account)?;
        let for_intervals =
            matches!(request.asked(), Asked::Quantiles { .. }) && request.needs_crowd();
        let plain = matches!(request.asked(), Asked::Count)
            || matches!(request.asked(), Asked::Sum)
                && request.equal_weights(estimator, &account).is_some();
        if for_intervals || !plain && request.needs_profile(estimator, &account) {
            pay_for_profile(&mut account)?;
        }
        Ok(Self { request, estimator, assumed, account })
    }

    fn candidate(mut self) -> Result<AddRemoveCandidate> {
        let (mut mean, mut rank_half_width, mut method) = (None, None, None);
        let bounds = self.request.inside();
        let (tau, error) = match self.request.asked() {
            Asked::Mean => self.mean(bounds)?,
            Asked::Sum => self.sum(bounds)?,
            Asked::Count => self.count()?,
            Asked::Frequency(categories) => self.frequencies(categories.len())?,
            Asked::Quantiles { ranks, cells } => {
                let way = self.quantiles(ranks, *cells)?;
                (rank_half_width, method) = (way.half_width(), Some(way.division.method()));
                (way.weighing.clip.get(), way.error())
            }
            Asked::Variance => {
                let (tau, error, of_mean) = self.variance(bounds)?;
                mean = Some(of_mean);
                (tau, error)
            }
            // Refused before.
            Asked::Summary { .. } => (0.0, error(f64::NAN, f64::NAN)),
        };
        let (estimator, privacy) = (self.estimator, self.request.certificate(&self.account));
        Ok(AddRemoveCandidate { estimator, tau, error, mean, rank_half_width, method, privacy })
    }

    /// The weights, the Σ r they lead to, and Q = Σ r²; the account pays for the estimate.
    fn weigh(&mut self, c: f64) -> Result<(Weighing, f64, f64)> {
        let rough = Rough::assumed(self.assumed, &self.account);
        let weighing = self.request.weighing(self.estimator, &self.account, Some(&rough), c);
        let whole = rough.total(weighing.clip.get());
        let square = weighing.square(self.request.options(), whole);
        self.account.charge(Cost::OfLeft(PrivacyUnits::new(Share::ALL, weighing.clip)?))?;
        Ok((weighing, whole, square))
    }

    fn mean(&mut self, bounds: Bounds) -> Result<(f64, ExpectedError)> {
        let variance = relative_variance(self.request.options(), bounds);
        let c = factor_of_mean(self.request.options(), self.estimator, variance);
        let (weighing, whole, square) = self.weigh(c)?;
        let made = self.request.made(self.request.tells_spread(&weighing));
        Ok((weighing.clip.get(), error_of_mean(bounds.width(), variance, made, (whole, square))))
    }

    fn sum(&mut self, bounds: Bounds) -> Result<(f64, ExpectedError)> {
        let options = self.request.options();
        let variance = relative_variance(options, bounds);
        let (h, people) = (bounds.width(), Rough::assumed(self.assumed, &self.account).people());
        if let Some(weighing) = self.request.equal_weights(self.estimator, &self.account) {
            self.account.charge(Cost::OfLeft(PrivacyUnits::new(Share::ALL, weighing.clip)?))?;
            let (low, high) = (bounds.lower(), bounds.upper());
            let scales = match self.request.made(self.request.tells_spread(&weighing)) {
                Made::Parts(..) => high.hypot(low),
                Made::Moments => high.hypot(low).hypot((high + low) / 2.0),
                Made::Centred => (high - low).hypot(high + low),
            };
            let noise = std::f64::consts::SQRT_2 * scales / weighing.clip.get();
            let sampling =
                if weighing.is_exact(options) { 0.0 } else { h * (people * variance).sqrt() };
            return Ok((weighing.clip.get(), error(noise, sampling)));
        }
        let found = self.request.needs_profile(self.estimator, &self.account);
        let rough = Rough::assumed(self.assumed, &self.account);
        let known = found.then_some(&rough);
        let share = self.request.count_share(bounds, self.estimator, &self.account, known)?;
        let (units, weighing, worst) =
            self.request.counted_sum(bounds, self.estimator, &self.account, &rough, share)?;
        self.account.charge(Cost::OfLeft(units))?;
        self.account.charge(Cost::OfLeft(PrivacyUnits::new(Share::ALL, weighing.clip)?))?;
        Ok((weighing.clip.get(), worst))
    }

    /// τ, the error of the variance, and that of the mean.
    fn variance(&mut self, bounds: Bounds) -> Result<(f64, ExpectedError, ExpectedError)> {
        let (weighing, whole, square) = self.weigh(factor_of_variance(self.request.options()))?;
        let width = bounds.width();
        let mean = error_of_mean(width, 0.25, self.request.made(true), (whole, square));
        let unit = width * width;
        let variance = expected_of_variance(self.request.options(), whole, square, unit);
        Ok((weighing.clip.get(), variance, mean))
    }

    fn count(&mut self) -> Result<(f64, ExpectedError)> {
        let units = count_units(&self.account, 1.0)?;
        let noise = std::f64::consts::SQRT_2 / units.loss(self.account.least()).rounded_up();
        self.account.charge(Cost::OfLeft(units))?;
        Ok((units.clip().get(), error(noise, 0.0)))
    }

    fn frequencies(&mut self, categories: usize) -> Result<(f64, ExpectedError)> {
        let (weighing, whole, square) = self.weigh(self.request.factor_of_shares(categories))?;
        let moves = self.request.noise_of_shares(categories);
        let noise = noise_of_frequencies(categories, 1.0 / categories as f64).sqrt();
        let noise = moves * noise / whole;
        Ok((weighing.clip.get(), error(noise, 0.5 * square.sqrt() / whole)))
    }

    fn quantiles<'r>(&mut self, ranks: &'r [Rank], cells: Cells) -> Result<Way<'r>>
    where
        'a: 'r,
    {
        let options = self.request.options();
        // What the profile would say of them, but for its noise.
        let seen = Rough::expected(self.assumed, self.request)?;
        let (weighing, whole, _) = self.weigh(factor(options, ranks)?)?;
        let miss = (1.0 - options.confidence) / 5.0;
        let at_least = seen.total_at_least(weighing.clip.get(), miss);
        let crowd = Crowd { whole, at_least };
        Way::best(AskedRanks { options, ranks, cells }, weighing, Some(crowd))
    }
}

/// The error of a mean in the worst case over the mean, for people with this Σ r and Σ r².
fn error_of_mean(
    width: f64,
    variance: f64,
    made: Made,
    (whole, square): (f64, f64),
) -> ExpectedError {
    worst_mean(|u| {
        let noise = width * Ratio::noise_variance(u, made, whole).sqrt();
        error(noise, width * (variance.min(u * (1.0 - u)) * square).sqrt() / whole)
    })
}
