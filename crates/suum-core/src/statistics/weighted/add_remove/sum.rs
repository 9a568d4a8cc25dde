//! Sum under add-remove.

use crate::add_remove::AddRemoveStatistic;
use crate::add_remove::clip::{Weighing, factor_of_mean, relative_variance};
use crate::add_remove::expected::Guess;
use crate::add_remove::noisy_answer::{NoisyAnswer, NoisySums};
use crate::add_remove::noisy_profile::{NoisyProfile, buckets, top};
use crate::add_remove::people::People;
use crate::add_remove::ratio::{Ratio, RatioNoise};
use crate::add_remove::release::{Outcome, error, worst_mean};
use crate::answer::interval::{half_width_of_three, possible_ends};
use crate::answer::spread::{LARGEST, ROUNDS};
use crate::error::{OptionName, option};
use crate::private::session::{Account, Cost, Session};
use crate::statistics::count::{Count, count_units, measure_count};
use crate::statistics::weighted::Sum;
use crate::statistics::weighted::add_remove::mean::MeasuredMean;
use crate::{
    AddRemoveCandidate, AddRemoveRequest, Bounds, Estimator, ExpectedError, Grid, Interval,
    LevelTable, PersonValue, PrivacyUnits, Quantity, Release, Result,
};

/// Shares of what the least budget has left that may be spent on counting people, for a sum. The
/// first one is used if nothing is known of the people.
const COUNT_SHARES: [f64; 5] = [0.5, 0.6, 0.7, 0.8, 0.9];

impl AddRemoveStatistic for Sum {
    fn uses(&self) -> &'static [OptionName] {
        &[option::VARIANCE, option::STEP, option::PER_PERSON]
    }

    fn buys_profile(&self, request: &AddRemoveRequest, by: Estimator, account: &Account) -> bool {
        request.equal_weights(by, account).is_none() && request.needs_profile(by, account)
    }

    fn expect(&self, mut guess: Guess<'_>) -> Result<AddRemoveCandidate> {
        let (request, bounds) = (guess.request, guess.request.inside());
        let (options, estimator) = (request.options(), guess.estimator);
        let variance = relative_variance(options, bounds);
        let (h, noisy_profile) = (bounds.width(), guess.noisy_profile);
        if let Some(weighing) = request.equal_weights(estimator, &guess.account) {
            guess.pay(&weighing)?;
            let (low, high) = (bounds.lower(), bounds.upper());
            let scales = match request.ratio_noise(request.tells_spread(&weighing)) {
                RatioNoise::Parts(..) => high.hypot(low),
                RatioNoise::Moments => high.hypot(low).hypot((high + low) / 2.0),
                RatioNoise::Centred => (high - low).hypot(high + low),
            };
            let noise = std::f64::consts::SQRT_2 * scales / weighing.clip.get();
            let exact = weighing.is_exact(options);
            let sampling = if exact { 0.0 } else { h * (noisy_profile.people() * variance).sqrt() };
            return Ok(guess.candidate(weighing.clip, error(noise, sampling)));
        }
        let known = request.needs_profile(estimator, &guess.account).then_some(noisy_profile);
        let share = request.count_share(bounds, estimator, &guess.account, known)?;
        let (units, weighing, worst) =
            request.plan_sum_with_count(bounds, estimator, &guess.account, noisy_profile, share)?;
        guess.account.charge(Cost::OfLeft(units))?;
        guess.pay(&weighing)?;
        Ok(guess.candidate(weighing.clip, worst))
    }

    fn check_table(&self, request: &AddRemoveRequest, table: &LevelTable) -> Result<()> {
        table.check_persons(request.options().person_value(PersonValue::Total))?;
        People::with_numbers(table, request.inside(), None).map(|_| ())
    }

    fn release(
        &self,
        request: &AddRemoveRequest,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let (bounds, estimator) = (request.inside(), request.estimator());
        let (people, grid) = People::with_numbers(table, bounds, None)?;
        let equal = |session: &Session<'_>| request.equal_weights(estimator, session.account());
        let noisy_profile = match equal(session).is_some() && !request.may_learn(&people) {
            true => None,
            false => request.profile_for_clip(&people, session)?,
        };
        if let Some(clamped) = request.learn(&people, &grid, noisy_profile.as_ref(), session)? {
            return request.release_clamped_sum(&clamped, table, session);
        }
        if let Some(weighing) = equal(session) {
            return request.release_plain_sum(&people, &grid, weighing, table, session);
        }
        let share =
            request.count_share(bounds, estimator, session.account(), noisy_profile.as_ref())?;
        let units = count_units(session.account(), share)?;
        let counted = measure_count(&people, units, session)?;
        let noisy_profile = noisy_profile.map(|noisy_profile| noisy_profile.less(1.0 / counted.1));
        let weighing = request.weighing_of_mean(bounds, session.account(), noisy_profile.as_ref());
        let MeasuredMean { sums, mean } =
            request.measure_mean(&people, &grid, &weighing, session)?;

        // From here on: post-processing.
        let value = |share: f64| bounds.lower() + bounds.width() * share;
        let count = Count::measured(counted);
        // Each of the two intervals misses half as often as the product may.
        let confidence = request.options().confidence;
        let each = 0.5 + confidence / 2.0;
        let (low, high) = mean.ratio.interval(each, request.spread(&mean, &weighing, &grid));
        let interval = count.times(each, (value(low), value(high)), confidence);
        let of_mean = request.error_of_mean(&mean, &weighing, bounds);
        let estimate = count.records.max(0.0) * value(mean.estimate);
        let error = count.error_of_product(of_mean, value(mean.estimate));
        let found =
            Outcome::number(Quantity::Sum, estimate, interval, error, &sums.sums, Some(&grid));
        Ok(request.published_beside(mean.spread, found, table, session))
    }
}

impl AddRemoveRequest {
    /// Returns the share of what the least budget has left that is spent on counting people: the
    /// one with the least worst-case error, for people as in `noisy_profile`. It is a larger part
    /// of small budgets, whose records may weigh little in the mean.
    pub(crate) fn count_share(
        &self,
        bounds: Bounds,
        estimator: Estimator,
        account: &Account,
        noisy_profile: Option<&NoisyProfile>,
    ) -> Result<f64> {
        let mut best = (COUNT_SHARES[0], f64::INFINITY);
        let Some(noisy_profile) =
            noisy_profile.filter(|noisy_profile| noisy_profile.people() > 0.0)
        else {
            return Ok(best.0);
        };
        for share in COUNT_SHARES {
            let (_, _, error) =
                self.plan_sum_with_count(bounds, estimator, account, noisy_profile, share)?;
            if error.rmse < best.1 {
                best = (share, error.rmse);
            }
        }
        Ok(best.0)
    }

    /// Returns the units of the count, the weights of the mean, and the worst-case error over the
    /// mean, of a sum for people as in `noisy_profile`, with this share for the count.
    pub(crate) fn plan_sum_with_count(
        &self,
        bounds: Bounds,
        estimator: Estimator,
        account: &Account,
        noisy_profile: &NoisyProfile,
        share: f64,
    ) -> Result<(PrivacyUnits, Weighing, ExpectedError)> {
        let units = count_units(account, share)?;
        let loss = units.loss(account.least()).rounded_up();
        let mut account = account.clone();
        account.charge(Cost::OfLeft(units))?;
        let (people, noisy_profile) = (noisy_profile.people(), noisy_profile.less(loss));
        let variance = relative_variance(self.options(), bounds);
        let c = factor_of_mean(self.options(), estimator, variance);
        let weighing = self.weighing(estimator, &account, Some(&noisy_profile), c);
        let whole = noisy_profile.total(weighing.clip.get());
        let square = weighing.square(self.options(), whole);
        let made = self.ratio_noise(self.tells_spread(&weighing));
        let (h, count) = (bounds.width(), std::f64::consts::SQRT_2 / loss);
        let worst = worst_mean(|u| {
            let mean = h * Ratio::noise_variance(u, made, whole).sqrt();
            let noise = (people.hypot(count) * mean).hypot(count * (bounds.lower() + h * u));
            error(noise, people * h * (variance.min(u * (1.0 - u)) * square).sqrt() / whole)
        });
        Ok((units, weighing, worst))
    }

    /// Releases the sum with equal weights: hi·Σu + lo·Σ(1 − u), with the distances u from the
    /// lower bound.
    fn release_plain_sum(
        &self,
        people: &People<'_>,
        grid: &Grid,
        weighing: Weighing,
        table: &LevelTable,
        session: &mut Session<'_>,
    ) -> Result<Release> {
        let MeasuredMean { sums, mean } = self.measure_mean(people, grid, &weighing, session)?;

        // From here on: post-processing.
        let bounds = grid.bounds();
        let (lowest, highest) = possible_sums(bounds);
        let each = weighing.clip.get();
        let [above, below] = sums.ends().map(|end| end / each);
        let estimate = bounds.upper() * above + bounds.lower() * below;
        let records = (above + below).max(0.0);
        let variance = self.variance_of_values(&mean, bounds);
        let noise = NoiseOfSum::new(&sums, bounds, each);
        let sampling = |variance: f64| match weighing.is_exact(self.options()) {
            true => 0.0,
            false => (records * variance).sqrt() * bounds.width(),
        };
        let confidence = self.options().confidence;
        // As for a mean, a step of the lattice of two-valued data.
        let steps = match (weighing.is_exact(self.options()), self.options().variance) {
            (true, _) => 0.0,
            (false, None) => 0.5,
            (false, Some(_)) => 1.0,
        };
        let rounding = (steps + records / (2.0 * grid.points() as f64)) * bounds.width();
        let half_width = |variance: f64| noise.half_width(confidence, sampling(variance));
        // The reach at the mean that the moved sum implies, approached from above, as for a mean.
        let reach = |side: f64| {
            let mut distance = half_width(LARGEST);
            for _ in 0..ROUNDS {
                let moved = side * distance / (records * bounds.width()).max(f64::MIN_POSITIVE);
                let mean = (mean.estimate + moved).clamp(0.0, 1.0);
                distance = half_width(variance.up_to(mean)).min(distance);
            }
            distance + rounding
        };
        let reaches = [reach(-1.0), reach(1.0)];
        let (lower, upper) = possible_ends(estimate, reaches, (lowest, highest));
        let interval = Interval { confidence, lower, upper };
        let error = error(noise.variance().sqrt(), sampling(variance.at(mean.estimate)));
        let found = Outcome::number(
            Quantity::Sum,
            estimate.max(lowest).min(highest),
            interval,
            error,
            &sums.sums,
            Some(grid),
        );
        Ok(self.published_beside(mean.spread, found, table, session))
    }

    /// Returns the weights if they are known in advance to be equal or nearly so: then a sum needs
    /// no count.
    pub(crate) fn equal_weights(
        &self,
        estimator: Estimator,
        account: &Account,
    ) -> Option<Weighing> {
        let least = account.least().min(top(account));
        let single = || buckets(self.budgets(), account).len() == 1;
        let clip = match (estimator, self.options().clip) {
            (Estimator::Affine, Some(clip)) => (clip <= least).then_some(clip),
            (Estimator::Affine | Estimator::Typical, None) => single().then_some(least),
            (Estimator::Uniform, _) => Some(least),
            _ => None,
        }?;
        Some(Weighing::at(clip))
    }
}

/// Returns the least and the largest possible sum of any number of values between these bounds:
/// nonnegative values have no negative sum.
pub(crate) fn possible_sums(bounds: Bounds) -> (f64, f64) {
    let lowest = if bounds.lower() >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
    let highest = if bounds.upper() <= 0.0 { 0.0 } else { f64::INFINITY };
    (lowest, highest)
}

/// Scales of the noises in a sum.
pub(crate) struct NoiseOfSum([f64; 3]);

impl NoiseOfSum {
    /// Returns the scales of hi·Σy + lo·Σ(1 − y), with records of weight `each`.
    pub(crate) fn new(measured: &NoisySums, bounds: Bounds, each: f64) -> Self {
        let [high, low] = [bounds.upper(), bounds.lower()].map(|bound| bound / each);
        let scales = match measured.seen {
            NoisyAnswer::Ends(_) => [high, 0.0, low],
            NoisyAnswer::Moments(_) => [high, (high + low) / 2.0, low],
            NoisyAnswer::Centred { .. } => [high - low, high + low, 0.0],
        };
        Self(scales.map(f64::abs))
    }

    /// Returns the scales, each with the number of noises that have it.
    pub(crate) fn scales(&self) -> Vec<(f64, f64)> {
        self.0.iter().map(|scale| (*scale, 1.0)).collect()
    }

    pub(crate) fn variance(&self) -> f64 {
        self.0.iter().map(|scale| 2.0 * scale * scale).sum()
    }

    fn half_width(&self, confidence: f64, sd: f64) -> f64 {
        half_width_of_three(confidence, self.0, sd)
    }
}
