//! What a release that hides participation would do, for people as one assumes them to be.

use std::cell::OnceCell;

use super::AddRemoveRequest;
use super::clip::Weighing;
use super::noisy_profile::{NoisyProfile, pay_for_profile};
use super::options::check_weights;
use super::ratio::{Ratio, RatioNoise};
use super::release::{error, worst_mean};
use crate::error::{option, say};
use crate::private::session::{Account, Cost};
use crate::statistics::quantile::why_no_interval;
use crate::{
    Choice, Epsilon, Error, Estimand, Estimator, Exclusion, ExpectedError, Plan, PrivacyUnits,
    Profile, QuantileMethod, Result, Setting, Share, Spending, lower_bound,
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
/// let request = mean.add_remove(Bounds::UNIT, "0.01,1".parse()?)?;
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
    excluded: Vec<Exclusion>,
    learning: Option<Vec<Spending>>,
}

impl AddRemoveRequest {
    /// The plan for people as in `assumed`, of one statistic or of several.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which no declared budget allows anything.
    pub fn plan(&self, assumed: Profile) -> Result<Plan> {
        self.asked().any().plan_for(self, assumed)
    }

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
pub(crate) fn nobody() -> Error {
    Error::parameter(option::PROFILE, "nobody has one of the declared budgets")
        .with_fix("assume budgets inside those that are declared")
}

impl AddRemovePlan {
    pub(crate) fn new(request: &AddRemoveRequest, assumed: Profile) -> Result<Self> {
        if request.parts().next().is_some() {
            return Err(Error::request("plan", "several statistics that hide who takes part")
                .with_fix(
                    say("plan them one at a time, for the shares that")
                        .option(option::SPLIT)
                        .say("gives them"),
                ));
        }
        let people = AssumedPeople::new(request, &assumed);
        if people.left(false, &request.account()).people() == 0.0 {
            return Err(nobody());
        }
        let mut candidates = Vec::new();
        let mut excluded = Vec::new();
        let estimators: &[Estimator] = match request.asked().any().has_estimators() {
            false => &[Estimator::Uniform],
            true if request.measures_spread() => &[
                Estimator::Typical,
                Estimator::Affine,
                Estimator::Uniform,
                Estimator::Proportional,
            ],
            true => &[Estimator::Affine, Estimator::Uniform, Estimator::Proportional],
        };
        for estimator in estimators.iter().copied() {
            match Guess::new(request, estimator, &people) {
                Ok(guess) => candidates.push(request.asked().any().expect(guess)?),
                Err(reason) if request.options().estimator == Choice::Named(estimator) => {
                    return Err(reason);
                }
                Err(reason) => excluded.push(Exclusion { estimator, reason: reason.to_string() }),
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
    pub fn excluded(&self) -> &[Exclusion] {
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
        lower_bound(&self.setting()?, self.request.options().neighbors)
    }

    /// The setting of that bound.
    pub(crate) fn setting(&self) -> Option<Setting> {
        let profile = self.request.options().share.of_profile(&self.assumed).ok()?;
        self.request.asked().any().setting(&self.request, profile)
    }

    /// Why some quantiles would have no interval; `None` if all would have one, and of others.
    pub fn no_interval(&self) -> Option<&'static str> {
        let of_ranks = !self.request.ranks().is_empty();
        let none = of_ranks && self.chosen().rank_half_width.is_none();
        none.then(|| why_no_interval(self.request.options().interval_share))
    }

    /// The squared error that is expected of the mean in the worst case, over the lower bound.
    /// `None` for frequencies, of which the expected error is not that of the worst case, and where
    /// so little is allowed that the expected error, an approximation, is below the bound.
    pub fn gap(&self) -> Option<f64> {
        let Estimand::Mean = self.request.asked() else { return None };
        let rmse = self.chosen().error.rmse;
        self.lower_bound().map(|bound| rmse * rmse / bound).filter(|gap| *gap >= 1.0)
    }
}

/// The people who are assumed, and what is worked out of them once for all estimators.
struct AssumedPeople<'a> {
    request: &'a AddRemoveRequest,
    profile: &'a Profile,
    /// With what they have left at first, and after a noisy profile.
    left: [OnceCell<NoisyProfile>; 2],
    seen: OnceCell<NoisyProfile>,
}

impl<'a> AssumedPeople<'a> {
    fn new(request: &'a AddRemoveRequest, profile: &'a Profile) -> Self {
        let (left, seen) = Default::default();
        Self { request, profile, left, seen }
    }

    /// The people with what they have left, at first or after a noisy profile: of this account,
    /// which is the same for all estimators.
    fn left(&self, buys_profile: bool, account: &Account) -> &NoisyProfile {
        let left = &self.left[usize::from(buys_profile)];
        left.get_or_init(|| NoisyProfile::assumed(self.profile, account))
    }
}

/// One estimator on the way to its expected error.
pub(crate) struct Guess<'a> {
    pub(crate) request: &'a AddRemoveRequest,
    pub(crate) estimator: Estimator,
    assumed: &'a AssumedPeople<'a>,
    /// The people, with what they have left before they pay for the estimate.
    pub(crate) noisy_profile: &'a NoisyProfile,
    /// What people have left.
    pub(crate) account: Account,
}

impl<'a> Guess<'a> {
    fn new(
        request: &'a AddRemoveRequest,
        estimator: Estimator,
        assumed: &'a AssumedPeople<'a>,
    ) -> Result<Self> {
        let mut account = request.account();
        check_weights(estimator, &account)?;
        let buys_profile = request.asked().any().buys_profile(request, estimator, &account);
        if buys_profile {
            pay_for_profile(&mut account)?;
        }
        let noisy_profile = assumed.left(buys_profile, &account);
        Ok(Self { request, estimator, assumed, noisy_profile, account })
    }

    /// What a noisy profile would say of the people, but for its noise.
    pub(crate) fn seen(&self) -> Result<&'a NoisyProfile> {
        let AssumedPeople { request, profile, seen, .. } = self.assumed;
        match seen.get() {
            Some(seen) => Ok(seen),
            None => {
                let expected = NoisyProfile::expected(profile, request)?;
                Ok(seen.get_or_init(|| expected))
            }
        }
    }

    /// The weights, the Σ r they lead to, and Q = Σ r²; the account pays for the estimate.
    pub(crate) fn weigh(&mut self, c: f64) -> Result<(Weighing, f64, f64)> {
        let noisy_profile = self.noisy_profile;
        let weighing = self.request.weighing(self.estimator, &self.account, Some(noisy_profile), c);
        let whole = noisy_profile.total(weighing.clip.get());
        let square = weighing.square(self.request.options(), whole);
        self.pay(&weighing)?;
        Ok((weighing, whole, square))
    }

    /// The account pays for an estimate with these weights.
    pub(crate) fn pay(&mut self, weighing: &Weighing) -> Result<()> {
        self.account.charge(Cost::OfLeft(PrivacyUnits::new(Share::ALL, weighing.clip)?))
    }

    /// What is expected with this τ.
    pub(crate) fn candidate(self, tau: Epsilon, error: ExpectedError) -> AddRemoveCandidate {
        let privacy = self.request.certificate(&self.account);
        let (estimator, tau) = (self.estimator, tau.get());
        let (mean, rank_half_width, method) = (None, None, None);
        AddRemoveCandidate { estimator, tau, error, mean, rank_half_width, method, privacy }
    }
}

/// The error of a mean in the worst case over the mean, for people with this Σ r and Σ r².
pub(crate) fn error_of_mean(
    width: f64,
    variance: f64,
    made: RatioNoise,
    (whole, square): (f64, f64),
) -> ExpectedError {
    worst_mean(|u| {
        let noise = width * Ratio::noise_variance(u, made, whole).sqrt();
        error(noise, width * (variance.min(u * (1.0 - u)) * square).sqrt() / whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Cells, Neighbors, QuantileEstimands, Rank, Request};

    /// What estimators of a plan have in common is for each what it works out alone.
    #[test]
    fn estimators_are_expected_to_do_together_what_they_do_alone() {
        let cells = Cells::new(64).unwrap();
        let ranks = vec![Rank::MEDIAN, "0.9".parse().unwrap()];
        let profile: Profile = "0.02:400,0.1:3000,0.3:2000,1:700,2:90".parse().unwrap();
        let mut compared = 0;
        for asked in [
            Estimand::Mean,
            Estimand::Sum,
            Estimand::Count,
            Estimand::Variance,
            Estimand::Frequency("a,b,c".parse().unwrap()),
            Estimand::Quantiles(QuantileEstimands { ranks, cells }),
        ] {
            for neighbors in [Neighbors::AddRemove, Neighbors::Both] {
                let request = Request { asked: asked.clone(), options: neighbors.into() };
                let budgets = "0.02,2".parse().unwrap();
                let request = request.add_remove(Bounds::UNIT, budgets).unwrap();
                let plan = request.expected(profile.clone()).unwrap();
                for one in plan.candidates() {
                    let people = AssumedPeople::new(&request, &profile);
                    let guess = Guess::new(&request, one.estimator, &people).unwrap();
                    let alone = request.asked().any().expect(guess).unwrap();
                    assert_eq!(alone, *one, "{}", request.statistic());
                    compared += 1;
                }
            }
        }
        assert!(compared > 20, "{compared}");
    }
}
