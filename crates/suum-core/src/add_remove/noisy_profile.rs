//! How many people allow how much, roughly: what a small part of every budget buys first.

use super::people::{People, in_units};
use crate::private::mechanism::UnitQuestion;
use crate::private::session::{Account, Cost, Session};
use crate::strategy::weights::l2;
use crate::{
    AddRemoveRequest, DeclaredBudgets, Epsilon, PostProcessing, PrivacyUnits, Profile, Result,
    Share, UnitSums,
};

/// Nobody needs to spend more than this: noise of scale 1/10 of a record is none to speak of.
pub(crate) const ENOUGH: f64 = 10.0;

/// Enough where everybody is public, and no noise is added: intervals that allow for noise are no
/// longer for it.
const ENOUGH_OF_PUBLIC: f64 = (1u64 << 30) as f64;

/// One part of the budget buys the noisy profile, nineteen the estimate.
const PROFILE_SHARE: f64 = 1.0 / 20.0;

/// The largest clip that [`PrivacyUnits`] take.
const LARGEST_CLIP: f64 = (1u64 << 40) as f64;

/// People by what they have left to spend, not necessarily whole ones: a guess, or made of noisy
/// numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoisyProfile {
    levels: Vec<NoisyLevel>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct NoisyLevel {
    /// What each of them has left, typically; ∞ for public records.
    left: f64,
    people: f64,
    /// The standard deviation of the noise in `people`.
    noise: f64,
    /// The mass of these people as measured, with noise of scale 1; what the least budget of them
    /// has left, and what one of them adds to the mass at most.
    mass: f64,
    least_left: f64,
    most_each: f64,
}

impl NoisyProfile {
    /// The profile that is assumed in planning, without noise.
    pub(crate) fn assumed(profile: &Profile, account: &Account) -> Self {
        let level = |level: &crate::Level| {
            let (left, people) = (account.left(level.epsilon).get(), level.count as f64);
            NoisyLevel { left, people, noise: 0.0, mass: people, least_left: left, most_each: 1.0 }
        };
        let levels = profile.levels().iter().map(level).filter(|level| level.left > 0.0);
        Self { levels: levels.collect() }
    }

    /// Measures the weight of every bucket of budgets, with noise.
    ///
    /// Every person is in one bucket and adds min(ε/20, ½) to its weight, so all buckets have the
    /// same noise of scale 1, in units of ε, and cost a person only that. The session pays.
    pub(crate) fn measured(
        people: &People<'_>,
        budgets: &DeclaredBudgets,
        session: &mut Session<'_>,
    ) -> Result<Self> {
        let before = session.account().clone();
        let units = profile_units(&before)?;
        let buckets = buckets(budgets, &before);
        let question = UnitQuestion::Presence(buckets.len());
        let sums = UnitSums::new(units, question, before.neighbors());
        let records = people.by_level().iter().filter_map(|level_sums| {
            let counted = budgets.of(level_sums.epsilon);
            let bucket = buckets.partition_point(|least| *least <= counted).checked_sub(1)?;
            Some(question.records(before.left(level_sums.epsilon), level_sums, bucket))
        });
        let noisy = session.measure(&sums, records.collect())?;

        // From here on: post-processing.
        let measured = in_units(noisy, &sums);
        Ok(Self::of_masses(&measured, budgets, &buckets, units, (&before, session.account())))
    }

    /// What would be measured of the people that are assumed, if there were no noise.
    pub(crate) fn expected(assumed: &Profile, request: &AddRemoveRequest) -> Result<Self> {
        let (budgets, before) = (request.budgets(), request.account());
        let units = profile_units(&before)?;
        let mut account = before.clone();
        account.charge(Cost::OfLeft(units))?;
        let buckets = buckets(budgets, &before);
        let mut masses = vec![0.0; buckets.len()];
        for level in assumed.levels() {
            let counted = budgets.of(level.epsilon);
            let bucket = buckets.partition_point(|least| *least <= counted).checked_sub(1);
            if let Some(mass) = bucket.and_then(|bucket| masses.get_mut(bucket)) {
                let each = units.spent(before.left(level.epsilon));
                *mass += level.count as f64 * each;
            }
        }
        Ok(Self::of_masses(&masses, budgets, &buckets, units, (&before, &account)))
    }

    /// People of whom these are the masses of each bucket, by the accounts before and after.
    fn of_masses(
        measured: &[f64],
        budgets: &DeclaredBudgets,
        buckets: &[Epsilon],
        units: PrivacyUnits,
        (before, account): (&Account, &Account),
    ) -> Self {
        let masses = not_negative(measured);
        let next = |at: usize| buckets.get(at + 1).copied();
        let mass_of = |epsilon: Epsilon| units.spent(before.left(epsilon));
        let level = |(at, least): (usize, &Epsilon)| {
            let typical = budgets.middle(*least, next(at));
            let each = mass_of(typical);
            (each > 0.0).then(|| NoisyLevel {
                left: account.left(typical).get(),
                people: masses[at] / each,
                noise: std::f64::consts::SQRT_2 / each,
                mass: measured[at],
                least_left: account.left(*least).get(),
                most_each: mass_of(budgets.highest(*least, next(at))),
            })
        };
        let levels = buckets.iter().enumerate().filter_map(level);
        Self { levels: levels.collect() }
    }

    /// The same people after each has spent `loss` more.
    pub(crate) fn less(&self, loss: f64) -> Self {
        self.with_left(|left| left - loss)
    }

    /// The same people with something else left, by what they have left.
    pub(crate) fn with_left(&self, of: impl Fn(f64) -> f64) -> Self {
        let with = |level: &NoisyLevel| NoisyLevel {
            left: of(level.left).max(0.0),
            least_left: of(level.least_left).max(0.0),
            ..*level
        };
        Self { levels: self.levels.iter().map(with).filter(|level| level.left > 0.0).collect() }
    }

    /// What they have left, ascending, and how many of them.
    pub(crate) fn left(&self) -> Vec<(f64, f64)> {
        self.levels.iter().map(|level| (level.left, level.people)).collect()
    }

    /// The same people in whole numbers; `None` if there seems to be nobody.
    pub(crate) fn profile(&self) -> Option<Profile> {
        let levels = self.levels.iter().filter_map(|level| {
            let count = libm::round(level.people.min(1e15)) as u64;
            let epsilon = Epsilon::new(level.left).ok()?;
            (count > 0).then_some(crate::Level { epsilon, count })
        });
        Profile::new(levels).ok()
    }

    /// τ of the L2 objective with noise factor `c`; ∞ where there seems to be nobody.
    pub(crate) fn clip_level(&self, c: f64) -> f64 {
        let levels = self.levels.iter().filter(|level| level.people > 0.0);
        l2::clip_level_of(levels.map(|level| (level.left, level.people)), c)
    }

    /// Σ r with r = min(left, τ).
    pub(crate) fn total(&self, tau: f64) -> f64 {
        self.levels.iter().map(|level| level.people * level.left.min(tau)).sum()
    }

    /// What Σ min(left, τ) of the very people is at least, for all τ at once, except with a
    /// probability of at most `miss`.
    ///
    /// Whoever is in a bucket has at least what its least budget has left, and added to its mass at
    /// most what its largest budget adds: so its people weigh at least its true mass times the
    /// ratio of the two. Noise of scale 1 raises none of m masses by more than ln(m/(2·miss)), with
    /// a probability of 1 − `miss` at least.
    pub(crate) fn total_at_least(&self, tau: f64, miss: f64) -> f64 {
        let raised = (self.levels.len() as f64 / (2.0 * miss)).ln();
        let levels = self.levels.iter();
        let weight = |level: &NoisyLevel| {
            let rate = level.least_left.min(tau) / level.most_each;
            rate * (level.mass - raised).max(0.0)
        };
        levels.map(weight).sum()
    }

    /// Σ r²/Σ r, at most τ: what a record weighs on average, weighted by itself. So many standard
    /// deviations of its own noise are added.
    pub(crate) fn typical_weight(&self, tau: f64, deviations: f64) -> f64 {
        let total = self.total(tau);
        if total <= 0.0 {
            return tau;
        }
        let square: f64 =
            self.levels.iter().map(|level| level.people * level.left.min(tau).powi(2)).sum();
        let mean = square / total;
        let noise = self.levels.iter().map(|level| {
            let weight = level.left.min(tau);
            (level.noise * weight * (weight - mean) / total).powi(2)
        });
        (mean + deviations * noise.sum::<f64>().sqrt()).min(tau)
    }

    /// How many people there seem to be.
    pub(crate) fn people(&self) -> f64 {
        self.levels.iter().map(|level| level.people).sum()
    }
}

/// A twentieth of what is left, at most a twentieth of what is enough.
fn profile_units(account: &Account) -> Result<PrivacyUnits> {
    let clip = Epsilon::new(enough(account) * PROFILE_SHARE)?;
    PrivacyUnits::new(Share::new(PROFILE_SHARE)?, clip)
}

/// Largest amount that one record needs to spend.
fn enough(account: &Account) -> f64 {
    if account.is_public() { ENOUGH_OF_PUBLIC } else { ENOUGH }
}

/// Pays for a noisy profile that is only assumed.
pub(crate) fn pay_for_profile(account: &mut Account) -> Result<()> {
    account.charge(Cost::OfLeft(profile_units(account)?))
}

/// The least budgets of the buckets; budgets that nobody is made to spend share the last one.
pub(crate) fn buckets(budgets: &DeclaredBudgets, account: &Account) -> Vec<Epsilon> {
    let top = top(account);
    budgets.buckets(|least| account.left(least) >= top)
}

/// The most that anybody is made to spend: what the largest budget has left, but not more than is
/// enough, unless the least budget is more.
pub(crate) fn top(account: &Account) -> Epsilon {
    let least = account.least();
    let enough = match least.is_public() {
        true => enough(account),
        false => least.get().clamp(ENOUGH, LARGEST_CLIP),
    };
    Epsilon::new(enough).unwrap_or(least).min(account.most())
}

/// The nearest masses that are not negative and have the same sum (zero, if that is negative).
///
/// Cutting each off at zero would make many empty buckets look like many people.
fn not_negative(masses: &[f64]) -> Vec<f64> {
    let total: f64 = masses.iter().sum();
    if total <= 0.0 {
        return vec![0.0; masses.len()];
    }
    let shares: Vec<f64> = masses.iter().map(|mass| mass / total).collect();
    PostProcessing::Simplex.apply(&shares).into_iter().map(|share| share * total).collect()
}
