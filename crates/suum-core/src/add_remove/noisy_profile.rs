//! Rough, noisy counts of people per budget, bought with a small share of every budget.

use super::people::{People, in_units};
use crate::private::session::{Account, Cost, Session};
use crate::strategy::weights::l2;
use crate::{
    AddRemoveRequest, DeclaredBudgets, Epsilon, PostProcessing, PrivacyUnits, Profile, Result,
    Share, Totals, TotalsQuestion,
};

/// Largest loss worth spending: noise of scale 1/10 of a record hardly matters.
pub(crate) const ENOUGH: f64 = 10.0;

/// Largest loss worth spending if everybody is public. No noise is added then, so intervals that
/// allow for noise of this scale are no longer for it.
const ENOUGH_OF_PUBLIC: f64 = (1u64 << 30) as f64;

/// Share of the budget for the noisy profile, one twentieth; the rest is for the estimate.
const PROFILE_SHARE: f64 = 1.0 / 20.0;

/// Largest clip level that [`PrivacyUnits`] accepts.
const LARGEST_CLIP: f64 = (1u64 << 40) as f64;

/// Number of people by what they have left to spend: assumed, or computed from noisy numbers. The
/// numbers need not be whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NoisyProfile {
    levels: Vec<NoisyLevel>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct NoisyLevel {
    /// Budget that a typical person of the level has left; ∞ for public records.
    left: f64,
    people: f64,
    /// Standard deviation of the noise in `people`.
    noise: f64,
    /// Mass of the level as measured, with noise of scale 1; then what its least budget has left,
    /// and the most that one person adds to the mass.
    mass: f64,
    least_left: f64,
    most_each: f64,
}

impl NoisyProfile {
    /// Returns the noiseless profile of the assumed people, by what they have left.
    pub(crate) fn assumed(profile: &Profile, account: &Account) -> Self {
        let level = |level: &crate::Level| {
            let (left, people) = (account.left(level.epsilon).get(), level.count as f64);
            NoisyLevel { left, people, noise: 0.0, mass: people, least_left: left, most_each: 1.0 }
        };
        let levels = profile.levels().iter().map(level).filter(|level| level.left > 0.0);
        Self { levels: levels.collect() }
    }

    /// Measures the mass of every bucket of budgets, with noise.
    ///
    /// Every person is in one bucket and adds min(ε/20, ½) to its mass, so all buckets have the
    /// same noise of scale 1, in units of ε, and the cost to a person is that once. The session
    /// pays.
    pub(crate) fn measured(
        people: &People<'_>,
        budgets: &DeclaredBudgets,
        session: &mut Session<'_>,
    ) -> Result<Self> {
        let before = session.account().clone();
        let units = profile_units(&before)?;
        let buckets = buckets(budgets, &before);
        let question = TotalsQuestion::Presence(buckets.len());
        let sums = Totals::in_units(units, question, before.neighbors());
        let records = people.by_level().iter().filter_map(|level_sums| {
            let counted = budgets.round_down(level_sums.epsilon);
            let bucket = buckets.partition_point(|least| *least <= counted).checked_sub(1)?;
            let left = before.left(level_sums.epsilon);
            Some(question.answers(left, (level_sums.count, &level_sums.sums), bucket))
        });
        let noisy = session.measure(&sums, records.collect())?;

        // From here on: post-processing.
        let measured = in_units(noisy, &sums);
        Ok(Self::from_masses(&measured, budgets, &buckets, units, (&before, session.account())))
    }

    /// Returns the expected measurement for assumed people, without noise.
    pub(crate) fn expected(assumed: &Profile, request: &AddRemoveRequest) -> Result<Self> {
        let (budgets, before) = (request.budgets(), request.account());
        let units = profile_units(&before)?;
        let mut account = before.clone();
        account.charge(Cost::OfLeft(units))?;
        let buckets = buckets(budgets, &before);
        let mut masses = vec![0.0; buckets.len()];
        for level in assumed.levels() {
            let counted = budgets.round_down(level.epsilon);
            let bucket = buckets.partition_point(|least| *least <= counted).checked_sub(1);
            if let Some(mass) = bucket.and_then(|bucket| masses.get_mut(bucket)) {
                let each = units.spent(before.left(level.epsilon));
                *mass += level.count as f64 * each;
            }
        }
        Ok(Self::from_masses(&masses, budgets, &buckets, units, (&before, &account)))
    }

    /// Returns the profile with these measured masses of the buckets. The accounts are those before
    /// and after paying for it.
    fn from_masses(
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

    /// Returns the profile after every person has spent `loss` more.
    pub(crate) fn less(&self, loss: f64) -> Self {
        self.with_left(|left| left - loss)
    }

    /// Returns the profile with what people have left replaced by a function of it. Levels with
    /// nothing left are dropped.
    pub(crate) fn with_left(&self, of: impl Fn(f64) -> f64) -> Self {
        let with = |level: &NoisyLevel| NoisyLevel {
            left: of(level.left).max(0.0),
            least_left: of(level.least_left).max(0.0),
            ..*level
        };
        Self { levels: self.levels.iter().map(with).filter(|level| level.left > 0.0).collect() }
    }

    /// Returns the levels in ascending order: what they have left, and the number of people.
    pub(crate) fn left(&self) -> Vec<(f64, f64)> {
        self.levels.iter().map(|level| (level.left, level.people)).collect()
    }

    /// Returns the profile in whole numbers; `None` if no level has anybody.
    pub(crate) fn profile(&self) -> Option<Profile> {
        let levels = self.levels.iter().filter_map(|level| {
            let count = libm::round(level.people.min(1e15)) as u64;
            let epsilon = Epsilon::new(level.left).ok()?;
            (count > 0).then_some(crate::Level { epsilon, count })
        });
        Profile::new(levels).ok()
    }

    /// Returns τ of the L2 objective with noise factor `c`; ∞ if no level has anybody.
    pub(crate) fn clip_level(&self, c: f64) -> f64 {
        let levels = self.levels.iter().filter(|level| level.people > 0.0);
        l2::clip_level_of(levels.map(|level| (level.left, level.people)), c)
    }

    /// Returns Σ r with r = min(left, τ).
    pub(crate) fn total(&self, tau: f64) -> f64 {
        self.levels.iter().map(|level| level.people * level.left.min(tau)).sum()
    }

    /// Returns a lower confidence bound on Σ min(left, τ) of the true people, which holds for all τ
    /// at once except with a probability of at most `miss`.
    ///
    /// Every person in a bucket has at least what its least budget has left, and added to its mass
    /// at most what its largest budget adds. So the people of a bucket weigh at least its true mass
    /// times the ratio of the two. With a probability of at least 1 − `miss`, noise of scale 1
    /// raises none of m masses by more than ln(m/(2·miss)).
    pub(crate) fn total_at_least(&self, tau: f64, miss: f64) -> f64 {
        let raised = (self.levels.len() as f64 / (2.0 * miss)).ln();
        let levels = self.levels.iter();
        let weight = |level: &NoisyLevel| {
            let rate = level.least_left.min(tau) / level.most_each;
            rate * (level.mass - raised).max(0.0)
        };
        levels.map(weight).sum()
    }

    /// Returns Σ r²/Σ r, at most τ: the mean weight of a record, weighted by itself. Adds
    /// `deviations` standard deviations of its own noise.
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

    /// Returns the noisy number of people.
    pub(crate) fn people(&self) -> f64 {
        self.levels.iter().map(|level| level.people).sum()
    }
}

/// Returns the units of the noisy profile: a twentieth of what is left, at most a twentieth of
/// [`enough`].
fn profile_units(account: &Account) -> Result<PrivacyUnits> {
    let clip = Epsilon::new(enough(account) * PROFILE_SHARE)?;
    PrivacyUnits::new(Share::new(PROFILE_SHARE)?, clip)
}

/// Largest amount that one record needs to spend.
fn enough(account: &Account) -> f64 {
    if account.is_public() { ENOUGH_OF_PUBLIC } else { ENOUGH }
}

/// Charges an assumed noisy profile to the account.
pub(crate) fn pay_for_profile(account: &mut Account) -> Result<()> {
    account.charge(Cost::OfLeft(profile_units(account)?))
}

/// Returns the least budgets of the buckets. All budgets that can spend at least [`top`] share the
/// last bucket.
pub(crate) fn buckets(budgets: &DeclaredBudgets, account: &Account) -> Vec<Epsilon> {
    let top = top(account);
    budgets.buckets(|least| account.left(least) >= top)
}

/// Returns the largest loss of the estimate for any record: what the largest budget has left,
/// limited to what is enough, or to the least budget if that is more.
pub(crate) fn top(account: &Account) -> Epsilon {
    let least = account.least();
    let enough = match least.is_public() {
        true => enough(account),
        false => least.get().clamp(ENOUGH, LARGEST_CLIP),
    };
    Epsilon::new(enough).unwrap_or(least).min(account.most())
}

/// Returns the nearest nonnegative masses with the same sum; all zero if the sum is negative.
///
/// Cutting each mass off at zero would make many empty buckets look like many people.
fn not_negative(masses: &[f64]) -> Vec<f64> {
    let total: f64 = masses.iter().sum();
    if total <= 0.0 {
        return vec![0.0; masses.len()];
    }
    let shares: Vec<f64> = masses.iter().map(|mass| mass / total).collect();
    PostProcessing::Simplex.apply(&shares).into_iter().map(|share| share * total).collect()
}
