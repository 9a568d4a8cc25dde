//! Reduction of an unknown number of people to a known one: DG26 Algorithm 8, corrected.

use dashu_int::{IBig, UBig};

use super::answer::Person;
use suum::{
    DeclaredBudgets, DiscreteLaplace, Epsilon, Error, Loss, Randomness, Result, least_scale, option,
};

/// Steps of one person in the noisy numbers: noise in whole people would be too coarse for large
/// budgets.
const COUNT_STEPS: u64 = 1 << 20;

/// Noisy numbers of people in buckets of budgets, and records drawn to have just these numbers.
///
/// # Method
///
/// Budgets are rounded down to tiers, or to the least declared one times a power of two: the
/// bucket's e. The number of people in a bucket gets discrete Laplace noise of scale 2/e, less what
/// makes all of them underestimates with probability 19/20. As many records are drawn from it, and
/// from placeholders that fill it up if they are too few, without replacement and in random order.
///
/// # Guarantee
///
/// A person is counted in one bucket, which costs e/2. Given the numbers, the records drawn with
/// and without that person can be coupled so that they differ in at most one place, as draws from
/// two buckets that differ in one member: there is the person, or another one of the bucket, or a
/// placeholder. So what is e/2-private for replacing a record, placeholders included, costs another
/// e/2. (DG26 prints noise of scale 1/e, which alone costs e, and pays for two places.)
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reduction {
    declared: DeclaredBudgets,
    buckets: Vec<Bucket>,
}

#[derive(Debug, Clone, PartialEq)]
struct Bucket {
    least: Epsilon,
    half: Epsilon,
    scale: UBig,
    /// Difference between the noisy number and the number drawn.
    offset: u64,
}

/// Probability with which all numbers together are underestimates.
const SURE: f64 = 0.95;
/// Largest number of records drawn from a bucket.
const MOST: u64 = 1 << 26;
/// Largest offset of a number of people; beyond it, noise alone could fill the memory with
/// placeholders.
const VAGUEST: f64 = (1u64 << 22) as f64;

impl Reduction {
    /// Refuses budgets too small to count people.
    pub(super) fn new(declared: DeclaredBudgets) -> Result<Self> {
        // Nobody is made to spend more than a few ε, so larger budgets share a bucket.
        let least = declared.buckets(|least| least.get() >= 16.0);
        let miss = (1.0 - SURE) / least.len() as f64;
        let buckets = least.iter().map(|least| {
            let counted = if least.is_public() { Epsilon::new(16.0)? } else { *least };
            // Halves of doubles are exact.
            let half = Epsilon::new(counted.get() / 2.0)?;
            let scale = least_scale(UBig::from(COUNT_STEPS), half);
            let offset = -libm::log(2.0 * miss) / half.get();
            if offset > VAGUEST {
                return Err(Error::request(
                    option::ESTIMATOR,
                    "gaussian-reduction counts people, which budgets as small as declared do not \
                     allow",
                )
                .with_fix("declare larger budgets"));
            }
            Ok(Bucket { least: *least, half, scale, offset: offset as u64 + 1 })
        });
        Ok(Self { buckets: buckets.collect::<Result<_>>()?, declared })
    }

    fn bucket(&self, budget: Epsilon) -> Option<usize> {
        let counted = self.declared.round_down(budget);
        self.buckets.partition_point(|bucket| bucket.least <= counted).checked_sub(1)
    }

    /// Declared budgets.
    pub(super) fn declared(&self) -> &DeclaredBudgets {
        &self.declared
    }

    /// Budget that a record of this budget may still spend; `None` if it is not used.
    pub(super) fn remaining_budget(&self, budget: Epsilon) -> Option<Epsilon> {
        self.bucket(budget).map(|bucket| self.buckets[bucket].half)
    }

    /// Cost of being counted for a record of this budget: at most half of it.
    pub(super) fn loss(&self, budget: Epsilon) -> Loss {
        let Some(bucket) = self.bucket(budget) else { return Loss::ZERO };
        Loss::Finite(dashu_ratio::RBig::from_parts(
            IBig::from(COUNT_STEPS),
            self.buckets[bucket].scale.clone(),
        ))
    }

    /// Draws the records, with the budget that each may still spend; a placeholder is NaN.
    pub(super) fn reduce(&self, people: &[Person], randomness: &mut Randomness) -> Vec<Person> {
        let mut members: Vec<Vec<f64>> = self.buckets.iter().map(|_| Vec::new()).collect();
        for (epsilon, value) in people {
            if let Some(bucket) = self.bucket(*epsilon) {
                members[bucket].push(*value);
            }
        }
        let mut drawn = Vec::new();
        for (bucket, members) in self.buckets.iter().zip(members) {
            let steps = IBig::from(members.len()) * IBig::from(COUNT_STEPS)
                + DiscreteLaplace::new(bucket.scale.clone()).sample(randomness);
            let count = u64::try_from(steps / IBig::from(COUNT_STEPS)).unwrap_or(0);
            let count = count.saturating_sub(bucket.offset).min(MOST) as usize;
            let members = draw(members, count, randomness);
            drawn.extend(members.into_iter().map(|value| (bucket.half, value)));
        }
        drawn
    }
}

/// Draws `count` of the members and of placeholders that fill them up, in random order.
///
/// Placeholders are drawn like members: a separate position would reveal the numbers of both.
fn draw(mut members: Vec<f64>, count: usize, randomness: &mut Randomness) -> Vec<f64> {
    // A placeholder is not a number.
    members.resize(count.max(members.len()), f64::NAN);
    for place in 0..count {
        let other = place + randomness.index_below((members.len() - place) as u64) as usize;
        members.swap(place, other);
    }
    members.truncate(count);
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of draws of each list, with placeholders as 0.
    fn lists(
        members: &[f64],
        count: usize,
        trials: u32,
    ) -> std::collections::BTreeMap<String, u32> {
        let mut randomness = Randomness::insecure(9);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..trials {
            let list: String = draw(members.to_vec(), count, &mut randomness)
                .iter()
                .map(|value| if value.is_nan() { "0".into() } else { value.to_string() })
                .collect();
            *seen.entry(list).or_default() += 1;
        }
        seen
    }

    #[test]
    fn all_lists_are_equally_likely() {
        // With and without one member the lists can be coupled so that one place differs only if
        // both are drawn like this.
        for (members, count, different) in
            [(&[1.0, 2.0][..], 4, 12u32), (&[1.0], 3, 3), (&[1.0, 2.0, 3.0], 2, 6), (&[], 2, 1)]
        {
            let seen = lists(members, count, 12_000);
            assert_eq!(seen.len() as u32, different);
            let expected = 12_000 / different;
            // Six standard deviations.
            let half_width = 6.0 * f64::from(expected).sqrt();
            assert!(
                seen.values()
                    .all(|times| (f64::from(*times) - f64::from(expected)).abs() < half_width),
                "{seen:?}"
            );
        }
    }

    #[test]
    fn budgets_too_small_to_count_people_are_refused() {
        for range in ["1e-30,1", "1e-12,1e6"] {
            let refused = Reduction::new(range.parse().unwrap()).unwrap_err();
            assert!(refused.to_string().starts_with("estimator: "), "{refused}");
        }
        assert!(Reduction::new("0.001,inf".parse().unwrap()).is_ok());
    }
}
