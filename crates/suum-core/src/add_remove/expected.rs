//! Expected errors and costs of add-remove releases, for an assumed profile.

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

/// Estimator with its expected error and its costs, for an assumed profile.
#[derive(Debug, Clone, PartialEq)]
pub struct AddRemoveCandidate {
    /// Estimator.
    pub estimator: Estimator,
    /// Clip level τ: the most that a record would spend on the estimate.
    pub tau: f64,
    /// Expected error: of a mean or sum the worst case over the mean, of frequencies the largest
    /// over the categories at equal frequencies, of quantiles the error of the rank.
    pub error: ExpectedError,
    /// Error of the mean measured along with a variance, in the worst case over the mean; `None`
    /// for other statistics.
    pub mean: Option<ExpectedError>,
    /// Half the length of the longest interval of a quantile, in ranks as a share of records;
    /// `None` for other statistics, or if there would be no interval.
    ///
    /// It is the distance between the ranks at which the ends are asked for, if noise does not
    /// distort the number of people.
    pub rank_half_width: Option<f64>,
    /// Method that divides the budget among quantiles; `None` for other statistics.
    pub method: Option<QuantileMethod>,
    /// Spending of every declared budget.
    pub privacy: Vec<Spending>,
}

/// Plan of releases with add-remove neighbours, for an assumed profile.
///
/// The profile is a guess from public knowledge. No release is made from it: a release finds its
/// weights from noisy numbers. It serialises to the JSON of `suum plan`, without the fields that do
/// not apply.
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
    /// Returns the plan for people as in `assumed`, of one statistic or of several.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which no declared budget allows anything.
    pub fn plan(&self, assumed: Profile) -> Result<Plan> {
        self.estimand().any().plan_for(self, assumed)
    }

    /// Returns the expected error and cost of a release for people as in `assumed`, which is a
    /// guess: it must not be read off the data.
    ///
    /// # Errors
    ///
    /// Refuses a profile in which no declared budget allows anything, and several statistics.
    pub fn expected(&self, assumed: Profile) -> Result<AddRemovePlan> {
        AddRemovePlan::new(self, assumed)
    }
}

/// Refusal of a profile in which nobody has a declared budget.
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
        let estimators: &[Estimator] = match request.estimand().any().has_estimators() {
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
                Ok(guess) => candidates.push(request.estimand().any().expect(guess)?),
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

    /// Returns the spending of every declared budget on learning a range, if a mean or a sum learns
    /// one first.
    ///
    /// Expected errors are then those without learning, and the spending of the chosen candidate is
    /// the most that is possible.
    pub fn learning(&self) -> Option<&[Spending]> {
        self.learning.as_deref()
    }

    /// Returns the request.
    pub fn request(&self) -> &AddRemoveRequest {
        &self.request
    }

    /// Returns the assumed profile.
    pub fn assumed(&self) -> &Profile {
        &self.assumed
    }

    /// Returns the estimators that can be used, the default one first.
    pub fn candidates(&self) -> &[AddRemoveCandidate] {
        &self.candidates
    }

    /// Returns the estimators that cannot be used here, each with the reason.
    pub fn excluded(&self) -> &[Exclusion] {
        &self.excluded
    }

    /// Returns the estimator that a release of the request would use.
    pub fn chosen(&self) -> &AddRemoveCandidate {
        let name = self.request.estimator();
        let chosen = self.candidates.iter().position(|candidate| candidate.estimator == name);
        // A count has a single estimator, whatever name was asked for.
        &self.candidates[chosen.unwrap_or(0)]
    }

    /// Returns a lower bound on the worst-case squared error of any method that keeps these
    /// budgets, if people are as assumed; `None` if none is known, as for all but means and
    /// frequencies. A change of value may cost 2ε, or ε under `both`.
    pub fn lower_bound(&self) -> Option<f64> {
        lower_bound(&self.setting()?, self.request.options().neighbors)
    }

    /// Returns the setting of the lower bound.
    pub(crate) fn setting(&self) -> Option<Setting> {
        let profile = self.request.options().share.apply_to_profile(&self.assumed).ok()?;
        self.request.estimand().any().setting(&self.request, profile)
    }

    /// Returns the reason why some quantiles would have no interval; `None` if all would have one,
    /// and for other statistics.
    pub fn no_interval(&self) -> Option<&'static str> {
        let of_ranks = !self.request.ranks().is_empty();
        let none = of_ranks && self.chosen().rank_half_width.is_none();
        none.then(|| why_no_interval(self.request.options().interval_share))
    }

    /// Returns the expected squared error of the mean in the worst case, over the lower bound.
    ///
    /// `None` for frequencies, whose expected error is not that of the worst case, and if so little
    /// is allowed that the expected error, an approximation, is below the bound.
    pub fn gap(&self) -> Option<f64> {
        let Estimand::Mean = self.request.estimand() else { return None };
        let rmse = self.chosen().error.rmse;
        self.lower_bound().map(|bound| rmse * rmse / bound).filter(|gap| *gap >= 1.0)
    }
}

/// Assumed profile, with noisy profiles that all estimators share, computed once.
struct AssumedPeople<'a> {
    request: &'a AddRemoveRequest,
    profile: &'a Profile,
    /// Profiles of what people have left: at first, and after paying for a noisy profile.
    left: [OnceCell<NoisyProfile>; 2],
    seen: OnceCell<NoisyProfile>,
}

impl<'a> AssumedPeople<'a> {
    fn new(request: &'a AddRemoveRequest, profile: &'a Profile) -> Self {
        let (left, seen) = Default::default();
        Self { request, profile, left, seen }
    }

    /// Returns the profile of what people have left in this account, at first or after paying for a
    /// noisy profile. The account must be the same for all estimators.
    fn left(&self, buys_profile: bool, account: &Account) -> &NoisyProfile {
        let left = &self.left[usize::from(buys_profile)];
        left.get_or_init(|| NoisyProfile::assumed(self.profile, account))
    }
}

/// State of the computation of one estimator's expected error.
pub(crate) struct Guess<'a> {
    pub(crate) request: &'a AddRemoveRequest,
    pub(crate) estimator: Estimator,
    assumed: &'a AssumedPeople<'a>,
    /// Profile of what people have left before they pay for the estimate.
    pub(crate) noisy_profile: &'a NoisyProfile,
    /// Account of everything paid so far.
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
        let buys_profile = request.estimand().any().buys_profile(request, estimator, &account);
        if buys_profile {
            pay_for_profile(&mut account)?;
        }
        let noisy_profile = assumed.left(buys_profile, &account);
        Ok(Self { request, estimator, assumed, noisy_profile, account })
    }

    /// Returns the expected noisy profile of the people, without its noise.
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

    /// Chooses the weights and charges the estimate to the account. Returns the weights, Σ r, and Q
    /// = Σ r².
    pub(crate) fn weigh(&mut self, c: f64) -> Result<(Weighing, f64, f64)> {
        let noisy_profile = self.noisy_profile;
        let weighing = self.request.weighing(self.estimator, &self.account, Some(noisy_profile), c);
        let whole = noisy_profile.total(weighing.clip.get());
        let square = weighing.square(self.request.options(), whole);
        self.pay(&weighing)?;
        Ok((weighing, whole, square))
    }

    /// Charges an estimate with these weights to the account.
    pub(crate) fn pay(&mut self, weighing: &Weighing) -> Result<()> {
        self.account.charge(Cost::OfLeft(PrivacyUnits::new(Share::ALL, weighing.clip)?))
    }

    /// Returns the candidate with this τ and this error.
    pub(crate) fn candidate(self, tau: Epsilon, error: ExpectedError) -> AddRemoveCandidate {
        let privacy = self.request.certificate(&self.account);
        let (estimator, tau) = (self.estimator, tau.get());
        let (mean, rank_half_width, method) = (None, None, None);
        AddRemoveCandidate { estimator, tau, error, mean, rank_half_width, method, privacy }
    }
}

/// Returns the worst-case error of a mean, over the mean, for people with this Σ r and Σ r².
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

    /// Shared computations of a plan give every estimator the result that it gets alone.
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
                    let alone = request.estimand().any().expect(guess).unwrap();
                    assert_eq!(alone, *one, "{}", request.statistic());
                    compared += 1;
                }
            }
        }
        assert!(compared > 20, "{compared}");
    }
}
