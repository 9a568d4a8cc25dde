//! Plans of categories that are found: weights, noise and threshold, from public facts alone.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::FoundRequest;
use crate::answer::interval::half_width;
use crate::private::part::Part;
use crate::private::session::PlannedMechanism;
use crate::strategy::weights::ClippedSums;
use crate::values::found_law::FoundLaw;
use crate::{
    Categories, Epsilon, ExpectedError, FoundCounts, Loss, Profile, Result, Target, Weights,
};

/// Plan of the shares of categories that are found. It knows no category: these are private, and
/// neither weights nor noise depend on which there are.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPlan {
    request: FoundRequest,
    part: Part,
    weights: Weights,
    tau: f64,
    mechanism: FoundCounts,
}

/// Share of every budget that the upper side of the noise has, as in [`FoundCounts`].
const ABOVE: f64 = 0.6;

impl FoundPlan {
    /// Returns the plan for a public profile.
    ///
    /// Weights are min(ε, τ), with the τ for which the squared threshold, as a share of all weight,
    /// and the largest sampling variance of a share are least together.
    ///
    /// # Errors
    ///
    /// Refuses a profile without usable records.
    pub fn new(request: &FoundRequest, allowed: Profile) -> Result<Self> {
        let part = Part::new(allowed, request.options().share)?;
        let profile = part.profile();
        profile.check_usable()?;
        let tau = clip_level(profile, request);
        let weights = Weights::clipped(profile, tau);
        let steps = if request.undeclared_categories().are_divided { Categories::STEPS } else { 1 };
        let mechanism =
            FoundCounts::calibrated(profile, weights.integers(), steps, request.delta());
        Ok(Self { request: request.clone(), part, weights, tau, mechanism })
    }

    /// Returns the request.
    pub fn request(&self) -> &FoundRequest {
        &self.request
    }

    /// Returns the privacy levels, with the share of their budgets that may be spent.
    pub fn profile(&self) -> &Profile {
        self.part.profile()
    }

    /// Returns the privacy levels, with everything that they allow.
    pub fn allowed(&self) -> &Profile {
        self.part.allowed()
    }

    /// Returns the weight of one record, per level.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns τ, at which budgets are clipped; infinite if only public records count.
    pub fn tau(&self) -> f64 {
        self.tau
    }

    /// Returns the integer mechanism.
    pub fn mechanism(&self) -> &FoundCounts {
        &self.mechanism
    }

    /// Returns the exact loss of one record of each level, in the order of the profile.
    pub fn losses(&self) -> impl Iterator<Item = Loss> + '_ {
        self.part.losses(|position| self.mechanism.loss(position))
    }

    /// Returns the position of the level in which a record of this budget is counted.
    pub fn position(&self, allowed: Epsilon) -> Option<usize> {
        self.part.position(allowed)
    }

    /// Returns the exact loss of a record that allows this much.
    pub fn loss_of(&self, allowed: Epsilon) -> Loss {
        let position = self.part.position(allowed);
        position.map_or(Loss::ZERO, |position| self.mechanism.loss(position))
    }

    /// Returns an upper bound on δ of a record that allows this much: the probability that the
    /// category shows in which it is alone. Rounded up to a double.
    pub fn delta_of(&self, allowed: Epsilon) -> f64 {
        let position = self.part.position(allowed);
        position.map_or(0.0, |position| rounded_up(&self.mechanism.delta(position)))
    }

    /// Returns the threshold as a share of all weight: what a noisy share must exceed to show.
    pub fn threshold(&self) -> f64 {
        self.common_law().threshold
    }

    /// Returns the share that shows in half of all releases.
    pub fn share_shown_by_half(&self) -> f64 {
        let law = self.common_law();
        // The median of the noise is below zero, where 3/5 of it are.
        let (above, below) = (law.up, law.down);
        let median = match below > above {
            true => -below * (2.0 * below / (above + below)).ln(),
            false => 0.0,
        };
        (law.threshold - median).min(1.0)
    }

    /// Returns the number of records of a category that shows in half of all releases, if their
    /// budgets are as those of all.
    pub fn records_shown_by_half(&self) -> f64 {
        self.share_shown_by_half() * self.profile().records() as f64
    }

    /// Returns the law of noisy shares, whose intervals have this confidence.
    pub(crate) fn law(&self, confidence: f64) -> FoundLaw {
        let whole = self.mechanism.total_weight();
        let noise = self.mechanism.noise();
        let share = |number: &UBig| RBig::from_parts(number.clone().into(), whole.clone());
        let share = |number: &UBig| share(number).to_f64().value();
        FoundLaw {
            up: share(noise.up()),
            down: share(noise.down()),
            threshold: share(&self.mechanism.threshold()),
            ..self.sampling(confidence)
        }
    }

    /// Returns the law of noisy shares, for what does not depend on the confidence.
    fn common_law(&self) -> FoundLaw {
        self.law(self.request.options().confidence)
    }

    /// Returns the sampling error of shares for the target, without noise.
    fn sampling(&self, confidence: f64) -> FoundLaw {
        let options = self.request.options();
        let records = self.profile().levels().iter().map(|level| level.count);
        let weighed: Vec<(u64, f64)> =
            records.zip(self.weights.per_level().iter().copied()).collect();
        FoundLaw::sampling(&weighed, options.target, confidence)
    }

    /// Returns the confidence of the interval of each of so many categories.
    pub(crate) fn confidence_of_each(&self, categories: usize) -> f64 {
        let options = self.request.options();
        FoundLaw::confidence_of_each(options.confidence, options.simultaneous, categories)
    }

    /// Returns the expected error of a common share: its noise, and sampling at its worst.
    pub fn error(&self) -> ExpectedError {
        let law = self.common_law();
        let noise_sd = law.up.hypot(law.down);
        let sampling_sd =
            worst_sampling(self.profile(), &self.weights, self.request.options().target);
        ExpectedError { noise_sd, sampling_sd, rmse: noise_sd.hypot(sampling_sd) }
    }

    /// Returns about half of the length of the interval of a common share.
    pub(crate) fn half_width(&self) -> f64 {
        let (law, error) = (self.common_law(), self.error());
        half_width(self.request.options().confidence, law.up.max(law.down), error.sampling_sd)
    }

    /// Returns the levels, and the part of their budgets that may be spent.
    pub(crate) fn part(&self) -> &Part {
        &self.part
    }

    /// Returns the measurement that the plan is for.
    pub(crate) fn measurement(&self) -> PlannedMechanism<'_, FoundCounts> {
        PlannedMechanism::new(&self.part, &self.mechanism)
    }
}

/// Returns the smallest double that is not below a number.
fn rounded_up(number: &RBig) -> f64 {
    Loss::Finite(number.clone()).rounded_up()
}

/// Returns the root of the sampling risk of the worst share.
fn worst_sampling(profile: &Profile, weights: &Weights, target: Target) -> f64 {
    let n = profile.records() as f64;
    match target {
        Target::Population => 0.5 * weights.squared_norm(profile).sqrt(),
        Target::Dataset if n > 1.0 => {
            0.5 * (n / (n - 1.0) * weights.squared_distance(profile)).sqrt()
        }
        Target::Dataset => 0.0,
        Target::DatasetCorrelated => 0.5 * weights.distance(profile),
    }
}

/// Returns the clip level τ: that of least squared threshold and sampling variance together, among
/// the budgets that occur and levels between and above them.
fn clip_level(profile: &Profile, request: &FoundRequest) -> f64 {
    let finite = profile.usable().iter().filter(|level| !level.epsilon.is_public());
    let budgets: Vec<f64> = finite.map(|level| level.epsilon.get()).collect();
    let (Some(least), Some(most)) = (budgets.first().copied(), budgets.last().copied()) else {
        return f64::INFINITY;
    };
    let (sums, n) = (ClippedSums::new(profile), profile.records() as f64);
    let objective = |tau: f64| {
        let clipped = sums.at(tau);
        // Σ min(ε, τ): the strictest record weighs as much as the noise of scale 1 allows.
        let whole = 1.0 / clipped.noise();
        let heaviest = tau.min(most);
        let threshold = threshold(heaviest, request.delta().get()) / whole;
        let sampling = match request.options().target {
            Target::Population => 0.25 * clipped.squared_norm(),
            Target::Dataset => 0.25 * n / (n - 1.0).max(1.0) * clipped.squared_distance(),
            Target::DatasetCorrelated => 0.25 * clipped.distance().powi(2),
        };
        threshold * threshold + sampling
    };
    const BETWEEN: u32 = 64;
    const ABOVE_ALL: f64 = 1e4;
    let has_public = profile.levels().iter().any(|level| level.epsilon.is_public());
    let highest = if has_public { most * ABOVE_ALL } else { most };
    let step = (highest / least).ln() / f64::from(BETWEEN);
    let between = (0..=BETWEEN).map(|at| least * (step * f64::from(at)).exp());
    let candidates = budgets.iter().copied().chain(between.filter(|tau| tau.is_finite()));
    let best = candidates.map(|tau| (objective(tau), tau)).min_by(|a, b| {
        // Of equally good ones the lowest, with which nobody spends more.
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    best.map_or(most, |(_, tau)| tau)
}

/// Returns about the threshold in units of privacy, for this largest loss: M = ln((1 − a)((e^(aw) −
/// 1)/δ + 1))/a, and at least w.
fn threshold(heaviest: f64, delta: f64) -> f64 {
    let power = ABOVE * heaviest;
    let log = match power > 30.0 {
        true => power - delta.ln(),
        false => (power.exp_m1() / delta).ln_1p(),
    };
    (((1.0 - ABOVE).ln() + log) / ABOVE).max(heaviest)
}
